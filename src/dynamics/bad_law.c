#include "dynamics/bad_law.h"

#include "dynamics/element.h"

#include <math.h>

const dt_law *dt_bad_law(dt_system *s)
{
    for (int l = 0; l < s->law_count; l++) {
        const int k = dt_law_stiction(s, s->law[l]);
        if (!isfinite(dt_law_value(s, s->law[l], k < 0 ? 0 : s->direction[k]))) {
            return s->law[l];
        }
    }
    return NULL;
}

const char *dt_law_owner(const dt_system *s, const dt_law *law)
{
    const int i = dt_law_node(s, law);
    const dt_element_kind *kind = dt_law_kinds[law->role].element;
    if (kind->name) {
        return kind->name(s->mechanism, (int)law->owner);
    }
    return i < 0 ? s->mechanism->name : s->mechanism->primitives[i].name;
}

detent_status dt_fail_forces(dt_system *s, detent_error *error)
{
    const dt_law *bad = dt_bad_law(s);
    char words[160];
    for (int k = 0; k < DT_ELEMENT_KINDS && !bad; k++) {
        if (dt_elements[k]->tell_undefined &&
            dt_elements[k]->tell_undefined(s, words, sizeof words)) {
            return dt_fail(error, DETENT_ERROR_NUMERIC, NULL, "at t = %.9g s %s", s->time, words);
        }
    }
    if (!bad) {
        return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                       "at t = %.9g s the forces or the accelerations are not finite", s->time);
    }
    return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                   "at t = %.9g s '%.*s', a law of '%s', is not a finite number; %s", s->time,
                   DT_LONGEST_LAW, bad->program->text, dt_law_owner(s, bad), DT_KEEP_LAWS_INSIDE);
}

bool dt_may_end(const detent_mechanism *m)
{
    bool any = false;
    for (int k = 0; k < DT_ELEMENT_KINDS && !any; k++) {
        any = dt_elements[k]->tell_end && dt_elements[k]->acts(m);
    }
    return any;
}

bool dt_tell_end(const dt_system *s, double moment, const dt_location **where, char *words,
                 size_t size)
{
    bool any = false;
    for (int k = 0; k < DT_ELEMENT_KINDS && !any; k++) {
        any = dt_elements[k]->tell_end && dt_elements[k]->tell_end(s, moment, where, words, size);
    }
    return any;
}
