/*
 * bench.c: launches a kernel of a PTX file and prints what it took: bench FILE KERNEL GRID BLOCK
 * ARGUMENT…, with grid and block as X,Y,Z. An argument is a number (i:5, l:5, f:1.5, d:1.5) or a
 * buffer of so many bytes, filled with small floats (b:BYTES). SHARED=n gives dynamic shared
 * memory, REPEAT=n launches n times, PRINT=n prints n floats of the last buffer.
 */
#define _GNU_SOURCE
#include "gpu/memory/memory.h"
#include "gpu/warp/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char *read_file(const char *name, size_t *bytes)
{
    FILE *file = fopen(name, "r");
    if (file == NULL) exit(2);
    fseek(file, 0, SEEK_END);
    *bytes = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*bytes + 1);
    *bytes = fread(text, 1, *bytes, file);
    text[*bytes] = '\0';
    fclose(file);
    return text;
}

static void dims(const char *text, uint32_t to[3])
{
    to[0] = to[1] = to[2] = 1;
    sscanf(text, "%u,%u,%u", &to[0], &to[1], &to[2]);
}

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void print_text(const char *text, size_t bytes)
{
    fwrite(text, 1, bytes, stdout);
}

int main(int argc, char *argv[])
{
    if (argc < 5 || !memory_reserve(UINT64_C(0x0a0000000000), UINT64_C(16) << 30)) return 2;
    memory_limit(UINT64_C(8) << 30);
    warp_print = print_text;
    size_t bytes;
    char *text = read_file(argv[1], &bytes);
    struct ptx_module *module = ptx_read(text, bytes);
    module_prepare(module);
    for (uint32_t i = 0; i < module->error_count; i++)
        printf("line %u: %s\n", module->errors[i].text_line, module->errors[i].text);
    for (uint32_t i = 0; i < module->variable_count; i++) {
        struct ptx_variable *one = module->variables[i];
        if (one->space != SPACE_GLOBAL && one->space != SPACE_CONST) continue;
        char *at = memory_variable(one->bytes > 0 ? one->bytes : 1, one->align);
        if (one->initial != NULL) memcpy(at, one->initial, one->bytes);
        one->address = (uint64_t)(uintptr_t)at;
    }
    ptx_set_addresses(module);
    struct ptx_function *kernel = NULL;
    for (uint32_t i = 0; i < module->function_count; i++)
        if (module->functions[i]->entry && strstr(module->functions[i]->name, argv[2]) != NULL)
            kernel = module->functions[i];
    if (kernel == NULL) return 2;
    struct launch launch = {.id = 1, .kernel = kernel, .blocks_per_sm = 8, .sms = 132};
    unsigned char parameters[4096] = {0};
    float *last = NULL;
    launch.parameters = parameters;
    dims(argv[3], launch.grid);
    dims(argv[4], launch.block);
    dims("1", launch.cluster);
    if (getenv("SHARED") != NULL) launch.dynamic_shared = (uint32_t)atoi(getenv("SHARED"));
    for (int i = 5; i < argc; i++) {
        unsigned char *at = parameters + kernel->params[i - 5].at;
        long number = atol(argv[i] + 2);
        float f = (float)atof(argv[i] + 2);
        double d = atof(argv[i] + 2);
        if (argv[i][0] == 'i') memcpy(at, &(int){(int)number}, 4);
        if (argv[i][0] == 'l') memcpy(at, &number, 8);
        if (argv[i][0] == 'f') memcpy(at, &f, 4);
        if (argv[i][0] == 'd') memcpy(at, &d, 8);
        if (argv[i][0] == 'b') {
            last = (float *)(void *)memory_allocate(SPACE_DEVICE, (size_t)number, NULL, 0)->base;
            for (long k = 0; k < number / 4; k++)
                last[k] = (float)(k % 7);
            memory_written(last, (size_t)number);
            memcpy(at, &last, 8);
        }
    }
    int repeat = getenv("REPEAT") != NULL ? atoi(getenv("REPEAT")) : 1;
    for (int i = 0; i < repeat; i++) {
        struct tally tally;
        double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
        int error = launch_run(&launch, &tally);
        wall = seconds(CLOCK_MONOTONIC) - wall;
        cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        double each = 1e9 * cpu / (double)(tally.warp_instructions + 1);
        printf("error %d, %llu warp instructions, %.3f s wall, %.3f s cpu, %.1f ns each, %llu load "
               "sectors\n",
               error, (unsigned long long)tally.warp_instructions, wall, cpu, each,
               (unsigned long long)tally.global[CLASS_LOAD].sectors);
        tally_free(&tally);
    }
    int print = getenv("PRINT") != NULL ? atoi(getenv("PRINT")) : 0;
    for (int i = 0; i < print && last != NULL; i++)
        printf("%g%c", (double)last[i], i + 1 < print ? ' ' : '\n');
    ptx_free(module);
    return 0;
}
