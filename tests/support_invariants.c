/* The life of a checker, and the rows of a run in turn. */
#include "support_invariants_parts.h"

#include "model/mechanism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Where nobody gives a tolerance, and of works and energies always: of rtol at the nominal size. */
static const double usual_atol = 1e-2;

static bool look_up_primitives(invariants *check)
{
    const size_t count = check->info.primitives;
    for (size_t i = 0; i < count; i++) {
        detent_primitive_info p = DETENT_INIT(detent_primitive_info);
        if (detent_get_primitive(check->mechanism, i, &p) != DETENT_OK) {
            return false;
        }
        for (size_t k = 0; k < p.coordinates; k++) {
            check->free_value[p.first_coordinate + k] = p.prescribed || p.coordinates > 1;
            check->freedom[p.first_coordinate + k] = p.first_freedom;
        }
        check->driven = check->driven || p.prescribed;
        if (p.stiction >= 0) {
            check->primitive[p.stiction] = p;
        }
    }
    return true;
}

invariants *invariants_create(const detent_mechanism *mechanism, const detent_settings *settings)
{
    invariants *check = calloc(1, sizeof *check);
    if (!check) {
        return NULL;
    }
    check->mechanism = mechanism;
    check->info.size = sizeof check->info;
    detent_mechanism_get_info(mechanism, &check->info);
    check->settings = *settings;
    for (int i = 0; i < mechanism->primitive_count; i++) {
        check->drives = check->drives || mechanism->primitives[i].is_read;
    }
    const size_t ns = check->info.stictions + 1;
    check->primitive = calloc(ns, sizeof *check->primitive);
    check->lock = calloc(ns, sizeof *check->lock);
    check->nominal_force = calloc(ns, sizeof *check->nominal_force);
    check->mode = calloc(ns, sizeof *check->mode);
    check->direction = calloc(ns, sizeof *check->direction);
    check->free_value = calloc(check->info.coordinates + 1, sizeof *check->free_value);
    check->freedom = calloc(check->info.coordinates + 1, sizeof *check->freedom);
    check->no_way = calloc(check->info.coordinates + 1, sizeof *check->no_way);
    check->measure = calloc(check->info.freedoms + 1, sizeof *check->measure);
    if (!check->primitive || !check->lock || !check->nominal_force || !check->mode ||
        !check->direction || !check->free_value || !check->freedom || !check->no_way ||
        !check->measure || !invariants_make_row(&check->info, &check->row[0]) ||
        !invariants_make_row(&check->info, &check->row[1]) || !look_up_primitives(check)) {
        invariants_destroy(check);
        return NULL;
    }
    return check;
}

void invariants_destroy(invariants *check)
{
    if (check) {
        invariants_drop_row(&check->row[0]);
        invariants_drop_row(&check->row[1]);
        free(check->primitive);
        free(check->lock);
        free(check->nominal_force);
        free(check->freedom);
        free(check->no_way);
        free(check->measure);
        free(check->mode);
        free(check->direction);
        free(check->free_value);
        free(check);
    }
}

void invariants_own_test(invariants *check, size_t stiction)
{
    check->lock[stiction].own_test = true;
}

void invariants_mass(invariants *check, double mass)
{
    check->mass = mass;
}

invariants_row *invariants_rows(invariants *check, int which)
{
    return &check->row[which];
}

static void take_scale(invariants *check, const detent_primitive_info *p, const detent_scale *scale)
{
    const double atol = check->settings.atol, usual = usual_atol * check->settings.rtol;
    const measure m = {.nothing = atol > 0 ? atol : usual * scale->velocity,
                       .no_place = atol > 0 ? atol : usual * scale->position,
                       .velocity = scale->velocity,
                       .position = scale->position,
                       .inertia =
                           scale->force * scale->position / (scale->velocity * scale->velocity)};
    for (size_t k = 0; k < p->coordinates; k++) {
        check->no_way[p->first_coordinate + k] = m.no_place;
    }
    for (size_t k = 0; k < p->freedoms; k++) {
        check->measure[p->first_freedom + k] = m;
    }
    if (p->stiction >= 0) {
        check->nominal_force[p->stiction] = scale->force;
    }
    check->no_energy = usual * scale->energy;
}

void invariants_measure(invariants *check, const detent_simulation *simulation)
{
    for (size_t i = 0; i < check->info.primitives; i++) {
        detent_primitive_info p = DETENT_INIT(detent_primitive_info);
        detent_scale scale = DETENT_INIT(detent_scale);
        if (detent_get_primitive(check->mechanism, i, &p) == DETENT_OK &&
            detent_get_scale(simulation, i, &scale, NULL) == DETENT_OK) {
            take_scale(check, &p, &scale);
        }
    }
}

/* ---- Rows in turn ---- */

bool invariants_start(invariants *check, const invariants_row *row)
{
    const size_t ns = check->info.stictions;
    memcpy(check->mode, row->mode, ns * sizeof *check->mode);
    memcpy(check->direction, row->direction, ns * sizeof *check->direction);
    for (size_t k = 0; k < ns; k++) {
        check->lock[k].holds = false;
        check->lock[k].fast = 0;
    }
    check->time = row->time;
    check->least_work = row->statistics.friction_work;
    check->lost = row->statistics.impact_loss;
    check->impacts = row->statistics.impacts;
    return !check->breach[0] && invariants_judge_row(check, row, "start");
}

/* Where steps are given, the next one begins with an event of its own at that instant, which releases who is pulled. */
static bool judge_pushes_after(invariants *check, const invariants_row *after)
{
    if (invariants_judge_pushes(check, after, "just after an event")) {
        return true;
    }
    if (check->settings.integrator == DETENT_INTEGRATOR_FIXED) {
        memcpy(check->deferred, check->breach, sizeof check->deferred);
        check->deferred_time = after->time;
        check->breach[0] = '\0';
    }
    return !check->breach[0];
}

/* What was put off until it is known whether an event follows at that instant. */
static bool judge_deferred(invariants *check, const invariants_row *row)
{
    if (check->deferred[0] && row->time > check->deferred_time) {
        memcpy(check->breach, check->deferred, sizeof check->breach);
    }
    check->deferred[0] = '\0';
    return !check->breach[0];
}

bool invariants_sample(invariants *check, const invariants_row *row)
{
    return !check->breach[0] && judge_deferred(check, row) &&
           invariants_judge_row(check, row, "between events") &&
           invariants_judge_pushes(check, row, "between events") &&
           invariants_judge_balances(check, row);
}

bool invariants_event(invariants *check, const invariants_row *before, const invariants_row *after,
                      const detent_mode_change *changes, size_t count)
{
    bool well = !check->breach[0] && judge_deferred(check, before) &&
                invariants_judge_row(check, before, "just before an event") &&
                invariants_judge_pair(check, before, after);
    for (size_t c = 0; c < count && well; c++) {
        well = invariants_judge_change(check, &changes[c], after->time);
    }
    return well && invariants_judge_row(check, after, "just after an event") &&
           judge_pushes_after(check, after) && invariants_judge_balances(check, after);
}

bool invariants_follow(invariants *check, double time, const detent_mode_change *changes,
                       size_t count)
{
    bool well = !check->breach[0];
    for (size_t c = 0; c < count && well; c++) {
        well = invariants_judge_change(check, &changes[c], time);
    }
    return well;
}

/* ---- Verdict ---- */

const char *invariants_breach(const invariants *check)
{
    return check->breach[0] ? check->breach : NULL;
}

invariants_kind invariants_breach_kind(const invariants *check)
{
    return check->kind;
}

const char *invariants_kind_name(invariants_kind kind)
{
    static const char *const names[INVARIANTS_KINDS] = {
        "time", "finite", "chain", "pair", "locked", "limits", "power", "work", "energy", "stops"};
    return names[kind];
}

double invariants_closest(const invariants *check, invariants_kind kind)
{
    return check->closest[kind];
}
