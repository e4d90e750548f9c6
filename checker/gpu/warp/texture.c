/*
 * texture.c: tex, tld4, txq: reading textures of one and two dimensions; suld.b and sust.b: reading
 * and writing surfaces as they are in memory. The rules of coordinates and filters are those of the
 * CUDA programming guide, "Texture Fetching". An element that is read is one access of its size;
 * each of the elements that a filter needs is a request of all lanes.
 */
#include "gpu/textures/object.h"
#include "gpu/warp/half.h"
#include "gpu/warp/launch.h"

enum { PARTS = 4, AXES = 2, WEIGHTS = 256 /* steps of a linear filter's weights */ };
enum { ELEMENT_MAX = 16 };

/* Columns and rows of each lane. */
typedef int64_t positions[AXES][LANES];

/* The values that the lanes of a warp have read so far. */
struct fetched {
    double sum[LANES][PARTS];
    uint32_t words[LANES][PARTS];
};

/* How many dimensions the instruction's shape has: 1 or 2; 0: it is another shape. */
static int dimensions_of(const struct ptx_instruction *i)
{
    return ptx_has(i, M_geom_1d) ? 1 : ptx_has(i, M_geom_2d) ? 2 : 0;
}

static void fail(struct warp *warp, const struct ptx_instruction *i, unsigned lane,
                 const char *name, const char *detail, int error)
{
    warp_fault(warp, i, lane, name, detail);
    warp_fail(warp, error);
}

/* The lanes of `left` that name the same object as the first of them, and the object. If there is
 * none, the fault is noted, and it is NULL. */
static const struct texture_object *next_object(struct warp *warp, const struct ptx_instruction *i,
                                                int handle, bool surface, uint32_t left,
                                                uint32_t *lanes)
{
    const uint64_t *handles = OPERAND_OF(warp, &i->operand[handle], const uint64_t);
    uint32_t first = (uint32_t)__builtin_ctz(left);
    *lanes = lanes_like_64(handles, left);
    const struct texture_object *object = texture_find(handles[first], surface);
    if (object == NULL)
        fail(warp, i, first, "use-after-free",
             surface ? "there is no such surface object" : "there is no such texture object",
             LAUNCH_ILLEGAL_ADDRESS);
    return object;
}

/* ---- elements ------------------------------------------------------------------------------- */

/* One part of an element, as a number; the integer itself in `word`. */
static double part_value(const struct texture_object *object, const unsigned char *from,
                         uint32_t *word)
{
    int bits = object->format.x;
    uint32_t raw = 0;
    memcpy(&raw, from, (size_t)bits / 8);
    *word = raw;
    if (object->format.f == cudaChannelFormatKindFloat)
        return bits == 16 ? short_value(FORMAT_F16, raw) : (double)float_of(raw);
    bool is_signed = object->format.f == cudaChannelFormatKindSigned;
    if (is_signed && bits < 32) *word = (uint32_t)((int32_t)(raw << (32 - bits)) >> (32 - bits));
    if (!is_signed) return raw / (ldexp(1, bits) - 1);
    return fmax((int32_t)*word / (ldexp(1, bits - 1) - 1), -1);
}

/* The column or row that a coordinate means; -1 outside of a texture with a border. Only normalised
 * coordinates wrap around. */
static int64_t addressed(const struct texture_object *object, int axis, int64_t index)
{
    enum cudaTextureAddressMode mode = object->texture.addressMode[axis];
    bool repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    int64_t size = (int64_t)(axis == 0 ? object->width : object->height);
    if (index >= 0 && index < size) return index;
    if (mode == cudaAddressModeBorder) return -1;
    if (!repeats || !object->texture.normalizedCoords) return index < 0 ? 0 : size - 1;
    int64_t repeat = index >= 0 ? index / size : -((size - 1 - index) / size);
    int64_t inside = index - repeat * size;
    return mode == cudaAddressModeMirror && repeat % 2 != 0 ? size - 1 - inside : inside;
}

/* Adds the elements at these columns and rows with a weight per lane; what is outside (-1) is the
 * border's. */
static void add_elements(struct warp *warp, const struct ptx_instruction *i,
                         const struct texture_object *object, positions at,
                         const double weight[LANES], uint32_t mask, struct fetched *fetched)
{
    uint64_t address[LANES] = {0};
    unsigned char data[LANES * ELEMENT_MAX] = {0};
    uint32_t inside = 0;
    size_t part = (size_t)object->format.x / 8;
    EACH_LANE (l, mask) {
        if (at[0][l] < 0 || at[1][l] < 0) {
            for (int k = 0; k < PARTS; k++)
                fetched->sum[l][k] += weight[l] * (double)object->texture.borderColor[k];
            continue;
        }
        inside |= UINT32_C(1) << l;
        address[l] = (uint64_t)(uintptr_t)object->base + (uint64_t)at[1][l] * object->pitch +
                     (uint64_t)at[0][l] * object->element;
    }
    if (inside == 0) return;
    inside = access_values(warp, i, false, SPACE_GLOBAL, inside, address, (uint32_t)object->element,
                           data);
    EACH_LANE (l, inside)
        for (size_t k = 0; k * part < object->element && k < PARTS; k++)
            fetched->sum[l][k] +=
                weight[l] *
                part_value(object, data + l * object->element + k * part, &fetched->words[l][k]);
}

/* ---- samples -------------------------------------------------------------------------------- */

/* The lanes' coordinates along an axis: in elements, or whole numbers. A NaN and a number far
 * outside mean the first or the last element. */
static void take_coordinates(double position[AXES][LANES], const struct warp *warp,
                             const struct ptx_instruction *i, const struct texture_object *object,
                             uint32_t mask)
{
    const struct ptx_operand *parts = registers_of(i->detail, &i->operand[2]);
    const size_t size[AXES] = {object->width, object->height};
    memset(position, 0, AXES * sizeof position[0]);
    for (int axis = 0; axis < dimensions_of(i); axis++)
        EACH_LANE (l, mask) {
            double x = (double)OPERAND_OF(warp, &parts[axis], const float)[l];
            if (object->texture.normalizedCoords) x *= (double)size[axis];
            position[axis][l] = x != x ? 0 : fmin(fmax(x, -1e15), 1e15);
        }
}

/* A place between two elements: the first one, and the weight of the second, rounded as by a GPU.
 */
static double split(double position, int64_t *first)
{
    double start = floor(position - 0.5);
    *first = (int64_t)start;
    return rint((position - 0.5 - start) * WEIGHTS) / WEIGHTS;
}

/* The element at a place; or of the neighbours around it the one `right` and `below`, with its
 * weight in a linear filter. */
static void take_point(const struct texture_object *object, double position[AXES][LANES],
                       uint32_t mask, positions at)
{
    for (int axis = 0; axis < AXES; axis++)
        EACH_LANE (l, mask)
            at[axis][l] = addressed(object, axis, (int64_t)floor(position[axis][l]));
}

static void take_neighbour(const struct texture_object *object, double position[AXES][LANES],
                           int dimensions, int right, int below, uint32_t mask, positions at,
                           double weight[LANES])
{
    EACH_LANE (l, mask) {
        int64_t column, row = 0;
        double x = split(position[0][l], &column),
               y = dimensions == 1 ? 0 : split(position[1][l], &row);
        weight[l] = (right ? x : 1 - x) * (below ? y : 1 - y);
        at[0][l] = addressed(object, 0, column + right);
        at[1][l] = addressed(object, 1, row + below);
    }
}

/* By whole numbers, which are never normalised: outside there are zeros. Returns the lanes inside.
 */
static uint32_t take_whole(const struct warp *warp, const struct ptx_instruction *i,
                           const struct texture_object *object, uint32_t mask, positions at)
{
    const struct ptx_operand *parts = registers_of(i->detail, &i->operand[2]);
    uint32_t inside = 0;
    EACH_LANE (l, mask) {
        at[0][l] = OPERAND_OF(warp, &parts[0], const int32_t)[l];
        if (dimensions_of(i) == 2) at[1][l] = OPERAND_OF(warp, &parts[1], const int32_t)[l];
        bool within = at[0][l] >= 0 && at[1][l] >= 0 && (size_t)at[0][l] < object->width &&
                      (size_t)at[1][l] < object->height;
        if (within) inside |= UINT32_C(1) << l;
    }
    return inside;
}

/* ---- tex, tld4, txq ------------------------------------------------------------------------- */

/* Gives the kernel a part of the texture's value: integers of an element, or numbers as floats. */
static void give(struct warp *warp, const struct texture_object *object,
                 const struct fetched *fetched, const struct ptx_operand *to, unsigned part,
                 uint32_t lanes)
{
    bool whole = object->format.f != cudaChannelFormatKindFloat &&
                 object->texture.readMode == cudaReadModeElementType;
    if (to->kind != OPERAND_VALUE) return;
    EACH_LANE (l, lanes)
        OPERAND_OF(warp, to, uint32_t)
    [l] = whole ? fetched->words[l][part] : float_bits((float)fetched->sum[l][part]);
}

static const double one_each[LANES] = {[0 ... LANES - 1] = 1};

static void tex(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    const struct ptx_operand *parts = registers_of(i->detail, &i->operand[0]);
    uint32_t lanes;
    for (uint32_t left = mask; left != 0; left &= ~lanes) {
        struct fetched fetched = {0};
        double position[AXES][LANES], weight[LANES] = {0};
        positions at = {0};
        const struct texture_object *object = next_object(warp, i, 1, false, left, &lanes);
        if (object == NULL) return;
        if (i->types[1] == TYPE_s32) {
            uint32_t inside = take_whole(warp, i, object, lanes, at);
            if (inside != 0) add_elements(warp, i, object, at, one_each, inside, &fetched);
        } else {
            take_coordinates(position, warp, i, object, lanes);
            bool point = object->texture.filterMode == cudaFilterModePoint;
            if (point) take_point(object, position, lanes, at);
            if (point) add_elements(warp, i, object, at, one_each, lanes, &fetched);
            for (int k = 0; k < 2 * dimensions_of(i) && !point; k++) {
                take_neighbour(object, position, dimensions_of(i), k % 2, k / 2, lanes, at, weight);
                add_elements(warp, i, object, at, weight, lanes, &fetched);
            }
        }
        for (unsigned k = 0; k < register_count(&i->operand[0]) && k < PARTS; k++)
            give(warp, object, &fetched, &parts[k], k, lanes);
    }
}

/* One part of the four elements that a linear filter would need, against the clock from the lower
 * left. */
static void tld4(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    static const int right_of[PARTS] = {0, 1, 1, 0}, below_of[PARTS] = {1, 1, 0, 0};
    const struct ptx_operand *parts = registers_of(i->detail, &i->operand[0]);
    unsigned part = ptx_has(i, M_g) ? 1 : ptx_has(i, M_b) ? 2 : ptx_has(i, M_a) ? 3 : 0;
    double weight[LANES], position[AXES][LANES];
    uint32_t lanes;
    for (uint32_t left = mask; left != 0; left &= ~lanes) {
        const struct texture_object *object = next_object(warp, i, 1, false, left, &lanes);
        if (object == NULL) return;
        take_coordinates(position, warp, i, object, lanes);
        for (unsigned k = 0; k < PARTS; k++) {
            struct fetched fetched = {0};
            positions at = {0};
            take_neighbour(object, position, AXES, right_of[k], below_of[k], lanes, at, weight);
            add_elements(warp, i, object, at, one_each, lanes, &fetched);
            give(warp, object, &fetched, &parts[k], part, lanes);
        }
    }
}

/* txq and suq: a size. */
static void query(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    uint32_t lanes;
    for (uint32_t left = mask; left != 0; left &= ~lanes) {
        const struct texture_object *object =
            next_object(warp, i, 1, i->opcode == OP_suq, left, &lanes);
        if (object == NULL) return;
        uint32_t size = (uint32_t)(ptx_has(i, M_width) ? object->width : object->height);
        uint32_t *d = D_OF(warp, i, uint32_t);
        EACH_LANE (l, lanes)
            d[l] = size;
    }
}

/* ---- suld.b and sust.b ---------------------------------------------------------------------- */

/* Where each lane's access goes: x counts bytes. Outside of the surface an access ends the kernel
 * (.trap), is moved to the edge (.clamp), or reads zeros and writes nothing (.zero). Returns the
 * lanes that have an access; *good: the kernel goes on. */
static uint32_t surface_positions(struct warp *warp, const struct ptx_instruction *i,
                                  const struct texture_object *object, uint32_t lanes,
                                  uint64_t address[LANES], bool *good)
{
    const struct ptx_operand *parts =
        registers_of(i->detail, &i->operand[i->opcode == OP_sust ? 1 : 2]);
    int64_t bytes = i->bytes * i->vector, rows = (int64_t)object->height,
            last = (int64_t)(object->width * object->element) - bytes;
    uint32_t inside = 0;
    EACH_LANE (l, lanes) {
        int64_t x = OPERAND_OF(warp, &parts[0], const int32_t)[l];
        int64_t y = dimensions_of(i) == 2 ? OPERAND_OF(warp, &parts[1], const int32_t)[l] : 0;
        bool within = x >= 0 && x <= last && y >= 0 && y < rows;
        if (!within && ptx_has(i, M_zero)) continue;
        if (!within && !ptx_has(i, M_clamp)) {
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
static void move_parts(struct warp *warp, const struct ptx_instruction *i, unsigned char *data,
                       uint32_t lanes)
{
    bool store = i->opcode == OP_sust;
    const struct ptx_operand *parts = registers_of(i->detail, &i->operand[store ? 2 : 0]);
    for (unsigned k = 0; k < i->vector; k++) {
        if (parts[k].kind != OPERAND_VALUE) continue;
        void *values = OPERAND_OF(warp, &parts[k], char);
        EACH_LANE (l, lanes) {
            unsigned char *at = data + (l * i->vector + k) * i->bytes;
            uint64_t bits = store ? lane_bits(values, parts[k].bytes, l) : 0;
            memcpy(store ? (void *)at : &bits, store ? (void *)&bits : at, i->bytes);
            if (!store) set_lane_bits(values, parts[k].bytes, l, bits);
        }
    }
}

static void surface(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    bool store = i->opcode == OP_sust;
    uint32_t lanes;
    for (uint32_t left = mask; left != 0; left &= ~lanes) {
        uint64_t address[LANES] = {0};
        unsigned char data[LANES * ELEMENT_MAX] = {0};
        bool good = true;
        const struct texture_object *object =
            next_object(warp, i, store ? 0 : 1, true, left, &lanes);
        if (object == NULL) return;
        uint32_t inside = surface_positions(warp, i, object, lanes, address, &good);
        if (!good) return;
        if (store) move_parts(warp, i, data, inside);
        if (inside != 0)
            access_values(warp, i, store, SPACE_GLOBAL, inside, address,
                          (uint32_t)i->bytes * i->vector, data);
        if (!store) move_parts(warp, i, data, lanes);
    }
}

/* ---- choosing ------------------------------------------------------------------------------- */

/* Is it at least `least` values of this size? `sinks`: or sinks. */
static bool are_parts(const struct ptx_operand *elements, const struct ptx_operand *operand,
                      unsigned least, unsigned bytes, bool sinks)
{
    const struct ptx_operand *parts = registers_of(elements, operand);
    if (operand->kind != OPERAND_VALUE && operand->kind != OPERAND_VECTOR) return false;
    if (register_count(operand) < least) return false;
    for (unsigned k = 0; k < (sinks ? register_count(operand) : least); k++)
        if (!(sinks && parts[k].kind == OPERAND_SINK) &&
            (parts[k].kind != OPERAND_VALUE || parts[k].bytes != bytes))
            return false;
    return true;
}

static bool knows_modifiers(const struct ptx_instruction *i)
{
    static const uint8_t of_textures[] = {M_geom_1d, M_geom_2d, M_v4, M_unified,
                                          M_r,       M_g,       M_b,  M_a};
    static const uint8_t of_surfaces[] = {M_b,    M_geom_1d, M_geom_2d, M_v2, M_v4, M_trap, M_clamp,
                                          M_zero, M_ca,      M_cg,      M_cs, M_cv, M_wb,   M_wt};
    bool surface = i->opcode == OP_suld || i->opcode == OP_sust;
    for (int k = 0; k < i->modifier_count; k++)
        if (surface ? memchr(of_surfaces, i->modifiers[k], sizeof of_surfaces) == NULL
                    : memchr(of_textures, i->modifiers[k], sizeof of_textures) == NULL)
            return false;
    return dimensions_of(i) != 0 && i->operand_count == 3;
}

static bool is_handle(const struct ptx_operand *operand)
{
    return operand->kind == OPERAND_VALUE && operand->bytes == 8;
}

static ptx_execute *select_tex(const struct ptx_operand *elements, const struct ptx_instruction *i)
{
    const struct ptx_operand *values = &i->operand[0];
    unsigned dimensions = (unsigned)dimensions_of(i);
    bool valid = (i->types[0] == TYPE_f32 || i->types[0] == TYPE_s32 || i->types[0] == TYPE_u32) &&
                 (i->types[1] == TYPE_f32 || i->types[1] == TYPE_s32) && i->type_count == 2;
    if (!valid || !is_handle(&i->operand[1]) || !are_parts(elements, values, 1, 4, true) ||
        !are_parts(elements, &i->operand[2], dimensions, 4, false))
        return NULL;
    if (i->opcode == OP_tex) return tex;
    bool gathers = dimensions == 2 && register_count(values) == PARTS && i->types[1] == TYPE_f32;
    return gathers ? tld4 : NULL;
}

static ptx_execute *select_surface(const struct ptx_operand *elements,
                                   const struct ptx_instruction *i)
{
    int store = i->opcode == OP_sust;
    const struct ptx_operand *values = &i->operand[store ? 2 : 0];
    bool valid = i->types[0] == TYPE_b8 || i->types[0] == TYPE_b16 || i->types[0] == TYPE_b32 ||
                 i->types[0] == TYPE_b64;
    if (!valid || !ptx_has(i, M_b) || i->bytes * i->vector > ELEMENT_MAX ||
        !is_handle(&i->operand[!store]) ||
        !are_parts(elements, &i->operand[store ? 1 : 2], (unsigned)dimensions_of(i), 4, false))
        return NULL;
    return register_count(values) == i->vector &&
                   are_parts(elements, values, 1, i->bytes == 1 ? 2 : i->bytes, true)
               ? surface
               : NULL;
}

static ptx_execute *select_query(const struct ptx_instruction *i)
{
    const struct ptx_operand *d = &i->operand[0], *handle = &i->operand[1];
    bool valid = i->modifier_count == 1 && (ptx_has(i, M_width) || ptx_has(i, M_height));
    if (!valid || i->operand_count != 2 || d->kind != OPERAND_VALUE || d->bytes != 4) return NULL;
    bool address = handle->kind == OPERAND_ADDRESS && handle->offset == 0 && handle->bytes == 8;
    return address || is_handle(handle) ? query : NULL;
}

ptx_execute *select_texture(const struct ptx_function *function, struct ptx_instruction *i)
{
    bool surface = i->opcode == OP_suld || i->opcode == OP_sust;
    if (i->opcode == OP_txq || i->opcode == OP_suq) return select_query(i);
    if (!surface && i->opcode != OP_tex && i->opcode != OP_tld4) return NULL;
    if (!knows_modifiers(i)) return NULL;
    i->detail = function->elements;
    return (surface ? select_surface : select_tex)(function->elements, i);
}
