/* Time at rest: rest_time(J) is t less the instant since which the joint J is locked. To laws that instant is what an input is: a
 * number that changes at events alone, behind the sampled values (dt_given_count()); so a limit that grows with the time at rest is a law of t
 * like any other while the joint rests. In motion nothing keeps the instant up to date, but that each event puts it to its own time
 * (integrator/rests.c): a static limit, which only a search reads then, has rest_time 0. So nothing else may read it. */
#include "model/scope_parts.h"

/* Where the instant of a stiction is among what is given to laws. */
static int place_of(detent_mechanism *m, int stiction)
{
    dt_stiction *of = (dt_stiction *)(size_t)&m->stictions[stiction];
    if (of->rest < 0) {
        of->rest = dt_given_count(m);
        m->rest_count++;
    }
    return of->rest;
}

dt_symbol dt_scope_rest(dt_law_scope *f, const char *function, int primitive)
{
    detent_mechanism *m = f->m;
    const int k = m->primitives[primitive].stiction;
    const char *name = m->primitives[primitive].name;
    if (k < 0) {
        return dt_scope_refuse(f, function, "%s(%s): '%s' has no stiction", function, name, name);
    }
    if (f->law->use < DT_USE_OUTPUT && !(f->law->is_limit && f->law->primitive == primitive)) {
        return dt_scope_refuse(f, function,
                               "%s(%s) can be used only in the static limits of '%s', and in "
                               "outputs and sampled values: in motion there is no rest",
                               function, name, name);
    }
    if (f->law->use == DT_USE_ANY) { /* a signal by itself: who uses it is asked again */
        return dt_scope_variable(DT_VARIABLE_TIME, 0, dt_dimension_time);
    }
    const int place = place_of(m, k);
    if (f->law->use >= DT_USE_OUTPUT) {
        return dt_scope_variable(DT_VARIABLE_REST_TIME, primitive, dt_dimension_time);
    }
    dt_symbol since = dt_scope_variable(DT_VARIABLE_INPUT, place, dt_dimension_time);
    since.is_since = true;
    return since;
}
