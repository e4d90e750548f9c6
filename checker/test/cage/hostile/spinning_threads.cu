// Its threads all compute at the same time, and never end. They are threads of one process.
#include <thread>

int main()
{
    for (int i = 0; i < 200; i++)
        std::thread([] {
            for (volatile unsigned long round = 0;; round = round + 1)
                continue;
        }).detach();
    for (;;)
        std::this_thread::yield();
}
