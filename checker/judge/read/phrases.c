/* phrases.c: see phrases.h. */
#include "judge/read/phrases.h"

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

static const char *place(struct arena *arena, const uint32_t at[3])
{
    if (at[1] == 0 && at[2] == 0) return arena_format(arena, "%u", at[0]);
    return arena_format(arena, "(%u, %u, %u)", at[0], at[1], at[2]);
}

const char *phrase_thread(struct arena *arena, const uint32_t block[3], const uint32_t thread[3])
{
    if (block == NULL) return arena_format(arena, "thread %s", place(arena, thread));
    return arena_format(arena, "thread %s of block %s", place(arena, thread), place(arena, block));
}

/* cudaErrorLaunchOutOfResources: with a block of a size that GPUs take, it is the registers. */
enum { OUT_OF_RESOURCES = 701 };

const char *phrase_refusal(struct arena *arena, const struct record *launch)
{
    const uint32_t *grid = launch->launch.grid, *block = launch->launch.block;
    double threads = (double)block[0] * block[1] * block[2];
    if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0) return "the grid is empty, it has 0 blocks";
    if (threads == 0) return "the blocks are empty, they have 0 threads";
    if (threads > 1024)
        return arena_format(arena, "%.0f threads a block; the GPU takes at most 1024", threads);
    if (block[2] > 64)
        return arena_format(arena, "a block %u deep in z; the GPU takes at most 64", block[2]);
    if (grid[0] > 0x7fffffff)
        return arena_format(arena, "%u blocks in x; the GPU takes at most 2147483647", grid[0]);
    if (grid[1] > 65535 || grid[2] > 65535)
        return arena_format(arena, "%u blocks in %s; the GPU takes at most 65535",
                            grid[1] > 65535 ? grid[1] : grid[2], grid[1] > 65535 ? "y" : "z");
    if (launch->launch.shared > 48 << 10)
        return arena_format(arena,
                            "%.0f bytes of dynamic shared memory a block; 49152 is the most that a "
                            "launch gets without cudaFuncSetAttribute",
                            launch->launch.shared);
    if (launch->launch.error == OUT_OF_RESOURCES)
        return arena_format(
            arena,
            "%.0f threads of this kernel need more registers than a block can have; "
            "take fewer, or __launch_bounds__",
            threads);
    const char *name = launch->launch.error_name;
    return name != NULL
               ? name
               : arena_format(arena, "error %llu", (unsigned long long)launch->launch.error);
}
