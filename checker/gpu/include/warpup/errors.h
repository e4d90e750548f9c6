/*
 * errors.h: the error codes of the CUDA runtime with their names and short texts. One row makes
 * the enumerator, the answer of cudaGetErrorName and that of cudaGetErrorString.
 */
#ifndef WARPUP_ERRORS_H
#define WARPUP_ERRORS_H

// clang-format off
#define WARPUP_ERRORS(ERROR) \
    ERROR(cudaSuccess, 0, "no error") \
    ERROR(cudaErrorInvalidValue, 1, "invalid argument") \
    ERROR(cudaErrorMemoryAllocation, 2, "out of memory") \
    ERROR(cudaErrorInitializationError, 3, "initialization error") \
    ERROR(cudaErrorCudartUnloading, 4, "driver shutting down") \
    ERROR(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool") \
    ERROR(cudaErrorInvalidConfiguration, 9, "invalid configuration argument") \
    ERROR(cudaErrorInvalidPitchValue, 12, "invalid pitch argument") \
    ERROR(cudaErrorInvalidSymbol, 13, "invalid device symbol") \
    ERROR(cudaErrorInvalidDevicePointer, 17, "invalid device pointer") \
    ERROR(cudaErrorInvalidTexture, 18, "invalid texture reference") \
    ERROR(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor") \
    ERROR(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy") \
    ERROR(cudaErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type") \
    ERROR(cudaErrorInvalidNormSetting, 27, "read as normalized float not supported for 32-bit non float type") \
    ERROR(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version") \
    ERROR(cudaErrorCallRequiresNewerDriver, 36, "API call is not supported in the installed CUDA driver") \
    ERROR(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable") \
    ERROR(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured") \
    ERROR(cudaErrorInvalidDeviceFunction, 98, "invalid device function") \
    ERROR(cudaErrorNoDevice, 100, "no CUDA-capable device is detected") \
    ERROR(cudaErrorInvalidDevice, 101, "invalid device ordinal") \
    ERROR(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid") \
    ERROR(cudaErrorDeviceUninitialized, 201, "invalid device context") \
    ERROR(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device") \
    ERROR(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture") \
    ERROR(cudaErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices") \
    ERROR(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed") \
    ERROR(cudaErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context") \
    ERROR(cudaErrorInvalidSource, 300, "device kernel image is invalid") \
    ERROR(cudaErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found") \
    ERROR(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS") \
    ERROR(cudaErrorInvalidResourceHandle, 400, "invalid resource handle") \
    ERROR(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state") \
    ERROR(cudaErrorSymbolNotFound, 500, "named symbol not found") \
    ERROR(cudaErrorNotReady, 600, "device not ready") \
    ERROR(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered") \
    ERROR(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch") \
    ERROR(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated") \
    ERROR(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled") \
    ERROR(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled") \
    ERROR(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process") \
    ERROR(cudaErrorContextIsDestroyed, 709, "context is destroyed") \
    ERROR(cudaErrorAssert, 710, "device-side assert triggered") \
    ERROR(cudaErrorTooManyPeers, 711, "peer mapping resources exhausted") \
    ERROR(cudaErrorHostMemoryAlreadyRegistered, 712, "part or all of the requested memory range is already mapped") \
    ERROR(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region") \
    ERROR(cudaErrorHardwareStackError, 714, "hardware stack error") \
    ERROR(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered") \
    ERROR(cudaErrorMisalignedAddress, 716, "misaligned address") \
    ERROR(cudaErrorInvalidAddressSpace, 717, "operation not supported on global/shared address space") \
    ERROR(cudaErrorInvalidPc, 718, "invalid program counter") \
    ERROR(cudaErrorLaunchFailure, 719, "unspecified launch failure") \
    ERROR(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch") \
    ERROR(cudaErrorNotPermitted, 800, "operation not permitted") \
    ERROR(cudaErrorNotSupported, 801, "operation not supported") \
    ERROR(cudaErrorSystemNotReady, 802, "system not yet initialized") \
    ERROR(cudaErrorCompatNotSupportedOnDevice, 804, "forward compatibility was attempted on non supported HW") \
    ERROR(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing") \
    ERROR(cudaErrorStreamCaptureInvalidated, 901, "operation failed due to a previous error during capture") \
    ERROR(cudaErrorStreamCaptureUnmatched, 903, "capture was not ended in the same stream as it began") \
    ERROR(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work") \
    ERROR(cudaErrorStreamCaptureIsolation, 905, "dependency created on uncaptured work in another stream") \
    ERROR(cudaErrorStreamCaptureImplicit, 906, "operation would make the legacy stream depend on a capturing blocking stream") \
    ERROR(cudaErrorTimeout, 909, "wait operation timed out") \
    ERROR(cudaErrorUnknown, 999, "unknown error")
// clang-format on

#endif
