/*
 * calls.c: which system calls of those that lead out of a sandbox does the kernel do for this
 * process? It prints their names.
 *
 *   calls                     tries them
 *   calls KEY COMMAND...      adds a key to the session's keyring, and becomes the command
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static void report(const char *name, long result)
{
    if (result != -1 || (errno != EPERM && errno != ENOSYS)) puts(name);
}

static long copy_own_memory(void)
{
    char from = 'a', to = 'b';
    struct iovec source = {&from, 1}, target = {&to, 1};
    return process_vm_readv(getpid(), &target, 1, &source, 1, 0);
}

int main(int argc, char **argv)
{
    char parameters[256] = {0};
    if (argc > 2) {
        syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
        if (syscall(SYS_add_key, "user", argv[1], "secret", 6L, KEY_SPEC_SESSION_KEYRING) < 0)
            return 1;
        execvp(argv[2], argv + 2);
        return 1;
    }
    report("keyctl", syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 0));
    report("add_key", syscall(SYS_add_key, "user", "k", "v", 1L, KEY_SPEC_USER_KEYRING));
    report("request_key", syscall(SYS_request_key, "user", "k", NULL, 0));
    report("io_uring_setup", syscall(SYS_io_uring_setup, 0, parameters));
    report("process_vm_readv", copy_own_memory());
    report("userfaultfd", syscall(SYS_userfaultfd, 0x7fffffffL));
    report("bpf", syscall(SYS_bpf, 0x7fffL, parameters, sizeof parameters));
    report("perf_event_open", syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0L));
    report("mount", syscall(SYS_mount, NULL, NULL, NULL, 0L, NULL));
    report("setns", syscall(SYS_setns, -1, 0));
    report("unshare", syscall(SYS_unshare, (long)CLONE_NEWUSER | 0x7f));
    report("clone", syscall(SYS_clone, (long)CLONE_NEWUSER | CLONE_SIGHAND, NULL, NULL, NULL, 0L));
    report("clone3", syscall(SYS_clone3, parameters, 0L));
    report("vsock", socket(AF_VSOCK, -1, 0));
    report("ptrace", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    return 0;
}
