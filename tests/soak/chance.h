/**
 * @file chance.h
 * Random numbers that are the same everywhere for one seed: splitmix64 (Steele, Lea and Flood 2014).
 */
#ifndef SOAK_CHANCE_H
#define SOAK_CHANCE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct chance {
    uint64_t state;
} chance;

static inline uint64_t chance_bits(chance *c)
{
    uint64_t z = c->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/** In [low, high). */
static inline double chance_in(chance *c, double low, double high)
{
    return low + (high - low) * ((double)(chance_bits(c) >> 11) * 0x1p-53);
}

/** 0 ... n - 1. */
static inline int chance_below(chance *c, int n)
{
    return (int)(chance_bits(c) % (uint64_t)n);
}

static inline bool chance_of(chance *c, double probability)
{
    return chance_in(c, 0, 1) < probability;
}

/** A number as a person would write it: three digits. */
static inline double chance_short(double x)
{
    char text[32];
    snprintf(text, sizeof text, "%.3g", x);
    return strtod(text, NULL);
}

static inline double chance_number(chance *c, double low, double high)
{
    return chance_short(chance_in(c, low, high));
}

/** Every size between `low` and `high` is as likely as any other. */
static inline double chance_size(chance *c, double low, double high)
{
    return chance_short(exp(chance_in(c, log(low), log(high))));
}

#endif
