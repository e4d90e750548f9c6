// curand.cu: the numbers of curand's default generator, as cuRAND 10.4 makes them with the seed 1234: on the host, and
// in device memory. Each call goes on where the one before it ended; 4096 threads make the numbers in turn.
#include <curand.h>
#include <cmath>
#include <cstdio>
#include <vector>

static bool on_device, failed;

/* The last number of n that `make` makes */
template <class T, class F> static double last(size_t n, F make)
{
    std::vector<T> numbers(n);
    T *to = numbers.data();
    if (on_device) cudaMalloc(&to, n * sizeof(T));
    curandStatus_t status = make(to);
    if (on_device) cudaMemcpy(numbers.data(), to, n * sizeof(T), cudaMemcpyDefault);
    if (on_device) cudaFree(to);
    return status != CURAND_STATUS_SUCCESS ? -(double)status : (double)numbers[n - 1];
}

static void expect(const char *what, double got, double wanted, double tolerance)
{
    if (std::fabs(got - wanted) <= tolerance) return;
    failed = true;
    printf("%s on the %s: %.17g, not %.17g\n", what, on_device ? "device" : "host", got, wanted);
}

int main()
{
    for (int side = 0; side < 2; side++) {
        curandGenerator_t g;
        on_device = side == 1;
        if (on_device)
            curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
        else
            curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_DEFAULT);
        curandSetPseudoRandomGeneratorSeed(g, 1234);
        expect("curandGenerate", last<unsigned>(10, [&](unsigned *to) { return curandGenerate(g, to, 10); }), 1225999208, 0);
        expect("curandGenerateUniform", last<float>(5000, [&](float *to) { return curandGenerateUniform(g, to, 5000); }), 0.152400658, 1e-9);
        expect("curandGenerateNormal", last<float>(20000, [&](float *to) { return curandGenerateNormal(g, to, 20000, 2, 3); }), 3.2497, 1e-4);
        expect("curandGenerateUniformDouble", last<double>(7, [&](double *to) { return curandGenerateUniformDouble(g, to, 7); }), 0.30916542104718275, 1e-15);
        expect("an odd number of normal ones", last<float>(3, [&](float *to) { return curandGenerateNormal(g, to, 3, 0, 1); }), -105, 0);
        curandSetGeneratorOffset(g, 77777);
        expect("after an offset", last<unsigned>(9, [&](unsigned *to) { return curandGenerate(g, to, 9); }), 4082695497, 0);
        curandDestroyGenerator(g);
    }
    if (!failed) printf("as expected\n");
}
