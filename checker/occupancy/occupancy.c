/* occupancy.c: see occupancy.h. */
#include "occupancy/occupancy.h"

#include <math.h>
#include <stddef.h>

enum { WARP = 32, REGISTERS = 64 << 10, PARTITIONS = 4, REGISTER_UNIT = 256 };

/* CUDA programming guide, technical specifications per compute capability. */
static const struct occupancy_sm sms[] = {
    {70, 2048, 32, 96, 0},  {75, 1024, 16, 64, 0},   {80, 2048, 32, 164, 1},
    {86, 1536, 16, 100, 1}, {87, 1536, 16, 164, 1},  {89, 1536, 24, 100, 1},
    {90, 2048, 32, 228, 1}, {100, 2048, 32, 228, 1}, {120, 1536, 24, 100, 1},
};

bool occupancy_sm(double capability, struct occupancy_sm *sm)
{
    for (size_t i = 0; i < sizeof sms / sizeof sms[0]; i++)
        if (sms[i].capability == capability) {
            *sm = sms[i];
            return true;
        }
    return false;
}

static double round_up(double value, double granule)
{
    return ceil(value / granule) * granule;
}

/* Each partition of the SM has a quarter of the registers. A warp gets them in whole units. */
static double blocks_by_registers(double warps, double registers)
{
    double per_warp = round_up(WARP * registers, REGISTER_UNIT);
    return floor(PARTITIONS * floor(REGISTERS / PARTITIONS / per_warp) / warps);
}

struct occupancy occupancy_on(const struct occupancy_sm *sm, double threads, double registers,
                              double shared)
{
    double warps = ceil(threads / WARP);
    double shared_unit = sm->capability < 80 ? 256 : 128;
    double shared_bytes = round_up(shared + 1024 * sm->reserved_kb, shared_unit);
    const struct {
        const char *name;
        double blocks;
    } limits[] = {
        {"threads", floor(sm->threads / WARP / warps)},
        {"registers", registers > 0 ? blocks_by_registers(warps, registers) : INFINITY},
        {"shared memory", shared > 0 ? floor(1024 * sm->shared_kb / shared_bytes) : INFINITY},
        {"blocks", sm->blocks},
    };
    struct occupancy occupancy = {.blocks_per_sm = INFINITY};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (limits[i].blocks < occupancy.blocks_per_sm) {
            occupancy.blocks_per_sm = limits[i].blocks;
            occupancy.limited_by = limits[i].name;
        }
    occupancy.value = occupancy.blocks_per_sm * warps * WARP / sm->threads;
    return occupancy;
}
