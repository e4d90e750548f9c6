/*
 * driver_types.h: the types of the CUDA runtime: errors, kinds of copies, streams, events and
 * properties of a device. Enumerators have the numbers that the CUDA documentation gives. For C and
 * C++: the simulated GPU itself is built against this file.
 */
#ifndef __DRIVER_TYPES_H__
#define __DRIVER_TYPES_H__

#include <stddef.h>

#include "vector_types.h"
#include "warpup/attributes.h"
#include "warpup/errors.h"

#define WARPUP_ENUMERATOR(name, code, text) name = code,
typedef enum cudaError { WARPUP_ERRORS(WARPUP_ENUMERATOR) } cudaError_t;
#undef WARPUP_ENUMERATOR
typedef enum cudaError cudaError;

typedef enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
} cudaMemcpyKind;

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef void (*cudaHostFn_t)(void *data);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);

#define cudaStreamLegacy    ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)

enum {
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterPortable = 1,
    cudaHostRegisterMapped = 2,
    cudaHostRegisterIoMemory = 4,
    cudaHostRegisterReadOnly = 8,
    cudaStreamDefault = 0,
    cudaStreamNonBlocking = 1,
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaEventInterprocess = 4,
    cudaEventRecordDefault = 0,
    cudaEventWaitDefault = 0,
    cudaDeviceScheduleAuto = 0,
    cudaDeviceScheduleSpin = 1,
    cudaDeviceScheduleYield = 2,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceBlockingSync = 4,
    cudaDeviceMapHost = 8,
    cudaDeviceLmemResizeToMax = 16,
    cudaMemAttachGlobal = 1,
    cudaMemAttachHost = 2,
    cudaMemAttachSingle = 4,
    cudaOccupancyDefault = 0,
    cudaOccupancyDisableCachingOverride = 1
};

#define cudaCpuDeviceId     ((int)-1)
#define cudaInvalidDeviceId ((int)-2)

typedef enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3
} cudaMemoryType;

typedef struct cudaPointerAttributes {
    enum cudaMemoryType type;
    int device;
    void *devicePointer;
    void *hostPointer;
} cudaPointerAttributes;

typedef enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6
} cudaMemoryAdvise;

typedef enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0,
    cudaMemLocationTypeDevice = 1,
    cudaMemLocationTypeHost = 2
} cudaMemLocationType;

typedef struct cudaMemLocation {
    enum cudaMemLocationType type;
    int id;
} cudaMemLocation;

typedef struct CUmemPoolHandle_st *cudaMemPool_t;

typedef enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic = 2,
    cudaMemPoolReuseAllowInternalDependencies = 3,
    cudaMemPoolAttrReleaseThreshold = 4,
    cudaMemPoolAttrReservedMemCurrent = 5,
    cudaMemPoolAttrReservedMemHigh = 6,
    cudaMemPoolAttrUsedMemCurrent = 7,
    cudaMemPoolAttrUsedMemHigh = 8
} cudaMemPoolAttr;

typedef enum cudaMemAllocationType {
    cudaMemAllocationTypeInvalid = 0,
    cudaMemAllocationTypePinned = 1
} cudaMemAllocationType;

typedef enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone = 0,
    cudaMemHandleTypePosixFileDescriptor = 1
} cudaMemAllocationHandleType;

typedef struct cudaMemPoolProps {
    enum cudaMemAllocationType allocType;
    enum cudaMemAllocationHandleType handleTypes;
    struct cudaMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
} cudaMemPoolProps;

typedef enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported = 2,
    cudaDevP2PAttrNativeAtomicSupported = 3,
    cudaDevP2PAttrCudaArrayAccessSupported = 4
} cudaDeviceP2PAttr;

typedef enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3
} cudaFuncCache;

typedef enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2
} cudaSharedMemConfig;

typedef enum cudaLimit {
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitDevRuntimeSyncDepth = 3,
    cudaLimitDevRuntimePendingLaunchCount = 4,
    cudaLimitMaxL2FetchGranularity = 5,
    cudaLimitPersistingL2CacheSize = 6
} cudaLimit;

typedef enum cudaComputeMode {
    cudaComputeModeDefault = 0,
    cudaComputeModeExclusive = 1,
    cudaComputeModeProhibited = 2,
    cudaComputeModeExclusiveProcess = 3
} cudaComputeMode;

typedef enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
} cudaFuncAttribute;

enum {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxL1 = 0,
    cudaSharedmemCarveoutMaxShared = 100
};

typedef struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock;
    int numRegs;
    int ptxVersion, binaryVersion;
    int cacheModeCA;
    int maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
    int clusterDimMustBeSet;
    int requiredClusterWidth, requiredClusterHeight, requiredClusterDepth;
    int clusterSchedulingPolicyPreference;
    int nonPortableClusterSizeAllowed;
    int reserved[16];
} cudaFuncAttributes;

typedef struct cudaUUID_t {
    char bytes[16];
} cudaUUID_t;

/* The properties of a device, in the order of CUDA 12: ALL(type, name, dimension); CUDA 13 has
 * those of GONE() no more (cudart/version.c). Clocks are in kHz, the bus's width in bits. */
// clang-format off
#define WARPUP_PROPERTIES(ALL, GONE) \
    ALL(char, name, [256]) ALL(cudaUUID_t, uuid, ) ALL(char, luid, [8]) \
    ALL(unsigned int, luidDeviceNodeMask, ) ALL(size_t, totalGlobalMem, ) ALL(size_t, sharedMemPerBlock, ) \
    ALL(int, regsPerBlock, ) ALL(int, warpSize, ) ALL(size_t, memPitch, ) ALL(int, maxThreadsPerBlock, ) \
    ALL(int, maxThreadsDim, [3]) ALL(int, maxGridSize, [3]) GONE(int, clockRate, ) \
    ALL(size_t, totalConstMem, ) ALL(int, major, ) ALL(int, minor, ) ALL(size_t, textureAlignment, ) \
    ALL(size_t, texturePitchAlignment, ) GONE(int, deviceOverlap, ) ALL(int, multiProcessorCount, ) \
    GONE(int, kernelExecTimeoutEnabled, ) ALL(int, integrated, ) ALL(int, canMapHostMemory, ) \
    GONE(int, computeMode, ) ALL(int, maxTexture1D, ) ALL(int, maxTexture1DMipmap, ) \
    GONE(int, maxTexture1DLinear, ) ALL(int, maxTexture2D, [2]) ALL(int, maxTexture2DMipmap, [2]) \
    ALL(int, maxTexture2DLinear, [3]) ALL(int, maxTexture2DGather, [2]) ALL(int, maxTexture3D, [3]) \
    ALL(int, maxTexture3DAlt, [3]) ALL(int, maxTextureCubemap, ) ALL(int, maxTexture1DLayered, [2]) \
    ALL(int, maxTexture2DLayered, [3]) ALL(int, maxTextureCubemapLayered, [2]) ALL(int, maxSurface1D, ) \
    ALL(int, maxSurface2D, [2]) ALL(int, maxSurface3D, [3]) ALL(int, maxSurface1DLayered, [2]) \
    ALL(int, maxSurface2DLayered, [3]) ALL(int, maxSurfaceCubemap, ) ALL(int, maxSurfaceCubemapLayered, [2]) \
    ALL(size_t, surfaceAlignment, ) ALL(int, concurrentKernels, ) ALL(int, ECCEnabled, ) ALL(int, pciBusID, ) \
    ALL(int, pciDeviceID, ) ALL(int, pciDomainID, ) ALL(int, tccDriver, ) ALL(int, asyncEngineCount, ) \
    ALL(int, unifiedAddressing, ) GONE(int, memoryClockRate, ) ALL(int, memoryBusWidth, ) \
    ALL(int, l2CacheSize, ) ALL(int, persistingL2CacheMaxSize, ) ALL(int, maxThreadsPerMultiProcessor, ) \
    ALL(int, streamPrioritiesSupported, ) ALL(int, globalL1CacheSupported, ) ALL(int, localL1CacheSupported, ) \
    ALL(size_t, sharedMemPerMultiprocessor, ) ALL(int, regsPerMultiprocessor, ) ALL(int, managedMemory, ) \
    ALL(int, isMultiGpuBoard, ) ALL(int, multiGpuBoardGroupID, ) ALL(int, hostNativeAtomicSupported, ) \
    GONE(int, singleToDoublePrecisionPerfRatio, ) ALL(int, pageableMemoryAccess, ) \
    ALL(int, concurrentManagedAccess, ) ALL(int, computePreemptionSupported, ) \
    ALL(int, canUseHostPointerForRegisteredMem, ) ALL(int, cooperativeLaunch, ) \
    GONE(int, cooperativeMultiDeviceLaunch, ) ALL(size_t, sharedMemPerBlockOptin, ) \
    ALL(int, pageableMemoryAccessUsesHostPageTables, ) ALL(int, directManagedMemAccessFromHost, ) \
    ALL(int, maxBlocksPerMultiProcessor, ) ALL(int, accessPolicyMaxWindowSize, ) \
    ALL(size_t, reservedSharedMemPerBlock, ) ALL(int, hostRegisterSupported, ) \
    ALL(int, sparseCudaArraySupported, ) ALL(int, hostRegisterReadOnlySupported, ) \
    ALL(int, timelineSemaphoreInteropSupported, ) ALL(int, memoryPoolsSupported, ) \
    ALL(int, gpuDirectRDMASupported, ) ALL(unsigned int, gpuDirectRDMAFlushWritesOptions, ) \
    ALL(int, gpuDirectRDMAWritesOrdering, ) ALL(int, memoryPoolSupportedHandleTypes, ) \
    ALL(int, deferredMappingCudaArraySupported, ) ALL(int, ipcEventSupported, ) ALL(int, clusterLaunch, ) \
    ALL(int, unifiedFunctionPointers, )
// clang-format on
#define WARPUP_PROPERTY(type, name, dimension) type name dimension;
typedef struct cudaDeviceProp {
    WARPUP_PROPERTIES(WARPUP_PROPERTY, WARPUP_PROPERTY)
    int reserved[63];
} cudaDeviceProp;
#undef WARPUP_PROPERTY

#define WARPUP_ENUMERATOR(name, number, value) cudaDevAttr##name = number,
typedef enum cudaDeviceAttr { WARPUP_ATTRIBUTES(WARPUP_ENUMERATOR) } cudaDeviceAttr;
#undef WARPUP_ENUMERATOR

typedef enum cudaSynchronizationPolicy {
    cudaSyncPolicyAuto = 1,
    cudaSyncPolicySpin = 2,
    cudaSyncPolicyYield = 3,
    cudaSyncPolicyBlockingSync = 4
} cudaSynchronizationPolicy;

typedef enum cudaClusterSchedulingPolicy {
    cudaClusterSchedulingPolicyDefault = 0,
    cudaClusterSchedulingPolicySpread = 1,
    cudaClusterSchedulingPolicyLoadBalancing = 2
} cudaClusterSchedulingPolicy;

typedef enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributeProgrammaticEvent = 7,
    cudaLaunchAttributePriority = 8,
    cudaLaunchAttributeMemSyncDomainMap = 9,
    cudaLaunchAttributeMemSyncDomain = 10,
    cudaLaunchAttributePreferredSharedMemoryCarveout = 14
} cudaLaunchAttributeID;

typedef union cudaLaunchAttributeValue {
    char pad[64];
    int cooperative;
    cudaSynchronizationPolicy syncPolicy;
    struct {
        unsigned int x, y, z;
    } clusterDim;
    cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference;
    int programmaticStreamSerializationAllowed;
    int priority;
    unsigned int sharedMemCarveout;
} cudaLaunchAttributeValue;

typedef struct cudaLaunchAttribute_st {
    cudaLaunchAttributeID id;
    char pad[8 - sizeof(cudaLaunchAttributeID)];
    cudaLaunchAttributeValue val;
} cudaLaunchAttribute;

typedef struct cudaLaunchConfig_st {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned int numAttrs;
} cudaLaunchConfig_t;

/* Graphs */
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;

typedef enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2
} cudaStreamCaptureMode;

typedef enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1,
    cudaStreamCaptureStatusInvalidated = 2
} cudaStreamCaptureStatus;

typedef enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel = 0,
    cudaGraphNodeTypeMemcpy = 1,
    cudaGraphNodeTypeMemset = 2,
    cudaGraphNodeTypeHost = 3,
    cudaGraphNodeTypeGraph = 4,
    cudaGraphNodeTypeEmpty = 5
} cudaGraphNodeType;

enum {
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
    cudaGraphInstantiateFlagUpload = 2,
    cudaGraphInstantiateFlagDeviceLaunch = 4,
    cudaGraphInstantiateFlagUseNodePriority = 8
};

typedef struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams, **extra;
} cudaKernelNodeParams;

typedef struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
} cudaHostNodeParams;

typedef struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned int value, elementSize;
    size_t width, height;
} cudaMemsetParams;

/* Copies of three dimensions */
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;

typedef struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
} cudaPitchedPtr;

typedef struct cudaExtent {
    size_t width, height, depth;
} cudaExtent;

typedef struct cudaPos {
    size_t x, y, z;
} cudaPos;

typedef struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    struct cudaExtent extent;
    enum cudaMemcpyKind kind;
} cudaMemcpy3DParms;

/* Arrays, textures and surfaces */
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned,
    cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindFloat,
    cudaChannelFormatKindNone
};
typedef struct cudaChannelFormatDesc {
    int x, y, z, w; /* bits */
    enum cudaChannelFormatKind f;
} cudaChannelFormatDesc;

enum {
    cudaArrayDefault = 0,
    cudaArrayLayered = 1,
    cudaArraySurfaceLoadStore = 2,
    cudaArrayCubemap = 4,
    cudaArrayTextureGather = 8
};

typedef enum cudaResourceType {
    cudaResourceTypeArray,
    cudaResourceTypeMipmappedArray,
    cudaResourceTypeLinear,
    cudaResourceTypePitch2D
} cudaResourceType;
typedef struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
} cudaResourceDesc;

typedef enum cudaTextureAddressMode {
    cudaAddressModeWrap,
    cudaAddressModeClamp,
    cudaAddressModeMirror,
    cudaAddressModeBorder
} cudaTextureAddressMode;
typedef enum cudaTextureFilterMode {
    cudaFilterModePoint,
    cudaFilterModeLinear
} cudaTextureFilterMode;
typedef enum cudaTextureReadMode {
    cudaReadModeElementType,
    cudaReadModeNormalizedFloat
} cudaTextureReadMode;
typedef struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
} cudaTextureDesc;
struct cudaResourceViewDesc;

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;

#endif
