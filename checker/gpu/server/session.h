/*
 * session.h: the conversation with one program, from its first message to its end.
 */
#ifndef WARPUP_SESSION_H
#define WARPUP_SESSION_H

#include <stdbool.h>

/* Opens the trace and writes its first record. Called before the program speaks. */
void session_open(void);

/* True after the program's first message: calls are served only then. */
bool session_has_begun(void);

/* Serves calls until the program has ended. */
void session_serve(void);

/* Writes what is known at the program's end, and closes the trace: it exited with `status`, or
 * `signal` ended it (0: none). Only the first call counts. */
void session_close(int status, int signal);

/* The program tells its end itself (serve_finished(), serve_crashed()), because this process did
 * not start it. */
extern bool session_believes_end;

#endif
