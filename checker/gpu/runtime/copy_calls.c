/*
 * copy_calls.c: the calls that copy: between addresses, to and from device variables, of three
 * dimensions, and copies that are nodes of a graph.
 */
#include "gpu/runtime/copy.h"

#include "gpu/server/modules.h"

#include <stdio.h>
#include <string.h>

/* The two-dimensional copy that the arguments describe. */
static struct copy copy_of(const struct call *call, bool async)
{
    return (struct copy){.to = argument(call, 0),
                         .to_pitch = argument(call, 1),
                         .from = argument(call, 2),
                         .from_pitch = argument(call, 3),
                         .width = argument(call, 4),
                         .height = argument(call, 5),
                         .kind = (cudaMemcpyKind)argument_unsigned(call, 6),
                         .stream = stream_find(call, argument(call, 7)),
                         .async = async};
}

cudaError_t serve_cudaMemcpy(struct call *call)
{
    return copy_run(call, copy_of(call, false));
}

cudaError_t serve_cudaMemcpyAsync(struct call *call)
{
    return copy_run(call, copy_of(call, true));
}

cudaError_t serve_cudaMemcpy2D(struct call *call)
{
    return copy_run(call, copy_of(call, false));
}

cudaError_t serve_cudaMemcpy2DAsync(struct call *call)
{
    return copy_run(call, copy_of(call, true));
}

/* Between devices; this one has number 0, and there is no other. */
static cudaError_t copy_peer(struct call *call, bool async)
{
    size_t bytes = argument(call, 4);
    if (argument_int(call, 1) != 0 || argument_int(call, 3) != 0) return cudaErrorInvalidDevice;
    return copy_run(call, (struct copy){.to = argument(call, 0),
                                        .from = argument(call, 2),
                                        .width = bytes,
                                        .height = 1,
                                        .to_pitch = bytes,
                                        .from_pitch = bytes,
                                        .kind = cudaMemcpyDeviceToDevice,
                                        .stream = async ? stream_find(call, argument(call, 7))
                                                        : stream_default(),
                                        .async = async});
}

cudaError_t serve_cudaMemcpyPeer(struct call *call)
{
    return copy_peer(call, false);
}

cudaError_t serve_cudaMemcpyPeerAsync(struct call *call)
{
    return copy_peer(call, true);
}

/* ---- symbols -------------------------------------------------------------------------------- */

/* A copy to or from a part of a device variable. */
static cudaError_t copy_symbol(const struct call *call, bool to_symbol, bool async)
{
    const struct ptx_variable *variable = module_variable(argument(call, to_symbol ? 0 : 2));
    size_t bytes = argument(call, 4), offset = argument(call, 8);
    cudaMemcpyKind kind = (cudaMemcpyKind)argument_unsigned(call, 6);
    if (variable == NULL) return cudaErrorInvalidSymbol;
    if (offset > variable->bytes || bytes > variable->bytes - offset) {
        char detail[150];
        snprintf(detail, sizeof detail,
                 "the copy has %zu bytes from byte %zu on, but the variable has only %zu", bytes,
                 offset, (size_t)variable->bytes);
        return copy_refuse(call, "copy-out-of-bounds", variable->address, bytes, detail);
    }
    if (kind == (to_symbol ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice) ||
        kind == cudaMemcpyHostToHost)
        return cudaErrorInvalidMemcpyDirection;
    uint64_t address = variable->address + offset;
    return copy_run(call, (struct copy){.to = to_symbol ? address : argument(call, 0),
                                        .from = to_symbol ? argument(call, 2) : address,
                                        .width = bytes,
                                        .height = 1,
                                        .to_pitch = bytes,
                                        .from_pitch = bytes,
                                        .kind = kind,
                                        .stream = stream_find(call, argument(call, 7)),
                                        .async = async});
}

cudaError_t serve_cudaMemcpyToSymbol(struct call *call)
{
    return copy_symbol(call, true, false);
}

cudaError_t serve_cudaMemcpyToSymbolAsync(struct call *call)
{
    return copy_symbol(call, true, true);
}

cudaError_t serve_cudaMemcpyFromSymbol(struct call *call)
{
    return copy_symbol(call, false, false);
}

cudaError_t serve_cudaMemcpyFromSymbolAsync(struct call *call)
{
    return copy_symbol(call, false, true);
}

cudaError_t serve_cudaGetSymbolAddress(struct call *call)
{
    const struct ptx_variable *variable = module_variable(argument(call, 1));
    if (!argument(call, 0)) return cudaErrorInvalidValue;
    if (variable == NULL) return cudaErrorInvalidSymbol;
    call->reply->result[0] = variable->address;
    return cudaSuccess;
}

cudaError_t serve_cudaGetSymbolSize(struct call *call)
{
    const struct ptx_variable *variable = module_variable(argument(call, 1));
    if (!argument(call, 0)) return cudaErrorInvalidValue;
    if (variable == NULL) return cudaErrorInvalidSymbol;
    call->reply->result[0] = variable->bytes;
    return cudaSuccess;
}

/* ---- three dimensions ----------------------------------------------------------------------- */

static uint64_t begin_of(const struct cudaPitchedPtr *memory, const struct cudaPos *at)
{
    return (uintptr_t)memory->ptr + at->x + (at->y + at->z * memory->ysize) * memory->pitch;
}

/* Copies between pointers; `depth` slices follow each other without gaps. `params` may be
 * unaligned. */
static cudaError_t copy_of_3d(const struct call *call, const void *params, struct stream *stream,
                              bool async, struct copy *copy)
{
    cudaMemcpy3DParms p;
    memcpy(&p, params, sizeof p);
    size_t height = p.extent.height, depth = p.extent.depth;
    if (p.srcArray != NULL || p.dstArray != NULL) {
        call_unknown(call, "copies of three dimensions to and from arrays");
        return cudaErrorNotSupported;
    }
    if (depth > 1 && (p.dstPtr.ysize != height || p.srcPtr.ysize != height)) {
        call_unknown(call, "a copy of a part of each slice");
        return cudaErrorNotSupported;
    }
    if (depth > 0 && height > SIZE_MAX / depth) return cudaErrorInvalidValue;
    *copy = (struct copy){.to = begin_of(&p.dstPtr, &p.dstPos),
                          .from = begin_of(&p.srcPtr, &p.srcPos),
                          .width = p.extent.width,
                          .height = height * depth,
                          .to_pitch = p.dstPtr.pitch,
                          .from_pitch = p.srcPtr.pitch,
                          .kind = p.kind,
                          .stream = stream,
                          .async = async};
    return cudaSuccess;
}

static cudaError_t copy_3d(struct call *call, bool async)
{
    struct copy copy;
    struct stream *stream = async ? stream_find(call, argument(call, 7)) : stream_default();
    if (!argument(call, 0) || call->request->payload < sizeof(cudaMemcpy3DParms))
        return cudaErrorInvalidValue;
    cudaError_t error = copy_of_3d(call, call->payload, stream, async, &copy);
    return error != cudaSuccess ? error : copy_run(call, copy);
}

cudaError_t serve_cudaMemcpy3D(struct call *call)
{
    return copy_3d(call, false);
}

cudaError_t serve_cudaMemcpy3DAsync(struct call *call)
{
    return copy_3d(call, true);
}

/* ---- nodes of graphs ------------------------------------------------------------------------ */

static cudaError_t add_node(struct call *call, struct copy copy)
{
    cudaError_t error = copy_check(call, &copy);
    return error != cudaSuccess ? error : graph_add_node(call, graph_kept(copy_job(&copy)));
}

cudaError_t serve_cudaGraphAddMemcpyNode1D(struct call *call)
{
    size_t bytes = argument(call, 7);
    return add_node(call, (struct copy){.to = argument(call, 5),
                                        .from = argument(call, 6),
                                        .width = bytes,
                                        .height = 1,
                                        .to_pitch = bytes,
                                        .from_pitch = bytes,
                                        .kind = (cudaMemcpyKind)argument_unsigned(call, 8),
                                        .stream = stream_default(),
                                        .async = true});
}

cudaError_t serve_cudaGraphAddMemcpyNode(struct call *call)
{
    struct copy copy;
    const void *params = graph_parameters(call, sizeof(cudaMemcpy3DParms));
    if (params == NULL) return cudaErrorInvalidValue;
    cudaError_t error = copy_of_3d(call, params, stream_default(), true, &copy);
    return error != cudaSuccess ? error : add_node(call, copy);
}
