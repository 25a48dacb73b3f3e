/*
 * Dead times. Every step that has been made is kept as a piece (dynamics/history.h): x at six points of the solution inside the step, which is a
 * polynomial of degree 5 at most with all steppers. Where x is not linear in it, pieces are halved until two more points agree to the integrator's
 * tolerance. So what was is known as well as the run itself is. Steps of given length have no tolerance, and one piece each: six points in a step are more
 * than its own order.
 *
 * The method of steps: none is longer than the shortest dead time, so that all that is read has been kept. And none reads more than two pieces: what goes
 * fast T ago is not stepped over, whether anything moves now or not.
 */
#include "integrator/dead_times.h"

#include "dynamics/element.h"
#include "integrator/core.h"
#include "integrator/solution.h"
#include "integrator/source.h"

#include <math.h>

enum {
    USUAL_PIECES = 32768, /* as many steps as a dead time ordinarily has, and more */
    SPARE_PIECES = 64,
    MOST_HALVINGS = 12,
    LOOKBACK = 3 /* halvings: after which an error has to be less */
};

/* How a piece came to be. */
typedef struct halving {
    int depth;              /**< halvings of the step */
    double error[LOOKBACK]; /**< in tolerances: of the piece it is half of, of that one's, ... */
} halving;

/* What all dead times together may remember: 128 MiB. */
static const double most_doubles = 1 << 24;

/* ---- set-up ---- */

static double longest_of(const detent_mechanism *m)
{
    double most = 0;
    for (int k = 0; k < m->dead_time_count; k++) {
        most = fmax(most, m->dead_times[k].time);
    }
    return most;
}

static double shortest_of(const detent_mechanism *m)
{
    double least = INFINITY;
    for (int k = 0; k < m->dead_time_count; k++) {
        least = fmin(least, m->dead_times[k].time);
    }
    return least;
}

static size_t most_variables(const detent_mechanism *m)
{
    int most = 0;
    for (int k = 0; k < m->dead_time_count; k++) {
        const int count = m->dead_times[k].value->variable_count;
        most = count > most ? count : most;
    }
    return (size_t)most;
}

/* What one piece of all dead times takes. */
static double doubles_of(const detent_mechanism *m)
{
    return 2 + (double)(sizeof(dt_kept) / sizeof(double)) * m->dead_time_count;
}

/* Pieces that lie within the longest dead time: steps that are given, or bounded by the shortest one, and all that sampled values end. */
static double pieces_of_steps(const dt_simulation *sim)
{
    const detent_mechanism *m = sim->mechanism;
    const double span = fmin(longest_of(m), sim->settings.end - sim->settings.start),
                 bound = dt_steps_are_given(sim)      ? sim->settings.step
                         : sim->settings.max_step > 0 ? fmin(sim->settings.max_step, shortest_of(m))
                                                      : shortest_of(m);
    double pieces = 2 * ceil(span / bound);
    for (int k = 0; k < m->sampled_count; k++) {
        pieces += 2 * ceil(span / m->sampled[k].every);
    }
    return pieces;
}

/*
 * With those that nobody can count: the rest of steps that are chosen, or where those that are given end earlier, at events, instants and breaks of what is
 * read. There as many as the memory has room for.
 */
static double pieces_of(const dt_simulation *sim)
{
    const double pieces = pieces_of_steps(sim),
                 room = floor(most_doubles / doubles_of(sim->mechanism)) - pieces;
    return pieces +
           (dt_steps_are_given(sim) ? fmax(SPARE_PIECES, fmin(USUAL_PIECES, room)) : USUAL_PIECES);
}

detent_status dt_dead_times_check(const dt_simulation *sim, detent_error *error)
{
    const detent_mechanism *m = sim->mechanism;
    for (int k = 0; k < m->dead_time_count && dt_steps_are_given(sim); k++) {
        if (m->dead_times[k].time < sim->settings.step) {
            return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                           "delay(%s, %g s) is shorter than a step of the integrator, %g s",
                           m->dead_times[k].value->text, m->dead_times[k].time, sim->settings.step);
        }
    }
    const double pieces = m->dead_time_count > 0 ? pieces_of(sim) : 0;
    return pieces * doubles_of(m) <= most_doubles
               ? DETENT_OK
               : dt_fail(
                     error, DETENT_ERROR_ARGUMENT, NULL,
                     "delay(): the run has up to %.0f steps within the longest dead time, %g s, "
                     "and what would have to be remembered of them is more than %.0f numbers",
                     pieces, longest_of(m), most_doubles);
}

/* Whether x is linear in the unknowns. */
static bool is_linear(const dt_program *p, dt_pace *variables, dt_pace *operations)
{
    for (int k = 0; k < p->variable_count; k++) {
        variables[k] = dt_variable_is(p->variables[k], DT_OF_INPUTS) ? DT_PACE_CONSTANT
                       : dt_variable_is(p->variables[k], DT_OF_PAST) ? DT_PACE_ANY
                                                                     : DT_PACE_STEADY;
    }
    return dt_program_pace(p, variables, operations) != DT_PACE_ANY;
}

/* Notes which values the laws read. */
static void find_readers(dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    for (int l = 0; l < s->law_count; l++) {
        const dt_program *p = s->law[l]->program;
        for (int j = 0; j < p->variable_count; j++) {
            if (dt_variable_is(p->variables[j], DT_OF_PAST)) {
                dt_dead_time_reader *by = &sim->dead.by[p->variables[j].index];
                by->is_kept = by->is_kept || s->law[l]->role == DT_LAW_KEPT;
                by->moves = by->moves || s->law[l]->role != DT_LAW_KEPT;
            }
        }
    }
}

/* Notes what kinds of expressions there are. False when memory is out. */
static bool describe(dt_arena *arena, dt_simulation *sim)
{
    const detent_mechanism *m = sim->mechanism;
    dt_dead_times *of = &sim->dead;
    of->shortest = shortest_of(m);
    of->longest = longest_of(m);
    of->is_straight = sim->system.closure == NULL;
    for (int k = 0; k < m->dead_time_count; k++) {
        const dt_program *p = m->dead_times[k].value;
        dt_pace *variables = dt_arena_alloc(arena, (size_t)p->variable_count, sizeof *variables),
                *operations = dt_arena_alloc(arena, (size_t)p->operation_count, sizeof *operations);
        if (!variables || !operations) {
            return false;
        }
        of->by[k].of_motion = dt_program_reads(p, DT_OF_PLACE | DT_OF_STATES);
        of->by[k].of_inputs = dt_program_reads(p, DT_OF_INPUTS);
        of->order[k] = DT_BREAK_NONE;
        of->is_straight =
            of->is_straight && (p->is_constant || is_linear(p, variables, operations));
    }
    return true;
}

bool dt_dead_times_create(dt_arena *arena, dt_simulation *sim)
{
    dt_dead_times *of = &sim->dead;
    const size_t count = (size_t)sim->mechanism->dead_time_count;
    of->shortest = of->until = INFINITY;
    if (count == 0) {
        return true;
    }
    of->by = dt_arena_alloc(arena, count, sizeof *of->by);
    of->order = dt_arena_alloc(arena, count, sizeof *of->order);
    of->breaks = dt_arena_alloc(arena, count, sizeof *of->breaks);
    of->value = dt_arena_alloc(arena, count * DT_HISTORY_POINTS, sizeof *of->value);
    of->merged = dt_arena_alloc(arena, count, sizeof *of->merged);
    of->order_kept = dt_arena_alloc(arena, count, sizeof *of->order_kept);
    of->slope = dt_arena_alloc(arena, most_variables(sim->mechanism), sizeof *of->slope);
    of->passed = -INFINITY;
    if (!of->by || !of->order || !of->breaks || !of->value || !of->slope || !of->merged ||
        !of->order_kept || !describe(arena, sim) ||
        !dt_history_create(arena, sim->mechanism, (int)pieces_of(sim), &of->history)) {
        return false;
    }
    for (size_t k = 0; k < count; k++) {
        dt_break_ring *ring = &of->breaks[k];
        ring->piece = dt_arena_alloc(arena, (size_t)of->history.capacity, sizeof *ring->piece);
        if (!ring->piece) {
            return false;
        }
    }
    find_readers(sim);
    sim->system.history = sim->core->history = &of->history;
    return true;
}

/* ---- values ---- */

/* The core where the run starts, on the branches of its laws there: motions may have some, and so may what is kept. */
static void stand_at_start(dt_simulation *sim)
{
    dt_system *s = sim->core;
    dt_system_set_state(s, sim->settings.start, s->q, s->v);
    if (dt_system_update_branches(s)) {
        dt_system_set_state(s, sim->settings.start, s->q, s->v);
    }
}

void dt_dead_times_begin(dt_simulation *sim)
{
    dt_history *h = &sim->dead.history;
    for (int k = 0; k < h->count; k++) { /* those that others read come first */
        if (!h->of[k].has_before) {
            stand_at_start(sim);
            const double value = dt_dead_time_now(sim, k);
            h->before[k] = isfinite(value) ? value : 0; /* told once it is to be kept */
        }
    }
}

/* The core where the last step has it at t. */
static bool stand(dt_simulation *sim, double t)
{
    dt_system *s = sim->core;
    if (!dt_solver_interpolate(sim->solver, t, 0)) {
        return false;
    }
    if (s->closure) {
        dt_blocks_enter(sim, t, sim->y);
        return true;
    }
    s->time = t;
    memcpy(s->q, dt_q_of(sim, sim->y), (size_t)s->tree->nq * sizeof *s->q);
    memcpy(s->v, dt_v_of(sim, sim->y), (size_t)s->tree->nv * sizeof *s->v);
    memcpy(s->z, dt_block_of(sim, DT_BLOCK_STATES, sim->y),
           (size_t)s->mechanism->state_count * sizeof *s->z);
    dt_system_prescribe(s);
    return true;
}

/* ---- keeping ---- */

/*
 * Room for one more piece: the oldest one may go if nobody can read it any more, else some become one. Readers, too, look into the step
 * that has just been made at the earliest, wherever they looked last: `now` may be far behind while a caller advances to a distant time.
 */
static detent_status make_room(dt_simulation *sim, detent_error *error)
{
    const dt_dead_times *of = &sim->dead;
    dt_history *h = &sim->dead.history;
    if (h->next - h->first < h->capacity) {
        return DETENT_OK;
    }
    const double next = dt_history_span(h, h->first + 1)->start;
    if (next < of->until - of->longest) {
        /* who goes on without a look at an event does not come back to it */
        sim->past.valid = sim->past.valid && next < sim->past.time - of->longest;
        h->first++;
        return DETENT_OK;
    }
    if (!dt_steps_are_given(sim) && dt_dead_times_merge(sim)) {
        return DETENT_OK;
    }
    return dt_fail(
        error, DETENT_ERROR_NUMERIC, NULL,
        "at t = %.9g s what delay() has to remember is too much: the run needs more than "
        "%d pieces for the longest dead time, %g s; %s fewer",
        sim->reached, h->capacity, of->longest,
        dt_steps_are_given(sim) ? "longer steps need" : "a looser tolerance needs");
}

/* x at the points of [a, b] to the work space. */
static detent_status gather(dt_simulation *sim, double a, double b, detent_error *error)
{
    dt_dead_times *of = &sim->dead;
    dt_history *h = &of->history;
    for (int n = 0; n < DT_HISTORY_POINTS; n++) {
        const double t = n + 1 < DT_HISTORY_POINTS ? a + dt_history_point(n) * (b - a) : b;
        if (!stand(sim, t)) {
            return dt_fail(error, DETENT_ERROR_SOLVER, NULL,
                           "the solution is not known at t = %.17g s", t);
        }
        for (int k = 0; k < h->count; k++) {
            const double value = dt_dead_time_now(sim, k);
            of->value[k * DT_HISTORY_POINTS + n] = value;
            h->largest[k] = fmax(h->largest[k], fabs(value));
            if (!isfinite(value)) {
                return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                               "at t = %.9g s the value of delay(%s, ...) is not finite", t,
                               h->of[k].value->text);
            }
        }
    }
    return DETENT_OK;
}

/*
 * By how much the polynomials of the piece that comes next err at another point of [a, b], in tolerances of a step: that of the value, or of what it is
 * made of; and where that of values that set out from nothing is less, what the rounding of t makes of them.
 */
static double error_at(dt_simulation *sim, double a, double b, double x)
{
    const dt_history *h = &sim->dead.history;
    double most = 0;
    if (!stand(sim, a + x * (b - a))) {
        return 0;
    }
    for (int k = 0; k < h->count; k++) {
        double slope;
        const double is = dt_dead_time_now(sim, k),
                     has = dt_history_polynomial(dt_history_kept(h, h->next, k)->newton, x, &slope),
                     rounded = 4 * DBL_EPSILON * fabs(b) * fabs(slope) / (b - a),
                     own = fmax(sim->rtol * fmax(fabs(is), 1e-2 * h->largest[k]),
                                64 * DBL_EPSILON * h->largest[k] + rounded);
        most = fmax(most, fabs(is - has) / fmax(own, dt_dead_time_tolerance(sim, k)));
    }
    return most;
}

/*
 * Whether halves would err as much: what loops close to their rounding has a noise, which may be more than the tolerance. The error of a piece of
 * a smooth value falls as its sixth power, at a kink as its length; that of noise does not.
 */
static bool is_noise(const dt_simulation *sim, const halving *from, double err)
{
    static const double most = 1e-6, as_large = 0.5;
    return sim->core->closure && from->depth >= LOOKBACK && err * sim->rtol < most &&
           err > as_large * from->error[LOOKBACK - 1];
}

/* Whether [a, b] is kept better in halves; notes its error for them. */
static bool is_to_halve(dt_simulation *sim, double a, double b, const halving *from, halving *next)
{
    if (sim->dead.is_straight || dt_steps_are_given(sim) || from->depth >= MOST_HALVINGS ||
        !(b - a > dt_shortest_step(sim))) {
        return false;
    }
    const double err = fmax(error_at(sim, a, b, 0.5), error_at(sim, a, b, 0.2));
    *next = (halving){.depth = from->depth + 1, .error = {err}};
    for (int n = 1; n < LOOKBACK; n++) {
        next->error[n] = from->error[n - 1];
    }
    return err > 1 && !is_noise(sim, from, err);
}

/* Keeps what was in [a, b], in one piece or in halves. */
static detent_status keep(dt_simulation *sim, double a, double b, const halving *from,
                          detent_error *error)
{
    dt_dead_times *of = &sim->dead;
    dt_history *h = &of->history;
    halving next;
    detent_status status = make_room(sim, error);
    status = status ? status : gather(sim, a, b, error);
    if (status) {
        return status;
    }
    for (int k = 0; k < h->count; k++) {
        dt_history_fit(of->value + k * DT_HISTORY_POINTS, dt_history_kept(h, h->next, k)->newton);
    }
    if (is_to_halve(sim, a, b, from, &next)) {
        const double middle = a + (b - a) / 2;
        status = keep(sim, a, middle, &next, error);
        return status ? status : keep(sim, middle, b, &next, error);
    }
    for (int k = 0; k < h->count; k++) {
        dt_history_kept(h, h->next, k)->order = of->order[k];
        if (of->order[k] <= DT_BREAK_LAST) {
            dt_dead_times_add_break(of, k);
        }
        of->order[k] = DT_BREAK_NONE;
    }
    *dt_history_span(h, h->next) = (dt_span){a, b};
    h->next++;
    return DETENT_OK;
}

detent_status dt_dead_times_keep(dt_simulation *sim, detent_error *error)
{
    dt_dead_times *of = &sim->dead;
    const double end = fmin(sim->reached, dt_solver_end(sim->solver));
    if (of->history.count == 0 || !(end > of->until)) {
        return DETENT_OK;
    }
    const halving whole = {.depth = 0};
    const detent_status status = keep(sim, of->until, end, &whole, error);
    of->until = end;
    dt_solver_interpolate(sim->solver, end, 0);
    dt_solver_interpolate(sim->solver, end, 1);
    sim->shown.time = NAN;
    return status;
}

/* ---- the next step ---- */

double dt_dead_times_longest(const dt_simulation *sim)
{
    const dt_dead_times *of = &sim->dead;
    const dt_history *h = &of->history;
    double most = of->shortest;
    for (int k = 0; k < h->count; k++) {
        const long long piece = dt_history_piece(h, k, sim->reached);
        if (piece + 2 < h->next) {
            const double left =
                dt_history_instant(h, k, dt_history_span(h, piece + 2)->start) - sim->reached;
            most = left > dt_shortest_step(sim) ? fmin(most, left) : most;
        }
    }
    return most;
}
