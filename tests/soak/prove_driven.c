/* Whether motions leave a joint no choice but to go on through its rigid stop: see prove.h. */
#include "prove.h"

#include "prove_scene.h"
#include "prove_ties.h"
#include "stops.h"

#include <math.h>
#include <string.h>

/*
 * How much of a motion of each joint alone is left by what ties joints, and motions that are given, 0 to 1; and the velocities that these
 * rows ask for, which are all of those of which nothing is left.
 */
static void find_driven(scene *sc, double *left, double *velocity)
{
    static double C[PROVE_TIES + DOFS][DOFS];
    double right[PROVE_TIES + DOFS] = {0};
    scene_form_equations(sc);
    int count = prove_ties(sc, C);
    for (int d = 0; d < sc->count; d++) {
        if (scene_primitive_of(sc, d)->motion[0]) {
            memset(C[count], 0, sizeof C[count]);
            C[count][d] = 1;
            right[count++] = sc->v[sc->dof[d].v];
        }
    }
    for (int d = 0; d < sc->count; d++) {
        left[d] = 1;
        velocity[d] = 0;
    }
    for (int r = 0; r < count; r++) {
        const double length = prove_orthonormalize(sc, C, right, r);
        right[r] /= length > 0 ? length : 1;
        for (int d = 0; d < sc->count && length > 0; d++) {
            left[d] -= C[r][d] * C[r][d];
            velocity[d] += C[r][d] * right[r];
        }
    }
}

bool prove_driven(const sketch *s, const verdict *v)
{
    static const double none = 1e-9, some = 1e-3, soon = 1e-6; /* s */
    static scene sc;
    double left[DOFS], velocity[DOFS], fastest = 0;
    if (v->coordinates == 0 || !prove_place_scene(&sc, s, v) || !sc.tied) {
        return false;
    }
    find_driven(&sc, left, velocity);
    for (int d = 0; d < sc.count; d++) {
        fastest = fmax(fastest, fabs(velocity[d]));
    }
    bool any = false;
    for (int d = 0; d < sc.count; d++) {
        any = any || (left[d] < none && fabs(velocity[d]) > some * fastest &&
                      fabs(stops_ahead(&sc, d, velocity[d])) < soon * fabs(velocity[d]));
    }
    return any;
}
