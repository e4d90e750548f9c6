/*
 * texture.c: tex, tld4 and txq: reading textures of one and two dimensions. The rules of
 * coordinates and filters are those of the CUDA programming guide, "Texture Fetching". An element
 * that is read is one access of its size; each of the elements that a filter needs is a request of
 * all lanes.
 */
#include "gpu/warp/texture.h"

#include "gpu/warp/half.h"
#include "gpu/warp/launch.h"

enum { WEIGHTS = 256 /* steps of a linear filter's weights */, ELEMENT_MAX = 16 };

/* What the lanes of a warp have read so far. */
struct fetched {
    double sum[LANES][PARTS];
    uint32_t words[LANES][PARTS];
};

int dimensions_of(const struct ptx_instruction *i)
{
    return ptx_has(i, M_geom_1d) ? 1 : ptx_has(i, M_geom_2d) ? 2 : 0;
}

bool are_parts(const struct ptx_operand *elements, const struct ptx_operand *operand,
               unsigned bytes)
{
    const struct ptx_operand *parts = parts_of(elements, operand);
    if (operand->kind != OPERAND_VALUE && operand->kind != OPERAND_VECTOR) return false;
    for (unsigned k = 0; k < part_count(operand); k++)
        if (parts[k].kind != OPERAND_SINK &&
            (parts[k].kind != OPERAND_VALUE || parts[k].bytes != bytes))
            return false;
    return true;
}

const struct texture_object *next_object(struct warp *warp, const struct ptx_instruction *i,
                                         const struct ptx_operand *handle, bool surface,
                                         uint32_t left, uint32_t *lanes)
{
    const uint64_t *handles = OPERAND_OF(warp, handle, const uint64_t);
    uint32_t first = (uint32_t)__builtin_ctz(left);
    *lanes = 0;
    EACH_LANE (l, left)
        if (handles[l] == handles[first]) *lanes |= UINT32_C(1) << l;
    const struct texture_object *object = texture_find(handles[first], surface);
    if (object == NULL) {
        warp_fault(warp, i, first, "use-after-free",
                   surface ? "there is no such surface object" : "there is no such texture object");
        warp_fail(warp, LAUNCH_ILLEGAL_ADDRESS);
    }
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
static int64_t addressed(const struct texture_object *object, int axis, int64_t index, int64_t size)
{
    enum cudaTextureAddressMode mode = object->texture.addressMode[axis];
    bool repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    if (index >= 0 && index < size) return index;
    if (mode == cudaAddressModeBorder) return -1;
    if (!repeats || !object->texture.normalizedCoords) return index < 0 ? 0 : size - 1;
    int64_t turn = index >= 0 ? index / size : -((size - 1 - index) / size);
    int64_t inside = index - turn * size;
    return mode == cudaAddressModeMirror && turn % 2 != 0 ? size - 1 - inside : inside;
}

/* Adds the elements at these columns and rows with a weight per lane; what is outside (-1) is the
 * border's. */
static void add_elements(struct warp *warp, const struct ptx_instruction *i,
                         const struct texture_object *object, int64_t at[AXES][LANES],
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

/* A place between two elements: the first one, and the weight of the second, rounded as by a GPU.
 */
static double split(double place, int64_t *first)
{
    double start = floor(place - 0.5);
    *first = (int64_t)start;
    return rint((place - 0.5 - start) * WEIGHTS) / WEIGHTS;
}

/* A coordinate in elements. A NaN and a number far outside mean the first or the last element. */
static double in_elements(const struct texture_object *object, float x, size_t size)
{
    double place = object->texture.normalizedCoords ? (double)x * (double)size : (double)x;
    return place != place ? 0 : fmin(fmax(place, -1e15), 1e15);
}

/* The lanes' coordinates, in elements, along each axis; 0 where there is none. */
static void take_coordinates(double place[AXES][LANES], const struct warp *warp,
                             const struct ptx_instruction *i, const struct texture_object *object,
                             int dimensions, uint32_t mask)
{
    const struct ptx_operand *parts = parts_of(i->detail, &i->operand[2]);
    const size_t size[AXES] = {object->width, object->height};
    memset(place, 0, AXES * sizeof place[0]);
    for (int axis = 0; axis < dimensions; axis++)
        EACH_LANE (l, mask)
            place[axis][l] =
                in_elements(object, OPERAND_OF(warp, &parts[axis], const float)[l], size[axis]);
}

static void sample_point(struct warp *warp, const struct ptx_instruction *i,
                         const struct texture_object *object, double place[AXES][LANES],
                         uint32_t mask, struct fetched *fetched)
{
    int64_t at[AXES][LANES] = {0};
    double weight[LANES] = {0};
    EACH_LANE (l, mask) {
        weight[l] = 1;
        at[0][l] = addressed(object, 0, (int64_t)floor(place[0][l]), (int64_t)object->width);
        at[1][l] = addressed(object, 1, (int64_t)floor(place[1][l]), (int64_t)object->height);
    }
    add_elements(warp, i, object, at, weight, mask, fetched);
}

/* Two neighbours along each axis: bit 0 of k says which column, bit 1 which row. */
static void sample_linear(struct warp *warp, const struct ptx_instruction *i,
                          const struct texture_object *object, double place[AXES][LANES],
                          int dimensions, uint32_t mask, struct fetched *fetched)
{
    for (int k = 0; k < 2 * dimensions; k++) {
        int64_t at[AXES][LANES] = {0};
        double weight[LANES] = {0};
        EACH_LANE (l, mask) {
            int64_t column, row = 0;
            double right = split(place[0][l], &column),
                   below = dimensions == 1 ? 0 : split(place[1][l], &row);
            weight[l] = (k % 2 ? right : 1 - right) * (k / 2 ? below : 1 - below);
            at[0][l] = addressed(object, 0, column + k % 2, (int64_t)object->width);
            at[1][l] = addressed(object, 1, row + k / 2, (int64_t)object->height);
        }
        add_elements(warp, i, object, at, weight, mask, fetched);
    }
}

/* By whole numbers, which are never normalised: outside there are zeros. */
static void fetch(struct warp *warp, const struct ptx_instruction *i,
                  const struct texture_object *object, int dimensions, uint32_t mask,
                  struct fetched *fetched)
{
    const struct ptx_operand *parts = parts_of(i->detail, &i->operand[2]);
    int64_t at[AXES][LANES] = {0};
    double weight[LANES];
    uint32_t inside = 0;
    EACH_LANE (l, mask) {
        at[0][l] = OPERAND_OF(warp, &parts[0], const int32_t)[l];
        if (dimensions == 2) at[1][l] = OPERAND_OF(warp, &parts[1], const int32_t)[l];
        weight[l] = 1;
        bool within = at[0][l] >= 0 && at[1][l] >= 0 && (size_t)at[0][l] < object->width &&
                      (size_t)at[1][l] < object->height;
        if (within) inside |= UINT32_C(1) << l;
    }
    if (inside != 0) add_elements(warp, i, object, at, weight, inside, fetched);
}

/* ---- instructions --------------------------------------------------------------------------- */

/* What the kernel gets: integers of an element, or numbers as floats. */
static uint32_t result_word(const struct texture_object *object, const struct fetched *fetched,
                            unsigned lane, unsigned part)
{
    bool whole = object->format.f != cudaChannelFormatKindFloat &&
                 object->texture.readMode == cudaReadModeElementType;
    return whole ? fetched->words[lane][part] : float_bits((float)fetched->sum[lane][part]);
}

static void tex(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    const struct ptx_operand *parts = parts_of(i->detail, &i->operand[0]);
    int dimensions = dimensions_of(i);
    uint32_t lanes;
    for (uint32_t left = mask; left != 0; left &= ~lanes) {
        struct fetched fetched = {0};
        double place[AXES][LANES];
        const struct texture_object *object =
            next_object(warp, i, &i->operand[1], false, left, &lanes);
        if (object == NULL) return;
        if (i->types[1] == TYPE_s32) {
            fetch(warp, i, object, dimensions, lanes, &fetched);
        } else {
            take_coordinates(place, warp, i, object, dimensions, lanes);
            if (object->texture.filterMode == cudaFilterModePoint)
                sample_point(warp, i, object, place, lanes, &fetched);
            else
                sample_linear(warp, i, object, place, dimensions, lanes, &fetched);
        }
        for (unsigned k = 0; k < part_count(&i->operand[0]) && k < PARTS; k++)
            if (parts[k].kind == OPERAND_VALUE)
                EACH_LANE (l, lanes)
                    OPERAND_OF(warp, &parts[k], uint32_t)[l] = result_word(object, &fetched, l, k);
    }
}

static unsigned gathered_part(const struct ptx_instruction *i)
{
    return ptx_has(i, M_g) ? 1 : ptx_has(i, M_b) ? 2 : ptx_has(i, M_a) ? 3 : 0;
}

/* One part of the four elements that a linear filter would need, against the clock from the lower
 * left. */
static void tld4(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    static const int column_of[PARTS] = {0, 1, 1, 0}, row_of[PARTS] = {1, 1, 0, 0};
    const struct ptx_operand *parts = parts_of(i->detail, &i->operand[0]);
    double weight[LANES], place[AXES][LANES];
    uint32_t lanes;
    for (unsigned l = 0; l < LANES; l++)
        weight[l] = 1;
    for (uint32_t left = mask; left != 0; left &= ~lanes) {
        const struct texture_object *object =
            next_object(warp, i, &i->operand[1], false, left, &lanes);
        if (object == NULL) return;
        take_coordinates(place, warp, i, object, AXES, lanes);
        for (unsigned k = 0; k < PARTS; k++) {
            struct fetched fetched = {0};
            int64_t at[AXES][LANES] = {0};
            EACH_LANE (l, lanes) {
                int64_t column, row;
                split(place[0][l], &column), split(place[1][l], &row);
                at[0][l] = addressed(object, 0, column + column_of[k], (int64_t)object->width);
                at[1][l] = addressed(object, 1, row + row_of[k], (int64_t)object->height);
            }
            add_elements(warp, i, object, at, weight, lanes, &fetched);
            if (parts[k].kind == OPERAND_VALUE)
                EACH_LANE (l, lanes)
                    OPERAND_OF(warp, &parts[k], uint32_t)
            [l] = result_word(object, &fetched, l, gathered_part(i));
        }
    }
}

/* txq and suq: a size. */
static void query(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    uint32_t lanes;
    for (uint32_t left = mask; left != 0; left &= ~lanes) {
        const struct texture_object *object =
            next_object(warp, i, &i->operand[1], i->opcode == OP_suq, left, &lanes);
        if (object == NULL) return;
        EACH_LANE (l, lanes)
            D_OF(warp, i, uint32_t)
        [l] = (uint32_t)(ptx_has(i, M_width) ? object->width : object->height);
    }
}

/* ---- choosing ------------------------------------------------------------------------------- */

static bool knows_types(const struct ptx_instruction *i)
{
    bool result = i->types[0] == TYPE_f32 || i->types[0] == TYPE_s32 || i->types[0] == TYPE_u32;
    return i->type_count == 2 && result && (i->types[1] == TYPE_f32 || i->types[1] == TYPE_s32);
}

static ptx_execute *select_tex(const struct ptx_function *function, struct ptx_instruction *i)
{
    static const uint8_t known[] = {M_geom_1d, M_geom_2d, M_v4, M_unified, M_r, M_g, M_b, M_a};
    const struct ptx_operand *elements = function->elements, *handle = &i->operand[1];
    int dimensions = dimensions_of(i);
    for (int k = 0; k < i->modifier_count; k++)
        if (memchr(known, i->modifiers[k], sizeof known) == NULL) return NULL;
    if (i->operand_count != 3 || dimensions == 0 || !knows_types(i)) return NULL;
    if (handle->kind != OPERAND_VALUE || handle->bytes != 8) return NULL;
    if (!are_parts(elements, &i->operand[0], 4) || !are_parts(elements, &i->operand[2], 4))
        return NULL;
    if (part_count(&i->operand[2]) < (unsigned)dimensions) return NULL;
    const struct ptx_operand *coordinates = parts_of(elements, &i->operand[2]);
    for (int k = 0; k < dimensions; k++)
        if (coordinates[k].kind != OPERAND_VALUE) return NULL;
    i->detail = elements;
    if (i->opcode == OP_tex) return tex;
    bool gathers =
        dimensions == 2 && part_count(&i->operand[0]) == PARTS && i->types[1] == TYPE_f32;
    return gathers ? tld4 : NULL;
}

static ptx_execute *select_query(const struct ptx_instruction *i)
{
    const struct ptx_operand *d = &i->operand[0], *handle = &i->operand[1];
    bool known =
        i->modifier_count == 1 && (i->modifiers[0] == M_width || i->modifiers[0] == M_height);
    if (!known || i->operand_count != 2 || d->kind != OPERAND_VALUE || d->bytes != 4) return NULL;
    bool is_handle =
        handle->kind == OPERAND_VALUE || (handle->kind == OPERAND_ADDRESS && handle->offset == 0);
    return is_handle && handle->bytes == 8 ? query : NULL;
}

ptx_execute *select_texture(const struct ptx_function *function, struct ptx_instruction *i)
{
    switch (i->opcode) {
    case OP_tex:
    case OP_tld4: return select_tex(function, i);
    case OP_txq:
    case OP_suq: return select_query(i);
    case OP_suld:
    case OP_sust: return select_surface(function, i);
    default: return NULL;
    }
}
