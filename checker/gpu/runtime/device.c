/*
 * device.c: the properties of the device, its limits and settings. All figures come from the
 * profile.
 */
#include "gpu/memory/memory.h"
#include "gpu/runtime/allocation.h"
#include "gpu/runtime/runtime.h"
#include "gpu/runtime/stream.h"
#include "gpu/time/profile.h"
#include "gpu/warp/launch.h"
#include "gpu/memory/perturb.h"
#include "gpu/runtime/repeat.h"
#include "gpu/runtime/larger.h"
#include "gpu/memory/fault.h"

#include <stdio.h>
#include <string.h>

enum {
    DEFAULT_SHARED = 48 << 10,
    CONSTANT_BYTES = 64 << 10,
    BLOCK_THREADS = 1024,
    VERSION = 12080
};

static size_t limits[cudaLimitPersistingL2CacheSize + 1] = {1024, 8650752, 8 << 20, 2, 2048, 64, 0};
static unsigned int device_flags;
static cudaFuncCache cache_config;

static const char bus_id[] = "0000:00:00.0";

static size_t kilobytes(double figure)
{
    return (size_t)(figure * 1024);
}

/* Is this device's number the only one there is? */
static cudaError_t check_device(int device)
{
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t serve_cudaGetDeviceCount(struct call *call, int *count)
{
    *count = 1;
    return cudaSuccess;
}

cudaError_t serve_cudaGetDevice(struct call *call, int *device)
{
    *device = 0;
    return cudaSuccess;
}

cudaError_t serve_cudaSetDevice(struct call *call, int device)
{
    return check_device(device);
}

cudaError_t serve_cudaInitDevice(struct call *call, int device, unsigned int of_device,
                                 unsigned int flags)
{
    return flags > 1 ? cudaErrorInvalidValue : check_device(device);
}

cudaError_t serve_cudaSetDeviceFlags(struct call *call, unsigned int flags)
{
    enum { FLAGS_MAX = 31 };
    if (flags > FLAGS_MAX) return cudaErrorInvalidValue;
    device_flags = flags;
    return cudaSuccess;
}

cudaError_t serve_cudaGetDeviceFlags(struct call *call, unsigned int *flags)
{
    *flags = device_flags | cudaDeviceMapHost;
    return cudaSuccess;
}

cudaError_t serve_cudaChooseDevice(struct call *call, int *device, const cudaDeviceProp *properties)
{
    *device = 0;
    return properties != NULL ? cudaSuccess : cudaErrorInvalidValue;
}

/* Waits, frees everything, and forgets errors. Memory that was not freed before is not a leak then.
 */
cudaError_t serve_cudaDeviceReset(struct call *call)
{
    stream_wait_all();
    allocations_report(false);
    allocations_free_all(call);
    stream_reset();
    errors_reset();
    return cudaSuccess;
}

cudaError_t serve_cudaThreadExit(struct call *call)
{
    return serve_cudaDeviceReset(call);
}

/* The bus moves two bits per clock and line. */
static int memory_khz(const struct profile *gpu)
{
    return (int)(gpu->peak_gbs * 8 / (2 * gpu->memory_bus_bits) * 1e6);
}

static void describe(cudaDeviceProp *properties)
{
    const struct profile *gpu = profile();
    *properties =
        (cudaDeviceProp){.totalGlobalMem = memory_total(),
                         .sharedMemPerBlock = DEFAULT_SHARED,
                         .regsPerBlock = (int)gpu->registers_per_sm,
                         .warpSize = 32,
                         .memPitch = 2147483647,
                         .maxThreadsPerBlock = BLOCK_THREADS,
                         .maxThreadsDim = {1024, 1024, 64},
                         .maxGridSize = {2147483647, 65535, 65535},
                         .clockRate = (int)(gpu->clock_ghz * 1e6),
                         .totalConstMem = CONSTANT_BYTES,
                         .major = (int)gpu->capability / 10,
                         .minor = (int)gpu->capability % 10,
                         .textureAlignment = 512,
                         .texturePitchAlignment = 32,
                         .deviceOverlap = 1,
                         .multiProcessorCount = (int)gpu->sms,
                         .canMapHostMemory = 1,
                         .surfaceAlignment = 512,
                         .concurrentKernels = 1,
                         .ECCEnabled = 1,
                         .asyncEngineCount = 3,
                         .unifiedAddressing = 1,
                         .memoryClockRate = memory_khz(gpu),
                         .memoryBusWidth = (int)gpu->memory_bus_bits,
                         .l2CacheSize = (int)(gpu->l2_mb * 1024 * 1024),
                         .maxThreadsPerMultiProcessor = (int)gpu->threads_per_sm,
                         .streamPrioritiesSupported = 1,
                         .globalL1CacheSupported = 1,
                         .localL1CacheSupported = 1,
                         .sharedMemPerMultiprocessor = kilobytes(gpu->shared_kb_per_sm),
                         .regsPerMultiprocessor = (int)gpu->registers_per_sm,
                         .managedMemory = 1,
                         .singleToDoublePrecisionPerfRatio = 2,
                         .concurrentManagedAccess = 1,
                         .computePreemptionSupported = 1,
                         .cooperativeLaunch = 1,
                         .canUseHostPointerForRegisteredMem = 1,
                         .sharedMemPerBlockOptin = kilobytes(gpu->shared_kb_per_block),
                         .maxBlocksPerMultiProcessor = (int)gpu->blocks_per_sm,
                         .reservedSharedMemPerBlock = kilobytes(profile_shared_kb_reserved())};
    snprintf(properties->name, sizeof properties->name, "%s", gpu->name);
}

cudaError_t serve_cudaGetDeviceProperties(struct call *call)
{
    cudaDeviceProp properties;
    if (call->argument[0] == 0) return cudaErrorInvalidValue;
    if ((int)call->argument[1] != 0) return cudaErrorInvalidDevice;
    describe(&properties);
    call_answer(&properties, sizeof properties);
    return cudaSuccess;
}

/* One attribute, out of the properties. False when the simulated GPU does not know it. */
static bool find_attribute(cudaDeviceAttr attribute, const cudaDeviceProp *p, int *value)
{
    switch (attribute) {
#define CASE(name, number, property)                                                               \
    case cudaDevAttr##name: *value = (int)(property); return true;
        WARPUP_ATTRIBUTES(CASE)
#undef CASE
    default: return false;
    }
}

cudaError_t serve_cudaDeviceGetAttribute(struct call *call, int *value, cudaDeviceAttr attribute,
                                         int device)
{
    cudaDeviceProp properties;
    char what[60];
    if (device != 0) return cudaErrorInvalidDevice;
    describe(&properties);
    if (find_attribute(attribute, &properties, value)) return cudaSuccess;
    snprintf(what, sizeof what, "device attribute %d", (int)attribute);
    call_unknown(call, what);
    return cudaErrorInvalidValue;
}

cudaError_t serve_cudaDeviceGetPCIBusId(struct call *call)
{
    if (call->argument[0] == 0 || (int)call->argument[1] < (int)sizeof bus_id)
        return cudaErrorInvalidValue;
    call_answer(bus_id, sizeof bus_id);
    return check_device((int)call->argument[2]);
}

cudaError_t serve_cudaDeviceGetByPCIBusId(struct call *call)
{
    const int device = 0;
    size_t bytes = call->request->payload;
    if (call->argument[0] == 0 || bytes == 0) return cudaErrorInvalidValue;
    bool same = bytes == sizeof bus_id && memcmp(call->payload, bus_id, sizeof bus_id) == 0;
    if (same) call_answer(&device, sizeof device);
    return same ? cudaSuccess : cudaErrorInvalidDevice;
}

/* ---- limits and settings -------------------------------------------------------------------- */

cudaError_t serve_cudaDeviceGetLimit(struct call *call, size_t *value, cudaLimit limit)
{
    if (limit > cudaLimitPersistingL2CacheSize) return cudaErrorUnsupportedLimit;
    *value = limits[limit];
    return cudaSuccess;
}

cudaError_t serve_cudaDeviceSetLimit(struct call *call, cudaLimit limit, size_t value)
{
    if (limit > cudaLimitPersistingL2CacheSize) return cudaErrorUnsupportedLimit;
    limits[limit] = value;
    if (limit == cudaLimitMallocHeapSize) warp_heap_bytes = value;
    if (limit == cudaLimitStackSize) warp_stack_bytes = value;
    return cudaSuccess;
}

cudaError_t serve_cudaDeviceGetCacheConfig(struct call *call, cudaFuncCache *config)
{
    *config = cache_config;
    return cudaSuccess;
}

cudaError_t serve_cudaDeviceSetCacheConfig(struct call *call, cudaFuncCache config)
{
    if (config > cudaFuncCachePreferEqual) return cudaErrorInvalidValue;
    cache_config = config;
    return cudaSuccess;
}

/* The banks are 4 bytes wide since compute capability 5.0, whatever a program asks for. */
cudaError_t serve_cudaDeviceGetSharedMemConfig(struct call *call, cudaSharedMemConfig *config)
{
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

cudaError_t serve_cudaDeviceSetSharedMemConfig(struct call *call, cudaSharedMemConfig config)
{
    return config > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t serve_cudaDeviceGetStreamPriorityRange(struct call *call, int *least, int *greatest)
{
    *least = 0;
    *greatest = PRIORITY_GREATEST;
    return cudaSuccess;
}

/* ---- other devices: there are none ---------------------------------------------------------- */

cudaError_t serve_cudaDeviceCanAccessPeer(struct call *call, int *can, int device, int peer)
{
    *can = 0;
    return device == 0 && peer == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t serve_cudaDeviceEnablePeerAccess(struct call *call, int peer, unsigned int flags)
{
    return cudaErrorInvalidDevice;
}

cudaError_t serve_cudaDeviceDisablePeerAccess(struct call *call, int peer)
{
    return cudaErrorInvalidDevice;
}

cudaError_t serve_cudaDeviceGetP2PAttribute(struct call *call, int *value,
                                            cudaDeviceP2PAttr attribute, int from, int to)
{
    return cudaErrorInvalidDevice;
}

/* ---- versions and profilers ----------------------------------------------------------------- */

cudaError_t serve_cudaDriverGetVersion(struct call *call, int *version)
{
    *version = VERSION;
    return cudaSuccess;
}

cudaError_t serve_cudaRuntimeGetVersion(struct call *call)
{
    const int version = VERSION;
    if (call->argument[0] == 0) return cudaErrorInvalidValue;
    call_answer(&version, sizeof version);
    return cudaSuccess;
}

cudaError_t serve_cudaProfilerStart(struct call *call)
{
    return cudaSuccess;
}

cudaError_t serve_cudaProfilerStop(struct call *call)
{
    return cudaSuccess;
}

/* ---- the beginning and the end of a program ------------------------------------------------- */

void runtime_start(void)
{
    memory_limit((uint64_t)(profile()->memory_gb * 1e9));
    perturb_begin();
    larger_begin();
    warp_print = repeat_print;
}

void runtime_finish(bool leaks)
{
    allocations_report(leaks);
    fault_report(0, NULL);
}
