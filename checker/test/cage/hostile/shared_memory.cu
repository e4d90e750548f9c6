// Leaves shared memory that belongs to no process.
#include <cstring>
#include <sys/ipc.h>
#include <sys/shm.h>

int main()
{
    for (;;) {
        int segment = shmget(IPC_PRIVATE, 1 << 26, IPC_CREAT | 0600);
        void *memory = segment < 0 ? (void *)-1 : shmat(segment, nullptr, 0);
        if (memory == (void *)-1) return 1;
        memset(memory, 1, 1 << 26);
        shmdt(memory);
    }
}
