/*
 * tracer_gpu.c: the few questions that the tracer asks the driver. The process has loaded the
 * driver before the tracer, so its functions are looked up there. The tracer is not linked with it.
 */
#define _GNU_SOURCE
#include "tracer/tracer_gpu.h"
#include "trace/trace.h"

#include <cuda.h>
#include <dlfcn.h>
#include <string.h>

/* Finds a function of the driver; NULL if the driver has none with this name. */
static void *driver_function(const char *name)
{
    static void *driver;
    if (driver == NULL) driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    return driver == NULL ? NULL : dlsym(driver, name);
}

static long long attribute(CUdevice device, CUdevice_attribute which)
{
    CUresult (*get)(int *, CUdevice_attribute, CUdevice);
    *(void **)&get = driver_function("cuDeviceGetAttribute");
    int value = 0;
    if (get == NULL || get(&value, which, device) != CUDA_SUCCESS) return 0;
    return value;
}

/* The device of the calling thread's context; 0, the first one, if it has no context. */
static CUdevice current_device(void)
{
    CUresult (*get)(CUdevice *);
    *(void **)&get = driver_function("cuCtxGetDevice");
    CUdevice device = 0;
    if (get == NULL || get(&device) != CUDA_SUCCESS) return 0;
    return device;
}

void gpu_write_begin(void)
{
    CUdevice device = current_device();
    char name[128] = "unknown GPU";
    size_t bytes = 0;
    CUresult (*get_name)(char *, int, CUdevice);
    CUresult (*get_bytes)(size_t *, CUdevice);
    *(void **)&get_name = driver_function("cuDeviceGetName");
    *(void **)&get_bytes = driver_function("cuDeviceTotalMem_v2");
    if (get_name != NULL && get_name(name, sizeof name, device) != CUDA_SUCCESS)
        strcpy(name, "unknown GPU");
    if (get_bytes != NULL && get_bytes(&bytes, device) != CUDA_SUCCESS) bytes = 0;

    long long major = attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    long long minor = attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    trace_begin("begin");
    trace_integer("version", 1);
    trace_string("device", name);
    trace_string("kind", "real");
    trace_integer("capability", 10 * major + minor);
    trace_integer("sms", attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
    trace_integer("threads_per_sm",
                  attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR));
    trace_integer("memory_bytes", (long long)bytes);
    trace_integer("l2_bytes", attribute(device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
    trace_end();
}

bool gpu_has_context(void)
{
    CUresult (*get)(CUcontext *);
    CUcontext context = NULL;
    *(void **)&get = driver_function("cuCtxGetCurrent");
    return get != NULL && get(&context) == CUDA_SUCCESS && context != NULL;
}

bool gpu_idle(void)
{
    CUresult (*wait)(void);
    *(void **)&wait = driver_function("cuCtxSynchronize");
    return wait != NULL && wait() == CUDA_SUCCESS;
}

bool gpu_read(void *host, const void *device, size_t bytes)
{
    CUresult (*copy)(void *, CUdeviceptr, size_t);
    *(void **)&copy = driver_function("cuMemcpyDtoH_v2");
    return copy != NULL && copy(host, (CUdeviceptr)(uintptr_t)device, bytes) == CUDA_SUCCESS;
}
