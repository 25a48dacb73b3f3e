/* What is asked of all sources. */
#include "integrator/source.h"
#include "dynamics/element.h"
#include "integrator/switches.h"

/* ---- places ---- */

static int pairs(const dt_simulation *sim)
{
    return sim->roots.pair[DT_SOURCES];
}

static size_t longest_switches(const dt_system *s)
{
    int longest = 0;
    for (int k = 0; k < s->law_count; k++) {
        const int count = s->law[k]->program->switch_count;
        longest = count > longest ? count : longest;
    }
    return (size_t)longest;
}

static bool laws_vary(const dt_system *s)
{
    bool any = false;
    for (int k = 0; k < s->mechanism->stiction_count && !any; k++) {
        any = dt_stiction_law(s, k, DT_STICTION_TEST)->program != NULL;
    }
    for (int l = 0; l < s->law_count && !any; l++) {
        any = dt_law_is_limit(s->law[l]) || dt_switch_any_watched(s->law[l]);
    }
    for (int k = 0; k < DT_ELEMENT_KINDS && !any; k++) {
        any = dt_elements[k]->until_jump && dt_element_acts(s, k);
    }
    return any;
}

static size_t most_variables(const dt_system *s)
{
    int most = 0;
    for (int l = 0; l < s->law_count; l++) {
        const int count = s->law[l]->program->variable_count;
        most = count > most ? count : most;
    }
    return (size_t)most;
}

bool dt_sources_create(dt_arena *arena, dt_simulation *sim)
{
    dt_root_table *r = &sim->roots;
    const size_t ns = (size_t)sim->ns, longest = longest_switches(&sim->system),
                 in_loops = sim->system.closure ? (size_t)sim->nv : 0;
    for (int k = 0; k < DT_SOURCES; k++) {
        const dt_source_row *row = sim->source[k];
        r->pair[k + 1] = r->pair[k] + (row->pairs ? row->pairs(&sim->system) : 0);
    }
    r->laws_vary = laws_vary(&sim->system);
    r->next = INFINITY;
#define TAKE(member, count) \
    ((r->member = dt_arena_alloc(arena, (count), sizeof *r->member)) != NULL)
    return TAKE(fired, (size_t)pairs(sim)) && TAKE(widening, ns) && TAKE(noise, ns) &&
           TAKE(measured, ns) && TAKE(slack, in_loops) && TAKE(waits, in_loops) &&
           TAKE(open, in_loops) && TAKE(whole_switch, (size_t)sim->system.branch_count) &&
           TAKE(keep, longest) && TAKE(values, longest) &&
           TAKE(gradient, most_variables(&sim->system)) &&
           TAKE(sides[0], most_variables(&sim->system)) &&
           TAKE(sides[1], most_variables(&sim->system));
#undef TAKE
}

int dt_sources_most(const dt_simulation *sim)
{
    int most = 0;
    for (int k = 0; k < DT_SOURCES; k++) {
        most += sim->source[k]->most ? sim->source[k]->most(sim) : 0;
    }
    return most;
}

static void place_roots(dt_simulation *sim)
{
    int *first = sim->roots.first;
    for (int k = 0; k < DT_SOURCES; k++) {
        const dt_source_row *row = sim->source[k];
        first[k + 1] = first[k] + (row->place ? row->place(sim) : 0);
    }
}

dt_root dt_source_root(const dt_simulation *sim, int watched)
{
    int k = 0;
    while (k + 1 < DT_SOURCES && watched >= sim->roots.first[k + 1]) {
        k++;
    }
    const int place = watched - sim->roots.first[k];
    return (dt_root){.source = (dt_source)k, .item = place / 2, .which = place % 2};
}

dt_root dt_root_of_stiction(const dt_simulation *sim, int k, int which)
{
    const int core = sim->reduction.kept ? sim->reduction.kept[k] : k;
    return core >= 0 ? (dt_root){.source = DT_SOURCE_STICTION, .item = core, .which = which}
                     : (dt_root){.source = DT_SOURCE_REDUCED, .item = k, .which = which};
}

/* ---- root functions ---- */

void dt_sources_restart(dt_simulation *sim)
{
    place_roots(sim);
    for (int k = 0; k < DT_SOURCES; k++) {
        if (sim->source[k]->restart) {
            sim->source[k]->restart(sim);
        }
    }
}

static bool are_finite(const double *g, int count)
{
    bool finite = true;
    for (int k = 0; k < count && finite; k++) {
        finite = isfinite(g[k]);
    }
    return finite;
}

bool dt_sources_evaluate(dt_simulation *sim, const double *y, double *g)
{
    for (int k = 0; k < DT_SOURCES; k++) {
        const int count = dt_source_length(sim, (dt_source)k);
        double *own = g + sim->roots.first[k];
        if (count > 0 && (!sim->source[k]->evaluate(sim, y, g) || !are_finite(own, count))) {
            return false;
        }
    }
    return true;
}

void dt_sources_visit(dt_simulation *sim, bool velocities, dt_visit *visit, void *user)
{
    for (int k = 0; k < DT_SOURCES; k++) {
        if (sim->source[k]->each) {
            sim->source[k]->each(sim, velocities, visit, user);
        }
    }
}

bool dt_sources_are_doubtful(const dt_simulation *sim)
{
    const int *fired = dt_watched_fired(sim);
    bool any = false;
    for (int k = 0; k < dt_watched(sim); k++) {
        if (fired[k] && !sim->source[dt_source_root(sim, k).source]->doubtful) {
            return false;
        }
        any = any || fired[k];
    }
    return any;
}

bool dt_sources_are_noise(const dt_simulation *sim)
{
    const int *fired = dt_watched_fired(sim);
    bool any = false, all = true;
    for (int k = 0; k < dt_watched(sim) && all; k++) {
        const dt_root root = dt_source_root(sim, k);
        if (fired[k]) {
            any = true;
            all =
                sim->source[root.source]->is_noise && sim->source[root.source]->is_noise(sim, root);
        }
    }
    return any && all;
}

void dt_sources_note(dt_simulation *sim, bool new_step)
{
    for (int k = 0; k < DT_SOURCES; k++) {
        if (sim->source[k]->note) {
            sim->source[k]->note(sim, new_step);
        }
    }
}

/* ---- instants ---- */

double dt_sources_next(dt_simulation *sim)
{
    double stop = INFINITY;
    sim->roots.next = INFINITY;
    for (int k = 0; k < DT_SOURCES; k++) {
        if (sim->source[k]->next) {
            sim->roots.next = fmin(sim->roots.next, sim->source[k]->next(sim, &stop));
        }
    }
    return stop;
}

double dt_sources_before(const dt_simulation *sim, double t)
{
    return t == sim->roots.next ? nextafter(t, -INFINITY) : t;
}

bool dt_sources_reached(const dt_simulation *sim)
{
    return nextafter(sim->roots.next, -INFINITY) <= sim->reached;
}

void dt_sources_renew(dt_simulation *sim, double t, bool all)
{
    for (int k = 0; k < DT_SOURCES; k++) {
        if (sim->source[k]->renew) {
            sim->source[k]->renew(sim, t, all);
        }
    }
}

void dt_sources_forget(dt_simulation *sim, double t)
{
    for (int k = 0; k < DT_SOURCES; k++) {
        if (sim->source[k]->forget) {
            sim->source[k]->forget(sim, t);
        }
    }
}

/* ---- events ---- */

void dt_sources_arrive(dt_simulation *sim)
{
    for (int k = 0; k < DT_SOURCES; k++) {
        if (sim->source[k]->arrive) {
            sim->source[k]->arrive(sim);
        }
    }
}

void dt_sources_clear(dt_simulation *sim)
{
    memset(sim->roots.fired, 0, (size_t)pairs(sim) * sizeof *sim->roots.fired);
}

bool dt_sources_are_marked(const dt_simulation *sim)
{
    bool any = false;
    for (int k = 0; k < pairs(sim) && !any; k++) {
        any = dt_has_fired(sim->roots.fired[k]);
    }
    return any;
}

bool dt_sources_report(dt_simulation *sim)
{
    const int *watched = dt_watched_fired(sim);
    bool known = true;
    for (int k = 0; k < DT_SOURCES && known; k++) {
        if (sim->source[k]->report) {
            known = sim->source[k]->report(sim, watched + sim->roots.first[k]);
        }
    }
    return known;
}

bool dt_sources_due(dt_simulation *sim, double t)
{
    bool any = false;
    for (int k = 0; k < DT_SOURCES; k++) {
        if (sim->source[k]->due) {
            any = sim->source[k]->due(sim, t) || any;
        }
    }
    return any;
}

void dt_sources_follow(dt_simulation *sim, dt_occasion *what)
{
    for (int k = 0; k < DT_SOURCES; k++) {
        if (sim->source[k]->follow) {
            sim->source[k]->follow(sim, what);
        }
    }
}

bool dt_sources_repair(dt_simulation *sim, dt_system *searched)
{
    bool any = false;
    for (int k = 0; k < DT_SOURCES; k++) {
        if (sim->source[k]->repair) {
            any = sim->source[k]->repair(sim, searched) || any;
        }
    }
    return any;
}

void dt_sources_join(dt_simulation *sim)
{
    for (int k = 0; k < DT_SOURCES; k++) {
        if (sim->source[k]->join) {
            sim->source[k]->join(sim);
        }
    }
}

void dt_sources_jump(dt_simulation *sim)
{
    for (int k = 0; k < DT_SOURCES; k++) {
        if (sim->source[k]->jump) {
            sim->source[k]->jump(sim);
        }
    }
}

void dt_sources_pass(dt_simulation *sim)
{
    for (int k = 0; k < DT_SOURCES; k++) {
        if (sim->source[k]->pass) {
            sim->source[k]->pass(sim);
        }
    }
}
