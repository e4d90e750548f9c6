/*
 * cooperative_groups.h: groups of a block's threads as values, made of the same barriers, shuffles
 * and votes as __syncthreads() and similar functions. Known are blocks, tiles of up to a warp,
 * coalesced lanes, and the grid.
 */
#ifndef WARPUP_COOPERATIVE_GROUPS_H
#define WARPUP_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#define WARPUP_MEMBER inline __attribute__((always_inline))

namespace cooperative_groups
{

namespace details
{
/* Threads of the block, and this one's place among them, x fastest */
WARPUP_INLINE unsigned int block_size()
{
    return blockDim.x * blockDim.y * blockDim.z;
}
WARPUP_INLINE unsigned int block_rank()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
WARPUP_INLINE unsigned int lane()
{
    return block_rank() % 32;
}
/* The lanes of this thread's tile of `size` */
WARPUP_INLINE unsigned int tile_mask(unsigned int size)
{
    return size >= 32 ? 0xffffffff : ((1u << size) - 1) << lane() / size * size;
}
/* The lane that is `rank` places after the lowest of the mask */
WARPUP_INLINE unsigned int lane_of_rank(unsigned int mask, unsigned int rank)
{
    for (; rank > 0; rank--)
        mask &= mask - 1;
    return mask == 0 ? lane() : (unsigned int)__builtin_ctz(mask);
}
/* A value of any type is shuffled word by word. */
template <class T, class Shuffle> WARPUP_MEMBER T shuffled(T value, Shuffle shuffle)
{
    static_assert(sizeof(T) <= 32 && __is_trivially_copyable(T),
                  "only types of up to 32 bytes can be shuffled");
    if constexpr (std::is_arithmetic<T>::value) {
        return shuffle(value);
    } else {
        static_assert(sizeof(T) % 4 == 0, "the simulated GPU does not know shuffles of this type");
        struct words {
            unsigned int word[sizeof(T) / 4];
        };
        words all = __builtin_bit_cast(words, value);
        for (unsigned int &word : all.word)
            word = shuffle(word);
        return __builtin_bit_cast(T, all);
    }
}
} // namespace details

/* Any group: the block, or those lanes of a warp */
class thread_group
{
  public:
    WARPUP_MEMBER unsigned int num_threads() const
    {
        return lanes == 0 ? details::block_size() : (unsigned int)__builtin_popcount(lanes);
    }
    WARPUP_MEMBER unsigned int size() const
    {
        return num_threads();
    }
    WARPUP_MEMBER unsigned int thread_rank() const
    {
        unsigned int below = (1u << details::lane()) - 1;
        return lanes == 0 ? details::block_rank() : (unsigned int)__builtin_popcount(lanes & below);
    }
    WARPUP_MEMBER void sync() const
    {
        if (lanes == 0)
            __syncthreads();
        else
            __syncwarp(lanes);
    }

  protected:
    WARPUP_MEMBER explicit thread_group(unsigned int mask) : lanes(mask)
    {
    }
    unsigned int lanes; /* 0: the block */

    friend thread_group tiled_partition(const thread_group &group, unsigned int size);
};

class thread_block : public thread_group
{
  public:
    WARPUP_MEMBER thread_block() : thread_group(0)
    {
    }
    static WARPUP_MEMBER void sync()
    {
        __syncthreads();
    }
    static WARPUP_MEMBER unsigned int num_threads()
    {
        return details::block_size();
    }
    static WARPUP_MEMBER unsigned int size()
    {
        return details::block_size();
    }
    static WARPUP_MEMBER unsigned int thread_rank()
    {
        return details::block_rank();
    }
    static WARPUP_MEMBER dim3 group_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    static WARPUP_MEMBER dim3 thread_index()
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    static WARPUP_MEMBER dim3 dim_threads()
    {
        return dim3(blockDim.x, blockDim.y, blockDim.z);
    }
    static WARPUP_MEMBER dim3 group_dim()
    {
        return dim_threads();
    }
};

/* `count` lanes of a warp, a power of two of them. Its meta group are the tiles that its parent, a
 * block or a larger tile, was partitioned into. */
template <unsigned int count, class Parent = void> class thread_block_tile;

template <unsigned int count> class thread_block_tile<count, void> : public thread_group
{
    static_assert(count <= 32, "the simulated GPU does not know tiles of more than 32 threads");
    static_assert((count & (count - 1)) == 0 && count > 0, "a tile is a power of two of threads");

  public:
    static constexpr WARPUP_MEMBER unsigned int num_threads()
    {
        return count;
    }
    static constexpr WARPUP_MEMBER unsigned int size()
    {
        return count;
    }
    WARPUP_MEMBER unsigned int thread_rank() const
    {
        return details::lane() % count;
    }
    WARPUP_MEMBER unsigned int meta_group_rank() const
    {
        return rank_in_parent;
    }
    WARPUP_MEMBER unsigned int meta_group_size() const
    {
        return tiles_of_parent;
    }
    WARPUP_MEMBER void sync() const
    {
        __syncwarp(lanes);
    }
    template <class T> WARPUP_MEMBER T shfl(T value, int rank) const
    {
        return details::shuffled(value,
                                 [=](auto part) { return __shfl_sync(lanes, part, rank, count); });
    }
    template <class T> WARPUP_MEMBER T shfl_up(T value, unsigned int by) const
    {
        return details::shuffled(value,
                                 [=](auto part) { return __shfl_up_sync(lanes, part, by, count); });
    }
    template <class T> WARPUP_MEMBER T shfl_down(T value, unsigned int by) const
    {
        return details::shuffled(
            value, [=](auto part) { return __shfl_down_sync(lanes, part, by, count); });
    }
    template <class T> WARPUP_MEMBER T shfl_xor(T value, unsigned int with) const
    {
        return details::shuffled(
            value, [=](auto part) { return __shfl_xor_sync(lanes, part, (int)with, count); });
    }
    WARPUP_MEMBER int any(int predicate) const
    {
        return __any_sync(lanes, predicate);
    }
    WARPUP_MEMBER int all(int predicate) const
    {
        return __all_sync(lanes, predicate);
    }
    WARPUP_MEMBER unsigned int ballot(int predicate) const
    {
        return (__ballot_sync(lanes, predicate) & lanes) >> __builtin_ctz(lanes);
    }
    template <class T> WARPUP_MEMBER unsigned int match_any(T value) const
    {
        return (__match_any_sync(lanes, value) & lanes) >> __builtin_ctz(lanes);
    }
    template <class T> WARPUP_MEMBER unsigned int match_all(T value, int &all) const
    {
        return (__match_all_sync(lanes, value, &all) & lanes) >> __builtin_ctz(lanes);
    }

  protected:
    WARPUP_MEMBER thread_block_tile(unsigned int rank, unsigned int tiles)
        : thread_group(details::tile_mask(count)), rank_in_parent(rank), tiles_of_parent(tiles)
    {
    }

  private:
    unsigned int rank_in_parent, tiles_of_parent;
};

template <unsigned int count, class Parent>
class thread_block_tile : public thread_block_tile<count, void>
{
  public:
    explicit WARPUP_MEMBER thread_block_tile(const Parent &parent)
        : thread_block_tile<count, void>(parent.thread_rank() / count,
                                         (parent.num_threads() + count - 1) / count)
    {
    }
};

/* The lanes that came to this place together */
class coalesced_group : public thread_group
{
  public:
    template <class T> WARPUP_MEMBER T shfl(T value, unsigned int rank) const
    {
        int lane = (int)details::lane_of_rank(lanes, rank);
        return details::shuffled(value, [=](auto part) { return __shfl_sync(lanes, part, lane); });
    }
    template <class T> WARPUP_MEMBER T shfl_up(T value, unsigned int by) const
    {
        unsigned int rank = thread_rank();
        return shfl(value, rank < by ? rank : rank - by);
    }
    template <class T> WARPUP_MEMBER T shfl_down(T value, unsigned int by) const
    {
        unsigned int rank = thread_rank();
        return shfl(value, rank + by < num_threads() ? rank + by : rank);
    }
    WARPUP_MEMBER int any(int predicate) const
    {
        return __any_sync(lanes, predicate);
    }
    WARPUP_MEMBER int all(int predicate) const
    {
        return __all_sync(lanes, predicate);
    }
    WARPUP_MEMBER unsigned int ballot(int predicate) const
    {
        return by_rank(__ballot_sync(lanes, predicate));
    }
    template <class T> WARPUP_MEMBER unsigned int match_any(T value) const
    {
        return by_rank(__match_any_sync(lanes, value));
    }
    template <class T> WARPUP_MEMBER unsigned int match_all(T value, int &all) const
    {
        return by_rank(__match_all_sync(lanes, value, &all));
    }
    WARPUP_MEMBER unsigned int meta_group_rank() const
    {
        return 0;
    }
    WARPUP_MEMBER unsigned int meta_group_size() const
    {
        return 1;
    }

  private:
    /* A bit for each lane becomes one for each rank. */
    WARPUP_MEMBER unsigned int by_rank(unsigned int mask) const
    {
        unsigned int result = 0, rank = 0;
        for (unsigned int left = lanes; left != 0; left &= left - 1)
            result |= (mask >> __builtin_ctz(left) & 1) << rank++;
        return result;
    }
    WARPUP_MEMBER explicit coalesced_group(unsigned int mask) : thread_group(mask)
    {
    }
    friend coalesced_group coalesced_threads();
};

class grid_group
{
  public:
    static WARPUP_MEMBER unsigned long long block_rank()
    {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    }
    static WARPUP_MEMBER unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static WARPUP_MEMBER dim3 block_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    static WARPUP_MEMBER dim3 dim_blocks()
    {
        return dim3(gridDim.x, gridDim.y, gridDim.z);
    }
    static WARPUP_MEMBER dim3 group_dim()
    {
        return dim_blocks();
    }
    static WARPUP_MEMBER dim3 dim_threads()
    {
        return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
    }
    /* May it wait for itself? Only after a cooperative launch. */
    static WARPUP_MEMBER bool is_valid()
    {
        return warpup_grid_is_cooperative() != 0;
    }
    static WARPUP_MEMBER unsigned long long thread_rank()
    {
        return block_rank() * details::block_size() + details::block_rank();
    }
    static WARPUP_MEMBER unsigned long long num_threads()
    {
        return num_blocks() * details::block_size();
    }
    static WARPUP_MEMBER unsigned long long size()
    {
        return num_threads();
    }
    static WARPUP_MEMBER void sync()
    {
        warpup_grid_barrier();
    }
};

WARPUP_INLINE thread_block this_thread_block()
{
    return thread_block();
}

WARPUP_INLINE grid_group this_grid()
{
    return grid_group();
}

WARPUP_MEMBER coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

template <unsigned int count, class Group>
WARPUP_INLINE thread_block_tile<count, Group> tiled_partition(const Group &group)
{
    return thread_block_tile<count, Group>(group);
}

WARPUP_MEMBER thread_group tiled_partition(const thread_group &group, unsigned int size)
{
    return thread_group(group.lanes == 0 ? details::tile_mask(size)
                                         : group.lanes & details::tile_mask(size));
}

template <class Group> WARPUP_INLINE void sync(const Group &group)
{
    group.sync();
}
template <class Group> WARPUP_INLINE unsigned int thread_rank(const Group &group)
{
    return (unsigned int)group.thread_rank();
}
template <class Group> WARPUP_INLINE unsigned int group_size(const Group &group)
{
    return (unsigned int)group.num_threads();
}

} // namespace cooperative_groups

#undef WARPUP_MEMBER

#endif
