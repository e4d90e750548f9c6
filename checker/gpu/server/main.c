/*
 * main.c: build/gpu, the process that is the simulated GPU.
 *
 *   gpu PROGRAM ARGUMENT…     runs the program with this process as its GPU, and ends as it ends
 *   gpu --serve SOCKET,BOX    is the GPU of the program that has started it (libcudart.so does)
 *   gpu --check FILE.ptx…     reads PTX and prints what is wrong with it (check.c)
 *
 * WARPUP_TRACE names the directory of the trace (trace/README.md). The other variables are those of
 * the rooms.
 */
#include "gpu/server/check.h"
#include "gpu/server/session.h"
#include "gpu/server/start.h"

#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

static int serve_other(const char *descriptors)
{
    session_believes_end = true;
    start_attach(descriptors);
    session_open();
    session_serve();
    return 0;
}

static int run(char **argv)
{
    int status, signal;
    start_program(argv);
    session_open();
    session_serve();
    start_wait(&status, &signal);
    session_close(status, signal);
    start_end_likewise(status, signal);
}

int main(int argc, char **argv)
{
    prctl(PR_SET_DUMPABLE, 0L);
    if (argc >= 3 && strcmp(argv[1], "--check") == 0) return check_files(argc - 2, argv + 2);
    if (argc == 3 && strcmp(argv[1], "--serve") == 0) return serve_other(argv[2]);
    if (argc >= 2 && argv[1][0] != '-') return run(argv + 1);
    fprintf(stderr, "usage: gpu PROGRAM ARGUMENT... | gpu --check FILE.ptx...\n");
    return 2;
}
