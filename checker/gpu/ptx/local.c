/*
 * local.c: local memory whose addresses are known. Compilers reach it through %SP and %SPL:
 *
 *     mov.u64 %SPL, __local_depot0;  cvta.local.u64 %SP, %SPL;  add.u64 %rd1, %SP, 8;  st.u32
 * [%rd1+4], %r1;
 *
 * First, each access through such a chain becomes one of the frame's bytes (`local`, offset 12).
 * Second, bytes whose address goes nowhere else become registers: at -O0 nearly every variable is
 * one of these.
 *
 * Which bytes may be reached through an address that does go elsewhere (into a sum with an index, a
 * call, memory)? All of the object that it points into. Debug information says where variables
 * begin (objects.c), and no object goes across such a start; so the bytes from the last start
 * before the address up to the next one are kept in memory. An address just past the end of an
 * object, which may be used to walk back into it, is the start of the next: then the object before
 * is kept too, unless it is one number that is never accessed in part. Without debug information
 * everything is kept as soon as any address goes elsewhere.
 */
#include "gpu/ptx/flow.h"
#include "gpu/ptx/local.h"

#include <stdlib.h>
#include <string.h>

/* A register that holds an address in the frame. */
struct local_address {
    bool is, generic;
    int64_t offset;
};

struct local {
    struct reader *reader;
    size_t register_count;           /* before new ones are made */
    struct local_address *addresses; /* by register */
    struct slots slots;
    int64_t *escapes; /* offsets of addresses that go elsewhere */
    size_t escape_count, escape_room;
};

/* ---- Registers with known addresses --------------------------------------------------------- */

static const struct local_address *local_address_of(const struct local *local,
                                                    const struct ptx_operand *one)
{
    bool is_register =
        (one->kind == OPERAND_VALUE || one->kind == OPERAND_ADDRESS) && one->base == BASE_FRAME;
    return is_register && local->addresses[one->at].is ? &local->addresses[one->at] : NULL;
}

/* The address in the frame that the instruction's result is, if it is one. */
static struct local_address derive(const struct local *local, const struct ptx_instruction *one)
{
    const struct ptx_operand *a = &one->operand[1], *b = &one->operand[2];
    const struct local_address *from = one->operand_count > 1 ? local_address_of(local, a) : NULL;
    struct local_address result = {.is = false};
    switch (one->opcode) {
    case OP_mov:
        if (one->operand_count == 2 && a->kind == OPERAND_VALUE && a->local && a->bytes == 8)
            return (struct local_address){.is = true, .offset = (int64_t)a->value};
        return from == NULL ? result : *from;
    case OP_cvta:
        if (from == NULL || one->space != SPACE_LOCAL || from->generic != ptx_has(one, M_to))
            return result;
        return (struct local_address){
            .is = true, .generic = !from->generic, .offset = from->offset};
    case OP_add:
    case OP_sub:
    case OP_or:
        if (from == NULL || one->operand_count != 3 || !b->immediate || a->bytes != 8)
            return result;
        if (one->opcode == OP_or && (from->offset & (int64_t)b->value) != 0) return result;
        result = *from;
        result.offset += one->opcode == OP_sub ? -(int64_t)b->value : (int64_t)b->value;
        result.is = result.offset >= 0 && result.offset <= UINT32_MAX;
        return result;
    default: return result;
    }
}

static void find_local_addresses(struct local *local)
{
    struct body *body = &local->reader->body;
    const uint8_t *definitions = count_definitions(local->reader);
    for (size_t k = 0; k < body->count; k++) {
        const struct ptx_instruction *one = &body->code[k];
        const struct ptx_operand *d = &one->operand[0];
        if (one->results != 1 || one->guard >= 0 || !ptx_is_register(d) || d->bytes != 8) continue;
        if (definitions[d->at] == 1) local->addresses[d->at] = derive(local, one);
    }
}

/* ---- Where they go -------------------------------------------------------------------------- */

static void look_at_operand(struct local *local, const struct ptx_operand *one)
{
    const struct local_address *own = local_address_of(local, one);
    if (one->kind == OPERAND_VECTOR)
        for (unsigned k = 0; k < one->count; k++)
            look_at_operand(local, &local->reader->body.elements[one->first + k]);
    bool goes =
        own != NULL || (one->local && (one->kind == OPERAND_VALUE || one->kind == OPERAND_ADDRESS));
    if (!goes) return;
    ADD(local->escapes, local->escape_count, local->escape_room) = own != NULL ? own->offset
                                                                   : one->kind == OPERAND_VALUE
                                                                       ? (int64_t)one->value
                                                                       : one->offset;
}

/* The frame's byte that a load or store accesses, from now on without a register; -1: it is another
 * one. */
static int64_t resolve(struct local *local, struct ptx_instruction *one)
{
    if (one->opcode != OP_ld && one->opcode != OP_st) return -1;
    struct ptx_operand *address = &one->operand[one->opcode == OP_ld];
    if (address->kind != OPERAND_ADDRESS) return -1;
    const struct local_address *own = local_address_of(local, address);
    if (own != NULL && one->space == (own->generic ? SPACE_GENERIC : SPACE_LOCAL)) {
        int64_t offset = own->offset + address->offset;
        *address = (struct ptx_operand){.kind = OPERAND_ADDRESS,
                                        .base = BASE_CONSTANT,
                                        .bytes = 8,
                                        .local = true,
                                        .offset = offset};
        one->space = SPACE_LOCAL;
    }
    if (!address->local || address->offset < 0) return -1;
    return address->offset;
}

static void look_at(struct local *local, struct ptx_instruction *one)
{
    const struct ptx_operand *d = &one->operand[0];
    int64_t at = resolve(local, one);
    if (one->results == 1 && ptx_is_register(d) && local->addresses[d->at].is)
        return; /* of the chain */
    if (at >= 0) {
        slots_add(&local->slots, (uint32_t)at, (uint32_t)one->bytes * one->vector,
                  one->vector != 1 || one->bytes > 8 || one->bytes == 0 ||
                      ptx_has(one, M_volatile));
        look_at_operand(local, &one->operand[one->opcode == OP_st]);
        return;
    }
    for (unsigned k = one->results; k < one->operand_count; k++)
        look_at_operand(local, &one->operand[k]);
    if (one->call != NULL) look_at_operand(local, &one->call->through);
}

/* ---- What stays in memory ------------------------------------------------------------------- */

/* Is all that is known of these bytes one number? */
static bool is_number(const struct local *local, uint64_t from, uint64_t to)
{
    return to - from <= 8 && slots_find(&local->slots, from, (uint32_t)(to - from)) != NULL;
}

/* The object around an address: between the start before it and the one after it. */
static struct local_range object_around(const struct local *local, const struct objects *objects,
                                        int64_t offset)
{
    uint64_t at = offset < 0 ? 0 : (uint64_t)offset, before = 0,
             to = local->reader->body.local_bytes;
    struct local_range range = {.from = 0};
    for (size_t k = 0; k < objects->count; k++) {
        uint32_t start = objects->starts[k].offset;
        if (start > at) {
            to = start;
            break;
        }
        if (start > range.from) before = range.from;
        range.from = start;
        range.name = objects->starts[k].name;
    }
    if (at == range.from && at > before && !is_number(local, before, at)) {
        range.from = (uint32_t)before;
        range.name = NULL;
    }
    range.to = (uint32_t)to;
    return range;
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void keep_reached(struct local *local, const struct objects *objects)
{
    if (local->escape_count == 0) return;
    if (objects->count == 0) {
        slots_keep(&local->slots, 0, UINT64_MAX);
        return;
    }
    qsort(local->escapes, local->escape_count, sizeof *local->escapes, ascending);
    for (size_t k = 0; k < local->escape_count; k++) {
        if (k > 0 && local->escapes[k] == local->escapes[k - 1]) continue;
        struct local_range range = object_around(local, objects, local->escapes[k]);
        slots_keep(&local->slots, range.from, range.to);
    }
}

/* Which variable each register with a known address points to: spaces.c follows it on. */
static void find_ranges(struct local *local, const struct objects *objects)
{
    struct body *body = &local->reader->body;
    if (objects->count == 0 || local->escape_count == 0) return;
    body->ranges = BY_REGISTER(local->reader, body->ranges);
    for (size_t r = 0; r < local->register_count; r++)
        if (local->addresses[r].is && local->addresses[r].generic)
            body->ranges[r] = object_around(local, objects, local->addresses[r].offset);
}

/* ---- Registers instead of memory ------------------------------------------------------------ */

static uint8_t register_bytes_for(uint8_t bytes)
{
    return bytes == 1 ? 2 : bytes;
}

/* The type of 1, 2, 4 or 8 bytes. */
static uint8_t type_for(unsigned bytes, char kind)
{
    static const uint8_t bits[] = {TYPE_u8, TYPE_b16, TYPE_b32, TYPE_b64};
    static const uint8_t with_sign[] = {TYPE_s8, TYPE_s16, TYPE_s32, TYPE_s64};
    static const uint8_t without[] = {TYPE_u8, TYPE_u16, TYPE_u32, TYPE_u64};
    int power = bytes <= 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
    return (kind == 'b' ? bits : kind == 's' ? with_sign : without)[power];
}

/* The load or store becomes a move between d and s, of which memory's side has `bytes` bytes.
 * `parts`: one of the two is a vector of all. */
static void make_move(struct ptx_instruction *one, struct ptx_operand d, struct ptx_operand s,
                      bool parts)
{
    bool load = one->opcode == OP_ld;
    unsigned bytes = one->bytes, other = load ? d.bytes : s.bytes;
    char kind = load && ptx_is_signed((enum ptx_type)one->types[one->type_count - 1]) ? 's' : 'u';
    one->modifier_count = 0;
    one->access = -1;
    one->space = SPACE_GENERIC;
    one->results = 1;
    one->promoted = true;
    one->operand[0] = d;
    one->operand[1] = s;
    one->type_count = 1;
    if (!parts) one->bytes = d.bytes;
    if (parts || s.immediate || (other == bytes && bytes > 1) ||
        (load && kind == 'u' && bytes == 1 && other == 2)) {
        one->opcode = OP_mov;
        one->types[0] = type_for(parts ? bytes : d.bytes < 2 ? 2 : d.bytes, 'b');
        return;
    }
    one->opcode = OP_cvt;
    one->type_count = 2;
    one->types[0] = type_for(load ? d.bytes : bytes, kind);
    one->types[1] = type_for(load ? bytes : s.bytes, kind);
}

/* The register of a part. */
static struct ptx_operand part_of(struct local *local, struct slot *slot)
{
    uint8_t bytes = register_bytes_for((uint8_t)slot->bytes);
    if (slot->number < 0) slot->number = new_register(local->reader, bytes);
    return (struct ptx_operand){
        .kind = OPERAND_VALUE, .base = BASE_FRAME, .bytes = bytes, .at = (int32_t)slot->number};
}

/* Several parts as one value: {a, b}. */
static struct ptx_operand parts_of(struct local *local, const struct slot *slot)
{
    struct ptx_operand list[4];
    unsigned count = 0;
    for (; count < slot->bytes / slot->part; count++)
        list[count] =
            part_of(local, slots_find(&local->slots, slot->at + count * slot->part, slot->part));
    return new_vector(local->reader, list, count);
}

static void promote(struct local *local, struct ptx_instruction *one)
{
    int64_t at = one->access >= 0 ? resolve(local, one) : -1;
    struct slot *slot = at < 0 ? NULL : slots_find(&local->slots, (uint64_t)at, one->bytes);
    if (slot == NULL) return;
    bool whole = slot->bytes == slot->part;
    struct ptx_operand parts = whole ? part_of(local, slot) : parts_of(local, slot);
    struct ptx_operand value = one->operand[one->opcode == OP_st];
    if (value.immediate && one->bytes == 1) {
        value.value &= 255;
        value.bytes = 2;
        value.at = constant_of(local->reader, 2, value.value);
    }
    if (one->opcode == OP_ld)
        make_move(one, value, parts, !whole);
    else
        make_move(one, parts, value, !whole);
}

/* Values that a move cannot make keep their bytes in memory: it is all or none for a slot. */
static void keep_unmovable(struct local *local)
{
    struct body *body = &local->reader->body;
    for (size_t k = 0; k < body->count; k++) {
        struct ptx_instruction *one = &body->code[k];
        int64_t at = one->access >= 0 ? resolve(local, one) : -1;
        if (at < 0) continue;
        const struct ptx_operand *value = &one->operand[one->opcode == OP_st];
        const struct slot *slot = slots_find(&local->slots, (uint64_t)at, one->bytes);
        bool parts = slot != NULL && slot->bytes != slot->part;
        bool fits =
            parts ? value->bytes == one->bytes : value->bytes >= register_bytes_for(one->bytes);
        bool movable =
            value->kind == OPERAND_VALUE && (value->immediate || fits) && !is_changing(value);
        if (!movable) slots_keep(&local->slots, (uint64_t)at, (uint64_t)at + one->bytes);
    }
}

void fold_local(struct reader *reader)
{
    struct body *body = &reader->body;
    struct local local = {.reader = reader};
    body->ranges = NULL;
    if (body->local_variables == 0) return;
    local.addresses = BY_REGISTER(reader, local.addresses);
    local.register_count = body->register_count;
    find_local_addresses(&local);
    for (size_t k = 0; k < body->count; k++)
        look_at(&local, &body->code[k]);
    struct objects objects = {NULL, 0};
    if (body->local_variables == 1) objects = objects_of(reader, &body->local_name);
    if (local.slots.count > 0) {
        slots_group(&local.slots);
        keep_reached(&local, &objects);
        keep_unmovable(&local);
        slots_settle(&local.slots);
        for (size_t k = 0; k < body->count; k++)
            promote(&local, &body->code[k]);
    }
    find_ranges(&local, &objects);
    free(local.slots.list);
    free(local.escapes);
}
