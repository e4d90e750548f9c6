/*
 * move.c: the bytes of a request, between memory and `data`, where lanes' bytes are side by side.
 * Most requests have runs of lanes with neighbouring addresses, or with one address: a few vector
 * instructions find these, and one copy moves them.
 */
#include "gpu/warp/access.h"

#include <string.h>

#ifdef __AVX2__
#    include <immintrin.h>

/* The lower, and the upper 32 bits of eight addresses. */
static inline void halves(const uint64_t *address, __m256i *low, __m256i *high)
{
    __m256 a = _mm256_loadu_ps((const float *)(const void *)address);
    __m256 b = _mm256_loadu_ps((const float *)(const void *)(address + 4));
    __m256i l = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88));
    __m256i h = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd));
    *low = _mm256_permute4x64_epi64(l, 0xd8);
    *high = h; /* in another order: they only have to be alike */
}

/* Bit l: address[l] - address[l - 1] is 0, or `step`. Lane 0 has none before it. False: the upper
 * halves differ, and these are the lower halves' bits. */
static bool compare_low(const uint64_t *address, uint64_t step, uint32_t *same, uint32_t *next)
{
    const __m256i turn = _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6);
    const __m256i upper = _mm256_set1_epi32((int)(address[0] >> 32));
    __m256i steps = _mm256_set1_epi32((int)step), before = _mm256_setzero_si256();
    __m256i differs = _mm256_setzero_si256();
    uint32_t equal = 0, neighbours = 0;
    for (int i = 0; i < LANES; i += 8) {
        __m256i here, high;
        halves(address + i, &here, &high);
        differs = _mm256_or_si256(differs, _mm256_xor_si256(high, upper));
        __m256i turned = _mm256_permutevar8x32_epi32(here, turn);
        __m256i shifted = _mm256_blend_epi32(turned, before, 1);
        before = turned;
        __m256i is_equal = _mm256_cmpeq_epi32(here, shifted);
        __m256i is_next = _mm256_cmpeq_epi32(here, _mm256_add_epi32(shifted, steps));
        equal |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(is_equal)) << i;
        neighbours |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(is_next)) << i;
    }
    *same = equal & ~1u;
    *next = neighbours & ~1u;
    return _mm256_testz_si256(differs, differs);
}

static inline void compare(const uint64_t *address, uint64_t step, uint32_t *same, uint32_t *next)
{
    if (compare_low(address, step, same, next)) return;
    uint32_t wrong = 0;
    for (int lane = 1; lane < LANES; lane++) {
        uint64_t by = address[lane] - address[lane - 1];
        wrong |= (uint32_t)(by != 0 && by != step) << lane;
    }
    *same &= ~wrong;
    *next &= ~wrong;
}
#else
static void compare(const uint64_t *address, uint64_t step, uint32_t *same, uint32_t *next)
{
    uint32_t equal = 0, neighbours = 0;
    for (int lane = 1; lane < LANES; lane++) {
        equal |= (uint32_t)(address[lane] == address[lane - 1]) << lane;
        neighbours |= (uint32_t)(address[lane] - address[lane - 1] == step) << lane;
    }
    *same = equal;
    *next = neighbours;
}
#endif

void find_runs(struct request *request)
{
    uint32_t both = request->mask & request->mask << 1;
    compare(request->address, request->bytes, &request->same, &request->next);
    request->same &= both;
    request->next &= both;
    request->consecutive = request->next == ~1u;
}

/* Eight lanes of 4 bytes, or four of 8. `same` and `next` are those of all but the first of them.
 */
#define ALIGNED(T, lanes)                                                                          \
    static inline void load_lanes_##lanes(const unsigned char *base, const uint64_t *address,      \
                                          uint32_t same, uint32_t next, unsigned char *data)       \
    {                                                                                              \
        const uint32_t rest = (1u << (lanes)) - 2;                                                 \
        if ((next & rest) == rest) {                                                               \
            memcpy(data, base + address[0], sizeof(T) * (lanes));                                  \
            return;                                                                                \
        }                                                                                          \
        T values[lanes];                                                                           \
        if ((same & rest) == rest) {                                                               \
            T value;                                                                               \
            memcpy(&value, base + address[0], sizeof value);                                       \
            for (int i = 0; i < (lanes); i++)                                                      \
                values[i] = value;                                                                 \
        } else                                                                                     \
            for (int i = 0; i < (lanes); i++)                                                      \
                memcpy(&values[i], base + address[i], sizeof(T));                                  \
        memcpy(data, values, sizeof values);                                                       \
    }                                                                                              \
    static inline void store_lanes_##lanes(unsigned char *base, const uint64_t *address,           \
                                           uint32_t next, const unsigned char *data)               \
    {                                                                                              \
        const uint32_t rest = (1u << (lanes)) - 2;                                                 \
        if ((next & rest) == rest) {                                                               \
            memcpy(base + address[0], data, sizeof(T) * (lanes));                                  \
            return;                                                                                \
        }                                                                                          \
        for (int i = 0; i < (lanes); i++)                                                          \
            memcpy(base + address[i], data + sizeof(T) * (size_t)i, sizeof(T));                    \
    }
ALIGNED(uint32_t, 8)
ALIGNED(uint64_t, 4)

/* Lane by lane; the size is a constant of the compiler's. */
#define EACH_SIZE(move)                                                                            \
    switch (request->bytes) {                                                                      \
    case 1: move(1); return;                                                                       \
    case 2: move(2); return;                                                                       \
    case 4: move(4); return;                                                                       \
    case 8: move(8); return;                                                                       \
    case 16: move(16); return;                                                                     \
    case 32: move(32); return;                                                                     \
    }
#define LOAD(size)                                                                                 \
    EACH_LANE (lane, mask)                                                                         \
    memcpy(data + (size_t)lane * (size), base + address[lane], size)
#define STORE(size)                                                                                \
    EACH_LANE (lane, mask)                                                                         \
    memcpy(base + address[lane], data + (size_t)lane * (size), size)

void load_bytes(const unsigned char *base, const struct request *request, uint32_t mask,
                unsigned char *data)
{
    const uint64_t *address = request->address;
    if (mask == FULL_MASK && request->bytes == 4) {
        for (int i = 0; i < LANES; i += 8)
            load_lanes_8(base, address + i, request->same >> i, request->next >> i, data + 4 * i);
        return;
    }
    if (mask == FULL_MASK && request->bytes == 8) {
        for (int i = 0; i < LANES; i += 4)
            load_lanes_4(base, address + i, request->same >> i, request->next >> i, data + 8 * i);
        return;
    }
    EACH_SIZE(LOAD)
}

void store_bytes(unsigned char *base, const struct request *request, uint32_t mask,
                 const unsigned char *data)
{
    const uint64_t *address = request->address;
    if (mask == FULL_MASK && request->bytes == 4) {
        for (int i = 0; i < LANES; i += 8)
            store_lanes_8(base, address + i, request->next >> i, data + 4 * i);
        return;
    }
    if (mask == FULL_MASK && request->bytes == 8) {
        for (int i = 0; i < LANES; i += 4)
            store_lanes_4(base, address + i, request->next >> i, data + 8 * i);
        return;
    }
    EACH_SIZE(STORE)
}
