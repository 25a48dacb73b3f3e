/* The assembled initial state, and where a file keeps it. */

#include "analysis/analysis.h"
#include "analysis/stops.h"
#include "api/check.h"
#include "api/sized.h"
#include "detent/analysis.h"
#include "format/initial.h"

static detent_assembly describe(const dt_system *s)
{
    detent_assembly assembly = {.loop = -1, .moved = -1, .beyond = -1};
    const int beyond = s->scale ? dt_find_beyond_stop(s, &assembly.side) : -1;
    if (beyond >= 0) {
        assembly.beyond = s->mechanism->stictions[beyond].primitive;
    }
    if (s->closure) {
        const dt_gap gap = dt_closure_worst(s);
        assembly.iterations = (size_t)s->closure->rounds;
        assembly.loop = gap.row < 0 ? -1 : s->closure->tie[gap.row].item;
        assembly.gap = gap.apart;
        assembly.turn = gap.turn;
        assembly.moved = dt_closure_moved(s, &assembly.change);
    }
    return assembly;
}

static detent_status assemble(dt_arena *arena, const detent_mechanism *m, double *positions,
                              double *velocities, detent_assembly *assembly, detent_error *error)
{
    dt_analysis *n = dt_arena_alloc(arena, 1, sizeof *n);
    if (!n) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for an assembly");
    }
    detent_status status = dt_analysis_create(arena, m, n, error);
    dt_system *s = &n->system;
    if (!status && s->closure && !dt_closure_agrees(s)) {
        status =
            dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                    "at the initial positions branches of the motion meet, and these velocities "
                    "are those of none: let it start beside them");
    }
    const bool has_state =
        !status || status == DETENT_ERROR_NUMERIC || (status == DETENT_ERROR_MODEL && s->closure);
    if (has_state) {
        *assembly = describe(s);
    }
    if (positions && !status) {
        memcpy(positions, s->q, (size_t)s->tree->nq * sizeof *positions);
    }
    if (velocities && !status) {
        memcpy(velocities, s->v, (size_t)s->tree->nv * sizeof *velocities);
    }
    return status;
}

detent_status detent_assemble(const detent_mechanism *mechanism, const detent_allocator *allocator,
                              double *positions, double *velocities, detent_assembly *assembly,
                              detent_error *error)
{
    dt_arena arena;
    detent_assembly all = {.loop = -1, .moved = -1, .beyond = -1};
    detent_status status =
        assembly ? DT_GIVE(assembly, &all, "the place for the assembly", error) : DETENT_OK;
    status = status ? status : dt_require_finished(mechanism, error);
    status = status ? status : dt_require_allocator(allocator, error);
    if (status) {
        return status;
    }
    dt_arena_init(&arena, allocator);
    status = assemble(&arena, mechanism, positions, velocities, &all, error);
    dt_arena_free(&arena);
    if (assembly) {
        DT_GIVE(assembly, &all, "the place for the assembly", NULL);
    }
    return status;
}

detent_status detent_find_initial_section(const char *text, size_t length, const char *name,
                                          const detent_allocator *allocator, size_t *begin,
                                          size_t *end, detent_error *error)
{
    detent_status status = dt_require(text, "the text", error);
    status = status ? status : dt_require(begin, "the place for the beginning", error);
    status = status ? status : dt_require(end, "the place for the end", error);
    status = status ? status : dt_require_allocator(allocator, error);
    if (status) {
        return status;
    }
    const size_t mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    status = dt_locate_initial(text + mark, length - mark, name ? name : "mechanism", allocator,
                               begin, end, error);
    if (!status) {
        *begin += mark;
        *end += mark;
    }
    return status;
}
