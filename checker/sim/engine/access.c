/*
 * access.c: the functions that compiled kernels call. The device image is compiled for
 * ThreadSanitizer, but linked with these functions: one call before each access to memory, one at
 * the start of each basic block. An access that a GPU would refuse ends the kernel here, before it
 * happens. All others go into the log of the running thread.
 */
#include "sim/engine/access.h"

#include "sim/engine/running.h"
#include "sim/gpu/memory.h"
#include "sim/gpu/shadow.h"
#include "sim/image/device_image.h"
#include "sim/requests/contention.h"
#include "sim/requests/fault.h"
#include "sim/requests/lane.h"

#include <string.h>

enum { ERROR_ILLEGAL_ADDRESS = 700, ERROR_MISALIGNED_ADDRESS = 716 };

#define UNLIKELY(condition) __builtin_expect(condition, 0)

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

static _Noreturn void refuse(const char *name, const void *address, size_t bytes,
                             enum access_kind kind, uintptr_t pc, int error)
{
    fault_here(name, pc, address, bytes, access_name(kind), NULL);
    running_abort(error);
}

/* An address of the simulated GPU's range that no allocation holds, or that is not aligned. */
static __attribute__((noinline, cold)) void refuse_global(const void *address, size_t bytes,
                                                          enum access_kind kind, uintptr_t pc)
{
    if ((uintptr_t)address % bytes != 0)
        refuse("misaligned-access", address, bytes, kind, pc, ERROR_MISALIGNED_ADDRESS);
    const struct allocation *allocation = memory_find(address);
    bool freed = allocation != NULL && allocation->freed &&
                 (const char *)address < allocation->base + allocation->bytes;
    refuse(freed ? "use-after-free" : "out-of-bounds", address, bytes, kind, pc,
           ERROR_ILLEGAL_ADDRESS);
}

/* An address at most this far outside the block's shared memory was probably meant for it. */
static const uint64_t NEAR = 16 << 10;

/*
 * The merge needs a basic block only where a thread jumps back: at the end of a loop's body it must
 * wait for lanes that are still inside. A block that is followed by something later in the code is
 * therefore not logged. The last block stays in cursor.block until the next event.
 */
static inline __attribute__((always_inline)) void append_event(uint32_t event)
{
    if (UNLIKELY(cursor.at >= LOG_EVENTS)) running_yield();
    *log_event(cursor.log, cursor.at) = event;
    cursor.at += LANES;
}

static void append(uint32_t event, uint64_t offset)
{
    append_event(event);
    *log_offset(cursor.log, cursor.at - LANES) = offset;
}

/* A block has no offset. */
static inline __attribute__((always_inline)) void append_block(void)
{
    if (cursor.log != NULL) append_event(event_to_log(cursor.block, ACCESS_LOAD, 0));
}

static void append_access(uint64_t offset, unsigned size_code, enum access_kind kind, uintptr_t pc)
{
    if (cursor.block > pc) append_block();
    cursor.block = 0;
    append(event_to_log(pc, kind, size_code), offset);
}

/* An address outside the simulated GPU's range: of the thread's own stack, or of a variable of the
 * device image; any other is the host's. False if the access does not count as one to global
 * memory; otherwise sets its offset. */
static __attribute__((noinline)) bool find_variable(const char *address, size_t bytes,
                                                    enum access_kind kind, uintptr_t pc,
                                                    uint64_t *offset)
{
    const struct fibers *fibers = &running_worker->fibers;
    char detail[200];
    if (address >= fibers->stacks && address < fibers->stacks_end) return false;
    enum image_part part = image_part_of(address, bytes);
    if (part == IMAGE_CONSTANT) {
        append_access((uintptr_t)address, 1, ACCESS_CONSTANT, pc);
        return false;
    }
    if (part == IMAGE_VARIABLE) {
        if ((uintptr_t)address % bytes != 0)
            refuse("misaligned-access", address, bytes, kind, pc, ERROR_MISALIGNED_ADDRESS);
        *offset = (uint64_t)(address - shadow.variables);
        return true;
    }
    if (image_describe(address, detail, sizeof detail)) {
        fault_here("out-of-bounds", pc, address, bytes, access_name(kind), detail);
        running_abort(ERROR_ILLEGAL_ADDRESS);
    }
    if ((uint64_t)(address - cursor.shared) + NEAR < cursor.shared_bytes + 2 * NEAR)
        refuse("shared-out-of-bounds", NULL, bytes, kind, pc, ERROR_ILLEGAL_ADDRESS);
    bool null = (uintptr_t)address < 65536;
    refuse(null ? "null-pointer" : "host-pointer-in-kernel", address, bytes, kind, pc,
           ERROR_ILLEGAL_ADDRESS);
}

/* Refuses what a GPU would refuse. False for an access that does not count; otherwise sets its
 * offset. */
static bool find_offset(const void *address, unsigned size, enum access_kind kind, uintptr_t pc,
                        uint64_t *offset)
{
    *offset = shadow_offset(address);
    if (*offset < shadow.extent) {
        if (*offset % size != 0 || !shadow_is_valid(*offset, size))
            refuse_global(address, size, kind, pc);
        return true;
    }
    if ((uint64_t)((const char *)address - cursor.shared) < cursor.shared_bytes) {
        *offset = SHARED_OFFSET + (uint64_t)((const char *)address - cursor.shared);
        if (*offset % size != 0)
            refuse("misaligned-access", NULL, size, kind, pc, ERROR_MISALIGNED_ADDRESS);
        return true;
    }
    return find_variable(address, size, kind, pc, offset);
}

/* The uncommon cases of note(). */
static __attribute__((noinline)) bool note_slowly(const void *address, unsigned size_code,
                                                  enum access_kind kind, uintptr_t pc)
{
    uint64_t offset;
    if (cursor.log == NULL) return false; /* host code of the device image */
    if (!find_offset(address, 1u << (size_code - 1), kind, pc, &offset)) return false;
    append_access(offset, size_code, kind, pc);
    return true;
}

/* Logs an access of 2^(size_code - 1) bytes, if it is a common one. Otherwise returns false. */
static inline __attribute__((always_inline)) bool
note_common(const void *address, unsigned size_code, enum access_kind kind, uintptr_t pc)
{
    unsigned size = 1u << (size_code - 1);
    uint64_t offset = shadow_offset(address), element = shadow_element(offset, size_code);
    size_t at = cursor.at;
    if (UNLIKELY(cursor.block > pc || at >= LOG_EVENTS)) return false;
    if (__builtin_expect(element < shadow.elements[size_code], 1)) {
        if (UNLIKELY(shadow.valid[element / (GRANULE / size)] != GRANULE)) return false;
    } else {
        offset = (uint64_t)((const char *)address - cursor.shared);
        if (UNLIKELY(offset >= cursor.shared_bytes || offset % size != 0)) return false;
        offset += SHARED_OFFSET;
    }
    cursor_leave_block();
    *log_event(cursor.log, at) = event_to_log(pc, kind, size_code);
    *log_offset(cursor.log, at) = offset;
    cursor.at = at + LANES;
    return true;
}

/* False for an access that does not count: the thread's own memory. */
static inline __attribute__((always_inline)) bool note(const void *address, unsigned size_code,
                                                       enum access_kind kind, uintptr_t pc)
{
    return note_common(address, size_code, kind, pc) || note_slowly(address, size_code, kind, pc);
}

/* The index of the last event. */
static size_t at_last(void)
{
    return cursor.at - LANES;
}

/* Remembers the store that was logged just now. The race detector looks at words. */
static inline __attribute__((always_inline)) void await_store(const void *address, unsigned bytes)
{
    cursor.store.address = bytes < 4 ? NULL : address;
    if (bytes < 4) return;
    if (bytes > 4) cursor.store.more = bytes / 4 - 1;
    cursor.store.same = log_same(cursor.log, at_last());
    memcpy(cursor.store.was, address, bytes);
}

static __attribute__((noinline)) void note_store_slowly(const void *address, unsigned size_code,
                                                        uintptr_t pc)
{
    cursor.store.address = NULL;
    if (note_slowly(address, size_code, ACCESS_STORE, pc))
        await_store(address, 1u << (size_code - 1));
}

/* Logs a store that is about to happen. */
static inline __attribute__((always_inline)) void note_store(const void *address,
                                                             unsigned size_code, uintptr_t pc)
{
    cursor_compare();
    if (note_common(address, size_code, ACCESS_STORE, pc))
        await_store(address, 1u << (size_code - 1));
    else
        note_store_slowly(address, size_code, pc);
}

/* Logs one of several accesses that happen at an unknown time. */
static void note_piece(const void *address, unsigned size_code, enum access_kind kind, uintptr_t pc)
{
    if (note(address, size_code, kind, pc)) *log_same(cursor.log, at_last()) = false;
}

/* Accesses of other sizes, such as copies of structs: in pieces that a GPU would use. */
void access_announce(const void *address, size_t bytes, enum access_kind kind, uintptr_t pc)
{
    cursor_settle();
    while (bytes > 0) {
        unsigned size_code = 5;
        while (size_code > 1 &&
               ((uintptr_t)address % (1u << (size_code - 1)) != 0 || bytes < 1u << (size_code - 1)))
            size_code--;
        note_piece(address, size_code, kind, pc);
        address = (const char *)address + (1u << (size_code - 1));
        bytes -= 1u << (size_code - 1);
    }
}

void access_announce_copy(const void *shared, size_t bytes, bool arrived, uintptr_t pc)
{
    uint64_t offset = (uint64_t)((const char *)shared - cursor.shared);
    unsigned size_code = bytes == 16 ? 5 : bytes == 8 ? 4 : 3;
    if (offset >= cursor.shared_bytes)
        refuse("shared-out-of-bounds", NULL, bytes, ACCESS_COPY, pc, ERROR_ILLEGAL_ADDRESS);
    if (offset % bytes != 0)
        refuse("misaligned-access", NULL, bytes, ACCESS_COPY, pc, ERROR_MISALIGNED_ADDRESS);
    if (cursor.block > pc) append_block();
    cursor.block = 0;
    append(event_to_log(pc, ACCESS_COPY, size_code),
           offset + SHARED_OFFSET + (arrived ? SHARED_ARRIVED : 0));
}

void access_note_swap(const void *at)
{
    bool shared = (uint64_t)((const char *)at - cursor.shared) < cursor.shared_bytes;
    if (cursor.log != NULL && !shared)
        contention_note_swap(&running_worker->tally.atomics, shadow_offset(at));
}

/* ---- the compiler's callbacks --------------------------------------------------------------- */

/* The block is not later in the code than the one before it, or that one has used vectors. */
static __attribute__((noinline)) void enter_slowly(uintptr_t pc)
{
    bool back = true;
    if (UNLIKELY(cursor.log == NULL) && lane_runs) running_give_entry(pc);
    if (UNLIKELY(cursor.vectors > 0)) {
        cursor_forget_vectors();
        back = cursor.block + cursor.again > pc;
    }
    if (back) append_block();
    cursor.block = pc;
}

static inline void enter_block(uintptr_t pc)
{
    if (UNLIKELY(cursor.block + cursor.again > pc))
        enter_slowly(pc);
    else
        cursor.block = pc;
}

/* A function that compiled code calls; an access of this many bytes in it. */
#define CALLBACK(NAME, PARAMETERS, ACTION)                                                         \
    void NAME PARAMETERS;                                                                          \
    void NAME PARAMETERS                                                                           \
    {                                                                                              \
        const uintptr_t pc = RETURN_ADDRESS;                                                       \
        ACTION;                                                                                    \
    }
#define SIZE_CODE(BYTES) ((unsigned)__builtin_ctz(BYTES) + 1)

CALLBACK(__sanitizer_cov_trace_pc, (void), enter_block(pc))

#define LOAD_CALLBACK(NAME, BYTES)                                                                 \
    CALLBACK(NAME, (const void *address), note(address, SIZE_CODE(BYTES), ACCESS_LOAD, pc))
#define STORE_CALLBACK(NAME, BYTES)                                                                \
    CALLBACK(NAME, (const void *address), note_store(address, SIZE_CODE(BYTES), pc))

#define CALLBACKS(BYTES)                                                                           \
    LOAD_CALLBACK(__tsan_read##BYTES, BYTES)                                                       \
    STORE_CALLBACK(__tsan_write##BYTES, BYTES)                                                     \
    LOAD_CALLBACK(__tsan_unaligned_read##BYTES, BYTES)                                             \
    STORE_CALLBACK(__tsan_unaligned_write##BYTES, BYTES)                                           \
    LOAD_CALLBACK(__tsan_volatile_read##BYTES, BYTES)                                              \
    STORE_CALLBACK(__tsan_volatile_write##BYTES, BYTES)

CALLBACKS(1)
CALLBACKS(2)
CALLBACKS(4)
CALLBACKS(8)
CALLBACKS(16)

/*
 * nvcc makes one access of the accesses to all members of a vector: v[i].x = …; v[i].y = … is one
 * store of 16 bytes. g++ announces each member, so they are joined here, within a basic block.
 * members.awk puts calls of these functions in place of ThreadSanitizer's.
 */

/* The index of a member that is not known. */
enum { ANY_MEMBER = 4 };

/* The vector, if the basic block has accessed members of this size in this way; else NULL. */
static struct vector *find_vector(uint64_t start, unsigned bytes, unsigned size,
                                  enum access_kind kind)
{
    struct vector *vectors = running_worker->vectors;
    for (unsigned i = 0; i < cursor.vectors; i++)
        if (vectors[i].bytes == bytes && vectors[i].size == size && vectors[i].start == start &&
            event_kind(*log_event(cursor.log, vectors[i].at)) == kind)
            return &vectors[i];
    return NULL;
}

/* Remembers the vector whose first access was logged just now. */
static void remember_vector(uint64_t start, unsigned bytes, unsigned size, unsigned members)
{
    if (cursor.vectors == VECTORS_MAX) return;
    cursor.again |= AGAIN_VECTORS;
    running_worker->vectors[cursor.vectors++] = (struct vector){
        .bytes = bytes, .size = size, .members = members, .start = start, .at = at_last()};
}

/* Widens the vector's logged access to one more member. */
static void widen(const struct vector *vector, uint64_t offset, unsigned size)
{
    uint32_t *event = log_event(cursor.log, vector->at);
    uint64_t *logged = log_offset(cursor.log, vector->at);
    unsigned code = event_size_code(*event);
    uint64_t first = *logged, end = first + (1u << (code - 1));
    if (offset < first) first = offset;
    if (offset + size > end) end = offset + size;
    while (first / (1u << (code - 1)) != (end - 1) / (1u << (code - 1)))
        code++;
    *event = event_make(event_place(*event), event_kind(*event), code);
    *logged = first & ~(uint64_t)((1u << (code - 1)) - 1);
}

/* Can the events since the vector's first member keep nvcc from joining its members? Loads do not
 * pass stores, and stores pass only each other's members. */
static bool is_held_up(const struct vector *vector, enum access_kind kind)
{
    unsigned others = 0;
    for (size_t at = vector->at + LANES; at < cursor.at; at += LANES) {
        if (event_kind(*log_event(cursor.log, at)) != kind) return true;
        others++;
    }
    return kind == ACCESS_STORE && others + 2 > (unsigned)__builtin_popcount(vector->members);
}

/* A vector that is not aligned: each member is a separate access, until nvcc would join some that a
 * GPU then refuses. nvcc joins all four, the first two, and the last two. */
static void note_misaligned(const void *address, unsigned size_code, unsigned vector_bytes,
                            unsigned index, uint64_t offset, enum access_kind kind, uintptr_t pc)
{
    unsigned size = 1u << (size_code - 1), wide = size;
    uint64_t start = offset - index * size;
    struct vector *vector = find_vector(start, vector_bytes, size, kind);
    if (vector != NULL) {
        unsigned members = vector->members |= 1u << index;
        if (members == 15)
            wide = 4 * size;
        else if ((members & 3) == 3 || (members & 12) == 12)
            wide = 2 * size;
        if (size >= 4 && start % wide != 0 && !is_held_up(vector, kind)) {
            const void *from =
                shared_is_offset(offset) ? NULL : (const char *)address - index * size;
            fault_here("misaligned-access",
                       image_pc(event_place(event_from_log(*log_event(cursor.log, vector->at)))),
                       from, wide, access_name(kind),
                       "the members of a vector are accessed together");
            running_abort(ERROR_MISALIGNED_ADDRESS);
        }
    }
    append_access(offset, size_code, kind, pc);
    *log_same(cursor.log, at_last()) = false;
    if (vector == NULL) remember_vector(start, vector_bytes, size, 1u << index);
}

static void note_member(const void *address, unsigned size_code, unsigned vector_bytes,
                        unsigned index, enum access_kind kind, uintptr_t pc)
{
    unsigned size = 1u << (size_code - 1);
    uint64_t offset;
    cursor_settle();
    if (cursor.log == NULL || !find_offset(address, size, kind, pc, &offset)) return;
    if (index != ANY_MEMBER && (offset - index * size) % vector_bytes != 0) {
        note_misaligned(address, size_code, vector_bytes, index, offset, kind, pc);
        return;
    }
    uint64_t start = offset - offset % vector_bytes;
    const struct vector *vector = find_vector(start, vector_bytes, size, kind);
    if (vector != NULL) {
        widen(vector, offset, size);
        return;
    }
    append_access(offset, size_code, kind, pc);
    *log_same(cursor.log, at_last()) = false;
    remember_vector(start, vector_bytes, size, 0);
}

#define MEMBER_CALLBACK(NAME, INDEX, BYTES, VECTOR_BYTES, KIND)                                    \
    CALLBACK(NAME, (const void *address),                                                          \
             note_member(address, SIZE_CODE(BYTES), VECTOR_BYTES, INDEX, KIND, pc))

#define NAMED_CALLBACKS(NAME, ...)                                                                 \
    MEMBER_CALLBACK(NAME, ANY_MEMBER, __VA_ARGS__)                                                 \
    MEMBER_CALLBACK(NAME##_x, 0, __VA_ARGS__)                                                      \
    MEMBER_CALLBACK(NAME##_y, 1, __VA_ARGS__)                                                      \
    MEMBER_CALLBACK(NAME##_z, 2, __VA_ARGS__)                                                      \
    MEMBER_CALLBACK(NAME##_w, 3, __VA_ARGS__)

#define MEMBER_CALLBACKS(BYTES, VECTOR_BYTES)                                                      \
    NAMED_CALLBACKS(warpup_read##BYTES##_of##VECTOR_BYTES, BYTES, VECTOR_BYTES, ACCESS_LOAD)       \
    NAMED_CALLBACKS(warpup_write##BYTES##_of##VECTOR_BYTES, BYTES, VECTOR_BYTES, ACCESS_STORE)

/* No vector of CUDA's has such members, but a struct that the program aligns may. */
#define STRUCT_CALLBACKS(BYTES, ALIGNMENT)                                                         \
    MEMBER_CALLBACK(warpup_read##BYTES##_of##ALIGNMENT, ANY_MEMBER, BYTES, ALIGNMENT, ACCESS_LOAD) \
    MEMBER_CALLBACK(warpup_write##BYTES##_of##ALIGNMENT, ANY_MEMBER, BYTES, ALIGNMENT, ACCESS_STORE)

MEMBER_CALLBACKS(1, 2)
MEMBER_CALLBACKS(1, 4)
MEMBER_CALLBACKS(2, 4)
MEMBER_CALLBACKS(2, 8)
MEMBER_CALLBACKS(4, 8)
MEMBER_CALLBACKS(4, 16)
MEMBER_CALLBACKS(8, 16)
STRUCT_CALLBACKS(1, 8)
STRUCT_CALLBACKS(1, 16)
STRUCT_CALLBACKS(2, 16)

#define RANGE (const void *address, size_t bytes)

CALLBACK(__tsan_read_range, RANGE, access_announce(address, bytes, ACCESS_LOAD, pc))
CALLBACK(__tsan_write_range, RANGE, access_announce(address, bytes, ACCESS_STORE, pc))

/* A struct, in pieces of its alignment, as nvcc moves it. compile calls these functions in the
 * place of ThreadSanitizer's (aggregates.awk). */
static void note_pieces(const void *address, size_t bytes, unsigned size_code,
                        enum access_kind kind, uintptr_t pc)
{
    cursor_settle();
    for (size_t done = 0; done < bytes; done += 1u << (size_code - 1))
        note_piece((const char *)address + done, size_code, kind, pc);
}

#define PIECES_CALLBACKS(BYTES, ACCESS, KIND)                                                      \
    CALLBACK(warpup_##ACCESS##_by##BYTES, RANGE,                                                   \
             note_pieces(address, bytes, SIZE_CODE(BYTES), KIND, pc))                              \
    CALLBACK(warpup_##ACCESS##16_by##BYTES, (const void *address),                                 \
             note_pieces(address, 16, SIZE_CODE(BYTES), KIND, pc))

#define RANGE_CALLBACKS(BYTES)                                                                     \
    PIECES_CALLBACKS(BYTES, read, ACCESS_LOAD)                                                     \
    PIECES_CALLBACKS(BYTES, write, ACCESS_STORE)

RANGE_CALLBACKS(1)
RANGE_CALLBACKS(2)
RANGE_CALLBACKS(4)
RANGE_CALLBACKS(8)
RANGE_CALLBACKS(16)

/* Compiled code also calls these functions of ThreadSanitizer. They have no meaning for a kernel.
 */
CALLBACK(__tsan_init, (void), (void)pc)
CALLBACK(__tsan_func_entry, (void), (void)pc)
CALLBACK(__tsan_func_exit, (void), (void)pc)
CALLBACK(__tsan_vptr_update, (void), (void)pc)
CALLBACK(__tsan_vptr_read, (void), (void)pc)
