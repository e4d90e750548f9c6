/*
 * handle.h: the numbers by which a program names what the GPU's process keeps for it. A number is
 * looked up before it is used, and is never given out twice. So a program can pass a wrong or old
 * one, and it is refused.
 */
#ifndef WARPUP_HANDLE_H
#define WARPUP_HANDLE_H

#include <stdint.h>

enum handle_kind {
    HANDLE_STREAM,
    HANDLE_EVENT,
    HANDLE_GRAPH,
    HANDLE_NODE,
    HANDLE_WHOLE,
    HANDLE_ARRAY,
    HANDLE_BLAS,
    HANDLE_RANDOM,
    HANDLE_KINDS
};

/* Gives the object a number. 0: there is no memory. */
uint64_t handle_make(enum handle_kind kind, void *object);

/* The object; NULL if there is none with this number. */
void *handle_find(enum handle_kind kind, uint64_t handle);

/* The number is no longer valid. */
void handle_drop(enum handle_kind kind, uint64_t handle);

#endif
