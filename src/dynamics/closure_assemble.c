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

/* The lever of joint `place` of a transmission, by that of its others; 0: none of them has one. */
static double follow_lever(const dt_system *s, const dt_transmission *of, int place)
{
    const double length = dt_closure_reach(s);
    const int i = of->joint[place];
    double most = 0;
    for (int k = 0; k < of->count; k++) {
        const int j = of->joint[k];
        const double ratio = fabs(of->factor[k] / of->factor[place]) *
                             dt_closure_weight(&s->tree->nodes[j], length) /
                             dt_closure_weight(&s->tree->nodes[i], length);
        most = k == place ? most : fmax(most, ratio * s->closure->lever[j]);
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
    double *lever = s->closure->lever;
    bool any = true;
    for (int i = 0; i < s->tree->node_count; i++) {
        lever[i] = 0;
    }
    mark_ways(s);
    while (any) {
        any = false;
        for (int n = 0; n < m->transmission_count; n++) {
            const dt_transmission *of = &m->transmissions[n];
            for (int k = 0; k < of->count; k++) {
                double *own = &lever[of->joint[k]];
                const double found = *own > 0 ? 0 : follow_lever(s, of, k);
                *own = found > 0 ? found : *own;
                any = any || found > 0;
            }
        }
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        lever[i] = lever[i] > 0 ? lever[i] : 1;
    }
    for (int n = 0; n < m->transmission_count; n++) { /* teeth mesh where they are */
        if (m->transmissions[n].slack >= 0) {
            lever[m->transmissions[n].slack] = dt_closure_slack_stays;
        }
    }
}

/* The velocity of slack follows: that of motions is known now. */
static void take_up_slack(dt_system *s)
{
    for (int n = 0; n < s->mechanism->transmission_count; n++) {
        const dt_transmission *of = &s->mechanism->transmissions[n];
        double rate = 0;
        for (int k = 0; k < of->count && of->slack >= 0; k++) {
            const int i = of->joint[k];
            rate += i == of->slack ? 0 : of->factor[k] * s->v[s->tree->nodes[i].v];
        }
        if (of->slack >= 0) {
            s->v[s->tree->nodes[of->slack].v] = rate;
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
