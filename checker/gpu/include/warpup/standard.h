/*
 * standard.h: what kernels may use of the C++ library with nvcc: new and delete, std::move,
 * std::forward and initializer lists. All other functions of the library are the host's.
 */
#ifndef WARPUP_STANDARD_H
#define WARPUP_STANDARD_H

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

/* An editor's clang may have its own. */
#ifndef __CLANG_CUDA_WRAPPERS_NEW
#    define WARPUP_OPERATOR(type, name, parameters, work)                                          \
        __device__ WARPUP_HIDDEN type operator name parameters { work; }
#    define WARPUP_NEW    return ::malloc(bytes == 0 ? 1 : bytes)
#    define WARPUP_DELETE ::free(at)
/* new and delete of one object, and of an array */
#    define WARPUP_NEW_DELETE(new, delete)                                                         \
        WARPUP_OPERATOR(void *, new, (size_t bytes), WARPUP_NEW)                                   \
        WARPUP_OPERATOR(void *, new, (size_t bytes, const std::nothrow_t &) noexcept, WARPUP_NEW)  \
        WARPUP_OPERATOR(void *, new, (size_t, void *at) noexcept, return at)                       \
        WARPUP_OPERATOR(void, delete, (void *at) noexcept, WARPUP_DELETE)                          \
        WARPUP_OPERATOR(void, delete, (void *at, size_t) noexcept, WARPUP_DELETE)                  \
        WARPUP_OPERATOR(void, delete, (void *at, const std::nothrow_t &) noexcept, WARPUP_DELETE)  \
        WARPUP_OPERATOR(void, delete, (void *, void *) noexcept, )
WARPUP_NEW_DELETE(new, delete)
WARPUP_NEW_DELETE(new[], delete[])
#    undef WARPUP_NEW_DELETE
#    undef WARPUP_DELETE
#    undef WARPUP_NEW
#    undef WARPUP_OPERATOR
#endif

#endif
