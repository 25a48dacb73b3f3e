/* The reduction that welds groups of locked joints: what the integrator asks of it, answered by welding.h. */
#include "reduce/reduce.h"
#include "reduce/welded.h"

static bool create(dt_arena *arena, dt_simulation *sim)
{
    dt_welded *inside = dt_arena_alloc(arena, 1, sizeof *inside);
    if (!inside || !dt_welding_create(arena, &sim->system, true, &inside->welding)) {
        return false;
    }
    dt_welding *w = &inside->welding;
    sim->core = &w->system;
    sim->reduction.inside = inside;
    sim->reduction.node = w->node;
    sim->reduction.stiction = w->stiction;
    sim->reduction.kept = w->kept;
    sim->reduction.apart = w->apart;
    return true;
}

static bool create_spreads(dt_arena *arena, dt_simulation *sim, dt_welded *inside)
{
    bool all = true;
    for (int k = 0; k < 3 && all; k++) {
        inside->spread[k] =
            dt_arena_alloc(arena, (size_t)inside->welding.bundle_count, sizeof *inside->spread[k]);
        all = inside->spread[k] != NULL;
    }
    inside->friction0 = dt_arena_alloc(arena, (size_t)sim->ns, sizeof *inside->friction0);
    return all && inside->friction0;
}

static bool create_watch(dt_arena *arena, dt_simulation *sim)
{
    return dt_welded_create(arena, sim) &&
           (!sim->horizon.exists || create_spreads(arena, sim, sim->reduction.inside));
}

static void form(dt_simulation *sim)
{
    dt_welding_form(dt_welding_of(sim));
}

static void forget(dt_simulation *sim)
{
    dt_welding_forget(dt_welding_of(sim));
}

static void copy_modes(dt_simulation *sim)
{
    dt_welding_copy_modes(dt_welding_of(sim));
}

static void expand(dt_simulation *sim)
{
    const dt_system *core = sim->core;
    dt_welding_expand(dt_welding_of(sim), core->q, core->v, core->a, core->f, &sim->system);
    memcpy(sim->system.z, core->z, (size_t)core->mechanism->state_count * sizeof *core->z);
}

/* Friction of joints that were welded, from what they transmit. */
static void read_friction(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    const bool *weldable = dt_welding_of(sim)->weldable;
    for (int k = 0; k < sim->ns; k++) {
        if (s->mode[k] == DETENT_LOCKED && weldable[k]) {
            const int v = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
            s->f[k] = s->tau[v] - s->Q[v];
        }
    }
}

static int left_out(const dt_simulation *sim)
{
    return dt_welding_of(sim)->joint_count;
}

static void update(dt_simulation *sim)
{
    dt_welding_update(dt_welding_of(sim));
}

static void set_near_apart(dt_simulation *sim)
{
    const dt_welded_roots *r = dt_welded_roots_of(sim);
    for (int j = 0; j < r->near_count; j++) {
        sim->reduction.apart[r->near[j]] = true;
    }
}

const dt_reduction_way dt_reduction_welding = {.is_smaller = true,
                                               .is_possible = dt_welding_is_possible,
                                               .create = create,
                                               .create_watch = create_watch,
                                               .form = form,
                                               .forget = forget,
                                               .copy_modes = copy_modes,
                                               .expand = expand,
                                               .read_friction = read_friction,
                                               .left_out = left_out,
                                               .update = update,
                                               .set_near_apart = set_near_apart,
                                               .holds = dt_welded_hold,
                                               .source = &dt_source_welded,
                                               .spread = dt_welded_spread,
                                               .passes = dt_welded_passes};
