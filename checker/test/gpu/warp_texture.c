/*
 * warp_texture.c: tests tex, tld4, txq, suld and sust with a texture of 4 x 3 elements, whose
 * values say where they are.
 */
#include "test/gpu/one_instruction.h"
#include "test/gpu/own_memory.h"

#include "gpu/textures/object.h"
#include "gpu/warp/compute.h"

static int passed;
static float numbers[3][8]; /* pitched: four columns are used */
static unsigned char bytes[3][8];

static void check(bool good, const char *what, unsigned lane, double got, double wanted)
{
    if (good) {
        passed++;
        return;
    }
    printf("%s, lane %u: %g instead of %g\n", what, lane, got, wanted);
    exit(1);
}

static void expect(double got, double wanted, const char *what, unsigned lane)
{
    check(got == wanted, what, lane, got, wanted);
}

static struct texture_object object_of(void *base, size_t element, size_t pitch,
                                       enum cudaChannelFormatKind kind)
{
    struct texture_object object = {
        .base = base, .width = 4, .height = 3, .pitch = pitch, .element = element};
    object.format = (cudaChannelFormatDesc){(int)element * 8, 0, 0, 0, kind};
    return object;
}

/* Runs a read of a texture by two coordinates per lane. */
static void read_texture(const char *text, uint64_t object, const uint32_t x[LANES],
                         const uint32_t y[LANES], uint32_t out[LANES])
{
    struct one one;
    if (!one_read(&one, text)) check(false, text, 0, 0, 0);
    for (unsigned l = 0; l < LANES; l++) {
        one_set(one.sources[0], l, object);
        if (one.source_count > 1) one_set(one.sources[1], l, x[l]);
        if (one.source_count > 2) one_set(one.sources[2], l, y[l]);
    }
    one_run(&one, UINT32_MAX);
    for (unsigned l = 0; l < LANES; l++)
        out[l] = (uint32_t)one_get(one.results[0], l);
    ptx_free(one.module);
}

static const char sample_2d[] = "tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%d0, {%r4, %r5}];";

static void test_point(void)
{
    struct texture_object object =
        object_of(numbers, 4, sizeof numbers[0], cudaChannelFormatKindFloat);
    uint32_t x[LANES], y[LANES], out[LANES];
    object.texture.addressMode[0] = cudaAddressModeClamp;
    object.texture.addressMode[1] = cudaAddressModeBorder;
    object.texture.borderColor[0] = 9;
    uint64_t number = texture_add(&object);
    for (unsigned l = 0; l < LANES; l++) {
        x[l] = float_bits((float)(l % 8) - 1.5f);
        y[l] = float_bits((float)(l / 8) + 0.25f);
    }
    read_texture(sample_2d, number, x, y, out);
    for (unsigned l = 0; l < LANES; l++) {
        int column = (int)(l % 8) - 2, row = (int)(l / 8);
        column = column < 0 ? 0 : column > 3 ? 3 : column;
        expect((double)float_of(out[l]), row < 3 ? (double)numbers[row][column] : 9, "a point", l);
    }
    for (unsigned l = 0; l < LANES; l++)
        x[l] = l;
    read_texture("tex.1d.v4.f32.s32 {%r0, %r1, %r2, %r3}, [%d0, {%r4}];", number, x, y, out);
    for (unsigned l = 0; l < LANES; l++)
        expect((double)float_of(out[l]), l < 4 ? (double)numbers[0][l] : 0, "an index", l);
    read_texture("txq.width.b32 %r0, [%d0];", number, x, y, out);
    expect(out[5], 4, "the width", 5);
    texture_drop(number, false);
}

static void test_linear(void)
{
    struct texture_object object =
        object_of(numbers, 4, sizeof numbers[0], cudaChannelFormatKindFloat);
    uint32_t x[LANES], y[LANES], out[LANES];
    object.texture.filterMode = cudaFilterModeLinear;
    object.texture.addressMode[0] = object.texture.addressMode[1] = cudaAddressModeWrap;
    object.texture.normalizedCoords = 1;
    uint64_t number = texture_add(&object);
    for (unsigned l = 0; l < LANES; l++) {
        x[l] = float_bits((0.5f + (float)l / 32) / 4); /* from the first column to the second */
        y[l] = float_bits(0.5f / 3);
    }
    read_texture(sample_2d, number, x, y, out);
    for (unsigned l = 0; l < LANES; l++)
        expect((double)float_of(out[l]), l / 32.0, "between two columns", l);
    for (unsigned l = 0; l < LANES; l++) {
        x[l] = float_bits(1.5f / 4 + (float)(l % 2)); /* wraps around */
        y[l] = float_bits(1.0f / 3);
    }
    read_texture(sample_2d, number, x, y, out);
    for (unsigned l = 0; l < LANES; l++)
        expect((double)float_of(out[l]), 6, "between two rows", l);
    read_texture("tld4.r.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%d0, {%r4, %r5}];", number, x, y,
                 out);
    expect((double)float_of(out[0]), 11, "the lower left one", 0);
    texture_drop(number, false);
}

static void test_bytes(void)
{
    struct texture_object object =
        object_of(bytes, 1, sizeof bytes[0], cudaChannelFormatKindUnsigned);
    uint32_t x[LANES], y[LANES], out[LANES];
    object.texture.addressMode[0] = object.texture.addressMode[1] = cudaAddressModeClamp;
    uint64_t whole = texture_add(&object);
    object.texture.readMode = cudaReadModeNormalizedFloat;
    uint64_t share = texture_add(&object);
    for (unsigned l = 0; l < LANES; l++) {
        x[l] = float_bits((float)(l % 4));
        y[l] = float_bits((float)(l / 4 % 3));
    }
    read_texture("tex.2d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%d0, {%r4, %r5}];", whole, x, y, out);
    for (unsigned l = 0; l < LANES; l++)
        expect(out[l], bytes[l / 4 % 3][l % 4], "a byte", l);
    read_texture(sample_2d, share, x, y, out);
    for (unsigned l = 0; l < LANES; l++)
        expect((double)float_of(out[l]), (double)(float)(bytes[l / 4 % 3][l % 4] / 255.0),
               "a share", l);
    texture_drop(whole, false), texture_drop(share, false);
}

static void test_surface(void)
{
    struct texture_object object =
        object_of(numbers, 4, sizeof numbers[0], cudaChannelFormatKindFloat);
    struct one load, store;
    object.surface = true;
    uint64_t number = texture_add(&object);
    if (!one_read(&load, "suld.b.2d.b32.zero %r0, [%d0, {%r1, %r2}];") &&
        !one_read(&load, "suld.b.2d.b32.zero {%r0}, [%d0, {%r1, %r2}];"))
        check(false, "suld", 0, 0, 0);
    for (unsigned l = 0; l < LANES; l++) {
        one_set(load.sources[0], l, number);
        one_set(load.sources[1], l, 4 * (l % 8));
        one_set(load.sources[2], l, l / 8);
    }
    one_run(&load, UINT32_MAX);
    for (unsigned l = 0; l < LANES; l++)
        expect((double)float_of((uint32_t)one_get(load.results[0], l)),
               l % 8 < 4 && l / 8 < 3 ? (double)numbers[l / 8][l % 8] : 0, "suld", l);
    ptx_free(load.module);
    if (!one_read(&store, "sust.b.2d.b32.clamp [%d0, {%r1, %r2}], {%r3};"))
        check(false, "sust", 0, 0, 0);
    for (unsigned l = 0; l < LANES; l++) {
        const struct ptx_operand *location =
            store.function->elements + store.instruction->operand[1].first;
        const struct ptx_operand *value = &store.instruction->operand[2];
        if (value->kind == OPERAND_VECTOR) value = store.function->elements + value->first;
        one_set(&store.instruction->operand[0], l, number);
        one_set(&location[0], l, 400);
        one_set(&location[1], l, 1);
        one_set(value, l, float_bits(77));
    }
    one_run(&store, 1);
    expect((double)numbers[1][3], 77, "sust", 0);
    ptx_free(store.module);
    texture_drop(number, true);
}

int main(void)
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 8; column++) {
            numbers[row][column] = (float)(10 * row + column);
            bytes[row][column] = (unsigned char)(100 * row + 10 * column);
        }
    test_point();
    test_linear();
    test_bytes();
    test_surface();
    printf("%d passed\n", passed);
    return 0;
}
