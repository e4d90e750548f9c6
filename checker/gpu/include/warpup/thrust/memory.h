/* memory.h: device memory as the host sees it: pointers, references, and where algorithms run. */
#ifndef WARPUP_THRUST_MEMORY_H
#define WARPUP_THRUST_MEMORY_H

#include "../../cuda_runtime.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#define WARPUP_THRUST __host__ __device__ WARPUP_HIDDEN

namespace thrust
{

class system_error : public std::runtime_error
{
  public:
    explicit system_error(cudaError_t error) : std::runtime_error(cudaGetErrorString(error)) {}
};
namespace system
{
using thrust::system_error;
}

namespace details
{
WARPUP_THRUST void demand(cudaError_t error)
{
    if (error != cudaSuccess) throw system_error(error);
}
template <class T> WARPUP_THRUST T fetched(const T *at)
{
#ifdef __CUDA_ARCH__
    return *at;
#else
    alignas(T) char bytes[sizeof(T)];
    demand(cudaMemcpy(bytes, at, sizeof(T), cudaMemcpyDeviceToHost));
    return *(T *)bytes;
#endif
}
template <class T> WARPUP_THRUST void stored(T *at, const T &value)
{
#ifdef __CUDA_ARCH__
    *at = value;
#else
    demand(cudaMemcpy(at, &value, sizeof(T), cudaMemcpyHostToDevice));
#endif
}
} // namespace details

template <class T> class device_ptr;

template <class T> class device_reference
{
  public:
    typedef typename std::remove_const<T>::type value_type;
    WARPUP_THRUST explicit device_reference(T *address) : at(address) {}
    WARPUP_THRUST device_reference(const device_reference &) = default;
    WARPUP_THRUST operator value_type() const { return details::fetched<value_type>(at); }
    WARPUP_THRUST const device_reference &operator=(const value_type &value) const
    {
        details::stored<value_type>(at, value);
        return *this;
    }
    WARPUP_THRUST const device_reference &operator=(const device_reference &other) const
    {
        return *this = (value_type)other;
    }
    WARPUP_THRUST device_ptr<T> operator&() const { return device_ptr<T>(at); }
#define WARPUP_CHANGE(op)                                                                          \
    WARPUP_THRUST const device_reference &operator op##=(const value_type &value) const            \
    {                                                                                              \
        return *this = (value_type)((value_type) * this op value);                                 \
    }
    WARPUP_CHANGE(+)
    WARPUP_CHANGE(-)
    WARPUP_CHANGE(*)
    WARPUP_CHANGE(/)
#undef WARPUP_CHANGE
    WARPUP_THRUST const device_reference &operator++() const { return *this += value_type(1); }

  private:
    T *at;
};

template <class T> std::ostream &operator<<(std::ostream &out, const device_reference<T> &one)
{
    return out << (typename std::remove_const<T>::type)one;
}

template <class T> class device_ptr
{
  public:
    typedef std::random_access_iterator_tag iterator_category;
    typedef typename std::remove_const<T>::type value_type;
    typedef ptrdiff_t difference_type;
    typedef device_ptr pointer;
    typedef device_reference<T> reference;

    WARPUP_THRUST device_ptr() : at(nullptr) {}
    WARPUP_THRUST device_ptr(std::nullptr_t) : at(nullptr) {}
    WARPUP_THRUST explicit device_ptr(T *address) : at(address) {}
    template <class U, class = typename std::enable_if<std::is_convertible<U *, T *>::value>::type>
    WARPUP_THRUST device_ptr(const device_ptr<U> &other) : at(other.get())
    {
    }
    WARPUP_THRUST T *get() const { return at; }
    WARPUP_THRUST reference operator*() const { return reference(at); }
    WARPUP_THRUST reference operator[](ptrdiff_t i) const { return reference(at + i); }
    WARPUP_THRUST device_ptr &operator++()
    {
        ++at;
        return *this;
    }
    WARPUP_THRUST device_ptr operator++(int) { return device_ptr(at++); }
    WARPUP_THRUST device_ptr &operator--()
    {
        --at;
        return *this;
    }
    WARPUP_THRUST device_ptr &operator+=(ptrdiff_t n)
    {
        at += n;
        return *this;
    }
    WARPUP_THRUST device_ptr &operator-=(ptrdiff_t n)
    {
        at -= n;
        return *this;
    }
    WARPUP_THRUST device_ptr operator+(ptrdiff_t n) const { return device_ptr(at + n); }
    WARPUP_THRUST device_ptr operator-(ptrdiff_t n) const { return device_ptr(at - n); }
    WARPUP_THRUST ptrdiff_t operator-(const device_ptr &other) const { return at - other.at; }
    WARPUP_THRUST bool operator==(const device_ptr &other) const { return at == other.at; }
    WARPUP_THRUST bool operator!=(const device_ptr &other) const { return at != other.at; }
    WARPUP_THRUST bool operator<(const device_ptr &other) const { return at < other.at; }
    WARPUP_THRUST explicit operator bool() const { return at != nullptr; }

  private:
    T *at;
};

template <class T> WARPUP_THRUST device_ptr<T> device_pointer_cast(T *at)
{
    return device_ptr<T>(at);
}
template <class T> WARPUP_THRUST device_ptr<T> device_pointer_cast(const device_ptr<T> &at)
{
    return at;
}
template <class T> WARPUP_THRUST T *raw_pointer_cast(const device_ptr<T> &at) { return at.get(); }
template <class T> WARPUP_THRUST T *raw_pointer_cast(T *at) { return at; }
template <class T> WARPUP_THRUST device_ptr<T> device_malloc(size_t count)
{
    T *at;
    details::demand(cudaMalloc(&at, count * sizeof(T)));
    return device_ptr<T>(at);
}
template <class T> WARPUP_THRUST void device_free(device_ptr<T> at)
{
    details::demand(cudaFree((void *)at.get()));
}

/* ---- where algorithms run ------------------------------------------------------------------- */

namespace details
{
struct on_host {
};
struct on_device {
    cudaStream_t stream = nullptr;
    on_device on(cudaStream_t other) const { return {other}; }
};
} // namespace details
static const details::on_host host, seq;
static const details::on_device device;
namespace cuda
{
static const details::on_device par, par_nosync;
}
namespace omp
{
static const details::on_host par;
}

} // namespace thrust

#endif
