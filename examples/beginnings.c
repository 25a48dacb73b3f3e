/* A run that is taken up again and again: begun anew, with another state, as a copy, from bytes. Takes a mechanism file with one joint at least;
 * exits with 1 where something is not as it should be. Usage: beginnings FILE */

#include "detent/detent.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

static void check(detent_status status, const detent_error *error)
{
    if (status < 0) {
        fprintf(stderr, "%s: %s\n", detent_status_text(status), error ? error->message : "");
        exit(1);
    }
}

static void expect(bool truth, const char *what)
{
    printf("  %s: %s\n", what, truth ? "yes" : "no");
    if (!truth) {
        exit(1);
    }
}

/* Positions and velocities, all that goes on from here depends on. */
typedef struct state {
    double time, q[MOST], v[MOST];
    size_t coordinates, freedoms;
} state;

static state look(const detent_mechanism *m, detent_simulation *s)
{
    detent_error error;
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    check(detent_mechanism_get_info(m, &info), NULL);
    state now = {
        .time = detent_time(s), .coordinates = info.coordinates, .freedoms = info.freedoms};
    if (info.coordinates > MOST) {
        fprintf(stderr, "this example has room for %d coordinates\n", MOST);
        exit(1);
    }
    check(detent_read(s, DETENT_POSITIONS, now.q, now.coordinates, &error), &error);
    check(detent_read(s, DETENT_VELOCITIES, now.v, now.freedoms, &error), &error);
    return now;
}

static bool same(const state *a, const state *b)
{
    return a->time == b->time && memcmp(a->q, b->q, sizeof a->q) == 0 &&
           memcmp(a->v, b->v, sizeof a->v) == 0;
}

static void advance(detent_simulation *s, double t)
{
    detent_error error;
    check(detent_advance(s, t, false, &error), &error);
}

static void anew(const detent_mechanism *m, detent_simulation *s, double t)
{
    detent_error error;
    const state first = look(m, s);
    advance(s, t);
    const state then = look(m, s);
    check(detent_reset(s, &error), &error);
    const state again = look(m, s);
    expect(same(&first, &again), "a reset is the beginning");
    printf("  the first search put %zu joints with stiction into their modes\n",
           detent_mode_change_count(s));
    advance(s, t);
    const state once_more = look(m, s);
    expect(same(&then, &once_more), "the run is the same once more");
}

static void copied(const detent_mechanism *m, detent_simulation *s, double t)
{
    detent_error error;
    detent_simulation *copy;
    check(detent_clone(s, &copy, &error), &error);
    expect(detent_user(copy) == detent_user(s), "the copy has the same user pointer");
    const size_t size = detent_state_size(s);
    void *bytes = malloc(size);
    if (!bytes) {
        exit(1);
    }
    check(detent_save_state(s, bytes, size, &error), &error);
    advance(copy, t);
    check(detent_restore_state(s, bytes, size, &error), &error);
    advance(s, t);
    const state one = look(m, s), other = look(m, copy);
    expect(same(&one, &other), "the copy goes on as the original from its bytes");
    free(bytes);
    detent_simulation_destroy(copy);
}

static void with_a_state(const detent_mechanism *m, detent_simulation *s, double end)
{
    detent_error error;
    state now = look(m, s);
    check(detent_set_state(s, now.time, now.q, now.v, NULL, NULL, &error), &error);
    memset(now.v, 0, sizeof now.v);
    check(detent_set_state(s, now.time, NULL, now.v, NULL, NULL, &error), &error);
    const state stopped = look(m, s);
    bool rests = true;
    for (size_t k = 0; k < stopped.freedoms; k++) {
        rests = rests && stopped.v[k] == 0;
    }
    expect(rests, "it stands where it was");
    size_t changes = 0;
    while (detent_advance(s, end, true, &error) == DETENT_EVENT) {
        detent_state_change change = DETENT_INIT(detent_state_change);
        for (size_t k = 0; detent_get_state_change(s, k, &change) == DETENT_OK; k++) {
            printf("%8.4f s: state %s\n", change.time, detent_name(m, DETENT_STATE, change.state));
        }
        changes += detent_mode_change_count(s) + detent_state_change_count(s);
    }
    printf("  %zu changes of modes and states until %g s\n", changes, detent_time(s));
}

/* A moment that was read is put back later, and is what it was: no search looks at it. */
static void recalled(const detent_mechanism *m, detent_simulation *s, double end)
{
    detent_error error;
    double q[MOST], v[MOST], z[MOST], u[MOST], held[MOST], mode[MOST], way[MOST], a[MOST],
        now[MOST];
    const struct {
        detent_quantity quantity;
        double *place;
    } parts[] = {{DETENT_POSITIONS, q},    {DETENT_VELOCITIES, v},   {DETENT_STATES, z},
                 {DETENT_INPUTS, u},       {DETENT_HELD, held},      {DETENT_MODES, mode},
                 {DETENT_DIRECTIONS, way}, {DETENT_ACCELERATIONS, a}};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        const size_t length = detent_quantity_length(m, parts[k].quantity);
        expect(length <= MOST, "there is room");
        check(detent_read(s, parts[k].quantity, parts[k].place, length, &error), &error);
    }
    const detent_moment moment = {.size = sizeof moment,
                                  .time = detent_time(s),
                                  .positions = q,
                                  .velocities = v,
                                  .states = z,
                                  .inputs = u,
                                  .held = held,
                                  .modes = mode,
                                  .directions = way};
    advance(s, end);
    check(detent_recall(s, &moment, &error), &error);
    const size_t freedoms = detent_quantity_length(m, DETENT_ACCELERATIONS);
    check(detent_read(s, DETENT_ACCELERATIONS, now, freedoms, &error), &error);
    for (size_t k = 0; k < freedoms; k++) {
        expect(fabs(now[k] - a[k]) <= 1e-9 * (1 + fabs(a[k])),
               "the accelerations are as they were");
    }
    printf("  back at %g s\n", detent_time(s));
    for (size_t k = 0; k < detent_count(m, DETENT_OUTPUT); k++) {
        printf("  %s %s\n", detent_name(m, DETENT_OUTPUT, k),
               detent_output_follows_forces(s, k) ? "follows forces" : "follows motion");
    }
}

int main(int count, char **words)
{
    detent_error error;
    detent_mechanism *m;
    detent_simulation *s;
    int mine = 7;
    if (count != 2) {
        fprintf(stderr, "usage: beginnings FILE\n");
        return 2;
    }
    const detent_load_options options = {.size = sizeof options};
    if (detent_mechanism_load(words[1], &options, &m, &error)) {
        fprintf(stderr, "%s:%d:%d: %s\n", error.file, error.line, error.column, error.message);
        return 1;
    }
    detent_settings settings = DETENT_INIT(detent_settings);
    check(detent_mechanism_get_settings(m, &settings), NULL);
    const double span = settings.end - settings.start;
    check(detent_simulation_create(m, NULL, &s, &error), &error);
    detent_set_user(s, &mine);
    anew(m, s, settings.start + 0.2 * span);
    copied(m, s, settings.start + 0.3 * span);
    with_a_state(m, s, settings.start + 0.6 * span);
    recalled(m, s, settings.start + 0.7 * span);
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
    return 0;
}
