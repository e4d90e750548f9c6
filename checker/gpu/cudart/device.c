/* device.c: questions about the device, and its settings. */
#include "gpu/cudart/client.h"

#include <string.h>

RESULT(cudaGetDeviceCount, (int *count), int, count, OUT(count))
RESULT(cudaGetDevice, (int *device), int, device, OUT(device))
PLAIN(cudaSetDevice, (int device), (uint64_t)device)
PLAIN(cudaInitDevice, (int device, unsigned device_flags, unsigned flags), (uint64_t)device,
      device_flags, flags)
PLAIN(cudaSetDeviceFlags, (unsigned flags), flags)
RESULT(cudaGetDeviceFlags, (unsigned *flags), unsigned, flags, OUT(flags))
RESULT(cudaChooseDevice, (int *device, const cudaDeviceProp *properties), int, device, OUT(device),
       OUT(properties))
RESULT(cudaDeviceGetAttribute, (int *value, cudaDeviceAttr attribute, int device), int, value,
       OUT(value), (uint32_t)attribute, (uint64_t)device)
PLAIN(cudaDeviceReset, (void), 0)
PLAIN(cudaDeviceSynchronize, (void), 0)
PLAIN(cudaThreadSynchronize, (void), 0)

cudaError_t cudaThreadExit(void)
{
    struct remote remote;
    return REMOTE(&remote, cudaDeviceReset, 0);
}

/* It is about two devices, and there is only one. */
cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attribute, int from, int to)
{
    (void)attribute, (void)from, (void)to;
    return value == NULL ? cudaErrorInvalidValue : cudaErrorInvalidDevice;
}

RESULT(cudaDeviceGetLimit, (size_t * value, cudaLimit limit), size_t, value, OUT(value),
       (uint32_t)limit)
PLAIN(cudaDeviceSetLimit, (cudaLimit limit, size_t value), (uint32_t)limit, value)
RESULT(cudaDeviceGetCacheConfig, (cudaFuncCache * config), cudaFuncCache, config, OUT(config))
PLAIN(cudaDeviceSetCacheConfig, (cudaFuncCache config), (uint32_t)config)
RESULT(cudaDeviceGetSharedMemConfig, (cudaSharedMemConfig * config), cudaSharedMemConfig, config,
       OUT(config))
PLAIN(cudaDeviceSetSharedMemConfig, (cudaSharedMemConfig config), (uint32_t)config)
RESULT(cudaDeviceCanAccessPeer, (int *can, int device, int peer), int, can, OUT(can),
       (uint64_t)device, (uint64_t)peer)
PLAIN(cudaDeviceEnablePeerAccess, (int peer, unsigned flags), (uint64_t)peer, flags)
PLAIN(cudaDeviceDisablePeerAccess, (int peer), (uint64_t)peer)
RESULT(cudaDriverGetVersion, (int *version), int, version, OUT(version))
PLAIN(cudaProfilerStart, (void), 0)
PLAIN(cudaProfilerStop, (void), 0)

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    struct remote remote;
    cudaError_t error =
        REMOTE(&remote, cudaDeviceGetStreamPriorityRange, OUT(least), OUT(greatest));
    if (error != cudaSuccess) return error;
    if (least != NULL) *least = (int)remote.result[0];
    if (greatest != NULL) *greatest = (int)remote.result[1];
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int device)
{
    char found[64] = "";
    struct remote remote = {.request.argument = {OUT(text), (uint64_t)length, (uint64_t)device},
                            .answer = found,
                            .room = sizeof found - 1};
    cudaError_t error = client_call(&remote, WIRE_cudaDeviceGetPCIBusId, RETURN_PC);
    if (error != cudaSuccess || length <= 0) return error;
    size_t room = (size_t)length - 1, bytes = strlen(found) < room ? strlen(found) : room;
    memcpy(text, found, bytes);
    text[bytes] = '\0';
    return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text)
{
    struct remote remote = {.request.argument = {OUT(device)}};
    if (text != NULL) remote.payload[0] = (struct span){text, strlen(text) + 1};
    cudaError_t error = client_call(&remote, WIRE_cudaDeviceGetByPCIBusId, RETURN_PC);
    if (error == cudaSuccess) *device = (int)remote.result[0];
    return error;
}
