/* sizes.h: the runs that an exercise's sizes.tsv plans, with this seed's numbers. */
#ifndef WARPUP_SIZES_H
#define WARPUP_SIZES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIZE_ARGUMENTS_MAX = 16 };

struct size {
    bool sim, real;        /* the devices that run it */
    const char *purpose;   /* right, may_refuse, right_if_..., speed, speed_second_shape */
    const char *arguments; /* "1000 31" */
    const char *larger;    /* its launches are also tried for these; NULL: they are not */
    char *argv[SIZE_ARGUMENTS_MAX + 1];
    int argc;
    double product; /* of the arguments */
};

struct size_list {
    struct size *list;
    size_t count;
};

/* Reads sizes.tsv and draws its numbers: 1001..3000 is a number in a range, prime:1001..3000 a
 * prime one, and commas separate alternatives. The seed and the row choose, so both devices run the
 * same sizes. NULL, or what is wrong with the file. */
const char *sizes_read(const char *path, uint64_t seed, struct size_list *sizes);

/* The first size after `before` (NULL: of all) for a device and a purpose; NULL after the last. */
const struct size *sizes_next(const struct size_list *sizes, const struct size *before, bool real,
                              const char *purpose);

/* The last size for a device and a purpose; NULL: none. */
const struct size *sizes_last(const struct size_list *sizes, bool real, const char *purpose);

/* The number of sizes for a device and a purpose. */
int sizes_count(const struct size_list *sizes, bool real, const char *purpose);

#endif
