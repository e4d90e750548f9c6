// Leaves links and a pipe beside its program, under the names that the judge reads.
#include <cstring>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

int main()
{
    char name[4096] = "";
    if (readlink("/proc/self/exe", name, sizeof name - 1) < 0) return 1;
    *strrchr(name, '/') = '\0';
    const std::string folder = name;
    for (const char *file : {"/trace.jsonl", "/run.json", "/stdout", "/stderr", "/data-0.bin", "/verdict.json"}) {
        unlink((folder + file).c_str());
        if (symlink("/etc/passwd", (folder + file).c_str()) != 0) return 1;
    }
    mkfifo((folder + "/data-1.bin").c_str(), 0666);
    mkdir((folder + "/data-2.bin").c_str(), 0777);
    _exit(0);
}
