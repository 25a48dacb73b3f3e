/**
 * @file reach.h
 * Which motions a node can have at all, in whatever pose: the smallest of a few groups of motions that holds them. A
 * group looks the same from every body that it moves, so it is told in the node's own frame, once and for all.
 *
 *   turns 0              translations along `slides` directions; none: the node is fixed
 *   turns 1, slides 0    turns about the axis through `centre`
 *   turns 1, slides 2    motions of a plane, the axis being its normal
 *   turns 1, slides 3    translations, and turns about one direction
 *   turns 3, slides 0    turns about `centre`
 *   turns 3, slides 3    all motions
 *
 * A larger group than the smallest is never wrong. Nodes whose motion is prescribed vary with what carries them, and add no
 * motion of their own; but what they turn is turned against the rest.
 *
 * Reference: J. M. Herve, Analyse structurelle des mecanismes par groupe des deplacements, Mech. Mach. Theory 13 (1978) 437.
 */
#ifndef DT_MODEL_REACH_H
#define DT_MODEL_REACH_H

#include "model/tree.h"

typedef struct dt_reach {
    int turns, slides;
    double axis[3], slide[3][3], centre[3]; /**< in the node's frame; `slide` where turns is 0 */
} dt_reach;

/** Whether the node does not move, or only as a motion says. */
static inline bool dt_reach_is_fixed(const dt_reach *reach)
{
    return reach->turns == 0 && reach->slides == 0;
}

/**
 * That of a node from that of its parent (NULL: the ground); (R, p) is its pose there. `is_prescribed`: there is a motion
 * along it.
 */
void dt_reach_extend(dt_reach *reach, const dt_reach *parent, const dt_node *node,
                     bool is_prescribed, const double R[9], const double p[3]);

/** Directions that differ by less than the root of rounding are one: an energy tells its square. */
bool dt_is_parallel(const double a[3], const double b[3]);

#endif
