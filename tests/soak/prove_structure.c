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

/* How much of a motion of each joint alone conditions leave, 0 to 1: 0 where they say that it does not move, whatever others do. */
static void find_left(scene *sc, double *left)
{
    static double C[PROVE_TIES][DOFS];
    scene_form_equations(sc);
    const int count = prove_ties(sc, C);
    for (int r = 0; r < count; r++) {
        prove_orthonormalize(sc, C, NULL, r);
    }
    for (int d = 0; d < sc->count; d++) {
        left[d] = 1;
        for (int r = 0; r < count; r++) {
            left[d] -= C[r][d] * C[r][d];
        }
    }
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

/* Parts of the mechanism: joints that conditions tie to each other, here or elsewhere, have the same number. */
static void find_parts(scene *sc, int *part)
{
    static double C[PROVE_TIES][DOFS];
    scene_form_equations(sc);
    const int count = prove_ties(sc, C);
    for (int d = 0; d < sc->count; d++) {
        part[d] = d;
    }
    for (int r = 0; r < count; r++) {
        int first = -1;
        for (int d = 0; d < sc->count; d++) {
            if (fabs(C[r][d]) > none) {
                first = first < 0 ? part[d] : first;
                const int other = part[d];
                for (int e = 0; e < sc->count; e++) {
                    part[e] = part[e] == other ? first : part[e];
                }
            }
        }
    }
}

/* How many of the conditions say something, beyond this, of each part. */
static void find_ranks(scene *sc, const int *part, double beyond, int *rank)
{
    static double C[PROVE_TIES][DOFS];
    scene_form_equations(sc);
    const int count = prove_ties(sc, C);
    memset(rank, 0, DOFS * sizeof *rank);
    for (int r = 0; r < count; r++) {
        if (prove_orthonormalize(sc, C, NULL, r) > beyond) {
            int d = 0;
            while (fabs(C[r][d]) <= none) {
                d++;
            }
            rank[part[d]]++;
        }
    }
}

/* How fast the fastest joint of a part is. */
static double fastest_in(const scene *sc, const int *part, int wanted)
{
    double fastest = 0;
    for (int d = 0; d < sc->count; d++) {
        fastest = part[d] == wanted ? fmax(fastest, fabs(sc->v[sc->dof[d].v])) : fastest;
    }
    return fastest;
}

bool prove_meeting(const sketch *s, const verdict *v)
{
    static const double just_begun = 0.05; /* a run that ends while nothing decides the branch */
    static scene sc;
    const bool is_told = v->kind != VERDICT_ABORT || strstr(v->words, "branches of");
    if (!is_told || !prove_place_scene(&sc, s, v) || !sc.tied) {
        return false;
    }
    static scene beside;
    beside = sc;
    displace(&beside);
    int part[DOFS], here[DOFS], there[DOFS];
    find_parts(&beside, part);
    find_ranks(&sc, part, v->coordinates == 0 ? none : some, here); /* exact as it is given */
    find_ranks(&beside, part, some, there);
    const double slow = v->kind == VERDICT_ABORT ? just_begun : 0;
    bool any = false;
    for (int d = 0; d < sc.count; d++) {
        any = any || (here[d] < there[d] && fastest_in(&sc, part, d) <= slow);
    }
    return any;
}
