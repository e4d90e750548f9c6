/*
 * older.c: lets packed fuzz targets run where glibc is older than here: arc4random(), which
 * libstdc++ asks for, came with glibc 2.36.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

uint32_t arc4random(void);

uint32_t arc4random(void)
{
    uint32_t number;
    if (getrandom(&number, sizeof number, 0) != sizeof number) abort();
    return number;
}
