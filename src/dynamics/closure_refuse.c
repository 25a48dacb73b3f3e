/*
 * What is said of loops that cannot be assembled: which stays open most, who has moved most, and who is in the way: couplings and
 * motions of its joints, or values that are exact, each with its place in the file.
 */
#include "dynamics/closure_parts.h"

#include <stdio.h>

/* Of a loop, joints are told that follow it by so many couplings in a row. */
enum { MOST_COUPLED = 3 };

/* How much that is, m. */
static double size_of(const dt_system *s, const dt_gap *gap)
{
    return gap->apart + dt_closure_reach(s) * gap->turn;
}

dt_gap dt_closure_worst(const dt_system *s)
{
    const dt_tie_row *tie = s->closure->tie;
    dt_gap worst = {.row = -1};
    for (int r = 0; r < s->closure->rows; r = dt_tie_next(tie, r)) {
        dt_gap own = {.row = r};
        if (tie[r].kind->apart) {
            tie[r].kind->apart(s, tie[r].item, &own.apart, &own.turn);
            worst = worst.row < 0 || size_of(s, &own) > size_of(s, &worst) ? own : worst;
        }
    }
    return worst;
}

double dt_closure_way_of(const dt_system *s, int i)
{
    const dt_node *node = &s->tree->nodes[i];
    const double *q = s->q + node->q, *start = s->closure->start + node->q;
    double apart = 0, other = 0;
    for (int k = 0; k < node->type->nq; k++) {
        apart += (q[k] - start[k]) * (q[k] - start[k]);
        other += (q[k] + start[k]) * (q[k] + start[k]);
    }
    /* unit quaternions that an angle is between are 2 sin(angle/4) apart */
    return node->type->nq == 4 ? 4 * asin(fmin(1, 0.5 * sqrt(fmin(apart, other)))) : sqrt(apart);
}

int dt_closure_moved(const dt_system *s, double *change)
{
    const double length = dt_closure_reach(s);
    int most = -1;
    double farthest = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const double own = dt_closure_way_of(s, i);
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

/* "; 'pin' moved most, by 0.3 rad" */
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

/* The row of a coupling or rod that is off most, if no loop is by more; -1: none. */
static int worst_tie(const dt_system *s, const dt_gap *gap, double *off)
{
    int worst = -1;
    *off = gap->row < 0 ? 0 : size_of(s, gap);
    for (int r = 0; r < s->closure->rows; r++) {
        if (s->closure->tie[r].kind->apart) {
            continue;
        }
        const double own =
            fabs(dt_closure_open(s, r)) * dt_closure_row_weight(s, r, dt_closure_reach(s));
        worst = own > *off ? r : worst;
        *off = fmax(own, *off);
    }
    return worst;
}

/* "'g' (9:3)", after a comma where something stands before it; how long the text is then. */
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

static bool is_in_loop(const dt_system *s, const dt_tie_row *loop, int i)
{
    return loop->kind->includes && loop->kind->includes(s, loop->item, i);
}

/* Whether a coupling has a joint of the loop. */
static bool couples_loop(const dt_system *s, const dt_tie_row *of, const dt_tie_row *loop)
{
    bool any = false;
    for (int k = 0, i; (i = dt_tie_term_of(s->mechanism, of, k).joint) >= 0; k++) {
        any = any || is_in_loop(s, loop, i);
    }
    return any;
}

/* "; 'g' (9:3) couples it, 'j1' (7:3), 'j3' (8:3) have motions": what else holds joints of a loop. */
static const char *tell_beside(const dt_system *s, const dt_tie_row *loop, char *text, size_t size)
{
    const detent_mechanism *m = s->mechanism;
    const dt_tie_row *tie = s->closure->tie;
    size_t length = 0;
    int motions = 0;
    text[0] = '\0';
    for (int r = 0; r < s->closure->rows; r = dt_tie_next(tie, r)) {
        if (couples_loop(s, &tie[r], loop)) {
            length = length ? length : (size_t)snprintf(text, size, "; joints of it are tied by ");
            length =
                list_name(text, size, length, text[length - 1] == ' ',
                          tie[r].kind->name(m, tie[r].item), tie[r].kind->place(m, tie[r].item));
        }
    }
    for (int i = 0; i < s->tree->node_count && length + 1 < size; i++) {
        if (dt_is_prescribed(s, i) && is_in_loop(s, loop, i)) {
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
    const char *name = at->kind->name(s->mechanism, at->item);
    char moved[160], off[96] = "";
    if (at->kind->stays) {
        snprintf(off, sizeof off, ": %s %.3g %s", at->kind->stays, fabs(dt_closure_open(s, row)),
                 at->kind->off);
    }
    return dt_fail(error, DETENT_ERROR_MODEL, where->file ? where : NULL,
                   "the %s '%s' cannot be assembled from these initial positions%s%s",
                   dt_tie_word(at), name, off, tell_moved(s, moved, sizeof moved));
}

detent_status dt_closure_refuse_open(dt_system *s, const dt_gap *gap, detent_error *error)
{
    char moved[160], beside[256], axes[384];
    double off = 0;
    const int row = worst_tie(s, gap, &off);
    if (row >= 0) {
        return fail_tie(s, row, error);
    }
    const dt_tie_row *loop = &s->closure->tie[gap->row];
    const dt_location *where = loop->kind->place(s->mechanism, loop->item);
    double way, turn;
    const char *body = loop->kind->apart(s, loop->item, &way, &turn);
    tell_moved(s, moved, sizeof moved);
    dt_closure_tell_axes(s, loop, axes, sizeof axes);
    return dt_fail(error, DETENT_ERROR_MODEL, where->file ? where : NULL,
                   "the %s '%s'%s cannot be assembled from these initial "
                   "positions: '%s' stays %.3g m and %.3g rad apart%s%s%s%s",
                   dt_tie_word(loop), loop->kind->name(s->mechanism, loop->item),
                   loop->kind->does ? loop->kind->does : "", body, gap->apart, gap->turn, axes,
                   moved, tell_beside(s, loop, beside, sizeof beside),
                   dt_closure_closes_beside(s)
                       ? "; from a little beside these positions, which are singular, it can: "
                         "give a joint of it an initial position on the side that is meant"
                       : "");
}

/* Whether node i is in a loop, or follows what is in it by couplings, not more than so many in a row. */
static bool follows_loop(const dt_system *s, const dt_tie_row *loop, int i, int most)
{
    const detent_mechanism *m = s->mechanism;
    const dt_tie_row *tie = s->closure->tie;
    if (is_in_loop(s, loop, i)) {
        return true;
    }
    bool any = false;
    for (int r = 0; r < s->closure->rows && most > 0 && !any; r = dt_tie_next(tie, r)) {
        bool own = false;
        for (int k = 0, j; (j = dt_tie_term_of(m, &tie[r], k).joint) >= 0; k++) {
            own = own || j == i;
        }
        for (int k = 0, j; own && !any && (j = dt_tie_term_of(m, &tie[r], k).joint) >= 0; k++) {
            any = j != i && follows_loop(s, loop, j, most - 1);
        }
    }
    return any;
}

/* Lists exact values of a loop (NULL: all), with lines and columns; returns the first, or -1. */
static int list_exact(const dt_system *s, dt_start_quantity what, const dt_tie_row *loop,
                      char *text, size_t size)
{
    int first = -1;
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < s->tree->node_count && length + 1 < size; i++) {
        if (dt_closure_priority_of(s, i, what) != DETENT_PRIORITY_EXACT ||
            (loop && !follows_loop(s, loop, i, MOST_COUPLED))) {
            continue;
        }
        length = list_name(text, size, length, first < 0, s->mechanism->primitives[i].name,
                           &s->mechanism->priority[i].where);
        first = first < 0 ? i : first;
    }
    return first;
}

detent_status dt_closure_refuse_exact(dt_system *s, dt_start_quantity what, int row,
                                      const char *left, detent_error *error)
{
    const dt_tie_row *at = row < 0 ? NULL : &s->closure->tie[row];
    char names[256];
    int first = list_exact(s, what, at && at->kind->includes ? at : NULL, names, sizeof names);
    if (first < 0) {
        first = list_exact(s, what, NULL, names, sizeof names);
    }
    const dt_location *where = &s->mechanism->priority[first].where;
    return dt_fail(error, DETENT_ERROR_MODEL, where->file ? where : NULL,
                   "exact initial %s cannot all be had: %s; %s",
                   what == DT_START_POSITION ? "positions" : "velocities", names, left);
}

void dt_closure_tell_open(const dt_system *s, const dt_gap *gap, char *text, size_t size)
{
    char moved[160], open[256], what[192], axes[384] = "", beside[256] = "";
    if (gap->row >= 0) {
        dt_tie_tell(s, gap->row, 100, what, sizeof what);
        snprintf(open, sizeof open, "%s stays %.3g m and %.3g rad apart", what, gap->apart,
                 gap->turn);
        dt_closure_tell_axes(s, &s->closure->tie[gap->row], axes, sizeof axes);
        tell_beside(s, &s->closure->tie[gap->row], beside, sizeof beside);
    } else {
        double off;
        const int row = worst_tie(s, gap, &off);
        dt_tie_tell(s, row < 0 ? 0 : row, 100, what, sizeof what);
        snprintf(open, sizeof open, "%s stays open", what);
    }
    snprintf(text, size, "%s%s%s%s", open, axes, tell_moved(s, moved, sizeof moved), beside);
}
