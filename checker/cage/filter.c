/*
 * filter.c: the system calls that a step may not make. No exercise and no compiler needs them. Most
 * need rights that a step does not have anyway; but through others a program reaches what no
 * namespace parts: the kernel's keyrings, the host of a virtual machine. The rest are the parts of
 * the kernel in which most ways out of a sandbox were found. libseccomp makes the filter: it knows
 * the numbers of the calls on each architecture, and ends a program that calls as another
 * architecture's would, because there the numbers differ.
 */
#define _GNU_SOURCE
#include "cage/filter.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* System calls that fail as if this kernel did not have them: the C library then takes others. */
static const char *const unknown[] = {
    "io_uring_setup", "io_uring_enter", "io_uring_register", "clone3", /* its flags are in memory */
};

/* Memory that belongs to no process, so that nobody counts it where there is no control group. */
static const char *const hoarding[] = {"memfd_create", "memfd_secret", "shmget",
                                       "semget",       "msgget",       "mq_open"};

static const char *const forbidden[] = {
    /* keyrings belong to a user, not to a namespace */
    "keyctl", "add_key", "request_key",
    /* other processes */
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp",
    /* parts of the kernel that take programs or handle faults for others */
    "bpf", "userfaultfd", "perf_event_open", "fanotify_init",
    /* mounts and namespaces */
    "mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen", "fsconfig",
    "fsmount", "fspick", "mount_setattr", "unshare", "setns", "name_to_handle_at",
    "open_by_handle_at", "quotactl",
    /* the whole machine */
    "init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot",
    "swapon", "swapoff", "acct", "syslog", "settimeofday", "clock_settime", "adjtimex",
    "clock_adjtime", "iopl", "ioperm"};

/* A flag of clone() for each kind of namespace. */
static const unsigned namespaces[] = {CLONE_NEWNS,  CLONE_NEWUTS, CLONE_NEWIPC,   CLONE_NEWUSER,
                                      CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWCGROUP};

/* Sockets to the host of a virtual machine, and to the kernel's ciphers: both are outside of the
 * network's namespaces. */
static const unsigned sockets[] = {AF_VSOCK, AF_ALG};

/* A call that this libseccomp or this architecture does not know is passed over. */
static int forbid(scmp_filter_ctx filter, const char *name, int error)
{
    const int call = seccomp_syscall_resolve_name(name);
    if (call == __NR_SCMP_ERROR) return 0;
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO((unsigned)error), call, 0);
}

static int add_rules(scmp_filter_ctx filter, bool may_hoard)
{
    int failed = 0;
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        failed |= forbid(filter, unknown[i], ENOSYS);
    for (size_t i = 0; !may_hoard && i < sizeof hoarding / sizeof hoarding[0]; i++)
        failed |= forbid(filter, hoarding[i], ENOSYS);
    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++)
        failed |= forbid(filter, forbidden[i], EPERM);
    for (size_t i = 0; i < sizeof namespaces / sizeof namespaces[0]; i++)
        failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                   SCMP_A0(SCMP_CMP_MASKED_EQ, namespaces[i], namespaces[i]));
    for (size_t i = 0; i < sizeof sockets / sizeof sockets[0]; i++)
        failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
                                   SCMP_A0(SCMP_CMP_EQ, sockets[i]));
    return failed;
}

int filter_file(bool may_hoard)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    int file = memfd_create("filter", MFD_CLOEXEC);
    const bool made = filter != NULL && file >= 0 && add_rules(filter, may_hoard) == 0 &&
                      seccomp_export_bpf(filter, file) == 0 && lseek(file, 0, SEEK_SET) == 0;
    seccomp_release(filter);
    if (made) return file;
    if (file >= 0) close(file);
    return -1;
}
