/*
 * launch.h: what a launch becomes. The rewriter turns `k<<<g, b, s, st>>>(args)` into
 * `WARPUP_LAUNCH(n, k)(g, b, s, st)(args)`; here that builds one function that runs one CUDA
 * thread, packs kernel and arguments, evaluated once, and hands both to the simulated GPU. Both
 * images hold that function under the same symbol, and the device image's is the one that runs.
 *
 * Where `k` names one function its arguments become what it takes when it is launched, as by a
 * call. Of an overloaded name, and of a template whose arguments are to be deduced, each thread
 * converts copies of its own.
 */
#ifndef WARPUP_LAUNCH_H
#define WARPUP_LAUNCH_H

#include "runtime.h"

#include <type_traits>

#define WARPUP_LAUNCH(site, ...)                                                                   \
    warpup::launch_of<site>(                                                                       \
        [=](auto &&...warpup_arguments) WARPUP_UNSEEN { __VA_ARGS__(warpup_arguments...); },       \
        [=](auto warpup_any) -> decltype(warpup::parameters_of(warpup_any, __VA_ARGS__)) {         \
            return {};                                                                             \
        },                                                                                         \
        #__VA_ARGS__, __FILE__, __LINE__)

/* What a macro that stands for `<<<g, b>>>` alone becomes: `k ->* WARPUP_SHAPE(g, b)(args)` */
#define WARPUP_SHAPE warpup::nameless(__FILE__, __LINE__)

namespace warpup
{

template <class Call>
__attribute__((noinline, no_icf)) WARPUP_USED WARPUP_UNSEEN void run(void *call)
{
    (*static_cast<Call *>(call))();
}

template <bool condition> struct when {
};
template <> struct when<true> {
    typedef int type;
};

/* A literal 0 among the arguments: a number or no pointer, as the kernel wants it. */
struct zero {
    template <class T, class = decltype(T(0))> constexpr operator T() const
    {
        return 0;
    }
};

template <class T> struct plain {
    typedef T type;
};
template <class T> struct plain<T &> {
    typedef T type;
};
template <> struct plain<zero> {
    typedef int type;
};

/* An argument as it is in memory. An object that is converted to the kernel's parameter is not
 * copied or destroyed before. */
template <class T> struct held {
    alignas(T) char bytes[sizeof(T)];

    explicit held(T &argument)
    {
        __builtin_memcpy(bytes, &argument, sizeof(T));
    }
    WARPUP_UNSEEN T &get() const
    {
        return *(T *)bytes;
    }
};
template <> struct held<zero> {
    explicit held(zero &)
    {
    }
    WARPUP_UNSEEN int get() const
    {
        return 0;
    }
};

/* An argument that a kernel takes by reference stays where it is: threads get its address. */
template <class T> struct passed {
    T value;
    WARPUP_UNSEEN const T &get() const
    {
        return value;
    }
};
template <class T> struct passed<T &> {
    T &value;
    WARPUP_UNSEEN T &get() const
    {
        return value;
    }
};

/* The parameters of the function, if the name means only one; for other names they are not
 * known. */
template <class... P> struct parameters {
};
struct unknown {
};
template <class P>
constexpr bool can_be_passed = __is_trivially_copyable(P) || std::is_lvalue_reference<P>::value;
template <class... P>
using known = typename std::conditional<(can_be_passed<P> && ...), parameters<P...>, unknown>::type;
template <class Any, class... P> known<P...> parameters_of(Any, void (*)(P...));
template <class Probe> auto found(const Probe &probe, int) -> decltype(probe(0));
template <class Probe> unknown found(const Probe &probe, long);

/* Can a function of these parameters be called with values of these types? */
template <class Parameters, class... T> struct fits {
    static constexpr bool value = false;
};
template <class... P, class... T> struct fits<parameters<P...>, T...> {
    template <class... Q> static constexpr bool each(parameters<Q...> *)
    {
        if constexpr (sizeof...(Q) == sizeof...(T))
            return ((std::is_convertible<T, Q>::value || std::is_convertible<T &, Q>::value) &&
                    ...);
        else
            return false;
    }
    static constexpr bool value = each((parameters<P...> *)nullptr);
};

/* Where a launch stands, and its shape */
struct place {
    const char *name, *file;
    int line;
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
};

template <int site, class Kernel, class Parameters> struct configured {
    place where;
    Kernel kernel;

    template <class... T, typename when<(__is_trivially_copyable(T) && ...) &&
                                        !fits<Parameters, T...>::value>::type = 0>
    void operator()(T... arguments) const
    {
        start_with_values<typename plain<T>::type...>(arguments...);
    }
    template <class... T,
              typename when<!(__is_trivially_copyable(typename plain<T>::type) && ...) &&
                            !fits<Parameters, T...>::value>::type = 0>
    void operator()(T &&...arguments) const
    {
        start_with(held<typename std::remove_reference<T>::type>(arguments)...);
    }

    template <class... T> void start_with_values(T... arguments) const
    {
        start([kernel = kernel, arguments...]() WARPUP_UNSEEN { kernel(arguments...); });
    }
    template <class... Held> void start_with(Held... arguments) const
    {
        /* Each thread converts its own copies: the arguments are in the host's memory. */
        start([kernel = kernel, arguments...]()
                  WARPUP_UNSEEN { kernel(Held(arguments).get()...); });
    }
    template <class... Passed> void start_passing(Passed... arguments) const
    {
        start([kernel = kernel, arguments...]() WARPUP_UNSEEN { kernel(arguments.get()...); });
    }

    template <class Call> void start(Call call) const
    {
        static warpup_site here = {&run<Call>, nullptr, nullptr, 0, nullptr};
        warpup_name(&here, where.name, where.file, where.line);
        const warpup_shape shape = {where.grid, where.block, where.shared, where.stream, 0};
        /* What is read and compared byte by byte has no bytes of chance in it. */
        __builtin_clear_padding(&call);
        warpup_launch(&here, &shape, &call, sizeof call, sizeof kernel);
    }
};

template <int site, class Kernel, class Parameters>
struct callable : configured<site, Kernel, Parameters> {
};
template <int site, class Kernel, class... P>
struct callable<site, Kernel, parameters<P...>> : configured<site, Kernel, parameters<P...>> {
    using configured<site, Kernel, parameters<P...>>::operator();
    void operator()(P... arguments) const
    {
        this->start_passing(passed<P>{arguments}...);
    }
};

template <int site, class Kernel, class Parameters> struct launch {
    Kernel kernel;
    const char *name, *file;
    int line;

    callable<site, Kernel, Parameters> operator()(dim3 grid, dim3 block, size_t shared = 0,
                                                  cudaStream_t stream = nullptr) const
    {
        return {{{name, file, line, grid, block, shared, stream}, kernel}};
    }
};

template <int site, class Kernel, class Probe>
auto launch_of(Kernel kernel, Probe probe, const char *name, const char *file, int line)
{
    return launch<site, Kernel, decltype(found(probe, 0))>{kernel, name, file, line};
}

/* A launch that still waits for its kernel */
template <class Arguments> struct pending {
    place where;
    Arguments arguments;
};

struct shaped {
    place where;

    template <class... T> auto operator()(T &&...arguments) const
    {
        auto give = [&](const auto &kernel) { kernel(static_cast<T &&>(arguments)...); };
        return pending<decltype(give)>{where, give};
    }
};

struct nameless {
    const char *file;
    int line;

    nameless(const char *in, int at) : file(in), line(at)
    {
    }
    shaped operator()(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr) const
    {
        return {{nullptr, file, line, grid, block, shared, stream}};
    }
};

template <class... P, class Arguments>
void operator->*(void (*kernel)(P...), const pending<Arguments> &waiting)
{
    waiting.arguments(callable<0, void (*)(P...), known<P...>>{{waiting.where, kernel}});
}

template <int... index> struct indices {
};
template <int n, int... index> struct count_up : count_up<n - 1, n - 1, index...> {
};
template <int... index> struct count_up<0, index...> {
    typedef indices<index...> type;
};

template <class... P, int... index>
WARPUP_INLINE cudaError_t launch_from(void (*kernel)(P...), indices<index...>,
                                      const warpup_shape &shape, void **places)
{
    auto bind = [kernel](P... arguments) {
        return [kernel, arguments...]() WARPUP_UNSEEN { kernel(arguments...); };
    };
    auto call = bind(*static_cast<P *>(places[index])...);
    static warpup_site here = {&run<decltype(call)>, nullptr, nullptr, 0, nullptr};
    return warpup_launch(&here, &shape, &call, sizeof call, sizeof kernel);
}

/* A launch whose arguments are known by their places */
template <class... P>
WARPUP_INLINE cudaError_t launch_at(void (*kernel)(P...), const warpup_shape &shape, void **places)
{
    return launch_from(kernel, typename count_up<sizeof...(P)>::type(), shape, places);
}
template <class... P>
cudaError_t launch_known(const void *kernel, const warpup_shape *shape, void **places)
{
    return launch_at((void (*)(P...))kernel, *shape, places);
}

/* What the rewriter makes of `(void *)kernel`: the address tells nothing of the parameters. */
template <class... P> WARPUP_INLINE void *address(void (*kernel)(P...))
{
    warpup_know((const void *)kernel, &launch_known<P...>);
    return (void *)kernel;
}
template <class T> WARPUP_INLINE T &&address(T &&other)
{
    return static_cast<T &&>(other);
}

} // namespace warpup

/* The rewriter takes casts of a kernel's name to void * away from the first argument of these. */
template <class... P>
WARPUP_INLINE cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                           void **arguments, size_t shared = 0,
                                           cudaStream_t stream = nullptr)
{
    return warpup::launch_at(kernel, {grid, block, shared, stream, 0}, arguments);
}
template <class... P>
WARPUP_INLINE cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                                      void **arguments, size_t shared = 0,
                                                      cudaStream_t stream = nullptr)
{
    return warpup::launch_at(kernel, {grid, block, shared, stream, 1}, arguments);
}

/* A kernel of which only the address is known */
WARPUP_INLINE cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block,
                                           void **arguments, size_t shared = 0,
                                           cudaStream_t stream = nullptr)
{
    const warpup_shape shape = {grid, block, shared, stream, 0};
    return warpup_launch_known(kernel, &shape, arguments);
}
WARPUP_INLINE cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block,
                                                      void **arguments, size_t shared = 0,
                                                      cudaStream_t stream = nullptr)
{
    const warpup_shape shape = {grid, block, shared, stream, 1};
    return warpup_launch_known(kernel, &shape, arguments);
}

/* The arguments are converted to what the kernel takes. */
template <class... P, class... T>
WARPUP_INLINE cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                                             T &&...arguments)
{
    warpup_shape shape;
    cudaError_t error = warpup_shape_of(config, &shape);
    if (error != cudaSuccess) return error;
    auto start = [&](P... converted) __attribute__((always_inline))
    {
        void *places[] = {(void *)&converted..., nullptr};
        return warpup::launch_at(kernel, shape, places);
    };
    return start(static_cast<T &&>(arguments)...);
}

#endif
