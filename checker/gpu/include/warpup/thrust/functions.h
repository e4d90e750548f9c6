/* functions.h: functions as objects, and formulas of placeholders. */
#ifndef WARPUP_THRUST_FUNCTIONS_H
#define WARPUP_THRUST_FUNCTIONS_H

#include "memory.h"

namespace thrust
{
using std::advance;
using std::distance;

#define WARPUP_BINARY(name, R, expression)                                                         \
    template <class T = void> struct name {                                                        \
        typedef T first_argument_type;                                                             \
        typedef T second_argument_type;                                                            \
        typedef R result_type;                                                                     \
        WARPUP_THRUST R operator()(const T &a, const T &b) const { return expression; }            \
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
        WARPUP_THRUST R operator()(const T &a) const { return expression; }                        \
    };                                                                                             \
    template <> struct name<void> {                                                                \
        template <class T> WARPUP_THRUST auto operator()(const T &a) const { return expression; }  \
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
template <class F> WARPUP_THRUST formula<F> formula_of(F f) { return {f}; }
template <int rank> struct picked {
    template <class T, class... U>
    WARPUP_THRUST auto operator()(const T &first, const U &...more) const
    {
        if constexpr (rank == 1)
            return first;
        else
            return picked<rank - 1>()(more...);
    }
};
static const formula<picked<1>> _1{};
static const formula<picked<2>> _2{};
static const formula<picked<3>> _3{};
template <class T> struct always {
    T value;
    template <class... U> WARPUP_THRUST T operator()(const U &...) const { return value; }
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

} // namespace thrust

#endif
