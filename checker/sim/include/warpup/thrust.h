/*
 * thrust.h: what this lab has of thrust, the parallel algorithms that come with CUDA, in few lines: each
 * algorithm over device memory is one kernel or a few, over host memory a loop. The counts of these kernels
 * are not those of the real library.
 */
#ifndef WARPUP_THRUST_H
#define WARPUP_THRUST_H

#include "../cuda_runtime.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#define WARPUP_THRUST inline __attribute__((always_inline))

namespace thrust
{

/* ---- device memory from the host's side ----------------------------------------------------- */

class system_error : public std::runtime_error
{
  public:
    explicit system_error(cudaError_t error) : std::runtime_error(cudaGetErrorString(error))
    {
    }
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
    WARPUP_THRUST explicit device_reference(T *place) : at(place)
    {
    }
    WARPUP_THRUST device_reference(const device_reference &) = default;
    WARPUP_THRUST operator value_type() const
    {
        return details::fetched<value_type>(at);
    }
    WARPUP_THRUST const device_reference &operator=(const value_type &value) const
    {
        details::stored<value_type>(at, value);
        return *this;
    }
    WARPUP_THRUST const device_reference &operator=(const device_reference &other) const
    {
        return *this = (value_type)other;
    }
    WARPUP_THRUST device_ptr<T> operator&() const
    {
        return device_ptr<T>(at);
    }
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
    WARPUP_THRUST const device_reference &operator++() const
    {
        return *this += value_type(1);
    }

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

    WARPUP_THRUST device_ptr() : at(nullptr)
    {
    }
    WARPUP_THRUST device_ptr(std::nullptr_t) : at(nullptr)
    {
    }
    WARPUP_THRUST explicit device_ptr(T *place) : at(place)
    {
    }
    template <class U, class = typename std::enable_if<std::is_convertible<U *, T *>::value>::type>
    WARPUP_THRUST device_ptr(const device_ptr<U> &other) : at(other.get())
    {
    }
    WARPUP_THRUST T *get() const
    {
        return at;
    }
    WARPUP_THRUST reference operator*() const
    {
        return reference(at);
    }
    WARPUP_THRUST reference operator[](ptrdiff_t i) const
    {
        return reference(at + i);
    }
    WARPUP_THRUST device_ptr &operator++()
    {
        ++at;
        return *this;
    }
    WARPUP_THRUST device_ptr operator++(int)
    {
        return device_ptr(at++);
    }
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
    WARPUP_THRUST device_ptr operator+(ptrdiff_t n) const
    {
        return device_ptr(at + n);
    }
    WARPUP_THRUST device_ptr operator-(ptrdiff_t n) const
    {
        return device_ptr(at - n);
    }
    WARPUP_THRUST ptrdiff_t operator-(const device_ptr &other) const
    {
        return at - other.at;
    }
    WARPUP_THRUST bool operator==(const device_ptr &other) const
    {
        return at == other.at;
    }
    WARPUP_THRUST bool operator!=(const device_ptr &other) const
    {
        return at != other.at;
    }
    WARPUP_THRUST bool operator<(const device_ptr &other) const
    {
        return at < other.at;
    }
    WARPUP_THRUST explicit operator bool() const
    {
        return at != nullptr;
    }

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
template <class T> WARPUP_THRUST T *raw_pointer_cast(const device_ptr<T> &at)
{
    return at.get();
}
template <class T> WARPUP_THRUST T *raw_pointer_cast(T *at)
{
    return at;
}
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
    on_device on(cudaStream_t other) const
    {
        return {other};
    }
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

/* ---- functions ------------------------------------------------------------------------------ */

#define WARPUP_BINARY(name, R, expression)                                                         \
    template <class T = void> struct name {                                                        \
        typedef T first_argument_type;                                                             \
        typedef T second_argument_type;                                                            \
        typedef R result_type;                                                                     \
        WARPUP_THRUST R operator()(const T &a, const T &b) const                                   \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };                                                                                             \
    template <> struct name<void> {                                                                \
        template <class A, class B> WARPUP_THRUST auto operator()(const A &a, const B &b) const    \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
WARPUP_BINARY(plus, T, a + b)
WARPUP_BINARY(minus, T, a - b)
WARPUP_BINARY(multiplies, T, a *b)
WARPUP_BINARY(divides, T, a / b)
WARPUP_BINARY(modulus, T, a % b)
WARPUP_BINARY(maximum, T, a < b ? b : a)
WARPUP_BINARY(minimum, T, b < a ? b : a)
WARPUP_BINARY(equal_to, bool, a == b)
WARPUP_BINARY(not_equal_to, bool, a != b)
WARPUP_BINARY(less, bool, a < b)
WARPUP_BINARY(less_equal, bool, a <= b)
WARPUP_BINARY(greater, bool, a > b)
WARPUP_BINARY(greater_equal, bool, a >= b)
WARPUP_BINARY(logical_and, bool, a &&b)
WARPUP_BINARY(logical_or, bool, a || b)
WARPUP_BINARY(bit_and, T, a &b)
WARPUP_BINARY(bit_or, T, a | b)
WARPUP_BINARY(bit_xor, T, a ^ b)
#undef WARPUP_BINARY

#define WARPUP_UNARY(name, R, expression)                                                          \
    template <class T = void> struct name {                                                        \
        typedef T argument_type;                                                                   \
        typedef R result_type;                                                                     \
        WARPUP_THRUST R operator()(const T &a) const                                               \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };                                                                                             \
    template <> struct name<void> {                                                                \
        template <class T> WARPUP_THRUST auto operator()(const T &a) const                         \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
WARPUP_UNARY(negate, T, -a)
WARPUP_UNARY(square, T, a *a)
WARPUP_UNARY(identity, T, a)
WARPUP_UNARY(logical_not, bool, !a)
#undef WARPUP_UNARY

template <class A, class B> struct unary_function {
    typedef A argument_type;
    typedef B result_type;
};
template <class A, class B, class C> struct binary_function {
    typedef A first_argument_type;
    typedef B second_argument_type;
    typedef C result_type;
};

/* a * _1 + _2 */
namespace placeholders
{
template <class F> struct formula {
    F f;
    template <class... T> WARPUP_THRUST auto operator()(const T &...values) const
    {
        return f(values...);
    }
};
template <class F> WARPUP_THRUST formula<F> formula_of(F f)
{
    return {f};
}
template <int place> struct picked {
    template <class T, class... U> WARPUP_THRUST auto operator()(const T &first, const U &...more) const
    {
        if constexpr (place == 1)
            return first;
        else
            return picked<place - 1>()(more...);
    }
};
static const formula<picked<1>> _1{};
static const formula<picked<2>> _2{};
static const formula<picked<3>> _3{};
template <class T> struct always {
    T value;
    template <class... U> WARPUP_THRUST T operator()(const U &...) const
    {
        return value;
    }
};
template <class F, class G, class Operation> struct joined {
    F f;
    G g;
    template <class... T> WARPUP_THRUST auto operator()(const T &...values) const
    {
        return Operation()(f(values...), g(values...));
    }
};
#define WARPUP_FORMULA(op, Operation)                                                              \
    template <class F, class G>                                                                    \
    WARPUP_THRUST auto operator op(const formula<F> &a, const formula<G> &b)                       \
    {                                                                                              \
        return formula_of(joined<F, G, thrust::Operation<>>{a.f, b.f});                            \
    }                                                                                              \
    template <class F, class T,                                                                    \
              class = typename std::enable_if<std::is_arithmetic<T>::value>::type>                 \
    WARPUP_THRUST auto operator op(const formula<F> &a, const T &b)                                \
    {                                                                                              \
        return formula_of(joined<F, always<T>, thrust::Operation<>>{a.f, {b}});                    \
    }                                                                                              \
    template <class F, class T,                                                                    \
              class = typename std::enable_if<std::is_arithmetic<T>::value>::type>                 \
    WARPUP_THRUST auto operator op(const T &a, const formula<F> &b)                                \
    {                                                                                              \
        return formula_of(joined<always<T>, F, thrust::Operation<>>{{a}, b.f});                    \
    }
WARPUP_FORMULA(+, plus)
WARPUP_FORMULA(-, minus)
WARPUP_FORMULA(*, multiplies)
WARPUP_FORMULA(/, divides)
WARPUP_FORMULA(%, modulus)
WARPUP_FORMULA(<, less)
WARPUP_FORMULA(<=, less_equal)
WARPUP_FORMULA(>, greater)
WARPUP_FORMULA(>=, greater_equal)
WARPUP_FORMULA(==, equal_to)
WARPUP_FORMULA(!=, not_equal_to)
#undef WARPUP_FORMULA
} // namespace placeholders

/* ---- tuples and pairs ----------------------------------------------------------------------- */

/* Simple structures: a kernel may use them. */
template <class... T> struct tuple;
template <> struct tuple<> {
};
template <class First, class... More> struct tuple<First, More...> {
    First first;
    tuple<More...> more;
    WARPUP_THRUST tuple() : first(), more()
    {
    }
    WARPUP_THRUST tuple(First a, More... b) : first(a), more(b...)
    {
    }
    template <class... U, class = typename std::enable_if<sizeof...(U) == sizeof...(More) + 1>::type>
    WARPUP_THRUST tuple(const tuple<U...> &other) : first(other.first), more(other.more)
    {
    }
    template <class... U> WARPUP_THRUST const tuple &operator=(const tuple<U...> &other) const
    {
        const_cast<tuple *>(this)->first = other.first;
        if constexpr (sizeof...(More) > 0) const_cast<tuple *>(this)->more = other.more;
        return *this;
    }
    WARPUP_THRUST tuple(const tuple &) = default;
    WARPUP_THRUST tuple &operator=(const tuple &other)
    {
        first = other.first;
        more = other.more;
        return *this;
    }
};
template <int place, class... T> WARPUP_THRUST auto &get(tuple<T...> &all)
{
    if constexpr (place == 0)
        return all.first;
    else
        return get<place - 1>(all.more);
}
template <int place, class... T> WARPUP_THRUST const auto &get(const tuple<T...> &all)
{
    if constexpr (place == 0)
        return all.first;
    else
        return get<place - 1>(all.more);
}
template <class... T> WARPUP_THRUST tuple<T...> make_tuple(T... values)
{
    return tuple<T...>(values...);
}
template <class... T> WARPUP_THRUST tuple<T &...> tie(T &...places)
{
    return tuple<T &...>(places...);
}
template <class A, class B> using pair = std::pair<A, B>;
using std::make_pair;

/* ---- iterators ------------------------------------------------------------------------------ */

#define WARPUP_ITERATOR(name, R)                                                                   \
    typedef std::random_access_iterator_tag iterator_category;                                     \
    typedef ptrdiff_t difference_type;                                                             \
    typedef const value_type *pointer;                                                             \
    typedef R reference;                                                                           \
    WARPUP_THRUST reference operator[](ptrdiff_t i) const                                          \
    {                                                                                              \
        return *(*this + i);                                                                       \
    }                                                                                              \
    WARPUP_THRUST name &operator++()                                                               \
    {                                                                                              \
        return *this = *this + 1;                                                                  \
    }                                                                                              \
    WARPUP_THRUST name operator++(int)                                                             \
    {                                                                                              \
        name old = *this;                                                                          \
        ++*this;                                                                                   \
        return old;                                                                                \
    }                                                                                              \
    WARPUP_THRUST name &operator+=(ptrdiff_t n)                                                    \
    {                                                                                              \
        return *this = *this + n;                                                                  \
    }                                                                                              \
    WARPUP_THRUST name operator-(ptrdiff_t n) const                                                \
    {                                                                                              \
        return *this + -n;                                                                         \
    }                                                                                              \
    WARPUP_THRUST bool operator==(const name &other) const                                         \
    {                                                                                              \
        return *this - other == 0;                                                                 \
    }                                                                                              \
    WARPUP_THRUST bool operator!=(const name &other) const                                         \
    {                                                                                              \
        return *this - other != 0;                                                                 \
    }

template <class T> class counting_iterator
{
  public:
    typedef T value_type;
    WARPUP_ITERATOR(counting_iterator, T)
    WARPUP_THRUST explicit counting_iterator(T first = T()) : value(first)
    {
    }
    WARPUP_THRUST counting_iterator operator+(ptrdiff_t n) const
    {
        return counting_iterator((T)(value + (T)n));
    }
    WARPUP_THRUST ptrdiff_t operator-(const counting_iterator &other) const
    {
        return (ptrdiff_t)value - (ptrdiff_t)other.value;
    }
    WARPUP_THRUST T operator*() const
    {
        return value;
    }

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
    WARPUP_THRUST explicit constant_iterator(T one, ptrdiff_t begin = 0) : value(one), at(begin)
    {
    }
    WARPUP_THRUST constant_iterator operator+(ptrdiff_t n) const
    {
        return constant_iterator(value, at + n);
    }
    WARPUP_THRUST ptrdiff_t operator-(const constant_iterator &other) const
    {
        return at - other.at;
    }
    WARPUP_THRUST T operator*() const
    {
        return value;
    }

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
        template <class T> WARPUP_THRUST const nothing &operator=(const T &) const
        {
            return *this;
        }
    };
    typedef nothing value_type;
    WARPUP_ITERATOR(discard_iterator, nothing)
    WARPUP_THRUST explicit discard_iterator(ptrdiff_t begin = 0) : at(begin)
    {
    }
    WARPUP_THRUST discard_iterator operator+(ptrdiff_t n) const
    {
        return discard_iterator(at + n);
    }
    WARPUP_THRUST ptrdiff_t operator-(const discard_iterator &other) const
    {
        return at - other.at;
    }
    WARPUP_THRUST nothing operator*() const
    {
        return {};
    }

  private:
    ptrdiff_t at;
};
WARPUP_THRUST discard_iterator make_discard_iterator()
{
    return discard_iterator();
}

template <class F, class I> class transform_iterator
{
  public:
    typedef typename std::decay<decltype(std::declval<F>()(
        std::declval<typename std::iterator_traits<I>::value_type>()))>::type value_type;
    WARPUP_ITERATOR(transform_iterator, value_type)
    WARPUP_THRUST transform_iterator(I begin, F function) : at(begin), f(function)
    {
    }
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
template <class I, class F> WARPUP_THRUST transform_iterator<F, I> make_transform_iterator(I at, F f)
{
    return transform_iterator<F, I>(at, f);
}

/* Elements of one sequence in the order that another gives */
template <class E, class I> class permutation_iterator
{
  public:
    typedef typename std::iterator_traits<E>::value_type value_type;
    WARPUP_ITERATOR(permutation_iterator, typename std::iterator_traits<E>::reference)
    WARPUP_THRUST permutation_iterator(E all, I order) : elements(all), at(order)
    {
    }
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
    WARPUP_THRUST explicit zip_iterator(const tuple<I...> &all) : at(all)
    {
    }
    WARPUP_THRUST zip_iterator operator+(ptrdiff_t n) const
    {
        return zip_iterator(moved(at, n));
    }
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
    template <size_t... place>
    static WARPUP_THRUST references all_of(const tuple<I...> &from, std::index_sequence<place...>)
    {
        return references(*get<(int)place>(from)...);
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
template <class F, class I>
struct leads_to_device<transform_iterator<F, I>> : leads_to_device<I> {
};
template <class E, class I>
struct leads_to_device<permutation_iterator<E, I>> : leads_to_device<E> {
};
template <class... I>
struct leads_to_device<zip_iterator<tuple<I...>>>
    : std::integral_constant<bool, (leads_to_device<I>::value || ...)> {
};
template <class... I> constexpr bool some_on_device = (leads_to_device<I>::value || ...);

/* The same iterator over bare pointers, as kernels use it */
template <class I> WARPUP_THRUST I bare(I at)
{
    return at;
}
template <class T> WARPUP_THRUST T *bare(device_ptr<T> at)
{
    return at.get();
}
template <class F, class I> WARPUP_THRUST auto bare(const transform_iterator<F, I> &at);
template <class E, class I> WARPUP_THRUST auto bare(const permutation_iterator<E, I> &at);
template <class... I> WARPUP_THRUST auto bare(const zip_iterator<tuple<I...>> &at);
WARPUP_THRUST tuple<> bare_all(const tuple<> &)
{
    return {};
}
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

template <class I> using value_of = typename std::iterator_traits<I>::value_type;

/* ---- kernels -------------------------------------------------------------------------------- */

enum { THREADS = 256, BLOCKS_MOST = 1024 };

template <class F> __global__ void for_each_index(size_t n, F f)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) f(i);
}

WARPUP_THRUST unsigned int blocks_of(size_t n)
{
    return (unsigned int)((n + THREADS - 1) / THREADS);
}

template <class F> WARPUP_THRUST void on_indices(size_t n, F f, cudaStream_t stream = nullptr)
{
    if (n == 0) return;
    void *places[] = {&n, &f};
    demand(warpup::launch_at(&for_each_index<F>, {dim3(blocks_of(n)), dim3(THREADS), 0, stream, 0},
                             places));
}

/* The block's sum in its first thread */
template <class T, class Operation>
WARPUP_THRUST T block_sum(T *all, T mine, unsigned int count, Operation operation)
{
    all[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half && threadIdx.x + half < count)
            all[threadIdx.x] = operation(all[threadIdx.x], all[threadIdx.x + half]);
        __syncthreads();
    }
    return all[0];
}

template <class T> struct room {
    alignas(T) char bytes[THREADS * sizeof(T)];
};

/* Each block adds up what its threads take in steps of the grid. */
template <class I, class T, class Operation>
__global__ void sum_parts(I in, size_t n, T *parts, Operation operation)
{
    __shared__ room<T> shared;
    size_t first = blockIdx.x * (size_t)THREADS + threadIdx.x;
    size_t left = n - blockIdx.x * (size_t)THREADS;
    unsigned int count = left < THREADS ? (unsigned int)left : THREADS;
    T mine = T();
    if (first < n) mine = in[first];
    for (size_t i = first + gridDim.x * (size_t)THREADS; i < n; i += gridDim.x * (size_t)THREADS)
        mine = operation(mine, (T)in[i]);
    T sum = block_sum((T *)shared.bytes, mine, count, operation);
    if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

/* Sums within each block, including the element itself; and each block's own sum */
template <class I, class O, class T, class Operation>
__global__ void scan_parts(I in, size_t n, O out, T *parts, Operation operation)
{
    __shared__ room<T> shared;
    T *all = (T *)shared.bytes;
    size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;
    T mine = T();
    if (i < n) all[threadIdx.x] = mine = in[i];
    __syncthreads();
    for (unsigned int by = 1; by < THREADS; by *= 2) {
        bool adds = threadIdx.x >= by && i < n;
        T other = T();
        if (adds) other = all[threadIdx.x - by];
        __syncthreads();
        if (adds) all[threadIdx.x] = mine = operation(other, mine);
        __syncthreads();
    }
    if (i < n) out[i] = mine;
    if (i < n && (threadIdx.x == THREADS - 1 || i == n - 1)) parts[blockIdx.x] = mine;
}

/* One step of a merge sort: each element finds its place among those of the neighbouring run. */
template <class K, class V, class Less>
__global__ void merge_runs(const K *keys, const V *values, K *to_keys, V *to_values, size_t n,
                           size_t run, Less less)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    size_t own = i / run * run, first = i / (2 * run) * (2 * run);
    bool is_left = own == first;
    size_t begin = is_left ? first + run : first, end = begin + run;
    if (begin > n) begin = n;
    if (end > n) end = n;
    K key = keys[i];
    size_t low = begin, high = end;
    while (low < high) {
        size_t middle = (low + high) / 2;
        bool before = is_left ? less(keys[middle], key) : !less(key, keys[middle]);
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    size_t to = first + (i - own) + (low - begin);
    to_keys[to] = key;
    if (values != nullptr) to_values[to] = values[i];
}

/* Device memory that is freed with its scope */
template <class T> class scratch
{
  public:
    explicit WARPUP_THRUST scratch(size_t count) : at(nullptr)
    {
        demand(cudaMalloc(&at, (count > 0 ? count : 1) * sizeof(T)));
    }
    WARPUP_THRUST ~scratch()
    {
        cudaFree(at);
    }
    T *at;
};
} // namespace details

/* ---- vectors -------------------------------------------------------------------------------- */

template <class T, class Allocator = std::allocator<T>> class host_vector;

namespace details
{
template <class T> struct fill_all {
    T *at;
    T value;
    WARPUP_THRUST void operator()(size_t i) const
    {
        at[i] = value;
    }
};
template <class I, class O> struct copy_all {
    I in;
    O out;
    WARPUP_THRUST void operator()(size_t i) const
    {
        out[i] = in[i];
    }
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
            demand(cudaMemcpy(all.data(), bare(in), n * sizeof(value_of<I>), cudaMemcpyDeviceToHost));
        } else {
            scratch<value_of<I>> part(n);
            on_indices(n, copy_all<decltype(bare(in)), value_of<I> *>{bare(in), part.at});
            demand(cudaMemcpy(all.data(), part.at, n * sizeof(value_of<I>), cudaMemcpyDeviceToHost));
        }
        std::copy(all.begin(), all.end(), out);
    } else if constexpr (to) {
        std::vector<value_of<O>> all(n);
        for (size_t i = 0; i < n; i++, ++in) all[i] = *in;
        demand(cudaMemcpy(bare(out), all.data(), n * sizeof(value_of<O>), cudaMemcpyHostToDevice));
    } else {
        for (size_t i = 0; i < n; i++, ++in, ++out) *out = *in;
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

    WARPUP_THRUST device_vector()
    {
    }
    WARPUP_THRUST explicit device_vector(size_t n) : device_vector(n, T())
    {
    }
    WARPUP_THRUST device_vector(size_t n, const T &value)
    {
        take(n);
        details::on_indices(n, details::fill_all<T>{at, value});
    }
    WARPUP_THRUST device_vector(const device_vector &other)
    {
        assign(other.begin(), other.end());
    }
    WARPUP_THRUST device_vector(device_vector &&other)
    {
        swap(other);
    }
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
    WARPUP_THRUST void push_back(const T &value)
    {
        resize(count + 1, value);
    }
    WARPUP_THRUST void pop_back()
    {
        count--;
    }
    WARPUP_THRUST void clear()
    {
        count = 0;
    }
    WARPUP_THRUST void reserve(size_t)
    {
    }
    WARPUP_THRUST void shrink_to_fit()
    {
    }
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
    WARPUP_THRUST size_t size() const
    {
        return count;
    }
    WARPUP_THRUST size_t capacity() const
    {
        return space;
    }
    WARPUP_THRUST bool empty() const
    {
        return count == 0;
    }
    WARPUP_THRUST pointer data()
    {
        return pointer(at);
    }
    WARPUP_THRUST const_pointer data() const
    {
        return const_pointer(at);
    }
    WARPUP_THRUST iterator begin()
    {
        return iterator(at);
    }
    WARPUP_THRUST iterator end()
    {
        return iterator(at + count);
    }
    WARPUP_THRUST const_iterator begin() const
    {
        return const_iterator(at);
    }
    WARPUP_THRUST const_iterator end() const
    {
        return const_iterator(at + count);
    }
    WARPUP_THRUST const_iterator cbegin() const
    {
        return begin();
    }
    WARPUP_THRUST const_iterator cend() const
    {
        return end();
    }
    WARPUP_THRUST reference operator[](size_t i)
    {
        return reference(at + i);
    }
    WARPUP_THRUST device_reference<const T> operator[](size_t i) const
    {
        return device_reference<const T>(at + i);
    }
    WARPUP_THRUST reference front()
    {
        return (*this)[0];
    }
    WARPUP_THRUST reference back()
    {
        return (*this)[count - 1];
    }

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
    WARPUP_THRUST host_vector(const all &other) : all(other)
    {
    }
    template <class A> WARPUP_THRUST host_vector(const device_vector<T, A> &other) : all(other.size())
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

/* ---- algorithms ----------------------------------------------------------------------------- */

namespace details
{
template <class I, class O, class F> struct transform_one {
    I in;
    O out;
    F f;
    WARPUP_THRUST void operator()(size_t i) const
    {
        out[i] = f((value_of<I>)in[i]);
    }
};
template <class I, class J, class O, class F> struct transform_two {
    I a;
    J b;
    O out;
    F f;
    WARPUP_THRUST void operator()(size_t i) const
    {
        out[i] = f((value_of<I>)a[i], (value_of<J>)b[i]);
    }
};
template <class I, class F> struct apply_to {
    I in;
    F f;
    WARPUP_THRUST void operator()(size_t i) const
    {
        f(in[i]);
    }
};
template <class O, class T> struct count_from {
    O out;
    T first, step;
    WARPUP_THRUST void operator()(size_t i) const
    {
        out[i] = (T)(first + (T)i * step);
    }
};
template <class O, class T> struct set_to {
    O out;
    T value;
    WARPUP_THRUST void operator()(size_t i) const
    {
        out[i] = value;
    }
};
template <class O, class F> struct made_by {
    O out;
    F f;
    WARPUP_THRUST void operator()(size_t i) const
    {
        out[i] = f();
    }
};
/* Adds the sum of all blocks before this one's. */
template <class O, class T, class Operation> struct add_before {
    O out;
    const T *parts;
    Operation operation;
    WARPUP_THRUST void operator()(size_t i) const
    {
        if (i >= THREADS) out[i] = operation(parts[i / THREADS - 1], (T)out[i]);
    }
};
template <class I, class O, class T, class Operation> struct shift_by_one {
    I sums;
    O out;
    T first;
    Operation operation;
    WARPUP_THRUST void operator()(size_t i) const
    {
        out[i] = i == 0 ? first : operation(first, (T)sums[i - 1]);
    }
};
template <class I, class O, class F> struct differ {
    I in;
    O out;
    F f;
    WARPUP_THRUST void operator()(size_t i) const
    {
        if (i == 0)
            out[i] = in[i];
        else
            out[i] = f((value_of<I>)in[i], (value_of<I>)in[i - 1]);
    }
};
/* The first place at which a value fits (lower), or the last one (upper) */
template <bool upper, class I, class J, class O, class Less> struct find_place {
    I in;
    size_t n;
    J values;
    O out;
    Less less;
    WARPUP_THRUST void operator()(size_t i) const
    {
        size_t low = 0, high = n;
        value_of<J> value = values[i];
        while (low < high) {
            size_t middle = (low + high) / 2;
            value_of<I> one = in[middle];
            if (upper ? !less(value, one) : less(one, value))
                low = middle + 1;
            else
                high = middle;
        }
        out[i] = low;
    }
};
template <class I, class M, class O> struct move_to {
    I in;
    M map;
    O out;
    bool scatters;
    WARPUP_THRUST void operator()(size_t i) const
    {
        if (scatters)
            out[map[i]] = in[i];
        else
            out[i] = in[map[i]];
    }
};
/* 1 where the predicate holds */
template <class I, class F> struct flag_one {
    I in;
    F f;
    int *flags;
    WARPUP_THRUST void operator()(size_t i) const
    {
        flags[i] = f((value_of<I>)in[i]) ? 1 : 0;
    }
};
template <class I, class O> struct keep_flagged {
    I in;
    const int *flags, *sums;
    O out;
    WARPUP_THRUST void operator()(size_t i) const
    {
        if (flags[i]) out[sums[i] - 1] = in[i];
    }
};
/* 1 where an element differs from the one before it */
template <class I, class F> struct flag_new {
    I in;
    F same;
    int *flags;
    WARPUP_THRUST void operator()(size_t i) const
    {
        flags[i] = i == 0 || !same((value_of<I>)in[i - 1], (value_of<I>)in[i]) ? 1 : 0;
    }
};
/* The element that begins each run adds up the run. */
template <class K, class V, class OK, class OV, class Operation> struct sum_run {
    K keys;
    V values;
    size_t n;
    const int *flags, *sums;
    OK to_keys;
    OV to_values;
    Operation operation;
    WARPUP_THRUST void operator()(size_t i) const
    {
        if (!flags[i]) return;
        value_of<V> sum = values[i];
        for (size_t j = i + 1; j < n && !flags[j]; j++) sum = operation(sum, (value_of<V>)values[j]);
        to_keys[sums[i] - 1] = keys[i];
        to_values[sums[i] - 1] = sum;
    }
};

template <class F, class T> struct negated {
    F f;
    WARPUP_THRUST bool operator()(const T &value) const
    {
        return !f(value);
    }
};
template <class T> struct is_value {
    T value;
    WARPUP_THRUST bool operator()(const T &other) const
    {
        return other == value;
    }
};
} // namespace details

/* Each algorithm in two forms: with and without a policy, which may say that a bare pointer leads to device
 * memory. WARPUP_ON wraps its iterators accordingly. */
namespace details
{
template <class I> WARPUP_THRUST I placed(on_host, I at)
{
    return at;
}
template <class I> WARPUP_THRUST I placed(on_device, I at)
{
    return at;
}
template <class T> WARPUP_THRUST device_ptr<T> placed(on_device, T *at)
{
    return device_ptr<T>(at);
}
template <class I, class T> WARPUP_THRUST I as_before(I, T at)
{
    if constexpr (std::is_pointer<I>::value && !std::is_pointer<T>::value)
        return bare(at);
    else
        return at;
}
template <class P> struct is_policy : std::false_type {
};
template <> struct is_policy<on_host> : std::true_type {
};
template <> struct is_policy<on_device> : std::true_type {
};
template <class P>
using policy = typename std::enable_if<is_policy<typename std::decay<P>::type>::value, int>::type;
template <class P>
using no_policy = typename std::enable_if<!is_policy<typename std::decay<P>::type>::value, int>::type;
} // namespace details

template <class I, class O, details::no_policy<I> = 0> WARPUP_THRUST O copy(I first, I last, O out)
{
    size_t n = (size_t)(last - first);
    details::copied(first, n, out);
    if constexpr (std::is_same<typename std::iterator_traits<O>::iterator_category,
                               std::random_access_iterator_tag>::value)
        return out + (ptrdiff_t)n;
    else
        return out;
}
template <class I, class O, details::no_policy<I> = 0> WARPUP_THRUST O copy_n(I first, size_t n, O out)
{
    return thrust::copy(first, first + (ptrdiff_t)n, out);
}

template <class I, class T, details::no_policy<I> = 0>
WARPUP_THRUST void fill(I first, I last, const T &value)
{
    typedef details::value_of<I> V;
    size_t n = (size_t)(last - first);
    if constexpr (details::some_on_device<I>)
        details::on_indices(n, details::set_to<decltype(details::bare(first)), V>{details::bare(first),
                                                                                (V)value});
    else
        std::fill(first, last, (V)value);
}
template <class I, class T, details::no_policy<I> = 0>
WARPUP_THRUST I fill_n(I first, size_t n, const T &value)
{
    thrust::fill(first, first + (ptrdiff_t)n, value);
    return first + (ptrdiff_t)n;
}

template <class I, class T, details::no_policy<I> = 0>
WARPUP_THRUST void sequence(I first, I last, T begin, T step)
{
    typedef details::value_of<I> V;
    details::count_from<decltype(details::bare(first)), V> f{details::bare(first), (V)begin, (V)step};
    size_t n = (size_t)(last - first);
    if constexpr (details::some_on_device<I>)
        details::on_indices(n, f);
    else
        for (size_t i = 0; i < n; i++) f(i);
}
template <class I, class T, details::no_policy<I> = 0>
WARPUP_THRUST void sequence(I first, I last, T begin)
{
    thrust::sequence(first, last, begin, T(1));
}
template <class I, details::no_policy<I> = 0> WARPUP_THRUST void sequence(I first, I last)
{
    thrust::sequence(first, last, details::value_of<I>(0), details::value_of<I>(1));
}

template <class I, class F, details::no_policy<I> = 0> WARPUP_THRUST void generate(I first, I last, F f)
{
    size_t n = (size_t)(last - first);
    if constexpr (details::some_on_device<I>)
        details::on_indices(n, details::made_by<decltype(details::bare(first)), F>{details::bare(first), f});
    else
        std::generate(first, last, f);
}

template <class I, class F, details::no_policy<I> = 0> WARPUP_THRUST I for_each(I first, I last, F f)
{
    size_t n = (size_t)(last - first);
    constexpr bool counts = std::is_same<I, counting_iterator<details::value_of<I>>>::value;
    if constexpr (details::some_on_device<I> || counts)
        details::on_indices(n, details::apply_to<decltype(details::bare(first)), F>{details::bare(first), f});
    else
        std::for_each(first, last, f);
    return last;
}
template <class I, class F, details::no_policy<I> = 0> WARPUP_THRUST I for_each_n(I first, size_t n, F f)
{
    return thrust::for_each(first, first + (ptrdiff_t)n, f);
}

template <class I, class O, class F, details::no_policy<I> = 0>
WARPUP_THRUST O transform(I first, I last, O out, F f)
{
    size_t n = (size_t)(last - first);
    details::transform_one<decltype(details::bare(first)), decltype(details::bare(out)), F> all{
        details::bare(first), details::bare(out), f};
    if constexpr (details::some_on_device<I, O>)
        details::on_indices(n, all);
    else
        for (size_t i = 0; i < n; i++) all(i);
    return out + (ptrdiff_t)n;
}
template <class I, class J, class O, class F, details::no_policy<I> = 0>
WARPUP_THRUST O transform(I first, I last, J second, O out, F f)
{
    size_t n = (size_t)(last - first);
    details::transform_two<decltype(details::bare(first)), decltype(details::bare(second)),
                           decltype(details::bare(out)), F>
        all{details::bare(first), details::bare(second), details::bare(out), f};
    if constexpr (details::some_on_device<I, J, O>)
        details::on_indices(n, all);
    else
        for (size_t i = 0; i < n; i++) all(i);
    return out + (ptrdiff_t)n;
}

template <class I, class T, class F, details::no_policy<I> = 0>
WARPUP_THRUST T reduce(I first, I last, T start, F f)
{
    size_t n = (size_t)(last - first);
    if (n == 0) return start;
    if constexpr (details::some_on_device<I>) {
        unsigned int blocks = details::blocks_of(n);
        if (blocks > details::BLOCKS_MOST) blocks = details::BLOCKS_MOST;
        details::scratch<T> parts(blocks + 1);
        auto in = details::bare(first);
        T *to = blocks == 1 ? parts.at + blocks : parts.at, *last_part = parts.at + blocks;
        void *places[] = {&in, &n, &to, &f};
        details::demand(warpup::launch_at(&details::sum_parts<decltype(in), T, F>,
                                          {dim3(blocks), dim3(details::THREADS), 0, nullptr, 0}, places));
        if (blocks > 1) {
            const T *from = parts.at;
            size_t count = blocks;
            void *others[] = {&from, &count, &last_part, &f};
            details::demand(warpup::launch_at(&details::sum_parts<const T *, T, F>,
                                              {dim3(1), dim3(details::THREADS), 0, nullptr, 0}, others));
        }
        return f(start, details::fetched<T>(last_part));
    } else {
        for (; first != last; ++first) start = f(start, (T)*first);
        return start;
    }
}
template <class I, class T, details::no_policy<I> = 0>
WARPUP_THRUST T reduce(I first, I last, T start)
{
    return thrust::reduce(first, last, start, plus<T>());
}
template <class I, details::no_policy<I> = 0>
WARPUP_THRUST details::value_of<I> reduce(I first, I last)
{
    return thrust::reduce(first, last, details::value_of<I>());
}
template <class I, class U, class T, class F, details::no_policy<I> = 0>
WARPUP_THRUST T transform_reduce(I first, I last, U unary, T start, F f)
{
    return thrust::reduce(make_transform_iterator(first, unary), make_transform_iterator(last, unary),
                          start, f);
}

namespace details
{
template <class U> struct on_pairs {
    U f;
    template <class A, class B> WARPUP_THRUST auto operator()(const tuple<A, B> &both) const
    {
        return f(both.first, both.more.first);
    }
};
} // namespace details
template <class I, class J, class T, class F, class U, details::no_policy<I> = 0>
WARPUP_THRUST T inner_product(I first, I last, J second, T start, F sum, U product)
{
    auto begin = make_zip_iterator(make_tuple(first, second));
    return thrust::transform_reduce(begin, begin + (last - first), details::on_pairs<U>{product}, start,
                                    sum);
}
template <class I, class J, class T, details::no_policy<I> = 0>
WARPUP_THRUST T inner_product(I first, I last, J second, T start)
{
    return thrust::inner_product(first, last, second, start, plus<T>(), multiplies<T>());
}

template <class I, class F, details::no_policy<I> = 0>
WARPUP_THRUST ptrdiff_t count_if(I first, I last, F f)
{
    struct one {
        F f;
        WARPUP_THRUST ptrdiff_t operator()(const details::value_of<I> &value) const
        {
            return f(value) ? 1 : 0;
        }
    };
    return thrust::transform_reduce(first, last, one{f}, (ptrdiff_t)0, plus<ptrdiff_t>());
}
template <class I, class T, details::no_policy<I> = 0>
WARPUP_THRUST ptrdiff_t count(I first, I last, const T &value)
{
    typedef details::value_of<I> V;
    return thrust::count_if(first, last, details::is_value<V>{(V)value});
}
template <class I, class F, details::no_policy<I> = 0> WARPUP_THRUST bool all_of(I first, I last, F f)
{
    return thrust::count_if(first, last, f) == last - first;
}
template <class I, class F, details::no_policy<I> = 0> WARPUP_THRUST bool any_of(I first, I last, F f)
{
    return thrust::count_if(first, last, f) > 0;
}
template <class I, class F, details::no_policy<I> = 0> WARPUP_THRUST bool none_of(I first, I last, F f)
{
    return thrust::count_if(first, last, f) == 0;
}
template <class I, class J, details::no_policy<I> = 0> WARPUP_THRUST bool equal(I first, I last, J second)
{
    typedef details::value_of<I> V;
    auto begin = make_zip_iterator(make_tuple(first, second));
    struct same {
        WARPUP_THRUST int operator()(const tuple<V, details::value_of<J>> &both) const
        {
            return both.first == both.more.first ? 0 : 1;
        }
    };
    return thrust::transform_reduce(begin, begin + (last - first), same(), 0, plus<int>()) == 0;
}

/* The place of the least or greatest element: the first one of several */
namespace details
{
template <class T> struct with_place {
    T value;
    size_t place;
};
template <class I> struct place_of {
    I in;
    WARPUP_THRUST with_place<value_of<I>> operator()(size_t i) const
    {
        return {(value_of<I>)in[i], i};
    }
};
template <class T, class Less> struct smaller {
    Less less;
    bool greatest;
    WARPUP_THRUST with_place<T> operator()(const with_place<T> &a, const with_place<T> &b) const
    {
        bool first = greatest ? less(b.value, a.value) : less(a.value, b.value);
        bool second = greatest ? less(a.value, b.value) : less(b.value, a.value);
        if (first || second) return first ? a : b;
        return a.place < b.place ? a : b;
    }
};
template <class I, class Less> WARPUP_THRUST size_t find_extreme(I first, I last, Less less, bool greatest)
{
    typedef value_of<I> T;
    size_t n = (size_t)(last - first);
    if (n == 0) return 0;
    smaller<T, Less> better{less, greatest};
    if constexpr (some_on_device<I>) {
        auto in = bare(first);
        scratch<with_place<T>> all(n);
        on_indices(n, transform_one<counting_iterator<size_t>, with_place<T> *, place_of<decltype(in)>>{
                          counting_iterator<size_t>(0), all.at, {in}});
        device_ptr<with_place<T>> begin(all.at);
        return thrust::reduce(begin, begin + (ptrdiff_t)n, fetched<with_place<T>>(all.at), better).place;
    } else {
        with_place<T> best{(T)first[0], 0};
        for (size_t i = 1; i < n; i++) best = better(best, with_place<T>{(T)first[(ptrdiff_t)i], i});
        return best.place;
    }
}
} // namespace details
template <class I, class Less, details::no_policy<I> = 0>
WARPUP_THRUST I max_element(I first, I last, Less less)
{
    return first + (ptrdiff_t)details::find_extreme(first, last, less, true);
}
template <class I, details::no_policy<I> = 0> WARPUP_THRUST I max_element(I first, I last)
{
    return thrust::max_element(first, last, less<details::value_of<I>>());
}
template <class I, class Less, details::no_policy<I> = 0>
WARPUP_THRUST I min_element(I first, I last, Less less)
{
    return first + (ptrdiff_t)details::find_extreme(first, last, less, false);
}
template <class I, details::no_policy<I> = 0> WARPUP_THRUST I min_element(I first, I last)
{
    return thrust::min_element(first, last, less<details::value_of<I>>());
}
template <class I, details::no_policy<I> = 0>
WARPUP_THRUST std::pair<I, I> minmax_element(I first, I last)
{
    return {thrust::min_element(first, last), thrust::max_element(first, last)};
}

namespace details
{
/* Sums of everything up to each element; `parts` of the blocks are scanned in the same way. */
template <class T, class I, class O, class F> void scan_on_device(I in, size_t n, O out, F f)
{
    unsigned int blocks = blocks_of(n);
    scratch<T> parts(blocks);
    T *to = parts.at;
    void *places[] = {&in, &n, &out, &to, &f};
    demand(warpup::launch_at(&scan_parts<I, O, T, F>, {dim3(blocks), dim3(THREADS), 0, nullptr, 0},
                             places));
    if (blocks == 1) return;
    scan_on_device<T, T *, T *, F>(to, blocks, to, f);
    on_indices(n, add_before<O, T, F>{out, to, f});
}
} // namespace details
template <class I, class O, class F, details::no_policy<I> = 0>
WARPUP_THRUST O inclusive_scan(I first, I last, O out, F f)
{
    typedef details::value_of<I> T;
    size_t n = (size_t)(last - first);
    if (n == 0) return out;
    if constexpr (details::some_on_device<I, O>)
        details::scan_on_device<T>(details::bare(first), n, details::bare(out), f);
    else
        std::partial_sum(first, last, out, f);
    return out + (ptrdiff_t)n;
}
template <class I, class O, details::no_policy<I> = 0>
WARPUP_THRUST O inclusive_scan(I first, I last, O out)
{
    return thrust::inclusive_scan(first, last, out, plus<details::value_of<I>>());
}
template <class I, class O, class T, class F, details::no_policy<I> = 0>
WARPUP_THRUST O exclusive_scan(I first, I last, O out, T start, F f)
{
    size_t n = (size_t)(last - first);
    if (n == 0) return out;
    if constexpr (details::some_on_device<I, O>) {
        details::scratch<T> sums(n);
        details::scan_on_device<T>(details::bare(first), n, sums.at, f);
        details::on_indices(n, details::shift_by_one<T *, decltype(details::bare(out)), T, F>{
                                   sums.at, details::bare(out), start, f});
    } else {
        for (size_t i = 0; i < n; i++) {
            T value = first[(ptrdiff_t)i];
            out[(ptrdiff_t)i] = start;
            start = f(start, value);
        }
    }
    return out + (ptrdiff_t)n;
}
template <class I, class O, class T, details::no_policy<I> = 0>
WARPUP_THRUST O exclusive_scan(I first, I last, O out, T start)
{
    return thrust::exclusive_scan(first, last, out, start, plus<T>());
}
template <class I, class O, details::no_policy<I> = 0>
WARPUP_THRUST O exclusive_scan(I first, I last, O out)
{
    return thrust::exclusive_scan(first, last, out, details::value_of<I>());
}
template <class I, class O, class U, class F, details::no_policy<I> = 0>
WARPUP_THRUST O transform_inclusive_scan(I first, I last, O out, U unary, F f)
{
    return thrust::inclusive_scan(make_transform_iterator(first, unary),
                                  make_transform_iterator(last, unary), out, f);
}

namespace details
{
template <class K, class V, class Less> void sort_on_device(K *keys, V *values, size_t n, Less less)
{
    scratch<K> other_keys(n);
    scratch<V> other_values(values == nullptr ? 1 : n);
    K *from = keys, *to = other_keys.at;
    V *from_values = values, *to_values = values == nullptr ? nullptr : other_values.at;
    for (size_t run = 1; run < n; run *= 2) {
        const K *in = from;
        const V *in_values = from_values;
        void *places[] = {&in, &in_values, &to, &to_values, &n, &run, &less};
        demand(warpup::launch_at(&merge_runs<K, V, Less>,
                                 {dim3(blocks_of(n)), dim3(THREADS), 0, nullptr, 0}, places));
        std::swap(from, to);
        std::swap(from_values, to_values);
    }
    if (from == keys) return;
    demand(cudaMemcpy(keys, from, n * sizeof(K), cudaMemcpyDeviceToDevice));
    if (values != nullptr) demand(cudaMemcpy(values, from_values, n * sizeof(V), cudaMemcpyDeviceToDevice));
}
} // namespace details
template <class I, class Less, details::no_policy<I> = 0>
WARPUP_THRUST void stable_sort(I first, I last, Less less)
{
    if constexpr (details::some_on_device<I>)
        details::sort_on_device(details::bare(first), (char *)nullptr, (size_t)(last - first), less);
    else
        std::stable_sort(first, last, less);
}
template <class I, details::no_policy<I> = 0> WARPUP_THRUST void stable_sort(I first, I last)
{
    thrust::stable_sort(first, last, less<details::value_of<I>>());
}
template <class I, class Less, details::no_policy<I> = 0> WARPUP_THRUST void sort(I first, I last, Less less)
{
    thrust::stable_sort(first, last, less);
}
template <class I, details::no_policy<I> = 0> WARPUP_THRUST void sort(I first, I last)
{
    thrust::stable_sort(first, last, less<details::value_of<I>>());
}
template <class K, class V, class Less, details::no_policy<K> = 0>
WARPUP_THRUST void sort_by_key(K first, K last, V values, Less less)
{
    size_t n = (size_t)(last - first);
    if constexpr (details::some_on_device<K>) {
        details::sort_on_device(details::bare(first), details::bare(values), n, less);
    } else {
        std::vector<std::pair<details::value_of<K>, details::value_of<V>>> all(n);
        for (size_t i = 0; i < n; i++) all[i] = {first[(ptrdiff_t)i], values[(ptrdiff_t)i]};
        std::stable_sort(all.begin(), all.end(),
                         [&](const auto &a, const auto &b) { return less(a.first, b.first); });
        for (size_t i = 0; i < n; i++) {
            first[(ptrdiff_t)i] = all[i].first;
            values[(ptrdiff_t)i] = all[i].second;
        }
    }
}
template <class K, class V, details::no_policy<K> = 0>
WARPUP_THRUST void sort_by_key(K first, K last, V values)
{
    thrust::sort_by_key(first, last, values, less<details::value_of<K>>());
}
template <class K, class V, details::no_policy<K> = 0>
WARPUP_THRUST void stable_sort_by_key(K first, K last, V values)
{
    thrust::sort_by_key(first, last, values, less<details::value_of<K>>());
}
template <class I, details::no_policy<I> = 0> WARPUP_THRUST bool is_sorted(I first, I last)
{
    typedef details::value_of<I> T;
    if (last - first < 2) return true;
    auto begin = make_zip_iterator(make_tuple(first, first + 1));
    struct falls {
        WARPUP_THRUST int operator()(const tuple<T, T> &both) const
        {
            return both.more.first < both.first ? 1 : 0;
        }
    };
    return thrust::transform_reduce(begin, begin + (last - first - 1), falls(), 0, plus<int>()) == 0;
}

template <class I, class O, class F, details::no_policy<I> = 0>
WARPUP_THRUST O adjacent_difference(I first, I last, O out, F f)
{
    size_t n = (size_t)(last - first);
    if constexpr (details::some_on_device<I, O>) {
        /* The result may take the place of the input. */
        details::scratch<details::value_of<I>> kept(n);
        details::on_indices(n, details::differ<decltype(details::bare(first)), details::value_of<I> *, F>{
                                   details::bare(first), kept.at, f});
        details::copied(device_ptr<details::value_of<I>>(kept.at), n, out);
    } else {
        std::adjacent_difference(first, last, out, f);
    }
    return out + (ptrdiff_t)n;
}
template <class I, class O, details::no_policy<I> = 0>
WARPUP_THRUST O adjacent_difference(I first, I last, O out)
{
    return thrust::adjacent_difference(first, last, out, minus<details::value_of<I>>());
}

namespace details
{
template <bool upper, class I, class J, class O>
WARPUP_THRUST O places(I first, I last, J values, J values_end, O out)
{
    typedef less<value_of<I>> Less;
    size_t n = (size_t)(values_end - values);
    find_place<upper, decltype(bare(first)), decltype(bare(values)), decltype(bare(out)), Less> all{
        bare(first), (size_t)(last - first), bare(values), bare(out), Less()};
    if constexpr (some_on_device<I, J, O>)
        on_indices(n, all);
    else
        for (size_t i = 0; i < n; i++) all(i);
    return out + (ptrdiff_t)n;
}
} // namespace details
template <class I, class J, class O, details::no_policy<I> = 0>
WARPUP_THRUST O upper_bound(I first, I last, J values, J values_end, O out)
{
    return details::places<true>(first, last, values, values_end, out);
}
template <class I, class J, class O, details::no_policy<I> = 0>
WARPUP_THRUST O lower_bound(I first, I last, J values, J values_end, O out)
{
    return details::places<false>(first, last, values, values_end, out);
}

template <class I, class M, class O, details::no_policy<I> = 0>
WARPUP_THRUST void scatter(I first, I last, M map, O out)
{
    size_t n = (size_t)(last - first);
    details::move_to<decltype(details::bare(first)), decltype(details::bare(map)), decltype(details::bare(out))>
        all{details::bare(first), details::bare(map), details::bare(out), true};
    if constexpr (details::some_on_device<I, M, O>)
        details::on_indices(n, all);
    else
        for (size_t i = 0; i < n; i++) all(i);
}
template <class M, class I, class O, details::no_policy<M> = 0>
WARPUP_THRUST O gather(M map, M map_end, I in, O out)
{
    size_t n = (size_t)(map_end - map);
    details::move_to<decltype(details::bare(in)), decltype(details::bare(map)), decltype(details::bare(out))>
        all{details::bare(in), details::bare(map), details::bare(out), false};
    if constexpr (details::some_on_device<I, M, O>)
        details::on_indices(n, all);
    else
        for (size_t i = 0; i < n; i++) all(i);
    return out + (ptrdiff_t)n;
}

template <class I, class O, class F, details::no_policy<I> = 0>
WARPUP_THRUST O copy_if(I first, I last, O out, F f)
{
    size_t n = (size_t)(last - first);
    if (n == 0) return out;
    if constexpr (details::some_on_device<I, O>) {
        details::scratch<int> flags(n), sums(n);
        auto in = details::bare(first);
        details::on_indices(n, details::flag_one<decltype(in), F>{in, f, flags.at});
        details::scan_on_device<int>(flags.at, n, sums.at, plus<int>());
        details::on_indices(n, details::keep_flagged<decltype(in), decltype(details::bare(out))>{
                                   in, flags.at, sums.at, details::bare(out)});
        return out + details::fetched<int>(sums.at + n - 1);
    } else {
        return std::copy_if(first, last, out, f);
    }
}
template <class I, class F, details::no_policy<I> = 0> WARPUP_THRUST I remove_if(I first, I last, F f)
{
    typedef details::value_of<I> T;
    device_vector<T> kept;
    if constexpr (details::some_on_device<I>) {
        kept.resize((size_t)(last - first));
        auto end = thrust::copy_if(first, last, kept.begin(), details::negated<F, T>{f});
        return thrust::copy(kept.begin(), end, first);
    } else {
        return std::remove_if(first, last, f);
    }
}
template <class I, class T, details::no_policy<I> = 0> WARPUP_THRUST I remove(I first, I last, const T &value)
{
    typedef details::value_of<I> V;
    return thrust::remove_if(first, last, details::is_value<V>{(V)value});
}

template <class K, class V, class OK, class OV, class Same, class F, details::no_policy<K> = 0>
WARPUP_THRUST std::pair<OK, OV> reduce_by_key(K first, K last, V values, OK to_keys, OV to_values,
                                              Same same, F f)
{
    size_t n = (size_t)(last - first);
    if (n == 0) return {to_keys, to_values};
    static_assert(details::some_on_device<K>, "the simulated GPU does not know reduce_by_key on the host");
    details::scratch<int> flags(n), sums(n);
    auto keys = details::bare(first);
    details::on_indices(n, details::flag_new<decltype(keys), Same>{keys, same, flags.at});
    details::scan_on_device<int>(flags.at, n, sums.at, plus<int>());
    details::on_indices(
        n, details::sum_run<decltype(keys), decltype(details::bare(values)), decltype(details::bare(to_keys)),
                            decltype(details::bare(to_values)), F>{
               keys, details::bare(values), n, flags.at, sums.at, details::bare(to_keys),
               details::bare(to_values), f});
    int runs = details::fetched<int>(sums.at + n - 1);
    return {to_keys + runs, to_values + runs};
}
template <class K, class V, class OK, class OV, details::no_policy<K> = 0>
WARPUP_THRUST std::pair<OK, OV> reduce_by_key(K first, K last, V values, OK to_keys, OV to_values)
{
    return thrust::reduce_by_key(first, last, values, to_keys, to_values, equal_to<details::value_of<K>>(),
                                 plus<details::value_of<V>>());
}
template <class I, details::no_policy<I> = 0> WARPUP_THRUST I unique(I first, I last)
{
    typedef details::value_of<I> T;
    if constexpr (details::some_on_device<I>) {
        size_t n = (size_t)(last - first);
        device_vector<T> keys(n), ones(n);
        auto ends = thrust::reduce_by_key(first, last, first, keys.begin(), ones.begin());
        return thrust::copy(keys.begin(), ends.first, first);
    } else {
        return std::unique(first, last);
    }
}
template <class I, details::no_policy<I> = 0> WARPUP_THRUST void reverse(I first, I last)
{
    typedef details::value_of<I> T;
    std::vector<T> all((size_t)(last - first));
    details::copied(first, all.size(), all.begin());
    std::reverse(all.begin(), all.end());
    details::copied(all.begin(), all.size(), first);
}
template <class I, class T, details::no_policy<I> = 0>
WARPUP_THRUST void replace(I first, I last, const T &old, const T &value)
{
    struct choose {
        T old, value;
        WARPUP_THRUST T operator()(const T &one) const
        {
            return one == old ? value : one;
        }
    };
    thrust::transform(first, last, first, choose{old, value});
}

/* The forms with a policy */
#define WARPUP_POLICY(name)                                                                        \
    template <class P, class... A, details::policy<P> = 0>                                         \
    WARPUP_THRUST auto name(const P &where, A... arguments)                                        \
    {                                                                                              \
        return thrust::name(details::placed(where, arguments)...);                                 \
    }
WARPUP_POLICY(copy)
WARPUP_POLICY(copy_n)
WARPUP_POLICY(copy_if)
WARPUP_POLICY(fill)
WARPUP_POLICY(fill_n)
WARPUP_POLICY(sequence)
WARPUP_POLICY(generate)
WARPUP_POLICY(for_each)
WARPUP_POLICY(for_each_n)
WARPUP_POLICY(transform)
WARPUP_POLICY(reduce)
WARPUP_POLICY(transform_reduce)
WARPUP_POLICY(inner_product)
WARPUP_POLICY(count)
WARPUP_POLICY(count_if)
WARPUP_POLICY(max_element)
WARPUP_POLICY(min_element)
WARPUP_POLICY(inclusive_scan)
WARPUP_POLICY(exclusive_scan)
WARPUP_POLICY(sort)
WARPUP_POLICY(stable_sort)
WARPUP_POLICY(sort_by_key)
WARPUP_POLICY(stable_sort_by_key)
WARPUP_POLICY(is_sorted)
WARPUP_POLICY(adjacent_difference)
WARPUP_POLICY(upper_bound)
WARPUP_POLICY(lower_bound)
WARPUP_POLICY(scatter)
WARPUP_POLICY(gather)
WARPUP_POLICY(remove_if)
WARPUP_POLICY(reduce_by_key)
WARPUP_POLICY(unique)
WARPUP_POLICY(equal)
#undef WARPUP_POLICY
#undef WARPUP_ITERATOR

} // namespace thrust

#endif
