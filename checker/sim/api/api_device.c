/*
 * api_device.c: the properties of the device. All figures come from the profile.
 */
#include "sim/api/api_call.h"
#include "sim/api/api_memory.h"
#include "sim/api/api_stream.h"
#include "sim/gpu/memory.h"
#include "sim/gpu/profile.h"
#include "sim/requests/lane.h"

#include <stdio.h>

enum { DEFAULT_SHARED = 48 << 10, CONSTANT_BYTES = 64 << 10, BLOCK_THREADS = 1024 };

static size_t limits[cudaLimitPersistingL2CacheSize + 1] = {1024, 8650752, 8 << 20, 2, 2048, 64, 0};
static unsigned int device_flags;
static cudaFuncCache cache_config;

static size_t kilobytes(double figure)
{
    return (size_t)(figure * 1024);
}

/* Is this device's number the only one there is? */
static cudaError_t check_device(int device)
{
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

static cudaError_t give(int *place, int value)
{
    if (place == NULL) return cudaErrorInvalidValue;
    *place = value;
    return cudaSuccess;
}

CALL(cudaGetDeviceCount, (int *count), give(count, 1));
CALL(cudaGetDevice, (int *device), give(device, 0));
CALL(cudaSetDevice, (int device), check_device(device));

cudaError_t cudaInitDevice(int device, unsigned int device_flags_wanted, unsigned int flags)
{
    (void)device_flags_wanted;
    API(flags > 1 ? cudaErrorInvalidValue : check_device(device));
}

static cudaError_t set_flags(unsigned int flags)
{
    device_flags = flags;
    return cudaSuccess;
}

CALL(cudaSetDeviceFlags, (unsigned int flags),
     flags > 31 ? cudaErrorInvalidValue : set_flags(flags));
CALL(cudaGetDeviceFlags, (unsigned int *flags),
     give((int *)flags, (int)(device_flags | cudaDeviceMapHost)));
CALL(cudaChooseDevice, (int *device, const cudaDeviceProp *properties),
     properties == NULL ? cudaErrorInvalidValue : give(device, 0));

/* Waits, frees everything, and forgets errors. Memory that was not freed before is not a leak then.
 */
static cudaError_t reset(void)
{
    stream_wait_all();
    allocations_report(false);
    EACH_ALLOCATION (one)
        memory_free(one, 0);
    stream_reset();
    return cudaSuccess;
}

cudaError_t cudaDeviceReset(void)
{
    struct call call = api_begin(__func__, (uintptr_t)__builtin_return_address(0));
    call.error = lane_runs ? call.error : reset();
    if (!lane_runs) api_reset_errors();
    return api_end(&call);
}

static cudaError_t describe(cudaDeviceProp *properties, int device)
{
    const struct profile *gpu = profile();
    if (properties == NULL) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
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
    return cudaSuccess;
}

CALL(cudaGetDeviceProperties, (cudaDeviceProp * properties, int device),
     describe(properties, device));

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

static cudaError_t attribute(const struct call *call, int *value, cudaDeviceAttr which, int device)
{
    cudaDeviceProp properties;
    if (value == NULL) return cudaErrorInvalidValue;
    cudaError_t error = describe(&properties, device);
    if (error != cudaSuccess || find_attribute(which, &properties, value)) return error;
    char what[60];
    snprintf(what, sizeof what, "device attribute %d", (int)which);
    api_unknown(what, call->pc);
    return cudaErrorInvalidValue;
}

CALL(cudaDeviceGetAttribute, (int *value, cudaDeviceAttr which, int device),
     attribute(&call, value, which, device));

static cudaError_t bus_id(char *text, int length, int device)
{
    if (text == NULL || length < 13) return cudaErrorInvalidValue;
    snprintf(text, (size_t)length, "0000:00:00.0");
    return check_device(device);
}

CALL(cudaDeviceGetPCIBusId, (char *text, int length, int device), bus_id(text, length, device));

static cudaError_t limit_of(cudaLimit limit, size_t *value, bool set)
{
    if ((unsigned)limit > cudaLimitPersistingL2CacheSize) return cudaErrorUnsupportedLimit;
    if (value == NULL) return cudaErrorInvalidValue;
    if (set)
        limits[limit] = *value;
    else
        *value = limits[limit];
    return cudaSuccess;
}

CALL(cudaDeviceGetLimit, (size_t * value, cudaLimit limit), limit_of(limit, value, false));
CALL(cudaDeviceSetLimit, (cudaLimit limit, size_t value), limit_of(limit, &value, true));
CALL(cudaDeviceGetCacheConfig, (cudaFuncCache * config), give((int *)config, (int)cache_config));

static cudaError_t set_cache_config(cudaFuncCache config)
{
    if ((unsigned)config > cudaFuncCachePreferEqual) return cudaErrorInvalidValue;
    cache_config = config;
    return cudaSuccess;
}

CALL(cudaDeviceSetCacheConfig, (cudaFuncCache config), set_cache_config(config));

/* The banks are 4 bytes wide since compute capability 5.0, whatever a program asks for. */
CALL(cudaDeviceGetSharedMemConfig, (cudaSharedMemConfig * config),
     give((int *)config, cudaSharedMemBankSizeFourByte));
CALL(cudaDeviceSetSharedMemConfig, (cudaSharedMemConfig config),
     (unsigned)config > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue : cudaSuccess);

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least != NULL) *least = 0;
    if (greatest != NULL) *greatest = -5;
    API(cudaSuccess);
}

CALL(cudaDeviceCanAccessPeer, (int *can, int device, int peer),
     device == 0 && peer == 0 ? give(can, 0) : cudaErrorInvalidDevice);
CALL(cudaDriverGetVersion, (int *version), give(version, CUDART_VERSION));
CALL(cudaRuntimeGetVersion, (int *version), give(version, CUDART_VERSION));
CALL(cudaProfilerStart, (void), cudaSuccess);
CALL(cudaProfilerStop, (void), cudaSuccess);
