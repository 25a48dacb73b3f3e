/** A four-bar of links in space, and where it stands. */
#ifndef SUPPORT_FOUR_BAR_H
#define SUPPORT_FOUR_BAR_H

#include <stddef.h>

/** Lengths of the links, m. */
static const double ground = 0.9, crank = 0.3, rod = 0.8, rocker = 0.6;

/** Angles of crank, rod and rocker in the world where the crank stands at `angle`, the rod above. */
void support_four_bar(double angle, double world[3]);

/**
 * Its file, with `more` after the joints: a crank on the ground, b rod on crank, c rod and rocker, d rocker on the ground.
 * `cut`: 0 the pin of the rod on the crank, 1 that on the rocker, 2 the rocker's foot.
 */
void support_write_four_bar(char *text, size_t size, int cut, double gravity, double angle,
                            double speed, const char *more);

#endif
