// Writes as much as it can, wherever it can.
#include <cstdio>
#include <cstring>

int main()
{
    static char block[1 << 20];
    memset(block, 1, sizeof block);
    for (const char *name : {"fill", "/tmp/fill", "/dev/shm/fill", "/fill", "/dev/fill"})
        if (FILE *file = fopen(name, "w"))
            while (fwrite(block, sizeof block, 1, file) == 1)
                continue;
    return 1;
}
