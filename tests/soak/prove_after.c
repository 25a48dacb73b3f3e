/* Whether there is no consistent state after the impact that a run ended with: see prove.h. */
#include "prove.h"

#include "impact_plain.h"
#include "prove_modes.h"
#include "prove_scene.h"
#include "stops.h"

#include <math.h>

/* Puts joints that come to their rigid stops at once on these; how many. */
static int close_stops(scene *sc)
{
    static const double soon = 1e-6; /* s */
    int count = 0;
    for (int d = 0; d < sc->count; d++) {
        double *q = &sc->q[sc->dof[d].q];
        const double v = sc->v[sc->dof[d].v], ahead = stops_ahead(sc, d, v);
        if (fabs(ahead) < soon * fabs(v)) {
            *q += ahead;
            count++;
        }
    }
    return count;
}

/* The velocities after it, by impact_plain.h; false where they are not told. */
static bool strike(scene *sc)
{
    static impact_plain plain;
    double v[DOFS], slowest;
    scene_form_equations(sc);
    for (int d = 0; d < sc->count; d++) {
        v[d] = sc->v[sc->dof[d].v];
    }
    if (!impact_plain_open(&plain, sc) ||
        impact_plain_strike(&plain, sc->count, v, &slowest) <= 0) {
        return false;
    }
    impact_plain_round_off(&plain, impact_plain_energy(&plain, v), v);
    for (int d = 0; d < sc->count; d++) {
        sc->v[sc->dof[d].v] = v[d];
    }
    return true;
}

proof prove_after(const sketch *s, const verdict *v, char *words, size_t capacity)
{
    static scene sc;
    static modes m;
    static double x[UNKNOWNS];
    if (v->coordinates == 0 || !prove_set_instant(&sc, s, v) || close_stops(&sc) == 0 ||
        !strike(&sc)) {
        return PROOF_NOT_POSSIBLE;
    }
    return prove_find_modes(&sc, &m, x, words, capacity);
}
