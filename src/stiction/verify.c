/*
 * Verification before use: what a search found is checked against the equations themselves, not
 * against the solver.
 *
 *   dynamics   |S'F - Q - f| <= delta   F by recursive Newton-Euler from a
 *   locked     a = 0 exactly;  l - 4 delta <= test <= u + 4 delta
 *   wait(s)    f = -s FK(s) up to delta;  D s a >= -4 delta, D the joint's articulated inertia
 *   moving     f = -s FK(s) up to delta
 *
 * delta is the rounding of the forces at play (friction_box.h): nothing else is forgiven. Two cases
 * are judged differently by the rule itself: a joint released by decree must start when its limit
 * is a hair lower, and a joint that its own test friction has released, and that does not move, is
 * held by its kinetic friction.
 */
#include "dynamics/bad_law.h"
#include "dynamics/closure.h"
#include "dynamics/scale.h"
#include "dynamics/self_stress.h"
#include "dynamics/split.h"
#include "model/multiplier.h"
#include "stiction/line.h"
#include "stiction/search.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* ---- In words ---- */

static void describe(dt_line *line, const dt_search *search, int k, double force,
                     const double limits[2])
{
    dt_line_add(line, "'%s' held needs %g where its limits are %g and %g (margin %g)",
                dt_search_name(search, k), force, limits[0], limits[1],
                fmin(limits[1] - force, force - limits[0]));
}

/* The kinetic friction where it is above the static limit that the force has passed. */
static void describe_kinetic(dt_line *line, dt_system *s, int k, double force,
                             const double limits[2])
{
    double kinetic[2];
    dt_system_kinetic_limits(s, k, kinetic);
    const int side = force > limits[1];
    if (side ? kinetic[1] > limits[1] : kinetic[0] < limits[0]) {
        dt_line_add(line, "; the static limit %g is below the kinetic friction %g",
                    fabs(limits[side]), fabs(kinetic[side]));
    }
}

static void describe_motion(dt_line *line, const dt_search *search, int k, int side, double a)
{
    dt_line_add(line, "'%s' released %s accelerates %s (margin %g)", dt_search_name(search, k),
                side > 0 ? "forward" : "in reverse",
                a > 0   ? "forward"
                : a < 0 ? "in reverse"
                        : "not at all",
                side * a);
}

/* A reason without the time that it may begin with. */
static const char *without_time(const dt_search *search, const char *reason)
{
    char time[64];
    const int length = snprintf(time, sizeof time, "at t = %.9g s ", search->system->time);
    return strncmp(reason, time, (size_t)length) == 0 ? reason + length : reason;
}

static detent_status report(dt_search *search, const char *reason, dt_line *joints)
{
    dt_line_close(joints);
    reason = without_time(search, reason);
    dt_fail(search->error, DETENT_NO_CONSISTENT_STATE, NULL,
            "no consistent state at t = %.9g s: %.400s%s%.250s", search->system->time, reason,
            joints->length > 0 ? ": " : "", joints->text);
    dt_error_detail(search->error, "%s", joints->text);
    return DETENT_NO_CONSISTENT_STATE;
}

detent_status dt_report_inconsistent(dt_search *search, const char *reason)
{
    dt_friction_box *box = &search->box;
    dt_line joints = {.length = 0};
    char conflict[512];
    int first;
    if (dt_closure_tells_conflict(search->system, conflict, sizeof conflict, &first)) {
        return report(search, conflict, &joints);
    }
    for (int k = 0; k < box->count; k++) {
        if (dt_friction_box_contradiction(box, k) <= 0 || !dt_line_next(&joints)) {
            continue;
        }
        if (box->side[k] == 0) {
            describe(&joints, search, k, box->f[k], box->limits[k]);
        } else {
            describe_motion(&joints, search, k, box->side[k], box->a[box->freedom[k]]);
        }
    }
    return report(search, reason, &joints);
}

/*
 * Joint k if its friction disagrees with the loads that this friction makes, or if `all` are asked
 * for.
 */
static void describe_disagreement(dt_line *line, dt_search *search, int k, bool all)
{
    dt_system *s = search->system;
    const int side = s->direction[k];
    double limits[2];
    if (side != 0) {
        const double friction = -side * dt_system_kinetic(s, k, side);
        const double margin = fabs(s->f[k]) - fabs(friction);
        if ((all || fabs(margin) > 1e-9 * fabs(friction)) && dt_line_next(line)) {
            dt_line_add(line, "'%s' moving %s with friction %g, which makes it %g (margin %g)",
                        dt_search_name(search, k), side > 0 ? "forward" : "in reverse", s->f[k],
                        friction, margin);
        }
        return;
    }
    dt_system_limits(s, k, limits);
    const double margin = fmin(limits[1] - s->f[k], s->f[k] - limits[0]);
    if ((all || margin < 0) && dt_line_next(line)) {
        describe(line, search, k, s->f[k], limits);
    }
}

detent_status dt_report_divergence(dt_search *search, const char *reason)
{
    dt_line joints = {.length = 0};
    for (int all = 0; all <= 1 && joints.length == 0; all++) {
        for (int k = 0; k < search->box.count; k++) {
            if (search->candidate[k]) {
                search->system->direction[k] = search->box.side[k];
            }
            describe_disagreement(&joints, search, k, all);
        }
    }
    return report(search, reason, &joints);
}

/* ---- The checks ---- */

/* What is wrong so far; `text` lists the joints concerned. */
typedef struct verdict {
    const char *reason;
    dt_line text;
    /** How exactly the loads are known where laws read them, N; of torques, that times a length. */
    double loads;
} verdict;

static bool object(verdict *v, const char *reason)
{
    if (!v->reason) {
        v->reason = reason;
    }
    return v->reason == reason && dt_line_next(&v->text);
}

/* What torques compare with forces by. */
static double length_of(const dt_system *s, int node)
{
    return s->tree->nodes[node].type->rotational ? s->length : 1;
}

/* Newton ends within 64 eps of the largest force (newton.h). */
static double loads_tolerance(dt_search *search)
{
    const dt_system *s = search->system;
    double largest = 0;
    for (int i = 0; i < s->tree->node_count && search->loads_matter; i++) {
        for (int j = 0; j < s->tree->nodes[i].type->nv; j++) {
            largest = fmax(largest, dt_friction_box_size(&search->box, i, j) / length_of(s, i));
        }
    }
    return fmax(256 * DBL_EPSILON, dt_friction_box_rounding(&search->box)) * largest;
}

static void check_dynamics(dt_search *search, verdict *v)
{
    const dt_system *s = search->system;
    dt_friction_box *box = &search->box;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = s->mechanism->primitives[i].stiction;
        for (int j = 0; j < node->type->nv && !dt_is_prescribed(s, i); j++) {
            const double residual = s->tau[node->v + j] - s->Q[node->v + j] - (k < 0 ? 0 : s->f[k]);
            const double delta = dt_force_noise(s, node->v + j, dt_friction_box_size(box, i, j));
            if (!(fabs(residual) <= fmax(delta, v->loads * length_of(s, i))) &&
                object(v, "the equations of motion do not close")) {
                dt_line_add(&v->text, "'%s' by %g", s->mechanism->primitives[i].name, residual);
            }
        }
    }
}

static void check_locked(dt_search *search, int k, verdict *v)
{
    dt_system *s = search->system;
    const double a = s->a[search->box.freedom[k]],
                 noise = fmax(DT_TOLERATED_NOISES * dt_friction_box_noise(&search->box, k),
                              dt_split_noise(s, k));
    double limits[2], test = dt_system_test(s, k);
    dt_system_limits(s, k, limits);
    if (a != 0 && object(v, "a locked joint accelerates")) {
        dt_line_add(&v->text, "'%s' at %g", dt_search_name(search, k), a);
    }
    const bool inside = test >= limits[0] - noise && test <= limits[1] + noise;
    if (!inside && object(v, "a locked joint is beyond its limits")) {
        describe(&v->text, search, k, test, limits);
        describe_kinetic(&v->text, s, k, test, limits);
    }
}

/* What the friction of joint k, which moves, reads of what locked joints share; NULL: nothing. */
static const dt_variable *shared_reading(const dt_system *s, int k)
{
    int direction;
    double factor;
    const dt_program *p = dt_system_moving_law(s, k, &direction, &factor)->program;
    for (int i = 0; p && i < p->variable_count; i++) {
        if (dt_variable_is(p->variables[i], DT_OF_WRENCH | DT_OF_COUPLINGS) &&
            dt_self_stress_is_shared(s, p->variables[i])) {
            return &p->variables[i];
        }
    }
    return NULL;
}

bool dt_search_reads_shared(const dt_system *s)
{
    bool any = false;
    for (int k = 0; k < s->mechanism->stiction_count && !any; k++) {
        any = s->mode[k] != DETENT_LOCKED && shared_reading(s, k);
    }
    return any;
}

/* Friction that moves cannot follow what locked joints share: that is settled when the motion is known. */
static void check_readings(dt_search *search, int k, verdict *v)
{
    const dt_system *s = search->system;
    const dt_variable *shared = search->request->shared_is_read ? NULL : shared_reading(s, k);
    if (shared && object(v, "friction follows reactions that are not unique")) {
        const char *of = dt_variable_is(*shared, DT_OF_COUPLINGS)
                             ? dt_multiplier_of(s->mechanism, *shared).name
                             : s->mechanism->primitives[shared->index].name;
        dt_line_add(&v->text, "'%s' those of '%s', which locked joints share",
                    dt_search_name(search, k), of);
    }
}

/* The force that drives joint k against its direction. */
static double backward_force(const dt_search *search, int k, double a)
{
    return -search->system->direction[k] * a * dt_friction_box_inertia(&search->box, k);
}

bool dt_search_found_backward(dt_search *search, int k)
{
    static const double far = 1e5;
    const double a = search->system->a[search->box.freedom[k]];
    return backward_force(search, k, a) > far * dt_friction_box_noise(&search->box, k);
}

static void check_moving(dt_search *search, int k, verdict *v)
{
    dt_system *s = search->system;
    const int side = s->direction[k], decree = dt_search_decree(search, k);
    const double friction = -side * dt_system_kinetic(s, k, side), a = s->a[search->box.freedom[k]];
    const double noise = dt_friction_box_noise(&search->box, k),
                 loads = v->loads * length_of(s, search->box.node[k]);
    const bool known = !(search->request->shared_is_read && shared_reading(s, k));
    if (known && !(fabs(s->f[k] - friction) <= fmax(noise, loads)) &&
        object(v, "the friction of a moving joint is not its kinetic friction")) {
        dt_line_add(&v->text, "'%s': %g, not %g", dt_search_name(search, k), s->f[k], friction);
    }
    if (!search->candidate[k]) {
        return;
    }
    const double start = decree == side ? search->start[k] : a;
    const bool starts =
        backward_force(search, k, start) <= fmax(DT_TOLERATED_NOISES * noise, loads);
    if (!starts && object(v, "a released joint would start backward")) {
        describe_motion(&v->text, search, k, side, a);
    }
}

/* Joints that are wedged: their friction follows what it makes them transmit, and agrees with no split of it. */
static void check_sharing(dt_search *search, verdict *v)
{
    const dt_closure *closure = search->system->closure;
    const dt_split *split = closure ? closure->split : NULL;
    for (int i = 0; split && split->unsettled && i < split->count; i++) {
        if (object(v, "joints are wedged: their friction follows reactions that it makes, and "
                      "agrees with no share of them")) {
            dt_line_add(&v->text, "'%s'", dt_search_name(search, split->member[i]));
        }
    }
}

detent_status dt_verify(dt_search *search)
{
    dt_system *s = search->system;
    verdict v = {.reason = NULL, .loads = loads_tolerance(search)};
    if (!dt_system_is_finite(s)) {
        return dt_fail_forces(s, search->error);
    }
    check_dynamics(search, &v);
    if (!dt_closure_agrees(s)) {
        object(&v, "a joint is locked that its loop takes along");
    }
    check_sharing(search, &v);
    for (int k = 0; k < search->box.count; k++) {
        if (s->mode[k] == DETENT_LOCKED) {
            check_locked(search, k, &v);
        } else {
            check_readings(search, k, &v);
            check_moving(search, k, &v);
        }
    }
    return v.reason ? report(search, v.reason, &v.text) : DETENT_OK;
}
