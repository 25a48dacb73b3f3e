/**
 * @file law_size.h
 * How exactly a law can be known that reads forces: what joints transmit, accelerations, frictions.
 *
 * A reaction may be the small rest of large terms, a norm of nothing but rounding among them: a law that reads it
 * inherits the rounding of the terms, whatever its own value is.
 */
#ifndef DT_DYNAMICS_LAW_SIZE_H
#define DT_DYNAMICS_LAW_SIZE_H

#include "dynamics/force_size.h"

/**
 * The sum over the wrenches that `law` reads of |d law / dF| and the sizes of the terms of F, as measured in `size`
 * (dt_force_size_update()), and over the accelerations and frictions that it reads of |d law / da| |a|: where a law is the small rest of
 * these it is known no better; in the unit of the law, 0 where it reads none. `gradient`: work space, as long as the
 * slots of the law.
 */
double dt_law_size(const dt_force_size *size, dt_system *system, const dt_law *law, int direction,
                   double *gradient);

/** Whether a law reads what joints transmit. */
bool dt_law_reads_wrenches(const dt_law *law);

#endif
