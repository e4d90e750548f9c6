/*
 * main.c: build/gpu, the process that is the simulated GPU.
 *
 *   gpu [--variables FILE] PROGRAM ARGUMENT…
 *       runs the program with this process as its GPU, and ends as it ends. FILE has lines
 *       NAME=VALUE for this process alone, because some launchers keep no environment (env -i, some
 *       of srun's). It is removed before the program starts.
 *   gpu --serve SOCKET,BOX
 *       is the GPU of the program that has started it (libcudart.so does)
 *
 * WARPUP_TRACE names the directory of the trace (trace/README.md). The other variables are those of
 * the rooms.
 */
#include "gpu/server/session.h"
#include "gpu/server/start.h"
#include "gpu/time/profile.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static int serve_other(const char *descriptors)
{
    session_believes_end = true;
    start_attach(descriptors);
    session_open();
    session_serve();
    return 0;
}

static int run(char **argv, const char *variables)
{
    int status, signal;
    struct start_variables *own = variables == NULL ? NULL : start_read_variables(variables);
    start_program(argv);
    start_set_variables(own);
    session_open();
    start_change_user();
    session_serve();
    start_wait(&status, &signal);
    session_close(status, signal);
    start_end_likewise(status, signal);
}

/* Where standard streams are closed, other files must not get their numbers. */
static void open_streams(void)
{
    int file;
    while ((file = open("/dev/null", O_RDWR)) >= 0 && file <= STDERR_FILENO)
        continue;
    if (file >= 0) close(file);
}

int main(int argc, char **argv)
{
    open_streams();
    prctl(PR_SET_DUMPABLE, 0L);
    /* Each launch needs about the same memory again: glibc must not return it to the system. */
    mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the highest that glibc accepts */
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    if (argc == 2 && strcmp(argv[1], "--profile") == 0) return profile()->sms > 0 ? 0 : 2;
    if (argc == 3 && strcmp(argv[1], "--serve") == 0) return serve_other(argv[2]);
    char **program = argv + 1, *variables = NULL;
    if (argc >= 3 && strcmp(argv[1], "--variables") == 0) variables = argv[2], program += 2;
    if (*program != NULL && (*program)[0] != '-') return run(program, variables);
    fprintf(stderr, "usage: gpu [--variables FILE] PROGRAM ARGUMENT... | gpu --profile\n");
    return 2;
}
