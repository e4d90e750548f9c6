/*
 * table.c: the calls that a program may send, by their number: name, function, and whether runtime/
 * or this room serves it. Made from wire/calls.def.
 */
#include "gpu/server/table.h"

#include "gpu/wire/serve.h"

#define CALL(name) serve_function serve_##name;
#define OWN(name)  serve_function serve_##name;
#define CUDA(name)
#include "gpu/wire/calls.def"

const struct table_entry table[WIRE_CALLS] = {
#define CALL(name) [WIRE_##name] = {#name, serve_##name, false},
#define CUDA(name) [WIRE_##name] = {#name, take_##name, false},
#define OWN(name)  [WIRE_##name] = {#name, serve_##name, true},
#include "gpu/wire/calls.def"
};
