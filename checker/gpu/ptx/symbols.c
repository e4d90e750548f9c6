/*
 * symbols.c: a hash table of names with scopes. The newest symbol of a bucket comes first, so the
 * innermost one of a name is found first; closing a scope takes its symbols off their buckets
 * again.
 */
#include "gpu/ptx/reader.h"

#include <string.h>

void symbols_begin(struct symbols *symbols, struct arena *arena)
{
    *symbols = (struct symbols){.arena = arena, .bucket_count = 1024};
    symbols->buckets = arena_new(arena, symbols->bucket_count * sizeof *symbols->buckets);
    symbols->scopes = arena_new(arena, (SCOPES_MAX + 2) * sizeof *symbols->scopes);
}

static uint32_t hash_of(const char *name, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash ^ hash >> 15;
}

void symbols_open(struct symbols *symbols)
{
    symbols->scopes[++symbols->depth] = NULL;
}

void symbols_close(struct symbols *symbols)
{
    for (struct symbol *one = symbols->scopes[symbols->depth]; one != NULL; one = one->scope) {
        symbols->buckets[one->hash & (symbols->bucket_count - 1)] = one->bucket;
        symbols->count--;
    }
    symbols->depth--;
}

struct symbol *symbols_find(const struct symbols *symbols, const char *name, size_t length)
{
    uint32_t hash = hash_of(name, length);
    struct symbol *one = symbols->buckets[hash & (symbols->bucket_count - 1)];
    while (one != NULL &&
           (one->hash != hash || one->length != length || memcmp(one->name, name, length) != 0))
        one = one->bucket;
    return one;
}

struct symbol *symbols_here(const struct symbols *symbols, const char *name, size_t length)
{
    struct symbol *one = symbols_find(symbols, name, length);
    return one != NULL && one->depth == symbols->depth ? one : NULL;
}

/* Twice as many buckets. Every bucket keeps its order, newest first. */
static void rehash(struct symbols *symbols)
{
    size_t old_count = symbols->bucket_count, count = old_count * 2;
    struct symbol **old = symbols->buckets, **new = arena_new(symbols->arena, count * sizeof *new);
    for (size_t b = 0; b < old_count; b++) {
        struct symbol **ends[2] = {&new[b], &new[b + old_count]};
        for (struct symbol *one = old[b], *next; one != NULL; one = next) {
            next = one->bucket;
            struct symbol ***end = &ends[(one->hash & old_count) != 0];
            one->bucket = NULL;
            **end = one;
            *end = &one->bucket;
        }
    }
    symbols->buckets = new;
    symbols->bucket_count = count;
}

struct symbol *symbols_add(struct symbols *symbols, enum symbol_kind kind, const char *name,
                           size_t length)
{
    if (symbols->count >= symbols->bucket_count) rehash(symbols);
    struct symbol *one = arena_new(symbols->arena, sizeof *one);
    *one = (struct symbol){.name = name,
                           .length = (uint32_t)length,
                           .hash = hash_of(name, length),
                           .kind = (uint8_t)kind,
                           .depth = (uint16_t)symbols->depth};
    struct symbol **bucket = &symbols->buckets[one->hash & (symbols->bucket_count - 1)];
    one->bucket = *bucket;
    *bucket = one;
    one->scope = symbols->scopes[symbols->depth];
    symbols->scopes[symbols->depth] = one;
    symbols->count++;
    return one;
}
