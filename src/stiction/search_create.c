/* What a mode search needs, and which laws make it more than boxes. */
#include "dynamics/closure.h"
#include "stiction/search.h"

/*
 * Whether a search changes what the law reads. `dir` counts for laws that are not asked for a given
 * direction.
 */
static bool reads_loads(const dt_law *law, bool dir_counts)
{
    if (!law->program) {
        return false;
    }
    for (int k = 0; k < law->program->variable_count; k++) {
        const dt_variable variable = law->program->variables[k];
        const bool direction = dt_variable_is(variable, DT_OF_DIRECTION);
        if (direction ? dir_counts : dt_variable_is(variable, DT_OF_FORCES | DT_OF_EVENTS)) {
            return true;
        }
    }
    return false;
}

static bool drive_reads_loads(const dt_system *s)
{
    bool any = false;
    for (int l = 0; l < s->law_count && !any; l++) {
        any = dt_law_is_drive(s->law[l]) && reads_loads(s->law[l], true);
    }
    return any;
}

/* A law of a test friction may read anything: it decides nothing inside a round. */
static bool limits_read_loads(const dt_system *s)
{
    bool any = false;
    for (int l = 0; l < s->law_count && !any; l++) {
        const dt_law *law = s->law[l];
        any = dt_law_is(law, DT_LAW_IS_BOUND) && reads_loads(law, false);
    }
    return any;
}

/* What laws that read loads take. */
static bool create_coupled(dt_arena *arena, const dt_system *s, dt_search *search)
{
    const size_t count = (size_t)s->mechanism->stiction_count, nv = (size_t)s->tree->nv;
    search->pin = dt_arena_alloc(arena, count, sizeof *search->pin);
    search->shares = dt_arena_alloc(arena, count, sizeof *search->shares);
    search->a_before = dt_arena_alloc(arena, nv, sizeof *search->a_before);
    search->f_before = dt_arena_alloc(arena, count, sizeof *search->f_before);
    search->a_start = dt_arena_alloc(arena, nv, sizeof *search->a_start);
    search->f_start = dt_arena_alloc(arena, count, sizeof *search->f_start);
    search->joined = dt_arena_alloc(arena, (size_t)s->tree->part_count, sizeof *search->joined);
    search->aside = dt_arena_alloc(arena, count, sizeof *search->aside);
    search->side_found = dt_arena_alloc(arena, count, sizeof *search->side_found);
    if (s->closure) {
        const size_t rows = (size_t)s->closure->rows;
        search->m_start = dt_arena_alloc(arena, rows, sizeof *search->m_start);
        if (!search->m_start) {
            return false;
        }
    }
    if (s->closure && s->closure->stress) {
        const size_t rows = (size_t)s->closure->rows;
        search->m_before = dt_arena_alloc(arena, rows, sizeof *search->m_before);
        search->m_after = dt_arena_alloc(arena, rows, sizeof *search->m_after);
        if (!search->m_before || !search->m_after) {
            return false;
        }
    }
    search->side_before = dt_arena_alloc(arena, count, sizeof *search->side_before);
    search->mismatch = dt_arena_alloc(arena, (size_t)s->tree->node_count, sizeof *search->mismatch);
    return dt_load_newton_create(arena, s, &search->load_newton) && search->pin && search->shares &&
           search->a_before && search->f_before && search->a_start && search->f_start &&
           search->joined && search->side_found && search->aside && search->side_before &&
           search->mismatch;
}

dt_search *dt_search_create(dt_arena *arena, const dt_system *system, bool shared)
{
    const size_t count = (size_t)system->mechanism->stiction_count;
    dt_search *search = dt_arena_alloc(arena, 1, sizeof *search);
    if (!search || !dt_friction_box_create(arena, system, &search->box) ||
        !dt_active_set_create(arena, &search->box, &search->active_set) ||
        !dt_interior_point_create(arena, &search->box, &search->interior_point) ||
        !dt_dense_box_create(arena, system, &search->dense)) {
        return NULL;
    }
    search->candidate = dt_arena_alloc(arena, count, sizeof *search->candidate);
    search->released = dt_arena_alloc(arena, count, sizeof *search->released);
    search->yielded = dt_arena_alloc(arena, count, sizeof *search->yielded);
    search->hair = dt_arena_alloc(arena, count, sizeof *search->hair);
    search->start = dt_arena_alloc(arena, count, sizeof *search->start);
    if (!search->candidate || !search->released || !search->yielded || !search->hair ||
        !search->start) {
        return NULL;
    }
    search->drive_couples = drive_reads_loads(system) || system->closure;
    search->limits_couple = limits_read_loads(system);
    search->loads_matter = search->drive_couples || search->limits_couple;
    if ((search->loads_matter || shared) && !create_coupled(arena, system, search)) {
        return NULL;
    }
    for (size_t k = 0; k < count; k++) {
        search->has_tests =
            search->has_tests || dt_stiction_law(system, (int)k, DT_STICTION_TEST)->program;
    }
    return search;
}

bool dt_search_can_couple(const dt_search *search)
{
    return search->pin != NULL;
}
