/* The start: loops closed from rough initial values, and motions that contradict each other refused. See closure.h. */
#include "dynamics/closure_parts.h"

#include <stdio.h>

/* Motions that contradict each other are refused before anything runs. */
static detent_status check_motions(dt_system *s, detent_error *error)
{
    char text[512];
    int first;
    dt_motion_velocity(s->tree, s->v, s->motion);
    if (!dt_closure_tells_conflict(s, text, sizeof text, &first)) {
        return DETENT_OK;
    }
    if (dt_closure_branches_meet(s)) {
        snprintf(text, sizeof text, "%s", dt_closure_meeting);
    }
    const dt_location *where =
        s->mechanism->motion_place ? &s->mechanism->motion_place[first] : NULL;
    return dt_fail(error, DETENT_ERROR_MODEL, where && where->file ? where : NULL,
                   "at t = %.9g s %s", s->time, text);
}

/*
 * What the loops have taken from a velocity leaves rounding of what was asked for, where they leave nothing: that joint is at rest, and
 * does not move the way that rounding has.
 */
static void drop_rounding(dt_system *s)
{
    static const double rounding = 1e-13;
    const double *asked = s->mechanism->velocity, *unit = s->closure->freedom_unit;
    double most = 0;
    for (int v = 0; v < s->tree->nv; v++) {
        most = fmax(most, fabs(s->v[v] - asked[v]) / unit[v]);
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int v = node->v; v < node->v + node->type->nv && !dt_is_prescribed(s, i); v++) {
            const bool own = s->v[v] == asked[v];
            s->v[v] = own || fabs(s->v[v]) / unit[v] > rounding * most ? s->v[v] : 0;
        }
    }
}

/* Marks the nodes on the ways from both ends of loops and rods to where these meet: lever 1. */
static void mark_ways(dt_system *s)
{
    double *lever = s->closure->lever;
    for (int r = 0; r < s->closure->rows; r++) {
        int a, b;
        if (!dt_closure_ends(s, r, &a, &b)) {
            continue;
        }
        while (a != b) { /* parents come before their children */
            int *higher = a > b ? &a : &b;
            lever[*higher] = 1;
            *higher = s->tree->nodes[*higher].parent;
        }
    }
}

/* The lever of the joint of term `own` of a linear condition, by that of its others; 0: none of them has one. */
static double follow_lever(const dt_system *s, const dt_tie_row *of, int own)
{
    const double length = dt_closure_reach(s);
    const dt_tie_term at = dt_tie_term_of(s->mechanism, of, own);
    double most = 0;
    dt_tie_term by;
    for (int k = 0; (by = dt_tie_term_of(s->mechanism, of, k)).joint >= 0; k++) {
        const double ratio = fabs(by.factor / at.factor) *
                             dt_closure_weight(&s->tree->nodes[by.joint], length) /
                             dt_closure_weight(&s->tree->nodes[at.joint], length);
        most = k == own ? most : fmax(most, ratio * s->closure->lever[by.joint]);
    }
    return most > 0 ? fmax(most, 1) : 0;
}

/*
 * What is on the way round no loop and only follows by a coupling, as a spindle that makes a hundred turns while its loop closes:
 * its change counts as that of what it follows, else the least change would leave it where it is.
 */
static void find_levers(dt_system *s)
{
    const detent_mechanism *m = s->mechanism;
    const dt_tie_row *tie = s->closure->tie;
    double *lever = s->closure->lever;
    bool any = true;
    for (int i = 0; i < s->tree->node_count; i++) {
        lever[i] = 0;
    }
    mark_ways(s);
    while (any) {
        any = false;
        for (int r = 0; r < s->closure->rows; r = dt_tie_next(tie, r)) {
            for (int k = 0, i; (i = dt_tie_term_of(m, &tie[r], k).joint) >= 0; k++) {
                const double found = lever[i] > 0 ? 0 : follow_lever(s, &tie[r], k);
                lever[i] = found > 0 ? found : lever[i];
                any = any || found > 0;
            }
        }
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        lever[i] = lever[i] > 0 ? lever[i] : 1;
    }
    for (int r = 0; r < s->closure->rows; r = dt_tie_next(tie, r)) { /* teeth mesh where they are */
        const int slack = dt_tie_slack(m, &tie[r]);
        if (slack >= 0) {
            lever[slack] = dt_closure_slack_stays;
        }
    }
}

/* The velocity of slack follows: that of motions is known now. */
static void take_up_slack(dt_system *s)
{
    const dt_tie_row *tie = s->closure->tie;
    for (int r = 0; r < s->closure->rows; r = dt_tie_next(tie, r)) {
        const int slack = dt_tie_slack(s->mechanism, &tie[r]);
        double rate = 0;
        dt_tie_term by;
        for (int k = 0; slack >= 0 && (by = dt_tie_term_of(s->mechanism, &tie[r], k)).joint >= 0;
             k++) {
            rate += by.joint == slack ? 0 : by.factor * s->v[s->tree->nodes[by.joint].v];
        }
        if (slack >= 0) {
            s->v[s->tree->nodes[slack].v] = rate;
        }
    }
}

detent_status dt_closure_assemble(dt_system *s, detent_error *error)
{
    dt_closure *c = s->closure;
    c->assembles = true;
    c->first = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        if (dt_is_prescribed(s, i)) { /* reads t alone */
            dt_law_update_branches(s, dt_motion_law(s, i));
        }
    }
    dt_system_prescribe(s);
    memcpy(c->start, s->q, (size_t)s->tree->nq * sizeof *s->q);
    dt_system_pose(s);
    find_levers(s);
    memcpy(c->ease, c->lever, (size_t)s->tree->node_count * sizeof *c->ease);
    detent_status status = dt_closure_assemble_positions(s, error);
    if (status) {
        return status;
    }
    dt_closure_note_first_reach(s);
    c->initial_meeting = dt_closure_branches_meet(s);
    dt_closure_choose(s);
    c->initial_count = c->count;
    take_up_slack(s);
    status = dt_closure_assemble_velocities(s, error);
    if (status == DETENT_OK) {
        drop_rounding(s);
        status = check_motions(s, error);
    }
    c->assembles = c->chosen = false;
    return status;
}
