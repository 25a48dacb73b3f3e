/*
 * The map G of which the loads of a round are a fixed point: readings r -> laws: limits, Q, friction of moving joints ->
 * settled boxes -> solution G(r). load_sweeps.c and load_newton.c look for r = G(r).
 */
#include "stiction/loads_map.h"

#include "dynamics/closure.h"
#include "dynamics/scale.h"

#include <float.h>
#include <math.h>
#include <string.h>

/*
 * What the force along a node is compared with: its terms. Where joints are tied these may be nothing at all, as in a loop that
 * carries no load, and an elimination leaves the rounding of all its forces there: it is nothing beside what there ordinarily is.
 */
static double size_of(dt_friction_box *box, int node)
{
    const dt_system *s = box->system;
    const bool compares = s->closure && s->scale;
    const double ordinary = compares ? s->scale->force[s->tree->nodes[node].v] : 0;
    return fmax(dt_friction_box_size(box, node, 0), fmax(ordinary, DBL_MIN));
}

double dt_loads_compare(dt_search *search, double *product, double *square)
{
    dt_friction_box *box = &search->box;
    const dt_system *s = search->system;
    double largest = 0;
    *product = *square = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const int v = s->tree->nodes[i].v;
        if (s->tree->nodes[i].type->nv != 1) {
            continue;
        }
        const double difference = box->held[i] ? box->transmitted[v] - s->tau[v]
                                               : (box->a[v] - s->a[v]) / box->aba->freedom[v].D;
        const double e = difference / size_of(box, i);
        const double step = search->mismatch[i] - e;
        largest = fmax(largest, fabs(e));
        *product += search->mismatch[i] * step;
        *square += step * step;
        search->mismatch[i] = e;
    }
    return largest;
}

double dt_loads_margin(dt_search *search)
{
    dt_friction_box *box = &search->box;
    double smallest = INFINITY;
    for (int k = 0; k < box->count; k++) {
        if (box->kind[k] != DT_FRICTION_BOXED) {
            continue;
        }
        const double margin =
            box->side[k] == 0
                ? fmin(box->limits[k][1] - box->f[k], box->f[k] - box->limits[k][0])
                : box->side[k] * box->a[box->freedom[k]] * dt_friction_box_inertia(box, k);
        smallest = fmin(smallest, margin / size_of(box, box->node[k]));
    }
    return smallest;
}

/* The multipliers that belong to the readings of a sweep, and those of its solution. */
static void keep_multipliers(dt_search *search, bool before)
{
    dt_system *s = search->system;
    if (search->m_before) {
        const size_t bytes = (size_t)s->closure->rows * sizeof *s->multiplier;
        memcpy(before ? search->m_before : search->m_after, s->multiplier, bytes);
        if (!before) {
            memcpy(s->multiplier, search->m_before, bytes);
        }
    }
}

void dt_loads_move(dt_search *search, double weight)
{
    dt_system *s = search->system;
    const dt_friction_box *box = &search->box;
    for (int r = 0; search->m_before && r < s->closure->rows; r++) {
        s->multiplier[r] += weight * (search->m_after[r] - s->multiplier[r]);
    }
    for (int j = 0; j < s->tree->nv; j++) {
        s->a[j] += weight * (box->a[j] - s->a[j]);
    }
    for (int k = 0; k < box->count; k++) {
        s->f[k] += weight * (box->f[k] - s->f[k]);
    }
    dt_system_set_acceleration(s, weight < 1 ? s->a : box->a, weight < 1 ? s->f : box->f);
}

static detent_status settle(dt_search *search)
{
    dt_system *s = search->system;
    const size_t nv = (size_t)s->tree->nv * sizeof *s->a,
                 ns = (size_t)search->box.count * sizeof *s->f;
    if (!search->drive_couples) {
        return dt_round_settle_boxes(search);
    }
    memcpy(search->a_before, s->a, nv);
    memcpy(search->f_before, s->f, ns);
    keep_multipliers(search, true);
    dt_couple(search, DT_BOXES_GIVEN);
    const detent_status status = dt_round_settle_boxes(search);
    dt_couple(search, DT_BOXES_APART);
    keep_multipliers(search, false);
    dt_system_set_acceleration(s, search->a_before, search->f_before);
    return status;
}

detent_status dt_loads_map(dt_search *search)
{
    const detent_status status = dt_round_read_laws(search);
    return status == DETENT_OK ? settle(search) : status;
}
