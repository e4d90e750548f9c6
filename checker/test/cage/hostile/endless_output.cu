// Prints without end.
#include <cstdio>

int main()
{
    for (;;)
        puts("CPU     1.0 ms      1.0 GB/s");
}
