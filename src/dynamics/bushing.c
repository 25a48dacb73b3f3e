/* What is known of a bushing at an instant, and on which side of half a turn it is (bushing.h). */
#include "dynamics/bushing.h"

#include "dynamics/element.h"

static const double pi = 3.14159265358979323846;

/* Its ends: points, velocities, and the turn of the one against the other. */
static void measure_ends(const dt_system *s, const double near[3], dt_bushing *of)
{
    double velocity[DT_BUSHING_ENDS][3], axes[DT_BUSHING_ENDS][9], back[9], turn[9];
    for (int e = 0; e < DT_BUSHING_ENDS; e++) {
        const dt_load *end = of->end[e] = &s->mechanism->loads[of->first + e];
        dt_place_motion(s, end, of->arm[e], velocity[e]);
        memcpy(axes[e], end->R, sizeof axes[e]);
        memset(of->w[e], 0, sizeof of->w[e]);
        if (end->node >= 0) {
            dt_mul33(axes[e], s->motion[end->node].R, end->R);
            memcpy(of->w[e], s->motion[end->node].V, sizeof of->w[e]);
        }
    }
    memcpy(of->axes, axes[DT_BUSHING_A], sizeof of->axes);
    dt_subtract3(of->r, of->arm[DT_BUSHING_B], of->arm[DT_BUSHING_A]);
    dt_subtract3(of->u, velocity[DT_BUSHING_B], velocity[DT_BUSHING_A]);
    for (int k = 0; k < 9; k++) {
        back[k] = of->axes[3 * (k % 3) + k / 3];
    }
    dt_mul33(turn, back, axes[DT_BUSHING_B]);
    dt_turn_of(turn, near, &of->turn);
    dt_add_cross3(of->u, -1, of->w[DT_BUSHING_A], of->r);
    dt_subtract3(of->apart, of->w[DT_BUSHING_B], of->w[DT_BUSHING_A]);
    dt_rotate_back(of->d, of->axes, of->r);
    dt_rotate_back(of->rate, of->axes, of->u);
    dt_rotate_back(of->spin, of->axes, of->apart);
}

static void place(const dt_system *s, int item, const double near[3], dt_bushing *of)
{
    of->def = dt_item_definition(dt_bushing_items(s->mechanism), item);
    of->first = dt_item_place(dt_bushing_items(s->mechanism), item);
    measure_ends(s, near, of);
}

void dt_bushing_measure(const dt_system *s, int item, dt_bushing *of)
{
    double slope[3], moment[3];
    place(s, item, s->turned[item], of);
    dt_scale_each3(slope, of->def->rotational_stiffness, of->turn.phi);
    dt_turn_torque(&of->turn, slope, moment);
    for (int k = 0; k < 3; k++) {
        of->effort[DT_BUSHING_FORCE + k] =
            -of->def->stiffness[k] * of->d[k] - of->def->damping[k] * of->rate[k];
        of->effort[DT_BUSHING_TORQUE + k] =
            -moment[k] - of->def->rotational_damping[k] * of->spin[k];
    }
    dt_rotate(of->force, of->axes, of->effort + DT_BUSHING_FORCE);
    dt_rotate(of->torque, of->axes, of->effort + DT_BUSHING_TORQUE);
}

/* ---- half a turn ---- */

/*
 * At half a turn about n the torque jumps by 2 pi (n . G n) n, half of it on either side of none; by less than this share of the
 * stiffness it is rounding.
 */
static const double no_jump = 1e-12;

static bool jumps(const dt_bushing *of)
{
    const double *G = of->def->rotational_stiffness, *phi = of->turn.phi;
    double slope[3];
    dt_scale_each3(slope, G, phi);
    return dt_dot3(phi, slope) > no_jump * fmax(G[0], fmax(G[1], G[2])) * dt_dot3(phi, phi);
}

double dt_bushing_until_half_a_turn(const dt_system *s, int item)
{
    dt_bushing of;
    place(s, item, s->turned[item], &of);
    return jumps(&of) ? pi - dt_norm3(of.turn.phi) : 1;
}

/* Nearer to half a turn than that, rad, rounding says on which side it is: that which it turns into. */
static const double at_half_a_turn = 1e-9;

void dt_bushing_take_side(const dt_system *s, int item, bool passed)
{
    dt_bushing of;
    double *side = s->turned[item];
    place(s, item, passed ? NULL : side, &of);
    if (!passed && !jumps(&of)) {
        place(s, item, NULL, &of);
    }
    const double *phi = of.turn.phi, left = pi - dt_norm3(phi);
    const bool turns_over =
        passed && jumps(&of) && left < at_half_a_turn && dt_dot3(phi, of.spin) > 0;
    for (int k = 0; k < 3 && (passed || left > 0); k++) {
        side[k] = turns_over ? -phi[k] : phi[k];
    }
}
