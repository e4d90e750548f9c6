/*
 * ptx_run.c: executes the PTX of kernels' asm statements (include/warpup/ptx.h). Each text is read
 * once. An instruction's accesses, barriers and exchanges are those of the kernel at the place of
 * the statement.
 */
#include "sim/api/api_call.h"
#include "sim/engine/access.h"
#include "sim/engine/async_copies.h"
#include "sim/engine/block.h"
#include "sim/engine/running.h"
#include "sim/gpu/profile.h"
#include "sim/ptx/fragment.h"
#include "sim/ptx/ptx_text.h"
#include "sim/ptx/ptx_value.h"
#include "sim/requests/fault.h"
#include "sim/requests/lane.h"
#include "warpup/fragment.h"
#include "warpup/runtime.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLER ((uintptr_t)__builtin_return_address(0))

/* One asm statement that runs: the values of its registers, and its place in the kernel */
struct run {
    uint64_t slots[PTX_SLOTS];
    uintptr_t pc;
};

/* Ends the kernel: the run cannot be judged. */
static _Noreturn void give_up(const char *what, uintptr_t pc)
{
    char text[120];
    snprintf(text, sizeof text, "%s in PTX", what);
    api_unknown(text, pc);
    running_abort(cudaErrorNotSupported);
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* The texts that were read. A string of the program never moves, so its address is enough. */
enum { KNOWN = 256 };
struct known {
    const char *text;
    struct ptx ptx;
    struct known *next;
};
static struct known *known[KNOWN];
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

static struct known *look_up(const char *text)
{
    struct known *one = __atomic_load_n(&known[(uintptr_t)text / 8 % KNOWN], __ATOMIC_ACQUIRE);
    while (one != NULL && one->text != text)
        one = one->next;
    return one;
}

static const struct ptx *read_text(const char *text, int operands, uintptr_t pc)
{
    struct known *one = look_up(text), **list = &known[(uintptr_t)text / 8 % KNOWN];
    char unknown[80] = "";
    if (one != NULL) return &one->ptx;
    pthread_mutex_lock(&reading);
    one = look_up(text);
    if (one == NULL && (one = calloc(1, sizeof *one)) != NULL) {
        one->text = text;
        one->next = *list;
        if (ptx_read(&one->ptx, text, strlen(text), operands, unknown)) {
            __atomic_store_n(list, one, __ATOMIC_RELEASE);
        } else {
            free(one);
            one = NULL;
        }
    }
    pthread_mutex_unlock(&reading);
    if (one == NULL) give_up(unknown, pc);
    return &one->ptx;
}

/* ---- registers ------------------------------------------------------------------------------ */

static uint64_t linear(const uint32_t index[3], const uint32_t shape[3])
{
    return index[0] + (uint64_t)shape[0] * (index[1] + (uint64_t)shape[1] * index[2]);
}

/* Blocks are on the SMs in turn. */
static uint64_t special_value(int which)
{
    const struct warpup_lane *lane = &warpup_lane;
    const uint32_t *shape = lane->block_shape;
    uint32_t number = running_lane();
    uint64_t thread = linear(lane->thread, shape);
    if (which < PTX_NTID) return lane->thread[which - PTX_TID];
    if (which < PTX_CTAID) return shape[which - PTX_NTID];
    if (which < PTX_NCTAID) return lane->block[which - PTX_CTAID];
    if (which < PTX_LANEID) return lane->grid_shape[which - PTX_NCTAID];
    switch (which) {
    case PTX_LANEID: return number;
    case PTX_WARPID: return thread / LANES;
    case PTX_NWARPID: return ((uint64_t)shape[0] * shape[1] * shape[2] + LANES - 1) / LANES;
    case PTX_SMID: return linear(lane->block, lane->grid_shape) % (uint64_t)profile()->sms;
    case PTX_NSMID: return (uint64_t)profile()->sms;
    case PTX_CLOCK: return (uint32_t)warpup_cycles();
    case PTX_CLOCK64: return (uint64_t)warpup_cycles();
    case PTX_GLOBALTIMER: return warpup_nanoseconds();
    case PTX_LANEMASK_EQ: return 1u << number;
    case PTX_LANEMASK_LE: return 2ull * (1u << number) - 1;
    case PTX_LANEMASK_LT: return (1u << number) - 1;
    case PTX_LANEMASK_GE: return (uint32_t) - (1u << number);
    case PTX_LANEMASK_GT: return (uint32_t) - (2u << number);
    default: return 0;
    }
}

static uint64_t value_of(const struct run *run, const struct ptx_operand *operand)
{
    uint64_t base = operand->slot == PTX_NO_SLOT ? 0 : run->slots[operand->slot];
    switch (operand->kind) {
    case PTX_SLOT: return operand->negated ? base == 0 : base;
    case PTX_NUMBER: return (uint64_t)operand->number;
    case PTX_SPECIAL: return special_value((int)operand->number);
    case PTX_ADDRESS: return base + (uint64_t)operand->number;
    }
    return 0;
}

static void set(struct run *run, const struct ptx_operand *operand, uint64_t value)
{
    if (operand->kind == PTX_SLOT) run->slots[operand->slot] = value;
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Addresses in shared memory count from its begin. */
uint64_t warpup_shared_offset(const void *address)
{
    return (uint64_t)((const char *)address - cursor.shared);
}

void *warpup_shared_address(uint64_t offset)
{
    return (char *)cursor.shared + (uint32_t)offset;
}

static bool is_shared(const struct ptx_instruction *one)
{
    return ptx_has(one, "shared") || ptx_has(one, "shared::cta");
}

static char *address_of(const struct run *run, const struct ptx_instruction *one,
                        const struct ptx_operand *operand)
{
    uint64_t address = value_of(run, operand);
    return is_shared(one) ? warpup_shared_address(address) : (char *)address;
}

static void need_alignment(const char *address, unsigned bytes, const char *kind, bool shared,
                           uintptr_t pc)
{
    uintptr_t place = shared ? (uintptr_t)(address - cursor.shared) : (uintptr_t)address;
    if (place % bytes == 0) return;
    fault_here("misaligned-access", pc, shared ? NULL : address, bytes, kind, NULL);
    running_abort(cudaErrorMisalignedAddress);
}

/* Registers are wider than what is loaded: signed types keep their sign. */
static uint64_t loaded(enum ptx_type type, const char *from)
{
    uint64_t bits = 0;
    unsigned bytes = ptx_bytes(type), unused = 64 - 8 * bytes;
    memcpy(&bits, from, bytes);
    return ptx_is_signed(type) && bytes < 4 ? (uint64_t)((int64_t)(bits << unused) >> unused)
                                            : bits;
}

static void load(struct run *run, const struct ptx_instruction *one)
{
    unsigned count = one->groups[0], bytes = ptx_bytes(one->types[0]);
    const char *from = address_of(run, one, &one->operands[count]);
    need_alignment(from, count * bytes, "load", is_shared(one), run->pc);
    access_announce(from, count * bytes, ACCESS_LOAD, run->pc);
    for (unsigned i = 0; i < count; i++)
        set(run, &one->operands[i], loaded(one->types[0], from + i * bytes));
}

static void store(struct run *run, const struct ptx_instruction *one)
{
    unsigned count = one->groups[1], bytes = ptx_bytes(one->types[0]);
    char *to = address_of(run, one, &one->operands[0]);
    need_alignment(to, count * bytes, "store", is_shared(one), run->pc);
    access_announce(to, count * bytes, ACCESS_STORE, run->pc);
    for (unsigned i = 0; i < count; i++) {
        uint64_t value = value_of(run, &one->operands[1 + i]);
        memcpy(to + i * bytes, &value, bytes);
    }
}

/* cp.async: `size` bytes, of which only the first `read` are read */
static void copy(struct run *run, const struct ptx_instruction *one)
{
    const struct ptx_operand *operands = one->operands;
    if (ptx_has(one, "commit_group")) {
        warpup_copy_commit();
    } else if (ptx_has(one, "wait_all")) {
        warpup_copy_commit();
        async_copies_wait(0, run->pc);
    } else if (ptx_has(one, "wait_group")) {
        async_copies_wait(value_of(run, &operands[0]), run->pc);
    } else {
        uint64_t size = value_of(run, &operands[2]);
        uint64_t read = one->group_count == 4 ? (uint32_t)value_of(run, &operands[3]) : size;
        async_copies_start(warpup_shared_address(value_of(run, &operands[0])),
                           (const void *)value_of(run, &operands[1]), size,
                           read < size ? size - read : 0, run->pc);
    }
}

/* ---- the block and the warp ----------------------------------------------------------------- */

/* Only the barrier of the whole block is known. */
static void wait_for_block(struct run *run, const struct ptx_instruction *one)
{
    int threads;
    uint64_t from[LANES];
    const uint32_t *shape = warpup_lane.block_shape;
    if (ptx_has(one, "warp")) {
        block_exchange((uint32_t)value_of(run, &one->operands[0]), 0, from, run->pc);
        return;
    }
    if (value_of(run, &one->operands[0]) != 0 ||
        (one->group_count == 2 &&
         value_of(run, &one->operands[1]) != (uint64_t)shape[0] * shape[1] * shape[2]))
        give_up("bar.sync for a part of the block", run->pc);
    block_wait_at_barrier(0, false, &threads, run->pc);
}

/* The lane that a lane reads from, as PTX has it: c is the last lane of a section, and in its upper
 * half the bits that lanes of a section share. */
static uint32_t shuffle_source(const struct ptx_instruction *one, uint32_t lane, uint32_t b,
                               uint32_t c)
{
    uint32_t mask = c >> 8 & 31, last = (lane & mask) | (c & 31 & ~mask), first = lane & mask;
    b &= 31;
    if (ptx_has(one, "up")) return (int)(lane - b) >= (int)last ? lane - b : lane;
    uint32_t other = ptx_has(one, "down")   ? lane + b
                     : ptx_has(one, "bfly") ? lane ^ b
                                            : first | (b & ~mask);
    return other <= last ? other : lane;
}

static void shuffle(struct run *run, const struct ptx_instruction *one)
{
    static const uint64_t no_value = 0x7ff5dead;
    uint64_t from[LANES];
    const struct ptx_operand *operands = one->operands;
    uint32_t lane = running_lane();
    uint32_t came = block_exchange((uint32_t)value_of(run, &operands[4]),
                                   value_of(run, &operands[1]), from, run->pc);
    uint32_t source = shuffle_source(one, lane, (uint32_t)value_of(run, &operands[2]),
                                     (uint32_t)value_of(run, &operands[3]));
    set(run, &operands[0], came >> source & 1 ? (uint32_t)from[source] : no_value);
}

static void vote(struct run *run, const struct ptx_instruction *one)
{
    uint64_t from[LANES];
    uint32_t votes = 0;
    uint32_t came = block_exchange((uint32_t)value_of(run, &one->operands[2]),
                                   value_of(run, &one->operands[1]), from, run->pc);
    EACH_LANE (lane, came)
        if (from[lane]) votes |= 1u << lane;
    set(run, &one->operands[0],
        ptx_has(one, "ballot") ? votes
        : ptx_has(one, "any")  ? votes != 0
                               : votes == came);
}

/* ---- matrices ------------------------------------------------------------------------------- */

static enum warpup_element element_of(enum ptx_type type)
{
    switch (type) {
    case PTX_F16: return WARPUP_HALF;
    case PTX_BF16: return WARPUP_BFLOAT16;
    case PTX_TF32: return WARPUP_TF32;
    case PTX_F64: return WARPUP_DOUBLE;
    case PTX_S8: return WARPUP_S8;
    case PTX_U8: return WARPUP_U8;
    case PTX_S32: return WARPUP_S32;
    default: return WARPUP_FLOAT;
    }
}

/* A mma instruction: its four matrices d, a, b, c, and where their registers begin */
struct product {
    struct warpup_fragment shapes[4];
    unsigned registers[4], bytes[4], first[4];
    bool saturate;
};

static struct product product_of(const struct ptx_instruction *one)
{
    static const enum warpup_matrix matrices[] = {WARPUP_SUM, WARPUP_MATRIX_A, WARPUP_MATRIX_B,
                                                  WARPUP_SUM};
    struct product product = {.saturate = ptx_has(one, "satfinite")};
    unsigned m = ptx_has(one, "m8n8k4") ? 8 : 16;
    unsigned k = ptx_has(one, "m16n8k32")   ? 32
                 : ptx_has(one, "m16n8k16") ? 16
                 : ptx_has(one, "m16n8k8")  ? 8
                                            : 4;
    for (unsigned i = 0, first = 0; i < 4; first += product.registers[i++]) {
        product.shapes[i] = (struct warpup_fragment){
            matrices[i],     (unsigned char)element_of(one->types[i]), 1, 0, (unsigned char)m, 8,
            (unsigned char)k};
        product.registers[i] = one->groups[i];
        product.bytes[i] = one->types[i] == PTX_F64 ? 8 : 4;
        product.first[i] = first;
    }
    return product;
}

/* What a lane brings to a product, and whether it has its part of the result */
struct bringing {
    struct run *run;
    bool done;
};

/* A lane's registers, as a fragment holds them: one after another */
struct held {
    struct warpup_fragments fragments;
    unsigned char bytes[4][32];
};

static void take_registers(struct held *held, const struct run *run,
                           const struct ptx_instruction *one, const struct product *product)
{
    const struct warpup_fragment *shapes = product->shapes;
    for (int i = 1; i < 4; i++)
        for (unsigned j = 0; j < product->registers[i]; j++) {
            uint64_t value = value_of(run, &one->operands[product->first[i] + j]);
            memcpy(held->bytes[i] + j * product->bytes[i], &value, product->bytes[i]);
        }
    held->fragments = (struct warpup_fragments){{shapes[1], shapes[2], shapes[3], shapes[0]},
                                                {held->bytes[1], held->bytes[2], held->bytes[3]},
                                                held->bytes[0],
                                                product->saturate,
                                                0};
}

static void set_registers(const struct held *held, struct run *run,
                          const struct ptx_instruction *one, const struct product *product)
{
    for (unsigned j = 0; j < product->registers[0]; j++) {
        uint64_t value = 0;
        memcpy(&value, held->bytes[0] + j * product->bytes[0], product->bytes[0]);
        set(run, &one->operands[j], value);
    }
}

static __attribute__((noinline)) void multiply_for_all(const struct ptx_instruction *one,
                                                       const uint64_t *from, uint32_t came)
{
    struct held held[LANES];
    struct warpup_fragments *lanes[LANES];
    struct product product = product_of(one);
    EACH_LANE (lane, came) {
        take_registers(&held[lane], ((struct bringing *)from[lane])->run, one, &product);
        lanes[lane] = &held[lane].fragments;
    }
    fragment_multiply(lanes, came);
    EACH_LANE (lane, came) {
        struct bringing *its = (struct bringing *)from[lane];
        set_registers(&held[lane], its->run, one, &product);
        its->done = true;
    }
}

/* The first lane that goes on multiplies for all. */
static void multiply(struct run *run, const struct ptx_instruction *one)
{
    const uint64_t *from;
    struct bringing mine = {run, false};
    uint32_t came = fragment_gather((uintptr_t)&mine, &from, run->pc);
    if (!mine.done) multiply_for_all(one, from, came);
}

/* ldmatrix: 8 x 8 halves, one to four times. Lane 8 i + r has the address of row r of the i-th. */
enum { ROW_BYTES = 16, ROWS = 8 };
struct rows {
    const char *mine; /* the address that this lane gives */
    uint32_t words[4];
    bool done;
};

static uint32_t word_of(const struct rows *const lanes[LANES], unsigned matrix, unsigned lane,
                        bool transposed)
{
    uint16_t pair[2];
    for (unsigned i = 0; i < 2; i++) {
        unsigned row = transposed ? lane % 4 * 2 + i : lane / 4;
        unsigned column = transposed ? lane / 4 : lane % 4 * 2 + i;
        memcpy(&pair[i], lanes[matrix * ROWS + row]->mine + column * 2, 2);
    }
    return pair[0] | (uint32_t)pair[1] << 16;
}

/* The first lane that goes on loads for all. */
static void load_matrices(struct run *run, const struct ptx_instruction *one)
{
    unsigned count = one->groups[0], lane = running_lane();
    const uint64_t *none;
    uint64_t from[LANES];
    struct rows rows = {.mine = warpup_shared_address(value_of(run, &one->operands[count]))};
    struct rows *lanes[LANES];
    fragment_gather(0, &none, run->pc);
    if (lane < count * ROWS) {
        need_alignment(rows.mine, ROW_BYTES, "load", true, run->pc);
        access_announce(rows.mine, ROW_BYTES, ACCESS_LOAD, run->pc);
    }
    uint32_t came = block_exchange(UINT32_MAX, (uintptr_t)&rows, from, run->pc);
    if (came != UINT32_MAX) running_abort(cudaErrorIllegalInstruction);
    if (!rows.done) {
        for (unsigned i = 0; i < LANES; i++)
            lanes[i] = (struct rows *)from[i];
        for (unsigned i = 0; i < LANES; i++) {
            for (unsigned matrix = 0; matrix < count; matrix++)
                lanes[i]->words[matrix] =
                    word_of((const struct rows *const *)lanes, matrix, i, ptx_has(one, "trans"));
            lanes[i]->done = true;
        }
    }
    for (unsigned matrix = 0; matrix < count; matrix++)
        set(run, &one->operands[matrix], rows.words[matrix]);
}

/* ---- instructions --------------------------------------------------------------------------- */

/* A move, perhaps of several registers into one, or of one into several */
static void move(struct run *run, const struct ptx_instruction *one)
{
    unsigned to = one->groups[0], from = one->groups[1];
    unsigned piece = 8 * ptx_bytes(one->types[0]) / (to > from ? to : from);
    uint64_t whole = 0, mask = piece == 64 ? UINT64_MAX : (1ull << piece) - 1;
    for (unsigned i = 0; i < from; i++) {
        uint64_t value = value_of(run, &one->operands[to + i]);
        whole |= (from > 1 ? value & mask : value) << piece * i;
    }
    for (unsigned i = 0; i < to; i++)
        set(run, &one->operands[i],
            to > 1 ? whole >> piece * i & mask : ptx_cut(one->types[0], whole));
}

static void convert_address(struct run *run, const struct ptx_instruction *one)
{
    uint64_t value = value_of(run, &one->operands[1]);
    if (is_shared(one))
        value = ptx_has(one, "to") ? warpup_shared_offset((const void *)value)
                                   : (uintptr_t)warpup_shared_address(value);
    set(run, &one->operands[0], ptx_cut(one->types[0], value));
}

static void compute(struct run *run, const struct ptx_instruction *one)
{
    uint64_t values[PTX_OPERANDS] = {0}, result = 0;
    for (int i = 1; i < one->operand_count; i++)
        values[i - 1] = value_of(run, &one->operands[i]);
    if (!ptx_compute(one, values, &result)) give_up("an instruction in this form", run->pc);
    set(run, &one->operands[0], result);
}

static void execute(struct run *run, const struct ptx_instruction *one)
{
    switch (one->operation) {
    case PTX_LOAD: load(run, one); break;
    case PTX_STORE: store(run, one); break;
    case PTX_COPY: copy(run, one); break;
    case PTX_BAR:
    case PTX_BARRIER: wait_for_block(run, one); break;
    case PTX_FENCE:
    case PTX_MEMBAR: warpup_fence(); break;
    case PTX_SHUFFLE: shuffle(run, one); break;
    case PTX_VOTE: vote(run, one); break;
    case PTX_ACTIVEMASK: set(run, &one->operands[0], block_active(run->pc)); break;
    case PTX_MMA: multiply(run, one); break;
    case PTX_LOAD_MATRIX: load_matrices(run, one); break;
    case PTX_MOVE: move(run, one); break;
    case PTX_CVTA: convert_address(run, one); break;
    case PTX_NANOSLEEP:
    case PTX_PREFETCH: break;
    default: compute(run, one); break;
    }
}

/* Runs a statement with the bits of its operands, which become those after it. */
static void run_text(const char *text, uint64_t *values, int count, uintptr_t pc)
{
    struct run run;
    run.pc = pc;
    const struct ptx *ptx = read_text(text, count, pc);
    memset(run.slots + count, 0, (size_t)(ptx->slots - count) * sizeof *values);
    memcpy(run.slots, values, (size_t)count * sizeof *values);
    for (int i = 0; i < ptx->count; i++) {
        const struct ptx_instruction *one = &ptx->list[i];
        bool runs = one->guard == PTX_NO_SLOT || (run.slots[one->guard] != 0) != one->guard_negated;
        if (runs) execute(&run, one);
    }
    memcpy(values, run.slots, (size_t)count * sizeof *values);
}

/* As include/warpup/ptx.h has them */
#define RUN(count)                                                                                 \
    struct warpup_operands_##count {                                                               \
        uint64_t bits[count];                                                                      \
    };                                                                                             \
    struct warpup_operands_##count warpup_ptx_##count(                                             \
        const char *text, struct warpup_operands_##count operands, int used);                      \
    struct warpup_operands_##count warpup_ptx_##count(                                             \
        const char *text, struct warpup_operands_##count operands, int used)                       \
    {                                                                                              \
        if (lane_runs) run_text(text, operands.bits, used, CALLER);                                \
        return operands;                                                                           \
    }
RUN(4)
RUN(12)
RUN(32)
