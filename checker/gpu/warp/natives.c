/*
 * natives.c: functions that kernels call, that are not PTX, and that need the system: vprintf,
 * assert, malloc and free, memcpy and memset. The heap is one variable of the GPU's memory, of
 * cudaLimitMallocHeapSize bytes. A kernel that calls malloc() runs its blocks in the fixed order,
 * so the addresses are the same in each run.
 */
#include "gpu/memory/memory.h"
#include "gpu/warp/access.h"
#include "gpu/warp/natives.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 1024 };

void (*warp_complain)(const char *text, size_t bytes);
uint64_t warp_heap_bytes = 8 << 20;

static uint64_t argument(const struct warp *warp, const struct ptx_instruction *at, uint32_t lane,
                         uint32_t number)
{
    uint64_t value = 0;
    if (number >= at->call->argument_count) return 0;
    uint32_t bytes = at->call->argument_bytes[number];
    memcpy(&value, native_argument(warp, at, lane, number), bytes < 8 ? bytes : 8);
    return value;
}

static void give_result(const struct warp *warp, const struct ptx_instruction *at, uint32_t lane,
                        uint64_t value)
{
    if (at->call->result_count == 0) return;
    uint32_t bytes = at->call->result_bytes[0];
    memcpy(native_result(warp, at, lane), &value, bytes < 8 ? bytes : 8);
}

/* ---- the heap ------------------------------------------------------------------------------- */

enum { ALIGNMENT = 16, BLOCK_GAP = 16 };

/* Blocks in the order of their addresses. */
struct heap_block {
    uint64_t at, bytes;
    struct heap_block *next;
};

static struct heap {
    pthread_mutex_t lock;
    uint64_t base, bytes;
    struct heap_block *first;
} heap = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool has_base(void)
{
    if (heap.base == 0) {
        heap.bytes = warp_heap_bytes;
        heap.base = (uint64_t)(uintptr_t)memory_variable(heap.bytes, 256);
    }
    return heap.base != 0;
}

/* The first gap that is large enough. */
static uint64_t take_first(uint64_t bytes)
{
    uint64_t at = heap.base;
    struct heap_block **link = &heap.first;
    while (*link != NULL && (*link)->at - at < bytes + BLOCK_GAP) {
        at = (*link)->at + (*link)->bytes + BLOCK_GAP;
        at = (at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        link = &(*link)->next;
    }
    if (at + bytes > heap.base + heap.bytes) return 0;
    struct heap_block *block = malloc(sizeof *block);
    if (block == NULL) return 0;
    *block = (struct heap_block){at, bytes, *link};
    *link = block;
    return at;
}

static uint64_t heap_take(uint64_t bytes)
{
    pthread_mutex_lock(&heap.lock);
    uint64_t at = bytes > 0 && bytes < UINT64_MAX / 2 && has_base() ? take_first(bytes) : 0;
    if (at != 0) memory_renew((const void *)(uintptr_t)at, bytes);
    pthread_mutex_unlock(&heap.lock);
    return at;
}

static bool heap_give(uint64_t address)
{
    bool found = false;
    pthread_mutex_lock(&heap.lock);
    for (struct heap_block **link = &heap.first; *link != NULL && !found; link = &(*link)->next) {
        struct heap_block *block = *link;
        if (block->at != address) continue;
        *link = block->next;
        free(block);
        found = true;
        break;
    }
    pthread_mutex_unlock(&heap.lock);
    return found;
}

/* ---- functions ------------------------------------------------------------------------------ */

static void vprintf_native(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    EACH_LANE (lane, mask) {
        char format[4 * TEXT_MAX];
        int printed = -1;
        if (peek_text(warp, lane, argument(warp, at, lane, 0), format, sizeof format))
            printed = print_formatted(warp, lane, format, argument(warp, at, lane, 1));
        give_result(warp, at, lane, (uint64_t)printed);
    }
}

static void assertion_failed(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    uint32_t lane = (uint32_t)__builtin_ctz(mask), thread[3];
    const uint32_t *block = warp->block->at;
    char expression[TEXT_MAX] = "", file[TEXT_MAX] = "", function[TEXT_MAX] = "";
    peek_text(warp, lane, argument(warp, at, lane, 0), expression, sizeof expression);
    peek_text(warp, lane, argument(warp, at, lane, 1), file, sizeof file);
    peek_text(warp, lane, argument(warp, at, lane, 3), function, sizeof function);
    thread_at(warp, lane, thread);
    char text[4 * TEXT_MAX];
    int length = snprintf(text, sizeof text,
                          "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` "
                          "failed.\n",
                          file, (unsigned)argument(warp, at, lane, 2), function, block[0], block[1],
                          block[2], thread[0], thread[1], thread[2], expression);
    if (length >= (int)sizeof text) length = sizeof text - 1;
    if (warp_complain != NULL)
        warp_complain(text, (size_t)length);
    else if (write(STDERR_FILENO, text, (size_t)length) < 0)
        length = 0;
    snprintf(text, sizeof text, "assert(%.200s) is false", expression);
    warp_fault(warp, at, lane, "assert-failed", text);
    warp_fail(warp, LAUNCH_ASSERT);
}

static void malloc_native(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    EACH_LANE (lane, mask)
        give_result(warp, at, lane, heap_take(argument(warp, at, lane, 0)));
}

static void free_native(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    EACH_LANE (lane, mask) {
        uint64_t address = argument(warp, at, lane, 0);
        if (address == 0 || heap_give(address)) continue;
        warp_fault(warp, at, lane, "bad-free",
                   "free() in a kernel of what malloc() did not return");
        warp_fail(warp, LAUNCH_FAILED);
        return;
    }
}

/* memcpy and memset, byte by byte: one request for each. */
static void copy_bytes(struct warp *warp, const struct ptx_instruction *at, uint32_t mask,
                       const uint64_t to[LANES], const uint64_t from[LANES], const uint8_t *value,
                       const uint64_t bytes[LANES])
{
    uint64_t target[LANES], source[LANES];
    unsigned char data[LANES];
    for (uint64_t i = 0; !warp->control->stop; i++) {
        uint32_t lanes = 0;
        EACH_LANE (lane, mask) {
            if (i >= bytes[lane]) continue;
            lanes |= 1u << lane;
            target[lane] = to[lane] + i;
            source[lane] = from[lane] + i;
        }
        if (lanes == 0) return;
        if (value != NULL)
            memcpy(data, value, sizeof data);
        else
            access_values(warp, at, false, SPACE_GENERIC, lanes, source, 1, data);
        if (!warp->control->stop)
            access_values(warp, at, true, SPACE_GENERIC, lanes, target, 1, data);
    }
}

static void memory_native(struct warp *warp, const struct ptx_instruction *at, uint32_t mask,
                          bool sets)
{
    uint64_t to[LANES], from[LANES], bytes[LANES];
    uint8_t value[LANES];
    EACH_LANE (lane, mask) {
        to[lane] = argument(warp, at, lane, 0);
        from[lane] = argument(warp, at, lane, 1);
        value[lane] = (uint8_t)from[lane];
        bytes[lane] = argument(warp, at, lane, 2);
        give_result(warp, at, lane, to[lane]);
    }
    copy_bytes(warp, at, mask, to, from, sets ? value : NULL, bytes);
}

#define MEMORY_NATIVE(name, sets)                                                                  \
    static void name(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)           \
    {                                                                                              \
        memory_native(warp, at, mask, sets);                                                       \
    }
MEMORY_NATIVE(memcpy_native, false)
MEMORY_NATIVE(memset_native, true)

static void grid_is_cooperative(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    EACH_LANE (lane, mask)
        give_result(warp, at, lane, warp->block->run->launch->cooperative);
}

NATIVE_ROW(vprintf, vprintf_native)
NATIVE_ROW(__assertfail, assertion_failed)
NATIVE_ROW(malloc, malloc_native)
NATIVE_ROW(_Znwm, malloc_native)
NATIVE_ROW(_Znam, malloc_native)
NATIVE_ROW(free, free_native)
NATIVE_ROW(_ZdlPv, free_native)
NATIVE_ROW(_ZdaPv, free_native)
NATIVE_ROW(_ZdlPvm, free_native)
NATIVE_ROW(_ZdaPvm, free_native)
NATIVE_ROW(memcpy, memcpy_native)
NATIVE_ROW(memmove, memcpy_native)
NATIVE_ROW(memset, memset_native)
NATIVE_ROW(__warpup_grid_is_cooperative, grid_is_cooperative)

ptx_execute *native_named(const char *name)
{
    extern const struct native __start_natives[], __stop_natives[];
    for (const struct native *one = __start_natives; one < __stop_natives; one++)
        if (strcmp(one->name, name) == 0) return one->execute;
    return NULL;
}
