#include "dynamics/bristles.h"

#include "dynamics/spring_step.h"

#include <math.h>

/* ---- set-up ---- */

/* Of an item, where its joint is in this system. */
static void enter(dt_bristles *b, const dt_item_list *list, int item)
{
    const dt_system *s = b->system;
    const dt_friction_law *law = dt_item_definition(list, item);
    const int node = list->joint[item], count = dt_friction_springs(law);
    b->apart[item] = node >= 0 && count > 0;
    if (!b->apart[item]) {
        return;
    }
    b->of[b->count++] = (dt_bristle){.law = law,
                                     .item = item,
                                     .node = node,
                                     .freedom = s->tree->nodes[node].v,
                                     .coordinate = s->tree->nodes[node].q,
                                     .state = list->state[item],
                                     .count = count,
                                     .load = 1};
    for (int k = 0; k < count; k++) {
        b->is_state[list->state[item] + k] = true;
    }
}

bool dt_bristles_create(dt_arena *arena, dt_system *s, dt_bristles *b)
{
    const dt_item_list *list = dt_friction_laws(s->mechanism);
    const size_t items = (size_t)list->count, nv = (size_t)s->tree->nv;
    bool any = false;
    *b = (dt_bristles){.system = s};
    for (int item = 0; item < list->count && !any; item++) {
        any = dt_friction_springs(dt_item_definition(list, item)) > 0;
    }
    if (!any) {
        return true;
    }
#define TAKE(member, count) \
    ((b->member = dt_arena_alloc(arena, (count), sizeof *b->member)) != NULL)
    if (!TAKE(of, items) || !TAKE(slope, nv) || !TAKE(force, nv) || !TAKE(apart, items) ||
        !TAKE(apart_force, items) || !TAKE(is_state, (size_t)s->mechanism->state_count)) {
        return false;
    }
#undef TAKE
    for (int item = 0; item < list->count; item++) {
        enter(b, list, item);
    }
    return true;
}

void dt_bristles_set_apart(dt_bristles *b, dt_state_slopes *slopes, bool apart)
{
    if (b->count > 0) {
        b->system->apart = apart ? b->apart : NULL;
        b->system->apart_force = apart ? b->apart_force : NULL;
        slopes->given = apart ? b->is_state : NULL;
    }
}

/* ---- a step begins ---- */

void dt_bristles_begin(dt_bristles *b, double h)
{
    b->h = h;
    b->has_ways = false;
    for (int n = 0; n < b->count; n++) {
        dt_bristle *x = &b->of[n];
        memcpy(x->begin, b->system->z + x->state, (size_t)x->count * sizeof *x->begin);
        b->apart_force[x->item] = dt_friction_force(b->system, x->item);
    }
}

/* L, told by the law itself: where springs are as far as they slip it is -L D - f v, D what they do then. */
static double load_of(const dt_bristles *b, const dt_bristle *x)
{
    dt_system *s = b->system;
    double *z = s->z + x->state, kept[DT_MOST_SIZES], D = 0;
    const double v = s->v[x->freedom];
    if (!x->law->normal_force) {
        return 1;
    }
    memcpy(kept, z, (size_t)x->count * sizeof *kept);
    for (int k = 0; k < x->count; k++) {
        z[k] = copysign(x->most[k], v);
        D += dt_friction_stiffness(x->law, k) * z[k];
    }
    const double load = -(dt_friction_force(s, x->item) + x->law->viscous * v) / D;
    memcpy(z, kept, (size_t)x->count * sizeof *kept);
    return load < 0 ? 0 : load; /* no number stays none */
}

void dt_bristles_measure(dt_bristles *b)
{
    for (int n = 0; n < b->count; n++) {
        dt_bristle *x = &b->of[n];
        const double v = b->system->v[x->freedom], exponent = dt_friction_exponent(x->law);
        for (int k = 0; k < x->count; k++) {
            x->most[k] = dt_friction_slip(x->law, k, v);
            x->from[k] = dt_spring_relaxed(x->begin[k], v * b->h, x->most[k], exponent);
        }
        x->load = load_of(b, x);
    }
}

void dt_bristles_add_stiffness(const dt_bristles *b, double *D, double *K)
{
    for (int n = 0; n < b->count; n++) {
        const dt_bristle *x = &b->of[n];
        const double exponent = dt_friction_exponent(x->law), load = x->load > 0 ? x->load : 0;
        for (int k = 0; k < x->count; k++) {
            const double most = pow(1 + fmin(fabs(x->from[k]) / x->most[k], 1), exponent),
                         damping = k == 0 ? dt_friction_damping(x->law) : 0;
            K[x->freedom] += load * most * dt_friction_stiffness(x->law, k);
            D[x->freedom] += load * most * damping;
        }
        D[x->freedom] += x->law->viscous;
    }
}

/* ---- the law at a velocity ---- */

/* The way in the step. */
static double way_of(const dt_bristles *b, const dt_bristle *x, double v)
{
    const double start = b->start[x->freedom];
    return b->h * (start + b->share[x->freedom] * (v - start));
}

/* F after a way, by the share of it where forces are taken; and -dF/dx. */
static double force_after(const dt_bristles *b, const dt_bristle *x, double way, double share,
                          double *slope)
{
    const double exponent = dt_friction_exponent(x->law), d = dt_friction_damping(x->law) / b->h;
    double D = 0, by_way = 0;
    for (int k = 0; k < x->count; k++) {
        const double stiffness = dt_friction_stiffness(x->law, k);
        double at;
        D += stiffness * dt_spring_after(x->middle[k], share * way, x->most[k], exponent, &at);
        by_way += share * stiffness * at;
        if (k == 0 && d > 0) {
            D += d * (dt_spring_after(x->from[k], way, x->most[k], exponent, &at) - x->begin[k]);
            by_way += d * at;
        }
    }
    *slope = x->load * by_way + x->law->viscous / b->h;
    return -x->load * D - x->law->viscous * way / b->h;
}

/* F, and D. */
static double force_at(const dt_bristles *b, const dt_bristle *x, double v, double *slope)
{
    const double share = b->share[x->freedom],
                 force = force_after(b, x, way_of(b, x, v), share, slope);
    *slope *= share * b->h;
    return force;
}

/* Springs as they are a share of the step later, as far as they fall back. */
static void find_middle(const dt_bristles *b, dt_bristle *x, double share)
{
    const double way = share * b->h * b->system->v[x->freedom];
    for (int k = 0; k < x->count; k++) {
        x->middle[k] =
            dt_spring_relaxed(x->begin[k], way, x->most[k], dt_friction_exponent(x->law));
    }
}

/* ---- solutions ---- */

/* Slopes and forces to seek the next solution with: the laws at v_i. */
static void linearize(dt_bristles *b)
{
    for (int n = 0; n < b->count; n++) {
        const int j = b->of[n].freedom;
        b->slope[j] = b->force[j] = 0;
    }
    for (int n = 0; n < b->count; n++) {
        dt_bristle *x = &b->of[n];
        const int j = x->freedom;
        x->force = force_at(b, x, x->at, &x->slope);
        x->slope = b->held[x->node] ? 0 : x->slope;
        b->slope[j] += x->slope;
        b->force[j] += x->force - x->slope * (b->start[j] - x->at);
    }
}

void dt_bristles_seek(dt_bristles *b, const double *v)
{
    for (int n = 0; n < b->count; n++) {
        dt_bristle *x = &b->of[n];
        find_middle(b, x, b->share[x->freedom]);
        x->at = v[x->freedom];
    }
    linearize(b);
}

/* Of what a law can do, and of its slope times velocities: by which a force may differ from the law by rounding. */
static double rounding_of(const dt_bristles *b, const dt_bristle *x, double force)
{
    static const double share = 0x1p-42;
    double most = fabs(force);
    for (int k = 0; k < x->count; k++) {
        most += x->load * dt_friction_stiffness(x->law, k) * x->most[k];
    }
    return share * (most + x->slope * (fabs(x->v_next) + fabs(b->start[x->freedom])));
}

/* The derivative, on the line to the next solution, of what is least where the laws are as the rest asks: it grows along the line. */
static double derivative(const dt_bristles *b, double share)
{
    double sum = 0;
    for (int n = 0; n < b->count; n++) {
        const dt_bristle *x = &b->of[n];
        const double way = x->v_next - x->v, given = x->given + share * (x->given_next - x->given);
        double slope;
        sum += way * (given - force_at(b, x, x->v + share * way, &slope));
    }
    return sum;
}

/* How far to go on that line: to the least, or to its end. */
static double share_of_line(const dt_bristles *b)
{
    static const int halvings = 40;
    double low = 0, high = 1;
    if (!(derivative(b, 1) > 0)) {
        return 1;
    }
    for (int n = 0; n < halvings; n++) {
        const double middle = 0.5 * (low + high);
        *(derivative(b, middle) > 0 ? &high : &low) = middle;
    }
    return high;
}

bool dt_bristles_settle(dt_bristles *b, const double *v, bool first)
{
    bool settled = true;
    for (int n = 0; n < b->count; n++) {
        dt_bristle *x = &b->of[n];
        x->v_next = v[x->freedom];
        x->given_next = x->force - x->slope * (x->v_next - x->at);
        double slope;
        const double force = force_at(b, x, x->v_next, &slope);
        settled = settled && !(fabs(force - x->given_next) > rounding_of(b, x, force));
        b->apart_force[x->item] = x->given_next;
    }
    if (settled) {
        return true;
    }
    const double share = first ? 1 : share_of_line(b);
    for (int n = 0; n < b->count; n++) {
        dt_bristle *x = &b->of[n];
        x->v = first ? x->v_next : x->v + share * (x->v_next - x->v);
        x->given = first ? x->given_next : x->given + share * (x->given_next - x->given);
        x->at = x->v;
    }
    linearize(b);
    return false;
}

/* ---- the end of the step ---- */

void dt_bristles_take_middle(dt_bristles *b, const double *turn)
{
    dt_bristles_measure(b);
    for (int n = 0; n < b->count; n++) {
        dt_bristle *x = &b->of[n];
        double slope;
        find_middle(b, x, 0.5);
        x->given = force_after(b, x, turn[x->coordinate], 0.5, &slope);
    }
}

void dt_bristles_keep_middle(dt_bristles *b, const double *turn)
{
    b->has_ways = turn != NULL;
    if (!turn) {
        dt_bristles_measure(b);
    }
    for (int n = 0; n < b->count && turn; n++) {
        dt_bristle *x = &b->of[n];
        x->way = turn[x->coordinate];
        b->apart_force[x->item] = x->given;
    }
}

/* Spring k at the end. */
static double end_of(const dt_bristles *b, const dt_bristle *x, int k, double v)
{
    double slope;
    return dt_spring_after(x->from[k], b->has_ways ? x->way : way_of(b, x, v), x->most[k],
                           dt_friction_exponent(x->law), &slope);
}

void dt_bristles_give_rates(const dt_bristles *b, const double *v, double *rate)
{
    for (int n = 0; n < b->count; n++) {
        const dt_bristle *x = &b->of[n];
        for (int k = 0; k < x->count; k++) {
            rate[x->state + k] = (end_of(b, x, k, v[x->freedom]) - x->begin[k]) / b->h;
        }
    }
}

void dt_bristles_take_states(const dt_bristles *b, const double *v, double *z)
{
    for (int n = 0; n < b->count; n++) {
        const dt_bristle *x = &b->of[n];
        for (int k = 0; k < x->count; k++) {
            z[x->state + k] = end_of(b, x, k, v[x->freedom]);
        }
    }
}

void dt_bristles_works(const dt_bristles *b, const double *v, double *friction, double *actuation)
{
    for (int n = 0; n < b->count; n++) {
        const dt_bristle *x = &b->of[n];
        const int j = x->freedom;
        double stored = 0;
        for (int k = 0; k < x->count; k++) {
            const double z = end_of(b, x, k, v[j]);
            stored +=
                0.5 * dt_friction_stiffness(x->law, k) * (z - x->begin[k]) * (z + x->begin[k]);
        }
        stored *= x->load;
        *friction += b->h * b->apart_force[x->item] * 0.5 * (b->start[j] + v[j]) + stored;
        *actuation -= x->law->normal_force ? stored : 0;
    }
}
