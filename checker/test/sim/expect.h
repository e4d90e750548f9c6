/*
 * expect.h: for test programs that run on the simulated GPU and, compiled by nvcc, on a real one:
 * what both must do is written down once.
 */
#include <stdio.h>
#include <stdlib.h>

static int expect_failures;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                         \
            expect_failures++;                                                                     \
        }                                                                                          \
    } while (0)

/* The call gives this error, which is then read off, so that the next test begins without one. */
#define EXPECT_ERROR(error, call)                                                                  \
    do {                                                                                           \
        cudaError_t got_ = (call);                                                                 \
        if (got_ != (error)) {                                                                     \
            printf("%s:%d: %s gives %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(got_));     \
            expect_failures++;                                                                     \
        }                                                                                          \
        cudaGetLastError();                                                                        \
    } while (0)

#define EXPECT_OK(call) EXPECT_ERROR(cudaSuccess, call)

static inline int expect_result()
{
    if (expect_failures == 0) printf("as expected\n");
    return expect_failures == 0 ? 0 : 1;
}
