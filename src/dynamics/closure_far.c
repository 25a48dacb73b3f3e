/*
 * Positions that are given, and that closing the loops has moved far: the assembly has folded over, or what nobody has given, a guess of 0,
 * has pulled as hard. Then loops are closed from the initial positions in other ways, too: with those that are given held, which is all where
 * the others alone can close the loops; by short steps, which is nearly Newton's flow and stays on its side of folds (Davidenko's path from an
 * open loop to a closed one); and with given positions going an eighth as far as others. What is nearest to the given positions is taken.
 */
#include "dynamics/closure_parts.h"

#include <stdio.h>

enum { MOST_ROUNDS = 400 };

/* How far node i is from where it was given, as dt_closure_find_far() measures it; 0: a motion leads it. `length`: of the mechanism. */
static double way_of(const dt_system *s, int i, double length)
{
    const dt_node *node = &s->tree->nodes[i];
    const double nominal = dt_nominal_position(s->mechanism, i),
                 size = nominal > 0                                     ? nominal
                        : node->type->nq == 4 || node->type->rotational ? 1
                                                                        : length;
    return dt_is_prescribed(s, i) ? 0 : dt_closure_way_of(s, i) / (size * s->closure->lever[i]);
}

static const double far = 0.5;

int dt_closure_find_far(const dt_system *s, int *nodes)
{
    const double length = dt_closure_spread(s);
    int count = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        if (s->mechanism->given[i].is_said && way_of(s, i, length) > far) {
            if (nodes) {
                nodes[count] = i;
            }
            count++;
        }
    }
    return count;
}

/* Whether some are; `distance`: of all that are given, squared. */
static bool any_is_far(const dt_system *s, double *distance)
{
    const double length = dt_closure_spread(s);
    bool any = false;
    *distance = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const double way = s->mechanism->given[i].is_said ? way_of(s, i, length) : 0;
        any = any || way > far;
        *distance += way * way;
    }
    return any;
}

/* How given positions, but those with a priority, go about it. */
typedef struct dt_far_way {
    bool holds;
    double stride, reluctance; /* the latter a power of two */
} dt_far_way;

/* Given positions are held, or go `times` as far as they do. */
static void set_given(dt_system *s, bool holds, double times)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        if (s->mechanism->given[i].is_said &&
            dt_closure_priority_of(s, i, DT_START_POSITION) == DETENT_PRIORITY_FREE) {
            s->closure->pinned[i] = holds;
            s->closure->ease[i] *= times;
        }
    }
}

/* From the initial positions again; infinity where that does not close. */
static double try_way(dt_system *s, const dt_far_way *by)
{
    dt_closure *c = s->closure;
    double distance = INFINITY;
    memcpy(s->q, c->start, (size_t)s->tree->nq * sizeof *s->q);
    dt_system_pose(s);
    set_given(s, by->holds, by->reluctance);
    c->stride = by->stride;
    if (dt_closure_close(s, MOST_ROUNDS)) {
        c->stride = dt_closure_long_stride;
        dt_closure_come_near(s);
        any_is_far(s, &distance);
    }
    c->stride = dt_closure_long_stride;
    set_given(s, false, 1 / by->reluctance);
    return distance;
}

void dt_closure_come_nearer(dt_system *s)
{
    static const dt_far_way ways[] = {
        {true, 0.3, 1}, {false, 0.05, 1}, {false, 0.3, 0.125}, {false, 0.05, 0.125}};
    static const double nearer = 0.99; /* not by rounding */
    dt_closure *c = s->closure;
    const size_t bytes = (size_t)s->tree->nq * sizeof *s->q;
    double least;
    if (!any_is_far(s, &least)) {
        return;
    }
    int rounds = c->rounds; /* of what is taken */
    memcpy(c->base, s->q, bytes);
    for (size_t k = 0; k < sizeof ways / sizeof *ways && least > 0; k++) {
        c->rounds = 0;
        const double own = try_way(s, &ways[k]);
        if (own < nearer * least) {
            least = own;
            rounds = c->rounds;
            memcpy(c->base, s->q, bytes);
        }
    }
    c->rounds = rounds;
    memcpy(s->q, c->base, bytes);
    dt_system_pose(s);
}

void dt_closure_tell_far(const dt_system *s, int i, char *text, size_t size)
{
    const dt_node *node = &s->tree->nodes[i];
    const char *name = s->mechanism->primitives[i].name,
               *unit = node->type->nq == 4 || node->type->rotational ? "rad" : "m";
    char way[96];
    if (node->type->nq == 4) {
        snprintf(way, sizeof way, "is turned by %.4g rad from where it is given",
                 dt_closure_way_of(s, i));
    } else {
        snprintf(way, sizeof way, "is given at %.6g %s, and stands at %.6g %s",
                 s->closure->start[node->q], unit, s->q[node->q], unit);
    }
    snprintf(
        text, size,
        "'%.100s' %s, now that loops and couplings are closed: the assembly may be another one "
        "than is meant; 'detent assemble' shows where all joints stand",
        name, way);
}
