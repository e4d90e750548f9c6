/*
 * calls.c: calls of functions. An activation has registers of its own, the bytes of its parameters
 * and of its calls', and a part of each thread's local memory. Lanes that call a function at
 * different times have an activation each; they meet again after the call.
 */
#include "gpu/warp/control.h"

#include <stdlib.h>
#include <string.h>

enum {
    CALL_STACK_BYTES = 48, /* what a call keeps on a GPU's stack beside local variables, about */
    LOWEST_POINTER = 4096  /* smaller ones are null pointers, and what is near them */
};

uint64_t warp_stack_bytes = 1024;

static size_t rounded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* An activation's memory is one piece: itself, its registers, its call area. Those of a function
 * that have ended serve again. */
struct activation *activation_make(struct warp *warp, const struct ptx_function *function)
{
    struct activation **spare = &warp->worker->spare[function->index], *made = *spare;
    if (made != NULL) {
        *spare = made->next;
        return made;
    }
    size_t head = rounded(sizeof *made), frame = rounded(function->frame_bytes) + 64;
    size_t area = rounded((size_t)function->call_bytes * LANES) + 64;
    unsigned char *memory = obtain_aligned(head + frame + area);
    memset(memory, 0xfe, head + frame + area);
    made = (struct activation *)memory;
    *made = (struct activation){
        .function = function, .frame = memory + head, .call_area = memory + head + frame};
    return made;
}

static void release(struct warp *warp, struct activation *activation)
{
    if (activation->caller == NULL) return; /* the kernel's belongs to its warp */
    struct activation **spare = &warp->worker->spare[activation->function->index];
    activation->next = *spare;
    *spare = activation;
}

/* Notes that lanes have ended, in this activation and its callers. Activations without lanes serve
 * again. */
void activation_leave(struct warp *warp, struct activation *activation, uint32_t lanes)
{
    while (activation != NULL) {
        struct activation *caller = activation->caller;
        activation->inside &= ~lanes;
        if (activation->inside == 0) release(warp, activation);
        if (lanes == 0) return;
        activation = caller;
    }
}

void activations_free(struct worker *worker)
{
    if (worker->spare == NULL) return;
    for (uint32_t i = 0; i < worker->run->module->function_count; i++)
        while (worker->spare[i] != NULL) {
            struct activation *one = worker->spare[i];
            worker->spare[i] = one->next;
            free(one);
        }
    free(worker->spare);
    worker->spare = NULL;
}

/* ---- local memory --------------------------------------------------------------------------- */

/* Gives each lane at least this much local memory; what is there stays. */
static void grow_local(struct warp *warp, uint32_t bytes)
{
    struct control *control = warp->control;
    if (bytes <= control->local_bytes) return;
    uint32_t room = 2 * control->local_bytes > bytes ? 2 * control->local_bytes : bytes;
    room = (room + 255) / 256 * 256;
    unsigned char *grown = obtain_aligned((size_t)room * LANES);
    size_t old = (size_t)control->local_bytes * LANES;
    if (old > 0) memcpy(grown, control->local, old);
    memset(grown + old, 0xfe, (size_t)room * LANES - old);
    free(control->local);
    control->local = grown;
    control->local_bytes = room;
}

/* The activation's local memory is there, with bytes that stand out where nothing sets them. */
void local_begin(struct warp *warp, const struct activation *activation, uint32_t lanes)
{
    uint32_t first = activation->local, bytes = (activation->function->local_bytes + 3) / 4 * 4;
    if (bytes == 0) return;
    grow_local(warp, first + bytes);
    uint32_t *words = (uint32_t *)(void *)warp->control->local + (size_t)first / 4 * LANES;
    if (lanes == FULL_MASK) {
        memset(words, 0xfe, (size_t)bytes * LANES);
        return;
    }
    for (uint32_t word = 0; word < bytes / 4; word++)
        EACH_LANE (lane, lanes)
            words[word * LANES + lane] = 0xfefefefe;
}

/* ---- calls ---------------------------------------------------------------------------------- */

const struct ptx_function *function_at(const struct ptx_module *module, uint64_t address)
{
    uint64_t index = (address - FUNCTION_WINDOW) / 16 - 1;
    if (address < FUNCTION_WINDOW + 16 || address % 16 != 0 || index >= module->function_count)
        return NULL;
    return module->functions[index];
}

/* Copies parameters between the areas of a call's caller and its callee: those of the callee are at
 * `params`, those of the caller at `at`. */
static void copy_params(const struct activation *caller, const struct activation *callee,
                        uint32_t lanes, bool back, const struct ptx_param *params,
                        const uint32_t *at, const uint32_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        EACH_LANE (lane, lanes) {
            unsigned char *theirs =
                callee->call_area + (size_t)lane * callee->function->call_bytes + params[i].at;
            unsigned char *own =
                caller->call_area + (size_t)lane * caller->function->call_bytes + at[i];
            memcpy(back ? own : theirs, back ? theirs : own,
                   params[i].bytes < bytes[i] ? params[i].bytes : bytes[i]);
        }
}

void return_results(struct activation *callee, uint32_t lanes)
{
    const struct ptx_function *function = callee->function;
    const struct ptx_call *call = callee->call->call;
    copy_params(
        callee->caller, callee, lanes, true, function->results, call->result, call->result_bytes,
        call->result_count < function->result_count ? call->result_count : function->result_count);
}

/* Lanes call through a pointer that is not one of the GPU's functions: a fault. */
void refuse_call(struct warp *warp, const struct ptx_instruction *call, uint32_t lanes,
                 uint64_t pointer)
{
    uint32_t first = (uint32_t)__builtin_ctz(lanes);
    if (pointer < LOWEST_POINTER)
        warp_fault(warp, call, first, "null-pointer",
                   "it calls a function through a pointer that points to none");
    else
        warp_fault(warp, call, first, "host-pointer-in-kernel",
                   "it calls a function through a pointer that does not point to one of the GPU's");
    warp_fail(warp, LAUNCH_ILLEGAL_ADDRESS);
}

/* Lanes call a function: *entered is its activation, or that of the caller where a function that is
 * not PTX has run. False: the kernel ends by a fault. */
bool call_function(struct warp *warp, const struct ptx_instruction *call,
                   const struct ptx_function *callee, struct activation *caller, uint32_t lanes,
                   struct activation **entered)
{
    uint32_t first = (uint32_t)__builtin_ctz(lanes);
    *entered = caller;
    if (!callee->defined && callee->native == NULL) {
        refuse_call(warp, call, lanes, 0);
        return false;
    }
    if (!callee->defined) {
        callee->native(warp, call, lanes);
        return !warp->control->stop;
    }
    uint32_t stack = caller->stack + callee->local_bytes + CALL_STACK_BYTES;
    if (stack > warp->worker->run->stack_limit) {
        warp_fault(warp, call, first, "out-of-bounds",
                   "the calls need more stack than a thread has (cudaLimitStackSize)");
        warp_fail(warp, LAUNCH_STACK_ERROR);
        return false;
    }
    struct activation *made = activation_make(warp, callee);
    made->caller = caller;
    made->call = call;
    made->inside = lanes;
    made->depth = caller->depth + 1;
    made->local = (caller->local + caller->function->local_bytes + 15) / 16 * 16;
    made->stack = stack;
    local_begin(warp, made, lanes);
    const struct ptx_call *list = call->call;
    copy_params(caller, made, lanes, false, callee->params, list->argument, list->argument_bytes,
                list->argument_count < callee->param_count ? list->argument_count
                                                           : callee->param_count);
    *entered = made;
    return true;
}

/* The largest stack of a thread: the need of the kernel's calls if none of them repeats, and the
 * limit. */
uint32_t stack_limit_of(const struct ptx_module *module)
{
    uint64_t bytes = warp_stack_bytes;
    for (uint32_t i = 0; i < module->function_count; i++)
        if (module->functions[i]->defined && !module->functions[i]->entry)
            bytes += module->functions[i]->local_bytes + CALL_STACK_BYTES;
    return bytes < INT32_MAX ? (uint32_t)bytes : INT32_MAX;
}
