/* Whether friction that follows its own reaction has grown beyond all measure: see prove.h. */
#include "prove.h"

#include "prove_modes.h"
#include "prove_scene.h"
#include "prove_ties.h"

#include <math.h>
#include <string.h>

static const double dwarfed = 1e4;

/* The largest friction that follows a reaction. */
static double largest_follower(const scene *sc)
{
    double largest = 0;
    for (int d = 0; d < sc->count; d++) {
        const sketch_primitive *p = scene_primitive_of(sc, d);
        const bool follows =
            p->stiction && (strstr(p->limit, "reaction_") || strstr(p->limit, "normal_"));
        largest = follows ? fmax(largest, fabs(sc->f[d])) : largest;
    }
    return largest;
}

/*
 * The same of the forces that positions and velocities at the end have by equations of our own: so near to a pole those of the run, which
 * are its last step's, need not fit them.
 */
static bool is_unbound_there(const sketch *s, const verdict *v)
{
    static scene sc;
    static modes m;
    static double x[UNKNOWNS];
    char words[256];
    prove_set_scene(&sc, s, v);
    scene_form_equations(&sc);
    const double size = fmax(prove_typical_size(&sc), prove_gyroscopic_size(&sc));
    prove_take_state(&sc, v);
    if (prove_find_modes(&sc, &m, x, words, sizeof words) != PROOF_ONE_EXISTS) {
        return false;
    }
    prove_set_unknowns(&sc, &m, x);
    return largest_follower(&sc) > dwarfed * size;
}

bool prove_unbound(const sketch *s, const verdict *v)
{
    static const double agrees = 1e-6;
    static scene sc;
    char words[256];
    if (!prove_set_scene(&sc, s, v) || v->coordinates == 0) {
        return false;
    }
    scene_form_equations(&sc);
    const double size = fmax(prove_typical_size(&sc), prove_gyroscopic_size(&sc));
    prove_take_state(&sc, v);
    const double largest = largest_follower(&sc);
    if (!(largest > dwarfed * size)) {
        return false;
    }
    if (prove_dynamics(s, v, words, sizeof words) > prove_bound) {
        return is_unbound_there(s, v);
    }
    prove_form_tied_reactions(&sc);
    int who;
    return prove_departure(&sc, &who) <= agrees * largest;
}
