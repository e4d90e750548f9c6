/* instructions.c: see instructions.h. */
#include "sim/engine/instructions.h"

#include "sim/engine/arithmetic.h"
#include "sim/image/device_image.h"
#include "sim/gpu/profile.h"
#include "sim/image/program.h"

#include <stdlib.h>
#include <string.h>

/* A row of the table of instructions.awk. */
struct row {
    int32_t place; /* of a return address in the code, as an offset from here */
    uint32_t counter;
    uint16_t by_access; /* the place is that of an access, and there is no counter */
    uint16_t issue;     /* in sixteenths of an instruction */
    uint16_t special, doubles, depth, floats;
    uint16_t saved; /* of the divisions of integers, in sixteenths of one: nvcc makes fewer */
    uint16_t roots; /* of floats, among the divisions */
    uint16_t loop;  /* the innermost one of the piece, from 1; 0: none */
    uint16_t together, apart; /* clocks of the L1 for local memory: if all lanes go the same way; if
                                 not */
    uint16_t split; /* clocks that a warp loses when only some of its lanes run the piece */
    uint16_t logic; /* of `issue`: comparisons, shifts, and operations on bits */
};
_Static_assert(sizeof(struct row) == INSTRUCTIONS_ROW_BYTES, "arithmetic.c reads the table too");

/* The last basic block of a loop: a place, as above, and the loop's number. */
struct last_block {
    int32_t place;
    uint32_t loop;
};

static const double SIXTEENTHS = 16;

/* Fewer lanes than this on average: not all lanes of the warps come to an access. */
static const double MOST_LANES = 0.95 * LANES;

static struct {
    const struct row *rows;
    uintptr_t at;
    size_t count;
    uint16_t *depth, *loop, *split; /* of each counter */
    float *clocks;                  /* of an SM's schedulers for a run of a lane, of each counter */
    size_t loops;
    const struct last_block *last;
    uintptr_t last_at;
    size_t last_count;
} table;

/* Sets the clocks of each counter. */
static void count_clocks(void)
{
    const struct profile *gpu = profile();
    for (size_t i = 0; i < arithmetic_counters(); i++) {
        struct arithmetic piece = arithmetic_piece(i);
        table.clocks[i] =
            (float)((double)piece.float_fused / (gpu->flops_per_clock / 2) +
                    (double)piece.double_fused / gpu->doubles_per_clock +
                    (double)piece.count[FLOAT_DIVIDE] / gpu->float_divisions_per_clock +
                    (double)piece.count[DOUBLE_DIVIDE] / gpu->double_divisions_per_clock +
                    (double)piece.count[DIVIDE] / gpu->divisions_per_clock +
                    (double)piece.count[DIVIDE_64] / gpu->divisions_64_per_clock);
    }
    for (size_t i = 0; i < table.count; i++) {
        const struct row *row = &table.rows[i];
        if (row->by_access) continue;
        table.clocks[row->counter] +=
            (float)((row->issue / SIXTEENTHS + row->floats) / LANES / gpu->instructions_per_clock +
                    row->doubles / gpu->doubles_per_clock);
    }
}

double instructions_clocks(const uint64_t *counters)
{
    double clocks = 0;
    for (size_t i = 0; i < arithmetic_counters(); i++)
        clocks += (double)counters[i] * (double)table.clocks[i];
    return clocks;
}

/* Reads the tables, once for all workers. False if there is no memory. */
static bool read_tables(void)
{
    size_t bytes = 0, counters = arithmetic_counters() + 1;
    if (table.depth != NULL) return true;
    table.rows = program_section(".warpup.instructions", &table.at, &bytes);
    table.count = table.rows == NULL ? 0 : bytes / sizeof *table.rows;
    table.last = program_section(".warpup.loops", &table.last_at, &bytes);
    table.last_count = table.last == NULL ? 0 : bytes / sizeof *table.last;
    table.clocks = calloc(counters, sizeof *table.clocks);
    table.depth = calloc(3 * counters, sizeof *table.depth);
    if (table.depth == NULL || table.clocks == NULL) return false;
    table.loop = table.depth + counters;
    table.split = table.loop + counters;
    for (size_t i = 0; i < table.count; i++) {
        const struct row *row = &table.rows[i];
        if (row->loop > table.loops) table.loops = row->loop;
        if (row->by_access) continue;
        table.depth[row->counter] = row->depth;
        table.loop[row->counter] = row->loop;
        table.split[row->counter] = row->split;
    }
    count_clocks();
    return true;
}

bool instructions_make(struct warp_sample *sample)
{
    size_t counters = arithmetic_counters() + 1;
    if (!read_tables()) return false;
    uint64_t *all = calloc((LANES + 2) * counters, sizeof *all);
    if (all == NULL) return false;
    *sample = (struct warp_sample){.warp_runs = all, .lane_runs = all + counters};
    sample->rounds = calloc(table.loops + 1, sizeof *sample->rounds);
    sample->warp_rounds = calloc(table.loops + 1, sizeof *sample->warp_rounds);
    if (sample->rounds == NULL || sample->warp_rounds == NULL) return false;
    for (size_t lane = 0; lane < LANES; lane++)
        sample->lane[lane] = all + (lane + 2) * counters;
    return true;
}

const uint16_t *instructions_known(void)
{
    static uint16_t *known;
    uintptr_t at = 0;
    size_t bytes = 0;
    const int32_t(*rows)[2] = program_section(".warpup.accesses", &at, &bytes);
    if (known != NULL) return known;
    known = calloc(image_bytes() + 1, sizeof *known);
    for (size_t i = 0; known != NULL && rows != NULL && i < bytes / sizeof *rows; i++)
        known[image_place(at + i * sizeof *rows + (uintptr_t)(intptr_t)rows[i][0])] =
            (uint16_t)rows[i][1];
    return known;
}

void instructions_begin_launch(struct warp_sample *sample)
{
    size_t bytes = arithmetic_counters() * sizeof *sample->warp_runs;
    memset(sample->warp_runs, 0, bytes);
    memset(sample->lane_runs, 0, bytes);
    sample->warps = sample->depth_sum = sample->depth_max = 0;
    sample->warp = NULL;
}

/* The loop that has its last basic block at a place; 0: none. */
static uint32_t loop_at(uint32_t place)
{
    for (size_t i = 0; i < table.last_count; i++) {
        const struct last_block *last = &table.last[i];
        uintptr_t at = table.last_at + (uintptr_t)((const char *)last - (const char *)table.last);
        if (image_place(at + (uintptr_t)(intptr_t)last->place) == place) return last->loop;
    }
    return 0;
}

/* How many rounds the warp has made of each loop: at least those of its busiest lane, and as often
 * as it went back from any place. Where a loop goes back from several places, lanes may have gone
 * back from each of them in the same round. */
static void count_warp_rounds(struct warp_sample *sample)
{
    double *rounds = sample->warp_rounds;
    memset(rounds, 0, (table.loops + 1) * sizeof *rounds);
    for (uint32_t i = 0; i < sample->turns.count; i++) {
        uint32_t loop = loop_at(sample->turns.at[i].place);
        if ((double)sample->turns.at[i].warp > rounds[loop])
            rounds[loop] = (double)sample->turns.at[i].warp;
    }
    for (size_t loop = 1; loop <= table.loops; loop++)
        for (int lane = 0; lane < LANES; lane++)
            if ((double)sample->rounds[loop][lane] > rounds[loop])
                rounds[loop] = (double)sample->rounds[loop][lane];
}

/* How many rounds each lane has made of each loop: as many as of the piece that it ran most often.
 */
static void count_rounds(struct warp_sample *sample, size_t count)
{
    memset(sample->rounds, 0, (table.loops + 1) * sizeof *sample->rounds);
    for (size_t i = 0; i < count; i++) {
        uint64_t *rounds = sample->rounds[table.loop[i]];
        for (int lane = 0; table.loop[i] != 0 && lane < LANES; lane++)
            if (sample->lane[lane][i] > rounds[lane]) rounds[lane] = sample->lane[lane][i];
    }
}

/* How often the warp ran a piece. Known is how often each lane ran it, and how many rounds of the
 * loop each lane and the warp made. A piece that each lane runs in each round, the warp runs in
 * each. Lanes that ran it equally often did so together. Others did in rounds of their own: the
 * warp ran it in each round in which one of them did. Then `split` is set. */
static double union_of(const uint64_t runs[LANES], const uint64_t rounds[LANES], double all,
                       bool *split)
{
    uint64_t most = 0, least = UINT64_MAX;
    double none = 1;
    bool always = true;
    *split = false;
    for (int lane = 0; lane < LANES; lane++) {
        if (rounds[lane] == 0) continue;
        if (runs[lane] > most) most = runs[lane];
        if (runs[lane] < least) least = runs[lane];
        always = always && runs[lane] == rounds[lane];
        none *= 1 - (double)runs[lane] / all;
    }
    if (always) return all;
    if (most <= least) return (double)most;
    *split = true;
    double expected = all * (1 - none);
    return expected > (double)most ? expected : (double)most;
}

void instructions_end_warp(struct warp_sample *sample, uint64_t *counters)
{
    double depth = 0;
    size_t count = arithmetic_counters();
    count_rounds(sample, count);
    count_warp_rounds(sample);
    for (size_t i = 0; i < count; i++) {
        uint64_t runs[LANES], most = 0, sum = 0;
        for (int lane = 0; lane < LANES; lane++) {
            runs[lane] = sample->lane[lane][i];
            sample->lane[lane][i] = 0;
            sum += runs[lane];
            if (runs[lane] > most) most = runs[lane];
        }
        if (sum == 0) continue;
        bool split = false;
        double warp = table.loop[i] == 0 ? (double)most
                                         : union_of(runs, sample->rounds[table.loop[i]],
                                                    sample->warp_rounds[table.loop[i]], &split);
        counters[i] += sum;
        sample->lane_runs[i] += sum;
        sample->warp_runs[i] += (uint64_t)(warp + 0.5);
        depth += warp * (table.depth[i] + (split ? table.split[i] : 0));
    }
    sample->warps++;
    sample->depth_sum += (uint64_t)depth;
    if (depth > (double)sample->depth_max) sample->depth_max = (uint64_t)depth;
    sample->warp = NULL;
}

void instructions_join(struct warp_sample *sum, const struct warp_sample *more)
{
    size_t count = arithmetic_counters();
    for (size_t i = 0; i < count; i++) {
        sum->warp_runs[i] += more->warp_runs[i];
        sum->lane_runs[i] += more->lane_runs[i];
    }
    sum->warps += more->warps;
    sum->depth_sum += more->depth_sum;
    if (more->depth_max > sum->depth_max) sum->depth_max = more->depth_max;
}

/* The requests of all accesses at a place, and their lanes */
static struct access_counts counts_at(const struct tally *tally, uint32_t place)
{
    uint16_t index = tally->site_at[place];
    struct access_counts sum = {0};
    if (index == 0) return sum;
    for (size_t i = index - 1u; i < tally->site_count; i++) {
        if (event_place(tally->sites[i].event) != place) continue;
        sum.requests += tally->sites[i].counts.requests;
        sum.lanes += tally->sites[i].counts.lanes;
    }
    return sum;
}

/* How often warps ran the piece with this counter. */
static double warp_runs(const struct tally *tally, const struct warp_sample *sample,
                        uint32_t counter)
{
    double lanes = LANES;
    if (sample->warp_runs[counter] > 0)
        lanes = (double)sample->lane_runs[counter] / (double)sample->warp_runs[counter];
    return (double)tally->counters[counter] / lanes;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* Takes divisions of integers away, those of 32 bits first. */
static void save(struct arithmetic *lanes, uint64_t divisions)
{
    uint64_t *narrow = &lanes->count[DIVIDE], *wide = &lanes->count[DIVIDE_64];
    uint64_t of_narrow = divisions < *narrow ? divisions : *narrow, left = divisions - of_narrow;
    *narrow -= of_narrow;
    *wide -= left < *wide ? left : *wide;
}

/* Do lanes go different ways in a loop? */
static bool goes_apart(const struct warp_sample *sample)
{
    for (size_t i = 0; i < arithmetic_counters(); i++)
        if (table.loop[i] != 0 &&
            (double)sample->lane_runs[i] < MOST_LANES * (double)sample->warp_runs[i])
            return true;
    return false;
}

struct instructions instructions_sum(const struct tally *tally, const struct warp_sample *sample,
                                     uint64_t warps)
{
    struct instructions sum = {0};
    double by_access = 0, saved = 0;
    bool apart = goes_apart(sample);
    for (size_t i = 0; i < table.count; i++) {
        const struct row *row = &table.rows[i];
        uintptr_t at = table.at + (uintptr_t)((const char *)row - (const char *)table.rows);
        uint32_t place = image_place(at + (uintptr_t)(intptr_t)row->place);
        struct access_counts accesses = {0};
        if (row->by_access) accesses = counts_at(tally, place);
        double runs =
            row->by_access ? (double)accesses.requests : warp_runs(tally, sample, row->counter);
        sum.issued += runs * row->issue / SIXTEENTHS;
        sum.logic += runs * row->logic / SIXTEENTHS;
        sum.special += runs * row->special;
        sum.doubles += runs * row->doubles;
        sum.floats += runs * row->floats;
        sum.local += runs * (apart ? row->apart : row->together);
        sum.roots += LANES * runs * row->roots;
        saved += runs * row->saved / SIXTEENTHS;
        bool split = (double)accesses.lanes < MOST_LANES * (double)accesses.requests;
        if (row->by_access) by_access += runs * (row->depth + (split ? row->split : 0));
    }
    for (size_t i = 0; i < arithmetic_counters(); i++) {
        struct arithmetic piece = arithmetic_piece(i);
        double runs = LANES * warp_runs(tally, sample, (uint32_t)i);
        for (int k = 0; k < ARITHMETIC_KINDS; k++)
            sum.lanes.count[k] += (uint64_t)(runs * (double)piece.count[k]);
        sum.lanes.float_fused += (uint64_t)(runs * (double)piece.float_fused);
        sum.lanes.double_fused += (uint64_t)(runs * (double)piece.double_fused);
    }
    sum.lanes.count[FLOAT_DIVIDE] -=
        (uint64_t)smaller(sum.roots, (double)sum.lanes.count[FLOAT_DIVIDE]);
    save(&sum.lanes, (uint64_t)(LANES * saved));
    by_access /= (double)warps;
    sum.depth = by_access;
    if (sample->warps > 0) sum.depth += (double)sample->depth_sum / (double)sample->warps;
    sum.depth_max = by_access + (double)sample->depth_max;
    return sum;
}
