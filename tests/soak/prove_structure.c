/* Whether loops are a structure that stands in a dead centre, or at rest where branches of their motion meet: see prove.h. */
#include "prove.h"

#include "chance.h"
#include "prove_scene.h"
#include "prove_ties.h"

#include <math.h>
#include <string.h>

static const double none = 1e-9, some = 1e-3;

/* Positions a little beside those of the scene, of joints that turn about or move along one axis, and have no motion. */
static void displace(scene *sc)
{
    chance c = {4711};
    for (int d = 0; d < sc->count; d++) {
        const sketch_primitive *p = scene_primitive_of(sc, d);
        if (p->kind != 's' && !p->motion[0]) {
            sc->q[sc->dof[d].q] += chance_in(&c, -0.1, 0.1);
        }
    }
}

/* How much of a motion of each joint alone conditions leave, 0 to 1: 0 where they say that it does not move, whatever others do. Their rank. */
static int find_left(scene *sc, double *left)
{
    static double C[PROVE_TIES][DOFS];
    scene_form_equations(sc);
    const int count = prove_ties(sc, C);
    int rank = 0;
    for (int r = 0; r < count; r++) {
        rank += prove_orthonormalize(sc, C, NULL, r) > some;
    }
    for (int d = 0; d < sc->count; d++) {
        left[d] = 1;
        for (int r = 0; r < count; r++) {
            left[d] -= C[r][d] * C[r][d];
        }
    }
    return rank;
}

bool prove_structure(const sketch *s, const verdict *v)
{
    static scene sc;
    double here[DOFS], beside[DOFS];
    if (!prove_set_scene(&sc, s, v) || !sc.tied) {
        return false;
    }
    find_left(&sc, here);
    displace(&sc);
    find_left(&sc, beside);
    bool any = false;
    for (int d = 0; d < sc.count; d++) {
        any = any || (!scene_primitive_of(&sc, d)->motion[0] && here[d] > some && beside[d] < none);
    }
    return any;
}

/* How fast the fastest joint is in loops. */
static double fastest_in_loops(const scene *sc)
{
    double fastest = 0;
    for (int d = 0; d < sc->count; d++) {
        fastest = sketch_is_in_loop(sc->s, sc->dof[d].joint)
                      ? fmax(fastest, fabs(sc->v[sc->dof[d].v]))
                      : fastest;
    }
    return fastest;
}

bool prove_meeting(const sketch *s, const verdict *v)
{
    static const double just_begun = 0.05; /* a run that ends while nothing decides the branch */
    static scene sc;
    double left[DOFS];
    const bool is_told = v->kind != VERDICT_ABORT || strstr(v->words, "branches of");
    if (!is_told || !prove_set_scene(&sc, s, v) || !sc.tied ||
        fastest_in_loops(&sc) > (v->kind == VERDICT_ABORT ? just_begun : 0)) {
        return false;
    }
    const int here = find_left(&sc, left);
    displace(&sc);
    return here < find_left(&sc, left);
}
