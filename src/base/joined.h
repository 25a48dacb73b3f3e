/**
 * @file joined.h
 * Sets of numbers that have been joined: joined[i] leads from i, in one or more steps, to the number that its set is known by, which
 * leads to itself.
 */
#ifndef DT_BASE_JOINED_H
#define DT_BASE_JOINED_H

/** The number that the set of i is known by; ways are made shorter (path halving, R. E. Tarjan, J. van Leeuwen, J. ACM 31 (1984) 245). */
static inline int dt_first_of(int *joined, int i)
{
    while (joined[i] != i) {
        joined[i] = joined[joined[i]];
        i = joined[i];
    }
    return i;
}

#endif
