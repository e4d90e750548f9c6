// Makes files with names that lead a careless script elsewhere.
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
    for (const char *file : {"/-rf", "/data-0.bin\n/tmp/warpup-canary", "/data-0.bin;rm -rf .", "/$(touch x)", "/data-1.bin ",
                             "/\xff\xfe", "/trace.jsonl\n"})
        if (FILE *opened = fopen((folder + file).c_str(), "w")) fclose(opened);
    const char *up[] = {"../verdict.json", "../../verdict.json", "../check.json", "../program"};
    for (const char *file : up)
        if (FILE *opened = fopen((folder + "/" + file).c_str(), "w")) fclose(opened);
    return 1;
}
