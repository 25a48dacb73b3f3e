#include "reactions.h"

#include "model/mechanism.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Times what acts: near a dead centre reactions may be very large, but velocities follow by pivots of 1e-9 at least. */
static const double beyond_all = 1e11;

/* The size of what acts: weights, forces along joints, friction, inertia. */
static double acting(const detent_mechanism *m, const detent_mechanism_info *info,
                     detent_simulation *simulation, const invariants_row *row)
{
    detent_error error;
    double g[3] = {0}, mass = 0, most = 0;
    detent_read(simulation, DETENT_GRAVITY, g, 3, &error);
    for (int i = 0; i < m->tree.node_count; i++) {
        mass += m->tree.nodes[i].body->mass;
    }
    most = mass * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    for (size_t v = 0; v < info->freedoms; v++) {
        most = fmax(most, fabs(row->force[v]));
        most = fmax(most, mass * (fabs(row->a[v]) + row->v[v] * row->v[v]));
    }
    for (size_t k = 0; k < info->stictions; k++) {
        most = fmax(most, fabs(row->f[k]));
    }
    return most;
}

bool reactions_are_of_a_size(const detent_mechanism *m, detent_simulation *simulation,
                             const invariants_row *row, char *words, size_t capacity)
{
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_error error;
    detent_mechanism_get_info(m, &info);
    double *reaction = calloc(6 * info.primitives + 1, sizeof *reaction);
    bool well = true;
    if (reaction && detent_read(simulation, DETENT_REACTIONS, reaction, 6 * info.primitives,
                                &error) == DETENT_OK) {
        const double most = acting(m, &info, simulation, row);
        for (size_t k = 0; k < 6 * info.primitives && well && most > 0; k++) {
            well = fabs(reaction[k]) <= beyond_all * most;
            if (!well) {
                snprintf(words, capacity,
                         "reactions: t = %.17g: '%s' carries %g, where %g is the most that acts",
                         row->time, detent_name(m, DETENT_PRIMITIVE, k / 6), reaction[k], most);
            }
        }
    }
    free(reaction);
    return well;
}
