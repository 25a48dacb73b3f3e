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

enum { MOST_ROUNDS = 200, MOST_ROUNDS_BACK = 40, MOST_COUPLED = 3 };

typedef enum quantity { OF_POSITION, OF_VELOCITY } quantity;

static detent_priority priority_of(const dt_system *s, int i, quantity what)
{
    const dt_priority *own = dt_priority_of(s->mechanism, i);
    return !own ? DETENT_PRIORITY_FREE : what == OF_POSITION ? own->position : own->velocity;
}

/** Holds everything from a priority on; what is ranked and not held has the ease that is given. */
static void pin(dt_system *s, quantity what, detent_priority from, double ease)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const detent_priority own = priority_of(s, i, what);
        s->closure->pinned[i] = own != DETENT_PRIORITY_FREE && own >= from;
        s->closure->ease[i] = own != DETENT_PRIORITY_FREE && !s->closure->pinned[i] ? ease : 1;
        s->closure->ease[i] *= what == OF_POSITION ? s->closure->lever[i] : 1;
    }
}

/** Above all priorities: nobody is held. */
enum { NOBODY = DETENT_PRIORITY_EXACT + 1 };

static void pin_none(dt_system *s)
{
    pin(s, OF_POSITION, (detent_priority)NOBODY, 1);
}

static void put(dt_system *s, const double *q)
{
    memcpy(s->q, q, (size_t)s->tree->nq * sizeof *q);
    dt_system_pose(s);
}

/* ---- what is said ---- */

/** How much that is, m. */
static double size_of(const dt_system *s, const dt_gap *gap)
{
    return gap->apart + dt_closure_reach(s) * gap->turn;
}

dt_gap dt_closure_worst(const dt_system *s)
{
    dt_gap worst = {.loop = -1};
    for (int l = 0; l < s->mechanism->loop_count; l++) {
        double g[6];
        dt_weld_part(s, l, g);
        const dt_gap own = {l, dt_norm3(g), dt_norm3(g + 3)};
        if (worst.loop < 0 || size_of(s, &own) > size_of(s, &worst)) {
            worst = own;
        }
    }
    return worst;
}

/** How far node i is from where it was: rad or m. Unit quaternions that an angle is between are 2 sin(angle/4) apart. */
static double way_of(const dt_system *s, int i)
{
    const dt_node *node = &s->tree->nodes[i];
    const double *q = s->q + node->q, *start = s->closure->start + node->q;
    double apart = 0, other = 0;
    for (int k = 0; k < node->type->nq; k++) {
        apart += (q[k] - start[k]) * (q[k] - start[k]);
        other += (q[k] + start[k]) * (q[k] + start[k]);
    }
    return node->type->nq == 4 ? 4 * asin(fmin(1, 0.5 * sqrt(fmin(apart, other)))) : sqrt(apart);
}

int dt_closure_moved(const dt_system *s, double *change)
{
    const double length = dt_closure_reach(s);
    int most = -1;
    double farthest = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const double own = way_of(s, i);
        double size = s->tree->nodes[i].type->nq == 4 || s->tree->nodes[i].type->rotational
                          ? own
                          : own / length;
        size /= s->closure->lever[i];
        if (size > farthest && !dt_is_prescribed(s, i)) {
            farthest = size;
            most = i;
            *change = own;
        }
    }
    return most;
}

/** "; 'pin' moved most, by 0.3 rad" */
static const char *tell_moved(const dt_system *s, char *text, size_t size)
{
    double change = 0;
    const int most = dt_closure_moved(s, &change);
    text[0] = '\0';
    if (most >= 0) {
        const dt_primitive_type *type = s->tree->nodes[most].type;
        snprintf(text, size, "; '%.100s' moved most, by %.3g %s",
                 s->mechanism->primitives[most].name, change,
                 type->nq == 4 || type->rotational ? "rad" : "m");
    }
    return text;
}

/** The row of a coupling or rod that is off most, if no loop is by more; -1: none. */
static int worst_tie(const dt_system *s, const dt_gap *gap, double *off)
{
    int worst = -1;
    *off = gap->loop < 0 ? 0 : size_of(s, gap);
    for (int r = 6 * s->mechanism->loop_count; r < s->closure->rows; r++) {
        const double own =
            fabs(dt_closure_open(s, r)) * dt_closure_row_weight(s, r, dt_closure_reach(s));
        worst = own > *off ? r : worst;
        *off = fmax(own, *off);
    }
    return worst;
}

/** "'g' (9:3)", after a comma where something stands before it; how long the text is then. */
static size_t list_name(char *text, size_t size, size_t length, bool first, const char *name,
                        const dt_location *where)
{
    char place[48] = "";
    if (where && where->line > 0) {
        snprintf(place, sizeof place, " (%d:%d)", where->line, where->column);
    }
    if (length + 1 < size) {
        length += (size_t)snprintf(text + length, size - length, "%s'%.100s'%s", first ? "" : ", ",
                                   name, place);
    }
    return length;
}

/** Whether a coupling has a joint of the loop. */
static bool couples_loop(const dt_system *s, const dt_transmission *of, int loop)
{
    bool any = false;
    for (int k = 0; k < of->count; k++) {
        any = any || dt_closure_is_in_loop(s, loop, of->joint[k]);
    }
    return any;
}

/** "; 'g' (9:3) couples it, 'j1' (7:3), 'j3' (8:3) have motions": what else holds joints of a loop. */
static const char *tell_beside(const dt_system *s, int loop, char *text, size_t size)
{
    const detent_mechanism *m = s->mechanism;
    size_t length = 0;
    int motions = 0;
    text[0] = '\0';
    for (int n = 0; n < m->transmission_count; n++) {
        if (couples_loop(s, &m->transmissions[n], loop)) {
            length = length ? length : (size_t)snprintf(text, size, "; joints of it are tied by ");
            length = list_name(text, size, length, text[length - 1] == ' ',
                               m->transmissions[n].name, &m->transmissions[n].where);
        }
    }
    for (int i = 0; i < s->tree->node_count && length + 1 < size; i++) {
        if (dt_is_prescribed(s, i) && dt_closure_is_in_loop(s, loop, i)) {
            length += motions++ ? 0
                                : (size_t)snprintf(text + length, size - length,
                                                   "; it has the motions of ");
            length = list_name(text, size, length, motions == 1, m->primitives[i].name,
                               m->motion_place ? &m->motion_place[i] : NULL);
        }
    }
    return text;
}

static detent_status fail_tie(dt_system *s, int row, detent_error *error)
{
    const dt_tie_row *at = &s->closure->tie[row];
    const dt_location *where = at->kind->place(s->mechanism, at->item);
    const bool is_rod = row >= 6 * s->mechanism->loop_count + s->mechanism->transmission_count;
    const char *name = at->kind->name(s->mechanism, at->item);
    char moved[160], off[96] = "";
    if (is_rod) {
        snprintf(off, sizeof off, ": its ends stay %.3g m off its length",
                 fabs(dt_closure_open(s, row)));
    }
    return dt_fail(error, DETENT_ERROR_MODEL, where->file ? where : NULL,
                   "the %s '%s' cannot be assembled from these initial positions%s%s",
                   is_rod ? "distance" : "coupling", name, off, tell_moved(s, moved, sizeof moved));
}

static detent_status fail_open(dt_system *s, const dt_gap *gap, detent_error *error)
{
    char moved[160], beside[256];
    double off = 0;
    const int row = worst_tie(s, gap, &off);
    if (row >= 0) {
        return fail_tie(s, row, error);
    }
    const dt_loop *loop = &s->mechanism->loops[gap->loop];
    return dt_fail(error, DETENT_ERROR_MODEL, loop->where.file ? &loop->where : NULL,
                   "the loop that joint '%s' closes cannot be assembled from these initial "
                   "positions: '%s' stays %.3g m and %.3g rad apart%s%s",
                   s->mechanism->joints[loop->joint].name, s->mechanism->bodies[loop->body].name,
                   gap->apart, gap->turn, tell_moved(s, moved, sizeof moved),
                   tell_beside(s, gap->loop, beside, sizeof beside));
}

bool dt_closure_is_in_loop(const dt_system *s, int loop, int i)
{
    bool moves[2] = {false, false};
    for (int e = 0; e < 2; e++) {
        for (int k = s->mechanism->loops[loop].node[e]; k >= i; k = s->tree->nodes[k].parent) {
            moves[e] = moves[e] || k == i;
        }
    }
    return moves[0] != moves[1];
}

/** Whether node i is in a loop, or follows what is in it by couplings, not more than so many in a row. */
static bool follows_loop(const dt_system *s, int loop, int i, int most)
{
    const detent_mechanism *m = s->mechanism;
    if (dt_closure_is_in_loop(s, loop, i)) {
        return true;
    }
    bool any = false;
    for (int n = 0; n < m->transmission_count && most > 0 && !any; n++) {
        const dt_transmission *of = &m->transmissions[n];
        bool own = false;
        for (int k = 0; k < of->count; k++) {
            own = own || of->joint[k] == i;
        }
        for (int k = 0; k < of->count && own && !any; k++) {
            any = of->joint[k] != i && follows_loop(s, loop, of->joint[k], most - 1);
        }
    }
    return any;
}

/** Lists exact values of a loop (-1: all), with lines and columns; returns the first, or -1. */
static int list_exact(const dt_system *s, quantity what, int loop, char *text, size_t size)
{
    int first = -1;
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < s->tree->node_count && length + 1 < size; i++) {
        if (priority_of(s, i, what) != DETENT_PRIORITY_EXACT ||
            (loop >= 0 && !follows_loop(s, loop, i, MOST_COUPLED))) {
            continue;
        }
        length = list_name(text, size, length, first < 0, s->mechanism->primitives[i].name,
                           &s->mechanism->priority[i].where);
        first = first < 0 ? i : first;
    }
    return first;
}

/** Loops are open because values are exact: which they are. */
static detent_status fail_exact(dt_system *s, quantity what, const dt_gap *gap, const char *left,
                                detent_error *error)
{
    char names[256];
    int loop = gap->loop, first = list_exact(s, what, loop, names, sizeof names);
    if (first < 0) {
        loop = -1;
        first = list_exact(s, what, loop, names, sizeof names);
    }
    const dt_location *where = &s->mechanism->priority[first].where;
    return dt_fail(error, DETENT_ERROR_MODEL, where->file ? where : NULL,
                   "exact initial %s cannot all be had: %s; %s",
                   what == OF_POSITION ? "positions" : "velocities", names, left);
}

static bool has_exact(const dt_system *s, quantity what)
{
    bool any = false;
    for (int i = 0; i < s->tree->node_count && s->mechanism->priority; i++) {
        any = any || priority_of(s, i, what) == DETENT_PRIORITY_EXACT;
    }
    return any;
}

/* ---- positions ---- */

/** Node i goes a part of the way from c->base to where it was asked to be. */
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

/** Preferred ones, or one of them alone (`only`; -1: all), back as near as the free ones can follow. */
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
            if (priority_of(s, i, OF_POSITION) == DETENT_PRIORITY_PREFERRED &&
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

static bool close_ranked(dt_system *s)
{
    static const double reluctance[] = {0.1, 1};
    bool closes = false;
    pin(s, OF_POSITION, DETENT_PRIORITY_PREFERRED, 1);
    if (dt_closure_close(s, MOST_ROUNDS)) {
        return true;
    }
    for (int k = 0; k < 2 && !closes; k++) {
        pin(s, OF_POSITION, DETENT_PRIORITY_EXACT, reluctance[k]);
        put(s, s->closure->start);
        closes = dt_closure_close(s, MOST_ROUNDS);
    }
    if (!closes) {
        return false;
    }
    pin(s, OF_POSITION, DETENT_PRIORITY_PREFERRED, 1);
    bring_back(s, -1);
    for (int i = 0; i < s->tree->node_count; i++) {
        if (priority_of(s, i, OF_POSITION) == DETENT_PRIORITY_PREFERRED && way_of(s, i) > 0) {
            bring_back(s, i);
            s->closure->at_limit = s->closure->at_limit || way_of(s, i) > 0;
        }
    }
    /* near is not closed: what is left goes to all that may move */
    pin(s, OF_POSITION, DETENT_PRIORITY_EXACT, 1);
    return dt_closure_close(s, MOST_ROUNDS);
}

/** What stays open most, in words. */
static void tell_open(const dt_system *s, const dt_gap *gap, char *text, size_t size)
{
    if (gap->loop >= 0) {
        snprintf(text, size, "the loop that joint '%.100s' closes stays %.3g m and %.3g rad apart",
                 s->mechanism->joints[s->mechanism->loops[gap->loop].joint].name, gap->apart,
                 gap->turn);
    } else {
        double off;
        const int row = worst_tie(s, gap, &off);
        const dt_tie_row *at = &s->closure->tie[row < 0 ? 0 : row];
        snprintf(text, size, "the coupling '%.100s' stays open",
                 at->kind->name(s->mechanism, at->item));
    }
}

detent_status dt_closure_assemble_positions(dt_system *s, detent_error *error)
{
    char meeting[160];
    if (dt_distance_tell_meeting(s, meeting, sizeof meeting)) {
        const dt_location *where = &s->mechanism->rods->where[dt_distance_find_meeting(s)];
        return dt_fail(error, DETENT_ERROR_MODEL, where->file ? where : NULL,
                       "at the initial positions %s", meeting);
    }
    const bool closes = s->mechanism->priority ? close_ranked(s) : dt_closure_close(s, MOST_ROUNDS);
    pin_none(s);
    if (closes) {
        return DETENT_OK;
    }
    const dt_gap gap = dt_closure_worst(s);
    if (!has_exact(s, OF_POSITION)) {
        return fail_open(s, &gap, error);
    }
    /* without those that are exact? */
    char left[512], moved[160], open[256];
    tell_open(s, &gap, open, sizeof open);
    snprintf(left, sizeof left, "%s%s", open, tell_moved(s, moved, sizeof moved));
    put(s, s->closure->start);
    return dt_closure_close(s, MOST_ROUNDS) ? fail_exact(s, OF_POSITION, &gap, left, error)
                                            : fail_open(s, &gap, error);
}

/* ---- velocities ---- */

int dt_closure_violated_row(const dt_system *s)
{
    static const double rounding = 1e-9;
    const dt_closure *c = s->closure;
    const double length = dt_closure_reach(s);
    double most = 0, scale = 0;
    int worst = -1;
    for (int r = 0; r < c->rows; r++) {
        double sum = 0, size = 0;
        for (int v = 0; v < s->tree->nv; v++) {
            const double term = dt_closure_entry(c, r, v) * s->v[v];
            sum += term;
            size += fabs(term);
        }
        const double weight = dt_closure_row_weight(s, r, length);
        scale = fmax(scale, weight * size);
        if (weight * fabs(sum) > most) {
            most = weight * fabs(sum);
            worst = r;
        }
    }
    return most > rounding * scale ? worst : -1;
}

bool dt_closure_moves_locked(const dt_system *s)
{
    return s->closure->count < s->closure->rows && dt_closure_violated_row(s) >= 0;
}

/** Velocities change, those that are not held; twice more for what weights leave over. */
static int change_velocities(dt_system *s, detent_priority held, double ease)
{
    pin(s, OF_VELOCITY, held, ease);
    dt_closure_choose(s);
    for (int k = 0; k < 3; k++) {
        dt_closure_close_velocities(s);
    }
    return dt_closure_violated_row(s);
}

/** Others are to follow from them, so that rounding does not move them either; at a limit nothing follows from who is there. */
static void keep_ranked(dt_system *s)
{
    const detent_priority from =
        s->closure->at_limit ? DETENT_PRIORITY_EXACT : DETENT_PRIORITY_PREFERRED;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            s->closure->kept[v] = priority_of(s, i, OF_POSITION) >= from;
        }
    }
}

/** Velocities change by the least, whatever follows what. */
static void change_nothing_easier(dt_system *s)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        s->closure->ease[i] = 1;
    }
}

detent_status dt_closure_assemble_velocities(dt_system *s, detent_error *error)
{
    static const double reluctance = 1e-5, at_limit = 0.1;
    const int welds = 6 * s->mechanism->loop_count;
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
    if (row < 0 || !has_exact(s, OF_VELOCITY)) {
        return DETENT_OK;
    }
    char left[256];
    const dt_gap gap = {.loop = row < welds ? row / 6 : -1};
    if (gap.loop >= 0) {
        snprintf(left, sizeof left, "the loop that joint '%.100s' closes comes apart",
                 s->mechanism->joints[s->mechanism->loops[gap.loop].joint].name);
    } else {
        const dt_tie_row *at = &s->closure->tie[row];
        snprintf(left, sizeof left, "the coupling '%.100s' does not hold",
                 at->kind->name(s->mechanism, at->item));
    }
    return fail_exact(s, OF_VELOCITY, &gap, left, error);
}
