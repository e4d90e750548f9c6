/*
 * standard.h: what kernels may use of the C++ library with nvcc: new and delete, std::move,
 * std::forward and initializer lists. All other functions of the library are the host's.
 */
#ifndef WARPUP_STANDARD_H
#define WARPUP_STANDARD_H

#pragma GCC system_header

#include "builtins.h"

#pragma clang force_cuda_host_device begin
#include <initializer_list>
#pragma clang force_cuda_host_device end

#include <new>
#include <utility>

namespace warpup
{
template <class T> struct without_reference {
    typedef T type;
};
template <class T> struct without_reference<T &> {
    typedef T type;
};
template <class T> struct without_reference<T &&> {
    typedef T type;
};
} // namespace warpup

/* Another type than the library's in the declaration makes them overloads of the library's own. */
namespace std
{
template <class T>
__device__ WARPUP_HIDDEN constexpr T &&
forward(typename ::warpup::without_reference<T>::type &value) noexcept
{
    return static_cast<T &&>(value);
}
template <class T>
__device__ WARPUP_HIDDEN constexpr T &&
forward(typename ::warpup::without_reference<T>::type &&value) noexcept
{
    return static_cast<T &&>(value);
}
template <class T>
__device__ WARPUP_HIDDEN constexpr typename ::warpup::without_reference<T>::type &&
move(T &&value) noexcept
{
    return static_cast<typename ::warpup::without_reference<T>::type &&>(value);
}
} // namespace std

#define WARPUP_NEW                                                                                 \
    {                                                                                              \
        return ::malloc(bytes == 0 ? 1 : bytes);                                                   \
    }
#define WARPUP_DELETE                                                                              \
    {                                                                                              \
        ::free(at);                                                                                \
    }
__device__ WARPUP_HIDDEN void *operator new(size_t bytes) WARPUP_NEW __device__ WARPUP_HIDDEN void *
operator new[](size_t bytes) WARPUP_NEW __device__ WARPUP_HIDDEN void *
operator new(size_t bytes,
             const std::nothrow_t &) noexcept WARPUP_NEW __device__ WARPUP_HIDDEN void *
operator new[](size_t bytes, const std::nothrow_t &) noexcept WARPUP_NEW __device__ WARPUP_HIDDEN
    void
    operator delete(void *at) noexcept WARPUP_DELETE __device__ WARPUP_HIDDEN void
    operator delete[](void *at) noexcept WARPUP_DELETE __device__ WARPUP_HIDDEN void
    operator delete(void *at, size_t) noexcept WARPUP_DELETE __device__ WARPUP_HIDDEN void
    operator delete[](void *at, size_t) noexcept WARPUP_DELETE __device__ WARPUP_HIDDEN void *
    operator new(size_t, void *at) noexcept
{
    return at;
}
__device__ WARPUP_HIDDEN void *operator new[](size_t, void *at) noexcept
{
    return at;
}
__device__ WARPUP_HIDDEN void operator delete(void *, void *) noexcept
{
}
__device__ WARPUP_HIDDEN void operator delete[](void *, void *) noexcept
{
}
#undef WARPUP_DELETE
#undef WARPUP_NEW

#endif
