/*
 * program.h: the two images of the running program. The executable is the host image; device.so,
 * which it is linked with, is the device image. Both come from one source, so a kernel or a
 * device variable has the same symbol in both: that is how the one is found for the other.
 */
#ifndef WARPUP_PROGRAM_H
#define WARPUP_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens both images' files while they are there: a program may delete itself. Called once, before
 * all else. */
void program_open(void);

/* The device image's function for the host image's one at `function`; NULL when there is none. */
void *program_device_function(const void *function);

/* A symbol of the device image. */
struct device_symbol {
    const char *name; /* as the compiler calls it; lives until the program ends */
    uintptr_t value;  /* its address; of a thread-local variable its offset */
    size_t bytes;
};

/* The device image's next symbol of an ELF type, from 0 on: false after the last. */
bool program_next_symbol(int type, size_t *index, struct device_symbol *symbol);

/* The name without its mangling, or as it is; the caller frees it. */
char *program_demangled(const char *name);

/* A variable's name as the student gave it, into `name`: without what it was declared in. */
void program_short_name(const char *symbol, char *name, size_t room);

/* Finds the device's side of a __device__ or __constant__ variable of the host image. False when
 * `symbol` is not the address of one. */
bool program_device_variable(const void *symbol, char **address, size_t *bytes);

/* True when the bytes lie in the device image's __device__ and __constant__ variables. */
bool program_holds_variable(const void *address, size_t bytes);

/* The next of those variables; false after the last. */
bool program_next_variable(size_t *index, struct device_symbol *symbol);

/* The next section of those variables: its first byte and its size; false after the last. */
bool program_next_variables(size_t *index, char **low, size_t *bytes);

/* Which image does the code at `pc` belong to? Gives its file descriptor, and what to subtract
 * from a running address to get the file's. False when it is neither. */
bool program_image(uintptr_t pc, int *file, uintptr_t *bias);

/* A section of the device image as it stands in the file, where it is when the program runs, and
 * its size; NULL when there is none of this name. */
const void *program_section(const char *name, uintptr_t *at, size_t *bytes);

/* Where the device image's __constant__ variables lie; both NULL when it has none. */
void program_constants(const char **low, const char **high);

/* The student's name of a function of the host image, without its parameters; "kernel" when it is
 * not known. Lives until the program ends. */
const char *program_function_name(const void *function);

#endif
