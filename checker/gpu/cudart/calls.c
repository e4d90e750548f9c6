/*
 * calls.c: the calls that do more here than to send their arguments; wire/sides.awk writes all
 * others.
 */
#include "gpu/cudart/client.h"
#include "gpu/cudart/register.h"
#include "gpu/wire/texts.h"

#include <string.h>

/* ---- texts ---------------------------------------------------------------------------------- */

const char *cudaGetErrorName(cudaError_t error)
{
    return text_of_code(error_texts, error)->name;
}

const char *cudaGetErrorString(cudaError_t error)
{
    return text_of_code(error_texts, error)->text;
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int device)
{
    char found[64] = "";
    struct remote remote = {.request.argument = {AT(text), AT(length), AT(device)},
                            .answer = {{found, sizeof found - 1}}};
    cudaError_t error = client_call(&remote, WIRE_cudaDeviceGetPCIBusId, RETURN_PC);
    if (error != cudaSuccess || length <= 0) return error;
    size_t room = (size_t)length - 1, bytes = strlen(found) < room ? strlen(found) : room;
    memcpy(text, found, bytes);
    text[bytes] = '\0';
    return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text)
{
    struct remote remote = {.request.argument = {AT(device)},
                            .payload = {{text, text == NULL ? 0 : strlen(text) + 1}},
                            .answer = {{device, sizeof *device}}};
    return client_call(&remote, WIRE_cudaDeviceGetByPCIBusId, RETURN_PC);
}

/* The name is valid until the same thread asks for another one. */
cudaError_t cudaFuncGetName(const char **name, const void *function)
{
    static __thread char found[1024];
    struct remote remote = {.request.argument = {AT(name), AT(function)},
                            .answer = {{found, sizeof found - 1}}};
    register_load();
    cudaError_t error = client_call(&remote, WIRE_cudaFuncGetName, RETURN_PC);
    if (error == cudaSuccess) *name = found;
    return error;
}

/* ---- others --------------------------------------------------------------------------------- */

/* A kernel as the driver and libraries name it: its stub's address. */
cudaError_t cudaGetFuncBySymbol(void **function, const void *symbol)
{
    if (function == NULL || symbol == NULL) return cudaErrorInvalidValue;
    *function = (void *)(uintptr_t)symbol;
    return cudaSuccess;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

/* Fetches the nodes that *count has room for; *count then says how many there are. */
static cudaError_t get_nodes(enum wire_call call, cudaGraph_t graph, cudaGraphNode_t *nodes,
                             size_t *count, const void *pc)
{
    bool wanted = nodes != NULL && count != NULL;
    struct remote remote = {
        .request.argument = {AT(graph), AT(nodes), AT(count), count == NULL ? 0 : *count},
        .answer = {{count, sizeof *count}, {nodes, wanted ? *count * sizeof *nodes : 0}}};
    return client_call(&remote, call, pc);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    return get_nodes(WIRE_cudaGraphGetNodes, graph, nodes, count, RETURN_PC);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    return get_nodes(WIRE_cudaGraphGetRootNodes, graph, nodes, count, RETURN_PC);
}

/* ---- calls that the simulated GPU does not know --------------------------------------------- */

static cudaError_t unknown(const char *name, const void *pc)
{
    struct remote remote = {.payload = {{name, strlen(name)}}};
    return client_call(&remote, WIRE_unknown, pc);
}

/* A function for each unknown call. The parameters do not matter. */
#define UNKNOWN(name)                                                                              \
    cudaError_t unknown_##name(void) __asm__(#name);                                               \
    cudaError_t unknown_##name(void)                                                               \
    {                                                                                              \
        return unknown(#name, RETURN_PC);                                                          \
    }
#include "gpu/cudart/unknown.def"
