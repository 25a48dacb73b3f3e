/*
 * Breaks. At an event a value may jump (order 0), or its derivative (order 1, which stands for whatever else events change). T later a jump is an
 * event of the laws that read it, with a search, as an instant known in advance (source_dead_time.c). Of derivatives nobody has to ask who is held: a step ends
 * there, and the integrator starts anew, without which it would take what it has of before for smooth. What moves is smoother there by one derivative: a break of
 * the next order for values that are made of it, up to the fourth: with that the steppers err no more than without. A value that is made of another dead time takes the break as it is. What goes
 * with t and inputs alone has breaks where its own switches change, or an input does.
 */
#include "integrator/dead_times.h"

#include "dynamics/element.h"
#include "dynamics/failed_call.h"
#include "integrator/core.h"
#include "integrator/source.h"
#include "integrator/weights.h"

#include <math.h>

double dt_dead_time_now(dt_simulation *sim, int k)
{
    dt_system *s = sim->core;
    const dt_law *law = dt_law_of(s, DT_ELEMENT_dead_time, k, 0);
    if (!dt_steps_are_given(sim) || law->program->is_constant) {
        return dt_law_value(s, law, 0);
    }
    for (int j = 0; j < law->program->variable_count; j++) {
        s->slots[j] = dt_system_variable(s, law->program->variables[j], -1);
    }
    const double value = dt_program_value(law->program, s->slots, NULL, s->registers);
    if (law->program->has_calls && isnan(value)) {
        dt_note_failed_call(s, law, value);
    }
    return value;
}

double dt_dead_time_tolerance(dt_simulation *sim, int k)
{
    dt_system *s = sim->core;
    const dt_law *law = dt_law_of(s, DT_ELEMENT_dead_time, k, 0);
    double sum = 0;
    dt_law_gradient(s, law, 0, sim->dead.slope);
    for (int j = 0; j < law->program->variable_count; j++) {
        if (sim->dead.slope[j] != 0) {
            sum += fabs(sim->dead.slope[j]) * dt_tolerance(sim, law->program->variables[j], 0);
        }
    }
    return sum;
}

/* ---- breaks still to be read ---- */

/* Break n of value k: the piece that begins there. */
static long long *break_at(const dt_dead_times *of, int k, long long n)
{
    return &of->breaks[k].piece[n % of->history.capacity];
}

void dt_dead_times_add_break(dt_dead_times *of, int k)
{
    const dt_history *h = &of->history;
    dt_break_ring *ring = &of->breaks[k];
    while (ring->first < ring->next && *break_at(of, k, ring->first) < h->first) {
        ring->first++; /* nobody has asked for it */
    }
    *break_at(of, k, ring->next) = h->next;
    ring->next++;
}

/* When break n of value k is read. */
static double instant_of(const dt_dead_times *of, int k, long long n)
{
    const dt_history *h = &of->history;
    return dt_history_instant(h, k, dt_history_span(h, *break_at(of, k, n))->start);
}

void dt_dead_times_find_breaks(dt_simulation *sim)
{
    dt_dead_times *of = &sim->dead;
    dt_history *h = &of->history;
    const long long end = h->next;
    for (int k = 0; k < h->count; k++) {
        of->breaks[k].first = of->breaks[k].next = 0;
        for (h->next = h->first; h->next < end; h->next++) {
            if (dt_history_kept(h, h->next, k)->order <= DT_BREAK_LAST &&
                dt_history_instant(h, k, dt_history_span(h, h->next)->start) > of->passed) {
                dt_dead_times_add_break(of, k);
            }
        }
        of->order[k] = DT_BREAK_NONE;
    }
}

/* ---- reading breaks ---- */

double dt_dead_times_break(const dt_simulation *sim, bool jumps)
{
    const dt_dead_times *of = &sim->dead;
    const dt_history *h = &of->history;
    double first = INFINITY;
    for (int k = 0; k < h->count; k++) {
        const dt_dead_time_reader *by = &of->by[k];
        const bool read = by->moves || (by->is_kept && !jumps);
        for (long long n = of->breaks[k].first; read && n < of->breaks[k].next; n++) {
            const bool jump = dt_history_kept(h, *break_at(of, k, n), k)->order == DT_BREAK_JUMP;
            if ((by->moves && jump) == jumps) {
                first = fmin(first, instant_of(of, k, n));
                break;
            }
        }
    }
    return first;
}

bool dt_dead_times_want_restart(const dt_simulation *sim)
{
    return sim->dead.history.count > 0 && !sim->pending &&
           dt_dead_times_break(sim, false) <= sim->reached;
}

/* What was kept from t on is void. */
static void cut(dt_dead_times *of, double t)
{
    dt_history *h = &of->history;
    while (h->next > h->first && dt_history_span(h, h->next - 1)->start >= t) {
        h->next--;
    }
    for (int k = 0; k < h->count; k++) {
        dt_break_ring *ring = &of->breaks[k];
        while (ring->next > ring->first && *break_at(of, k, ring->next - 1) >= h->next) {
            ring->next--;
        }
    }
}

/* Value k before t, where a new piece is to begin. */
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

/* Whether a switch of value k has fired at the event. */
static bool has_switched(const dt_simulation *sim, int k)
{
    const dt_law *law = dt_law_of(&sim->system, DT_ELEMENT_dead_time, k, 0);
    bool any = false;
    for (int j = 0; j < law->program->switch_count && !any; j++) {
        any = dt_has_fired(dt_fired_switch(sim, law, j));
    }
    return any;
}

/* At an event: whether value k jumps by more than a step may err, or may have another derivative. */
static signed char measure(dt_simulation *sim, int k, double t)
{
    dt_history *h = &sim->dead.history;
    const dt_dead_time_reader *by = &sim->dead.by[k];
    const double now = dt_dead_time_now(sim, k), jump = fabs(now - value_before(h, k, t));
    return jump > sim->rtol * fmax(h->largest[k], fabs(now)) ? DT_BREAK_JUMP
           : by->of_motion || by->of_inputs || h->next == h->first || has_switched(sim, k)
               ? DT_BREAK_JUMP + 1
               : DT_BREAK_NONE;
}

/* What breaks that are read now make of value k, `of_motion`: of what moves. */
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

/* At which break the piece of value k begins that comes next. */
static signed char order_of(dt_simulation *sim, int k, double t, signed char of_motion)
{
    const signed char next = follow(sim, k, of_motion);
    if (!sim->dead.event) {
        return next;
    }
    const signed char own = measure(sim, k, t);
    return own == DT_BREAK_JUMP || own < next ? own : next > 0 ? next : DT_BREAK_JUMP + 1;
}

/* Passes the breaks that value k is read at up to t, and all that are the same instant; the lowest order of them. */
static signed char pass(dt_simulation *sim, int k, double t, double last)
{
    dt_dead_times *of = &sim->dead;
    dt_history *h = &of->history;
    dt_break_ring *ring = &of->breaks[k];
    signed char order = DT_BREAK_NONE;
    for (; ring->first < ring->next && instant_of(of, k, ring->first) <= last; ring->first++) {
        const long long piece = *break_at(of, k, ring->first);
        const signed char own = dt_history_kept(h, piece, k)->order;
        order = own < order ? own : order;
        if (instant_of(of, k, ring->first) > t) {
            h->early[k] = (dt_early){t, piece};
        }
    }
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
