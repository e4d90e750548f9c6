/*
 * begin.c: see begin.h. The library is loaded with the program. Before main() it connects the
 * program to the GPU's process: the one that has started the program, or one that it starts itself,
 * `gpu --serve` beside the library. The library reports to such a GPU how the program ends; the
 * other one sees it.
 */
#define _GNU_SOURCE

#include "gpu/cudart/client.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HIGH = 400 /* descriptors: the program's own begin at 3, as always */ };

/* Removes a variable from the environment and erases its name and value, so that the program cannot
 * read them. */
static void forget(const char *name)
{
    char *text = getenv(name);
    if (text == NULL) return;
    char *begin = text - strlen(name) - 1;
    size_t bytes = (size_t)(text - begin) + strlen(text);
    unsetenv(name);
    memset(begin, 0, bytes);
}

/* ---- a GPU for a program that was started alone --------------------------------------------- */

static void say(const char *what)
{
    fprintf(stderr, "warp-up: the simulated GPU cannot start: %s: %s\n", what, strerror(errno));
}

/* The GPU's program: what WARPUP_GPU says, or the file beside this library. */
static bool find_gpu(char *path, size_t room)
{
    const char *wanted = getenv("WARPUP_GPU");
    Dl_info library;
    if (wanted != NULL && wanted[0] != '\0') return snprintf(path, room, "%s", wanted) < (int)room;
    if (dladdr((void *)(uintptr_t)find_gpu, &library) == 0 ||
        realpath(library.dli_fname, path) == NULL)
        return false;
    char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash + 1 - path);
    return snprintf(path + length, room - length, "gpu") < (int)(room - length);
}

/* The GPU is not a child of the program, because the program may wait for all of its children. */
static bool start_gpu(const char *path, int socket, int box)
{
    char descriptors[40];
    char *const arguments[] = {(char *)(uintptr_t)path, "--serve", descriptors, NULL};
    int status;
    snprintf(descriptors, sizeof descriptors, "%d,%d", socket, box);
    pid_t child = fork();
    if (child == 0) {
        if (fork() != 0) syscall(SYS_exit_group, 0);
        fcntl(socket, F_SETFD, 0);
        fcntl(box, F_SETFD, 0);
        execv(path, arguments);
        say(path);
        syscall(SYS_exit_group, 2);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return child > 0;
}

static int make_box(void)
{
    for (long bytes = WIRE_BOX; bytes >= 64 << 10; bytes /= 4) {
        int box = memfd_create("warp-up box", MFD_CLOEXEC);
        if (box < 0 || ftruncate(box, bytes) == 0) return box;
        close(box);
    }
    return -1;
}

static int high(int file)
{
    int copy = fcntl(file, F_DUPFD_CLOEXEC, HIGH);
    if (copy < 0) return file;
    close(file);
    return copy;
}

void begin_alone(void)
{
    char path[4096];
    int pair[2], box = make_box();
    if (box < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        say("no descriptors");
        return;
    }
    box = high(box);
    pair[0] = high(pair[0]);
    pair[1] = high(pair[1]);
    if (!find_gpu(path, sizeof path) || !start_gpu(path, pair[1], box)) {
        say("its program");
        return;
    }
    close(pair[1]);
    client_connect(pair[0], box, false);
}

/* ---- begin and end -------------------------------------------------------------------------- */

_Noreturn void end_quickly(int status)
{
    for (;;)
        syscall(SYS_exit_group, status);
}

/* The last thing that exit() does. */
static void finish(int status, void *unused)
{
    (void)unused;
    struct remote remote = {.request.argument = {(uint64_t)(int64_t)status}};
    if (!client_is_child()) client_call_last(&remote, WIRE_finished, NULL, false);
}

static void finish_quickly(void)
{
    finish(0, NULL);
}

/* Replaces the C library's function: a program that exits this way has ended too. */
_Noreturn void _exit(int status)
{
    finish(status, NULL);
    end_quickly(status);
}

_Noreturn void _Exit(int status)
{
    _exit(status);
}

static __attribute__((constructor)) void begin(void)
{
    int socket, box;
    const char *given = getenv(WIRE_ENVIRONMENT);
    setenv("OMP_WAIT_POLICY", "passive", 0); /* the GPU needs the cores that would wait */
    bool has_gpu = given != NULL && sscanf(given, "%d,%d", &socket, &box) == 2;
    unsetenv(WIRE_ENVIRONMENT);
    /* The GPU that has started a script serves only the first program of it. */
    if (!has_gpu || !client_connect(socket, box, true)) begin_alone();
    forget("WARPUP_TRACE");
    forget("WARPUP_KEY");
    forget("WARPUP_PERTURB");
    forget("WARPUP_LARGER");
    signals_begin();
    on_exit(finish, NULL);
    at_quick_exit(finish_quickly);
}
