/*
 * graphs.cu: CUDA graphs, captured and made of nodes, and launches with a configuration. With an
 * argument it makes one mistake instead; its line bears a mark.
 */
#include "expect.h"

#include <string.h>

enum { N = 1000, BLOCKS = 4, THREADS = 256 };

static float *x, *y, *z, h[N], g[N];
static cudaStream_t s, t;
static int ticks;

__global__ void plus(float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += a;
}

__global__ void twice(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}

__global__ void past_the_end(float *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] += 1; // past-the-end
}

static void tick(void *)
{
    ticks++;
}

static bool all_are(const float *values, float first, float step)
{
    for (int i = 0; i < N; i++)
        if (values[i] != first + step * i) return false;
    return true;
}

/* Two streams, of which the second one forks off and joins again */
static void captured()
{
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t whole;
    size_t nodes = 0;
    cudaStreamCaptureStatus status;
    EXPECT_OK(cudaEventCreate(&fork));
    EXPECT_OK(cudaEventCreate(&join));
    EXPECT_OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    EXPECT_OK(cudaMemcpyAsync(x, h, sizeof h, cudaMemcpyHostToDevice, s));
    EXPECT_OK(cudaMemsetAsync(y, 0, sizeof h, s));
    EXPECT_OK(cudaEventRecord(fork, s));
    EXPECT_OK(cudaStreamWaitEvent(t, fork, 0));
    plus<<<BLOCKS, THREADS, 0, s>>>(x, 1, N);
    plus<<<BLOCKS, THREADS, 0, t>>>(y, 5, N);
    EXPECT_OK(cudaStreamIsCapturing(t, &status));
    EXPECT(status == cudaStreamCaptureStatusActive);
    EXPECT_OK(cudaEventRecord(join, t));
    EXPECT_OK(cudaStreamWaitEvent(s, join, 0));
    twice<<<BLOCKS, THREADS, 0, s>>>(x, z, N);
    EXPECT_OK(cudaMemcpyAsync(g, z, sizeof g, cudaMemcpyDeviceToHost, s));
    EXPECT_OK(cudaLaunchHostFunc(s, tick, nullptr));
    EXPECT_OK(cudaStreamEndCapture(s, &graph));
    EXPECT(g[1] == 0 && ticks == 0);
    EXPECT_OK(cudaGraphGetNodes(graph, nullptr, &nodes));
    EXPECT(nodes == 7);
    EXPECT_OK(cudaGraphInstantiate(&whole, graph, 0));
    for (int i = 0; i < 3; i++)
        EXPECT_OK(cudaGraphLaunch(whole, s));
    EXPECT_OK(cudaStreamSynchronize(s));
    EXPECT(all_are(g, 2, 2));
    EXPECT(ticks == 3);
    EXPECT_OK(cudaMemcpy(g, y, sizeof g, cudaMemcpyDeviceToHost));
    EXPECT(all_are(g, 5, 0));
    EXPECT_OK(cudaGraphExecDestroy(whole));
    EXPECT_OK(cudaGraphDestroy(graph));
    EXPECT_OK(cudaEventDestroy(fork));
    EXPECT_OK(cudaEventDestroy(join));
}

static void made_of_nodes()
{
    cudaGraph_t graph;
    cudaGraphExec_t whole;
    cudaGraphNode_t fetch, first, second, give, fill;
    float a = 3;
    int n = N;
    void *of_first[] = {&x, &a, &n}, *of_second[] = {&x, &z, &n};
    EXPECT_OK(cudaGraphCreate(&graph, 0));
    EXPECT_OK(cudaGraphAddMemcpyNode1D(&fetch, graph, nullptr, 0, x, h, sizeof h,
                                       cudaMemcpyHostToDevice));
    cudaKernelNodeParams node = {};
    node.func = (void *)plus;
    node.gridDim = BLOCKS;
    node.blockDim = THREADS;
    node.kernelParams = of_first;
    EXPECT_OK(cudaGraphAddKernelNode(&first, graph, &fetch, 1, &node));
    cudaKernelNodeParams other = {(void *)twice, BLOCKS, THREADS, 0, of_second, nullptr};
    EXPECT_OK(cudaGraphAddKernelNode(&second, graph, &first, 1, &other));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(z, sizeof g, N, 1);
    copy.dstPtr = make_cudaPitchedPtr(g, sizeof g, N, 1);
    copy.extent = make_cudaExtent(sizeof g, 1, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    EXPECT_OK(cudaGraphAddMemcpyNode(&give, graph, &second, 1, &copy));
    cudaMemsetParams ones = {};
    ones.dst = y;
    ones.value = 0x3f800000;
    ones.elementSize = 4;
    ones.width = N;
    ones.height = 1;
    EXPECT_OK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &ones));
    a = 100; /* the node has its own 3 */
    EXPECT_OK(cudaGraphInstantiate(&whole, graph, 0));
    EXPECT_OK(cudaGraphLaunch(whole, s));
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT(all_are(g, 6, 2));
    EXPECT_OK(cudaGraphExecKernelNodeSetParams(whole, first, &node));
    EXPECT_OK(cudaGraphLaunch(whole, 0));
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT(all_are(g, 200, 2));
    EXPECT_OK(cudaMemcpy(g, y, sizeof g, cudaMemcpyDeviceToHost));
    EXPECT(all_are(g, 1, 0));
    EXPECT_OK(cudaGraphExecDestroy(whole));

    /* Runs one graph twice inside of another, and after it one more kernel */
    cudaGraph_t outer;
    cudaGraphNode_t once, again, last;
    a = 1;
    EXPECT_OK(cudaGraphCreate(&outer, 0));
    EXPECT_OK(cudaGraphAddChildGraphNode(&once, outer, nullptr, 0, graph));
    EXPECT_OK(cudaGraphAddChildGraphNode(&again, outer, &once, 1, graph));
    EXPECT_OK(cudaGraphAddKernelNode(&last, outer, &again, 1, &node));
    EXPECT_OK(cudaGraphInstantiate(&whole, outer, 0));
    EXPECT_OK(cudaGraphLaunch(whole, s));
    EXPECT_OK(cudaMemcpy(g, x, sizeof g, cudaMemcpyDeviceToHost));
    EXPECT(all_are(g, 4, 1));
    EXPECT_OK(cudaGraphExecDestroy(whole));
    EXPECT_OK(cudaGraphDestroy(outer));
    EXPECT_OK(cudaGraphDestroy(graph));
}

/* A call that a capture does not allow spoils it. */
static void spoiled()
{
    cudaGraph_t graph;
    cudaEvent_t fork;
    EXPECT_OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    EXPECT_ERROR(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(s));
    EXPECT_ERROR(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &graph));
    EXPECT(graph == nullptr);
    EXPECT_OK(cudaEventCreate(&fork));
    EXPECT_OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    EXPECT_OK(cudaEventRecord(fork, s));
    EXPECT_OK(cudaStreamWaitEvent(t, fork, 0));
    plus<<<BLOCKS, THREADS, 0, t>>>(x, 1, N);
    EXPECT_ERROR(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(s, &graph));
    EXPECT_OK(cudaEventDestroy(fork));
}

static void by_configuration()
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute cluster;
    float a = 10;
    int n = N;
    void *places[] = {&x, &a, &n};
    EXPECT_OK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = 2;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    config.gridDim = BLOCKS;
    config.blockDim = THREADS;
    config.stream = s;
    config.attrs = &cluster;
    config.numAttrs = 1;
    EXPECT_OK(cudaLaunchKernelEx(&config, plus, x, 1, N));
    EXPECT_OK(cudaLaunchKernelExC(&config, (const void *)plus, places));
    const void *bare = (const void *)plus;
    EXPECT_OK(cudaLaunchKernel(bare, BLOCKS, THREADS, places, 0, s));
    config.numAttrs = 0;
    config.blockDim = 2000;
    cudaError_t error = cudaLaunchKernelEx(&config, plus, x, 1, N);
    EXPECT(error == cudaErrorInvalidConfiguration || error == cudaErrorInvalidValue);
    cudaGetLastError();
    EXPECT_OK(cudaMemcpy(g, x, sizeof g, cudaMemcpyDeviceToHost));
    EXPECT(all_are(g, 21, 1));
}

/* A captured kernel that leaves its array, and two branches that nothing orders */
static void mistaken(bool unordered)
{
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t whole;
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, s);
    cudaStreamWaitEvent(t, fork, 0);
    if (unordered) {
        cudaMemcpyAsync(x, h, sizeof h, cudaMemcpyHostToDevice, s);
        twice<<<BLOCKS, THREADS, 0, t>>>(x, y, N); // unordered
    } else {
        past_the_end<<<BLOCKS, THREADS, 0, s>>>(x);
    }
    cudaEventRecord(join, t);
    cudaStreamWaitEvent(s, join, 0);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&whole, graph, 0);
    cudaGraphLaunch(whole, s);
    cudaStreamSynchronize(s);
}

int main(int count, char **words)
{
    for (int i = 0; i < N; i++)
        h[i] = i;
    EXPECT_OK(cudaMalloc(&x, sizeof h));
    EXPECT_OK(cudaMalloc(&y, sizeof h));
    EXPECT_OK(cudaMalloc(&z, sizeof h));
    EXPECT_OK(cudaStreamCreate(&s));
    EXPECT_OK(cudaStreamCreate(&t));
    if (count > 1) {
        cudaMemset(x, 0, sizeof h);
        mistaken(strcmp(words[1], "unordered") == 0);
    } else {
        captured();
        made_of_nodes();
        spoiled();
        by_configuration();
    }
    cudaFree(x);
    cudaFree(y);
    cudaFree(z);
    return expect_result();
}
