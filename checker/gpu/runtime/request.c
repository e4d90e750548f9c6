/* request.c: see request.h. The limits are those of the CUDA programming guide, and of the profile.
 */
#include "gpu/runtime/request.h"

#include "gpu/server/modules.h"
#include "gpu/time/model.h"
#include "gpu/time/profile.h"

#include <string.h>

enum {
    GRID_X_MAX = 2147483647,
    GRID_MAX = 65535,
    BLOCK_THREADS = 1024,
    BLOCK_Z_MAX = 64,
    CLUSTER_BLOCKS = 8
};

cudaError_t request_read(const struct call *call, size_t at, struct launch_request *request)
{
    struct wire_launch launch;
    cudaError_t error = cudaErrorInvalidDeviceFunction;
    if (!call_copy(call, true, &at, &launch, sizeof launch)) return cudaErrorInvalidValue;
    *request = (struct launch_request){.kernel = module_kernel(launch.function, &error),
                                       .cluster = {1, 1, 1},
                                       .shared = launch.shared,
                                       .stream = stream_find(call, launch.stream),
                                       .cooperative = launch.flags & WIRE_COOPERATIVE,
                                       .cluster_given = launch.flags & WIRE_CLUSTER};
    if (request->kernel == NULL) return error;
    memcpy(request->grid, launch.grid, sizeof request->grid);
    memcpy(request->block, launch.block, sizeof request->block);
    if (request->cluster_given)
        memcpy(request->cluster, launch.cluster, sizeof request->cluster);
    else if (request->kernel->cluster[0] != 0)
        memcpy(request->cluster, request->kernel->cluster, sizeof request->cluster);
    request->parameters = call_take(call, true, &at, request->kernel->param_bytes, 1);
    return request->parameters == NULL ? cudaErrorInvalidValue : cudaSuccess;
}

static uint64_t product(const uint32_t size[3])
{
    return (uint64_t)size[0] * size[1] * size[2];
}

static bool has_zero(const uint32_t size[3])
{
    return size[0] == 0 || size[1] == 0 || size[2] == 0;
}

static cudaError_t check_shape(const struct launch_request *request)
{
    const uint32_t *grid = request->grid, *block = request->block;
    if (has_zero(grid) || has_zero(block)) return cudaErrorInvalidConfiguration;
    if (grid[0] > GRID_X_MAX || grid[1] > GRID_MAX || grid[2] > GRID_MAX)
        return cudaErrorInvalidConfiguration;
    if (block[0] > BLOCK_THREADS || block[1] > BLOCK_THREADS || block[2] > BLOCK_Z_MAX ||
        product(block) > BLOCK_THREADS)
        return cudaErrorInvalidConfiguration;
    return request->stream != NULL ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

/* __launch_bounds__ and __block_size__: a compiler has made the kernel for no larger block. */
static cudaError_t check_bounds(const struct launch_request *request)
{
    const struct ptx_function *kernel = request->kernel;
    bool fits =
        !kernel->max_threads_said || product(request->block) <= product(kernel->max_threads);
    bool same = !kernel->required_threads_said ||
                memcmp(request->block, kernel->required_threads, sizeof request->block) == 0;
    return fits && same ? cudaSuccess : cudaErrorInvalidValue;
}

/* A cluster has at most 8 blocks that every GPU can hold, and the grid consists of whole clusters.
 */
static cudaError_t check_cluster(const struct launch_request *request)
{
    const uint32_t *cluster = request->cluster;
    if (has_zero(cluster) || product(cluster) > CLUSTER_BLOCKS) return cudaErrorInvalidValue;
    for (int i = 0; i < 3; i++)
        if (request->grid[i] % cluster[i] != 0) return cudaErrorInvalidValue;
    return cudaSuccess;
}

static cudaError_t check_resources(const struct launch_request *request)
{
    const struct ptx_function *kernel = request->kernel;
    uint64_t threads = product(request->block);
    if (request->shared > function_shared_limit(kernel)) return cudaErrorInvalidValue;
    uint32_t held = time_blocks_of(kernel, threads, request->shared);
    if (held == 0) return cudaErrorLaunchOutOfResources;
    bool resident =
        !request->cooperative || (double)product(request->grid) <= held * profile()->sms;
    return resident ? cudaSuccess : cudaErrorCooperativeLaunchTooLarge;
}

cudaError_t request_check(const struct launch_request *request)
{
    cudaError_t error = check_shape(request);
    if (error == cudaSuccess) error = check_bounds(request);
    if (error == cudaSuccess) error = check_cluster(request);
    return error == cudaSuccess ? check_resources(request) : error;
}
