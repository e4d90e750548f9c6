/*
 * access.c: ld and st. A request is the addresses of all lanes that take part; it is announced to
 * memory/, which checks and counts it, and then its bytes are moved between memory and `data`:
 * `bytes` per lane, one lane after the other, as a register holds them. Generic addresses are split
 * by the window that they are in.
 */
#include "gpu/warp/access.h"
#include "gpu/warp/log.h"

#include <string.h>

/* ---- addresses ------------------------------------------------------------------------------ */

const uint64_t *access_addresses(const struct warp *warp, const struct ptx_instruction *at,
                                 const struct ptx_operand *operand, uint64_t room[LANES])
{
    uint64_t offset = (uint64_t)at->offset;
    if (UNLIKELY(at->b & ACCESS_LOCAL_BASE)) offset += warp->control->running_in->local;
    if (at->b & ACCESS_NARROW_ADDRESS) {
        const uint32_t *base = VALUES(warp, const uint32_t, operand->base, operand->at);
        for (int lane = 0; lane < LANES; lane++)
            room[lane] = (uint32_t)(base[lane] + (uint32_t)offset);
        return room;
    }
    const uint64_t *base = VALUES(warp, const uint64_t, operand->base, operand->at);
    if (offset == 0) return base;
    for (int lane = 0; lane < LANES; lane++)
        room[lane] = base[lane] + offset;
    return room;
}

void shared_offsets(const struct warp *warp, const struct ptx_operand *operand,
                    uint64_t offset[LANES])
{
    for (int lane = 0; lane < LANES; lane++) {
        uint64_t address = operand->bytes == 4
                               ? VALUES(warp, const uint32_t, operand->base, operand->at)[lane]
                               : VALUES(warp, const uint64_t, operand->base, operand->at)[lane];
        address += (uint64_t)operand->offset;
        if (operand->bytes == 4) address = (uint32_t)address;
        if (address - SHARED_WINDOW < WINDOW_BYTES) address -= SHARED_WINDOW;
        offset[lane] = address;
    }
}

uint32_t lanes_in_window(uint64_t window, uint32_t mask, const uint64_t address[LANES],
                         uint64_t offset[LANES])
{
    uint32_t inside = 0;
    EACH_LANE (lane, mask) {
        if (address[lane] - window >= WINDOW_BYTES) continue;
        offset[lane] = address[lane] - window;
        inside |= 1u << lane;
    }
    return inside;
}

/* Is any of these a generic address of a window? */
static bool any_in_windows(uint32_t mask, const uint64_t address[LANES])
{
    const uint64_t size = SHARED_WINDOW + WINDOW_BYTES - PARAM_WINDOW;
    uint64_t any = 0;
    if (mask == FULL_MASK)
        for (int lane = 0; lane < LANES; lane++)
            any |= address[lane] - PARAM_WINDOW < size;
    else
        EACH_LANE (lane, mask)
            any |= address[lane] - PARAM_WINDOW < size;
    return any != 0;
}

/* ---- requests ------------------------------------------------------------------------------- */

/* One request to global (base NULL) or shared memory (base: the block's). */
static inline uint32_t request_to(struct warp *warp, const struct ptx_instruction *at, bool store,
                                  bool shared, uint32_t mask, const uint64_t *address,
                                  uint32_t bytes, unsigned char *data)
{
    struct request request = {.instruction = at,
                              .kind = store ? ACCESS_STORE : ACCESS_LOAD,
                              .mask = mask,
                              .bytes = bytes,
                              .element = at->bytes,
                              .address = address,
                              .is_volatile = (at->b & ACCESS_VOLATILE) != 0,
                              .values = store ? data : NULL,
                              .location =
                                  at->location != 0 ? at->location : warp_location(warp, at)};
    if (!shared) /* the bytes come while memory/ looks at the request */
        for (int lane = 0; lane < LANES; lane += 16)
            __builtin_prefetch((const void *)(uintptr_t)address[lane]);
    uint32_t lanes = announced(warp, &request, shared);
    if (UNLIKELY(!shared && warp->block->run->launch->trial != NULL && !store)) {
        EACH_LANE (lane, mask & ~lanes)
            memset(data + (size_t)lane * bytes, 0, bytes);
        load_bytes(NULL, &request, lanes, data);
        return mask;
    }
    unsigned char *base = shared ? warp->block->shared : NULL;
    if (UNLIKELY(!shared && warp->block->log->count > 0 &&
                 log_touches(warp->block->log, address, lanes, bytes)))
        warp->block->run->depends = true;
    if (LIKELY(request.consecutive && lanes == FULL_MASK)) {
        unsigned char *first = base + address[0];
        if (store)
            memcpy(first, data, (size_t)LANES * bytes);
        else
            memcpy(data, first, (size_t)LANES * bytes);
        return lanes;
    }
    if (store)
        store_bytes(base, &request, lanes, data);
    else
        load_bytes(base, &request, lanes, data);
    return lanes;
}

/* The kernel's parameters, through a pointer: they are there for reading. */
static uint32_t parameter_access(struct warp *warp, const struct ptx_instruction *at, bool store,
                                 uint32_t mask, const uint64_t address[LANES], uint32_t bytes,
                                 unsigned char *data)
{
    const struct execution *run = warp->block->run;
    EACH_LANE (lane, mask) {
        if (!store && address[lane] + bytes <= run->kernel->param_bytes) {
            memcpy(data + (size_t)lane * bytes, run->launch->parameters + address[lane], bytes);
            continue;
        }
        warp_fault(warp, at, lane, "out-of-bounds",
                   store ? "a kernel's parameters cannot be changed"
                         : "it is past the end of the kernel's parameters");
        warp_fail(warp, LAUNCH_ILLEGAL_ADDRESS);
        return 0;
    }
    return mask;
}

static uint32_t generic_access(struct warp *warp, const struct ptx_instruction *at, bool store,
                               uint32_t mask, const uint64_t *address, uint32_t bytes,
                               unsigned char *data)
{
    if (LIKELY(!any_in_windows(mask, address)))
        return request_to(warp, at, store, false, mask, address, bytes, data);
    uint64_t offset[LANES] = {0};
    uint32_t shared = lanes_in_window(SHARED_WINDOW, mask, address, offset);
    uint32_t local = lanes_in_window(LOCAL_WINDOW, mask, address, offset);
    uint32_t parameter = lanes_in_window(PARAM_WINDOW, mask, address, offset);
    uint32_t global = mask & ~shared & ~local & ~parameter, done = 0;
    if (shared != 0) done |= request_to(warp, at, store, true, shared, offset, bytes, data);
    if (local != 0) done |= local_access(warp, at, store, local, offset, bytes, data);
    if (parameter != 0) done |= parameter_access(warp, at, store, parameter, offset, bytes, data);
    if (global != 0) done |= request_to(warp, at, store, false, global, address, bytes, data);
    return done;
}

uint32_t access_values(struct warp *warp, const struct ptx_instruction *at, bool store,
                       enum ptx_space space, uint32_t mask, const uint64_t address[LANES],
                       uint32_t bytes, void *data)
{
    switch (space) {
    case SPACE_GLOBAL:
    case SPACE_CONST: return request_to(warp, at, store, false, mask, address, bytes, data);
    case SPACE_SHARED: return request_to(warp, at, store, true, mask, address, bytes, data);
    case SPACE_LOCAL: return local_access(warp, at, store, mask, address, bytes, data);
    default: return generic_access(warp, at, store, mask, address, bytes, data);
    }
}

/* ---- registers and data --------------------------------------------------------------------- */

/* Spreads a narrow element over a register. */
static uint64_t widened(const unsigned char *from, uint32_t bytes, bool is_signed)
{
    uint64_t value = 0;
    memcpy(&value, from, bytes);
    unsigned unused = 64 - 8 * bytes;
    return is_signed ? (uint64_t)((int64_t)(value << unused) >> unused) : value;
}

static uint32_t register_bytes(const struct ptx_operand *operand)
{
    return operand->bytes == 1 ? 2 : operand->bytes;
}

/* Copies `size` bytes for each lane; lanes are `stride` bytes apart. */
static inline void copy_lanes(unsigned char *to, size_t to_stride, const unsigned char *from,
                              size_t from_stride, size_t size, uint32_t mask)
{
    if (mask == FULL_MASK && size == 4)
        for (size_t lane = 0; lane < LANES; lane++)
            memcpy(to + to_stride * lane, from + from_stride * lane, 4);
    else if (mask == FULL_MASK && size == 8)
        for (size_t lane = 0; lane < LANES; lane++)
            memcpy(to + to_stride * lane, from + from_stride * lane, 8);
    else
        EACH_LANE (lane, mask)
            memcpy(to + to_stride * lane, from + from_stride * lane, size);
}

/* Operand `number`, or element `index` of it if it is a vector. The function's elements are in
 * `detail`. */
static const struct ptx_operand *element_of(const struct ptx_instruction *at, int number,
                                            uint32_t index)
{
    const struct ptx_operand *operand = &at->operand[number];
    if (operand->kind != OPERAND_VECTOR) return operand;
    return (const struct ptx_operand *)at->detail + operand->first + index;
}

static uint32_t elements_of(const struct ptx_instruction *at, int number)
{
    return at->operand[number].kind == OPERAND_VECTOR ? at->operand[number].count : 1;
}

/* Moves each lane's data to the registers, or from them. */
static void unpack_all(const struct warp *warp, const struct ptx_instruction *at, uint32_t mask,
                       const unsigned char *data)
{
    size_t stride = (size_t)at->bytes * at->vector;
    for (uint32_t i = 0; i < elements_of(at, 0); i++, data += at->bytes) {
        const struct ptx_operand *to = element_of(at, 0, i);
        size_t size = register_bytes(to);
        unsigned char *d = VALUES(warp, unsigned char, to->base, to->at);
        if (to->kind != OPERAND_VALUE) continue;
        if (at->bytes >= size) {
            copy_lanes(d, size, data, stride, size, mask);
            continue;
        }
        EACH_LANE (lane, mask) {
            uint64_t value = widened(data + stride * lane, at->bytes, at->b & ACCESS_SIGNED);
            memcpy(d + size * lane, &value, size);
        }
    }
}

static void pack_all(const struct warp *warp, const struct ptx_instruction *at, int number,
                     unsigned char *data)
{
    size_t stride = (size_t)at->bytes * at->vector;
    for (uint32_t i = 0; i < elements_of(at, number); i++, data += at->bytes) {
        const struct ptx_operand *from = element_of(at, number, i);
        size_t size = register_bytes(from);
        copy_lanes(data, stride, VALUES(warp, const unsigned char, from->base, from->at), size,
                   size < at->bytes ? size : at->bytes, FULL_MASK);
    }
}

/* ---- ld, st --------------------------------------------------------------------------------- */

enum { DATA_BYTES = 32 * LANES };

static inline void load(struct warp *warp, const struct ptx_instruction *at, uint32_t mask,
                        enum ptx_space space)
{
    uint64_t room[LANES];
    _Alignas(32) unsigned char data[DATA_BYTES];
    const uint64_t *address = access_addresses(warp, at, &at->operand[1], room);
    uint32_t bytes = (uint32_t)at->bytes * at->vector;
    if (UNLIKELY(at->b & ACCESS_VOLATILE)) warp->control->polled = true;
    if (LIKELY(at->b & ACCESS_DIRECT)) {
        access_values(warp, at, false, space, mask, address, bytes, D_OF(warp, at, unsigned char));
    } else {
        uint32_t lanes = access_values(warp, at, false, space, mask, address, bytes, data);
        unpack_all(warp, at, lanes, data);
    }
    if (UNLIKELY(at->b & ACCESS_ACQUIRES)) watch_fence(warp->watched, mask, access_scope(at));
}

static inline void store(struct warp *warp, const struct ptx_instruction *at, uint32_t mask,
                         enum ptx_space space)
{
    uint64_t room[LANES];
    _Alignas(32) unsigned char data[DATA_BYTES];
    const uint64_t *address = access_addresses(warp, at, &at->operand[0], room);
    uint32_t bytes = (uint32_t)at->bytes * at->vector;
    if (UNLIKELY(at->b & ACCESS_RELEASES)) watch_fence(warp->watched, mask, access_scope(at));
    unsigned char *values = data;
    if (LIKELY(at->b & ACCESS_DIRECT))
        values = D_OF(warp, at, unsigned char);
    else
        pack_all(warp, at, 1, data);
    access_values(warp, at, true, space, mask, address, bytes, values);
}

#define ACCESS(space, SPACE)                                                                       \
    static void load_##space(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)   \
    {                                                                                              \
        load(warp, at, mask, SPACE);                                                               \
    }                                                                                              \
    static void store_##space(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)  \
    {                                                                                              \
        store(warp, at, mask, SPACE);                                                              \
    }
ACCESS(generic, SPACE_GENERIC)
ACCESS(global, SPACE_GLOBAL)
ACCESS(shared, SPACE_SHARED)
ACCESS(local, SPACE_LOCAL)

/* A load of 4 bytes to a register of 4. Whole warps that load one place, or a row, are common. */
static void load_shared_word(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    const struct ptx_operand *address = &at->operand[1];
    if (UNLIKELY(mask != FULL_MASK)) goto any;
    enum spread_kind kind = spread_of(warp, at, address);
    if (UNLIKELY(kind == SPREAD_OTHER)) goto any;
    uint64_t first =
        at->b & ACCESS_NARROW_ADDRESS
            ? (uint32_t)(*VALUES(warp, uint32_t, address->base, address->at) + (uint32_t)at->offset)
            : *VALUES(warp, uint64_t, address->base, address->at) + (uint64_t)at->offset;
    bool same = kind == SPREAD_SAME;
    if (UNLIKELY(!watch_shared_whole(warp->watched, at, first, same))) goto any;
    const uint32_t *from = (const uint32_t *)(const void *)(warp->block->shared + first);
    uint32_t *d = D_OF(warp, at, uint32_t);
    if (!same) {
        memcpy(d, from, sizeof *d * LANES);
        return;
    }
    uint32_t value = *from;
    for (int lane = 0; lane < LANES; lane++)
        d[lane] = value;
    return;
any:
    load(warp, at, mask, SPACE_SHARED);
}

/* ---- parameters ----------------------------------------------------------------------------- */

/* A parameter of the kernel: all lanes of the mask get the same value. */
static void load_parameter(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    const unsigned char *from = warp->block->run->launch->parameters + at->offset;
    for (uint32_t i = 0; i < elements_of(at, 0); i++, from += at->bytes) {
        const struct ptx_operand *to = element_of(at, 0, i);
        size_t size = register_bytes(to);
        uint64_t value[2] = {0};
        if (to->kind != OPERAND_VALUE) continue;
        if (at->bytes >= size)
            memcpy(value, from, size);
        else
            value[0] = widened(from, at->bytes, at->b & ACCESS_SIGNED);
        copy_lanes(VALUES(warp, unsigned char, to->base, to->at), size,
                   (const unsigned char *)value, 0, size, mask);
    }
}

/* A parameter of a call, in the activation's area: at `offset`, or where a register says. */
static unsigned char *area_of(const struct warp *warp, const struct ptx_instruction *at,
                              const struct ptx_operand *operand, uint32_t lane)
{
    uint64_t offset = (uint64_t)at->offset;
    if (operand->kind == OPERAND_ADDRESS)
        offset += operand->bytes == 4
                      ? VALUES(warp, const uint32_t, operand->base, operand->at)[lane]
                      : VALUES(warp, const uint64_t, operand->base, operand->at)[lane];
    if (offset - PARAM_WINDOW < WINDOW_BYTES)
        return (unsigned char *)(uintptr_t)warp->block->run->launch->parameters + offset -
               PARAM_WINDOW;
    return warp->call_area + (size_t)lane * warp->call_stride + offset;
}

static void load_area(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    unsigned char data[DATA_BYTES];
    size_t bytes = (size_t)at->bytes * at->vector;
    EACH_LANE (lane, mask)
        memcpy(data + lane * bytes, area_of(warp, at, &at->operand[1], lane), bytes);
    unpack_all(warp, at, mask, data);
}

static void store_area(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    unsigned char data[DATA_BYTES];
    size_t bytes = (size_t)at->bytes * at->vector;
    pack_all(warp, at, 1, data);
    EACH_LANE (lane, mask)
        memcpy(area_of(warp, at, &at->operand[0], lane), data + lane * bytes, bytes);
}

/* ---- choice --------------------------------------------------------------------------------- */

int access_flags(const struct ptx_instruction *at)
{
    int flags = 0;
    bool acquires = ptx_has(at, M_acquire) || ptx_has(at, M_acq_rel);
    bool releases = ptx_has(at, M_release) || ptx_has(at, M_acq_rel);
    if (ptx_has(at, M_volatile) || ptx_has(at, M_relaxed) || ptx_has(at, M_mmio) || acquires ||
        releases || at->expected)
        flags |= ACCESS_VOLATILE;
    if (acquires) flags |= ACCESS_ACQUIRES;
    if (releases) flags |= ACCESS_RELEASES;
    return flags;
}

enum fence_scope access_scope(const struct ptx_instruction *at)
{
    return ptx_has(at, M_cta) ? FENCE_BLOCK : ptx_has(at, M_sys) ? FENCE_SYSTEM : FENCE_GPU;
}

ptx_execute *access_select(const struct ptx_function *function, struct ptx_instruction *at)
{
    bool stores = at->opcode == OP_st;
    const struct ptx_operand *value = &at->operand[stores ? 1 : 0];
    const struct ptx_operand *address = &at->operand[stores ? 0 : 1];
    uint32_t bytes = (uint32_t)at->bytes * at->vector;
    if (bytes == 0 || bytes > 32 || (bytes & (bytes - 1)) != 0) return NULL;
    at->detail = function->elements;
    at->b = access_flags(at);
    if (ptx_is_signed((enum ptx_type)at->types[0])) at->b |= ACCESS_SIGNED;
    if (value->kind == OPERAND_VALUE && at->vector == 1 && register_bytes(value) == at->bytes)
        at->b |= ACCESS_DIRECT;
    if (address->local) at->b |= ACCESS_LOCAL_BASE;
    if (address->kind == OPERAND_ADDRESS && address->bytes == 4) at->b |= ACCESS_NARROW_ADDRESS;
    at->d = value->at;
    at->d_base = value->base;
    if (address->kind == OPERAND_PARAM) {
        at->offset = address->offset;
        if (address->own) return stores ? NULL : load_parameter;
        return stores ? store_area : load_area;
    }
    at->offset = address->offset;
    switch (at->space) {
    case SPACE_PARAM: return stores ? store_area : load_area;
    case SPACE_GLOBAL: return stores ? store_global : load_global;
    case SPACE_CONST: return stores ? store_global : load_global; /* a store is a fault */
    case SPACE_SHARED:
        if (!stores && bytes == 4 && at->b & ACCESS_DIRECT &&
            !(at->b & (ACCESS_VOLATILE | ACCESS_ACQUIRES)))
            return load_shared_word;
        return stores ? store_shared : load_shared;
    case SPACE_LOCAL: return stores ? store_local : load_local;
    default: return stores ? store_generic : load_generic;
    }
}
