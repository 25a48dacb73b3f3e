#include "dynamics/bad_law.h"

#include <math.h>

const dt_law *dt_bad_law(dt_system *s)
{
    for (int l = 0; l < s->law_count; l++) {
        const int k = s->law[l]->stiction;
        if (!isfinite(dt_law_value(s, s->law[l], k < 0 ? 0 : s->direction[k]))) {
            return s->law[l];
        }
    }
    return NULL;
}

bool dt_law_acts_on(const dt_system *s, int i, const dt_law *law)
{
    const int k = s->mechanism->primitives[i].stiction;
    if (law == &s->force_law[i] || law == &s->motion_law[i] || (k >= 0 && law->stiction == k)) {
        return true;
    }
    for (int l = 0; l < s->mechanism->load_count; l++) {
        for (int j = 0; j < 3 && s->mechanism->loads[l].node == i; j++) {
            if (law == &s->load_law[l].force[j] || law == &s->load_law[l].torque[j]) {
                return true;
            }
        }
    }
    return false;
}

const char *dt_law_owner(const dt_system *s, const dt_law *law)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        if (dt_law_acts_on(s, i, law)) {
            return s->mechanism->primitives[i].name;
        }
    }
    return s->mechanism->name;
}

detent_status dt_fail_forces(dt_system *s, detent_error *error)
{
    const dt_law *bad = dt_bad_law(s);
    if (!bad) {
        return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                       "at t = %.9g s the forces or the accelerations are not finite", s->time);
    }
    return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                   "at t = %.9g s '%.*s', a law of '%s', is not a finite number; %s", s->time,
                   DT_LONGEST_LAW, bad->program->text, dt_law_owner(s, bad), DT_KEEP_LAWS_INSIDE);
}
