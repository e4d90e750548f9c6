/*
 * host_defines.h: what CUDA adds to the language. The same file is compiled twice: as host code
 * and, with __CUDA_ARCH__ set, as device code. So functions need no mark to run. Variables do: the
 * rewriter marks the __device__ of a variable, and every device variable gets a section of its own,
 * by which the simulated GPU finds it (program.c).
 */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#define WARPUP_TEXT_(x) #x
#define WARPUP_TEXT(x)  WARPUP_TEXT_(x)

/* The side of a function: an attribute without effect (and without warnings), which calls.awk finds
 * in the compiler's dump. */
#define WARPUP_SIDE(name) __attribute__((deprecated(name)))
#ifndef __CUDA__
#    define __device__ WARPUP_SIDE("__device__")
#    define __host__   WARPUP_SIDE("__host__")
#else /* an editor reads this, with clang in its CUDA mode: the lab's g++ never comes here */
#    define __device__ __attribute__((device))
#    define __host__   __attribute__((host))
#endif
/* As with nvcc, a kernel contains the code of all functions that it calls, even of those that
 * forbid it. The compiler does not announce the memory that a call passes by value. */
#ifdef __CUDA_ARCH__
#    define WARPUP_FLAT __attribute__((flatten))
#    define WARPUP_NOINLINE
#else
#    define WARPUP_FLAT
#    define WARPUP_NOINLINE __attribute__((noinline))
#endif
/* What begins the body of a kernel and of main: no time is spent on code of the other image. The
 * compiler understands all of it first, and calls.awk sees all of main's functions, so what is
 * wrong with it is found; only then it sees that the rest never runs. A kernel and a variable are
 * used although nothing is left that launches or sets them. */
#ifdef __CUDA_ARCH__
#    define WARPUP_KERNEL
#    define WARPUP_MAIN                                                                            \
        int warpup_never = 0;                                                                      \
        if (warpup_never == 0) return 0;
#    define WARPUP_USED __attribute__((used))
#else
#    define WARPUP_KERNEL return;
#    define WARPUP_MAIN
#    define WARPUP_USED
#endif
/* Two kernels with one body must stay two: the host finds a kernel by its address. The call of a
 * kernel that does nothing must stay too. */
#ifndef __CUDA__
#    define __global__ WARPUP_SIDE("__global__") __attribute__((noipa)) WARPUP_USED WARPUP_FLAT
#else
#    define __global__ __attribute__((global))
#endif
/* Ends the compiler's description of a section early, so that zeros take no space in the file: a
 * comment begins, which aarch64's assembler writes in its own way. */
#ifdef __aarch64__
#    define WARPUP_NO_BITS ",\"aw\",@nobits//"
#else
#    define WARPUP_NO_BITS ",\"aw\",@nobits#"
#endif

#define WARPUP_SECTION(name) WARPUP_USED __attribute__((section(name WARPUP_TEXT(__COUNTER__))))
#define WARPUP_INITIALISED   WARPUP_SECTION(".warpup.device.set.")
#define WARPUP_ZEROED                                                                              \
    WARPUP_USED                                                                                    \
    __attribute__((section(".warpup.device.zero." WARPUP_TEXT(__COUNTER__) WARPUP_NO_BITS)))
#ifndef __CUDA__
#    define __constant__ WARPUP_SECTION(".warpup.constant.")
#else
#    define __constant__ __attribute__((constant))
#endif

/* One copy per thread of the CPU: a block stays on one. The host's image only names it. Its
 * constructor must do nothing. Otherwise g++ remembers for an array of a class whether its
 * constructors ran, in a variable that the kernel's threads would share. */
#ifdef __CUDA__
#    define __shared__ __attribute__((shared))
#elif defined __CUDA_ARCH__
#    define __shared__ static __constinit __thread
#else
#    define __shared__ static
#endif

#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__
#define __align__(n)                __attribute__((aligned(n)))
#define __builtin_align__(n)        __attribute__((aligned(n)))
#define __thread__                  __thread
#define __builtin_assume(condition) ((void)0)
#define __nv_pure__                 __attribute__((pure))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB

/* Code that runs a CUDA thread but is not the student's: its accesses are not counted. gcc 11 does
 * not know no_sanitize_coverage, so `compile` removes the callbacks. */
#ifndef __CUDA__
#    define WARPUP_UNSEEN                                                                          \
        WARPUP_SIDE("unseen") __attribute__((no_sanitize("thread"), no_sanitize_coverage))
#else
#    define WARPUP_UNSEEN
#endif

#endif
