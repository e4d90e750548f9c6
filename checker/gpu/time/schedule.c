/* schedule.c: see schedule.h. All blocks of an SM are taken to progress at one speed. */
#include "gpu/time/schedule.h"

#include <stdlib.h>

/* A block that runs: when it ends, and where. */
struct running {
    double end;
    uint32_t block, sm;
};

/* The earliest end comes first; of several, that of the block that began first. */
static int is_before(const struct running *a, const struct running *b)
{
    return a->end < b->end || (a->end == b->end && a->block < b->block);
}

static void sink(struct running *heap, uint32_t count)
{
    uint32_t at = 0;
    struct running moved = heap[0];
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= count) break;
        if (child + 1 < count && is_before(&heap[child + 1], &heap[child])) child++;
        if (!is_before(&heap[child], &moved)) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

static void rise(struct running *heap, uint32_t at)
{
    struct running moved = heap[at];
    for (; at > 0 && is_before(&moved, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = moved;
}

static void location_blocks(const uint32_t *work, uint32_t blocks, uint32_t sms, uint32_t slots,
                            struct running *heap, double *sum)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        if (count < slots) {
            heap[count] = (struct running){.end = work[i], .block = i, .sm = i % sms};
            sum[i % sms] += work[i];
            rise(heap, count++);
        } else {
            sum[heap[0].sm] += work[i];
            heap[0].end += work[i];
            heap[0].block = i;
            sink(heap, count);
        }
    }
}

double schedule_imbalance(const uint32_t *work, uint32_t blocks, uint32_t sms, uint32_t held)
{
    uint32_t slots = sms * held, active = blocks < sms ? blocks : sms;
    double *sum = calloc(sms, sizeof *sum), most = 0, all = 0;
    struct running *heap = calloc(slots > 0 ? slots : 1, sizeof *heap);
    if (sum != NULL && heap != NULL && slots > 0) {
        location_blocks(work, blocks, sms, slots, heap, sum);
        for (uint32_t i = 0; i < sms; i++) {
            all += sum[i];
            if (sum[i] > most) most = sum[i];
        }
    }
    free(sum);
    free(heap);
    return all > 0 ? most * active / all : 1;
}
