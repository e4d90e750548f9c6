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
static unsigned int cache_config;

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

/* The result, if the program gave a place for it with its first argument. */
static cudaError_t give(struct call *call, uint64_t value)
{
    if (!argument(call, 0)) return cudaErrorInvalidValue;
    call->reply->result[0] = value;
    return cudaSuccess;
}

cudaError_t serve_cudaGetDeviceCount(struct call *call)
{
    return give(call, 1);
}

cudaError_t serve_cudaGetDevice(struct call *call)
{
    return give(call, 0);
}

cudaError_t serve_cudaSetDevice(struct call *call)
{
    return check_device(argument_int(call, 0));
}

cudaError_t serve_cudaInitDevice(struct call *call)
{
    return argument_unsigned(call, 2) > 1 ? cudaErrorInvalidValue
                                          : check_device(argument_int(call, 0));
}

cudaError_t serve_cudaSetDeviceFlags(struct call *call)
{
    enum { FLAGS_MAX = 31 };
    if (argument_unsigned(call, 0) > FLAGS_MAX) return cudaErrorInvalidValue;
    device_flags = argument_unsigned(call, 0);
    return cudaSuccess;
}

cudaError_t serve_cudaGetDeviceFlags(struct call *call)
{
    return give(call, device_flags | cudaDeviceMapHost);
}

cudaError_t serve_cudaChooseDevice(struct call *call)
{
    return argument(call, 1) ? give(call, 0) : cudaErrorInvalidValue;
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

static void describe(cudaDeviceProp *properties)
{
    const struct profile *gpu = profile();
    *properties = (cudaDeviceProp){.totalGlobalMem = memory_total(),
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
                                   .memoryClockRate = (int)(gpu->memory_clock_ghz * 1e6),
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
                                   .reservedSharedMemPerBlock = kilobytes(gpu->shared_kb_reserved)};
    snprintf(properties->name, sizeof properties->name, "%s", gpu->name);
}

cudaError_t serve_cudaGetDeviceProperties(struct call *call)
{
    cudaDeviceProp properties;
    if (!argument(call, 0)) return cudaErrorInvalidValue;
    if (argument_int(call, 1) != 0) return cudaErrorInvalidDevice;
    describe(&properties);
    call_answer(&properties, sizeof properties);
    return cudaSuccess;
}

/* One attribute, out of the properties. False when the simulated GPU does not know it. */
static bool find_attribute(cudaDeviceAttr attribute, const cudaDeviceProp *p, int *value)
{
    const struct row {
        cudaDeviceAttr attribute;
        long long value;
    } rows[] = {
        {cudaDevAttrMaxThreadsPerBlock, p->maxThreadsPerBlock},
        {cudaDevAttrMaxBlockDimX, p->maxThreadsDim[0]},
        {cudaDevAttrMaxBlockDimY, p->maxThreadsDim[1]},
        {cudaDevAttrMaxBlockDimZ, p->maxThreadsDim[2]},
        {cudaDevAttrMaxGridDimX, p->maxGridSize[0]},
        {cudaDevAttrMaxGridDimY, p->maxGridSize[1]},
        {cudaDevAttrMaxGridDimZ, p->maxGridSize[2]},
        {cudaDevAttrMaxSharedMemoryPerBlock, (long long)p->sharedMemPerBlock},
        {cudaDevAttrTotalConstantMemory, (long long)p->totalConstMem},
        {cudaDevAttrWarpSize, p->warpSize},
        {cudaDevAttrMaxPitch, (long long)p->memPitch},
        {cudaDevAttrMaxRegistersPerBlock, p->regsPerBlock},
        {cudaDevAttrClockRate, p->clockRate},
        {cudaDevAttrTextureAlignment, (long long)p->textureAlignment},
        {cudaDevAttrGpuOverlap, p->deviceOverlap},
        {cudaDevAttrMultiProcessorCount, p->multiProcessorCount},
        {cudaDevAttrKernelExecTimeout, 0},
        {cudaDevAttrIntegrated, 0},
        {cudaDevAttrCanMapHostMemory, 1},
        {cudaDevAttrComputeMode, cudaComputeModeDefault},
        {cudaDevAttrConcurrentKernels, 1},
        {cudaDevAttrEccEnabled, p->ECCEnabled},
        {cudaDevAttrPciBusId, 0},
        {cudaDevAttrPciDeviceId, 0},
        {cudaDevAttrTccDriver, 0},
        {cudaDevAttrMemoryClockRate, p->memoryClockRate},
        {cudaDevAttrGlobalMemoryBusWidth, p->memoryBusWidth},
        {cudaDevAttrL2CacheSize, p->l2CacheSize},
        {cudaDevAttrMaxThreadsPerMultiProcessor, p->maxThreadsPerMultiProcessor},
        {cudaDevAttrAsyncEngineCount, p->asyncEngineCount},
        {cudaDevAttrUnifiedAddressing, 1},
        {cudaDevAttrPciDomainId, 0},
        {cudaDevAttrComputeCapabilityMajor, p->major},
        {cudaDevAttrComputeCapabilityMinor, p->minor},
        {cudaDevAttrStreamPrioritiesSupported, 1},
        {cudaDevAttrGlobalL1CacheSupported, 1},
        {cudaDevAttrLocalL1CacheSupported, 1},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, (long long)p->sharedMemPerMultiprocessor},
        {cudaDevAttrMaxRegistersPerMultiprocessor, p->regsPerMultiprocessor},
        {cudaDevAttrManagedMemory, 1},
        {cudaDevAttrIsMultiGpuBoard, 0},
        {cudaDevAttrMultiGpuBoardGroupID, p->multiGpuBoardGroupID},
        {cudaDevAttrHostNativeAtomicSupported, p->hostNativeAtomicSupported},
        {cudaDevAttrSingleToDoublePrecisionPerfRatio, p->singleToDoublePrecisionPerfRatio},
        {cudaDevAttrPageableMemoryAccess, 0},
        {cudaDevAttrConcurrentManagedAccess, 1},
        {cudaDevAttrComputePreemptionSupported, 1},
        {cudaDevAttrCanUseHostPointerForRegisteredMem, p->canUseHostPointerForRegisteredMem},
        {cudaDevAttrCooperativeLaunch, 1},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, (long long)p->sharedMemPerBlockOptin},
        {cudaDevAttrHostRegisterSupported, 1},
        {cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0},
        {cudaDevAttrDirectManagedMemAccessFromHost, 0},
        {cudaDevAttrMaxBlocksPerMultiprocessor, p->maxBlocksPerMultiProcessor},
        {cudaDevAttrReservedSharedMemoryPerBlock, (long long)p->reservedSharedMemPerBlock},
        {cudaDevAttrMemoryPoolsSupported, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].attribute == attribute) {
            *value = (int)rows[i].value;
            return true;
        }
    return false;
}

cudaError_t serve_cudaDeviceGetAttribute(struct call *call)
{
    cudaDeviceProp properties;
    int value = 0;
    if (!argument(call, 0)) return cudaErrorInvalidValue;
    if (argument_int(call, 2) != 0) return cudaErrorInvalidDevice;
    describe(&properties);
    if (find_attribute((cudaDeviceAttr)argument_int(call, 1), &properties, &value))
        return give(call, (uint64_t)(int64_t)value);
    char what[60];
    snprintf(what, sizeof what, "device attribute %d", argument_int(call, 1));
    call_unknown(call, what);
    return cudaErrorInvalidValue;
}

cudaError_t serve_cudaDeviceGetPCIBusId(struct call *call)
{
    if (!argument(call, 0) || argument_int(call, 1) < (int)sizeof bus_id)
        return cudaErrorInvalidValue;
    call_answer(bus_id, sizeof bus_id);
    return check_device(argument_int(call, 2));
}

cudaError_t serve_cudaDeviceGetByPCIBusId(struct call *call)
{
    size_t bytes = call->request->payload;
    if (!argument(call, 0) || bytes == 0) return cudaErrorInvalidValue;
    bool same = bytes == sizeof bus_id && memcmp(call->payload, bus_id, sizeof bus_id) == 0;
    return same ? give(call, 0) : cudaErrorInvalidDevice;
}

/* ---- limits and settings -------------------------------------------------------------------- */

cudaError_t serve_cudaDeviceGetLimit(struct call *call)
{
    uint64_t limit = argument(call, 1);
    return limit > cudaLimitPersistingL2CacheSize ? cudaErrorUnsupportedLimit
                                                  : give(call, limits[limit]);
}

cudaError_t serve_cudaDeviceSetLimit(struct call *call)
{
    uint64_t limit = argument(call, 0);
    if (limit > cudaLimitPersistingL2CacheSize) return cudaErrorUnsupportedLimit;
    limits[limit] = argument(call, 1);
    if (limit == cudaLimitMallocHeapSize) warp_heap_bytes = limits[limit];
    if (limit == cudaLimitStackSize) warp_stack_bytes = limits[limit];
    return cudaSuccess;
}

cudaError_t serve_cudaDeviceGetCacheConfig(struct call *call)
{
    return give(call, cache_config);
}

cudaError_t serve_cudaDeviceSetCacheConfig(struct call *call)
{
    if (argument_unsigned(call, 0) > cudaFuncCachePreferEqual) return cudaErrorInvalidValue;
    cache_config = argument_unsigned(call, 0);
    return cudaSuccess;
}

/* The banks are 4 bytes wide since compute capability 5.0, whatever a program asks for. */
cudaError_t serve_cudaDeviceGetSharedMemConfig(struct call *call)
{
    return give(call, cudaSharedMemBankSizeFourByte);
}

cudaError_t serve_cudaDeviceSetSharedMemConfig(struct call *call)
{
    return argument_unsigned(call, 0) > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue
                                                                       : cudaSuccess;
}

cudaError_t serve_cudaDeviceGetStreamPriorityRange(struct call *call)
{
    call->reply->result[0] = 0;
    call->reply->result[1] = (uint64_t)(int64_t)-5;
    return cudaSuccess;
}

cudaError_t serve_cudaDeviceCanAccessPeer(struct call *call)
{
    bool known = argument_int(call, 1) == 0 && argument_int(call, 2) == 0;
    return known ? give(call, 0) : cudaErrorInvalidDevice;
}

/* There is no other device. */
cudaError_t serve_cudaDeviceEnablePeerAccess(struct call *call)
{
    (void)call;
    return cudaErrorInvalidDevice;
}

cudaError_t serve_cudaDeviceDisablePeerAccess(struct call *call)
{
    (void)call;
    return cudaErrorInvalidDevice;
}

cudaError_t serve_cudaDriverGetVersion(struct call *call)
{
    return give(call, VERSION);
}

cudaError_t serve_cudaRuntimeGetVersion(struct call *call)
{
    return give(call, VERSION);
}

cudaError_t serve_cudaProfilerStart(struct call *call)
{
    (void)call;
    return cudaSuccess;
}

cudaError_t serve_cudaProfilerStop(struct call *call)
{
    (void)call;
    return cudaSuccess;
}
