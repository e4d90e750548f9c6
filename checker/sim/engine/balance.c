/* balance.c: see balance.h. */
#include "sim/engine/balance.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { SMS_MAX = 512, HELD_MAX = 32, APART = sizeof(struct block_work) / sizeof(float) };

/* Times that differ by 2 % are about the same: so much do equal blocks differ on a GPU. */
static const double SAME_TIME = 1.02;

/* An SM: how much work each of its blocks has had since the beginning, and at which amount they
 * end. */
struct sm {
    int resident, begun;
    double now, served, end[HELD_MAX];
    double next; /* when the first of them ends; INFINITY: none is there */
};

struct blocks {
    const float *work; /* of the first one; those of the others are APART apart */
    uint64_t count, next;
};

static void find_next(struct sm *sm)
{
    double first = INFINITY;
    for (int i = 0; i < sm->resident; i++)
        if (sm->end[i] < first) first = sm->end[i];
    sm->next = sm->resident == 0 ? INFINITY : sm->now + (first - sm->served) * sm->resident;
}

static void begin_block(struct sm *sm, struct blocks *blocks)
{
    sm->begun++;
    sm->end[sm->resident++] = sm->served + (double)blocks->work[blocks->next++ * APART];
}

/* Ends the block that ends first, and begins the next one in its place. */
static void go_on(struct sm *sm, struct blocks *blocks)
{
    int first = 0;
    for (int i = 1; i < sm->resident; i++)
        if (sm->end[i] < sm->end[first]) first = i;
    sm->now = sm->next;
    sm->served = sm->end[first];
    sm->end[first] = sm->end[--sm->resident];
    if (blocks->next < blocks->count) begin_block(sm, blocks);
    find_next(sm);
}

/* The SM on which a block ends first. Of those where one ends at about this time, it is the one
 * that has begun the fewest blocks. */
static struct sm *first_to_end(struct sm *all, int sms)
{
    double first = INFINITY;
    struct sm *found = NULL;
    for (int i = 0; i < sms; i++)
        if (all[i].next < first) first = all[i].next;
    for (int i = 0; i < sms; i++)
        if (all[i].next <= first * SAME_TIME && (found == NULL || all[i].begun < found->begun))
            found = &all[i];
    return found;
}

/* When the last block ends. */
static double last_end(struct blocks blocks, int sms, int held)
{
    struct sm all[SMS_MAX];
    double end = 0;
    for (int i = 0; i < sms; i++)
        all[i] = (struct sm){0};
    for (int round = 0; round < held; round++)
        for (int i = 0; i < sms && blocks.next < blocks.count; i++)
            begin_block(&all[i], &blocks);
    for (int i = 0; i < sms; i++)
        find_next(&all[i]);
    for (;;) {
        struct sm *sm = first_to_end(all, sms);
        if (isinf(sm->next)) return end;
        end = sm->next > end ? sm->next : end;
        go_on(sm, &blocks);
    }
}

/* The same if all blocks need as long: the SMs are full some times, and share the rest. */
static double last_even_end(double work, uint64_t count, uint64_t sms, uint64_t held)
{
    uint64_t times = count / (sms * held), rest = count % (sms * held);
    return work * (double)(times * held + (rest + sms - 1) / sms);
}

static float ratio(const float *work, uint64_t count, int sms, int held)
{
    double sum = 0, least = INFINITY, most = 0;
    for (uint64_t i = 0; i < count; i++) {
        double this = (double)work[i * APART];
        sum += this;
        if (this < least) least = this;
        if (this > most) most = this;
    }
    double shared = sum / (count < (uint64_t)sms ? (double)count : sms);
    if (shared <= 0) return 1;
    bool even = most <= least * SAME_TIME;
    double end = even ? last_even_end(sum / (double)count, count, (uint64_t)sms, (uint64_t)held)
                      : last_end((struct blocks){.work = work, .count = count}, sms, held);
    return (float)(end / shared);
}

struct block_work balance(const struct block_work *work, uint64_t blocks, int sms, int held)
{
    if (sms > SMS_MAX) sms = SMS_MAX;
    if (held > HELD_MAX) held = HELD_MAX;
    if (held < 1) held = 1;
    return (struct block_work){.compute = ratio(&work->compute, blocks, sms, held),
                               .memory = ratio(&work->memory, blocks, sms, held)};
}
