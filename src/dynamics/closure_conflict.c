/*
 * Motions that contradict each other. Where so many joints of a loop have motions that the others cannot follow, it closes only as
 * long as the motions fit: at its positions, where it would come apart at once, and in velocities and accelerations,
 * where it would a moment later. What does not fit shows in rows that the joints without motion leave no freedom to.
 * And motions that lead what is tied to a dead centre: there others would have to be ever faster.
 */
#include "dynamics/closure_parts.h"

#include <math.h>
#include <stdio.h>

/* Whether a primitive with a motion has a part in what the row is of (-1: all that is tied). */
static bool takes_part(const dt_system *s, int i, int row)
{
    const dt_closure *c = s->closure;
    const dt_tie_row *at = row < 0 ? NULL : &c->tie[row];
    if (!dt_is_prescribed(s, i)) {
        return false;
    }
    if (at && at->kind->includes) {
        return at->kind->includes(s, at->item, i);
    }
    bool any = false;
    for (int r = row < 0 ? 0 : row; r < (row < 0 ? c->rows : row + 1) && !any; r++) {
        any = dt_closure_entry(c, r, s->tree->nodes[i].v) != 0;
    }
    return any;
}

static int count_parts(const dt_system *s, int row)
{
    int count = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        count += takes_part(s, i, row);
    }
    return count;
}

/* "'a', 'b' and 'c'"; returns the first. */
static int list_parts(const dt_system *s, int row, int count, char *text, size_t size)
{
    int first = -1, listed = 0;
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < s->tree->node_count && length + 1 < size; i++) {
        if (takes_part(s, i, row)) {
            const char *before = listed == 0 ? "" : listed == count - 1 ? " and " : ", ";
            const int written = snprintf(text + length, size - length, "%s'%.60s'", before,
                                         s->mechanism->primitives[i].name);
            length += (size_t)written;
            first = first < 0 ? i : first;
            listed++;
        }
    }
    return first;
}

/* Whether a motion has a velocity: else velocities that do not fit are rounding of those that have been closed. */
static bool any_moves(const dt_system *s)
{
    bool any = false;
    for (int i = 0; i < s->tree->node_count && !any; i++) {
        any = takes_part(s, i, -1) && s->v[s->tree->nodes[i].v] != 0;
    }
    return any;
}

/* Motions that do not fit. */
static bool tell_contradiction(dt_system *s, char *text, size_t size, int *first)
{
    char who[256], what[96];
    int row =
        s->closure->count < s->closure->rows && any_moves(s) ? dt_closure_violated_row(s) : -1;
    const bool velocities = row >= 0;
    row = velocities || s->closure->count == s->closure->rows ? row : dt_closure_broken_row(s);
    if (row < 0) {
        return false;
    }
    const int inside = count_parts(s, row), seen = inside > 1 ? row : -1,
              count = inside > 1 ? inside : count_parts(s, -1);
    if (count == 0) {
        return false;
    }
    *first = list_parts(s, seen, count, who, sizeof who);
    dt_tie_tell(s, row, 60, what, sizeof what);
    snprintf(text, size, "the motion%s of %s contradict%s %s: %s cannot follow %s %s",
             count > 1 ? "s" : "", who, count > 1 ? "" : "s",
             count > 1 ? "each other" : "what is tied", what, count > 1 ? "their" : "its",
             velocities ? "velocities" : "accelerations");
    return true;
}

/* The freedom that moves most for how fast the motions are, nothing else moving, and how many times as fast. */
static int find_fastest(dt_system *s, double *ratio)
{
    dt_closure *c = s->closure;
    double given = 0, most = 0;
    int fastest = -1;
    for (int k = 0; k < c->count; k++) {
        c->x[k] = 0;
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        const int v = s->tree->nodes[i].v;
        if (takes_part(s, i, -1)) {
            given = fmax(given, fabs(s->v[v]) / c->freedom_unit[v]);
            for (int k = 0; k < c->count; k++) {
                c->x[k] -= dt_closure_entry(c, c->row[k], v) * s->v[v];
            }
        }
    }
    dt_closure_solve(c, c->x, false);
    for (int k = 0; k < c->count; k++) {
        const double own = fabs(c->x[k]) / c->freedom_unit[c->freedom[k]];
        if (own > most) {
            most = own;
            fastest = c->freedom[k];
        }
    }
    *ratio = given > 0 ? most / given : 0;
    return fastest;
}

static const char *owner_of(const dt_system *s, int v)
{
    int i = 0;
    while (i + 1 < s->tree->node_count && s->tree->nodes[i + 1].v <= v) {
        i++;
    }
    return s->mechanism->primitives[i].name;
}

/* Motions that lead to a dead centre: others would have to be ever faster. */
static bool tell_limit(dt_system *s, char *text, size_t size, int *first)
{
    static const double far_faster = 1e3;
    char who[256];
    double ratio;
    const int fastest = find_fastest(s, &ratio), count = count_parts(s, -1);
    if (!(ratio > far_faster) || fastest < 0 || count == 0) {
        return false;
    }
    *first = list_parts(s, -1, count, who, sizeof who);
    snprintf(text, size,
             "the motion%s of %s lead%s to where what is tied goes no farther: '%.60s' would move "
             "%.2g times as fast",
             count > 1 ? "s" : "", who, count > 1 ? "" : "s", owner_of(s, fastest), ratio);
    return true;
}

static bool is_ready(dt_system *s)
{
    if (!s->closure || !s->closure->has_motions) {
        return false;
    }
    dt_closure_update(s);
    return dt_closure_factor(s);
}

bool dt_closure_tells_conflict(dt_system *s, char *text, size_t size, int *first)
{
    return is_ready(s) && tell_contradiction(s, text, size, first);
}

bool dt_closure_tells_dead_end(dt_system *s, char *text, size_t size, int *first)
{
    return is_ready(s) &&
           (tell_contradiction(s, text, size, first) || tell_limit(s, text, size, first));
}
