/* Which joints and couplings of loops carry what no motion tells (self_stress.h), and how long they are. */
#include "base/joined.h"
#include "dynamics/self_stress.h"

#include "dynamics/closure_parts.h"
#include "dynamics/split_parts.h"

#include <math.h>

/* Rows of mechanisms in which it is shown though no law reads it: Z has the square of that. */
enum { MOST_SHOWN = 120 };

/* ---- set-up ---- */

/* Nodes on the way round a loop, or between the ends of a rod, are one cluster, and so are those of loops that share one. -1: on no way. */
static void find_clusters(const dt_system *s, int *joined)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        joined[i] = -1;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int row = 0; row < s->closure->rows; row++) {
            int at[2];
            if (s->closure->tie[row].component > 0 || !dt_closure_ends(s, row, &at[0], &at[1])) {
                continue;
            }
            const int one = at[1] > at[0] ? at[1] : at[0];
            while (at[0] != at[1]) { /* parents come before their children */
                int *higher = &at[at[1] > at[0]];
                if (pass == 0) {
                    joined[*higher] = *higher;
                } else {
                    joined[dt_first_of(joined, *higher)] = dt_first_of(joined, one);
                }
                *higher = s->tree->nodes[*higher].parent;
            }
        }
    }
}

/* The point of a node's own joint on its body, in the frame of the node that stands for the body. */
static int own_point(const detent_mechanism *m, int i, double p[3])
{
    memset(p, 0, 3 * sizeof *p);
    for (int l = 0; l < m->loop_count; l++) {
        const dt_load *end = &m->loads[m->loops[l].end];
        if (m->loops[l].node[1] == i) {
            double own[3];
            dt_rotate_back(own, end[1].R, end[1].point);
            dt_rotate(p, end[0].R, own);
            for (int k = 0; k < 3; k++) {
                p[k] = end[0].point[k] - p[k];
            }
            return end[0].node;
        }
    }
    return i;
}

/* The largest distance of node i's joint from another one of its cluster on one of its two bodies. */
static double reach_of(const detent_mechanism *m, int *joined, int i)
{
    double own[3], p[3], most = 0;
    const int body = own_point(m, i, own), parent = m->tree.nodes[i].parent;
    for (int j = 0; j < m->tree.node_count; j++) {
        if (j == i || joined[j] < 0 || dt_first_of(joined, j) != dt_first_of(joined, i)) {
            continue;
        }
        const int other = own_point(m, j, p);
        for (int end = 0; end < 4; end++) {
            const double *a = end % 2 ? m->tree.nodes[i].frame->p : own,
                         *b = end / 2 ? m->tree.nodes[j].frame->p : p;
            const bool same =
                (end % 2 ? parent : body) == (end / 2 ? m->tree.nodes[j].parent : other);
            most = same ? fmax(most, hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2])) : most;
        }
    }
    return most;
}

/* Lists the joints of loops. */
static void list_joints(const dt_system *s, int *joined, dt_self_stress *stress)
{
    const detent_mechanism *m = s->mechanism;
    find_clusters(s, joined);
    for (int j = 0; j < m->joint_count; j++) {
        const int last = m->joints[j].first_primitive + m->joints[j].primitive_count - 1;
        if (joined[last] >= 0) {
            stress->node[stress->joint_count++] = last;
        }
    }
    for (int n = 0; n < stress->joint_count; n++) {
        double most = 0;
        for (int i = 0; i < m->tree.node_count; i++) {
            const bool same =
                joined[i] >= 0 && dt_first_of(joined, i) == dt_first_of(joined, stress->node[n]);
            most = same ? fmax(most, reach_of(m, joined, i)) : most;
        }
        stress->length[n] = most > 0 ? most : s->closure->size;
    }
}

double dt_self_stress_length(const dt_system *s, const dt_self_stress *stress, int node)
{
    double length = s->closure->size;
    for (int n = 0; n < stress->joint_count; n++) {
        length = stress->node[n] == node ? stress->length[n] : length;
    }
    return length;
}

static int count_itself(const dt_closure *c)
{
    int count = 0;
    for (int r = 0; r < c->rows; r++) {
        count += c->tie[r].kind->itself != NULL;
    }
    return count;
}

/* Couplings, rods, slots and cams. */
static void list_itself(const dt_system *s, dt_self_stress *stress)
{
    for (int r = 0; r < s->closure->rows; r++) {
        const dt_tie_row *at = &s->closure->tie[r];
        if (at->kind->itself) {
            stress->itself[stress->itself_count] = r;
            stress->direct[stress->itself_count++] = at->kind->itself(s, stress, at->item);
        }
    }
}

static size_t most_variables(const dt_system *s)
{
    size_t most = 1;
    for (int l = 0; l < s->law_count; l++) {
        const size_t own = (size_t)s->law[l]->program->variable_count;
        most = own > most ? own : most;
    }
    return most;
}

bool dt_self_stress_create(dt_arena *arena, dt_system *s)
{
    if (!s->closure || (!s->mechanism->follows_loops && s->closure->rows > MOST_SHOWN)) {
        return true;
    }
    const size_t joints = (size_t)s->mechanism->joint_count, rows = (size_t)s->closure->rows,
                 nodes = (size_t)s->tree->node_count, direct = (size_t)count_itself(s->closure),
                 height = 6 * joints + direct;
    dt_self_stress *stress = dt_arena_alloc(arena, 1, sizeof *stress);
    int *joined = dt_arena_alloc(arena, nodes, sizeof *joined);
    if (!stress || !joined) {
        return false;
    }
#define TAKE(member, size) \
    ((stress->member = dt_arena_alloc(arena, (size), sizeof *stress->member)) != NULL)
    if (!TAKE(node, joints) || !TAKE(length, joints) || !TAKE(split, 1) || !TAKE(Z, rows * rows) ||
        !TAKE(itself, direct) || !TAKE(direct, direct) || !TAKE(A, height * rows) ||
        !TAKE(N, rows * rows) || !TAKE(R, height) || !TAKE(z, rows) || !TAKE(push, nodes) ||
        !TAKE(pivots, rows) || !TAKE(q, (size_t)s->tree->nq) ||
        !TAKE(mode, (size_t)s->mechanism->stiction_count) || !TAKE(gradient, most_variables(s)) ||
        !dt_split_take(arena, s, true, stress->split)) {
        return false;
    }
#undef TAKE
    list_joints(s, joined, stress);
    list_itself(s, stress);
    stress->height = 6 * stress->joint_count + (int)direct;
    *(s->mechanism->follows_loops ? &s->closure->stress : &s->closure->shown) = stress;
    return true;
}
