/* host.h: what the host's calls cost, and copies between the host and the GPU. */
#ifndef HOST_H
#define HOST_H

#include "common.h"
#include "starts.h"

/* launch_us: the time of a launch on the host, of many in a row. sync_us: what a launch and a
 * synchronization take beyond that. */
static void measure_calls(struct gpu *gpu)
{
    enum { LAUNCHES = 256 };
    double launches = time_of(gpu, ON_HOST, "launches, on the host", [&] {
        for (int i = 0; i < LAUNCHES; i++)
            nothing<<<1, WARP>>>();
    });
    gpu->launch_us = measured("launch_us", launches / LAUNCHES / 1000);
    double waited = time_of(gpu, ON_HOST, "a launch and a synchronization", [&] {
        nothing<<<1, WARP>>>();
        check(cudaDeviceSynchronize(), "waiting for the GPU");
    });
    measured("sync_us", waited / 1000 - gpu->launch_us);
}

/* Memory at both ends of the bus */
struct ends {
    char *host, *device;
    size_t bytes;
};

static void copy(const struct ends *ends, bool to_device, size_t bytes)
{
    if (to_device)
        check(cudaMemcpy(ends->device, ends->host, bytes, cudaMemcpyHostToDevice), "copying");
    else
        check(cudaMemcpy(ends->host, ends->device, bytes, cudaMemcpyDeviceToHost), "copying");
}

/* transfer_start_us: a copy of 4 bytes of pageable memory. transfer_gbs: a large one; the mean time
 * of both directions. */
static void measure_pageable(const struct gpu *gpu, const struct ends *device)
{
    struct ends ends = {(char *)malloc(device->bytes), device->device, device->bytes};
    if (ends.host == NULL) check(cudaErrorMemoryAllocation, "host memory");
    memset(ends.host, 1, ends.bytes);
    double start = 0, all = 0;
    for (int to_device = 0; to_device < 2; to_device++) {
        start += time_of(gpu, ON_HOST, "copies of 4 bytes, pageable",
                         [&] { copy(&ends, to_device, 4); });
        all +=
            time_of(gpu, ON_HOST, "copies, pageable", [&] { copy(&ends, to_device, ends.bytes); });
    }
    measured("transfer_start_us", start / 2 / 1000);
    measured("transfer_gbs", 2 * (double)ends.bytes / (all - start));
    free(ends.host);
}

/* Puts asynchronous copies of pinned memory into a stream. */
static void put_copies(const struct ends *ends, bool to_device, size_t chunk, int chunks,
                       cudaStream_t stream)
{
    for (int i = 0; i < chunks; i++) {
        size_t at = (size_t)i * chunk % ends->bytes;
        char *host = ends->host + at, *device = ends->device + at;
        check(to_device ? cudaMemcpyAsync(device, host, chunk, cudaMemcpyHostToDevice, stream)
                        : cudaMemcpyAsync(host, device, chunk, cudaMemcpyDeviceToHost, stream),
              "copying");
    }
}

/* Time of some copies in one direction. With `beside`, the other direction is busy with its own
 * copies until these have ended. */
static double pinned_ns(const struct gpu *gpu, const char *what, const struct ends ends[2],
                        bool to_device, size_t chunk, int chunks, bool beside)
{
    cudaStream_t stream[2];
    for (int k = 0; k < 2; k++)
        check(cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking), "making a stream");
    double ns = time_of(gpu, ON_HOST, what, [&] {
        if (beside) put_copies(&ends[1], !to_device, chunk, 2 * chunks, stream[1]);
        put_copies(&ends[0], to_device, chunk, chunks, stream[0]);
        check(cudaStreamSynchronize(stream[0]), "waiting for the GPU");
    });
    for (int k = 0; k < 2; k++)
        check(cudaStreamDestroy(stream[k]), "closing a stream");
    return ns;
}

/* GB/s of large copies. They are compared with smaller ones, because each costs something by
 * itself. */
static double pinned_gbs(const struct gpu *gpu, const char *what, const struct ends ends[2],
                         bool to_device, bool beside)
{
    enum { CHUNKS = 16 };
    size_t large = ends->bytes / 2, less = large / 4;
    double ns = pinned_ns(gpu, what, ends, to_device, large, CHUNKS, beside) -
                pinned_ns(gpu, what, ends, to_device, less, CHUNKS, beside);
    return (double)(large - less) * CHUNKS / ns;
}

/* pinned_gbs: the mean of both directions. pinned_both_gbs: the same while the other direction is
 * busy. pinned_start_us: each of many copies of 64 KB, without the time of its bytes. */
static void measure_pinned(const struct gpu *gpu, const struct ends ends[2])
{
    enum { SHORT = 64 * K, CHUNKS = 128 };
    double rate =
        measured("pinned_gbs", (pinned_gbs(gpu, "copies to the GPU", ends, true, false) +
                                pinned_gbs(gpu, "copies from the GPU", ends, false, false)) /
                                   2);
    measured("pinned_both_gbs",
             (pinned_gbs(gpu, "copies to the GPU, both ways", ends, true, true) +
              pinned_gbs(gpu, "copies from the GPU, both ways", ends, false, true)) /
                 2);
    double ns = pinned_ns(gpu, "copies of 64 KB", ends, true, SHORT, 3 * CHUNKS, false) -
                pinned_ns(gpu, "fewer copies of 64 KB", ends, true, SHORT, CHUNKS, false);
    measured("pinned_start_us", (ns / (2 * CHUNKS) - SHORT / rate) / 1000);
}

static void measure_host(struct gpu *gpu)
{
    struct ends ends[2];
    for (struct ends &end : ends) {
        end.bytes = gpu->small ? 8 * M : 64 * M;
        end.device = (char *)device_array(end.bytes);
        check(cudaMallocHost((void **)&end.host, end.bytes), "allocating pinned memory");
        memset(end.host, 1, end.bytes);
    }
    measure_calls(gpu);
    measure_pageable(gpu, ends);
    measure_pinned(gpu, ends);
    for (struct ends &end : ends) {
        check(cudaFree(end.device), "freeing memory");
        check(cudaFreeHost(end.host), "freeing memory");
    }
}

#endif
