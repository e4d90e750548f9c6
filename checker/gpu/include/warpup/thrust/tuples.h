/* tuples.h: tuples and pairs, simple structures that kernels can use. */
#ifndef WARPUP_THRUST_TUPLES_H
#define WARPUP_THRUST_TUPLES_H

#include "functions.h"

namespace thrust
{

/* Simple structures: a kernel may use them. */
template <class... T> struct tuple;
template <> struct tuple<> {
};
template <class First, class... More> struct tuple<First, More...> {
    First first;
    tuple<More...> more;
    WARPUP_THRUST tuple() : first(), more() {}
    WARPUP_THRUST tuple(First a, More... b) : first(a), more(b...) {}
    template <class... U,
              class = typename std::enable_if<sizeof...(U) == sizeof...(More) + 1>::type>
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
template <int rank, class... T> WARPUP_THRUST auto &get(tuple<T...> &all)
{
    if constexpr (rank == 0)
        return all.first;
    else
        return get<rank - 1>(all.more);
}
template <int rank, class... T> WARPUP_THRUST const auto &get(const tuple<T...> &all)
{
    if constexpr (rank == 0)
        return all.first;
    else
        return get<rank - 1>(all.more);
}
template <class... T> WARPUP_THRUST tuple<T...> make_tuple(T... values)
{
    return tuple<T...>(values...);
}
template <class... T> WARPUP_THRUST tuple<T &...> tie(T &...addresses)
{
    return tuple<T &...>(addresses...);
}
template <class A, class B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;
    WARPUP_THRUST pair() : first(), second() {}
    WARPUP_THRUST pair(const A &a, const B &b) : first(a), second(b) {}
    template <class C, class D>
    WARPUP_THRUST pair(const pair<C, D> &other) : first(other.first), second(other.second)
    {
    }
};
template <class A, class B> WARPUP_THRUST pair<A, B> make_pair(A a, B b)
{
    return pair<A, B>(a, b);
}
template <class A, class B> WARPUP_THRUST bool operator==(const pair<A, B> &a, const pair<A, B> &b)
{
    return a.first == b.first && a.second == b.second;
}
template <class A, class B> WARPUP_THRUST bool operator<(const pair<A, B> &a, const pair<A, B> &b)
{
    return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}

} // namespace thrust

#endif
