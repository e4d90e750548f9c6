/*
 * repeat.c: see repeat.h. A checksum of the device memory that the launches use shows whether
 * something has changed.
 */
#include "gpu/runtime/repeat.h"

#include "gpu/memory/footprint.h"
#include "gpu/server/call.h"
#include "trace/trace.h"

#include <string.h>

enum { PARAMETERS_MAX = 4096, KERNELS_MAX = 64 };

static struct {
    struct launch launch; /* the last one; its kernel is NULL if it cannot be compared */
    unsigned char parameters[PARAMETERS_MAX];
    struct tally tally; /* of the launch that ran last */
    bool again;         /* the launch that runs is the same as the one before it */
    bool idempotent;    /* it left memory as it was: `sum` */
    uint64_t sum;
    uint64_t first; /* the first of the same launches, one after the other */
    bool printed;
} last;

/* The latest kernels that ran, at the number of each modulo KERNELS_MAX, and the latest launches
 * that repeat them. */
static struct {
    uint64_t ran, latest;
} kernels[KERNELS_MAX];
static uint64_t ran_count;

uint64_t repeat_ran(void)
{
    return kernels[(ran_count - 1) % KERNELS_MAX].ran;
}

uint64_t repeat_latest(uint64_t ran)
{
    for (int i = 0; i < KERNELS_MAX; i++)
        if (kernels[i].ran == ran) return kernels[i].latest;
    return ran;
}

/* Notes that the kernel of this launch is going to run. */
static void note_run(uint64_t launch)
{
    kernels[ran_count % KERNELS_MAX].ran = kernels[ran_count % KERNELS_MAX].latest = launch;
    ran_count++;
}

void repeat_print(const char *text, size_t bytes)
{
    last.printed = true;
    call_print(text, bytes);
}

/* Four sums side by side, so that they do not wait for each other. */
struct sum {
    uint64_t part[4];
};

static uint64_t mix(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 29;
}

static void sum_bytes(void *data, const char *bytes, size_t count)
{
    struct sum *sum = data;
    uint64_t words[4];
    sum->part[0] = mix(sum->part[0], (uint64_t)(uintptr_t)bytes);
    for (; count >= sizeof words; count -= sizeof words, bytes += sizeof words) {
        memcpy(words, bytes, sizeof words);
        for (int i = 0; i < 4; i++)
            sum->part[i] = mix(sum->part[i], words[i]);
    }
    memset(words, 0, sizeof words);
    memcpy(words, bytes, count);
    for (int i = 0; i < 4; i++)
        sum->part[i] = mix(sum->part[i], words[i] + count);
}

/* Computes the checksum of the memory that the same launches have used, and of all variables. A
 * launch that uses more than those before it changes the sum. False where the host may change what
 * kernels use without a call. */
static bool sum_memory(uint64_t *whole)
{
    struct sum sum = {{1, 2, 3, 4}};
    char *variable;
    size_t bytes, index = 0;
    EACH_ALLOCATION (one) {
        if (one->space != SPACE_DEVICE) return false;
        sum.part[0] = mix(sum.part[0], one->id);
        footprint_parts(one, last.first, sum_bytes, &sum);
    }
    while (memory_next_variable(&index, &variable, &bytes))
        sum_bytes(&sum, variable, bytes);
    *whole = mix(mix(mix(sum.part[0], sum.part[1]), sum.part[2]), sum.part[3]);
    return true;
}

static bool is_same(const struct launch *launch)
{
    const struct launch *before = &last.launch;
    return before->kernel == launch->kernel &&
           memcmp(before->grid, launch->grid, sizeof launch->grid) == 0 &&
           memcmp(before->block, launch->block, sizeof launch->block) == 0 &&
           memcmp(before->cluster, launch->cluster, sizeof launch->cluster) == 0 &&
           before->dynamic_shared == launch->dynamic_shared &&
           before->cooperative == launch->cooperative &&
           memcmp(last.parameters, launch->parameters, launch->kernel->param_bytes) == 0;
}

bool repeat_take(const struct launch *launch, struct tally **tally)
{
    uint64_t sum = 0;
    bool fits = launch->kernel->param_bytes <= PARAMETERS_MAX && trace_is_open();
    *tally = &last.tally;
    bool same = fits && is_same(launch);
    if (!same) last.first = launch->id;
    last.again = same && sum_memory(&sum);
    if (last.again && last.idempotent && sum == last.sum) {
        kernels[(ran_count - 1) % KERNELS_MAX].latest = launch->id;
        return true;
    }
    note_run(launch->id);
    last.idempotent = false;
    last.sum = sum;
    last.launch = *launch;
    if (!fits) last.launch.kernel = NULL;
    if (fits && launch->kernel->param_bytes > 0)
        memcpy(last.parameters, launch->parameters, launch->kernel->param_bytes);
    last.printed = false;
    tally_free(&last.tally);
    return false;
}

void repeat_learn(bool succeeded)
{
    uint64_t sum;
    if (!last.again || !succeeded || last.printed) return;
    last.idempotent = sum_memory(&sum) && sum == last.sum;
}
