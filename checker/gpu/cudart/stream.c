/* stream.c: streams and events. */
#include "gpu/cudart/client.h"

#include <string.h>

RESULT(cudaStreamCreate, (cudaStream_t * stream), cudaStream_t, stream, OUT(stream))
RESULT(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), cudaStream_t, stream,
       OUT(stream), flags)
RESULT(cudaStreamCreateWithPriority, (cudaStream_t * stream, unsigned flags, int priority),
       cudaStream_t, stream, OUT(stream), flags, (uint64_t)priority)
PLAIN(cudaStreamDestroy, (cudaStream_t stream), AT(stream))
PLAIN(cudaStreamSynchronize, (cudaStream_t stream), AT(stream))
PLAIN(cudaStreamQuery, (cudaStream_t stream), AT(stream))
PLAIN(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags), AT(stream),
      AT(event), flags)
RESULT(cudaStreamGetFlags, (cudaStream_t stream, unsigned *flags), unsigned, flags, AT(stream),
       OUT(flags))
RESULT(cudaStreamGetPriority, (cudaStream_t stream, int *priority), int, priority, AT(stream),
       OUT(priority))
RESULT(cudaStreamGetDevice, (cudaStream_t stream, int *device), int, device, AT(stream),
       OUT(device))

PLAIN(cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t function, void *data), AT(stream),
      (uint64_t)(uintptr_t)function, AT(data))
PLAIN(cudaStreamAddCallback,
      (cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags), AT(stream),
      (uint64_t)(uintptr_t)callback, AT(data), flags)

RESULT(cudaEventCreate, (cudaEvent_t * event), cudaEvent_t, event, OUT(event))
RESULT(cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned flags), cudaEvent_t, event,
       OUT(event), flags)
PLAIN(cudaEventDestroy, (cudaEvent_t event), AT(event))
PLAIN(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), AT(event), AT(stream))
PLAIN(cudaEventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream, unsigned flags), AT(event),
      AT(stream), flags)
PLAIN(cudaEventSynchronize, (cudaEvent_t event), AT(event))
PLAIN(cudaEventQuery, (cudaEvent_t event), AT(event))

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
    struct remote remote;
    cudaError_t error = REMOTE(&remote, cudaEventElapsedTime, OUT(milliseconds), AT(from), AT(to));
    if (error == cudaSuccess) memcpy(milliseconds, &remote.result[0], sizeof *milliseconds);
    return error;
}
