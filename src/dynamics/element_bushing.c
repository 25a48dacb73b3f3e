/*
 * Bushings: springs and dampers between a frame on a body A and one on a body B, three along and three about the axes of the
 * frame on A.
 *
 *   a, b       the points, R_A, R_B the axes, in the world;  r = b - a
 *   d          R_A' r: where b is, as A sees it;  d' its rate, as A sees it
 *   phi        the rotation vector of R_A' R_B: its axis, as both frames have it, times the angle, at most pi
 *   omega      R_A' (w_B - w_A): angular velocity of B as A sees it
 *
 *   potential  U = 1/2 d . K d + 1/2 phi . G phi                                 K, C, G, D diagonal
 *   force      f = -K d - C d'                     on B at b, along the axes of A; on A the reverse, at b too
 *   torque     t = -J' G phi - D omega             on B and, the reverse, on A, along the axes of A
 *   loss       d' . C d' + omega . D omega
 *
 * phi' = J omega (math/rotation_vector.h), so -J' G phi is minus the gradient of U, at any angle (F. Bullo and R. M. Murray,
 * Proportional derivative (PD) control on the Euclidean group, 1995). About an axis of A it is the torque -G theta of a spring
 * along a revolute joint. At half a turn phi jumps to -phi: U goes on, and t jumps to the other side, at an event
 * (bushing.h).
 *
 * Wrenches on A and B about one origin are opposite to each other. Six answers are the change of the one on B in the world,
 * torques over a length; that the wrenches stay in the world while bodies move is in the blocks of their nodes.
 */
#include "dynamics/bushing.h"
#include "dynamics/element.h"

/* ---- what is given ---- */

#define FIELD(name) offsetof(dt_bushing_def, name)
static const dt_key keys[] = {
    {"between", DT_VALUE_END_FRAMES, true, FIELD(between), NULL, "end of a bushing"},
    {"stiffness", DT_VALUE_SIZE_VECTOR, false, FIELD(stiffness), &dt_dimension_stiffness, NULL},
    {"damping", DT_VALUE_SIZE_VECTOR, false, FIELD(damping), &dt_dimension_damping, NULL},
    {"rotational_stiffness", DT_VALUE_SIZE_VECTOR, false, FIELD(rotational_stiffness),
     &dt_dimension_rotational_stiffness, NULL},
    {"rotational_damping", DT_VALUE_SIZE_VECTOR, false, FIELD(rotational_damping),
     &dt_dimension_rotational_damping, NULL},
    DT_KEYS_END,
};
#undef FIELD

static const dt_item_kind bushings = {
    .what = "bushing",
    .plural = "bushings",
    .is_section = true,
    .readings = {DT_VARIABLE_BUSHING_FORCE, DT_VARIABLE_BUSHING_TORQUE_Z},
    .keys = keys,
    .size = sizeof(dt_bushing_def)};

static bool create(dt_arena *arena, dt_system *s)
{
    s->turned_count = dt_bushing_items(s->mechanism)->count;
    s->turned = dt_arena_alloc(arena, (size_t)s->turned_count, sizeof *s->turned);
    return s->turned != NULL;
}

static bool acts(const detent_mechanism *m)
{
    return dt_bushing_items(m)->count > 0;
}

static const double sign_of[DT_BUSHING_ENDS] = {[DT_BUSHING_A] = -1, [DT_BUSHING_B] = 1};

/* ---- at an instant ---- */

/* Changes of the poses of both ends' nodes and of their velocities. */
typedef struct change {
    double x[DT_BUSHING_ENDS][6], dV[DT_BUSHING_ENDS][6];
} change;

/* What A sees of such a change. */
typedef struct seen_change {
    double dp[DT_BUSHING_ENDS][3]; /**< of the points, in the world */
    double dd[3], drate[3];        /**< of d and d' */
    double turn[3];                /**< B turns on by this */
    double dspin[3];               /**< of omega */
} seen_change;

static void see_change(const dt_system *s, const dt_bushing *of, const change *by,
                       seen_change *seen)
{
    double dv[DT_BUSHING_ENDS][3] = {{0}}, dr[3], du[3], turn[3], dw[3];
    const double *xa = by->x[DT_BUSHING_A];
    memset(seen->dp, 0, sizeof seen->dp);
    for (int e = 0; e < DT_BUSHING_ENDS; e++) {
        if (of->end[e]->node >= 0) {
            dt_place_change(s, of->end[e], of->arm[e], by->x[e], by->dV[e], seen->dp[e], dv[e]);
        }
    }
    dt_subtract3(dr, seen->dp[DT_BUSHING_B], seen->dp[DT_BUSHING_A]);
    dt_subtract3(du, dv[DT_BUSHING_B], dv[DT_BUSHING_A]);
    dt_subtract3(turn, by->x[DT_BUSHING_B], xa);
    dt_subtract3(dw, by->dV[DT_BUSHING_B], by->dV[DT_BUSHING_A]);
    dt_add_cross3(du, -1, by->dV[DT_BUSHING_A], of->r);
    dt_add_cross3(du, -1, of->w[DT_BUSHING_A], dr);
    /* what A sees turns back as A turns on */
    dt_add_cross3(du, -1, xa, of->u);
    dt_add_cross3(dr, -1, xa, of->r);
    dt_add_cross3(dw, -1, xa, of->apart);
    dt_rotate_back(seen->dd, of->axes, dr);
    dt_rotate_back(seen->drate, of->axes, du);
    dt_rotate_back(seen->turn, of->axes, turn);
    dt_rotate_back(seen->dspin, of->axes, dw);
}

/* How what it does to B changes, along the axes of A. */
static void effort_change(const dt_bushing *of, const seen_change *seen, double deffort[6])
{
    const dt_bushing_def *def = of->def;
    double slope[3], dphi[3], dslope[3], dmoment[3];
    dt_turn_rate(&of->turn, seen->turn, dphi);
    dt_scale_each3(slope, def->rotational_stiffness, of->turn.phi);
    dt_scale_each3(dslope, def->rotational_stiffness, dphi);
    dt_turn_torque_change(&of->turn, slope, dphi, dslope, dmoment);
    for (int k = 0; k < 3; k++) {
        deffort[DT_BUSHING_FORCE + k] =
            -def->stiffness[k] * seen->dd[k] - def->damping[k] * seen->drate[k];
        deffort[DT_BUSHING_TORQUE + k] = -dmoment[k] - def->rotational_damping[k] * seen->dspin[k];
    }
}

/* How the wrench on B about the origin changes in the world. */
static void wrench_change(const dt_system *s, const dt_bushing *of, const change *by, double dE[6])
{
    seen_change seen;
    double deffort[6], dforce[3];
    see_change(s, of, by, &seen);
    effort_change(of, &seen, deffort);
    dt_rotate(dforce, of->axes, deffort + DT_BUSHING_FORCE);
    dt_rotate(dE, of->axes, deffort + DT_BUSHING_TORQUE);
    dt_add_cross3(dforce, 1, by->x[DT_BUSHING_A], of->force);
    dt_add_cross3(dE, 1, by->x[DT_BUSHING_A], of->torque);
    memset(dE + 3, 0, 3 * sizeof *dE);
    dt_place_add_force(of->arm[DT_BUSHING_B], dforce, dE);
    dt_add_cross3(dE, 1, seen.dp[DT_BUSHING_B], of->force);
}

/* ---- wrenches ---- */

static void add_wrenches(dt_system *s)
{
    for (int item = 0; item < dt_bushing_items(s->mechanism)->count; item++) {
        dt_bushing of;
        double on_b[6] = {0};
        dt_bushing_measure(s, item, &of);
        memcpy(on_b, of.torque, sizeof of.torque);
        dt_place_add_force(of.arm[DT_BUSHING_B], of.force, on_b);
        for (int e = 0; e < DT_BUSHING_ENDS; e++) {
            double *wrench = s->load_wrench[of.first + e];
            for (int k = 0; k < 6; k++) {
                wrench[k] = sign_of[e] * on_b[k];
            }
            if (of.end[e]->node >= 0) {
                dt_add6(s->external[of.end[e]->node], wrench);
            }
        }
    }
}

/* Those of the tangent; the ground has none. */
static void take_change(const dt_tangent *t, const dt_bushing *of, change *by)
{
    memset(by, 0, sizeof *by);
    for (int e = 0; e < DT_BUSHING_ENDS; e++) {
        if (of->end[e]->node >= 0) {
            dt_copy6(by->x[e], t->x[of->end[e]->node]);
            dt_copy6(by->dV[e], t->dV[of->end[e]->node]);
        }
    }
}

static void add_wrench_changes(dt_tangent *t, dt_system *s)
{
    for (int item = 0; item < dt_bushing_items(s->mechanism)->count; item++) {
        dt_bushing of;
        change by;
        double dE[6];
        dt_bushing_measure(s, item, &of);
        take_change(t, &of, &by);
        wrench_change(s, &of, &by, dE);
        for (int e = 0; e < DT_BUSHING_ENDS; e++) {
            if (of.end[e]->node >= 0) {
                dt_axpy6(t->dF[of.end[e]->node], -sign_of[e], dE);
            }
        }
    }
}

/* ---- slopes for Newton's step along the tree ---- */

enum { READS = 24 }; /* of each end x and d~V */

/* A unit of what is read: dx, and dV = dx x V with it; or d~V. */
static void unit_change(const dt_system *s, const dt_bushing *of, int read, change *by)
{
    const int e = read / 12, i = of->end[e]->node;
    memset(by, 0, sizeof *by);
    (read % 12 < 6 ? by->x[e] : by->dV[e])[read % 6] = 1;
    if (read % 12 < 6) {
        dt_cross_motion(by->dV[e], by->x[e], s->motion[i].V);
    }
}

/* The wrench on the one end that moves changes with its own node alone: -d~E for each unit. */
static void own_block(const dt_system *s, const dt_bushing *of, int e, double *P, int nz)
{
    const double *E = s->load_wrench[of->first + e];
    for (int read = 0; read < 12; read++) {
        change by;
        double dE[6], turned[6];
        unit_change(s, of, 12 * e + read, &by);
        wrench_change(s, of, &by, dE);
        dt_cross_force(turned, by.x[e], E);
        for (int r = 0; r < 6; r++) {
            P[r * nz + (read < 6 ? 12 + read : read - 6)] -= sign_of[e] * dE[r] - turned[r];
        }
    }
}

/* A wrench that stays in the world: -d~E = dx x* E. */
static void fixed_block(const double E[6], double *P, int nz)
{
    for (int k = 0; k < 6; k++) {
        double x[6] = {0}, turned[6];
        x[k] = 1;
        dt_cross_force(turned, x, E);
        for (int r = 0; r < 6; r++) {
            P[r * nz + 12 + k] += turned[r];
        }
    }
}

static void add_blocks(const dt_tree_newton *tn, const dt_system *s)
{
    for (int item = 0; item < dt_bushing_items(s->mechanism)->count; item++) {
        dt_bushing of;
        dt_bushing_measure(s, item, &of);
        for (int e = 0; e < DT_BUSHING_ENDS; e++) {
            const int i = of.end[e]->node;
            if (i < 0 || i == of.end[1 - e]->node) {
                continue; /* of one body they balance, and turn with it */
            }
            double *P = dt_tree_newton_block(tn, i);
            if (dt_place_is_between(of.end[DT_BUSHING_A], of.end[DT_BUSHING_B])) {
                fixed_block(s->load_wrench[of.first + e], P, tn->nz);
            } else {
                own_block(s, &of, e, P, tn->nz);
            }
        }
    }
}

static void answer_nodes(const detent_mechanism *m, dt_remote *remote)
{
    const dt_load *end = &m->loads[dt_item_place(dt_bushing_items(m), remote->item)];
    const bool between = dt_place_is_between(&end[DT_BUSHING_A], &end[DT_BUSHING_B]);
    remote->node = between ? end[DT_BUSHING_B].node : -1;
    remote->other = between ? end[DT_BUSHING_A].node : -1;
}

/*
 * Component `remote->component` of the wrench on B; answers compare as forces, so torques are taken over a length. Where both
 * bodies move as one the wrench turns with them, and d~V alone does nothing: so what A does follows from what B does.
 */
static bool prepare(dt_system *s, dt_remote *remote)
{
    const double unit = remote->component < 3 ? s->length : 1;
    dt_bushing of;
    dt_bushing_measure(s, remote->item, &of);
    answer_nodes(s->mechanism, remote);
    if (remote->node < 0) {
        return false;
    }
    for (int read = 0; read < READS / 2; read++) {
        change by;
        double dE[6], turned[6];
        unit_change(s, &of, 12 * DT_BUSHING_B + read, &by);
        wrench_change(s, &of, &by, dE);
        dt_cross_force(turned, by.x[DT_BUSHING_B], s->load_wrench[of.first + DT_BUSHING_B]);
        remote->gradient[12 * DT_BUSHING_B + read] = dE[remote->component] / unit;
        remote->gradient[12 * DT_BUSHING_A + read] =
            (turned[remote->component] - dE[remote->component]) / unit;
    }
    memset(remote->wrench, 0, sizeof remote->wrench);
    remote->wrench[remote->component] = unit;
    return true;
}

static double feel(const dt_remote *remote, const dt_tree_newton *tn, const dt_system *s)
{
    const int node[DT_BUSHING_ENDS] = {
        [DT_BUSHING_A] = remote->other, [DT_BUSHING_B] = remote->node};
    double sum = 0;
    (void)s;
    for (int e = 0; e < DT_BUSHING_ENDS; e++) {
        const double *z = dt_tree_newton_z(tn, node[e]);
        sum +=
            dt_dot6(remote->gradient + 12 * e, z + 12) + dt_dot6(remote->gradient + 12 * e + 6, z);
    }
    return sum;
}

static void inject(const dt_remote *remote, double u, const dt_law_changes *changes)
{
    if (remote->node >= 0) {
        dt_axpy6(changes->E[remote->node], u, remote->wrench);
        dt_axpy6(changes->E[remote->other], -u, remote->wrench);
    }
}

/* ---- what outputs read: f, t along the axes of A, and their norms ---- */

enum { PART_FORCE_NORM = 6 };

static double reading(const dt_system *s, int item, int part)
{
    dt_bushing of;
    dt_bushing_measure(s, item, &of);
    return part < PART_FORCE_NORM
               ? of.effort[part]
               : dt_norm3(of.effort +
                          (part == PART_FORCE_NORM ? DT_BUSHING_FORCE : DT_BUSHING_TORQUE));
}

static double reading_change(const dt_tangent *t, const dt_system *s, int item, int part)
{
    dt_bushing of;
    change by;
    seen_change seen;
    double deffort[6];
    dt_bushing_measure(s, item, &of);
    take_change(t, &of, &by);
    see_change(s, &of, &by, &seen);
    effort_change(&of, &seen, deffort);
    if (part < PART_FORCE_NORM) {
        return deffort[part];
    }
    const int first = part == PART_FORCE_NORM ? DT_BUSHING_FORCE : DT_BUSHING_TORQUE;
    const double norm = dt_norm3(of.effort + first);
    return norm > 0 ? dt_dot3(of.effort + first, deffort + first) / norm : 0;
}

/* ---- energy ---- */

static double square(const double factor[3], const double of[3])
{
    return factor[0] * of[0] * of[0] + factor[1] * of[1] * of[1] + factor[2] * of[2] * of[2];
}

static void add_potential(const dt_system *s, double *energy)
{
    for (int item = 0; item < dt_bushing_items(s->mechanism)->count; item++) {
        dt_bushing of;
        dt_bushing_measure(s, item, &of);
        *energy += 0.5 * (square(of.def->stiffness, of.d) +
                          square(of.def->rotational_stiffness, of.turn.phi));
    }
}

/* dU = K d . dd + G phi . dphi */
static void add_potential_change(const dt_tangent *t, const dt_system *s, double *sum)
{
    for (int item = 0; item < dt_bushing_items(s->mechanism)->count; item++) {
        dt_bushing of;
        change by;
        seen_change seen;
        double dphi[3];
        dt_bushing_measure(s, item, &of);
        take_change(t, &of, &by);
        see_change(s, &of, &by, &seen);
        dt_turn_rate(&of.turn, seen.turn, dphi);
        for (int k = 0; k < 3; k++) {
            *sum += of.def->stiffness[k] * of.d[k] * seen.dd[k] +
                    of.def->rotational_stiffness[k] * of.turn.phi[k] * dphi[k];
        }
    }
}

static void add_powers(const dt_system *s, double power[DT_WORKS])
{
    for (int item = 0; item < dt_bushing_items(s->mechanism)->count; item++) {
        dt_bushing of;
        dt_bushing_measure(s, item, &of);
        power[DT_WORK_DAMPING] -=
            square(of.def->damping, of.rate) + square(of.def->rotational_damping, of.spin);
    }
}

const dt_element_kind dt_bushing_element = {.item = &bushings,
                                            .acts = acts,
                                            .create = create,
                                            .add_wrenches = add_wrenches,
                                            .add_wrench_changes = add_wrench_changes,
                                            .follows_poses = acts,
                                            .add_blocks = add_blocks,
                                            .answer_count = 6,
                                            .answer_reads = READS,
                                            .answer_nodes = answer_nodes,
                                            .prepare = prepare,
                                            .feel = feel,
                                            .inject = inject,
                                            .until_jump = dt_bushing_until_half_a_turn,
                                            .take_side = dt_bushing_take_side,
                                            .reading = reading,
                                            .reading_change = reading_change,
                                            .add_potential = add_potential,
                                            .add_potential_change = add_potential_change,
                                            .add_powers = add_powers};
