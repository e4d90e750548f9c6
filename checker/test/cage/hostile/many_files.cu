// Makes as many files as it can.
#include <cstdio>

int main()
{
    char name[64];
    for (int i = 0;; i++) {
        snprintf(name, sizeof name, "/tmp/%d", i);
        FILE *file = fopen(name, "w");
        if (file == nullptr) return 1;
        fclose(file);
    }
}
