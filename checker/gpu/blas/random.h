/*
 * random.h: what the two sides of curand say to each other.
 */
#ifndef WARPUP_RANDOM_NUMBERS_H
#define WARPUP_RANDOM_NUMBERS_H

/* The kinds of numbers that curandGenerate… makes: words, uniform numbers, normal ones, and those
 * whose logarithm is normal. Odd kinds are double. */
enum random_kind {
    RANDOM_WORDS,
    RANDOM_UNIFORM = 2,
    RANDOM_UNIFORM_DOUBLE,
    RANDOM_NORMAL,
    RANDOM_NORMAL_DOUBLE,
    RANDOM_LOG_NORMAL,
    RANDOM_LOG_NORMAL_DOUBLE,
    RANDOM_KINDS
};

/* The settings of a generator. */
enum random_setting { RANDOM_SEED, RANDOM_OFFSET, RANDOM_STREAM };

#endif
