/*
 * tracer_errors.h: the name and the text of a runtime error code.
 */
#ifndef WARPUP_TRACER_ERRORS_H
#define WARPUP_TRACER_ERRORS_H

/* Those of cudaErrorUnknown if the table has no row for the code. */
const char *error_name(int code);
const char *error_text(int code);

#endif
