/*
 * surface.c: suld.b and sust.b: reading and writing surfaces of one and two dimensions as they are
 * in memory. Columns are counted in bytes. Outside of the surface an access ends the kernel
 * (.trap), is moved to the edge (.clamp), or reads zeros and writes nothing (.zero).
 */
#include "gpu/warp/launch.h"
#include "gpu/warp/texture.h"

enum { ELEMENT_MAX = 16 };

struct surface_access {
    unsigned part, count, dimensions; /* bytes of a part; parts; axes */
    bool store;
    enum ptx_modifier outside; /* M_trap, M_clamp, M_zero */
};

static bool surface_access_of(const struct ptx_instruction *i, struct surface_access *access)
{
    static const uint8_t known[] = {M_b,    M_geom_1d, M_geom_2d, M_v2, M_v4, M_trap, M_clamp,
                                    M_zero, M_ca,      M_cg,      M_cs, M_cv, M_wb,   M_wt};
    for (int k = 0; k < i->modifier_count; k++)
        if (memchr(known, i->modifiers[k], sizeof known) == NULL) return false;
    switch (i->types[0]) {
    case TYPE_b8: access->part = 1; break;
    case TYPE_b16: access->part = 2; break;
    case TYPE_b32: access->part = 4; break;
    case TYPE_b64: access->part = 8; break;
    default: return false;
    }
    access->store = i->opcode == OP_sust;
    access->dimensions = (unsigned)dimensions_of(i);
    access->count = ptx_has(i, M_v4) ? 4 : ptx_has(i, M_v2) ? 2 : 1;
    access->outside = ptx_has(i, M_zero) ? M_zero : ptx_has(i, M_clamp) ? M_clamp : M_trap;
    return ptx_has(i, M_b) && access->dimensions != 0 &&
           access->part * access->count <= ELEMENT_MAX;
}

static void fail(struct warp *warp, const struct ptx_instruction *i, unsigned lane,
                 const char *name, const char *detail, int error)
{
    warp_fault(warp, i, lane, name, detail);
    warp_fail(warp, error);
}

/* Where each lane's access goes; returns the lanes that have one. False in *good: the kernel ends.
 */
static uint32_t surface_places(struct warp *warp, const struct ptx_instruction *i,
                               const struct texture_object *object,
                               const struct surface_access *access, uint32_t lanes,
                               uint64_t address[LANES], bool *good)
{
    const struct ptx_operand *parts = parts_of(i->detail, &i->operand[access->store ? 1 : 2]);
    int64_t bytes = access->part * access->count,
            last = (int64_t)(object->width * object->element) - bytes;
    int64_t rows = (int64_t)object->height;
    uint32_t inside = 0;
    EACH_LANE (l, lanes) {
        int64_t x = OPERAND_OF(warp, &parts[0], const int32_t)[l];
        int64_t y = access->dimensions == 2 ? OPERAND_OF(warp, &parts[1], const int32_t)[l] : 0;
        bool within = x >= 0 && x <= last && y >= 0 && y < rows;
        if (!within && access->outside == M_zero) continue;
        if (!within && access->outside == M_trap) {
            fail(warp, i, l, "out-of-bounds", "the place is outside of the surface; x counts bytes",
                 LAUNCH_ILLEGAL_ADDRESS);
            return *good = false;
        }
        x = x > last ? last : x, x = x < 0 ? 0 : x;
        y = y >= rows ? rows - 1 : y < 0 ? 0 : y;
        if (x % bytes != 0) {
            fail(warp, i, l, "misaligned-access",
                 "x counts bytes, and has to be a multiple of the element's size",
                 LAUNCH_MISALIGNED);
            return *good = false;
        }
        address[l] = (uint64_t)(uintptr_t)object->base + (uint64_t)y * object->pitch + (uint64_t)x;
        inside |= UINT32_C(1) << l;
    }
    return inside;
}

/* A register is wider than a part of one byte. */
static void move_parts(struct warp *warp, const struct ptx_instruction *i,
                       const struct surface_access *access, unsigned char *data, uint32_t lanes)
{
    const struct ptx_operand *parts = parts_of(i->detail, &i->operand[access->store ? 2 : 0]);
    for (unsigned k = 0; k < access->count; k++) {
        if (parts[k].kind != OPERAND_VALUE) continue;
        void *values = OPERAND_OF(warp, &parts[k], char);
        EACH_LANE (l, lanes) {
            unsigned char *at = data + (l * access->count + k) * access->part;
            uint64_t bits = access->store ? lane_bits(values, parts[k].bytes, l) : 0;
            memcpy(access->store ? (void *)at : &bits, access->store ? (void *)&bits : at,
                   access->part);
            if (!access->store) set_lane_bits(values, parts[k].bytes, l, bits);
        }
    }
}

static void surface(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    struct surface_access access;
    uint32_t lanes;
    surface_access_of(i, &access);
    for (uint32_t left = mask; left != 0; left &= ~lanes) {
        uint64_t address[LANES] = {0};
        unsigned char data[LANES * ELEMENT_MAX] = {0};
        bool good = true;
        const struct ptx_operand *handle = &i->operand[access.store ? 0 : 1];
        const struct texture_object *object = next_object(warp, i, handle, true, left, &lanes);
        if (object == NULL) return;
        uint32_t inside = surface_places(warp, i, object, &access, lanes, address, &good);
        if (!good) return;
        if (access.store) move_parts(warp, i, &access, data, inside);
        if (inside != 0)
            access_values(warp, i, access.store, SPACE_GLOBAL, inside, address,
                          access.part * access.count, data);
        if (!access.store) move_parts(warp, i, &access, data, lanes);
    }
}

ptx_execute *select_surface(const struct ptx_function *function, struct ptx_instruction *i)
{
    struct surface_access access;
    if (i->operand_count != 3 || !surface_access_of(i, &access)) return NULL;
    const struct ptx_operand *elements = function->elements,
                             *handle = &i->operand[access.store ? 0 : 1];
    const struct ptx_operand *place = &i->operand[access.store ? 1 : 2],
                             *values = &i->operand[access.store ? 2 : 0];
    unsigned bytes = access.part == 1 ? 2 : access.part;
    if (handle->kind != OPERAND_VALUE || handle->bytes != 8 ||
        part_count(place) < access.dimensions)
        return NULL;
    for (unsigned k = 0; k < access.dimensions; k++)
        if (parts_of(elements, place)[k].kind != OPERAND_VALUE ||
            parts_of(elements, place)[k].bytes != 4)
            return NULL;
    if (!are_parts(elements, values, bytes) || part_count(values) != access.count) return NULL;
    i->detail = elements;
    return surface;
}
