// Looks for what a submission must not see: users, other students, solutions, the oracle, the ladder, the judge.
#include <cstdio>
#include <cstdlib>
#include <string>

int main()
{
    const std::string lib = getenv("WARPUP_LIB") ? getenv("WARPUP_LIB") : "", top = lib + "/..";
    for (std::string file :
         {std::string("/tmp/warpup-canary"), std::string("/etc/passwd"), std::string("/etc/shadow"),
          std::string("/root/.bashrc"), top + "/README.md", top + "/ex01_axpy/checker/oracle.c",
          top + "/ex01_axpy/checker/ladder.tsv", top + "/ex01_axpy/solutions/series",
          top + "/build/ex01_axpy/judge", top + "/build/run", lib + "/bin/check",
          std::string("ladder.tsv"), std::string("checker/ladder.tsv"), std::string("../view"),
          std::string("/proc/1/environ"), std::string("/proc/2/environ"), std::string("/proc/2/mem")})
        if (FILE *opened = fopen(file.c_str(), "r"))
            if (fgetc(opened) != EOF && !(file == "/proc/1/environ" && feof(opened))) {
                fprintf(stderr, "read %s\n", file.c_str());
                _Exit(77);
            }
    return 1;
}
