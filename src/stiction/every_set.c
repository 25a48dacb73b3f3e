#include "stiction/every_set.h"

#include "base/joined.h"
#include "dynamics/closure.h"
#include "stiction/coupled.h"

#include <math.h>

/* Sets of sides that are worth trying. */
static const int most_sets = 2187;
/*
 * Frictions that Newton's method starts from, in those of the state with every candidate locked: friction that follows
 * the reaction it causes may have two solutions, one on either side.
 */
static const double starts[] = {1, 0, 8};

/* ---- parts that forces tie ---- */

static void join(int *joined, int one, int other)
{
    joined[dt_first_of(joined, other)] = dt_first_of(joined, one);
}

static void join_all(dt_search *search)
{
    for (int p = 1; p < search->system->tree->part_count; p++) {
        join(search->joined, 0, p);
    }
}

/* What a variable reads hangs on the sides of its part, and so does what the law does. */
static void join_variable(dt_search *search, int node, dt_variable variable)
{
    const dt_system *s = search->system;
    /* unknowns of the caller's own follow the rate at which what their laws read goes */
    const int traits = DT_OF_FORCES | (search->request->accelerations ? DT_OF_JOINT : 0);
    if (!dt_variable_is(variable, traits)) {
        return;
    }
    if (node < 0 || !dt_variable_is(variable, DT_OF_JOINT)) {
        join_all(search);
        return;
    }
    const int read = dt_system_place(s, variable.index);
    join(search->joined, s->tree->nodes[node].part, s->tree->nodes[read].part);
}

static void join_laws(dt_search *search)
{
    const dt_system *s = search->system;
    for (int l = 0; l < s->law_count; l++) {
        const dt_program *program = s->law[l]->program;
        for (int v = 0; program && v < program->variable_count; v++) {
            join_variable(search, dt_law_node(s, s->law[l]), program->variables[v]);
        }
    }
}

/* Ratios of gears, and whatever else lies along several joints. */
static void join_items(dt_search *search)
{
    const detent_mechanism *m = search->system->mechanism;
    const dt_node *nodes = search->system->tree->nodes;
    for (int k = 0; m->added && k < m->source->count; k++) {
        const dt_item_list *list = &m->added[k];
        for (int j = 0; j < list->joints * list->count; j++) {
            const int first = list->joint[j - j % list->joints];
            if (first >= 0 && list->joint[j] >= 0) {
                join(search->joined, nodes[first].part, nodes[list->joint[j]].part);
            }
        }
    }
}

/* Who moves moves all joints that linear conditions tie to it. */
static void join_ties(dt_search *search)
{
    const dt_closure *c = search->system->closure;
    const detent_mechanism *m = search->system->mechanism;
    const dt_node *nodes = search->system->tree->nodes;
    for (int r = 0; c && r < c->rows; r = dt_tie_next(c->tie, r)) {
        const int first = dt_tie_term_of(m, &c->tie[r], 0).joint;
        for (int k = 1, i; first >= 0 && (i = dt_tie_term_of(m, &c->tie[r], k).joint) >= 0; k++) {
            join(search->joined, nodes[first].part, nodes[i].part);
        }
    }
}

static void join_parts(dt_search *search)
{
    for (int p = 0; p < search->system->tree->part_count; p++) {
        search->joined[p] = p;
    }
    join_laws(search);
    join_items(search);
    join_ties(search);
}

/* The set of parts that joint k belongs to. */
static int set_of(const dt_search *search, int k)
{
    return dt_first_of(search->joined, search->system->tree->nodes[search->box.node[k]].part);
}

/* ---- every set of sides ---- */

/* Starts Newton's method from the state with every candidate locked; as dt_friction_box_solve(). */
static int start_locked(dt_search *search)
{
    dt_friction_box *box = &search->box;
    for (int k = 0; k < box->count; k++) {
        if (search->candidate[k]) {
            box->side[k] = 0;
        }
    }
    memset(search->system->a, 0, (size_t)search->system->tree->nv * sizeof(double));
    return dt_friction_box_solve(box);
}

/*
 * The same with another friction of all joints, and the accelerations that follow from it: what a law reads of a joint's
 * reaction hangs on those, not on the friction itself.
 */
static void start_from(dt_search *search, double frictions)
{
    dt_system *s = search->system;
    start_locked(search);
    if (frictions == 1) {
        return;
    }
    dt_couple_impose(search);
    for (int k = 0; k < search->box.count; k++) {
        if (search->candidate[k] && search->box.kind[k] == DT_FRICTION_BOXED) {
            dt_couple_free(search, k, frictions > 0 && isfinite(s->f[k]) ? frictions * s->f[k] : 0);
        }
    }
    if (!dt_couple_solve(search)) {
        memset(s->a, 0, (size_t)s->tree->nv * sizeof *s->a);
    }
}

static int count_sets(const dt_search *search)
{
    int sets = 1;
    for (int k = 0; k < search->box.count && sets <= most_sets; k++) {
        sets *= search->box.kind[k] == DT_FRICTION_BOXED ? 3 : 1;
    }
    return sets;
}

/* The sides of set number `set`, counted in base three from all at rest. */
static void set_sides(dt_search *search, int set)
{
    static const signed char side[] = {0, 1, -1};
    for (int k = 0; k < search->box.count; k++) {
        if (search->box.kind[k] == DT_FRICTION_BOXED) {
            search->box.side[k] = side[set % 3];
            set /= 3;
        }
    }
}

/* What a start has come to, for every set of sides. */
static void keep_start(dt_search *search)
{
    const dt_system *s = search->system;
    memcpy(search->a_start, s->a, (size_t)s->tree->nv * sizeof *s->a);
    memcpy(search->f_start, s->f, (size_t)search->box.count * sizeof *s->f);
    if (s->closure) {
        memcpy(search->m_start, s->multiplier, (size_t)s->closure->rows * sizeof *s->multiplier);
    }
}

static void return_to_start(dt_search *search)
{
    dt_system *s = search->system;
    if (s->closure) {
        memcpy(s->multiplier, search->m_start, (size_t)s->closure->rows * sizeof *s->multiplier);
    }
    dt_system_set_acceleration(s, search->a_start, search->f_start);
}

static bool agrees(dt_search *search)
{
    const dt_effort once = {.tries = 1};
    int singular;
    return dt_active_set_run(&search->active_set, &search->box, once, &singular) == DT_SETTLED;
}

/* Every set of sides of those in a box, from every start. */
static bool settle(dt_search *search)
{
    const int sets = count_sets(search);
    for (size_t start = 0; start < sizeof starts / sizeof *starts && sets <= most_sets; start++) {
        start_from(search, starts[start]);
        keep_start(search);
        for (int set = 0; set < sets; set++) {
            return_to_start(search);
            set_sides(search, set);
            if (agrees(search)) {
                return true;
            }
        }
    }
    return false;
}

/* ---- part by part ---- */

/*
 * Of the joints in a box those of one set of parts stay there; the others rest, by whatever force, and have no friction where they move, so
 * that accelerations of theirs are easily found. A set of -1: nobody stays. Whether there is any friction in the set.
 */
static bool open_one(dt_search *search, int set)
{
    bool any = false;
    dt_couple_open(search);
    for (int k = 0; k < search->box.count; k++) {
        search->aside[k] = set_of(search, k) != set;
        if (search->box.kind[k] == DT_FRICTION_BOXED && search->aside[k]) {
            search->box.kind[k] = DT_FRICTION_RIGID;
        }
        any = any || !search->aside[k];
    }
    return any;
}

static void open_all(dt_search *search)
{
    dt_couple_open(search);
    memset(search->aside, 0, (size_t)search->box.count * sizeof *search->aside);
}

static void keep_sides(dt_search *search)
{
    for (int k = 0; k < search->box.count; k++) {
        if (search->box.kind[k] == DT_FRICTION_BOXED) {
            search->side_found[k] = search->box.side[k];
        }
    }
}

static void return_to_sides(dt_search *search)
{
    for (int k = 0; k < search->box.count; k++) {
        if (search->box.kind[k] == DT_FRICTION_BOXED) {
            search->box.side[k] = search->side_found[k];
        }
    }
}

/* Whether there is more than one set of parts with friction. */
static bool is_apart(const dt_search *search)
{
    bool apart = false;
    for (int k = 1; k < search->box.count && !apart; k++) {
        apart = set_of(search, k) != set_of(search, 0);
    }
    return apart;
}

/* Whether accelerations are found where nobody is tried: then that one set of parts has none is no fault of another's. */
static bool rest_is_solved(dt_search *search)
{
    open_one(search, -1);
    return start_locked(search) == -1;
}

/* Each set of parts by itself: whether one of them has no sides that agree. */
static bool any_has_none(dt_search *search)
{
    bool none = false;
    for (int set = 0; set < search->system->tree->part_count && !none; set++) {
        if (dt_first_of(search->joined, set) == set && open_one(search, set)) {
            none = !settle(search);
            keep_sides(search);
        }
    }
    open_all(search);
    return none;
}

bool dt_every_set_settle(dt_search *search)
{
    join_parts(search);
    const bool apart = is_apart(search) && rest_is_solved(search);
    if (apart && any_has_none(search)) {
        return false;
    }
    open_all(search);
    if (apart) {
        return_to_sides(search);
    }
    return (apart && agrees(search)) || settle(search);
}
