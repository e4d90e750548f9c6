/*
 * copy_calls.c: the calls that copy: between addresses, to and from device variables, of three
 * dimensions, and copies that are nodes of a graph.
 */
#include "gpu/runtime/copy.h"

#include "gpu/server/modules.h"

#include <stdio.h>
#include <string.h>

cudaError_t serve_cudaMemcpy(struct call *call, uint64_t to, uint64_t from, size_t bytes,
                             cudaMemcpyKind kind, uint64_t stream)
{
    return copy_run(call, copy_bytes(call, to, from, bytes, kind, stream));
}

cudaError_t serve_cudaMemcpy2D(struct call *call, uint64_t to, size_t to_pitch, uint64_t from,
                               size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                               uint64_t stream)
{
    return copy_run(call,
                    copy_rows(call, to, to_pitch, from, from_pitch, width, height, kind, stream));
}

/* Between devices; this one has number 0, and there is no other. */
cudaError_t serve_cudaMemcpyPeer(struct call *call, uint64_t to, int to_device, uint64_t from,
                                 int from_device, size_t bytes, uint64_t stream)
{
    if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
    return serve_cudaMemcpy(call, to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

/* ---- symbols -------------------------------------------------------------------------------- */

/* A part of a device variable, to or from which a copy goes. */
static cudaError_t find_part(const struct call *call, uint64_t symbol, size_t bytes, size_t offset,
                             uint64_t *address)
{
    const struct ptx_variable *variable = module_variable(symbol);
    if (variable == NULL) return cudaErrorInvalidSymbol;
    if (offset > variable->bytes || bytes > variable->bytes - offset) {
        char detail[150];
        snprintf(detail, sizeof detail,
                 "the copy has %zu bytes from byte %zu on, but the variable has only %zu", bytes,
                 offset, (size_t)variable->bytes);
        return copy_refuse(call, "copy-out-of-bounds", variable->address, bytes, detail);
    }
    *address = variable->address + offset;
    return cudaSuccess;
}

cudaError_t serve_cudaMemcpyToSymbol(struct call *call, uint64_t symbol, uint64_t from,
                                     size_t bytes, size_t offset, cudaMemcpyKind kind,
                                     uint64_t stream)
{
    uint64_t to = 0;
    cudaError_t error = find_part(call, symbol, bytes, offset, &to);
    if (error != cudaSuccess) return error;
    if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
        return cudaErrorInvalidMemcpyDirection;
    return serve_cudaMemcpy(call, to, from, bytes, kind, stream);
}

cudaError_t serve_cudaMemcpyFromSymbol(struct call *call, uint64_t to, uint64_t symbol,
                                       size_t bytes, size_t offset, cudaMemcpyKind kind,
                                       uint64_t stream)
{
    uint64_t from = 0;
    cudaError_t error = find_part(call, symbol, bytes, offset, &from);
    if (error != cudaSuccess) return error;
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
        return cudaErrorInvalidMemcpyDirection;
    return serve_cudaMemcpy(call, to, from, bytes, kind, stream);
}

cudaError_t serve_cudaGetSymbolAddress(struct call *call, uint64_t *address, uint64_t symbol)
{
    const struct ptx_variable *variable = module_variable(symbol);
    if (variable == NULL) return cudaErrorInvalidSymbol;
    *address = variable->address;
    return cudaSuccess;
}

cudaError_t serve_cudaGetSymbolSize(struct call *call, size_t *bytes, uint64_t symbol)
{
    const struct ptx_variable *variable = module_variable(symbol);
    if (variable == NULL) return cudaErrorInvalidSymbol;
    *bytes = variable->bytes;
    return cudaSuccess;
}

/* ---- three dimensions ----------------------------------------------------------------------- */

static uint64_t begin_of(const struct cudaPitchedPtr *memory, const struct cudaPos *at)
{
    return (uintptr_t)memory->ptr + at->x + (at->y + at->z * memory->ysize) * memory->pitch;
}

/* Copies between pointers; `depth` slices follow each other without gaps. */
static cudaError_t copy_of_3d(const struct call *call, const cudaMemcpy3DParms *p, uint64_t stream,
                              struct copy *copy)
{
    if (p == NULL) return cudaErrorInvalidValue;
    size_t height = p->extent.height, depth = p->extent.depth;
    if (p->srcArray != NULL || p->dstArray != NULL) {
        call_unknown(call, "copies of three dimensions to and from arrays");
        return cudaErrorNotSupported;
    }
    if (depth > 1 && (p->dstPtr.ysize != height || p->srcPtr.ysize != height)) {
        call_unknown(call, "a copy of a part of each slice");
        return cudaErrorNotSupported;
    }
    if (depth > 0 && height > SIZE_MAX / depth) return cudaErrorInvalidValue;
    *copy = copy_rows(call, begin_of(&p->dstPtr, &p->dstPos), p->dstPtr.pitch,
                      begin_of(&p->srcPtr, &p->srcPos), p->srcPtr.pitch, p->extent.width,
                      height * depth, p->kind, stream);
    return cudaSuccess;
}

cudaError_t serve_cudaMemcpy3D(struct call *call, const cudaMemcpy3DParms *params, uint64_t stream)
{
    struct copy copy;
    cudaError_t error = copy_of_3d(call, params, stream, &copy);
    return error != cudaSuccess ? error : copy_run(call, copy);
}

/* ---- nodes of graphs ------------------------------------------------------------------------ */

static cudaError_t add_node(struct call *call, uint64_t *node, uint64_t graph,
                            const uint64_t *before, size_t count, struct copy copy)
{
    copy.async = true;
    cudaError_t error = copy_check(call, &copy);
    return error != cudaSuccess
               ? error
               : graph_add_node(call, node, graph, before, count, graph_kept(copy_job(&copy)));
}

cudaError_t serve_cudaGraphAddMemcpyNode1D(struct call *call, uint64_t *node, uint64_t graph,
                                           const uint64_t *before, size_t count, uint64_t to,
                                           uint64_t from, size_t bytes, cudaMemcpyKind kind)
{
    return add_node(call, node, graph, before, count, copy_bytes(call, to, from, bytes, kind, 0));
}

cudaError_t serve_cudaGraphAddMemcpyNode(struct call *call, uint64_t *node, uint64_t graph,
                                         const uint64_t *before, size_t count,
                                         const cudaMemcpy3DParms *params)
{
    struct copy copy;
    cudaError_t error = copy_of_3d(call, params, 0, &copy);
    return error != cudaSuccess ? error : add_node(call, node, graph, before, count, copy);
}
