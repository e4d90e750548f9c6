/*
 * inputs.h: what the oracles share. The inputs are bit for bit those of the starters: 24 bits of a
 * hash of (seed, array, index), as a float in [-1, 1), scaled and shifted. Each exercise's README
 * has the formulas.
 */
#ifndef WARPUP_INPUTS_H
#define WARPUP_INPUTS_H

#include "judge/oracle/oracle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static inline float input_hashed(uint64_t seed, uint64_t array, uint64_t i)
{
    uint64_t h = (4 * seed + array) * UINT64_C(0x9e3779b97f4a7c15) + i;
    h = (h ^ (h >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ (h >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
    return (float)(uint32_t)(h >> 40) / 8388608.0f - 1.0f;
}

/* A float without its last bits, as the rounding says. */
static inline float input_rounded(float value, const struct oracle_rounding *rounding)
{
    uint32_t word, last = UINT32_C(1) << rounding->bits;
    memcpy(&word, &value, sizeof word);
    if (rounding->way == ORACLE_TO_EVEN) word += last / 2 - 1 + (word >> rounding->bits & 1);
    if (rounding->way == ORACLE_AWAY) word += last / 2;
    word &= ~(last - 1);
    memcpy(&value, &word, sizeof value);
    return value;
}

/* A perturbed number is 1 away, towards 0 and beyond: it stays in [-1, 1), like every input, so
 * that a program's own checks accept it. perturb.c in gpu/memory does the same to the GPU's memory.
 */
static inline double input_perturbed(float value)
{
    return value < 0 ? (double)value + 1 : (double)value - 1;
}

/* Element i of an input array, perturbed or rounded where the problem asks for that. */
static inline double input_at(const struct oracle_problem *problem, unsigned array, size_t i)
{
    const struct oracle_input *input = &problem->inputs[array];
    float value = input->offset + input->scale * input_hashed(problem->seed, array, i);
    for (size_t k = 0; k < problem->perturbed.count; k++)
        if (value == problem->perturbed.numbers[k]) return input_perturbed(value);
    bool rounded = (problem->rounding.arrays >> array & 1) != 0;
    return rounded ? input_rounded(value, &problem->rounding) : value;
}

/* Element i of an input array, as input_at(). Returns false when there is no such array or element.
 */
static inline bool input_find(const struct oracle_problem *problem, size_t array, size_t i,
                              double *value)
{
    if (array >= ORACLE_INPUTS_MAX || i >= problem->inputs[array].length) return false;
    *value = input_at(problem, (unsigned)array, i);
    return true;
}

/* A wrong formula in words, and the value that it gives. A list of them ends with one without
 * words. */
struct formula {
    const char *words;
    double value;
};

/* The k-th formula of a list, as oracle_mistake() returns it. */
static inline const char *input_formula(const struct formula *list, size_t k, double *value)
{
    for (; k > 0 && list->words != NULL; k--)
        list++;
    *value = list->value;
    return list->words;
}

/* Reads an argument that is a whole number from 1 to `most`; returns 0 for anything else. */
static inline size_t input_argument(const char *text, size_t most)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    bool whole = text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
    return whole && number <= most ? (size_t)number : 0;
}

#endif
