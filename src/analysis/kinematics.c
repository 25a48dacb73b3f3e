#include "analysis/kinematics.h"

#include "base/error.h"
#include "dynamics/closure_parts.h"

/** No prescribed joint goes farther in a step of closing: rad, or lengths of the mechanism. */
static const double far = 0.2;
/** How often a step in time is halved. */
enum { MOST_HALVINGS = 40 };

/* ---- who is left ---- */

static const char *name_of(const dt_system *s, int i)
{
    return s->mechanism->primitives[i].name;
}

/** Whether a node neither follows, nor is prescribed or driven. */
static bool is_free(const dt_system *s, int i, int driven)
{
    const dt_node *node = &s->tree->nodes[i];
    bool free = false;
    for (int j = node->v; j < node->v + node->type->nv; j++) {
        free = free || (!dt_is_prescribed(s, i) && i != driven &&
                        !(s->closure && s->closure->dependent[j]));
    }
    return free;
}

static detent_status check_determined(const dt_system *s, int driven, detent_error *error)
{
    int count = 0, first = -1;
    for (int i = 0; i < s->tree->node_count; i++) {
        if (dt_is_driven_by_speed(s, i)) {
            return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                           "'%s' has a speed: where it is follows from a run, not from the time",
                           name_of(s, i));
        }
        const bool free = is_free(s, i, driven);
        first = free && first < 0 ? i : first;
        count += free;
    }
    if (count == 0) {
        return DETENT_OK;
    }
    return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                   "at t = %.9g s motions do not decide how '%s' moves%s: %d of the joints are "
                   "left free",
                   s->time, name_of(s, first), count > 1 ? " and others" : "", count);
}

/* ---- going there ---- */

/** How far prescribed joints are at t from where they are, in rad or lengths of the mechanism. */
static double way_to(dt_system *s, double t)
{
    const double length = dt_closure_reach(s);
    double most = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        double jet[3];
        if (dt_is_prescribed(s, i)) {
            dt_motion_jet(s, i, t, jet);
            const double way = fabs(jet[0] - s->q[s->tree->nodes[i].q]);
            most = fmax(most, s->tree->nodes[i].type->rotational ? way : way / length);
        }
    }
    return most;
}

/** Of a motion with switches (`if`, `mod`) the branches are those of the time. */
static void set_branches(dt_system *s, double t)
{
    s->time = t;
    dt_system_update_branches(s);
}

/** To time t, in shorter steps where prescribed joints would go far. */
static detent_status go_to(dt_analysis *n, double t, detent_error *error)
{
    dt_system *s = &n->system;
    double at = s->time, step = t - at;
    int halved = 0;
    while (at != t && s->closure) {
        const double next = fabs(step) < fabs(t - at) ? at + step : t;
        set_branches(s, next);
        if (way_to(s, next) > far && halved < MOST_HALVINGS) { /* not for ever: it may jump */
            step = (next - at) / 2;
            halved++;
            continue;
        }
        s->time = at;
        const detent_status status = dt_analysis_set_state(n, next, s->q, NULL, NULL, error);
        if (status) {
            return status;
        }
        at = next;
        step *= 2;
        halved -= halved > 0;
    }
    return DETENT_OK;
}

detent_status dt_kinematics_drive(dt_analysis *n, double t, const detent_drive *drive,
                                  detent_error *error)
{
    dt_system *s = &n->system;
    const dt_node *node = &s->tree->nodes[drive->primitive];
    memcpy(n->q_closed, s->q, (size_t)s->tree->nq * sizeof *s->q);
    n->q_closed[node->q] = drive->position;
    memset(n->load, 0, (size_t)s->tree->nv * sizeof *n->load);
    n->load[node->v] = drive->velocity;
    memset(n->driven, 0, (size_t)s->tree->nv * sizeof *n->driven);
    n->driven[node->v] = true;
    return dt_analysis_set_state(n, t, n->q_closed, n->load, n->driven, error);
}

static bool is_finite(const double *x, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++) {
        sum += 0 * x[k];
    }
    return sum == 0;
}

/** Accelerations from those of the prescribed and the driven joints. */
static detent_status accelerate(dt_analysis *n, const detent_drive *drive, detent_error *error)
{
    dt_system *s = &n->system;
    if (!dt_loop_solver_factor(&n->loops, s, NULL)) {
        return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                       "at t = %.9g s the loops are at a singular position: velocities do not "
                       "follow from the motions",
                       s->time);
    }
    memset(n->load, 0, (size_t)s->tree->nv * sizeof *n->load);
    if (drive) {
        n->load[s->tree->nodes[drive->primitive].v] = drive->acceleration;
    }
    dt_analysis_close_accelerations(n, n->load);
    return is_finite(s->q, s->tree->nq) && is_finite(s->v, s->tree->nv) &&
                   is_finite(s->a, s->tree->nv)
               ? DETENT_OK
               : dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                         "at t = %.9g s a position, velocity or acceleration is not finite",
                         s->time);
}

detent_status dt_kinematics(dt_analysis *n, double t, const detent_drive *drive,
                            detent_error *error)
{
    dt_system *s = &n->system;
    detent_status status = go_to(n, t, error);
    set_branches(s, t);
    if (!status) {
        status = drive ? dt_kinematics_drive(n, t, drive, error)
                       : dt_analysis_set_state(n, t, s->q, NULL, NULL, error);
    }
    status = status ? status : check_determined(s, drive ? (int)drive->primitive : -1, error);
    return status ? status : accelerate(n, drive, error);
}

bool dt_is_kinematic(const dt_program *program, double *marks)
{
    return !dt_program_depends_on(program, DT_OF_READINGS | DT_OF_EVENTS | DT_OF_STATES | DT_OF_RUN,
                                  marks);
}
