/* conflict.c: see conflict.h. */
#include "gpu/memory/conflict.h"
#include "gpu/memory/obtain.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 12 };

/* The pieces of one worker. They outlive its watcher: conflicts are looked for when all workers
 * have ended. */
struct conflicts {
    struct conflicts *next;
    struct piece *bucket[BUCKETS];
};

static struct {
    pthread_mutex_t lock;
    struct conflicts *all; /* of the running launch */
    struct piece *spare;
} conflicts = {.lock = PTHREAD_MUTEX_INITIALIZER};

void conflict_begin(struct watcher *watcher)
{
    struct conflicts *mine = obtain(1, sizeof *mine);
    pthread_mutex_lock(&conflicts.lock);
    mine->next = conflicts.all;
    conflicts.all = mine;
    pthread_mutex_unlock(&conflicts.lock);
    watcher->conflicts = mine;
    memset(watcher->pieces, 0, sizeof watcher->pieces);
}

void conflict_free(struct watcher *watcher)
{
    watcher->conflicts = NULL; /* conflict_settle() frees it */
    memset(watcher->pieces, 0, sizeof watcher->pieces);
}

static struct piece *new_piece(uint64_t number)
{
    pthread_mutex_lock(&conflicts.lock);
    struct piece *piece = conflicts.spare;
    if (piece != NULL) conflicts.spare = piece->next;
    pthread_mutex_unlock(&conflicts.lock);
    if (piece == NULL) piece = obtain(1, sizeof *piece);
    memset(piece->bits, 0, sizeof piece->bits);
    piece->number = number;
    return piece;
}

struct piece *conflict_piece(struct watcher *watcher, uint64_t number)
{
    struct piece **bucket = &watcher->conflicts->bucket[number % BUCKETS], *piece = *bucket;
    while (piece != NULL && piece->number != number)
        piece = piece->next;
    if (piece == NULL) {
        piece = new_piece(number);
        piece->next = *bucket;
        *bucket = piece;
    }
    return watcher->pieces[number % PIECES_NEAR] = piece;
}

/* ---- when all have ended -------------------------------------------------------------------- */

/* One of them writes what the other reads or writes; or changes by atomics what the other uses in
 * another way. */
static bool conflict_between(const struct piece *a, const struct piece *b)
{
    uint32_t found = 0;
    for (int i = 0; i < PIECE_WORDS / 32; i++) {
        uint32_t a_writes = a->bits[CONFLICT_WRITE][i], b_writes = b->bits[CONFLICT_WRITE][i];
        uint32_t a_atomics = a->bits[CONFLICT_ATOMIC][i], b_atomics = b->bits[CONFLICT_ATOMIC][i];
        uint32_t a_reads = a->bits[CONFLICT_READ][i], b_reads = b->bits[CONFLICT_READ][i];
        found |= a_writes & (b_writes | b_atomics | b_reads);
        found |= b_writes & (a_atomics | a_reads);
        found |= (a_atomics & b_reads) | (b_atomics & a_reads);
    }
    return found != 0;
}

static bool meets_others(const struct piece *piece, const struct conflicts *others)
{
    for (; others != NULL; others = others->next)
        for (const struct piece *one = others->bucket[piece->number % BUCKETS]; one != NULL;
             one = one->next)
            if (one->number == piece->number && conflict_between(piece, one)) return true;
    return false;
}

static void empty(struct conflicts *one)
{
    for (int i = 0; i < BUCKETS; i++)
        while (one->bucket[i] != NULL) {
            struct piece *piece = one->bucket[i];
            one->bucket[i] = piece->next;
            piece->next = conflicts.spare;
            conflicts.spare = piece;
        }
}

bool conflict_settle(void)
{
    bool found = false;
    for (const struct conflicts *one = conflicts.all; one != NULL; one = one->next)
        for (int i = 0; !found && i < BUCKETS; i++)
            for (const struct piece *piece = one->bucket[i]; !found && piece != NULL;
                 piece = piece->next)
                found = meets_others(piece, one->next);
    for (struct conflicts *one = conflicts.all; one != NULL; one = one->next)
        empty(one);
    return found;
}

void conflict_end(void)
{
    while (conflicts.all != NULL) {
        struct conflicts *one = conflicts.all;
        conflicts.all = one->next;
        empty(one);
        free(one);
    }
}
