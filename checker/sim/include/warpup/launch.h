/*
 * launch.h: what a launch becomes. The rewriter turns `k<<<g, b, s, st>>>(args)` into
 * `WARPUP_LAUNCH(n, k)(g, b, s, st)(args)`; here that builds one function that runs one CUDA
 * thread, packs kernel and arguments, evaluated once, and hands both to the simulated GPU. Both
 * images hold that function under the same symbol, and the device image's is the one that runs.
 */
#ifndef WARPUP_LAUNCH_H
#define WARPUP_LAUNCH_H

#include "runtime.h"

#define WARPUP_LAUNCH(site, ...)                                                                   \
    warpup::launch_of<site>([=](auto &&...warpup_arguments)                                        \
                                WARPUP_UNSEEN { __VA_ARGS__(warpup_arguments...); },               \
                            #__VA_ARGS__, __FILE__, __LINE__)

namespace warpup
{

template <class Call> __attribute__((noinline, no_icf)) WARPUP_UNSEEN void run(void *call)
{
    (*static_cast<Call *>(call))();
}

template <bool condition> struct when {
};
template <> struct when<true> {
    typedef int type;
};

template <class T> struct plain {
    typedef T type;
};
template <class T> struct plain<T &> {
    typedef T type;
};

/* An argument as it lies in memory: an object that is converted to what the kernel takes is neither
 * copied nor destroyed on the way. */
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

template <int site, class Kernel> struct configured {
    Kernel kernel;
    const char *name, *file;
    int line;
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;

    template <class... T, typename when<(__is_trivially_copyable(T) && ...)>::type = 0>
    void operator()(T... arguments) const
    {
        auto call = [kernel = kernel, arguments...]() WARPUP_UNSEEN { kernel(arguments...); };
        static warpup_site here = {&run<decltype(call)>, nullptr, nullptr, 0, nullptr};
        warpup_name(&here, name, file, line);
        warpup_launch(&here, grid, block, shared, stream, &call, sizeof kernel);
    }
    template <class... T,
              typename when<!(__is_trivially_copyable(typename plain<T>::type) && ...)>::type = 0>
    void operator()(T &&...arguments) const
    {
        start_with(held<typename plain<T>::type>(arguments)...);
    }

    template <class... Held> void start_with(Held... arguments) const
    {
        /* Each thread converts copies of its own: the arguments lie in the host's memory. */
        start([kernel = kernel, arguments...]()
                  WARPUP_UNSEEN { kernel(Held(arguments).get()...); });
    }

    template <class Call> void start(Call call) const
    {
        static warpup_site here = {&run<decltype(call)>, nullptr, nullptr, 0, nullptr};
        warpup_name(&here, name, file, line);
        warpup_launch(&here, grid, block, shared, stream, &call, sizeof kernel);
    }
};

template <int site, class Kernel> struct launch {
    Kernel kernel;
    const char *name, *file;
    int line;

    configured<site, Kernel> operator()(dim3 grid, dim3 block, size_t shared = 0,
                                        cudaStream_t stream = nullptr) const
    {
        return {kernel, name, file, line, grid, block, shared, stream};
    }
};

template <int site, class Kernel>
launch<site, Kernel> launch_of(Kernel kernel, const char *name, const char *file, int line)
{
    return {kernel, name, file, line};
}

template <int... index> struct indices {
};
template <int n, int... index> struct count_up : count_up<n - 1, n - 1, index...> {
};
template <int... index> struct count_up<0, index...> {
    typedef indices<index...> type;
};

template <class... Parameters, int... index>
cudaError_t launch_from(void (*kernel)(Parameters...), indices<index...>, dim3 grid, dim3 block,
                        void **places, size_t shared, cudaStream_t stream)
{
    auto bind = [kernel](Parameters... arguments) {
        return [kernel, arguments...]() WARPUP_UNSEEN { kernel(arguments...); };
    };
    auto call = bind(*static_cast<Parameters *>(places[index])...);
    static warpup_site here = {&run<decltype(call)>, nullptr, nullptr, 0, nullptr};
    return warpup_launch(&here, grid, block, shared, stream, &call, sizeof kernel);
}

} // namespace warpup

template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void **arguments,
                             size_t shared = 0, cudaStream_t stream = nullptr)
{
    typename warpup::count_up<sizeof...(Parameters)>::type all;
    return warpup::launch_from(kernel, all, grid, block, arguments, shared, stream);
}

/* A kernel of which only the address is told. */
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t shared = 0, cudaStream_t stream = nullptr)
    __attribute__((error("the simulated GPU does not know a kernel by its bare address")));

#endif
