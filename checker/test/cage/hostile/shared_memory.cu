// Leaves memory that belongs to no process: in files without names, then in shared memory.
#include <cstring>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

static char page[1 << 20];

int main()
{
    memset(page, 1, sizeof page);
    for (int file = memfd_create("x", 0), i = 0; file >= 0 && i < 64 << 8; i++) {
        if (i % 64 == 0) file = memfd_create("x", 0);
        if (write(file, page, sizeof page) < 0) return 1;
    }
    for (;;) {
        int segment = shmget(IPC_PRIVATE, 1 << 26, IPC_CREAT | 0600);
        void *memory = segment < 0 ? (void *)-1 : shmat(segment, nullptr, 0);
        if (memory == (void *)-1) return 1;
        memset(memory, 1, 1 << 26);
        shmdt(memory);
    }
}
