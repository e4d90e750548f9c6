/*
 * access.h: what the files that access memory share: the addresses of a request, and moving a
 * request's bytes.
 */
#ifndef WARPUP_ACCESS_H
#define WARPUP_ACCESS_H

#include "gpu/warp/control.h"
#include "gpu/warp/trial.h"

/* Flags of an access, which access_select() puts into instruction->b. */
enum {
    ACCESS_VOLATILE = 1, /* volatile, relaxed or stronger */
    ACCESS_ACQUIRES = 2, /* a fence comes after it */
    ACCESS_RELEASES = 4, /* a fence comes before it */
    ACCESS_SIGNED = 8,   /* of a narrow load */
    ACCESS_DIRECT = 16,  /* lanes' bytes are side by side in the register as in a request's data */
    ACCESS_LOCAL_BASE = 32,     /* the address is that of a local variable */
    ACCESS_NARROW_ADDRESS = 64, /* of 4 bytes */
    ACCESS_REPEATS = 128        /* an access before it has the same base register: repeats.c */
};

/* The addresses of a request, by lane, offset included: in `room`, or where they are. */
const uint64_t *access_addresses(const struct warp *warp, const struct ptx_instruction *at,
                                 const struct ptx_operand *operand, uint64_t room[LANES]);

/* The addresses of an operand in shared memory, as offsets: generic ones, and those of 4 bytes. */
void shared_offsets(const struct warp *warp, const struct ptx_operand *operand,
                    uint64_t offset[LANES]);

/* Lanes whose generic address is in a window of 2^32 bytes; `offset` gets the addresses within. */
uint32_t lanes_in_window(uint64_t window, uint32_t mask, const uint64_t address[LANES],
                         uint64_t offset[LANES]);

/* Sets `same`, `next` and `consecutive` of a request. */
void find_runs(struct request *request);

/* Announces a request to memory/, which checks and counts it. Returns the lanes that do the access.
 */
static inline uint32_t announced(struct warp *warp, struct request *request, bool shared)
{
    int error = 0;
    find_runs(request);
    if (UNLIKELY(warp->block->run->launch->trial != NULL))
        return (shared ? trial_shared : trial_access)(warp, request);
    uint32_t lanes = shared ? watch_shared(warp->watched, request, &error)
                            : watch_global(warp->watched, request, &error);
    if (UNLIKELY(error != 0)) warp_fail(warp, error);
    return lanes;
}

/* How the base addresses of 32 lanes go on: all the same, each 4 more than the one before, or
 * otherwise. The warp remembers those of the last base registers. */
enum spread_kind { SPREAD_OTHER, SPREAD_SAME, SPREAD_WORDS };
enum spread_kind spread_of(struct warp *warp, const struct ptx_instruction *at,
                           const struct ptx_operand *operand);

/* Marks accesses whose base register has not changed since an access of the same lanes. */
void repeats_mark(const struct ptx_function *function);

/* Moves the bytes of these lanes of a request; `base` is the shared memory, or NULL. */
void load_bytes(const unsigned char *base, const struct request *request, uint32_t mask,
                unsigned char *data);
void store_bytes(unsigned char *base, const struct request *request, uint32_t mask,
                 const unsigned char *data);

/* Flags and the scope of fences of an access instruction. */
int access_flags(const struct ptx_instruction *at);
enum fence_scope access_scope(const struct ptx_instruction *at);

/* Local memory of a lane, at an offset that is a multiple of the size; NULL: outside, which has
 * been reported. */
uint32_t local_access(struct warp *warp, const struct ptx_instruction *at, bool store,
                      uint32_t mask, const uint64_t address[LANES], uint32_t bytes,
                      unsigned char *data);

#endif
