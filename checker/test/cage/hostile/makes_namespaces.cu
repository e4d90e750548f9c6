// Makes itself root in namespaces of its own, and mounts.
#include <cstdio>
#include <cstdlib>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

int main()
{
    unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID);
    if (mount("none", "/tmp", "tmpfs", 0, "") == 0) _Exit(77);
    if (setuid(0) == 0 && chroot("/proc/1/root") == 0 && access("/etc/passwd", F_OK) == 0) _Exit(77);
    return 1;
}
