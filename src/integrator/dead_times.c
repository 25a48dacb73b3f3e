/*
 * Dead times. Every step that has been made is kept as a piece (dynamics/history.h): x at six points of the solution inside the step, which is a
 * polynomial of degree 5 at most with all steppers. Where x is not linear in it, pieces are halved until two more points agree to the integrator's
 * tolerance. So what was is known as well as the run itself is.
 *
 * The method of steps: none is longer than the shortest dead time, so that all that is read has been kept. And none reads more than two pieces: what goes
 * fast T ago is not stepped over, whether anything moves now or not.
 *
 * Breaks. At an event a value may jump (order 0), or its derivative (order 1, which stands for whatever else events change). T later a jump is an
 * event of the laws that read it, with a search, as an instant known in advance (source_dead_time.c). Of derivatives nobody has to ask who is held: a step ends
 * there, and the integrator starts anew, without which it would take what it has of before for smooth. What moves is smoother there by one derivative: a break of
 * the next order for values that are made of it, up to the fourth: with that the steppers err no more than without. A value that is made of another dead time takes the break as it is. What goes
 * with t and inputs alone has breaks where its own switches change, or an input does.
 */
#include "integrator/dead_times.h"

#include "dynamics/element.h"
#include "integrator/core.h"
#include "integrator/solution.h"
#include "integrator/source.h"

#include <math.h>

enum {
    USUAL_PIECES = 16384, /* as many steps as a dead time ordinarily has, and more */
    SPARE_PIECES = 64,
    MOST_HALVINGS = 12
};

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

/** Pieces that lie within the longest dead time: steps that are given, and all that sampled values end. */
static double pieces_of(const dt_simulation *sim)
{
    const detent_mechanism *m = sim->mechanism;
    const double span = fmin(longest_of(m), sim->settings.end - sim->settings.start),
                 h = sim->fixed.exists ? sim->settings.step : sim->settings.max_step;
    double pieces =
        (h > 0 ? 2 * ceil(span / h) : 0) + (sim->fixed.exists ? SPARE_PIECES : USUAL_PIECES);
    for (int k = 0; k < m->sampled_count; k++) {
        pieces += 2 * ceil(span / m->sampled[k].every);
    }
    return pieces;
}

detent_status dt_dead_times_check(const dt_simulation *sim, detent_error *error)
{
    const detent_mechanism *m = sim->mechanism;
    for (int k = 0; k < m->dead_time_count && sim->fixed.exists; k++) {
        if (m->dead_times[k].time < sim->settings.step) {
            return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                           "delay(%s, %g s) is shorter than a step of the integrator, %g s",
                           m->dead_times[k].value->text, m->dead_times[k].time, sim->settings.step);
        }
    }
    const double pieces = m->dead_time_count > 0 ? pieces_of(sim) : 0,
                 doubles = (2 + (double)(sizeof(dt_kept) / sizeof(double)) * m->dead_time_count);
    return pieces * doubles <= most_doubles
               ? DETENT_OK
               : dt_fail(
                     error, DETENT_ERROR_ARGUMENT, NULL,
                     "delay(): the run has up to %.0f steps within the longest dead time, %g s, "
                     "and what would have to be remembered of them is more than %.0f numbers",
                     pieces, longest_of(m), most_doubles);
}

/** Whether x is linear in the unknowns. */
static bool is_linear(const dt_program *p, dt_pace *variables, dt_pace *operations)
{
    for (int k = 0; k < p->variable_count; k++) {
        variables[k] = dt_variable_is(p->variables[k], DT_OF_INPUTS) ? DT_PACE_CONSTANT
                       : dt_variable_is(p->variables[k], DT_OF_PAST) ? DT_PACE_ANY
                                                                     : DT_PACE_STEADY;
    }
    return dt_program_pace(p, variables, operations) != DT_PACE_ANY;
}

/** Notes which values the laws read. */
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

/** Notes what kinds of expressions there are. False when memory is out. */
static bool describe(dt_arena *arena, dt_simulation *sim)
{
    const detent_mechanism *m = sim->mechanism;
    dt_dead_times *of = &sim->dead;
    of->shortest = INFINITY;
    of->longest = longest_of(m);
    of->is_straight = sim->system.closure == NULL;
    for (int k = 0; k < m->dead_time_count; k++) {
        const dt_program *p = m->dead_times[k].value;
        dt_pace *variables = dt_arena_alloc(arena, (size_t)p->variable_count, sizeof *variables),
                *operations = dt_arena_alloc(arena, (size_t)p->operation_count, sizeof *operations);
        if (!variables || !operations) {
            return false;
        }
        of->shortest = fmin(of->shortest, m->dead_times[k].time);
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
    of->next = dt_arena_alloc(arena, count, sizeof *of->next);
    of->value = dt_arena_alloc(arena, count * DT_HISTORY_POINTS, sizeof *of->value);
    of->passed = -INFINITY;
    if (!of->by || !of->order || !of->next || !of->value || !describe(arena, sim) ||
        !dt_history_create(arena, sim->mechanism, (int)pieces_of(sim), &of->history)) {
        return false;
    }
    find_readers(sim);
    sim->system.history = sim->core->history = &of->history;
    return true;
}

/* ---- values ---- */

/** x at the state of the core; with steps of fixed length on whichever branches it has there. */
static double value_of(dt_simulation *sim, int k)
{
    dt_system *s = sim->core;
    const dt_law *law = dt_law_of(s, DT_ELEMENT_dead_time, k, 0);
    if (!sim->fixed.exists || law->program->is_constant) {
        return dt_law_value(s, law, 0);
    }
    for (int j = 0; j < law->program->variable_count; j++) {
        s->slots[j] = dt_system_variable(s, law->program->variables[j], -1);
    }
    return dt_program_value(law->program, s->slots, NULL, s->registers);
}

void dt_dead_times_begin(dt_simulation *sim)
{
    dt_history *h = &sim->dead.history;
    dt_system *s = sim->core;
    if (h->count > 0) {
        dt_system_set_state(s, sim->settings.start, s->q, s->v);
    }
    for (int k = 0; k < h->count; k++) { /* those that others read come first */
        if (!h->of[k].has_before) {
            const double value = value_of(sim, k);
            h->before[k] = isfinite(value) ? value : 0; /* told once it is to be kept */
        }
    }
}

/** The core where the last step has it at t. */
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

/** Room for one more piece: the oldest one may go if nobody can read it any more. */
static detent_status make_room(dt_simulation *sim, detent_error *error)
{
    const dt_dead_times *of = &sim->dead;
    dt_history *h = &sim->dead.history;
    if (h->next - h->first < h->capacity) {
        return DETENT_OK;
    }
    const double oldest = fmin(sim->now, of->until) - of->longest;
    if (dt_history_span(h, h->first + 1)->start < oldest) {
        h->first++;
        return DETENT_OK;
    }
    return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                   "at t = %.9g s what delay() has to remember is too much: the run has more than "
                   "%d steps within the longest dead time, %g s",
                   sim->reached, h->capacity, of->longest);
}

/** x at the points of [a, b] to the work space. */
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
            const double value = value_of(sim, k);
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

/** Whether the polynomials of the piece that comes next are right at another point of [a, b], to the tolerance of a step. */
static bool is_right(dt_simulation *sim, double a, double b, double x)
{
    const dt_history *h = &sim->dead.history;
    bool right = true;
    if (!stand(sim, a + x * (b - a))) {
        return true;
    }
    for (int k = 0; k < h->count && right; k++) {
        double slope;
        const double is = value_of(sim, k),
                     has = dt_history_polynomial(dt_history_kept(h, h->next, k)->newton, x, &slope);
        right = !(fabs(is - has) > fmax(sim->rtol * fmax(fabs(is), 1e-2 * h->largest[k]),
                                        64 * DBL_EPSILON * h->largest[k]));
    }
    return right;
}

/** Keeps what was in [a, b], in one piece or in halves. */
static detent_status keep(dt_simulation *sim, double a, double b, int halvings, detent_error *error)
{
    dt_dead_times *of = &sim->dead;
    dt_history *h = &of->history;
    detent_status status = make_room(sim, error);
    status = status ? status : gather(sim, a, b, error);
    if (status) {
        return status;
    }
    for (int k = 0; k < h->count; k++) {
        dt_history_fit(of->value + k * DT_HISTORY_POINTS, dt_history_kept(h, h->next, k)->newton);
    }
    if (!of->is_straight && halvings < MOST_HALVINGS && b - a > dt_shortest_step(sim) &&
        !(is_right(sim, a, b, 0.5) && is_right(sim, a, b, 0.2))) {
        const double middle = a + (b - a) / 2;
        status = keep(sim, a, middle, halvings + 1, error);
        return status ? status : keep(sim, middle, b, halvings + 1, error);
    }
    for (int k = 0; k < h->count; k++) {
        dt_history_kept(h, h->next, k)->order = of->order[k];
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
    const detent_status status = keep(sim, of->until, end, 0, error);
    of->until = end;
    dt_solver_interpolate(sim->solver, end, 0);
    dt_solver_interpolate(sim->solver, end, 1);
    sim->shown.time = NAN;
    return status;
}

/* ---- breaks ---- */

/** The next break that value k is read at, as its piece, and the instant; INFINITY: none is known. */
static double next_break(const dt_dead_times *of, int k, long long from, long long *piece)
{
    const dt_history *h = &of->history;
    for (*piece = from > h->first ? from : h->first; *piece < h->next; ++*piece) {
        if (dt_history_kept(h, *piece, k)->order <= DT_BREAK_LAST) {
            const double t = dt_history_instant(h, k, dt_history_span(h, *piece)->start);
            if (t > of->passed) {
                return t;
            }
        }
    }
    return INFINITY;
}

double dt_dead_times_break(const dt_simulation *sim, bool jumps)
{
    const dt_dead_times *of = &sim->dead;
    const dt_history *h = &of->history;
    double first = INFINITY;
    for (int k = 0; k < h->count; k++) {
        const dt_dead_time_reader *by = &of->by[k];
        long long piece = of->next[k] - 1;
        double t = INFINITY;
        do {
            t = by->moves || (by->is_kept && !jumps) ? next_break(of, k, piece + 1, &piece)
                                                     : INFINITY;
        } while (isfinite(t) &&
                 (by->moves && dt_history_kept(h, piece, k)->order == DT_BREAK_JUMP) != jumps);
        first = fmin(first, t);
    }
    return first;
}

bool dt_dead_times_want_restart(const dt_simulation *sim)
{
    return sim->dead.history.count > 0 && !sim->pending &&
           dt_dead_times_break(sim, false) <= sim->reached;
}

/** What was kept from t on is void. */
static void cut(dt_dead_times *of, double t)
{
    dt_history *h = &of->history;
    while (h->next > h->first && dt_history_span(h, h->next - 1)->start >= t) {
        h->next--;
    }
    for (int k = 0; k < h->count; k++) {
        of->next[k] = of->next[k] < h->next ? of->next[k] : h->next;
    }
}

/** Value k before t, where a new piece is to begin. */
static double value_before(const dt_history *h, int k, double t)
{
    if (h->next == h->first) {
        return h->before[k];
    }
    const dt_span *span = dt_history_span(h, h->next - 1);
    double slope;
    return dt_history_polynomial(dt_history_kept(h, h->next - 1, k)->newton,
                                 fmin((t - span->start) / (span->end - span->start), 1), &slope);
}

/** Whether a switch of value k has fired at the event. */
static bool has_switched(const dt_simulation *sim, int k)
{
    const dt_law *law = dt_law_of(&sim->system, DT_ELEMENT_dead_time, k, 0);
    bool any = false;
    for (int j = 0; j < law->program->switch_count && !any; j++) {
        any = dt_has_fired(dt_fired_switch(sim, law, j));
    }
    return any;
}

/** At an event: whether value k jumps by more than a step may err, or may have another derivative. */
static signed char measure(dt_simulation *sim, int k, double t)
{
    dt_history *h = &sim->dead.history;
    const dt_dead_time_reader *by = &sim->dead.by[k];
    const double now = value_of(sim, k), jump = fabs(now - value_before(h, k, t));
    return jump > sim->rtol * fmax(h->largest[k], fabs(now)) ? DT_BREAK_JUMP
           : by->of_motion || by->of_inputs || h->next == h->first || has_switched(sim, k)
               ? DT_BREAK_JUMP + 1
               : DT_BREAK_NONE;
}

/** What breaks that are read now make of value k, `of_motion`: of what moves. */
static signed char follow(const dt_simulation *sim, int k, signed char of_motion)
{
    const dt_program *p = sim->dead.history.of[k].value;
    signed char order = sim->dead.by[k].of_motion ? of_motion : DT_BREAK_NONE;
    for (int j = 0; j < p->variable_count; j++) {
        if (dt_variable_is(p->variables[j], DT_OF_PAST)) {
            const signed char due = sim->dead.by[p->variables[j].index].due;
            order = due < order ? due : order;
        }
    }
    return order;
}

/** At which break the piece of value k begins that comes next. */
static signed char order_of(dt_simulation *sim, int k, double t, signed char of_motion)
{
    const signed char next = follow(sim, k, of_motion);
    if (!sim->dead.event) {
        return next;
    }
    const signed char own = measure(sim, k, t);
    return own == DT_BREAK_JUMP || own < next ? own : next > 0 ? next : DT_BREAK_JUMP + 1;
}

/** Passes the breaks that value k is read at up to t, and all that are the same instant; the lowest order of them. */
static signed char pass(dt_simulation *sim, int k, double t, double last)
{
    dt_dead_times *of = &sim->dead;
    dt_history *h = &of->history;
    signed char order = DT_BREAK_NONE;
    long long piece;
    for (double at = next_break(of, k, of->next[k], &piece); at <= last;
         at = next_break(of, k, piece + 1, &piece)) {
        const signed char own = dt_history_kept(h, piece, k)->order;
        order = own < order ? own : order;
        if (at > t) {
            h->early[k] = (dt_early){t, piece};
        }
    }
    of->next[k] = piece;
    return order;
}

void dt_dead_times_restart(dt_simulation *sim, double t)
{
    dt_dead_times *of = &sim->dead;
    const int count = of->history.count;
    if (count == 0) {
        return;
    }
    const double last = t + dt_moment(sim);
    signed char of_motion = DT_BREAK_NONE;
    cut(of, t);
    for (int k = 0; k < count; k++) {
        const signed char due = pass(sim, k, t, last);
        of->by[k].due = due;
        of_motion = of->by[k].moves && due + 1 < of_motion ? (signed char)(due + 1) : of_motion;
    }
    of->passed = fmax(of->passed, last);
    for (int k = 0; k < count; k++) {
        const signed char order = order_of(sim, k, t, of_motion);
        of->order[k] = order < of->order[k] ? order : of->order[k];
    }
    of->event = false;
    of->until = t;
}

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
