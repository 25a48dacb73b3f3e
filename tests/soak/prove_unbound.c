/* Whether friction that follows its own reaction has grown beyond all measure: see prove.h. */
#include "prove.h"

#include "prove_scene.h"
#include "prove_ties.h"

#include <math.h>
#include <string.h>

bool prove_unbound(const sketch *s, const verdict *v)
{
    static const double dwarfed = 1e4, agrees = 1e-6;
    static scene sc;
    char words[256];
    if (!prove_set_scene(&sc, s, v) || v->coordinates == 0) {
        return false;
    }
    scene_form_equations(&sc);
    const double size = fmax(prove_typical_size(&sc), prove_gyroscopic_size(&sc));
    double largest = 0;
    prove_take_state(&sc, v);
    for (int d = 0; d < sc.count; d++) {
        const sketch_primitive *p = scene_primitive_of(&sc, d);
        largest = fmax(largest,
                       p->stiction && (strstr(p->limit, "reaction_") || strstr(p->limit, "normal_"))
                           ? fabs(sc.f[d])
                           : 0);
    }
    if (!(largest > dwarfed * size && prove_dynamics(s, v, words, sizeof words) <= prove_bound)) {
        return false;
    }
    prove_form_tied_reactions(&sc);
    int who;
    return prove_departure(&sc, &who) <= agrees * largest;
}
