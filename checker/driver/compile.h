/* compile.h: the student's file becomes a program for each device. */
#ifndef WARPUP_COMPILE_H
#define WARPUP_COMPILE_H

#include <jansson.h>
#include <stdbool.h>

/* Starts the compilers of both devices, and the programs that measure the real GPU's limits. */
void compile_start(bool is_limited_by_cublas, bool measures_bus);

/* True if the compiler for the real GPU and what measures its limits have ended. */
bool compile_is_over(void);

/* Waits for the compiler of a device. Returns how it ended: 0 success; 1 an error of the program; 2
 * the simulated GPU does not know something; 3 an error of the lab or of this machine. `record`
 * gets the entry for check.json. */
int compile_finish(bool real, json_t **record);

/* The path of the file with the compiler's message about an error of the program; "" if it has
 * found none. */
const char *compile_log(void);

/* After the compiler for the real GPU: what the limit's programs have measured is in limit.json and
 * bus.json. Returns why there is no limit, or NULL. */
const char *limits_finish(bool measures_bus);

#endif
