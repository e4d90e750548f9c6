// Looks for the trace and for the simulated GPU: in its descriptors, its variables, and through the GPU's own messages.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

int main()
{
    float *memory = nullptr;
    cudaMalloc(&memory, 4096);
    for (char **one = environ; *one; one++)
        if (strncmp(*one, "WARPUP_TRACE=", 13) == 0 || strncmp(*one, "WARPUP_KEY=", 12) == 0) _Exit(77);
    for (int file = 3; file < 1024; file++) {
        const std::string name = "/proc/self/fd/" + std::to_string(file);
        struct stat about;
        char target[4096] = "";
        if (fstat(file, &about) != 0) continue;
        if (readlink(name.c_str(), target, sizeof target - 1) > 0 && target[0] == '/' && strstr(target, "memfd:") == nullptr &&
            (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode))) {
            fprintf(stderr, "has %s\n", target);
            _Exit(77);
        }
        if (S_ISSOCK(about.st_mode)) send(file, "{\"event\":\"end\",\"how\":\"exit\"}", 29, MSG_NOSIGNAL);
        if (S_ISREG(about.st_mode) && ftruncate(file, 0) == 0) fprintf(stderr, "cut %s\n", target);
    }
    cudaFree(memory);
    return 1;
}
