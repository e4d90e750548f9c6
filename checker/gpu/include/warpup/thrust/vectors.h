/* vectors.h: vectors in device memory and on the host. */
#ifndef WARPUP_THRUST_VECTORS_H
#define WARPUP_THRUST_VECTORS_H

#include "kernels.h"

namespace thrust
{

template <class T, class Allocator = std::allocator<T>> class host_vector;

namespace details
{
template <class T> struct fill_all {
    T *at;
    T value;
    WARPUP_THRUST void operator()(size_t i) const { at[i] = value; }
};
template <class I, class O> struct copy_all {
    I in;
    O out;
    WARPUP_THRUST void operator()(size_t i) const { out[i] = in[i]; }
};
/* Between the sides: in one piece where both are contiguous */
template <class I, class O> WARPUP_THRUST void copied(I in, size_t n, O out)
{
    constexpr bool from = some_on_device<I>, to = some_on_device<O>;
    if (n == 0) return;
    if constexpr (from && to) {
        on_indices(n, copy_all<decltype(bare(in)), decltype(bare(out))>{bare(in), bare(out)});
    } else if constexpr (from) {
        std::vector<value_of<I>> all(n);
        if constexpr (std::is_pointer<decltype(bare(in))>::value) {
            demand(
                cudaMemcpy(all.data(), bare(in), n * sizeof(value_of<I>), cudaMemcpyDeviceToHost));
        } else {
            scratch<value_of<I>> part(n);
            on_indices(n, copy_all<decltype(bare(in)), value_of<I> *>{bare(in), part.at});
            demand(
                cudaMemcpy(all.data(), part.at, n * sizeof(value_of<I>), cudaMemcpyDeviceToHost));
        }
        std::copy(all.begin(), all.end(), out);
    } else if constexpr (to) {
        std::vector<value_of<O>> all(n);
        for (size_t i = 0; i < n; i++, ++in)
            all[i] = *in;
        demand(cudaMemcpy(bare(out), all.data(), n * sizeof(value_of<O>), cudaMemcpyHostToDevice));
    } else {
        for (size_t i = 0; i < n; i++, ++in, ++out)
            *out = *in;
    }
}
/* Host memory that can be copied as it is, without another copy of it on the way */
template <class T> WARPUP_THRUST void fetched_all(T *to, const T *from, size_t n)
{
    if (n > 0) demand(cudaMemcpy(to, from, n * sizeof(T), cudaMemcpyDeviceToHost));
}
template <class T> WARPUP_THRUST void sent_all(T *to, const T *from, size_t n)
{
    if (n > 0) demand(cudaMemcpy(to, from, n * sizeof(T), cudaMemcpyHostToDevice));
}
} // namespace details

template <class T> struct device_allocator {
};

template <class T, class Allocator = device_allocator<T>> class device_vector
{
  public:
    typedef T value_type;
    typedef device_ptr<T> iterator, pointer;
    typedef device_ptr<const T> const_iterator, const_pointer;
    typedef device_reference<T> reference;
    typedef size_t size_type;

    WARPUP_THRUST device_vector() {}
    WARPUP_THRUST explicit device_vector(size_t n) : device_vector(n, T()) {}
    WARPUP_THRUST device_vector(size_t n, const T &value)
    {
        take(n);
        details::on_indices(n, details::fill_all<T>{at, value});
    }
    WARPUP_THRUST device_vector(const device_vector &other) { assign(other.begin(), other.end()); }
    WARPUP_THRUST device_vector(device_vector &&other) { swap(other); }
    template <class A> WARPUP_THRUST device_vector(const host_vector<T, A> &other)
    {
        take(other.size());
        details::sent_all(at, other.data(), count);
    }
    template <class A> WARPUP_THRUST device_vector(const std::vector<T, A> &other)
    {
        take(other.size());
        details::sent_all(at, other.data(), count);
    }
    WARPUP_THRUST device_vector(std::initializer_list<T> other)
    {
        take(other.size());
        details::sent_all(at, other.begin(), count);
    }
    template <class I, class = typename std::iterator_traits<I>::iterator_category>
    WARPUP_THRUST device_vector(I first, I last)
    {
        assign(first, last);
    }
    WARPUP_THRUST ~device_vector()
    {
        if (at != nullptr) cudaFree((void *)at);
    }
    WARPUP_THRUST device_vector &operator=(const device_vector &other)
    {
        if (this != &other) assign(other.begin(), other.end());
        return *this;
    }
    WARPUP_THRUST device_vector &operator=(device_vector &&other)
    {
        swap(other);
        return *this;
    }
    template <class A> WARPUP_THRUST device_vector &operator=(const host_vector<T, A> &other)
    {
        take(other.size());
        details::sent_all(at, other.data(), count);
        return *this;
    }
    template <class A> WARPUP_THRUST device_vector &operator=(const std::vector<T, A> &other)
    {
        take(other.size());
        details::sent_all(at, other.data(), count);
        return *this;
    }
    template <class I, class = typename std::iterator_traits<I>::iterator_category>
    WARPUP_THRUST void assign(I first, I last)
    {
        take((size_t)(last - first));
        details::copied(first, count, begin());
    }
    WARPUP_THRUST void assign(size_t n, const T &value)
    {
        take(n);
        details::on_indices(n, details::fill_all<T>{at, value});
    }
    WARPUP_THRUST void resize(size_t n, const T &value = T())
    {
        size_t kept = n < count ? n : count;
        device_vector other;
        other.take(n);
        details::copied(const_iterator(at), kept, other.begin());
        details::on_indices(n - kept, details::fill_all<T>{other.at + kept, value});
        swap(other);
    }
    WARPUP_THRUST void push_back(const T &value) { resize(count + 1, value); }
    WARPUP_THRUST void pop_back() { count--; }
    WARPUP_THRUST void clear() { count = 0; }
    WARPUP_THRUST void reserve(size_t) {}
    WARPUP_THRUST void shrink_to_fit() {}
    WARPUP_THRUST void swap(device_vector &other)
    {
        std::swap(at, other.at);
        std::swap(count, other.count);
        std::swap(space, other.space);
    }
    WARPUP_THRUST iterator erase(iterator first, iterator last)
    {
        size_t behind = (size_t)(end() - last);
        device_vector rest(last, end());
        details::copied(rest.begin(), behind, first);
        count -= (size_t)(last - first);
        return first;
    }
    WARPUP_THRUST size_t size() const { return count; }
    WARPUP_THRUST size_t capacity() const { return space; }
    WARPUP_THRUST bool empty() const { return count == 0; }
    WARPUP_THRUST pointer data() { return pointer(at); }
    WARPUP_THRUST const_pointer data() const { return const_pointer(at); }
    WARPUP_THRUST iterator begin() { return iterator(at); }
    WARPUP_THRUST iterator end() { return iterator(at + count); }
    WARPUP_THRUST const_iterator begin() const { return const_iterator(at); }
    WARPUP_THRUST const_iterator end() const { return const_iterator(at + count); }
    WARPUP_THRUST const_iterator cbegin() const { return begin(); }
    WARPUP_THRUST const_iterator cend() const { return end(); }
    WARPUP_THRUST reference operator[](size_t i) { return reference(at + i); }
    WARPUP_THRUST device_reference<const T> operator[](size_t i) const
    {
        return device_reference<const T>(at + i);
    }
    WARPUP_THRUST reference front() { return (*this)[0]; }
    WARPUP_THRUST reference back() { return (*this)[count - 1]; }

  private:
    T *at = nullptr;
    size_t count = 0, space = 0;

    /* Room for n elements, whatever they are */
    WARPUP_THRUST void take(size_t n)
    {
        if (n > space) {
            if (at != nullptr) cudaFree((void *)at);
            at = nullptr;
            details::demand(cudaMalloc(&at, n * sizeof(T)));
            space = n;
        }
        count = n;
    }
};

template <class T, class Allocator> class host_vector : public std::vector<T, Allocator>
{
  public:
    typedef std::vector<T, Allocator> all;
    using all::all;
    host_vector() = default;
    WARPUP_THRUST host_vector(const all &other) : all(other) {}
    template <class A>
    WARPUP_THRUST host_vector(const device_vector<T, A> &other) : all(other.size())
    {
        details::fetched_all(this->data(), raw_pointer_cast(other.data()), other.size());
    }
    WARPUP_THRUST host_vector(device_ptr<T> first, device_ptr<T> last) : all((size_t)(last - first))
    {
        details::fetched_all(this->data(), (const T *)first.get(), this->size());
    }
    template <class A> WARPUP_THRUST host_vector &operator=(const device_vector<T, A> &other)
    {
        this->resize(other.size());
        details::fetched_all(this->data(), raw_pointer_cast(other.data()), other.size());
        return *this;
    }
};

} // namespace thrust

#endif
