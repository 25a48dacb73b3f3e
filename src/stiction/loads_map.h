/**
 * @file loads_map.h
 * The map whose fixed points are loads that agree with the boxes of a round (load_sweeps.c, load_newton.c).
 */
#ifndef DT_STICTION_LOADS_MAP_H
#define DT_STICTION_LOADS_MAP_H

#include "stiction/coupled.h"

/**
 * G(r): the boxes at the system's readings r, which remain. Actuation and loads that read accelerations are solved, not
 * swept.
 */
detent_status dt_loads_map(dt_search *search);

/**
 * Compares G(r) with r: the largest difference of a force or inertia force, relative to its size. With e = G(r) - r of
 * all joints, and e' of the comparison before: `product` = e' (e' - e), `square` = |e' - e|^2.
 */
double dt_loads_compare(dt_search *search, double *product, double *square);

/** The smallest distance of a joint from turning over, relative to the size of its force. */
double dt_loads_margin(dt_search *search);

/** r += weight (G(r) - r) */
void dt_loads_move(dt_search *search, double weight);

#endif
