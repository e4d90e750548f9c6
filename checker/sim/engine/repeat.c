/* repeat.c: see repeat.h. A checksum of all device memory shows whether something has changed. */
#include "sim/engine/repeat.h"

#include "sim/gpu/memory.h"
#include "sim/image/program.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>

enum { ARGUMENT_MAX = 1024 };

static struct {
    struct kernel_launch launch; /* the last one, with its argument */
    unsigned char argument[ARGUMENT_MAX];
    size_t argument_bytes;
    struct kernel_outcome outcome;
    bool again;      /* the launch that runs is the same as the one before it */
    bool idempotent; /* it left memory as it was: `sum` */
    uint64_t sum;
    size_t printed; /* bytes that wait to be written, when the launch began */
} last;

static uint64_t mix(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 29;
}

static uint64_t sum_bytes(uint64_t sum, const void *bytes, size_t count)
{
    uint64_t word;
    for (; count >= sizeof word; count -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        sum = mix(sum, word);
        bytes = (const char *)bytes + sizeof word;
    }
    word = count;
    memcpy(&word, bytes, count);
    return mix(sum, word);
}

/* Of all device memory and device variables; false where the host may change what kernels use
 * without a call. */
static bool sum_memory(uint64_t *sum)
{
    char *section;
    size_t bytes, index = 0;
    *sum = 0;
    EACH_ALLOCATION (one) {
        if (one->space != SPACE_DEVICE) return false;
        *sum = sum_bytes(mix(*sum, one->id), one->base, one->bytes);
    }
    while (program_next_variables(&index, &section, &bytes))
        *sum = sum_bytes(*sum, section, bytes);
    return true;
}

static bool is_same(const struct kernel_launch *launch, size_t argument_bytes)
{
    const struct kernel_launch *before = &last.launch;
    return before->thread == launch->thread && last.argument_bytes == argument_bytes &&
           memcmp(before->grid, launch->grid, sizeof launch->grid) == 0 &&
           memcmp(before->block, launch->block, sizeof launch->block) == 0 &&
           before->dynamic_shared == launch->dynamic_shared &&
           before->cooperative == launch->cooperative &&
           memcmp(last.argument, launch->argument, argument_bytes) == 0;
}

bool repeat_take(const struct kernel_launch *launch, size_t argument_bytes,
                 struct kernel_outcome *outcome)
{
    uint64_t sum = 0;
    bool fits = argument_bytes <= ARGUMENT_MAX && trace_is_open();
    last.again = fits && is_same(launch, argument_bytes) && sum_memory(&sum);
    if (last.again && last.idempotent && sum == last.sum) {
        *outcome = last.outcome;
        outcome->repeats = true;
        engine_repeat(launch);
        return true;
    }
    last.idempotent = false;
    last.sum = sum;
    last.launch = *launch;
    last.argument_bytes = fits ? argument_bytes : SIZE_MAX;
    if (fits) memcpy(last.argument, launch->argument, argument_bytes);
    last.printed = __fpending(stdout);
    return false;
}

void repeat_learn(const struct kernel_outcome *outcome)
{
    uint64_t sum;
    if (!last.again || outcome->error != 0 || __fpending(stdout) != last.printed) return;
    last.idempotent = sum_memory(&sum) && sum == last.sum;
    last.outcome = *outcome;
}
