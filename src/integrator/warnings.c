/* See warnings.h. */

#include "integrator/warnings.h"

#include "dynamics/closure.h"
#include "integrator/simulation.h"

/* Of a position that the assembly has moved far: as the warnings of a mechanism are. */
static const char *tell_far(dt_arena *arena, const dt_system *s, int node)
{
    const dt_location *where = &s->mechanism->given[node].where;
    char text[512];
    dt_closure_tell_far(s, node, text, sizeof text);
    return where->line > 0 ? dt_arena_printf(arena, "%s:%d:%d: %s", where->file ? where->file : "",
                                             where->line, where->column, text)
                           : dt_arena_printf(arena, "%s", text);
}

/* Of a loop that stands next to where branches of its motion meet. */
static const char *tell_near(dt_arena *arena, const dt_system *s, int i, double nearness)
{
    return dt_arena_printf(arena,
                           "what '%.100s' is tied with stands next to a position where branches of "
                           "its motion meet, as near as some %.1g of its length: "
                           "at rest there, forces that friction shares lose digits; put it exactly "
                           "there, or farther away",
                           s->mechanism->primitives[i].name, nearness);
}

detent_status dt_list_warnings(dt_arena *arena, dt_simulation *sim, detent_error *error)
{
    double nearness;
    const int far = dt_closure_find_far(&sim->system, NULL),
              near = dt_closure_find_near_meeting(&sim->system, &nearness),
              count = far + (near >= 0);
    if (count == 0) {
        return DETENT_OK;
    }
    int *nodes = dt_arena_alloc(arena, (size_t)count, sizeof *nodes);
    sim->warnings = dt_arena_alloc(arena, (size_t)count, sizeof *sim->warnings);
    bool ok = nodes && sim->warnings;
    if (ok) {
        dt_closure_find_far(&sim->system, nodes);
    }
    for (int k = 0; k < count && ok; k++) {
        sim->warnings[k] = k < far ? tell_far(arena, &sim->system, nodes[k])
                                   : tell_near(arena, &sim->system, near, nearness);
        ok = sim->warnings[k] != NULL;
    }
    sim->warning_count = ok ? (size_t)count : 0;
    return ok ? DETENT_OK
              : dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for a simulation");
}

const char *dt_simulation_warning(const dt_simulation *sim, size_t index)
{
    return index < sim->warning_count ? sim->warnings[index] : NULL;
}
