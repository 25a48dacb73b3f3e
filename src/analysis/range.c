/* The interval of a driven joint, and what is kept of the curve both ways from where it stands (range.h). */
#include "analysis/range_parts.h"

#include "analysis/kinematics.h"
#include "analysis/stops.h"
#include "base/error.h"
#include "dynamics/closure_parts.h"

#include <stdio.h>

static void clear_joints(const dt_system *s, int driven, detent_joint_range *joints)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const bool is_scalar = s->tree->nodes[i].type->nv == 1;
        const double q = is_scalar ? s->q[s->tree->nodes[i].q] : NAN,
                     at = is_scalar ? s->q[s->tree->nodes[driven].q] : NAN,
                     ratio = is_scalar ? i == driven : NAN;
        joints[i] = (detent_joint_range){.low = q,
                                         .low_at = at,
                                         .high = q,
                                         .high_at = at,
                                         .ratio_low = ratio,
                                         .ratio_low_at = at,
                                         .ratio_high = ratio,
                                         .ratio_high_at = at,
                                         .advantage_low = 1 / ratio,
                                         .advantage_low_at = at,
                                         .advantage_high = 1 / ratio,
                                         .advantage_high_at = at,
                                         .transmission_low = NAN,
                                         .transmission_low_at = NAN,
                                         .transmission_high = NAN,
                                         .transmission_high_at = NAN};
    }
}

/* Nothing follows from the joint, and nothing limits it. */
static void set_alone(int driven, double from, double to, detent_range *range,
                      detent_joint_range *joints)
{
    range->low = from;
    range->high = to;
    joints[driven].low = joints[driven].low_at = joints[driven].ratio_low_at = from;
    joints[driven].high = joints[driven].high_at = joints[driven].ratio_high_at = to;
}

static void note_stop(detent_range *range, bool high, int primitive, int side)
{
    *(high ? &range->high_end : &range->low_end) = DETENT_RANGE_STOP;
    *(high ? &range->high_stop : &range->low_stop) = primitive;
    *(high ? &range->high_side : &range->low_side) = side;
}

/* A joint that moves nobody else goes as far as its own stops let it. */
static detent_status end_at_stops(const dt_system *s, int driven, double *from, double *to,
                                  detent_range *range, detent_error *error)
{
    const dt_primitive *joint = &s->mechanism->primitives[driven];
    const dt_rigid_stops *stops =
        joint->stiction < 0 ? NULL : s->mechanism->stictions[joint->stiction].stops;
    if (stops && (*to < stops->at[0] || *from > stops->at[1])) {
        const int side = *from > stops->at[1] ? 1 : -1;
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "the interval from %.9g to %.9g is beyond the %s stop of '%s', at %.9g",
                       *from, *to, dt_stop_word(side), joint->name, stops->at[side > 0]);
    }
    if (stops && *from < stops->at[0]) {
        *from = stops->at[0];
        note_stop(range, false, driven, -1);
    }
    if (stops && *to > stops->at[1]) {
        *to = stops->at[1];
        note_stop(range, true, driven, 1);
    }
    return DETENT_OK;
}

static bool is_tied(dt_system *s, int node)
{
    dt_closure *c = s->closure;
    bool tied = false;
    if (c) {
        dt_closure_update(s);
    }
    for (int r = 0; c && r < c->rows; r++) {
        tied = tied || dt_closure_entry(c, r, s->tree->nodes[node].v) != 0;
    }
    return tied;
}

/* The ends of the interval: none, or ten times the size of the mechanism, where the caller gives none. */
static void choose_interval(const dt_system *s, int driven, bool whole_turn, double *from,
                            double *to)
{
    const dt_node *node = &s->tree->nodes[driven];
    const double start = s->q[node->q], most = whole_turn               ? INFINITY
                                               : node->type->rotational ? dt_range_turn
                                                                        : 10 * dt_closure_reach(s);
    *from = isnan(*from) ? fmin(start, isnan(*to) ? start : *to) - most : *from;
    *to = isnan(*to) ? fmax(start, *from) + most : *to;
}

/* Drives the joint into the interval where it is outside. */
static detent_status enter(dt_analysis *n, int driven, double from, double to, detent_error *error)
{
    const dt_system *s = &n->system;
    const double q = s->q[s->tree->nodes[driven].q];
    const detent_drive drive = {.primitive = (size_t)driven, .position = q < from ? from : to};
    char where[200];
    if (q >= from && q <= to) {
        return DETENT_OK;
    }
    snprintf(where, sizeof where, "with '%.120s' at %.9g, where the interval begins,",
             s->mechanism->primitives[driven].name, drive.position);
    const detent_status status = dt_kinematics_drive(n, s->time, &drive, error);
    return status ? status : dt_check_stops(s, where, error);
}

static detent_status trace(sweep *w, dt_analysis *n, double from, double to, bool whole_turn,
                           detent_range *range, detent_error *error)
{
    static const double dead = 1e-7;
    detent_status status = dt_pose_curve_begin(&w->curve, n, w->driven, &w->start, error);
    if (status) {
        return status;
    }
    if (fabs(w->start.t[w->v]) < dead) {
        return dt_fail(
            error, DETENT_ERROR_NUMERIC, NULL,
            "'%s' stands at a dead centre, where it does not decide which way the others "
            "go",
            n->system.mechanism->primitives[w->driven].name);
    }
    dt_range_look(w, &w->start);
    dt_range_note_point(w, &w->start, false);
    w->points = 1;
    const double start = w->start.q[w->q];
    bool turns;
    range->high_end = dt_range_go_round(w, 1, to, from < start, &turns);
    if (range->high_end == DETENT_RANGE_STOP) {
        note_stop(range, true, w->stop, w->stop_side);
    }
    range->high =
        range->high_end == DETENT_RANGE_INTERVAL && !whole_turn ? to : dt_range_place(w, &w->at);
    range->turns = whole_turn && turns;
    if (range->turns) {
        range->low = start;
        range->low_end = DETENT_RANGE_INTERVAL;
    } else {
        range->low_end = dt_range_go_round(w, -1, from, to > start, &turns);
        if (range->low_end == DETENT_RANGE_STOP) {
            note_stop(range, false, w->stop, w->stop_side);
        }
        range->low = range->low_end == DETENT_RANGE_INTERVAL && !whole_turn
                         ? from
                         : dt_range_place(w, &w->at);
    }
    range->points = w->points;
    return DETENT_OK;
}

detent_status dt_range(dt_arena *arena, dt_analysis *n, int driven, double from, double to,
                       detent_range *range, detent_joint_range *joints, detent_error *error)
{
    dt_system *s = &n->system;
    const dt_node *node = &s->tree->nodes[driven];
    const size_t nq = (size_t)s->tree->nq, nv = (size_t)s->tree->nv;
    sweep w = {.driven = driven, .q = node->q, .v = node->v, .joints = joints};
    double *q = dt_arena_alloc(arena, nq, sizeof *q), *v = dt_arena_alloc(arena, nv, sizeof *v);
    dt_pose_curve_point *const points[] = {&w.start, &w.before, &w.at, &w.next, &w.trial};
    w.shift = dt_arena_alloc(arena, (size_t)s->tree->node_count, sizeof *w.shift);
    bool good = q && v && w.shift && dt_transmissions_create(arena, n, &w.transmissions);
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        good = good && dt_pose_curve_point_create(arena, n, points[k]);
    }
    if (!good) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for a range");
    }
    const double time = s->time;
    const bool whole_turn = isnan(from) && isnan(to) && node->type->rotational;
    memcpy(q, s->q, nq * sizeof *q);
    memcpy(v, s->v, nv * sizeof *v);
    choose_interval(s, driven, whole_turn, &from, &to);
    *range = (detent_range){.start = s->q[node->q], .points = 1, .low_stop = -1, .high_stop = -1};
    detent_status status = dt_check_stops(s, "as it stands", error);
    if (status) {
        return status;
    }
    clear_joints(s, driven, joints);
    if (!is_tied(s, driven)) {
        status = end_at_stops(s, driven, &from, &to, range, error);
        const bool ends =
            range->low_end == DETENT_RANGE_STOP || range->high_end == DETENT_RANGE_STOP;
        range->turns = whole_turn && !ends;
        set_alone(driven, range->turns ? range->start : from,
                  range->turns ? range->start + dt_range_turn : to, range, joints);
        return status;
    }
    status = enter(n, driven, from, to, error);
    if (!status) {
        clear_joints(s, driven, joints);
        range->start = s->q[node->q];
        for (int i = 0; i < s->tree->node_count; i++) { /* ratios are those of the points */
            joints[i].ratio_low = joints[i].ratio_high = NAN;
            joints[i].advantage_low = joints[i].advantage_high = NAN;
        }
        status = trace(&w, n, from, to, whole_turn, range, error);
        dt_pose_curve_end(&w.curve);
    }
    const detent_status back = dt_analysis_set_state(n, time, q, v, NULL, status ? NULL : error);
    return status ? status : back;
}
