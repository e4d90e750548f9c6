/* symbols.cu: variables that live on the device. */
#include "expect.h"

__device__ int counter;
__device__ float initialised = 2.5f;
static __device__ int table[4] = {1, 2, 3, 4};
__constant__ float factors[3];
__constant__ int fixed = 7;
__device__ float4 wide[8];
namespace
{
__device__ unsigned hidden;
}
template <class T> struct holder {
    T value;
};
__device__ holder<int> held;
int on_host = 1;

__device__ int helper(int x)
{
    return x + fixed;
}

__global__ void use(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&counter, helper(table[i % 4]));
    if (i == 0) initialised = initialised * factors[1] + factors[2];
    if (i < 8) wide[i] = make_float4(i, i + 1, i + 2, i + 3);
    if (i == 1) hidden = 0xabcdu;
    if (i == 2) held.value = -5;
}

int main()
{
    int zero = 0, sum = -1, values[4] = {10, 20, 30, 40};
    float constants[3] = {1, 2, 3}, result = 0;
    EXPECT_OK(cudaMemcpyToSymbol(counter, &zero, sizeof zero));
    EXPECT_OK(cudaMemcpyToSymbol(factors, constants, sizeof constants));
    EXPECT_OK(cudaMemcpyToSymbol(table, values, 2 * sizeof(int), 2 * sizeof(int)));
    use<<<2, 32>>>(40);
    EXPECT_OK(cudaMemcpyFromSymbol(&sum, counter, sizeof sum));
    EXPECT(sum == 10 * (1 + 2 + 10 + 20 + 4 * 7));
    EXPECT_OK(cudaMemcpyFromSymbol(&result, initialised, sizeof result));
    EXPECT(result == 8.0f);

    void *address;
    size_t bytes;
    float4 some;
    EXPECT_OK(cudaGetSymbolAddress(&address, wide));
    EXPECT_OK(cudaGetSymbolSize(&bytes, wide));
    EXPECT(bytes == sizeof wide);
    EXPECT_OK(cudaMemcpy(&some, (float4 *)address + 3, sizeof some, cudaMemcpyDeviceToHost));
    EXPECT(some.x == 3 && some.w == 6);
    unsigned seen;
    EXPECT_OK(cudaMemcpyFromSymbol(&seen, hidden, sizeof seen));
    EXPECT(seen == 0xabcdu);
    EXPECT_OK(cudaMemcpyFromSymbol(&sum, held, sizeof sum, 0, cudaMemcpyDeviceToHost));
    EXPECT(sum == -5);

    EXPECT_ERROR(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(on_host, &zero, sizeof zero));
    EXPECT_ERROR(cudaErrorInvalidSymbol, cudaMemcpyToSymbol("counter", &zero, sizeof zero));
    EXPECT_ERROR(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, &zero));
    EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpyToSymbol(factors, constants, 16));
    EXPECT_ERROR(cudaErrorInvalidValue, cudaMemcpyToSymbol(factors, constants, 4, 12));
    return expect_result();
}
