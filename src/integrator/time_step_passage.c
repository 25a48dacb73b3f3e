/*
 * Passages of loops next to where branches of their motion meet, in which ratios change as much as the step itself does.
 *
 * Velocities of the end of a step are closed with whom the others follow from: where ratios change little that is what the motion does. In a passage that the step
 * does not resolve who follows may get any velocity, and energy with it. There the velocities that were found meet conditions that have turned meanwhile, as at
 * an impact,
 *
 *   M (v' - v) = G' m,    G v' = 0,    v'_k = v_k of locked joints
 *
 * so v' is the nearest to v of those that the conditions allow, in the metric of the mass: it has less kinetic energy than v, never more.
 */
#include "integrator/core.h"
#include "integrator/time_step.h"

#include "dynamics/closure.h"
#include "dynamics/closure_still.h"

bool dt_time_step_create_passage(dt_arena *arena, dt_simulation *sim)
{
    dt_passage *p = &sim->time_stepping.passage;
    const size_t nv = (size_t)sim->nv, ns = (size_t)sim->ns,
                 nodes = (size_t)sim->system.tree->node_count,
                 rows = (size_t)dt_tie_rows(sim->mechanism);
#define TAKE(member, count) \
    ((p->member = dt_arena_alloc(arena, (count), sizeof *p->member)) != NULL)
    return !sim->system.closure ||
           (dt_newton_impulse_create(arena, &sim->system, &p->work) && TAKE(found, nv) &&
            TAKE(solution, nv) && TAKE(change, nodes) && TAKE(before, nodes) && TAKE(all, nodes) &&
            TAKE(passes, nodes) && TAKE(r_v, nv) && TAKE(r_f, ns) && TAKE(r_m, rows) &&
            TAKE(d_v, nv) && TAKE(d_f, ns) && TAKE(d_m, rows));
#undef TAKE
}

void dt_time_step_note_found(dt_simulation *sim)
{
    memcpy(sim->time_stepping.passage.found, sim->time_stepping.step.v,
           (size_t)sim->nv * sizeof(double));
}

/* Whose loops come to a stop in the step: these do so whatever others do. */
static void leave_who_arrives(dt_simulation *sim)
{
    const dt_time_stepping *x = &sim->time_stepping;
    const dt_still *still = sim->system.closure->still;
    for (int k = 0; k < sim->ns; k++) {
        const int i = x->box.node[k];
        if (dt_still_reads(still, i) && dt_time_step_reaches(sim, k) != 0) {
            x->passage.passes[still->cluster[i]] = false;
        }
    }
}

/* To `sum`, by clusters: of m (v - from)^2, where nothing prescribes v. */
static void add_up(const dt_simulation *sim, const double *v, const double *from, double *sum)
{
    const dt_system *s = &sim->system;
    const dt_still *still = s->closure->still;
    memset(sum, 0, (size_t)s->tree->node_count * sizeof *sum);
    for (int n = 0; n < still->tied_count; n++) {
        const int i = still->tied[n];
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv && !dt_is_prescribed(s, i); j++) {
            const double by = v[j] - (from ? from[j] : 0);
            sum[still->cluster[i]] += sim->time_stepping.step.inertia[j] * by * by;
        }
    }
}

/* Which loops have got quite other velocities than `from` (nv); whether there is one. */
static bool find_passages(dt_simulation *sim, const double *v, const double *from)
{
    static const double much = 0.3;
    dt_passage *p = &sim->time_stepping.passage;
    const int count = sim->system.tree->node_count;
    add_up(sim, v, from, p->change);
    add_up(sim, v, NULL, p->all);
    for (int i = 0; i < count; i++) {
        p->passes[i] = p->all[i] > 0 && p->change[i] > much * much * p->all[i];
    }
    leave_who_arrives(sim);
    return memchr(p->passes, true, (size_t)count) != NULL;
}

/*
 * To `found`, of loops that pass: the velocities that the step has found, or, where these have come to far more than there was, those of its start; of all
 * others v. A step that goes beyond where branches meet has a matrix that may be all but singular.
 */
static void find_velocities(dt_simulation *sim, const double *v)
{
    static const double far_more = 2;
    const dt_system *s = &sim->system;
    const dt_still *still = s->closure->still;
    dt_passage *p = &sim->time_stepping.passage;
    const double *start = sim->time_stepping.step.start;
    add_up(sim, p->found, NULL, p->all);
    add_up(sim, start, NULL, p->before);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int of = dt_still_reads(still, i) ? still->cluster[i] : -1;
        const bool passes = of >= 0 && p->passes[of] && !dt_is_prescribed(s, i),
                   is_lost = passes && p->before[of] > 0 && p->all[of] > far_more * p->before[of];
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            p->found[j] = is_lost ? start[j] : passes ? p->found[j] : v[j];
        }
    }
}

/* From velocities v, where the system is posed, to those that its conditions allow; whether that has been found. */
static bool project(dt_simulation *sim, double *v)
{
    dt_system *s = &sim->system;
    dt_passage *p = &sim->time_stepping.passage;
    memset(p->r_v, 0, (size_t)sim->nv * sizeof *p->r_v);
    for (int k = 0; k < sim->ns; k++) {
        p->r_f[k] = s->mode[k] == DETENT_LOCKED ? v[sim->time_stepping.box.freedom[k]] : 0;
    }
    s->impulsive = true;
    const detent_status status = dt_newton_factor(sim->newton, s, DT_NEWTON_ACCELERATION, 0, NULL);
    s->impulsive = false;
    if (status != DETENT_OK) {
        return false;
    }
    dt_newton_impulse_open(s, &p->work, v, p->r_m);
    const dt_unknowns r = {.v = p->r_v, .f = p->r_f, .m = p->r_m},
                      d = {.v = p->d_v, .f = p->d_f, .m = p->d_m};
    dt_newton_impulse_solve(sim->newton, s, &p->work, &r, &d);
    double sum = 0;
    for (int j = 0; j < sim->nv; j++) {
        sum += 0 * p->d_v[j];
    }
    for (int j = 0; j < sim->nv && sum == 0; j++) {
        v[j] += p->d_v[j];
    }
    return sum == 0;
}

/* ---- steps that are lost ---- */

/* Clusters whose motions are prescribed are driven: others have no energy of their own beside theirs. */
static void leave_who_is_driven(dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    const dt_still *still = s->closure->still;
    for (int n = 0; n < still->tied_count; n++) {
        const int i = still->tied[n];
        if (dt_is_prescribed(s, i) && s->v[s->tree->nodes[i].v] != 0) {
            sim->time_stepping.passage.passes[still->cluster[i]] = false;
        }
    }
}

/* To `change`, by clusters: the work that conditions have done on mean velocities. */
static void find_works(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    const dt_time_stepping *x = &sim->time_stepping;
    dt_passage *p = &sim->time_stepping.passage;
    memset(p->change, 0, (size_t)s->tree->node_count * sizeof *p->change);
    dt_newton_impulse_open(s, &p->work, x->step.v, p->r_m);
    for (int row = 0; row < dt_tie_rows(s->mechanism); row++) {
        const int of = s->closure->still->cluster_of_row[row];
        if (of >= 0 && s->closure->active[row]) {
            p->change[of] += 0.5 * x->step.h * x->step.m[row] * p->r_m[row];
        }
    }
}

bool dt_time_step_is_lost(dt_simulation *sim)
{
    static const double much = 0.05;
    const dt_velocity_step *step = &sim->time_stepping.step;
    dt_passage *p = &sim->time_stepping.passage;
    const int count = sim->system.tree->node_count;
    if (sim->time_stepping.closes) {
        return false;
    }
    add_up(sim, step->v, NULL, p->all);
    add_up(sim, step->start, NULL, p->before);
    find_works(sim);
    for (int i = 0; i < count; i++) {
        const double energy = 0.5 * fmax(p->all[i], p->before[i]);
        p->passes[i] = p->before[i] > 0 && fabs(p->change[i]) > much * energy;
    }
    leave_who_arrives(sim);
    leave_who_is_driven(sim);
    return memchr(p->passes, true, (size_t)count) != NULL;
}

/* ---- closing ---- */

void dt_time_step_close_once(dt_simulation *sim, double end, double *y)
{
    static const dt_block rows[] = {DT_BLOCK_POSITIONS, DT_BLOCK_VELOCITIES};
    dt_blocks_step(sim, end, y);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        dt_block_rows[rows[k]]->state(sim, y);
    }
}

/* The velocities that conditions make of `found`, with what is closed once more; whether there are any. */
static bool take(dt_simulation *sim, double t, double *y)
{
    double *found = sim->time_stepping.passage.found;
    const bool is = project(sim, found);
    if (is) {
        memcpy(dt_v_in(sim, y), found, (size_t)sim->nv * sizeof *y);
        dt_time_step_close_once(sim, t, y);
    }
    return is && dt_solution_is_finite(sim, y);
}

/* What a loop is told to have had for accelerations in a step that does not resolve its ratios, and who turns round in it: those by which they have come to their velocities. */
static void tell_accelerations(dt_simulation *sim, const double *v)
{
    static const double little = 0.03;
    const dt_system *s = &sim->system;
    const dt_still *still = s->closure->still;
    dt_time_stepping *x = &sim->time_stepping;
    const dt_passage *p = &x->passage;
    for (int n = 0; n < still->tied_count; n++) {
        const dt_node *node = &s->tree->nodes[still->tied[n]];
        const int of = still->cluster[still->tied[n]];
        const bool tells = p->change[of] > little * little * p->all[of] && p->all[of] > 0;
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            const double start = x->step.start[j];
            x->a[j] = tells || start * v[j] < 0 ? (v[j] - start) / x->step.h : x->a[j];
        }
    }
}

void dt_time_step_pass(dt_simulation *sim, double end, double *y)
{
    dt_passage *p = &sim->time_stepping.passage;
    double *v = dt_v_in(sim, y);
    if (!dt_solution_is_finite(sim, y)) {
        return;
    }
    if (find_passages(sim, v, p->found)) {
        memcpy(p->solution, p->found, (size_t)sim->nv * sizeof *v);
        find_velocities(sim, v);
        take(sim, end, y);
        find_passages(sim, v, p->solution);
        sim->statistics.unresolved++;
    }
    tell_accelerations(sim, v);
}

/* One piece: coordinates go on with the velocities there are, and close. */
static void go_on(dt_simulation *sim, double h, double *y)
{
    const dt_tree *tree = sim->system.tree;
    double *q = dt_q_in(sim, y);
    const double *v = dt_v_in(sim, y);
    for (int i = 0; i < tree->node_count; i++) {
        const dt_node *node = &tree->nodes[i];
        double rate[4];
        if (node->type->nq > 0) {
            node->type->rate(q + node->q, v + node->v, rate);
        }
        for (int c = 0; c < node->type->nq; c++) {
            q[node->q + c] += h * rate[c];
        }
        if (node->type->nq > 1) {
            node->type->normalize(q + node->q);
        }
    }
}

void dt_time_step_pass_in_pieces(dt_simulation *sim, double end, double *y)
{
    static const int pieces = 16;
    const dt_time_stepping *x = &sim->time_stepping;
    double *v = dt_v_in(sim, y), *found = x->passage.found;
    const size_t size = (size_t)sim->nv * sizeof *v;
    const double h = x->step.h / pieces;
    memcpy(dt_q_in(sim, y), x->q_start, (size_t)sim->system.tree->nq * sizeof *y);
    find_passages(sim, x->step.v, x->step.start);
    find_velocities(sim, x->step.v);
    memcpy(v, found, size);
    bool goes_on = true;
    for (int n = 1; n <= pieces && goes_on; n++) {
        const double t = n < pieces ? x->start + n * h : end;
        go_on(sim, h, y);
        dt_time_step_close_once(sim, t, y);
        goes_on = dt_solution_is_finite(sim, y) && take(sim, t, y);
        memcpy(found, v, size);
    }
}
