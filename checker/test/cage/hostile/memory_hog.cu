// Uses all the memory that it gets.
#include <cstdlib>
#include <cstring>

int main()
{
    for (size_t bytes = 1 << 20;;)
        if (void *memory = malloc(bytes)) memset(memory, 1, bytes);
}
