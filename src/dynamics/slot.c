/* A point on a curve at an instant: its geometry, its row of accelerations, and how these change (slot.h). */
#include "dynamics/slot.h"

#include "dynamics/closure.h"
#include "dynamics/place.h"

/* ---- geometry ---- */

bool dt_slot_is_out(const dt_system *s, const dt_slot *of)
{
    return of->foot.beyond > 1e-9 * of->curve->size && s->closure && !s->closure->assembles;
}

/* Axes of the curve's frame in the world, by columns. */
static void axes_of(const dt_system *s, const dt_load *place, double axes[9])
{
    if (place->node < 0) {
        memcpy(axes, place->R, 9 * sizeof *axes);
    } else {
        dt_mul33(axes, s->motion[place->node].R, place->R);
    }
}

static void point_of(const dt_system *s, const dt_load *place, double p[3])
{
    double velocity[3];
    dt_place_motion(s, place, p, velocity);
}

/* The foot of the point in the curve's plane, and the world's directions there. */
static void find_foot(const dt_system *s, const dt_load *curve_place, dt_slot *of)
{
    double axes[9], origin[3], r[3], local[3], speed;
    axes_of(s, curve_place, axes);
    point_of(s, curve_place, origin);
    for (int k = 0; k < 3; k++) {
        r[k] = of->p[k] - origin[k];
    }
    dt_rotate_back(local, axes, r);
    dt_slot_curve_foot(of->curve, local, s->registers, of->memo);
    of->foot = of->memo->foot;
    const double *first = of->foot.first, *second = of->foot.second;
    speed = hypot(first[0], first[1]);
    const double t[3] = {first[0] / speed, first[1] / speed, 0},
                 n[3] = {-first[1] / speed, first[0] / speed, 0};
    dt_rotate(of->t, axes, t);
    dt_rotate(of->n, axes, n);
    for (int k = 0; k < 3 && dt_slot_is_out(s, of); k++) {
        of->n[k] = NAN;
    }
    of->bend = (first[0] * second[1] - first[1] * second[0]) / (speed * speed * speed);
}

void dt_slot_measure(const dt_system *s, int item, dt_slot *of)
{
    const dt_item_list *list = dt_slot_items(s->mechanism);
    of->curve = list->made[item];
    of->memo = &s->feet[item];
    of->row = dt_item_row(list, item);
    of->first = dt_item_place(list, item);
    const dt_load *place = &s->mechanism->loads[of->first];
    point_of(s, &place[DT_SLOT_A], of->p);
    find_foot(s, &place[DT_SLOT_B], of);
    for (int e = 0; e < DT_SLOT_ENDS; e++) {
        of->node[e] = place[e].node;
        memset(of->V[e], 0, sizeof of->V[e]);
        if (place[e].node >= 0) {
            memcpy(of->V[e], s->motion[place[e].node].V, sizeof of->V[e]);
        }
    }
    for (int k = 0; k < 6; k++) {
        of->U[k] = of->V[DT_SLOT_A][k] - of->V[DT_SLOT_B][k];
    }
    dt_cross3(of->u, of->U, of->p);
    for (int k = 0; k < 3; k++) {
        of->u[k] += of->U[3 + k];
    }
    memset(of->w, 0, sizeof of->w);
    dt_place_add_force(of->p, of->n, of->w);
}

/* ---- accelerations ---- */

/* A_A - A_B - V_B x U. */
static void relative_acceleration(const dt_system *s, const dt_slot *of, double B[6])
{
    double turned[6];
    dt_cross_motion(turned, of->V[DT_SLOT_B], of->U);
    for (int k = 0; k < 6; k++) {
        B[k] = -turned[k];
        for (int e = 0; e < DT_SLOT_ENDS; e++) {
            const double ground = k < 3 ? 0 : -s->gravity[k - 3],
                         A = of->node[e] < 0 ? ground : s->A[of->node[e]][k];
            B[k] += e == DT_SLOT_A ? A : -A;
        }
    }
}

double dt_slot_row(const dt_system *s, const dt_slot *of)
{
    double B[6], side[3];
    const double along = dt_dot3(of->t, of->u);
    relative_acceleration(s, of, B);
    dt_cross3(side, of->u, of->n);
    return dt_dot6(of->w, B) + dt_dot3(of->U, side) - of->bend * along * along;
}

/* ---- changes ---- */

/* What changes as B sees it. */
typedef struct seen {
    double x[6], dp[3], dn[3], dw[6], dU[6], du[3];
    double along; /**< t . dp */
} seen;

static void see(const dt_slot *of, const dt_slot_change *by, seen *is)
{
    double part[3], turned[6];
    for (int k = 0; k < 6; k++) {
        is->x[k] = by->x[DT_SLOT_A][k] - by->x[DT_SLOT_B][k];
        is->dU[k] = by->dV[DT_SLOT_A][k] - by->dV[DT_SLOT_B][k];
    }
    dt_cross_motion(turned, by->x[DT_SLOT_B], of->U);
    for (int k = 0; k < 6; k++) {
        is->dU[k] -= turned[k];
    }
    dt_cross3(is->dp, is->x, of->p);
    for (int k = 0; k < 3; k++) {
        is->dp[k] += is->x[3 + k];
    }
    is->along = dt_dot3(of->t, is->dp);
    for (int k = 0; k < 3; k++) {
        is->dn[k] = -of->bend * is->along * of->t[k];
    }
    dt_cross3(is->dw, is->dp, of->n);
    dt_cross3(part, of->p, is->dn);
    for (int k = 0; k < 3; k++) {
        is->dw[k] += part[k];
        is->dw[3 + k] = is->dn[k];
    }
    dt_cross3(is->du, is->dU, of->p);
    dt_cross3(part, of->U, is->dp);
    for (int k = 0; k < 3; k++) {
        is->du[k] += part[k] + is->dU[3 + k];
    }
}

double dt_slot_wrench_change(const dt_slot *of, const dt_slot_change *by, double dw[6])
{
    seen is;
    see(of, by, &is);
    if (dw) {
        dt_cross_force(dw, by->x[DT_SLOT_B], of->w);
        dt_add6(dw, is.dw);
    }
    return dt_dot6(is.dw, of->U) + dt_dot6(of->w, is.dU);
}

/* dk/ds = (c' x c''' - 3 k |c'| c' . c'') / |c'|^4 */
static double bend_rate(const dt_system *s, const dt_slot *of)
{
    const double *c = of->foot.first, *d = of->foot.second;
    const double square = c[0] * c[0] + c[1] * c[1];
    const double *third = of->memo->third;
    if (of->foot.beyond > 0) {
        return 0;
    }
    dt_slot_curve_third(of->curve, s->series, of->memo);
    return (c[0] * third[1] - c[1] * third[0] -
            3 * of->bend * sqrt(square) * (c[0] * d[0] + c[1] * d[1])) /
           (square * square);
}

double dt_slot_row_change(const dt_system *s, const dt_slot *of, const dt_slot_change *by)
{
    seen is;
    double B[6], dB[6], turned[6], side[3], part[3];
    const double along = dt_dot3(of->t, of->u);
    see(of, by, &is);
    relative_acceleration(s, of, B);
    for (int k = 0; k < 6; k++) {
        dB[k] = by->dA[DT_SLOT_A][k] - by->dA[DT_SLOT_B][k];
        turned[k] = by->dV[DT_SLOT_A][k] - by->dV[DT_SLOT_B][k];
    }
    const double dU[6] = {turned[0], turned[1], turned[2], turned[3], turned[4], turned[5]};
    dt_cross_motion(turned, by->dV[DT_SLOT_B], of->U);
    dt_axpy6(dB, -1, turned);
    dt_cross_motion(turned, of->V[DT_SLOT_B], dU);
    dt_axpy6(dB, -1, turned);
    dt_cross_motion(turned, by->x[DT_SLOT_B], B);
    dt_axpy6(dB, -1, turned);
    double sum = dt_dot6(is.dw, B) + dt_dot6(of->w, dB);
    dt_cross3(side, of->u, of->n);
    sum += dt_dot3(is.dU, side);
    dt_cross3(side, is.du, of->n);
    dt_cross3(part, of->u, is.dn);
    for (int k = 0; k < 3; k++) {
        side[k] += part[k];
    }
    sum += dt_dot3(of->U, side);
    const double dalong = of->bend * is.along * dt_dot3(of->n, of->u) + dt_dot3(of->t, is.du);
    const double drate = along != 0 && is.along != 0 ? bend_rate(s, of) * is.along : 0;
    return sum - drate * along * along - 2 * of->bend * along * dalong;
}
