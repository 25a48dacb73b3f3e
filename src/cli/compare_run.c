/*
 * Runs of detent compare. A law is run twice: once for the clock, without anybody who looks at it, and once with a row for each instant of the
 * grid and two for each event, of which the measures are taken:
 *
 *   first      when a joint is farther than `moved` from where it was at the start, between two rows on a straight line
 *   rest       position and velocity are those of the end, and that velocity is 0, to the last bit, for at least the last tenth of the run
 *   creep      way over time of the last tenth
 *   reversals  changes of the sign of the velocity from row to row; those below a billionth of the largest so far are passed
 *              over: rounding
 */
#include "compare_files.h"

#include "interrupt.h"
#include "load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TENTH = 10, MOST_REPEATS = 5 };

static detent_request ask(void *user)
{
    (void)user;
    return interrupt_signal() ? DETENT_STOP : DETENT_GO_ON;
}

/* ---- the run ---- */

/* One run while it is made. */
typedef struct walk {
    compare_work *work;
    law_run *run;
    detent_mechanism *mechanism;
    detent_simulation *simulation;
    law_files files;
    double *q, *v, *outputs; /* all of the mechanism */
    int *sign;               /* joints: of the last velocity that was not nearly 0 */
    double *fastest;         /* joints: the largest speed so far */
    double turned;           /* the largest part of the energy balance so far */
    ptrdiff_t command;       /* the output, or -1 */
    size_t output_count, coordinates, freedoms, row;
} walk;

static detent_status fail_memory(detent_error *error)
{
    *error = (detent_error){.status = DETENT_ERROR_MEMORY, .message = "out of memory"};
    return DETENT_ERROR_MEMORY;
}

static detent_status load_law(walk *w)
{
    const compare_work *work = w->work;
    cli_options options = work->options;
    for (size_t j = 0; j < work->joint_count; j++) {
        work->choices[j].law = w->run->law;
    }
    options.choices = work->choice_list;
    options.choice_count = work->joint_count;
    return load_mechanism(&options, &w->mechanism, &w->run->error);
}

static detent_status start(walk *w)
{
    const detent_simulation_options options = {.size = sizeof options,
                                               .settings = &w->run->settings,
                                               .trace = w->files.record ? law_files_trace : NULL,
                                               .trace_user = w->files.record,
                                               .interrupt = ask};
    return detent_simulation_create(w->mechanism, &options, &w->simulation, &w->run->error);
}

/* The least of several, of a short run. */
static detent_status measure_time(walk *w)
{
    double whole = 0;
    detent_status status = DETENT_OK;
    w->run->cpu = INFINITY;
    for (int k = 0; k < MOST_REPEATS && whole < 0.2 && !status; k++) {
        status = start(w);
        const clock_t before = clock();
        status = status
                     ? status
                     : detent_advance(w->simulation, w->run->settings.end, false, &w->run->error);
        const double spent = (double)(clock() - before) / CLOCKS_PER_SEC;
        if (!status) {
            w->run->statistics.size = sizeof w->run->statistics;
            detent_get_statistics(w->simulation, &w->run->statistics);
        }
        detent_simulation_destroy(w->simulation);
        w->simulation = NULL;
        w->run->cpu = fmin(w->run->cpu, spent);
        whole += spent;
    }
    return status;
}

static detent_status read_row(walk *w, int side)
{
    detent_error *error = &w->run->error;
    detent_status (*read)(detent_simulation *, detent_quantity, double *, size_t, detent_error *) =
        side < 0 ? detent_read_before : detent_read;
    detent_status status = read(w->simulation, DETENT_POSITIONS, w->q, w->coordinates, error);
    status = status ? status : read(w->simulation, DETENT_VELOCITIES, w->v, w->freedoms, error);
    if (!status && w->command >= 0) {
        status = read(w->simulation, DETENT_OUTPUTS, w->outputs, w->output_count, error);
    }
    return status ? status : law_files_row(&w->files, w->simulation, side);
}

/* What is told of joints row by row. */
static void note_joints(walk *w, int side)
{
    const law_run *run = w->run;
    const double t = detent_time(w->simulation),
                 tenth = (run->settings.end - run->settings.start) / TENTH;
    for (size_t j = 0; j < w->work->joint_count; j++) {
        joint_measures *of = &run->of[j];
        detent_primitive_info p = DETENT_INIT(detent_primitive_info);
        detent_get_primitive(w->mechanism, w->work->joints[j], &p);
        const double q = w->q[p.first_coordinate], v = w->v[p.first_freedom];
        w->fastest[j] = fmax(w->fastest[j], fabs(v));
        const double least = 1e-9 * w->fastest[j];
        const int sign = (v > least) - (v < -least);
        of->reversals += sign != 0 && sign == -w->sign[j];
        w->sign[j] = sign != 0 ? sign : w->sign[j];
        of->swing = run->settings.end - t <= tenth ? fmax(of->swing, fabs(v)) : of->swing;
        if (v != 0 || q != of->end || isnan(of->rest_since)) {
            of->rest_since = v == 0 ? t : NAN;
            of->end = q;
        }
        if (side == 0) {
            run->position[j * run->rows + w->row] = q;
        }
    }
}

static void note_row(walk *w, int side)
{
    note_joints(w, side);
    if (side == 0) {
        w->run->time[w->row] = detent_time(w->simulation);
        if (w->command >= 0) {
            w->run->command[w->row] = w->outputs[w->command];
        }
        w->row++;
    }
    detent_statistics s = DETENT_INIT(detent_statistics);
    detent_get_statistics(w->simulation, &s);
    const double parts[] = {s.kinetic_energy, s.potential_energy - s.initial_energy,
                            s.friction_work,  s.damping_work,
                            s.actuation_work, s.impact_loss};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        w->turned = fmax(w->turned, fabs(parts[k]));
    }
}

static detent_status take_row(walk *w, int side)
{
    const detent_status status = read_row(w, side);
    if (!status) {
        note_row(w, side);
    }
    return status;
}

static detent_status walk_to(walk *w, double t)
{
    for (;;) {
        detent_status status = detent_advance(w->simulation, t, true, &w->run->error);
        if (status != DETENT_EVENT) {
            return status ? status : take_row(w, 0);
        }
        law_files_event(&w->files, w->simulation);
        status = take_row(w, -1);
        status = status ? status : take_row(w, 1);
        if (status) {
            return status;
        }
    }
}

static detent_status walk_all(walk *w)
{
    const detent_settings *s = &w->run->settings;
    detent_status status = start(w);
    if (!status) {
        law_files_event(&w->files, w->simulation);
        status = take_row(w, 0);
    }
    for (size_t k = 1; k < w->run->rows && !status; k++) {
        status = walk_to(w, k + 1 < w->run->rows ? s->start + (double)k * s->interval : s->end);
    }
    return status;
}

/* ---- room and results ---- */

static detent_status take_memory(walk *w)
{
    law_run *run = w->run;
    const size_t joints = w->work->joint_count;
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(w->mechanism, &info);
    const char *name = w->work->options.signal;
    const detent_settings *s = &run->settings;
    run->rows = (size_t)fmax(ceil((s->end - s->start) / s->interval * (1 - 1e-12)), 1) + 1;
    w->command = name ? detent_find(w->mechanism, DETENT_OUTPUT, name) : -1;
    w->output_count = info.outputs;
    w->coordinates = info.coordinates;
    w->freedoms = info.freedoms;
    w->q = malloc((info.coordinates + 1) * sizeof *w->q);
    w->v = malloc((info.freedoms + 1) * sizeof *w->v);
    w->outputs = malloc((info.outputs + 1) * sizeof *w->outputs);
    w->sign = calloc(joints, sizeof *w->sign);
    w->fastest = calloc(joints, sizeof *w->fastest);
    run->time = malloc(run->rows * sizeof *run->time);
    run->position = malloc(joints * run->rows * sizeof *run->position);
    run->command = w->command >= 0 ? malloc(run->rows * sizeof *run->command) : NULL;
    run->of = calloc(joints, sizeof *run->of);
    return w->q && w->v && w->outputs && w->sign && w->fastest && run->time && run->position &&
                   run->of && (w->command < 0 || run->command)
               ? DETENT_OK
               : fail_memory(&run->error);
}

/* Energy that no work accounts for, over what was turned over. */
static double balance(const walk *w)
{
    const detent_statistics *s = &w->run->statistics;
    const double gap = s->kinetic_energy + s->potential_energy - s->initial_energy -
                       s->friction_work - s->damping_work - s->actuation_work + s->impact_loss;
    return w->turned > 0 ? fabs(gap) / w->turned : 0;
}

void compare_run(compare_work *work, law_run *run)
{
    walk w = {.work = work, .run = run, .command = -1};
    detent_status status = load_law(&w);
    status = status ? status : measure_time(&w);
    status = status ? status : take_memory(&w);
    if (!status) {
        status = law_files_open(&w.files, work, run, w.mechanism);
        status = status ? status : walk_all(&w);
        status = law_files_close(&w.files, status, w.simulation);
    }
    run->status = status;
    run->balance = balance(&w);
    free(w.q);
    free(w.v);
    free(w.outputs);
    free(w.sign);
    free(w.fastest);
    detent_simulation_destroy(w.simulation);
    detent_mechanism_destroy(w.mechanism);
}

/* ---- what is told from it ---- */

/* When a joint has moved, and how much the command had changed by then; NAN: it has not. */
static void find_first(const law_run *run, const double *q, double moved, joint_measures *m)
{
    size_t k = 0;
    while (k < run->rows && !(fabs(q[k] - q[0]) > moved)) {
        k++;
    }
    m->first = m->command = NAN;
    if (k > 0 && k < run->rows) {
        const double before = fabs(q[k - 1] - q[0]), after = fabs(q[k] - q[0]),
                     part = (moved - before) / (after - before);
        m->first = run->time[k - 1] + part * (run->time[k] - run->time[k - 1]);
        if (run->command) {
            m->command = run->command[k - 1] + part * (run->command[k] - run->command[k - 1]) -
                         run->command[0];
        }
    }
}

static void find_end(const law_run *run, const double *q, joint_measures *m)
{
    const size_t last = run->rows - 1;
    const double tenth = (run->time[last] - run->time[0]) / TENTH;
    size_t late = last;
    while (late > 0 && run->time[last] - run->time[late] < tenth * (1 - 1e-9)) {
        late--;
    }
    m->creep = (q[last] - q[late]) / (run->time[last] - run->time[late]);
    m->rest_since = m->rest_since <= run->time[late] ? m->rest_since : NAN;
}

/* How far a joint was from where it started, at most. */
static double find_way(const law_run *run, const double *q)
{
    double way = 0;
    for (size_t k = 0; k < run->rows; k++) {
        way = fmax(way, fabs(q[k] - q[0]));
    }
    return way;
}

/* How far a joint is when it has moved. */
static double find_moved(const compare_work *work, const law_run *reference, size_t j)
{
    const double way =
        reference->status ? 0 : find_way(reference, reference->position + j * reference->rows);
    return !isnan(work->options.moved) ? work->options.moved
           : way > 0                   ? 1e-3 * way
                                       : 1e-2 * work->choices[j].stretch;
}

void compare_measure(const compare_work *work, law_run *run, const law_run *reference)
{
    for (size_t j = 0; j < work->joint_count && !run->status; j++) {
        const double *q = run->position + j * run->rows, moved = find_moved(work, reference, j);
        joint_measures *m = &run->of[j], theirs;
        m->delay = m->apart = NAN;
        find_end(run, q, m);
        find_first(run, q, moved, m);
        if (reference->status) {
            continue;
        }
        const double *other = reference->position + j * reference->rows;
        find_first(reference, other, moved, &theirs);
        m->delay = m->first - theirs.first;
        m->apart = 0;
        for (size_t k = 0; k < run->rows; k++) {
            m->apart = fmax(m->apart, fabs(q[k] - other[k]));
        }
    }
}
