/*
 * Force laws: programs of the mechanism, with their recorded branches, at the readings of the
 * system.
 */
#include "dynamics/element.h"
#include "dynamics/failed_call.h"
#include "dynamics/split.h"

static const double *gather(dt_system *s, const dt_law *law, int direction)
{
    const dt_program *p = law->program;
    const int stiction = dt_law_stiction(s, law);
    for (int k = 0; k < p->variable_count; k++) {
        s->slots[k] = dt_variable_is(p->variables[k], DT_OF_DIRECTION)
                          ? direction
                          : dt_system_variable(s, p->variables[k], stiction);
    }
    return s->slots;
}

/* Whether a law is not asked any more: it calls a function of the program, and one has ended the run. */
static bool is_over(const dt_system *s, const dt_law *law)
{
    return law->program->has_calls && dt_calls_are_over(s);
}

/* A value that a law has come to just now. */
static double noted(dt_system *s, const dt_law *law, double value)
{
    if (law->program->has_calls && isnan(value)) {
        dt_note_failed_call(s, law, value);
    }
    return value;
}

static double value_on(dt_system *s, const dt_law *law, int direction, const dt_branch *branches)
{
    return is_over(s, law) ? (double)NAN
                           : noted(s, law,
                                   dt_program_value(law->program, gather(s, law, direction),
                                                    branches, s->registers));
}

double dt_law_value(dt_system *s, const dt_law *law, int direction)
{
    if (!law->program) {
        return 0;
    }
    if (law->program->is_constant) {
        return law->program->constant;
    }
    return value_on(s, law, direction, dt_law_branches(s, law));
}

/* The value on whichever branches it has here. */
static double plain_value(dt_system *s, const dt_law *law, int direction)
{
    return value_on(s, law, direction, NULL);
}

/* Of a law that is not asked any more: `count` numbers that are none. */
static double no_values(double *values, int count)
{
    for (int k = 0; k < count; k++) {
        values[k] = NAN;
    }
    return NAN;
}

double dt_law_gradient(dt_system *s, const dt_law *law, int direction, double *gradient)
{
    if (!law->program) {
        return 0;
    }
    if (law->program->is_constant) {
        return law->program->constant;
    }
    if (is_over(s, law)) {
        return no_values(gradient, law->program->variable_count);
    }
    const double value =
        noted(s, law,
              dt_program_gradient(law->program, gather(s, law, direction), dt_law_branches(s, law),
                                  s->registers, gradient));
    if (s->impulsive) {
        memset(gradient, 0, (size_t)law->program->variable_count * sizeof *gradient);
    }
    return value;
}

static int own_direction(const dt_system *s, const dt_law *law)
{
    const int k = dt_law_stiction(s, law);
    return k < 0 ? 0 : s->direction[k];
}

/*
 * A magnitude, by a law whose value has a sign. Where the law is read beyond the border of its branch it may come out
 * negative: by as much as an instant is not known, or in a trial. What it is there decides, and of a mesh, whose force has passed
 * zero, there is none.
 */
static double magnitude(dt_system *s, int k, const dt_law *law, int direction, int sign)
{
    const double value = sign * dt_law_value(s, law, direction);
    if (!(value < 0)) {
        return value;
    }
    if (s->mechanism->stictions[k].friction->rubs) {
        return 0;
    }
    return law->program->switch_count > 0 ? sign * plain_value(s, law, direction) : value;
}

double dt_system_kinetic(dt_system *s, int k, int direction)
{
    return magnitude(s, k, dt_stiction_law(s, k, DT_STICTION_KINETIC), direction, 1);
}

const dt_law *dt_system_moving_law(const dt_system *s, int k, int *direction, double *factor)
{
    const dt_friction_bound *bound = s->bound ? &s->bound[k] : NULL;
    const double share = bound ? bound->share : 1;
    *direction = s->direction[k];
    *factor = share * *direction;
    if (!bound || !bound->of_rest) {
        return dt_stiction_law(s, k, DT_STICTION_KINETIC);
    }
    *direction = 0; /* a joint at rest has none */
    const dt_law *magnitude = dt_stiction_law(s, k, DT_STICTION_MAGNITUDE);
    if (magnitude->program) {
        return magnitude;
    }
    const int limit = *factor > 0 ? DT_STICTION_FORWARD : DT_STICTION_REVERSE;
    *factor = -share;
    return dt_stiction_law(s, k, limit);
}

/* The friction against the direction of motion that its law asks for, of stiction k, which moves. */
static double moving_magnitude(dt_system *s, int k)
{
    int direction;
    double factor;
    const dt_law *law = dt_system_moving_law(s, k, &direction, &factor);
    const double against = s->direction[k] * factor * dt_law_value(s, law, direction);
    return s->bound ? against - s->bound[k].less : against;
}

bool dt_system_is_given(dt_system *s, int k)
{
    return dt_system_is_pinned(s, k) || moving_magnitude(s, k) < 0;
}

double dt_system_moving_friction(dt_system *s, int k)
{
    if (dt_system_is_pinned(s, k)) {
        return s->pinned[k];
    }
    const double kinetic = moving_magnitude(s, k);
    return -s->direction[k] * (kinetic < 0 ? 0 : kinetic); /* fmax() would hide what is no number */
}

/* What a stop does is a part of the friction of its joint at rest: it pushes as much as it has to, and does not pull. */
static void add_stop(const dt_system *s, int k, double limits[2])
{
    const int side = dt_system_stop_side(s, k);
    if (side != 0) {
        limits[side < 0] = side < 0 ? INFINITY : -INFINITY;
    }
}

void dt_system_static_limits(dt_system *s, int k, double limits[2])
{
    const dt_law *both = dt_stiction_law(s, k, DT_STICTION_MAGNITUDE);
    if (both->program) {
        limits[1] = magnitude(s, k, both, s->direction[k], 1);
        limits[0] = -limits[1];
    } else {
        const dt_law *forward = dt_stiction_law(s, k, DT_STICTION_FORWARD),
                     *reverse = dt_stiction_law(s, k, DT_STICTION_REVERSE);
        limits[0] = -magnitude(s, k, forward, s->direction[k], -1);
        limits[1] = magnitude(s, k, reverse, s->direction[k], 1);
    }
    add_stop(s, k, limits);
}

double dt_system_static_test(dt_system *s, int k)
{
    const dt_law *law = dt_stiction_law(s, k, DT_STICTION_TEST);
    return law->program ? dt_law_value(s, law, s->direction[k]) : dt_split_friction(s, k);
}

void dt_system_kinetic_limits(dt_system *s, int k, double limits[2])
{
    limits[0] = -dt_system_kinetic(s, k, 1);
    limits[1] = dt_system_kinetic(s, k, -1);
    add_stop(s, k, limits);
}

void dt_system_limits(dt_system *s, int k, double limits[2])
{
    if (s->yielded[k]) {
        dt_system_kinetic_limits(s, k, limits);
    } else {
        dt_system_static_limits(s, k, limits);
    }
}

double dt_system_test(dt_system *s, int k)
{
    return s->yielded[k] ? dt_split_friction(s, k) : dt_system_static_test(s, k);
}

void dt_system_wrenches(dt_system *s)
{
    if (!s->external) {
        return;
    }
    /* also where no load is left: the memory may hold those of a system that shares it */
    memset(s->external, 0, (size_t)s->tree->node_count * sizeof *s->external);
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        if (dt_elements[k]->add_wrenches) {
            dt_elements[k]->add_wrenches(s);
        }
    }
}

void dt_system_forces(dt_system *s)
{
    memset(s->Q, 0, (size_t)s->tree->nv * sizeof *s->Q);
    if (s->drag) {
        memset(s->drag, 0, (size_t)s->tree->nv * sizeof *s->drag);
    }
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        if (dt_elements[k]->add_forces) {
            dt_elements[k]->add_forces(s);
        }
    }
}

/* Whether a call failed that a law depends on, all of whose registers have been evaluated just now. */
static bool has_failed(dt_system *s, const dt_law *law)
{
    const dt_program *p = law->program;
    return p->has_calls && isnan(noted(s, law, s->registers[p->operation_count - 1]));
}

void dt_law_roots(dt_system *s, const dt_law *law, double *roots)
{
    const dt_program *p = law->program;
    if (is_over(s, law)) {
        no_values(roots, 2 * p->switch_count);
        return;
    }
    dt_program_roots(p, gather(s, law, own_direction(s, law)), dt_law_branches(s, law),
                     s->registers, roots);
    if (p->has_calls && p->switch_count > 0 && has_failed(s, law)) {
        no_values(roots, 2 * p->switch_count); /* which are parked where there is no value */
    }
}

double dt_law_switch_gradient(dt_system *s, const dt_law *law, int index, double *gradient)
{
    if (is_over(s, law)) {
        return no_values(gradient, law->program->variable_count);
    }
    const double distance =
        dt_program_switch_gradient(law->program, index, gather(s, law, own_direction(s, law)),
                                   dt_law_branches(s, law), s->registers, gradient);
    return has_failed(s, law) ? no_values(gradient, law->program->variable_count) : distance;
}

void dt_law_settle(dt_system *s, const dt_law *law, const bool *keep)
{
    if (!is_over(s, law)) {
        dt_program_settle_switches(law->program, gather(s, law, own_direction(s, law)), keep,
                                   dt_law_branches(s, law), s->registers);
        has_failed(s, law);
    }
}

bool dt_law_update_branches(dt_system *s, const dt_law *law)
{
    const int count = law->program->switch_count;
    dt_branch *branches = dt_law_branches(s, law);
    dt_branch *scratch = s->branches + s->branch_count; /* as long as the longest law's */
    bool changed = false;
    if (count == 0 || is_over(s, law)) {
        return false;
    }
    dt_program_update_switches(law->program, gather(s, law, own_direction(s, law)), scratch,
                               s->registers);
    if (has_failed(s, law)) {
        return false; /* where it has no value it has no branches */
    }
    for (int j = 0; j < count; j++) {
        changed = changed || scratch[j].side != branches[j].side;
    }
    memcpy(branches, scratch, (size_t)count * sizeof *scratch);
    return changed;
}

bool dt_system_update_branches(dt_system *s)
{
    bool changed = false;
    for (int k = 0; k < s->law_count; k++) {
        changed = dt_law_update_branches(s, s->law[k]) || changed;
    }
    return changed;
}
