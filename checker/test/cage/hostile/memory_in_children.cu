// Uses all the memory that it gets, in several processes that share it as a file of no name.
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

int main()
{
    for (int i = 0; i < 4; i++)
        fork();
    for (size_t bytes = 1 << 24;;) {
        void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory != MAP_FAILED) memset(memory, 1, bytes);
    }
}
