/*
 * occupancy.c: prints the occupancy of many blocks by the rule of the lab's verdict, whose functions
 * it includes as they are: capability, threads, registers, shared bytes, blocks on an SM, what limits
 * them, occupancy.
 */
#include "occupancy/occupancy.c"

#include <stdio.h>

int main(void)
{
    static const double registers[] = {0, 16, 24, 32, 33, 40, 63, 64, 65, 96, 128, 168, 255};
    /* Around 22400 bytes the number of blocks depends on how the shared memory is rounded. */
    static const double shared[] = {0,     1,     255,   1024,  4096,  12000, 16384, 22272, 22273,
                                    22320, 22400, 22401, 33000, 45696, 49152, 80000, 98304, 166912, 232448};
    for (size_t sm = 0; sm < sizeof sms / sizeof sms[0]; sm++)
        for (int threads = 1; threads <= 1024; threads += threads < 32 ? 31 : 48)
            for (size_t r = 0; r < sizeof registers / sizeof registers[0]; r++)
                for (size_t s = 0; s < sizeof shared / sizeof shared[0]; s++) {
                    struct occupancy held = occupancy_on(&sms[sm], threads, registers[r], shared[s]);
                    printf("%g\t%d\t%g\t%g\t%g\t%s\t%.9f\n", sms[sm].capability, threads, registers[r],
                           shared[s], held.blocks_per_sm, held.limited_by, held.value);
                }
}
