/* Poses of a system, and whose they are in memory that two systems share. */
#include "dynamics/system.h"

/* The readings become those of this system; what another one has left in them is nothing. */
static void take_readings(dt_system *s)
{
    const size_t n = (size_t)s->tree->node_count, nv = (size_t)s->tree->nv;
    const bool is_other = s->posed->system != NULL;
    s->posed->system = s;
    if (!is_other) {
        return;
    }
    dt_arena_hand_over(s->A, n * sizeof *s->A);
    dt_arena_hand_over(s->F, n * sizeof *s->F);
    dt_arena_hand_over(s->tau, nv * sizeof *s->tau);
    dt_arena_hand_over(s->Q, nv * sizeof *s->Q);
    if (s->drag) {
        dt_arena_hand_over(s->drag, nv * sizeof *s->drag);
    }
    dt_arena_hand_over(s->load_wrench, (size_t)s->mechanism->place_count * sizeof *s->load_wrench);
}

/* Poses at q, unless they are there already. */
void dt_system_pose(dt_system *s)
{
    const size_t bytes = (size_t)s->tree->nq * sizeof *s->q;
    if (dt_system_has_readings(s) && memcmp(s->posed->q, s->q, bytes) == 0) {
        return;
    }
    dt_motion_pose(s->tree, s->q, s->motion, s->reference);
    memcpy(s->posed->q, s->q, bytes);
    if (!dt_system_has_readings(s)) {
        take_readings(s);
    }
}
