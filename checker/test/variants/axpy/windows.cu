// windows.cu — axpy, von einem Editor unter Windows: Tabulatoren, CRLF, die Marke von UTF-8,
// Umlaute, und die Zeichen <<< und >>> dort, wo sie nichts starten: kern<<<1, 1>>>(n); /* é ü 中 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
#include <cuda_runtime.h>

/* Früher: addiere<<<1, 1>>>(n, a, x, y);
   jetzt so viele Blöcke, wie es braucht. */
#define BANNER "addiere<<<Blöcke, Fäden>>>(…) läuft\n" \
	"  // kein Kommentar <<< \"\n"

static const char chevrons[] = {'<', '<', '<'};	/* '"' */
static const char *const raw = R"(k<<<1, 1>>>();
")";

extern "C" __global__ void addiere(int n, float a, const float *x, float *y)
{
	int i = blockIdx.x*blockDim.x + threadIdx.x;	// i-tes Element, 0 ≤ i < n
	if (i < n)
		y[i] = a*x[i] + y[i];
}

extern "C" float eingabe(uint64_t seed, uint64_t array, uint64_t i)
{
	uint64_t h = (4*seed + array)*0x9e3779b97f4a7c15u + i;
	h = (h ^ (h>>33))*0xff51afd7ed558ccdu;
	h = (h ^ (h>>33))*0xc4ceb9fe1a85ec53u;
	return (float)(uint32_t)(h>>40)/8388608.0f - 1.0f;
}

static void zeile(const char *wer, int nthr, int n, double t)
{
	printf(" %s: nthr = %4d   t0 = %.9f sec   P = %7.3f Gflop/s   B = %8.3f GB/s\n",
		wer, nthr, t, 2e-9*n/t, 12e-9*n/t);
}

int main(int argc, char *argv[])
{
	int n = argc == 2 ? atoi(argv[1]) : 0;
	if (n < 1) {
		fprintf(stderr, "usage: axpy N   (%d %s)\n", 1<<(1<<1), "<<<");
		return 1;
	}
	if (getenv("LAUT") != NULL) fprintf(stderr, BANNER "%.3s%s", chevrons, raw);
	uint64_t seed = getenv("WARPUP_SEED") ? strtoull(getenv("WARPUP_SEED"), NULL, 10) : 1;
	size_t bytes = n*sizeof(float);
	float *x = (float *)malloc(bytes), *y0 = (float *)malloc(bytes), *y1 = (float *)malloc(bytes);
	float a = 1.5f + 0.5f*eingabe(seed, 2, 0);
	for (int i = 0; i < n; i++) {
		x[i] = eingabe(seed, 0, i);
		y0[i] = y1[i] = eingabe(seed, 1, i);
	}

	double t = omp_get_wtime();
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		y0[i] = a*x[i] + y0[i];
	zeile("CPU", omp_get_max_threads(), n, omp_get_wtime() - t);

	float *gx, *gy;
	if (cudaMalloc(&gx, bytes) != cudaSuccess || cudaMalloc(&gy, bytes) != cudaSuccess) {
		fprintf(stderr, "kein Platz für %d Elemente\n", n);
		return 1;
	}
	cudaMemcpy(gx, x, bytes, cudaMemcpyHostToDevice);
	cudaMemcpy(gy, y1, bytes, cudaMemcpyHostToDevice);
	t = omp_get_wtime();
	addiere <<< (n + 255) / 256,
		256 /* Fäden je Block >>> */ >>> (n, a, gx, gy);
	cudaError_t fehler = cudaDeviceSynchronize();
	t = omp_get_wtime() - t;
	if (fehler != cudaSuccess) {
		fprintf(stderr, "%s\n", cudaGetErrorString(fehler));
		return 1;
	}
	zeile("GPU", 256, n, t);
	cudaMemcpy(y1, gy, bytes, cudaMemcpyDeviceToHost);
	cudaFree(gx);
	cudaFree(gy);

	double d = 0, s = 0;
	for (int i = 0; i < n; i++) {
		d += pow((double)y1[i] - y0[i], 2);
		s += pow((double)y0[i], 2);
	}
	printf(" Diff = %e\n", sqrt(d/s));
	free(x);
	free(y0);
	free(y1);
	return 0;
}
