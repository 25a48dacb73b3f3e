/* A massless rod at an instant: its geometry, its row of accelerations, and how these change (rod.h). */
#include "dynamics/rod.h"

#include "dynamics/place.h"

/* ---- geometry ---- */

void dt_rod_measure(const dt_system *s, int item, dt_rod *of)
{
    double r[3];
    of->first = dt_item_place(dt_rod_items(s->mechanism), item);
    of->row = dt_rod_row(s->mechanism, item);
    for (int e = 0; e < DT_ROD_ENDS; e++) {
        of->end[e] = &s->mechanism->loads[of->first + e];
        dt_place_motion(s, of->end[e], of->arm[e], of->velocity[e]);
    }
    for (int k = 0; k < 3; k++) {
        r[k] = of->arm[DT_ROD_B][k] - of->arm[DT_ROD_A][k];
        of->u[k] = of->velocity[DT_ROD_B][k] - of->velocity[DT_ROD_A][k];
    }
    of->length = dt_norm3(r);
    for (int k = 0; k < 3; k++) {
        of->n[k] = of->length > 0 ? r[k] / of->length : NAN;
    }
    of->rate = dt_dot3(of->n, of->u);
}

void dt_rod_direction_change(const dt_rod *of, const double dr[3], double dn[3])
{
    const double along = dt_dot3(of->n, dr);
    for (int k = 0; k < 3; k++) {
        dn[k] = (dr[k] - of->n[k] * along) / of->length;
    }
}

void dt_rod_end_changes(const dt_tangent *t, const dt_system *s, const dt_rod *of,
                        double dp[DT_ROD_ENDS][3], double dv[DT_ROD_ENDS][3], double dr[3],
                        double du[3])
{
    memset(dp, 0, DT_ROD_ENDS * sizeof *dp);
    memset(dv, 0, DT_ROD_ENDS * sizeof *dv);
    for (int e = 0; e < DT_ROD_ENDS; e++) {
        const int i = of->end[e]->node;
        if (i >= 0) {
            dt_place_change(s, of->end[e], of->arm[e], t->x[i], t->dV[i], dp[e], dv[e]);
        }
    }
    for (int k = 0; k < 3; k++) {
        dr[k] = dp[DT_ROD_B][k] - dp[DT_ROD_A][k];
        du[k] = dv[DT_ROD_B][k] - dv[DT_ROD_A][k];
    }
}

/* ---- accelerations ---- */

/* Acceleration of the point at an end. */
static void point_acceleration(const dt_system *s, const dt_rod *of, int e, double a[3])
{
    const int i = of->end[e]->node;
    double part[2][3];
    for (int k = 0; k < 3; k++) {
        a[k] = i < 0 ? -s->gravity[k] : s->A[i][3 + k];
    }
    if (i < 0) {
        return;
    }
    dt_cross3(part[0], s->A[i], of->arm[e]);
    dt_cross3(part[1], s->motion[i].V, of->velocity[e]);
    for (int k = 0; k < 3; k++) {
        a[k] += part[0][k] + part[1][k];
    }
}

void dt_rod_acceleration(const dt_system *s, const dt_rod *of, double between[3])
{
    double a[DT_ROD_ENDS][3];
    for (int e = 0; e < DT_ROD_ENDS; e++) {
        point_acceleration(s, of, e, a[e]);
    }
    for (int k = 0; k < 3; k++) {
        between[k] = a[DT_ROD_B][k] - a[DT_ROD_A][k];
    }
}

void dt_rod_add_acceleration_change(const dt_system *s, const dt_rod *of, int e, const double dp[3],
                                    const double dv[3], const double dV[6], const double dA[6],
                                    double da[3])
{
    const int i = of->end[e]->node;
    double part[4][3];
    dt_cross3(part[0], dA, of->arm[e]);
    dt_cross3(part[1], s->A[i], dp);
    dt_cross3(part[2], dV, of->velocity[e]);
    dt_cross3(part[3], s->motion[i].V, dv);
    for (int k = 0; k < 3; k++) {
        da[k] += dt_rod_sign(e) * (dA[3 + k] + part[0][k] + part[1][k] + part[2][k] + part[3][k]);
    }
}

double dt_rod_row_change(const dt_system *s, const dt_rod *of, const double dr[3],
                         const double du[3], const double da[3])
{
    double a[3], dn[3];
    dt_rod_acceleration(s, of, a);
    dt_rod_direction_change(of, dr, dn);
    const double square = dt_dot3(of->u, of->u) - of->rate * of->rate;
    const double dsquare =
        2 * dt_dot3(of->u, du) - 2 * of->rate * (dt_dot3(dn, of->u) + dt_dot3(of->n, du));
    return dt_dot3(dn, a) + dt_dot3(of->n, da) + dsquare / of->length -
           square / (of->length * of->length) * dt_dot3(of->n, dr);
}
