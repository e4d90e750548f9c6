/*
 * attributes.h: the attributes of a device: name, number, and value by its properties p. One row
 * makes the enumerator and the answer of cudaDeviceGetAttribute.
 */
#ifndef WARPUP_ATTRIBUTES_H
#define WARPUP_ATTRIBUTES_H

// clang-format off
#define WARPUP_ATTRIBUTES(ATTRIBUTE) \
    ATTRIBUTE(MaxThreadsPerBlock, 1, p->maxThreadsPerBlock) \
    ATTRIBUTE(MaxBlockDimX, 2, p->maxThreadsDim[0]) \
    ATTRIBUTE(MaxBlockDimY, 3, p->maxThreadsDim[1]) \
    ATTRIBUTE(MaxBlockDimZ, 4, p->maxThreadsDim[2]) \
    ATTRIBUTE(MaxGridDimX, 5, p->maxGridSize[0]) \
    ATTRIBUTE(MaxGridDimY, 6, p->maxGridSize[1]) \
    ATTRIBUTE(MaxGridDimZ, 7, p->maxGridSize[2]) \
    ATTRIBUTE(MaxSharedMemoryPerBlock, 8, p->sharedMemPerBlock) \
    ATTRIBUTE(TotalConstantMemory, 9, p->totalConstMem) \
    ATTRIBUTE(WarpSize, 10, p->warpSize) \
    ATTRIBUTE(MaxPitch, 11, p->memPitch) \
    ATTRIBUTE(MaxRegistersPerBlock, 12, p->regsPerBlock) \
    ATTRIBUTE(ClockRate, 13, p->clockRate) \
    ATTRIBUTE(TextureAlignment, 14, p->textureAlignment) \
    ATTRIBUTE(GpuOverlap, 15, p->deviceOverlap) \
    ATTRIBUTE(MultiProcessorCount, 16, p->multiProcessorCount) \
    ATTRIBUTE(KernelExecTimeout, 17, 0) \
    ATTRIBUTE(Integrated, 18, 0) \
    ATTRIBUTE(CanMapHostMemory, 19, 1) \
    ATTRIBUTE(ComputeMode, 20, cudaComputeModeDefault) \
    ATTRIBUTE(ConcurrentKernels, 31, 1) \
    ATTRIBUTE(EccEnabled, 32, p->ECCEnabled) \
    ATTRIBUTE(PciBusId, 33, 0) \
    ATTRIBUTE(PciDeviceId, 34, 0) \
    ATTRIBUTE(TccDriver, 35, 0) \
    ATTRIBUTE(MemoryClockRate, 36, p->memoryClockRate) \
    ATTRIBUTE(GlobalMemoryBusWidth, 37, p->memoryBusWidth) \
    ATTRIBUTE(L2CacheSize, 38, p->l2CacheSize) \
    ATTRIBUTE(MaxThreadsPerMultiProcessor, 39, p->maxThreadsPerMultiProcessor) \
    ATTRIBUTE(AsyncEngineCount, 40, p->asyncEngineCount) \
    ATTRIBUTE(UnifiedAddressing, 41, 1) \
    ATTRIBUTE(PciDomainId, 50, 0) \
    ATTRIBUTE(ComputeCapabilityMajor, 75, p->major) \
    ATTRIBUTE(ComputeCapabilityMinor, 76, p->minor) \
    ATTRIBUTE(StreamPrioritiesSupported, 78, 1) \
    ATTRIBUTE(GlobalL1CacheSupported, 79, 1) \
    ATTRIBUTE(LocalL1CacheSupported, 80, 1) \
    ATTRIBUTE(MaxSharedMemoryPerMultiprocessor, 81, p->sharedMemPerMultiprocessor) \
    ATTRIBUTE(MaxRegistersPerMultiprocessor, 82, p->regsPerMultiprocessor) \
    ATTRIBUTE(ManagedMemory, 83, 1) \
    ATTRIBUTE(IsMultiGpuBoard, 84, 0) \
    ATTRIBUTE(MultiGpuBoardGroupID, 85, p->multiGpuBoardGroupID) \
    ATTRIBUTE(HostNativeAtomicSupported, 86, p->hostNativeAtomicSupported) \
    ATTRIBUTE(SingleToDoublePrecisionPerfRatio, 87, p->singleToDoublePrecisionPerfRatio) \
    ATTRIBUTE(PageableMemoryAccess, 88, 0) \
    ATTRIBUTE(ConcurrentManagedAccess, 89, 1) \
    ATTRIBUTE(ComputePreemptionSupported, 90, 1) \
    ATTRIBUTE(CanUseHostPointerForRegisteredMem, 91, p->canUseHostPointerForRegisteredMem) \
    ATTRIBUTE(CooperativeLaunch, 95, 1) \
    ATTRIBUTE(MaxSharedMemoryPerBlockOptin, 97, p->sharedMemPerBlockOptin) \
    ATTRIBUTE(HostRegisterSupported, 99, 1) \
    ATTRIBUTE(PageableMemoryAccessUsesHostPageTables, 100, 0) \
    ATTRIBUTE(DirectManagedMemAccessFromHost, 101, 0) \
    ATTRIBUTE(MaxBlocksPerMultiprocessor, 106, p->maxBlocksPerMultiProcessor) \
    ATTRIBUTE(ReservedSharedMemoryPerBlock, 111, p->reservedSharedMemPerBlock) \
    ATTRIBUTE(MemoryPoolsSupported, 115, 1)
// clang-format on

#endif
