/* jobs.h: what an algorithm does to one element. */
#ifndef WARPUP_THRUST_JOBS_H
#define WARPUP_THRUST_JOBS_H

#include "vectors.h"

namespace thrust
{

namespace details
{
template <class I, class O, class F> struct transform_one {
    I in;
    O out;
    F f;
    WARPUP_THRUST void operator()(size_t i) const { out[i] = f((value_of<I>)in[i]); }
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
    WARPUP_THRUST void operator()(size_t i) const { f(in[i]); }
};
template <class O, class T> struct count_from {
    O out;
    T first, step;
    WARPUP_THRUST void operator()(size_t i) const { out[i] = (T)(first + (T)i * step); }
};
template <class O, class T> struct set_to {
    O out;
    T value;
    WARPUP_THRUST void operator()(size_t i) const { out[i] = value; }
};
template <class O, class F> struct made_by {
    O out;
    F f;
    WARPUP_THRUST void operator()(size_t i) const { out[i] = f(); }
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
template <bool upper, class I, class J, class O, class Less> struct find_bound {
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
    WARPUP_THRUST void operator()(size_t i) const { flags[i] = f((value_of<I>)in[i]) ? 1 : 0; }
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
        for (size_t j = i + 1; j < n && !flags[j]; j++)
            sum = operation(sum, (value_of<V>)values[j]);
        to_keys[sums[i] - 1] = keys[i];
        to_values[sums[i] - 1] = sum;
    }
};

template <class F, class T> struct negated {
    F f;
    WARPUP_THRUST bool operator()(const T &value) const { return !f(value); }
};
template <class T> struct is_value {
    T value;
    WARPUP_THRUST bool operator()(const T &other) const { return other == value; }
};
} // namespace details

} // namespace thrust

#endif
