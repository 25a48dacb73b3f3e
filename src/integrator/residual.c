/*
 * The residual that IDA drives to zero:
 *   r_q = q' - N(q) v           (prescribed: q - m(t))
 *   r_v = S'F(t,q,v,v') - Q - f (prescribed: v - m'(t))
 *   r_f = v'_j (locked),  f + s FK (wait, unlocked)
 *   r_w = w' - power
 */
#include "integrator/residual.h"
#include "dynamics/bad_law.h"
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/sliding.h"

#include <math.h>

/* Remembers the first law of s that is not a finite number at t; false if all are. */
static bool note_bad_law(dt_simulation *sim, dt_system *s, double t)
{
    const double now = s->time;
    s->time = t;
    const dt_law *bad = dt_bad_law(s);
    s->time = now;
    if (bad) {
        sim->bad.law = bad;
        sim->bad.owner = dt_law_owner(s, bad);
        sim->bad.time = t;
        sim->bad.failed =
            s->failed->law == bad ? *s->failed : (dt_failed_call){.call.callback = NULL};
    }
    return bad;
}

void dt_note_bad_law(dt_simulation *sim, double t)
{
    if (!note_bad_law(sim, sim->core, t) && sim->core != &sim->system) {
        note_bad_law(sim, &sim->system, t); /* of a joint that is not in the core */
    }
}

bool dt_laws_are_finite(dt_simulation *sim)
{
    const dt_system *s = sim->core;
    double sum = 0;
    for (int j = 0; j < s->tree->nv; j++) {
        sum += 0 * s->Q[j] + 0 * s->tau[j];
    }
    if (sum != 0) {
        dt_note_bad_law(sim, s->time);
    }
    return sum == 0;
}

bool dt_residual(void *simulation, double t, const double *y, const double *yp, double *r)
{
    dt_simulation *sim = simulation;
    dt_system *s = sim->core;
    sim->residuals++;
    dt_blocks_step(sim, t, y);
    dt_system_set_acceleration(sim->core, dt_v_of(sim, yp), dt_f_of(sim, y));
    if (!dt_system_is_finite(s)) {
        return false;
    }
    dt_system_forces(s);
    if (!dt_laws_are_finite(sim)) {
        return false;
    }
    for (int b = 0; b < DT_BLOCKS; b++) {
        if (!dt_block_rows[b]->residual(sim, y, yp, r)) {
            return false;
        }
    }
    return true;
}
