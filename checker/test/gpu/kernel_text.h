/*
 * kernel_text.h: launches kernels of PTX texts in unit tests: reads, places and runs them with some
 * buffers.
 */
#define _GNU_SOURCE
#include "gpu/memory/fault.h"
#include "gpu/memory/memory.h"
#include "gpu/warp/launch.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD ".version 7.8\n.target sm_90\n.address_size 64\n"

static char printed[1 << 16];
static int passed;

static void keep_print(const char *text, size_t bytes)
{
    size_t length = strlen(printed);
    if (length + bytes < sizeof printed) memcpy(printed + length, text, bytes);
    printed[length + bytes] = '\0';
}

static void begin_tests(void)
{
    if (!memory_reserve(UINT64_C(0x0a0000000000), UINT64_C(1) << 30) &&
        !memory_reserve(UINT64_C(0x200000000000), UINT64_C(1) << 30)) /* with a sanitizer */
        exit(2);
    memory_limit(UINT64_C(1) << 28);
    warp_print = keep_print;
}

/* A module of a text; its kernels are ready to run. */
static struct ptx_module *module_of(const char *text)
{
    struct ptx_module *module = ptx_read(text, strlen(text));
    module_prepare(module);
    for (uint32_t i = 0; i < module->error_count; i++)
        fprintf(stderr, "line %u: %s\n", module->errors[i].text_line, module->errors[i].text);
    assert(module->error_count == 0);
    for (uint32_t i = 0; i < module->variable_count; i++) {
        struct ptx_variable *one = module->variables[i];
        if (one->space != SPACE_GLOBAL && one->space != SPACE_CONST) continue;
        char *at = memory_variable(one->bytes, one->align);
        if (one->initial != NULL) memcpy(at, one->initial, one->bytes);
        one->address = (uint64_t)(uintptr_t)at;
    }
    ptx_set_addresses(module);
    return module;
}

static void *buffer(size_t bytes)
{
    void *at = memory_allocate(SPACE_DEVICE, bytes, "test", 1)->base;
    memset(at, 0, bytes);
    memory_written(at, bytes);
    return at;
}

struct launched {
    int error;
    struct tally tally;
};

/* Runs the kernel `k` with pointers as its parameters. */
static struct launched launch_kernel(struct ptx_module *module, uint32_t grid, uint32_t block,
                                     uint32_t workers, bool cooperative, void *a, void *b)
{
    static uint64_t id;
    unsigned char parameters[64];
    memcpy(parameters, &a, 8);
    memcpy(parameters + 8, &b, 8);
    struct launch launch = {.id = ++id,
                            .kernel = ptx_function(module, "k"),
                            .grid = {grid, 1, 1},
                            .block = {block, 1, 1},
                            .cluster = {1, 1, 1},
                            .cooperative = cooperative,
                            .parameters = parameters,
                            .blocks_per_sm = 2,
                            .sms = 8,
                            .workers = workers};
    struct launched done;
    done.error = launch_run(&launch, &done.tally);
    return done;
}

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            exit(1);                                                                               \
        }                                                                                          \
        passed++;                                                                                  \
    } while (0)
