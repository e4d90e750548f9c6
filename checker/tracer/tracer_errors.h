/*
 * tracer_errors.h: the name and the text of a runtime error code.
 */
#ifndef WARPUP_TRACER_ERRORS_H
#define WARPUP_TRACER_ERRORS_H

/* The name and the text of an error code; those of cudaErrorUnknown if the table has no row for it.
 */
const char *error_name(int code);
const char *error_text(int code);

#endif
