/* Who gives way when loops are assembled. A priority goes with a position or a velocity: exact ones stay, preferred ones stay as
 * long as free ones alone can close the loops.
 *
 *   positions   1. exact and preferred ones are held, the least change of the free ones; where that closes, it is all.
 *               2. only exact ones are held, preferred ones go a tenth of what others do, or, where that does not close,
 *                  as far. Then back to where they were asked to be, together and then one by one, as near as the free ones
 *                  can follow, by bisection: afterwards none of them alone could be nearer.
 *   velocities  the same in one linear step; where preferred ones have to change, by weights: theirs is 1e-5, so that they
 *               change by the least possible, but for 1e-10 of it. Where positions had to give way they are at a limit of
 *               what free ones can follow, that is at a dead centre, where no finite velocity of these keeps theirs: there
 *               the weight is 0.1.
 */
#include "dynamics/closure_parts.h"

#include <stdio.h>

enum { MOST_ROUNDS = 200, MOST_ROUNDS_BACK = 40 };

/* Velocities of slack are whatever those of the others make them. */
static void ease_slack(dt_system *s)
{
    const dt_tie_row *tie = s->closure->tie;
    for (int r = 0; r < s->closure->rows; r = dt_tie_next(tie, r)) {
        const int slack = dt_tie_slack(s->mechanism, &tie[r]);
        if (slack >= 0) {
            s->closure->ease[slack] = dt_closure_slack_follows;
        }
    }
}

/* Holds everything from a priority on; what is ranked and not held has the ease that is given. */
static void pin(dt_system *s, dt_start_quantity what, detent_priority from, double ease)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const detent_priority own = dt_closure_priority_of(s, i, what);
        s->closure->pinned[i] = own != DETENT_PRIORITY_FREE && own >= from;
        s->closure->ease[i] = own != DETENT_PRIORITY_FREE && !s->closure->pinned[i] ? ease : 1;
        s->closure->ease[i] *= what == DT_START_POSITION ? s->closure->lever[i] : 1;
    }
    if (what == DT_START_VELOCITY) {
        ease_slack(s);
    }
}

/* Above all priorities: nobody is held. */
enum { NOBODY = DETENT_PRIORITY_EXACT + 1 };

static void pin_none(dt_system *s)
{
    pin(s, DT_START_POSITION, (detent_priority)NOBODY, 1);
}

static void put(dt_system *s, const double *q)
{
    memcpy(s->q, q, (size_t)s->tree->nq * sizeof *q);
    dt_system_pose(s);
}

static bool has_exact(const dt_system *s, dt_start_quantity what)
{
    bool any = false;
    for (int i = 0; i < s->tree->node_count && s->mechanism->priority; i++) {
        any = any || dt_closure_priority_of(s, i, what) == DETENT_PRIORITY_EXACT;
    }
    return any;
}

/* ---- positions ---- */

/* Node i goes a part of the way from c->base to where it was asked to be. */
static void go_back(dt_system *s, int i, double part)
{
    const dt_node *node = &s->tree->nodes[i];
    const double *base = s->closure->base + node->q, *start = s->closure->start + node->q;
    for (int k = 0; k < node->type->nq; k++) {
        s->q[node->q + k] = part == 1 ? start[k] : base[k] + part * (start[k] - base[k]);
    }
    if (node->type->nq > 0 && part < 1) {
        node->type->normalize(s->q + node->q);
    }
}

/* Preferred ones, or one of them alone (`only`; -1: all), back as near as the free ones can follow. */
static void bring_back(dt_system *s, int only)
{
    static const double least = 1e-12;
    dt_closure *c = s->closure;
    const size_t bytes = (size_t)s->tree->nq * sizeof *s->q;
    double at = 0, step = 1;
    memcpy(c->base, s->q, bytes);
    memcpy(c->near, s->q, bytes);
    while (at < 1 && step > least) {
        const double next = at + step < 1 ? at + step : 1;
        put(s, c->near);
        for (int i = 0; i < s->tree->node_count; i++) {
            if (dt_closure_priority_of(s, i, DT_START_POSITION) == DETENT_PRIORITY_PREFERRED &&
                (only < 0 || only == i)) {
                go_back(s, i, next);
            }
        }
        dt_system_pose(s);
        if (dt_closure_close(s, MOST_ROUNDS_BACK)) {
            at = next;
            memcpy(c->near, s->q, bytes);
        } else {
            step *= 0.5;
        }
    }
    put(s, c->near);
}

/* Those that are free at present. */
static bool close_free(dt_system *s)
{
    const bool closes = dt_closure_close(s, MOST_ROUNDS);
    if (closes) {
        dt_closure_come_near(s);
        dt_closure_come_nearer(s);
    }
    return closes;
}

static bool close_ranked(dt_system *s)
{
    static const double reluctance[] = {0.1, 1};
    bool closes = false;
    pin(s, DT_START_POSITION, DETENT_PRIORITY_PREFERRED, 1);
    if (close_free(s)) {
        return true;
    }
    for (int k = 0; k < 2 && !closes; k++) {
        pin(s, DT_START_POSITION, DETENT_PRIORITY_EXACT, reluctance[k]);
        put(s, s->closure->start);
        closes = dt_closure_close(s, MOST_ROUNDS);
    }
    if (!closes) {
        return false;
    }
    pin(s, DT_START_POSITION, DETENT_PRIORITY_PREFERRED, 1);
    bring_back(s, -1);
    for (int i = 0; i < s->tree->node_count; i++) {
        if (dt_closure_priority_of(s, i, DT_START_POSITION) == DETENT_PRIORITY_PREFERRED &&
            dt_closure_way_of(s, i) > 0) {
            bring_back(s, i);
            s->closure->at_limit = s->closure->at_limit || dt_closure_way_of(s, i) > 0;
        }
    }
    /* near is not closed: what is left goes to all that may move */
    pin(s, DT_START_POSITION, DETENT_PRIORITY_EXACT, 1);
    return dt_closure_close(s, MOST_ROUNDS);
}

/* Of what nothing leads to where it holds. */
static detent_status check_stuck(const dt_system *s, detent_error *error)
{
    const dt_tie_row *tie = s->closure->tie;
    char words[160];
    for (int r = 0; r < s->closure->rows; r = dt_tie_next(tie, r)) {
        const dt_tie_kind *kind = tie[r].kind;
        if (kind->tell_stuck && kind->tell_stuck(s, tie[r].item, words, sizeof words)) {
            const dt_location *where = kind->place(s->mechanism, tie[r].item);
            return dt_fail(error, DETENT_ERROR_MODEL, where->file ? where : NULL,
                           "at the initial positions %s", words);
        }
    }
    return DETENT_OK;
}

detent_status dt_closure_assemble_positions(dt_system *s, detent_error *error)
{
    const detent_status status = check_stuck(s, error);
    if (status) {
        return status;
    }
    const bool closes = s->mechanism->priority ? close_ranked(s) : close_free(s);
    pin_none(s);
    if (closes) {
        return DETENT_OK;
    }
    const dt_gap gap = dt_closure_worst(s);
    if (!has_exact(s, DT_START_POSITION)) {
        return dt_closure_refuse_open(s, &gap, error);
    }
    /* without those that are exact? */
    char left[512];
    dt_closure_tell_open(s, &gap, left, sizeof left);
    put(s, s->closure->start);
    return dt_closure_close(s, MOST_ROUNDS)
               ? dt_closure_refuse_exact(s, DT_START_POSITION, gap.row, left, error)
               : dt_closure_refuse_open(s, &gap, error);
}

/* ---- velocities ---- */

/* Velocities change, those that are not held; twice more for what weights leave over. */
static int change_velocities(dt_system *s, detent_priority held, double ease)
{
    pin(s, DT_START_VELOCITY, held, ease);
    dt_closure_choose(s);
    for (int k = 0; k < 3; k++) {
        dt_closure_close_velocities(s);
    }
    return dt_closure_violated_row(s);
}

/* Others are to follow from them, so that rounding does not move them either; at a limit nothing follows from who is there. */
static void keep_ranked(dt_system *s)
{
    const detent_priority from =
        s->closure->at_limit ? DETENT_PRIORITY_EXACT : DETENT_PRIORITY_PREFERRED;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            s->closure->kept[v] = dt_closure_priority_of(s, i, DT_START_POSITION) >= from;
        }
    }
}

/* Velocities change by the least, whatever follows what. */
static void change_nothing_easier(dt_system *s)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        s->closure->ease[i] = 1;
    }
    ease_slack(s);
}

detent_status dt_closure_assemble_velocities(dt_system *s, detent_error *error)
{
    static const double reluctance = 1e-5, at_limit = 0.1;
    if (!s->mechanism->priority) {
        change_nothing_easier(s);
        dt_closure_close_velocities(s);
        return DETENT_OK;
    }
    const bool is_limited = s->closure->at_limit;
    int row = is_limited ? 0 : change_velocities(s, DETENT_PRIORITY_PREFERRED, 1);
    if (row >= 0) {
        for (int i = 0; i < s->tree->node_count; i++) {
            const dt_node *node = &s->tree->nodes[i];
            for (int v = node->v; v < node->v + node->type->nv && !dt_is_prescribed(s, i); v++) {
                s->v[v] = s->mechanism->velocity[v];
            }
        }
        row = change_velocities(s, DETENT_PRIORITY_EXACT, is_limited ? at_limit : reluctance);
    }
    pin_none(s);
    keep_ranked(s);
    if (row < 0 || !has_exact(s, DT_START_VELOCITY)) {
        return DETENT_OK;
    }
    const char *fails = s->closure->tie[row].kind->fails;
    char left[256], what[192];
    dt_tie_tell(s, row, 100, what, sizeof what);
    snprintf(left, sizeof left, "%s %s", what, fails ? fails : "does not hold");
    return dt_closure_refuse_exact(s, DT_START_VELOCITY, row, left, error);
}
