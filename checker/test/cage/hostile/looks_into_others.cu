// Looks for other processes, and reads their memory and their environment.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <string>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>

static bool has(const std::string &file, const char *text)
{
    static char content[1 << 16];
    FILE *opened = fopen(file.c_str(), "r");
    if (opened == nullptr) return false;
    size_t length = fread(content, 1, sizeof content, opened);
    fclose(opened);
    return memmem(content, length, text, strlen(text)) != nullptr;
}

int main()
{
    DIR *processes = opendir("/proc");
    while (dirent *entry = readdir(processes)) {
        const int process = atoi(entry->d_name);
        if (process == 0 || process == getpid()) continue;
        const std::string folder = std::string("/proc/") + entry->d_name;
        char byte, *there = (char *)0x400000;
        iovec here = {&byte, 1}, remote = {there, 1};
        if (has(folder + "/environ", "WARPUP_KEY") || has(folder + "/cmdline", "warpup-canary") ||
            has(folder + "/cmdline", "judge") || has(folder + "/cmdline", "build/gpu") || process_vm_readv(process, &here, 1, &remote, 1, 0) == 1)
            _Exit(77);
        ptrace(PTRACE_ATTACH, process, nullptr, nullptr);
    }
    return 1;
}
