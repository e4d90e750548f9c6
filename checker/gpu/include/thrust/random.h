/*
 * random.h: random numbers of thrust, for the host and for kernels: the minimal standard generator,
 * as the C++ library's minstd_rand.
 */
#ifndef WARPUP_THRUST_RANDOM_H
#define WARPUP_THRUST_RANDOM_H

#include "../warpup/thrust.h"

namespace thrust
{
namespace random
{
class minstd_rand
{
  public:
    typedef unsigned int result_type;
    static const result_type default_seed = 1;
    WARPUP_THRUST explicit minstd_rand(result_type seed = default_seed)
        : state(seed % 2147483647 == 0 ? 1 : seed % 2147483647)
    {
    }
    WARPUP_THRUST void seed(result_type seed) { *this = minstd_rand(seed); }
    WARPUP_THRUST result_type operator()()
    {
        return state = (result_type)(48271ull * state % 2147483647);
    }
    WARPUP_THRUST void discard(unsigned long long n)
    {
        for (; n > 0; n--)
            (*this)();
    }
    static constexpr result_type min() { return 1; }
    static constexpr result_type max() { return 2147483646; }

  private:
    result_type state;
};
typedef minstd_rand default_random_engine;

template <class T = double> class uniform_real_distribution
{
  public:
    WARPUP_THRUST explicit uniform_real_distribution(T from = 0, T to = 1) : low(from), high(to) {}
    template <class G> WARPUP_THRUST T operator()(G &generator) const
    {
        T part = (T)(generator() - G::min()) / ((T)(G::max() - G::min()) + 1);
        return low + (high - low) * part;
    }

  private:
    T low, high;
};
template <class T = int> class uniform_int_distribution
{
  public:
    WARPUP_THRUST explicit uniform_int_distribution(T from = 0, T to = 2147483647)
        : low(from), high(to)
    {
    }
    template <class G> WARPUP_THRUST T operator()(G &generator) const
    {
        double part = (double)(generator() - G::min()) / ((double)(G::max() - G::min()) + 1);
        return (T)((double)low + floor(part * ((double)high - (double)low + 1)));
    }

  private:
    T low, high;
};
} // namespace random
using random::default_random_engine;
using random::minstd_rand;
using random::uniform_int_distribution;
using random::uniform_real_distribution;
} // namespace thrust

#endif
