// Uses all the memory that it gets.
#include <cstdlib>
#include <cstring>

void *volatile last; // what nobody uses, a compiler does not allocate

int main()
{
    for (size_t bytes = 1 << 20;;)
        if (void *memory = malloc(bytes)) last = memset(memory, 1, bytes);
}
