/* memory.cu: allocations, copies and fills of every kind. */
#include "expect.h"

__global__ void add_one(float *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += 1.0f;
}

enum { N = 1000 };

static bool all_are(const float *values, int n, float wanted)
{
    for (int i = 0; i < n; i++)
        if (values[i] != wanted) return false;
    return true;
}

static void device_memory()
{
    float host[N], *a, *b;
    for (int i = 0; i < N; i++)
        host[i] = 2;
    EXPECT_OK(cudaMalloc((void **)&a, sizeof host));
    EXPECT_OK(cudaMalloc(&b, sizeof host));
    EXPECT((size_t)a % 256 == 0 && (size_t)b % 256 == 0);
    EXPECT_OK(cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice));
    add_one<<<(N + 127) / 128, 128>>>(a, N);
    EXPECT_OK(cudaMemcpy(b, a, sizeof host, cudaMemcpyDeviceToDevice));
    add_one<<<(N + 127) / 128, 128>>>(b, N);
    EXPECT_OK(cudaMemcpy(host, b, sizeof host, cudaMemcpyDefault));
    EXPECT(all_are(host, N, 4));
    EXPECT_OK(cudaMemcpy(host, a + 1, 4, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 3 && host[1] == 4);
    EXPECT_OK(cudaMemset(a, 0, sizeof host));
    EXPECT_OK(cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(all_are(host, N, 0));
    float other[N];
    EXPECT_OK(cudaMemcpy(other, host, sizeof host, cudaMemcpyHostToHost));
    EXPECT(all_are(other, N, 0));
    EXPECT_OK(cudaFree(a));
    EXPECT_OK(cudaFree(b));
}

static void managed_memory()
{
    float *values;
    EXPECT_OK(cudaMallocManaged(&values, N * sizeof *values));
    for (int i = 0; i < N; i++)
        values[i] = 1;
    add_one<<<N, 1>>>(values, N);
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT(all_are(values, N, 2));
    cudaPointerAttributes attributes;
    EXPECT_OK(cudaPointerGetAttributes(&attributes, values));
    EXPECT(attributes.type == cudaMemoryTypeManaged && attributes.devicePointer == values);
    EXPECT_OK(cudaFree(values));
}

static void pinned_memory()
{
    float *values, *same, *device;
    cudaStream_t stream;
    EXPECT_OK(cudaStreamCreate(&stream));
    EXPECT_OK(cudaHostAlloc(&values, N * sizeof *values, cudaHostAllocMapped));
    EXPECT_OK(cudaMalloc(&device, N * sizeof *values));
    for (int i = 0; i < N; i++)
        values[i] = 5;
    EXPECT_OK(cudaMemcpyAsync(device, values, N * sizeof *values, cudaMemcpyHostToDevice, stream));
    add_one<<<N, 1, 0, stream>>>(device, N);
    EXPECT_OK(cudaMemcpyAsync(values, device, N * sizeof *values, cudaMemcpyDeviceToHost, stream));
    EXPECT_OK(cudaStreamSynchronize(stream));
    EXPECT(all_are(values, N, 6));
    EXPECT_OK(cudaHostGetDevicePointer(&same, values, 0));
    add_one<<<N, 1>>>(same, N);
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT(all_are(values, N, 7));
    EXPECT_OK(cudaStreamDestroy(stream));
    EXPECT_OK(cudaFree(device));
    EXPECT_OK(cudaFreeHost(values));

    float *plain = (float *)malloc(N * sizeof *plain);
    cudaPointerAttributes attributes;
    EXPECT_OK(cudaPointerGetAttributes(&attributes, plain));
    EXPECT(attributes.type == cudaMemoryTypeUnregistered);
    EXPECT_OK(cudaHostRegister(plain, N * sizeof *plain, cudaHostRegisterDefault));
    EXPECT_ERROR(cudaErrorHostMemoryAlreadyRegistered,
                 cudaHostRegister(plain, N * sizeof *plain, cudaHostRegisterDefault));
    EXPECT_OK(cudaPointerGetAttributes(&attributes, plain));
    EXPECT(attributes.type == cudaMemoryTypeHost);
    EXPECT_OK(cudaHostUnregister(plain));
    free(plain);
}

/* A matrix of 10 rows of 7, in rows of the pitch that the device likes. */
static void pitched_memory()
{
    char host[10][7], back[10][9], *rows;
    size_t pitch;
    for (int i = 0; i < 70; i++)
        host[i / 7][i % 7] = (char)i;
    EXPECT_OK(cudaMallocPitch(&rows, &pitch, 7, 10));
    EXPECT(pitch >= 7 && pitch % 32 == 0);
    EXPECT_OK(cudaMemset2D(rows, pitch, 1, 7, 10));
    EXPECT_OK(cudaMemcpy2D(rows, pitch, host, 7, 7, 10, cudaMemcpyHostToDevice));
    memset(back, 77, sizeof back);
    EXPECT_OK(cudaMemcpy2D(back, 9, rows, pitch, 7, 10, cudaMemcpyDeviceToHost));
    EXPECT(back[9][6] == 69 && back[3][2] == 23 && back[3][7] == 77);
    EXPECT_OK(cudaMemcpy2D(back, 9, rows + 2 * pitch + 1, pitch, 2, 3, cudaMemcpyDeviceToHost));
    EXPECT(back[0][0] == 15 && back[2][1] == 30 && back[0][2] == 2);
    EXPECT_OK(cudaFree(rows));
}

int main()
{
    size_t before, after, total;
    EXPECT_OK(cudaMemGetInfo(&before, &total));
    EXPECT(before <= total && total > (1 << 26));
    device_memory();
    managed_memory();
    pinned_memory();
    pitched_memory();
    void *block;
    EXPECT_OK(cudaMallocAsync(&block, 1 << 20, 0));
    EXPECT_OK(cudaFreeAsync(block, 0));
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT_OK(cudaMalloc(&block, 8 << 20));
    EXPECT_OK(cudaMemGetInfo(&after, &total));
    EXPECT(after + (8 << 20) <= before);
    EXPECT_OK(cudaFree(block));
    return expect_result();
}
