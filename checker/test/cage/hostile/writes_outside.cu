// Writes where it must not.
#include <cstdio>
#include <cstdlib>
#include <string>

int main()
{
    const std::string lib = getenv("WARPUP_LIB") ? getenv("WARPUP_LIB") : "", top = lib + "/..";
    for (std::string file :
         {std::string("/tmp/warpup-canary"), std::string("/etc/passwd"), std::string("/usr/bin/g++"),
          std::string("/etc/profile.d/hostile.sh"), top + "/README.md", top + "/build/libcudart.so",
          top + "/ex01_axpy/checker/oracle.c", lib + "/gpu/profiles/h200.tsv",
          std::string("/cage"), std::string("/proc/sys/kernel/core_pattern")})
        if (FILE *opened = fopen(file.c_str(), file == "/tmp/warpup-canary" ? "r+" : "a"))
            if (fputs("hostile\n", opened) >= 0 && fflush(opened) == 0) {
                fprintf(stderr, "wrote %s\n", file.c_str());
                _Exit(77);
            }
    return 1;
}
