/*
 * registers.c: how many registers ptxas would give a thread, estimated from how many 32-bit values
 * live at once.
 */
#include "gpu/ptx/reader.h"

uint32_t registers_of_pressure(uint32_t pressure)
{
    return pressure + 8 < 16 ? 16 : pressure + 8;
}
