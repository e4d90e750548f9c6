/* iterators.h: iterators that count, transform, permute and zip. */
#ifndef WARPUP_THRUST_ITERATORS_H
#define WARPUP_THRUST_ITERATORS_H

#include "tuples.h"

namespace thrust
{

#define WARPUP_ITERATOR(name, R)                                                                   \
    typedef std::random_access_iterator_tag iterator_category;                                     \
    typedef ptrdiff_t difference_type;                                                             \
    typedef const value_type *pointer;                                                             \
    typedef R reference;                                                                           \
    WARPUP_THRUST reference operator[](ptrdiff_t i) const { return *(*this + i); }                 \
    WARPUP_THRUST name &operator++() { return *this = *this + 1; }                                 \
    WARPUP_THRUST name operator++(int)                                                             \
    {                                                                                              \
        name old = *this;                                                                          \
        ++*this;                                                                                   \
        return old;                                                                                \
    }                                                                                              \
    WARPUP_THRUST name &operator+=(ptrdiff_t n) { return *this = *this + n; }                      \
    WARPUP_THRUST name operator-(ptrdiff_t n) const { return *this + -n; }                         \
    WARPUP_THRUST bool operator==(const name &other) const { return *this - other == 0; }          \
    WARPUP_THRUST bool operator!=(const name &other) const { return *this - other != 0; }

template <class T> class counting_iterator
{
  public:
    typedef T value_type;
    WARPUP_ITERATOR(counting_iterator, T)
    WARPUP_THRUST explicit counting_iterator(T first = T()) : value(first) {}
    WARPUP_THRUST counting_iterator operator+(ptrdiff_t n) const
    {
        return counting_iterator((T)(value + (T)n));
    }
    WARPUP_THRUST ptrdiff_t operator-(const counting_iterator &other) const
    {
        return (ptrdiff_t)value - (ptrdiff_t)other.value;
    }
    WARPUP_THRUST T operator*() const { return value; }

  private:
    T value;
};
template <class T> WARPUP_THRUST counting_iterator<T> make_counting_iterator(T first)
{
    return counting_iterator<T>(first);
}

template <class T> class constant_iterator
{
  public:
    typedef T value_type;
    WARPUP_ITERATOR(constant_iterator, T)
    WARPUP_THRUST explicit constant_iterator(T one, ptrdiff_t begin = 0) : value(one), at(begin) {}
    WARPUP_THRUST constant_iterator operator+(ptrdiff_t n) const
    {
        return constant_iterator(value, at + n);
    }
    WARPUP_THRUST ptrdiff_t operator-(const constant_iterator &other) const
    {
        return at - other.at;
    }
    WARPUP_THRUST T operator*() const { return value; }

  private:
    T value;
    ptrdiff_t at;
};
template <class T> WARPUP_THRUST constant_iterator<T> make_constant_iterator(T value)
{
    return constant_iterator<T>(value);
}

/* Takes anything. */
class discard_iterator
{
  public:
    struct nothing {
        template <class T> WARPUP_THRUST const nothing &operator=(const T &) const { return *this; }
    };
    typedef nothing value_type;
    WARPUP_ITERATOR(discard_iterator, nothing)
    WARPUP_THRUST explicit discard_iterator(ptrdiff_t begin = 0) : at(begin) {}
    WARPUP_THRUST discard_iterator operator+(ptrdiff_t n) const { return discard_iterator(at + n); }
    WARPUP_THRUST ptrdiff_t operator-(const discard_iterator &other) const { return at - other.at; }
    WARPUP_THRUST nothing operator*() const { return {}; }

  private:
    ptrdiff_t at;
};
WARPUP_THRUST discard_iterator make_discard_iterator() { return discard_iterator(); }

template <class F, class I> class transform_iterator
{
  public:
    typedef typename std::decay<decltype(std::declval<F>()(
        std::declval<typename std::iterator_traits<I>::value_type>()))>::type value_type;
    WARPUP_ITERATOR(transform_iterator, value_type)
    WARPUP_THRUST transform_iterator(I begin, F function) : at(begin), f(function) {}
    WARPUP_THRUST transform_iterator(const transform_iterator &) = default;
    WARPUP_THRUST transform_iterator &operator=(const transform_iterator &other)
    {
        at = other.at; /* the function is the same: a lambda cannot be assigned */
        return *this;
    }
    WARPUP_THRUST transform_iterator operator+(ptrdiff_t n) const
    {
        return transform_iterator(at + n, f);
    }
    WARPUP_THRUST ptrdiff_t operator-(const transform_iterator &other) const
    {
        return at - other.at;
    }
    WARPUP_THRUST value_type operator*() const
    {
        return f((typename std::iterator_traits<I>::value_type) * at);
    }
    I at;
    F f;
};
template <class I, class F>
WARPUP_THRUST transform_iterator<F, I> make_transform_iterator(I at, F f)
{
    return transform_iterator<F, I>(at, f);
}

/* Elements of one sequence in the order that another gives */
template <class E, class I> class permutation_iterator
{
  public:
    typedef typename std::iterator_traits<E>::value_type value_type;
    WARPUP_ITERATOR(permutation_iterator, typename std::iterator_traits<E>::reference)
    WARPUP_THRUST permutation_iterator(E all, I order) : elements(all), at(order) {}
    WARPUP_THRUST permutation_iterator operator+(ptrdiff_t n) const
    {
        return permutation_iterator(elements, at + n);
    }
    WARPUP_THRUST ptrdiff_t operator-(const permutation_iterator &other) const
    {
        return at - other.at;
    }
    WARPUP_THRUST reference operator*() const
    {
        return elements[(ptrdiff_t)(typename std::iterator_traits<I>::value_type) * at];
    }
    E elements;
    I at;
};
template <class E, class I>
WARPUP_THRUST permutation_iterator<E, I> make_permutation_iterator(E elements, I order)
{
    return permutation_iterator<E, I>(elements, order);
}

template <class Tuple> class zip_iterator;
template <class... I> class zip_iterator<tuple<I...>>
{
  public:
    typedef tuple<typename std::iterator_traits<I>::value_type...> value_type;
    typedef tuple<typename std::iterator_traits<I>::reference...> references;
    WARPUP_ITERATOR(zip_iterator, references)
    WARPUP_THRUST explicit zip_iterator(const tuple<I...> &all) : at(all) {}
    WARPUP_THRUST zip_iterator operator+(ptrdiff_t n) const { return zip_iterator(moved(at, n)); }
    WARPUP_THRUST ptrdiff_t operator-(const zip_iterator &other) const
    {
        return at.first - other.at.first;
    }
    WARPUP_THRUST reference operator*() const
    {
        return all_of(at, std::make_index_sequence<sizeof...(I)>());
    }
    tuple<I...> at;

  private:
    template <class First, class... More>
    static WARPUP_THRUST tuple<First, More...> moved(const tuple<First, More...> &from, ptrdiff_t n)
    {
        tuple<First, More...> to = from;
        to.first = from.first + n;
        if constexpr (sizeof...(More) > 0) to.more = moved(from.more, n);
        return to;
    }
    template <size_t... rank>
    static WARPUP_THRUST references all_of(const tuple<I...> &from, std::index_sequence<rank...>)
    {
        return references(*get<(int)rank>(from)...);
    }
};
template <class... I> WARPUP_THRUST zip_iterator<tuple<I...>> make_zip_iterator(tuple<I...> all)
{
    return zip_iterator<tuple<I...>>(all);
}
template <class First, class Second, class... More>
WARPUP_THRUST auto make_zip_iterator(First first, Second second, More... more)
{
    return make_zip_iterator(make_tuple(first, second, more...));
}

namespace details
{
/* Does the iterator lead to device memory? */
template <class I> struct leads_to_device : std::false_type {
};
template <class T> struct leads_to_device<device_ptr<T>> : std::true_type {
};
template <class F, class I> struct leads_to_device<transform_iterator<F, I>> : leads_to_device<I> {
};
template <class E, class I>
struct leads_to_device<permutation_iterator<E, I>> : leads_to_device<E> {
};
template <class... I>
struct leads_to_device<zip_iterator<tuple<I...>>>
    : std::integral_constant<bool, (leads_to_device<I>::value || ...)> {
};
template <class... I> constexpr bool some_on_device = (leads_to_device<I>::value || ...);

/* An iterator like this one, over bare pointers, as kernels use it */
template <class I> WARPUP_THRUST I bare(I at) { return at; }
template <class T> WARPUP_THRUST T *bare(device_ptr<T> at) { return at.get(); }
template <class F, class I> WARPUP_THRUST auto bare(const transform_iterator<F, I> &at);
template <class E, class I> WARPUP_THRUST auto bare(const permutation_iterator<E, I> &at);
template <class... I> WARPUP_THRUST auto bare(const zip_iterator<tuple<I...>> &at);
WARPUP_THRUST tuple<> bare_all(const tuple<> &) { return {}; }
template <class A, class... B>
WARPUP_THRUST tuple<A, B...> in_front(const A &first, const tuple<B...> &more)
{
    tuple<A, B...> all;
    all.first = first;
    all.more = more;
    return all;
}
template <class First, class... More> WARPUP_THRUST auto bare_all(const tuple<First, More...> &at)
{
    return in_front(bare(at.first), bare_all(at.more));
}
template <class F, class I> WARPUP_THRUST auto bare(const transform_iterator<F, I> &at)
{
    return make_transform_iterator(bare(at.at), at.f);
}
template <class E, class I> WARPUP_THRUST auto bare(const permutation_iterator<E, I> &at)
{
    return make_permutation_iterator(bare(at.elements), bare(at.at));
}
template <class... I> WARPUP_THRUST auto bare(const zip_iterator<tuple<I...>> &at)
{
    return make_zip_iterator(bare_all(at.at));
}

template <class I> using bare_of = decltype(bare(std::declval<I>()));
template <class I> using value_of = typename std::iterator_traits<I>::value_type;
} // namespace details

} // namespace thrust

#endif
