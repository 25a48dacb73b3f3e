/*
 * The scales of a mechanism, at its start. Every formula is homogeneous in mass, length and time, and
 * exact where these change by powers of two.
 *
 * Of freedom j, with all joints beyond it held: inertia D_j, v_j its velocity, F_j the size of the forces
 * on it (weight in whatever pose, actuation, springs, dampers, loads, what a prescribed motion takes),
 * R_j its kinetic friction, c_j its damping, k_j = |dF_j/dq|, P_j = |dF_j/dt|, L_j what laws of time come to.
 *
 *   n_j      1 rad, or the length; or as the user says
 *   velocity n_j / time; or as the user says
 *   force    D_j v^2 / n, or c_j v where that is more; of the slack of a coupling, which has no inertia, what that is for the least of those that it couples
 *
 *   state    as the user says; or what it is at the start; or what its derivative makes of it in that time, with all
 *            that it reads of places and velocities at their nominal values; where that is nothing, with all that it
 *            reads of time and of other states, too; or 1
 *
 * Length and time: scale_sums.h.
 */
#include "dynamics/arm.h"
#include "dynamics/closure.h"
#include "dynamics/element.h"
#include "dynamics/scale_sums.h"

bool dt_scale_create(dt_arena *arena, const dt_system *s, dt_scale *scale)
{
    size_t longest = 0, operations = 0;
    for (int l = 0; l < s->law_count; l++) {
        const size_t variables = (size_t)s->law[l]->program->variable_count,
                     length = (size_t)s->law[l]->program->operation_count;
        longest = variables > longest ? variables : longest;
        operations = length > operations ? length : operations;
    }
    *scale = (dt_scale){.length = 1, .time = 1};
    scale->force = dt_arena_alloc(arena, (size_t)s->tree->nv, sizeof(double));
    scale->gradient = dt_arena_alloc(arena, longest, sizeof(double));
    scale->state = dt_arena_alloc(arena, (size_t)s->mechanism->state_count, sizeof(double));
    scale->slots = dt_arena_alloc(arena, longest, sizeof *scale->slots);
    scale->registers = dt_arena_alloc(arena, operations, sizeof *scale->registers);
    scale->allocator = arena->allocator;
    return scale->force && scale->state && scale->gradient && scale->slots && scale->registers;
}

/* ---- geometry ---- */

double dt_body_length(const dt_tree *tree)
{
    double mass = 0, moment = 0;
    for (int i = 0; i < tree->node_count; i++) {
        const dt_node *node = &tree->nodes[i];
        mass += node->body->mass;
        moment += 0.5 * (node->body->inertia[0] + node->body->inertia[1] + node->body->inertia[2]) +
                  node->body->mass * dt_dot3(node->body->com, node->body->com);
        if (node->parent >= 0) { /* where the first joint stands tells nothing */
            moment += node->body->mass * dt_dot3(node->frame->p, node->frame->p);
        }
    }
    return mass > 0 && moment > 0 ? sqrt(moment / mass) : 0;
}

/* ---- inertia and forces of every freedom ---- */

/* A node's share of its body, without what is lent to it (model/lend.h). */
static dt_inertia own_share(const dt_system *s, int i)
{
    dt_inertia I;
    double c[3];
    dt_arm_of_point(s, i, s->tree->nodes[i].body->com, c);
    dt_motion_inertia(&s->tree->nodes[i], s->motion[i].R, c, &I);
    return I;
}

/* D and the weights of bodies with their own share, or (`lent`) with what is lent. The larger D of the two stays. */
static void weigh_with(dt_system *s, bool lent, dt_scale *scale)
{
    const double g = dt_norm3(s->gravity);
    const bool again = lent && s->tree->lent;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_inertia I = lent ? s->motion[i].I : own_share(s, i);
        scale->A[i][0] = I.m;
        memcpy(scale->A[i] + 1, I.h, sizeof I.h);
        memcpy(scale->F[i], I.J, sizeof I.J);
    }
    for (int i = s->tree->node_count - 1; i >= 0; i--) {
        const dt_node *node = &s->tree->nodes[i];
        dt_inertia I = {.m = scale->A[i][0]};
        double momentum[6], arm[3], r[3];
        memcpy(I.h, scale->A[i] + 1, sizeof I.h);
        memcpy(I.J, scale->F[i], sizeof I.J);
        dt_arm(s, i, r);
        for (int k = 0; k < 3; k++) {
            arm[k] = I.h[k] - I.m * r[k];
        }
        for (int j = 0; j < node->type->nv; j++) {
            dt_inertia_apply(momentum, &I, s->motion[i].S[j]);
            const double D = dt_dot6(s->motion[i].S[j], momentum) + node->armature;
            if (again) {
                scale->force[node->v + j] = fmax(scale->force[node->v + j], D);
                continue;
            }
            scale->force[node->v + j] = D;
            scale->tau[node->v + j] = g * (node->type->rotational ? dt_norm3(arm) : I.m);
        }
        if (node->parent >= 0) {
            for (int k = 0; k < 4; k++) {
                scale->A[node->parent][k] += scale->A[i][k];
            }
            dt_add6(scale->F[node->parent], scale->F[i]);
        }
    }
}

/*
 * D to `force` and the weight to tau. Composite bodies take the place of A (m, h) and F (J). What is lent may leave less than
 * nothing where a motion is prescribed; without it there may be nothing at all.
 */
static void weigh(dt_system *s, dt_scale *scale)
{
    if (s->tree->lent) {
        weigh_with(s, false, scale);
    }
    weigh_with(s, true, scale);
}

/*
 * Adds the loads to tau, the sizes of forces; how fast they change to F: of forces in F[0], of
 * torques in F[1], and what they come to in F[2] and F[3], summed over the subtree. A is used up.
 */
static void add_loads(dt_system *s, dt_scale *scale)
{
    memset(scale->A, 0, (size_t)s->tree->node_count * sizeof *scale->A);
    memset(scale->F, 0, (size_t)s->tree->node_count * sizeof *scale->F);
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        if (dt_elements[k]->add_wrench_rates) {
            dt_elements[k]->add_wrench_rates(s, scale);
        }
    }
    for (int l = 0; l < s->mechanism->place_count; l++) {
        const int i = s->mechanism->loads[l].node;
        for (int k = 0; k < 6 && i >= 0; k++) {
            scale->A[i][k] += dt_known(s->load_wrench[l][k]);
        }
    }
    for (int i = s->tree->node_count - 1; i >= 0; i--) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = 0; j < node->type->nv; j++) {
            for (int k = 0; k < 6; k++) {
                scale->tau[node->v + j] += fabs(s->motion[i].S[j][k]) * scale->A[i][k];
            }
        }
        if (node->parent >= 0) {
            dt_add6(scale->A[node->parent], scale->A[i]);
            dt_add6(scale->F[node->parent], scale->F[i]);
        }
    }
}

/* What acts along a freedom of node i, but for weight and loads: of the kinds that are summed apart, or the others. */
static dt_strength strength_of(dt_system *s, const dt_scale *scale, int i, int freedom, bool apart)
{
    dt_strength sum = {0};
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        if (dt_elements[k]->add_strength && dt_elements[k]->apart == apart) {
            dt_elements[k]->add_strength(s, scale, i, freedom, &sum);
        }
    }
    return sum;
}

/* Adds springs, dampers, actuation and prescribed motions to tau. */
static void add_joint_forces(dt_system *s, const dt_scale *scale)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            scale->tau[j] += strength_of(s, scale, i, j, false).force;
            scale->tau[j] += strength_of(s, scale, i, j, true).force;
        }
    }
}

/* ---- sums ---- */

/* Adds freedom j of node i with nominal position n. */
static void add_freedom(dt_system *s, const dt_scale *scale, int i, int j, double n,
                        dt_scale_sums *sum)
{
    const dt_node *node = &s->tree->nodes[i];
    const dt_strength most = strength_of(s, scale, i, j, false),
                      apart = strength_of(s, scale, i, j, true);
    const double D = scale->force[j], F = scale->tau[j];
    const double rate = scale->F[i][0] * (node->type->rotational ? scale->length : 1) +
                        (node->type->rotational ? scale->F[i][1] : 0) + apart.rate;
    const double later = scale->F[i][2] * (node->type->rotational ? scale->length : 1) +
                         (node->type->rotational ? scale->F[i][3] : 0) + apart.later + most.later;
    sum->inertia += D * n * n;
    sum->drive += F * n;
    sum->motion += D * s->v[j] * s->v[j];
    sum->stiffness += apart.stiffness * n * n;
    sum->damping += (most.damping + apart.damping) * n * n;
    sum->stretch += D * apart.stretch * apart.stretch;
    if (node->type->nv == 1) {
        sum->place += D * s->q[node->q] * s->q[node->q];
    }
    sum->rate += rate * n;
    sum->later += later * n;
    sum->friction += most.friction * n;
}

/* Over all freedoms, or, with n = 1, over those of rails alone. */
static dt_scale_sums sum_up(dt_system *s, const dt_scale *scale, bool rails)
{
    dt_scale_sums sum = {0};
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        if (rails && (node->type->rotational || node->type->nv == 0)) {
            continue;
        }
        for (int j = 0; j < node->type->nv; j++) {
            const double n = rails ? 1 : dt_scale_position(scale, s->mechanism, i);
            add_freedom(s, scale, i, node->v + j, n, &sum);
        }
    }
    return sum;
}

/* ---- the scales ---- */

/* What counts as fast on rails by the thresholds that the user has given; INFINITY without any. */
static double fast_by_thresholds(const detent_mechanism *m)
{
    double most = 0;
    for (int k = 0; k < m->stiction_count; k++) {
        if (!m->tree.nodes[m->stictions[k].primitive].type->rotational) {
            most = fmax(most, m->stictions[k].friction->velocity_threshold);
        }
    }
    return most > 0 ? most / DT_SCALE_SLOW : INFINITY;
}

/* Of the mechanism; of masses on rails where the bodies themselves have none. */
static double nominal_length(dt_system *s, const dt_scale *scale, double duration)
{
    const dt_scale_sums rails = sum_up(s, scale, true);
    double length = dt_body_length(s->tree);
    if (rails.inertia > 0) {
        length = fmax(length, dt_scale_travel(&rails, duration));
        length = length > 0
                     ? length
                     : dt_scale_travel_within(&rails, fast_by_thresholds(s->mechanism), duration);
    }
    return length > 0 ? length : 1;
}

/* What the least of those that a coupling ties is moved by, where its slack is. */
static double force_of_slack(const dt_system *s, const dt_scale *scale, const dt_tie_row *of)
{
    double least = INFINITY;
    dt_tie_term by;
    for (int k = 0; (by = dt_tie_term_of(s->mechanism, of, k)).joint >= 0; k++) {
        if (!dt_slack_of(s->mechanism, by.joint)) {
            least = fmin(least, scale->force[s->tree->nodes[by.joint].v] / fabs(by.factor));
        }
    }
    return least;
}

/* From inertias in `force`. */
static void set_forces(dt_system *s, dt_scale *scale)
{
    scale->energy = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const double n = dt_scale_position(scale, s->mechanism, i),
                     v = dt_scale_velocity(scale, s->mechanism, i);
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            const double D = scale->force[j], c = strength_of(s, scale, i, j, false).damping +
                                                  strength_of(s, scale, i, j, true).damping;
            scale->force[j] = fmax(D * v * v / n, c * v);
            scale->energy += 0.5 * scale->force[j] * n;
        }
    }
    scale->energy = scale->energy > 0 ? scale->energy : 1; /* nothing can move */
    for (int r = 0; s->closure && r < s->closure->rows; r = dt_tie_next(s->closure->tie, r)) {
        const dt_tie_row *of = &s->closure->tie[r];
        const int slack = dt_tie_slack(s->mechanism, of);
        const double force = slack >= 0 ? force_of_slack(s, scale, of) : INFINITY;
        if (isfinite(force)) {
            scale->force[s->tree->nodes[slack].v] = force;
        }
    }
}

/* What a state ordinarily is, 0 where that is not known; by time and `others`, whose sizes are, too. */
static double size_of_state(dt_system *s, const dt_scale *scale, int k, bool others)
{
    const dt_state *state = &s->mechanism->states[k];
    const dt_law *law = dt_rate_law(s, k);
    const dt_program *p = law->program;
    double rate = dt_known(dt_law_value(s, law, 0));
    if (state->nominal > 0) {
        return state->nominal;
    }
    if (!p->is_constant) {
        dt_law_gradient(s, law, 0, scale->gradient);
    }
    for (int j = 0; j < p->variable_count; j++) {
        const dt_variable read = p->variables[j];
        const bool counts = dt_variable_is(read, DT_OF_POSITIONS | DT_OF_VELOCITIES) ||
                            (others && dt_variable_is(read, DT_OF_TIME | DT_OF_STATES));
        const double n = counts ? dt_scale_variable(scale, s->mechanism, read) : 0;
        rate += n * dt_known(scale->gradient[j]);
    }
    const double size = fmax(fabs(state->initial), rate * scale->time);
    return isfinite(size) ? size : 0;
}

/* First those that joints tell of, then round by round those that time or others do; 1 where nothing does. */
static void measure_states(dt_system *s, dt_scale *scale)
{
    const int count = s->mechanism->state_count;
    bool any = true;
    memset(scale->state, 0, (size_t)count * sizeof *scale->state);
    for (int round = 0; any || round == 1; round++) {
        any = false;
        for (int k = 0; k < count; k++) {
            if (scale->state[k] == 0) {
                scale->state[k] = size_of_state(s, scale, k, round > 0);
                any = any || scale->state[k] > 0;
            }
        }
    }
    for (int k = 0; k < count; k++) {
        scale->state[k] = scale->state[k] > 0 ? scale->state[k] : 1;
    }
    s->state_size = scale->state;
}

/* The work space of the sums, which takes as much as a tenth of what a joint does: given back as soon as they are known. */
static bool take_work(dt_arena *work, const dt_system *s, dt_scale *scale)
{
    const size_t nodes = (size_t)s->tree->node_count;
    dt_arena_init(work, &scale->allocator);
    scale->A = dt_arena_alloc(work, nodes, sizeof *scale->A);
    scale->F = dt_arena_alloc(work, nodes, sizeof *scale->F);
    scale->tau = dt_arena_alloc(work, (size_t)s->tree->nv, sizeof *scale->tau);
    return scale->A && scale->F && scale->tau;
}

static void give_back(dt_arena *work, dt_scale *scale)
{
    scale->A = scale->F = NULL;
    scale->tau = NULL;
    dt_arena_free(work);
}

bool dt_scale_derive(dt_system *s, double duration, dt_scale *scale)
{
    dt_arena work;
    const bool is_taken = take_work(&work, s, scale);
    if (is_taken) {
        scale->end = s->time + duration;
        weigh(s, scale);
        add_loads(s, scale);
        add_joint_forces(s, scale);
        scale->length = nominal_length(s, scale, duration);
        s->length = dt_power_below(scale->length);
        const dt_scale_sums all = sum_up(s, scale, false);
        scale->time = dt_scale_time(&all, duration);
        set_forces(s, scale);
        measure_states(s, scale);
    }
    give_back(&work, scale);
    return is_taken;
}
