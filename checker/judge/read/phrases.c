/* phrases.c: see phrases.h. */
#include "judge/read/phrases.h"

/* Limits of a launch, on every GPU since compute capability 3.0 (CUDA programming guide, technical
 * specifications). The last one is the error of a kernel that needs more registers than a block can
 * have. */
enum {
    BLOCK_THREADS_MAX = 1024,
    BLOCK_DEPTH_MAX = 64,
    GRID_WIDTH_MAX = 0x7fffffff,
    GRID_HEIGHT_MAX = 65535,
    DYNAMIC_SHARED_MAX = 48 << 10, /* bytes, without cudaFuncSetAttribute */
    OUT_OF_RESOURCES = 701,        /* cudaErrorLaunchOutOfResources */
};

static const char *shape(struct arena *arena, const uint32_t size[3])
{
    if (size[1] == 1 && size[2] == 1) return arena_format(arena, "%u", size[0]);
    if (size[2] == 1) return arena_format(arena, "dim3(%u, %u)", size[0], size[1]);
    return arena_format(arena, "dim3(%u, %u, %u)", size[0], size[1], size[2]);
}

const char *phrase_launch(struct arena *arena, const struct record *launch)
{
    return arena_format(arena, "%.60s<<<%s, %s>>>", launch->launch.kernel,
                        shape(arena, launch->launch.grid), shape(arena, launch->launch.block));
}

const char *phrase_count(struct arena *arena, double count, const char *thing)
{
    return arena_format(arena, "%.10g %s%s", count, thing, count == 1 ? "" : "s");
}

static const char *coordinates(struct arena *arena, const uint32_t at[3])
{
    if (at[1] == 0 && at[2] == 0) return arena_format(arena, "%u", at[0]);
    return arena_format(arena, "(%u, %u, %u)", at[0], at[1], at[2]);
}

const char *phrase_thread(struct arena *arena, const uint32_t block[3], const uint32_t thread[3])
{
    if (block == NULL) return arena_format(arena, "thread %s", coordinates(arena, thread));
    return arena_format(arena, "thread %s of block %s", coordinates(arena, thread),
                        coordinates(arena, block));
}

const char *phrase_refusal(struct arena *arena, const struct record *launch)
{
    const uint32_t *grid = launch->launch.grid, *block = launch->launch.block;
    double threads = launch->launch.threads;
    if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0) return "the grid has 0 blocks";
    if (threads == 0) return "the blocks have 0 threads";
    if (threads > BLOCK_THREADS_MAX)
        return arena_format(arena, "%.0f threads per block; the GPU takes at most %d", threads,
                            BLOCK_THREADS_MAX);
    if (block[2] > BLOCK_DEPTH_MAX)
        return arena_format(arena, "blocks of %u threads in z; the GPU takes at most %d", block[2],
                            BLOCK_DEPTH_MAX);
    if (grid[0] > GRID_WIDTH_MAX)
        return arena_format(arena, "%u blocks in x; the GPU takes at most %d", grid[0],
                            GRID_WIDTH_MAX);
    if (grid[1] > GRID_HEIGHT_MAX || grid[2] > GRID_HEIGHT_MAX)
        return arena_format(arena, "%u blocks in %s; the GPU takes at most %d",
                            grid[1] > GRID_HEIGHT_MAX ? grid[1] : grid[2],
                            grid[1] > GRID_HEIGHT_MAX ? "y" : "z", GRID_HEIGHT_MAX);
    for (int i = 0; i < 3; i++)
        if (launch->launch.cluster[i] > 0 && grid[i] % launch->launch.cluster[i] != 0)
            return arena_format(arena, "%u block%s in %c; a grid has whole clusters, of %u blocks",
                                grid[i], grid[i] == 1 ? "" : "s", "xyz"[i],
                                launch -> launch.cluster[i]);
    if (launch->launch.shared > DYNAMIC_SHARED_MAX)
        return arena_format(arena,
                            "%.0f bytes of dynamic shared memory per block; without "
                            "cudaFuncSetAttribute a launch gets at most %d",
                            launch->launch.shared, DYNAMIC_SHARED_MAX);
    if (launch->launch.error == OUT_OF_RESOURCES)
        return arena_format(arena,
                            "%.0f threads of this kernel need more registers than a block can "
                            "have. Use fewer threads, or __launch_bounds__",
                            threads);
    const char *name = launch->launch.error_name;
    if (name != NULL) return name;
    return arena_format(arena, "error %llu", (unsigned long long)launch->launch.error);
}
