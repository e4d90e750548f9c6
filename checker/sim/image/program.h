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

/* Opens the files of both images, because a program may delete itself later. Called once, before
 * everything else. */
void program_open(void);

/* The device image's function for the host image's `function`; NULL if there is none. */
void *program_device_function(const void *function);

/* A symbol of the device image. */
struct device_symbol {
    const char *name; /* as the compiler calls it; lives until the program ends */
    uintptr_t value;  /* its address; of a thread-local variable its offset */
    size_t bytes;
};

/* Its functions, its __device__ and __constant__ variables, its __shared__ variables. */
enum device_symbols { DEVICE_FUNCTIONS, DEVICE_VARIABLES, DEVICE_SHARED };

/* All symbols of a kind, in the order of their values. The first call for a kind reads them, and
 * must not run at the same time as others. */
const struct device_symbol *program_symbols(enum device_symbols kind, size_t *count);

/* Writes a variable's name as in the source into `name`: without its function or namespace. */
void program_short_name(const char *symbol, char *name, size_t room);

/* Finds the device's side of a __device__ or __constant__ variable of the host image. False when
 * `symbol` is not the address of one. */
bool program_device_variable(const void *symbol, char **address, size_t *bytes);

/* True if the bytes are in the device image's __device__ and __constant__ variables. */
bool program_holds_variable(const void *address, size_t bytes);

/* The next section of those variables: its first byte and its size; false after the last. */
bool program_next_variables(size_t *index, char **low, size_t *bytes);

/* The image that contains the code at `pc`: its file descriptor, and what to subtract from an
 * address in memory to get the address in the file. False if it is in neither image. */
bool program_image(uintptr_t pc, int *file, uintptr_t *bias);

/* A section of the device image as it is in the file, its address in memory, and its size; NULL if
 * there is no section of this name. */
const void *program_section(const char *name, uintptr_t *at, size_t *bytes);

/* Addresses from `low` up to `high`. */
struct program_part {
    uintptr_t low, high;
};

static inline bool program_is_in(const struct program_part *part, uintptr_t address)
{
    return address >= part->low && address < part->high;
}

/* The device image in memory: all of it, its writable part, its __constant__ variables. */
void program_device_parts(struct program_part *all, struct program_part *data,
                          struct program_part *constants);

/* Where the calling OS thread has the image's __shared__ variables; 0 bytes when it has none. */
char *program_shared(size_t *bytes);

/* The student's name of a function of the host image, without its parameters; "kernel" when it is
 * not known. Lives until the program ends. */
const char *program_function_name(const void *function);

#endif
