#include "analysis/kinematics.h"
#include "analysis/stops.h"

#include "base/error.h"
#include "dynamics/closure_parts.h"

#include <stdio.h>

/* ---- who is left ---- */

static const char *name_of(const dt_system *s, int i)
{
    return s->mechanism->primitives[i].name;
}

/* Whether a node neither follows, nor is prescribed or driven. */
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

/* Of a motion with switches (`if`, `mod`) the branches are those of the time. */
static void set_branches(dt_system *s, double t)
{
    s->time = t;
    dt_system_update_branches(s);
}

/* To time t, the driven joint (-1: none) staying where it is. */
static detent_status go_to(dt_analysis *n, double t, int driven, detent_error *error)
{
    dt_system *s = &n->system;
    memset(n->driven, 0, (size_t)s->tree->nv * sizeof *n->driven);
    for (int i = 0; i < s->tree->node_count; i++) {
        if (i == driven || dt_is_prescribed(s, i)) {
            n->driven[s->tree->nodes[i].v] = true;
        }
    }
    if (!s->closure) { /* else on the way */
        set_branches(s, t);
    }
    return dt_analysis_set_state(n, t, s->q, NULL, n->driven, error);
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

/* The driven joint, or the first one with a motion; NULL: there is none. */
static const char *mover(const dt_system *s, int driven)
{
    int first = driven;
    for (int i = 0; i < s->tree->node_count && first < 0; i++) {
        first = dt_is_prescribed(s, i) ? i : -1;
    }
    return first < 0 ? NULL : name_of(s, first);
}

/* Accelerations from those of the prescribed and the driven joints. */
static detent_status accelerate(dt_analysis *n, const detent_drive *drive, detent_error *error)
{
    dt_system *s = &n->system;
    if (!dt_loop_solver_factor(&n->loops, s, NULL) || !dt_loop_solver_is_exact(&n->loops)) {
        const char *name = mover(s, drive ? (int)drive->primitive : -1);
        return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                       "at t = %.9g s the loops are at a singular position, or next to one: "
                       "velocities do not follow from the motions%s%s%s",
                       s->time, name ? " (of '" : "", name ? name : "", name ? "')" : "");
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

/* Motions and drives do not go through rigid stops. */
static detent_status check_way(const dt_system *s, const detent_drive *drive, detent_error *error)
{
    char where[200];
    if (drive) {
        snprintf(where, sizeof where, "with '%.120s' at %.9g", name_of(s, (int)drive->primitive),
                 drive->position);
    } else {
        snprintf(where, sizeof where, "at t = %.9g s", s->time);
    }
    return dt_check_stops(s, where, error);
}

detent_status dt_kinematics(dt_analysis *n, double t, const detent_drive *drive,
                            detent_error *error)
{
    dt_system *s = &n->system;
    const int driven = drive ? (int)drive->primitive : -1;
    detent_status status = !drive || s->time != t ? go_to(n, t, driven, error) : DETENT_OK;
    if (!status) {
        set_branches(s, t);
        status = drive ? dt_kinematics_drive(n, t, drive, error) : DETENT_OK;
    }
    status = status ? status : check_determined(s, driven, error);
    status = status ? status : check_way(s, drive, error);
    return status ? status : accelerate(n, drive, error);
}

bool dt_is_kinematic(const dt_program *program, double *marks)
{
    return !dt_program_depends_on(
        program, DT_OF_READINGS | DT_OF_EVENTS | DT_OF_STATES | DT_OF_RUN | DT_OF_PAST, marks);
}
