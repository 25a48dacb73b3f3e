/* Meshes and bearings that jam, at an event. Invariant: a jam is accepted with the search that follows it, or nothing of it is left. */
#include "integrator/jam.h"
#include "integrator/core.h"
#include "integrator/jam_impulse.h"
#include "integrator/source.h"
#include "integrator/switches.h"
#include "integrator/velocity_band.h"
#include "integrator/weights.h"

#include "dynamics/closure.h"

/* More of them are not looked at beforehand: each takes a solution of the whole. */
enum { MOST_MEASURED = 100 };

/* Of the velocities that an impulse changes: what is as small as that has not been changed. */
static const double rounding = 1e-13;

/* Of ordinary forces: a friction beside which all other loads of a bearing are nothing. */
static const double overwhelming = 1e6;

/* How many joints may jam. */
static int count_jamming(const detent_mechanism *m)
{
    return m->mesh_count + m->bearing_count;
}

bool dt_jam_create(dt_arena *arena, dt_simulation *sim)
{
    dt_jam *jam = &sim->jam;
    const size_t nv = (size_t)sim->nv, ns = (size_t)sim->ns,
                 rows = (size_t)dt_tie_rows(sim->mechanism);
    const size_t count = (size_t)sim->mechanism->mesh_count;
#define TAKE(member, count) \
    ((jam->member = dt_arena_alloc(arena, (count), sizeof *jam->member)) != NULL)
    return count_jamming(sim->mechanism) == 0 ||
           (dt_trial_create(arena, sim, &jam->start) && dt_trial_create(arena, sim, &jam->before) &&
            dt_trial_create(arena, sim, &jam->found) && TAKE(pin, ns) && TAKE(r_v, nv) &&
            TAKE(r_f, ns) && TAKE(r_m, rows) && TAKE(d_v, nv) && TAKE(d_f, ns) && TAKE(d_m, rows) &&
            TAKE(margin, count) && TAKE(stops, ns));
#undef TAKE
}

/* Readings of what is in the system's state. */
static void set_state(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
}

/* What a mesh does along its joint where friction there is `f`, that of others as it is pinned; NAN: it cannot be told. */
static double pushes(dt_simulation *sim, const dt_mesh *mesh, double f)
{
    dt_system *s = &sim->system;
    const dt_transmission *of = &sim->mechanism->transmissions[mesh->transmission];
    sim->jam.pin[mesh->stiction] = f;
    s->pinned = sim->jam.pin;
    const detent_status status = dt_solve_accelerations(sim->newton, s, NULL, NULL);
    s->pinned = NULL;
    return status == DETENT_OK
               ? of->factor[0] *
                     s->multiplier[dt_transmission_row(sim->mechanism, mesh->transmission)]
               : NAN;
}

/* A - |B|; NAN where it cannot be told. Moving joints have the friction that they have. */
static double margin(dt_simulation *sim, const dt_mesh *mesh)
{
    const dt_system *s = &sim->system;
    const double mean = 0.5 * (mesh->driving + mesh->driven),
                 off = 0.5 * (mesh->driven - mesh->driving);
    const int joint = s->tree->nodes[sim->mechanism->stictions[mesh->stiction].primitive].v;
    const double unit = sim->scale.force[joint];
    for (int k = 0; k < sim->ns; k++) {
        sim->jam.pin[k] = s->mode[k] == DETENT_LOCKED ? NAN : s->f[k];
    }
    const double none = pushes(sim, mesh, 0), n = (pushes(sim, mesh, unit) - none) / unit;
    return 1 + off * n - fabs(mean * n);
}

void dt_jam_measure(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    for (int k = 0; k < sim->mechanism->mesh_count; k++) {
        sim->jam.margin[k] = NAN;
    }
    if (sim->mechanism->mesh_count == 0 || sim->mechanism->mesh_count > MOST_MEASURED) {
        return;
    }
    dt_trial_keep(sim, &sim->jam.before);
    for (int k = 0; k < sim->ns; k++) {
        dt_set_mode(s, k, DETENT_WAIT, 0);
        s->f[k] = 0;
    }
    for (int k = 0; k < sim->mechanism->mesh_count; k++) {
        set_state(sim);
        sim->jam.margin[k] = margin(sim, &sim->mechanism->meshes[k]);
    }
    dt_trial_restore(sim, &sim->jam.before);
    set_state(sim);
}

bool dt_jam_may_follow(const dt_simulation *sim)
{
    bool any = false;
    for (int k = 0; k < sim->mechanism->mesh_count && !any; k++) {
        any = sim->system.mode[sim->mechanism->meshes[k].stiction] != DETENT_LOCKED;
    }
    for (int k = 0; k < sim->ns && sim->mechanism->bearing_count > 0 && !any; k++) {
        any =
            sim->mechanism->stictions[k].friction->bearing && sim->system.mode[k] != DETENT_LOCKED;
    }
    return any;
}

/*
 * The same of a bearing that moves: 1 less the friction that its own friction alone makes there, as a share of that. Ends press with a norm of
 * what they carry, so that beyond all other loads friction grows in proportion.
 */
static double bearing_margin(dt_simulation *sim, int k)
{
    dt_system *s = &sim->system;
    const int v = s->tree->nodes[sim->mechanism->stictions[k].primitive].v;
    const double friction = overwhelming * sim->scale.force[v];
    for (int c = 0; c < sim->ns; c++) {
        sim->jam.pin[c] = s->mode[c] == DETENT_LOCKED ? NAN : s->f[c];
    }
    sim->jam.pin[k] = s->v[v] > 0 ? -friction : friction;
    s->pinned = sim->jam.pin;
    const detent_status status = dt_solve_accelerations(sim->newton, s, NULL, NULL);
    s->pinned = NULL;
    const dt_law *law = dt_stiction_law(s, k, DT_STICTION_KINETIC);
    return status == DETENT_OK ? 1 - dt_law_value(s, law, s->v[v] > 0 ? 1 : -1) / friction : NAN;
}

/* The joint of those that moves and is farthest from having a solution for every load; -1: all have. */
static int pick(dt_simulation *sim)
{
    int found = -1;
    double least = 0;
    for (int k = 0; k < sim->mechanism->mesh_count; k++) {
        const dt_mesh *mesh = &sim->mechanism->meshes[k];
        if (*dt_velocity_of(sim, mesh->stiction) == 0) {
            continue;
        }
        set_state(sim);
        const double own = margin(sim, mesh);
        dt_trial_restore(sim, &sim->jam.before);
        if (own < least) {
            least = own;
            found = mesh->stiction;
        }
    }
    for (int k = 0; k < sim->ns && sim->mechanism->bearing_count > 0; k++) {
        if (!sim->mechanism->stictions[k].friction->bearing || *dt_velocity_of(sim, k) == 0) {
            continue;
        }
        set_state(sim);
        const double own = bearing_margin(sim, k);
        dt_trial_restore(sim, &sim->jam.before);
        if (own < least) {
            least = own;
            found = k;
        }
    }
    return found;
}

/* The velocity of freedom j after the impulse: what is left of it by rounding is none. */
static double velocity_after(const dt_simulation *sim, int j)
{
    const double before = sim->jam.before.v[j], change = sim->jam.d_v[j];
    return fabs(before + change) <= rounding * fabs(change) ? 0 : before + change;
}

/* Modes after the impulse, of joints that have one. */
static void derive_modes(dt_simulation *sim, int stopped)
{
    dt_system *s = &sim->system;
    const dt_trial *before = &sim->jam.before;
    for (int k = 0; k < sim->ns; k++) {
        const double v = *dt_velocity_of(sim, k), old = before->v[dt_velocity_of(sim, k) - s->v];
        if (k == stopped) {
            sim->event.cause[k] = DETENT_CAUSE_JAM;
            dt_set_mode(s, k, DETENT_LOCKED, 0);
        } else if (v == 0 && old != 0) {
            sim->event.cause[k] = DETENT_CAUSE_STOP;
            dt_set_mode(s, k, DETENT_LOCKED, 0);
        } else if (v != 0 && v * old <= 0) {
            dt_set_mode(s, k, fabs(v) > dt_threshold(sim, k) ? DETENT_UNLOCKED : DETENT_WAIT,
                        v > 0 ? 1 : -1);
        }
    }
}

/* What the impulse has taken, and what motions have put in; it counts where the search is accepted. */
static void account(dt_simulation *sim, double before)
{
    const dt_system *s = &sim->system;
    const double after = dt_motion_kinetic_energy(s->tree, s->motion, s->v);
    double loss = 0;
    for (int k = 0; k < sim->ns; k++) {
        const double v = sim->jam.before.v[dt_velocity_of(sim, k) - s->v];
        loss += sim->jam.stops[k] ? -0.5 * sim->jam.d_f[k] * v : 0;
    }
    sim->jam.loss += loss;
    sim->jam.drive += after - before + loss;
}

/* Joint k stops at once. False where no impulse does that. */
static bool stop_at_once(dt_simulation *sim, int k)
{
    dt_system *s = &sim->system;
    set_state(sim);
    dt_switches_note(sim);
    const double energy = dt_motion_kinetic_energy(s->tree, s->motion, s->v);
    if (!dt_jam_impulse(sim, k)) {
        return false;
    }
    dt_trial_restore(sim, &sim->jam.before);
    for (int j = 0; j < sim->nv; j++) {
        s->v[j] = velocity_after(sim, j);
    }
    for (int c = 0; c < sim->ns; c++) {
        *dt_velocity_of(sim, c) = sim->jam.stops[c] ? 0 : *dt_velocity_of(sim, c);
    }
    derive_modes(sim, k);
    if (s->closure) {
        dt_closure_refresh(s);
    }
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_sources_jump(sim);
    set_state(sim); /* what a branch of time decides */
    account(sim, energy);
    return true;
}

/*
 * Whether a mesh that moves is read beyond the border of its branch, by more than an instant is known: the search has found
 * accelerations with a friction that is not the mesh's.
 */
static bool is_beyond(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    double(*roots)[2] = sim->roots.values;
    bool any = false;
    for (int k = 0; k < sim->mechanism->mesh_count && !any; k++) {
        const int own = sim->mechanism->meshes[k].stiction;
        const dt_law *law = dt_stiction_law(s, own, DT_STICTION_KINETIC);
        if (s->mode[own] == DETENT_LOCKED) {
            continue;
        }
        dt_law_roots(s, law, &roots[0][0]);
        for (int n = 0; n < law->program->switch_count && !any; n++) {
            any = !dt_program_jumps(law->program, n) &&
                  fmin(roots[n][0], roots[n][1]) < -dt_switch_tolerance(sim, s, law, n, sim->rtol);
        }
    }
    return any;
}

/* The joint that can not go on stops at once; false where there is none, and the state is that from before. */
static bool jams(dt_simulation *sim)
{
    dt_trial_restore(sim, &sim->jam.before);
    const int joint = pick(sim);
    if (joint < 0 || !stop_at_once(sim, joint)) {
        return false;
    }
    dt_trial_keep(sim, &sim->jam.before);
    return true;
}

/* Back to what the search had found. */
static void return_to_found(dt_simulation *sim)
{
    dt_trial_restore(sim, &sim->jam.found);
    set_state(sim);
    dt_solve_accelerations(sim->newton, &sim->system, NULL, NULL);
}

detent_status dt_jam_search(dt_simulation *sim, detent_error *error)
{
    const int most = count_jamming(sim->mechanism);
    if (most == 0) {
        return dt_velocity_band_search(sim, error);
    }
    detent_error without = {.status = DETENT_OK};
    sim->jam.loss = sim->jam.drive = 0;
    dt_trial_keep(sim, &sim->jam.before);
    dt_trial_keep(sim, &sim->jam.start);
    detent_status status = dt_velocity_band_search(sim, &without);
    if (error) {
        *error = without;
    }
    for (int n = 0; n < most && status != DETENT_INTERRUPTED; n++) {
        const bool found = status == DETENT_OK;
        if (found && !is_beyond(sim)) {
            break;
        }
        dt_trial_keep(sim, &sim->jam.found);
        if (!jams(sim)) {
            if (found) {
                return_to_found(sim);
            }
            break;
        }
        status = dt_velocity_band_search(sim, error);
    }
    if (status == DETENT_NO_CONSISTENT_STATE && without.status == DETENT_NO_CONSISTENT_STATE) {
        dt_trial_restore(sim,
                         &sim->jam.start); /* nobody jams: what is told is why the motion ends */
        if (error) {
            *error = without;
        }
    }
    if (status == DETENT_OK) {
        sim->statistics.impact_loss += sim->jam.loss;
        sim->work[DT_WORK_ACTUATION] += sim->jam.drive;
    }
    return status;
}
