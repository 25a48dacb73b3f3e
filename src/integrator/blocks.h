/**
 * @file blocks.h
 * Parts of y = [q | v | f | w].
 */
#ifndef DT_INTEGRATOR_BLOCKS_H
#define DT_INTEGRATOR_BLOCKS_H

#include "integrator/core.h"

/* Parts of y, to be written. */
static inline double *dt_q_in(const dt_simulation *s, double *y)
{
    (void)s;
    return y;
}
static inline double *dt_v_in(const dt_simulation *s, double *y)
{
    return y + s->core->tree->nq;
}
static inline double *dt_f_in(const dt_simulation *s, double *y)
{
    return y + s->core->tree->nq + s->core->tree->nv;
}
static inline double *dt_w_in(const dt_simulation *s, double *y)
{
    return y + s->core->tree->nq + s->core->tree->nv + s->core->mechanism->stiction_count;
}

/* The same, to be read. */
static inline const double *dt_q_of(const dt_simulation *s, const double *y)
{
    (void)s;
    return y;
}
static inline const double *dt_v_of(const dt_simulation *s, const double *y)
{
    return y + s->core->tree->nq;
}
static inline const double *dt_f_of(const dt_simulation *s, const double *y)
{
    return y + s->core->tree->nq + s->core->tree->nv;
}
static inline const double *dt_w_of(const dt_simulation *s, const double *y)
{
    return y + s->core->tree->nq + s->core->tree->nv + s->core->mechanism->stiction_count;
}

#endif
