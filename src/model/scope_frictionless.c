/* What is read of the stiction of a joint that has none, where that is a number all the same: a joint with a friction law never locks; and the first
 * joint of a coupling, where a mesh may rub, has the friction 0 where the coefficient has come to 0. */
#include "model/record.h"
#include "model/scope_parts.h"

#include <math.h>

/* Whether a mesh may rub along a primitive: it is the first one of a coupling. */
static bool may_rub(const detent_mechanism *m, int primitive)
{
    bool may = false;
    for (int k = 0; k < DT_RECORDS(m->builder, coupling).count && !may; k++) {
        may = dt_find_primitive(m, dt_coupling(m, k)->primitive[0]) == primitive;
    }
    return may;
}

double dt_scope_frictionless(const dt_law_scope *f, dt_variable_kind kind, int primitive)
{
    const dt_primitive *p = &f->m->primitives[primitive];
    const int traits = dt_variable_traits[kind];
    if (p->stiction >= 0) {
        return (double)NAN;
    }
    if (p->has_friction_law) {
        return traits & DT_OF_EVENTS ? DETENT_UNLOCKED : (double)NAN;
    }
    return (traits & DT_OF_FRICTION) && f->law->use >= DT_USE_OUTPUT && may_rub(f->m, primitive)
               ? 0
               : (double)NAN;
}
