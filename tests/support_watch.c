/*
 * Every run of every test is watched. The linker puts the functions below between the tests and the library (--wrap): a
 * test that advances a simulation also has it looked at on the way, at each event and at many times between, by the
 * checker of support_invariants.h; a breach fails the test. The test sees what it would see without: the same times,
 * statuses and last events.
 *
 * A run is looked at in pieces of a hundredth or so of its length, the first some thousand times that it asks to advance;
 * runs of more calls and events than that (a controller's, for hours) now and then. Every change of mode is followed.
 */
#include "support_invariants.h"

#include "api/handle.h"
#include "model/mechanism.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PIECES = 200, LARGE = 64, PIECES_OF_LARGE = 20, LOOKS = 10000, THEN_EVERY = 1024 };

typedef struct watch {
    struct watch *next;
    const detent_simulation *simulation;
    invariants *check;
    double piece;   /**< s, between two looks */
    bool afresh;    /**< nothing is known of the past: at the start, and after a restored state */
    size_t chances; /**< to look, so far */
    detent_mode_change *last;
    size_t last_count;
    bool advanced;
} watch;

/* Simulations belong to one thread at a time; their list is everybody's. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static watch *watches;

detent_status __real_detent_simulation_create(const detent_mechanism *,
                                              const detent_simulation_options *,
                                              detent_simulation **, detent_error *);
detent_status __wrap_detent_simulation_create(const detent_mechanism *,
                                              const detent_simulation_options *,
                                              detent_simulation **, detent_error *);
void __real_detent_simulation_destroy(detent_simulation *);
void __wrap_detent_simulation_destroy(detent_simulation *);
detent_status __real_detent_advance(detent_simulation *, double, bool, detent_error *);
detent_status __wrap_detent_advance(detent_simulation *, double, bool, detent_error *);
size_t __real_detent_mode_change_count(const detent_simulation *);
size_t __wrap_detent_mode_change_count(const detent_simulation *);
detent_status __real_detent_get_mode_change(const detent_simulation *, size_t,
                                            detent_mode_change *);
detent_status __wrap_detent_get_mode_change(const detent_simulation *, size_t,
                                            detent_mode_change *);
detent_status __real_detent_reset(detent_simulation *, detent_error *);
detent_status __wrap_detent_reset(detent_simulation *, detent_error *);
detent_status __real_detent_set_state(detent_simulation *, double, const double *, const double *,
                                      const bool *, const double *, detent_error *);
detent_status __wrap_detent_set_state(detent_simulation *, double, const double *, const double *,
                                      const bool *, const double *, detent_error *);
detent_status __real_detent_restore_state(detent_simulation *, const void *, size_t,
                                          detent_error *);
detent_status __wrap_detent_restore_state(detent_simulation *, const void *, size_t,
                                          detent_error *);

detent_status __real_detent_recall(detent_simulation *, const detent_moment *, detent_error *);
detent_status __wrap_detent_recall(detent_simulation *, const detent_moment *, detent_error *);

static watch *find(const detent_simulation *simulation)
{
    pthread_mutex_lock(&mutex);
    watch *w = watches;
    while (w && w->simulation != simulation) {
        w = w->next;
    }
    pthread_mutex_unlock(&mutex);
    return simulation ? w : NULL;
}

static void add(const detent_mechanism *mechanism, const detent_simulation_options *options,
                const detent_simulation *simulation)
{
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(mechanism, &info);
    detent_settings own = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(mechanism, &own);
    detent_settings settings = own;
    if (options && options->settings) { /* as long as the test has made them */
        const size_t size = options->settings->size;
        memcpy(&settings, options->settings, size < sizeof settings ? size : sizeof settings);
    }
    const double span = settings.end - settings.start;
    settings.rtol = settings.rtol > 0 ? settings.rtol : own.rtol;
    settings.atol = settings.atol > 0 ? settings.atol : own.atol;
    watch *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->simulation = simulation;
    w->check = invariants_create(mechanism, &settings);
    w->last = calloc(info.stictions + 1, sizeof *w->last);
    assert_true(w->check && w->last);
    invariants_measure(w->check, simulation);
    double mass = 0;
    for (int i = 0; i < mechanism->tree.node_count; i++) {
        mass += mechanism->tree.nodes[i].body->mass;
    }
    invariants_mass(w->check, mass);
    for (size_t k = 0; k < info.stictions; k++) {
        if (mechanism->stictions[k].friction->test) {
            invariants_own_test(w->check, k);
        }
    }
    w->piece = (span > 0 ? span : 10) / (info.freedoms > LARGE ? PIECES_OF_LARGE : PIECES);
    w->afresh = true;
    pthread_mutex_lock(&mutex);
    w->next = watches;
    watches = w;
    pthread_mutex_unlock(&mutex);
}

detent_status __wrap_detent_simulation_create(const detent_mechanism *mechanism,
                                              const detent_simulation_options *options,
                                              detent_simulation **place, detent_error *error)
{
    const detent_status status = __real_detent_simulation_create(mechanism, options, place, error);
    if (status == DETENT_OK) {
        add(mechanism, options, *place);
    }
    return status;
}

static void report_closest(const watch *w)
{
    if (getenv("DETENT_TEST_VERBOSE")) {
        for (int kind = 0; kind < INVARIANTS_KINDS; kind++) {
            const double share = invariants_closest(w->check, (invariants_kind)kind);
            if (share > 0) {
                print_message("closest to a breach: %s %.3g\n",
                              invariants_kind_name((invariants_kind)kind), share);
            }
        }
    }
}

void __wrap_detent_simulation_destroy(detent_simulation *simulation)
{
    watch *w = NULL;
    pthread_mutex_lock(&mutex);
    for (watch **place = &watches; *place && !w; place = &(*place)->next) {
        if ((*place)->simulation == simulation) {
            w = *place;
            *place = w->next;
            break;
        }
    }
    pthread_mutex_unlock(&mutex);
    if (w) {
        report_closest(w);
        invariants_destroy(w->check);
        free(w->last);
        free(w);
    }
    __real_detent_simulation_destroy(simulation);
}

static void judge(const watch *w, bool well)
{
    if (!well) {
        fail_msg("invariant '%s' breached: %s",
                 invariants_kind_name(invariants_breach_kind(w->check)),
                 invariants_breach(w->check));
    }
}

static bool is_time_to_look(watch *w)
{
    return w->chances++ < LOOKS || w->chances % THEN_EVERY == 0;
}

/* What cannot be read is the business of the test: it may be about just that. */
static void look(watch *w, detent_simulation *simulation)
{
    invariants_row *row = invariants_rows(w->check, 0);
    if (invariants_read(w->check, simulation, false, row, NULL) == DETENT_OK) {
        judge(w, w->afresh ? invariants_start(w->check, row) : invariants_sample(w->check, row));
        w->afresh = false;
    }
}

static void look_at_event(watch *w, detent_simulation *simulation)
{
    invariants_row *before = invariants_rows(w->check, 0), *after = invariants_rows(w->check, 1);
    const size_t count = __real_detent_mode_change_count(simulation);
    for (size_t k = 0; k < count; k++) {
        w->last[k].size = sizeof w->last[k];
        __real_detent_get_mode_change(simulation, k, &w->last[k]);
    }
    w->last_count = count;
    if (!is_time_to_look(w)) {
        judge(w, invariants_follow(w->check, detent_time(simulation), w->last, count));
    } else if (invariants_read(w->check, simulation, true, before, NULL) == DETENT_OK &&
               invariants_read(w->check, simulation, false, after, NULL) == DETENT_OK) {
        judge(w, invariants_event(w->check, before, after, w->last, count));
    }
}

detent_status __wrap_detent_advance(detent_simulation *simulation, double t, bool stop_at_events,
                                    detent_error *error)
{
    watch *w = find(simulation);
    if (!w || !isfinite(t) || t < detent_time(simulation)) {
        return __real_detent_advance(simulation, t, stop_at_events, error);
    }
    if (w->afresh) {
        look(w, simulation);
    }
    w->last_count = 0;
    w->advanced = true;
    const double piece = fmax(w->piece, (t - detent_time(simulation)) / PIECES);
    for (;;) {
        const double next = fmin(t, detent_time(simulation) + piece);
        const detent_status status = __real_detent_advance(simulation, next, true, error);
        if (status == DETENT_EVENT) {
            look_at_event(w, simulation);
            if (stop_at_events) {
                return status;
            }
        } else if (status != DETENT_OK) {
            w->last_count = 0;
            return status;
        } else {
            if (is_time_to_look(w)) {
                look(w, simulation);
            }
            if (next == t) {
                return status;
            }
        }
    }
}

size_t __wrap_detent_mode_change_count(const detent_simulation *simulation)
{
    const watch *w = find(simulation);
    return w && w->advanced ? w->last_count : __real_detent_mode_change_count(simulation);
}

detent_status __wrap_detent_get_mode_change(const detent_simulation *simulation, size_t index,
                                            detent_mode_change *change)
{
    const watch *w = find(simulation);
    if (!w || !w->advanced) {
        return __real_detent_get_mode_change(simulation, index, change);
    }
    if (index >= w->last_count) {
        return DETENT_ERROR_ARGUMENT;
    }
    *change = w->last[index];
    return DETENT_OK;
}

/* Begun anew: nothing that was seen before goes on. */
static detent_status begun(detent_simulation *simulation, detent_status status)
{
    watch *w = find(simulation);
    if (w && status == DETENT_OK) {
        w->afresh = true;
        w->advanced = false;
    }
    return status;
}

detent_status __wrap_detent_reset(detent_simulation *simulation, detent_error *error)
{
    return begun(simulation, __real_detent_reset(simulation, error));
}

detent_status __wrap_detent_set_state(detent_simulation *simulation, double t,
                                      const double *positions, const double *velocities,
                                      const bool *given, const double *states, detent_error *error)
{
    return begun(simulation, __real_detent_set_state(simulation, t, positions, velocities, given,
                                                     states, error));
}

detent_status __wrap_detent_recall(detent_simulation *simulation, const detent_moment *moment,
                                   detent_error *error)
{
    watch *w = find(simulation);
    const detent_status status = __real_detent_recall(simulation, moment, error);
    if (w && status == DETENT_OK) {
        w->afresh = true;
    }
    return status;
}

detent_status __wrap_detent_restore_state(detent_simulation *simulation, const void *bytes,
                                          size_t size, detent_error *error)
{
    watch *w = find(simulation);
    const detent_status status = __real_detent_restore_state(simulation, bytes, size, error);
    if (w && status == DETENT_OK) {
        w->afresh = true;
    }
    return status;
}
