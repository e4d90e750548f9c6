/*
 * textures.cu: texture and surface objects of one and two dimensions: element types, filters,
 * address modes, arrays and pitched memory, and the calls that fail.
 */
#include "expect.h"

#include <string.h>

enum { WIDTH = 40, HEIGHT = 12 };

/* ---- making them ---------------------------------------------------------------------------- */

static cudaTextureDesc description(cudaTextureAddressMode mode, cudaTextureFilterMode filter,
                                   int normalised)
{
    cudaTextureDesc texture;
    memset(&texture, 0, sizeof texture);
    texture.addressMode[0] = texture.addressMode[1] = mode;
    texture.filterMode = filter;
    texture.readMode = cudaReadModeElementType;
    texture.normalizedCoords = normalised;
    return texture;
}

static cudaResourceDesc of_array(cudaArray_t array)
{
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

template <class T> static cudaArray_t array_of(const T *list, int width, int height, int flags)
{
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    EXPECT_OK(cudaMallocArray(&array, &format, width, height, flags));
    EXPECT_OK(cudaMemcpy2DToArray(array, 0, 0, list, width * sizeof(T), width * sizeof(T),
                                  height == 0 ? 1 : height, cudaMemcpyHostToDevice));
    return array;
}

/* ---- reading -------------------------------------------------------------------------------- */

template <class T>
__global__ void sample(cudaTextureObject_t texture, const float2 *at, T *out, int n)
{
    int i = threadIdx.x;
    if (i < n) out[i] = tex2D<T>(texture, at[i].x, at[i].y);
}

template <class T> __global__ void sample_line(cudaTextureObject_t texture, T *out)
{
    out[threadIdx.x] = tex1D<T>(texture, threadIdx.x + 0.5f);
}

template <class T> __global__ void fetch(cudaTextureObject_t texture, T *out)
{
    out[threadIdx.x] = tex1Dfetch<T>(texture, (int)threadIdx.x - 1);
}

/* The texture's values at places */
template <class T>
static void sampled(const cudaResourceDesc &resource, const cudaTextureDesc &description,
                    const float2 *places, T *values, int n)
{
    cudaTextureObject_t texture = 0;
    float2 *at;
    T *out;
    EXPECT_OK(cudaCreateTextureObject(&texture, &resource, &description, NULL));
    EXPECT_OK(cudaMalloc(&at, n * sizeof *at));
    EXPECT_OK(cudaMalloc(&out, n * sizeof *out));
    EXPECT_OK(cudaMemcpy(at, places, n * sizeof *at, cudaMemcpyHostToDevice));
    sample<<<1, 32>>>(texture, at, out, n);
    EXPECT_OK(cudaMemcpy(values, out, n * sizeof *out, cudaMemcpyDeviceToHost));
    EXPECT_OK(cudaDestroyTextureObject(texture));
    EXPECT_OK(cudaFree(at));
    EXPECT_OK(cudaFree(out));
}

static void check_points(const cudaResourceDesc &resource)
{
    const float2 places[] = {{0, 0}, {3.9f, 2.1f}, {39.5f, 11.5f}, {-3, 5}, {100, 3}, {7.5f, -1}};
    const float clamped[] = {0, 203, 1139, 500, 339, 7}, bordered[] = {0, 203, 1139, 0, 0, 0};
    const float2 shares[] = {{0.5f, 0.5f}, {1.25f, 0}, {-0.25f, 0.25f}};
    const float wrapped[] = {620, 10, 330}, mirrored[] = {620, 29, 309};
    float got[6];
    sampled(resource, description(cudaAddressModeClamp, cudaFilterModePoint, 0), places, got, 6);
    EXPECT(memcmp(got, clamped, sizeof clamped) == 0);
    sampled(resource, description(cudaAddressModeBorder, cudaFilterModePoint, 0), places, got, 6);
    EXPECT(memcmp(got, bordered, sizeof bordered) == 0);
    sampled(resource, description(cudaAddressModeWrap, cudaFilterModePoint, 0), places, got, 6);
    EXPECT(memcmp(got, clamped, sizeof clamped) == 0);
    sampled(resource, description(cudaAddressModeWrap, cudaFilterModePoint, 1), shares, got, 3);
    EXPECT(memcmp(got, wrapped, sizeof wrapped) == 0);
    sampled(resource, description(cudaAddressModeMirror, cudaFilterModePoint, 1), shares, got, 3);
    EXPECT(memcmp(got, mirrored, sizeof mirrored) == 0);
}

static void check_filter(const cudaResourceDesc &resource)
{
    const float2 places[] = {{0.5f, 0.5f}, {1, 0.5f}, {3.75f, 2.5f},
                             {4, 3},       {0, 0},    {39.75f, 11.75f}};
    const float expected[] = {0, 0.5f, 3.25f + 200, 3.5f + 250, 0, 1139};
    const float2 shares[] = {{0, 0.5f / HEIGHT}, {1, 0.5f / HEIGHT}};
    float got[6];
    sampled(resource, description(cudaAddressModeClamp, cudaFilterModeLinear, 0), places, got, 6);
    EXPECT(memcmp(got, expected, sizeof expected) == 0);
    sampled(resource, description(cudaAddressModeWrap, cudaFilterModeLinear, 1), shares, got, 2);
    EXPECT(got[0] == 19.5f && got[1] == 19.5f); /* between the last and the first column */
}

static void check_floats()
{
    static float list[HEIGHT][WIDTH];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            list[y][x] = 100 * y + x;
    cudaArray_t array = array_of(&list[0][0], WIDTH, HEIGHT, cudaArrayDefault);
    check_points(of_array(array));
    check_filter(of_array(array));

    float back[2][3];
    EXPECT_OK(cudaMemcpy2DFromArray(back, sizeof back[0], array, 5 * sizeof(float), 7,
                                    3 * sizeof(float), 2, cudaMemcpyDeviceToHost));
    EXPECT(back[0][0] == 705 && back[1][2] == 807);
    EXPECT_ERROR(cudaErrorInvalidValue,
                 cudaMemcpy2DFromArray(back, 12, array, 156, 7, 12, 2, cudaMemcpyDeviceToHost));
    EXPECT_OK(cudaFreeArray(array));

    cudaResourceDesc pitched;
    memset(&pitched, 0, sizeof pitched);
    size_t pitch;
    void *memory;
    EXPECT_OK(cudaMallocPitch(&memory, &pitch, WIDTH * sizeof(float), HEIGHT));
    EXPECT_OK(cudaMemcpy2D(memory, pitch, list, sizeof list[0], sizeof list[0], HEIGHT,
                           cudaMemcpyHostToDevice));
    pitched.resType = cudaResourceTypePitch2D;
    pitched.res.pitch2D.devPtr = memory;
    pitched.res.pitch2D.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    pitched.res.pitch2D.width = WIDTH;
    pitched.res.pitch2D.height = HEIGHT;
    pitched.res.pitch2D.pitchInBytes = pitch;
    check_filter(pitched);
    EXPECT_OK(cudaFree(memory));
}

static void check_bytes()
{
    const uchar4 list[] = {{0, 51, 255, 102}, {1, 2, 3, 4}, {250, 150, 50, 0}};
    const float2 places[] = {{0.5f, 0.5f}, {2.5f, 0.5f}};
    cudaArray_t array = array_of(list, 3, 1, cudaArrayDefault);
    cudaTextureDesc point = description(cudaAddressModeClamp, cudaFilterModePoint, 0);
    uchar4 bytes[2];
    float4 numbers[2];
    sampled(of_array(array), point, places, bytes, 2);
    EXPECT(bytes[0].y == 51 && bytes[1].x == 250 && bytes[1].w == 0);
    point.readMode = cudaReadModeNormalizedFloat;
    sampled(of_array(array), point, places, numbers, 2);
    EXPECT(numbers[0].x == 0 && numbers[0].z == 1 && fabsf(numbers[0].y - 0.2f) < 1e-6f);
    point.readMode = cudaReadModeElementType;
    point.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t texture;
    cudaResourceDesc resource = of_array(array);
    EXPECT_ERROR(cudaErrorInvalidFilterSetting,
                 cudaCreateTextureObject(&texture, &resource, &point, NULL));
    EXPECT_OK(cudaFreeArray(array));
}

static void check_lines()
{
    int list[16], got[18], *memory, *out;
    float2 pairs[8], *pairs_out, pairs_got[8];
    for (int i = 0; i < 16; i++)
        list[i] = -i * i;
    for (int i = 0; i < 8; i++)
        pairs[i] = make_float2(i, 0.5f * i);
    EXPECT_OK(cudaMalloc(&memory, sizeof list));
    EXPECT_OK(cudaMalloc(&out, sizeof got));
    EXPECT_OK(cudaMalloc(&pairs_out, sizeof pairs));
    EXPECT_OK(cudaMemcpy(memory, list, sizeof list, cudaMemcpyHostToDevice));

    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = sizeof list;
    cudaTextureDesc point = description(cudaAddressModeClamp, cudaFilterModePoint, 0);
    cudaTextureObject_t texture;
    EXPECT_OK(cudaCreateTextureObject(&texture, &resource, &point, NULL));
    fetch<<<1, 18>>>(texture, out);
    EXPECT_OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 0 && got[1] == 0 && got[4] == -9 && got[16] == -225 && got[17] == 0);
    EXPECT_OK(cudaDestroyTextureObject(texture));

    cudaArray_t array = array_of(pairs, 8, 0, cudaArrayDefault);
    resource = of_array(array);
    EXPECT_OK(cudaCreateTextureObject(&texture, &resource, &point, NULL));
    sample_line<<<1, 8>>>(texture, pairs_out);
    EXPECT_OK(cudaMemcpy(pairs_got, pairs_out, sizeof pairs, cudaMemcpyDeviceToHost));
    EXPECT(memcmp(pairs, pairs_got, sizeof pairs) == 0);
    EXPECT_OK(cudaDestroyTextureObject(texture));
    EXPECT_OK(cudaFreeArray(array));
    cudaFree(memory);
    cudaFree(out);
    cudaFree(pairs_out);
}

/* ---- surfaces ------------------------------------------------------------------------------- */

/* Turns the rows around; what is read outside is 0. */
__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
    int x = threadIdx.x, y = blockIdx.x;
    float outside = 9, value = surf2Dread<float>(from, x * sizeof(float), y);
    surf2Dread(&outside, from, -4, y, cudaBoundaryModeZero);
    surf2Dwrite(value + outside, to, (WIDTH - 1 - x) * sizeof(float), y);
    surf2Dwrite(-1.0f, to, x * sizeof(float), HEIGHT, cudaBoundaryModeZero);
}

static void check_surfaces()
{
    static float list[HEIGHT][WIDTH], turned[HEIGHT][WIDTH];
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        list[i / WIDTH][i % WIDTH] = i;
    cudaArray_t a = array_of(&list[0][0], WIDTH, HEIGHT, cudaArraySurfaceLoadStore);
    cudaArray_t b = array_of(&list[0][0], WIDTH, HEIGHT, cudaArraySurfaceLoadStore);
    cudaResourceDesc from = of_array(a), to = of_array(b);
    cudaSurfaceObject_t surface_a, surface_b;
    EXPECT_OK(cudaCreateSurfaceObject(&surface_a, &from));
    EXPECT_OK(cudaCreateSurfaceObject(&surface_b, &to));
    turn<<<HEIGHT, WIDTH>>>(surface_a, surface_b);
    EXPECT_OK(cudaMemcpy2DFromArray(turned, sizeof turned[0], b, 0, 0, sizeof turned[0], HEIGHT,
                                    cudaMemcpyDeviceToHost));
    int right = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        right += turned[i / WIDTH][WIDTH - 1 - i % WIDTH] == i;
    EXPECT(right == WIDTH * HEIGHT);
    EXPECT_OK(cudaDestroySurfaceObject(surface_a));
    EXPECT_OK(cudaDestroySurfaceObject(surface_b));
    EXPECT_OK(cudaFreeArray(a));
    EXPECT_OK(cudaFreeArray(b));
}

static void check_refused()
{
    cudaArray_t array;
    cudaChannelFormatDesc three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
    EXPECT_ERROR(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &three, 4, 4));
}

int main()
{
    check_floats();
    check_bytes();
    check_lines();
    check_surfaces();
    check_refused();
    return expect_result();
}
