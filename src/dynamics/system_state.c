/* What follows from the state of a system, and from its accelerations: system.h. */
#include "dynamics/system.h"

#include "dynamics/closure.h"
#include "dynamics/loads.h"
#include "dynamics/rnea.h"
#include "dynamics/self_stress.h"

void dt_system_set_state(dt_system *s, double t, const double *q, const double *v)
{
    s->time = t;
    s->posed->changes++;
    if (q != s->q) {
        memcpy(s->q, q, (size_t)s->tree->nq * sizeof *q);
    }
    if (v != s->v) {
        memcpy(s->v, v, (size_t)s->tree->nv * sizeof *v);
    }
    dt_system_prescribe(s);
    for (int k = 0; k < 3; k++) {
        s->gravity[k] = dt_law_value(s, dt_gravity_law(s, k), 0);
    }
    dt_system_pose(s);
    if (s->closure) {
        dt_closure_refresh(s);
        dt_closure_positions(s);
        dt_closure_velocities(s);
    }
    dt_motion_velocity(s->tree, s->v, s->motion);
}

void dt_system_set_acceleration(dt_system *s, const double *a, const double *f)
{
    s->posed->changes++;
    if (a != s->a) {
        memcpy(s->a, a, (size_t)s->tree->nv * sizeof *a);
    }
    if (f != s->f) {
        memcpy(s->f, f, (size_t)s->mechanism->stiction_count * sizeof *f);
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        if (dt_is_prescribed(s, i)) {
            s->a[s->tree->nodes[i].v] = s->prescribed[s->tree->nodes[i].v];
        }
    }
    dt_system_wrenches(s);
    dt_rnea(s->tree, s->motion, s->gravity, s->a, (const double(*)[6])s->external, s->A, s->F,
            s->tau);
    dt_self_stress_relax(s);
    dt_loads_close(s);
}

static bool finite_array(const double *x, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++) {
        sum += x[k] * 0;
    }
    return sum == 0;
}

bool dt_system_is_finite(const dt_system *s)
{
    return finite_array(s->q, s->tree->nq) && finite_array(s->v, s->tree->nv) &&
           finite_array(s->a, s->tree->nv) && finite_array(s->f, s->mechanism->stiction_count) &&
           finite_array(s->z, s->mechanism->state_count);
}
