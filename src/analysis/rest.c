#include "analysis/rest.h"

#include "base/error.h"

#include <float.h>

/* How often branches of laws may follow the forces that they make. */
enum { MOST_BRANCHES = 50 };

/* ---- begin and end ---- */

static detent_status check_motions(const dt_system *s, detent_error *error)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const int j = s->tree->nodes[i].v;
        if (dt_is_prescribed(s, i) && (s->v[j] != 0 || s->prescribed[j] != 0)) {
            return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                           "at t = %.9g s the motion of '%s' has velocity %.6g and acceleration "
                           "%.6g: nothing is at rest",
                           s->time, s->mechanism->primitives[i].name, s->v[j], s->prescribed[j]);
        }
    }
    return DETENT_OK;
}

detent_status dt_rest_create(dt_arena *arena, dt_analysis *analysis, dt_rest *n,
                             detent_error *error)
{
    dt_system *s = &analysis->system;
    const size_t nv = (size_t)s->tree->nv, ns = (size_t)s->mechanism->stiction_count;
    *n = (dt_rest){.system = s};
    memset(s->v, 0, nv * sizeof *s->v);
    dt_system_set_state(s, s->time, s->q, s->v);
    detent_status status = check_motions(s, error);
    status = status ? status : dt_variation_create(arena, s, &n->variation, error);
    if (status) {
        return status;
    }
#define TAKE(member, count) \
    ((n->member = dt_arena_alloc(arena, (count), sizeof *n->member)) != NULL)
    n->newton = dt_newton_create_up_to(arena, s, DETENT_LINEAR_SOLVER_TREE, DT_NEWTON_ACCELERATION);
    const bool good = n->newton && dt_force_size_create(arena, s->tree, &n->size) &&
                      TAKE(held, ns) && TAKE(pin, ns) && TAKE(a, nv) && TAKE(R, nv) &&
                      TAKE(noise, nv) && TAKE(list, 2 * nv + (size_t)s->mechanism->state_count);
#undef TAKE
    return good ? DETENT_OK
                : dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for an analysis");
}

void dt_rest_end(dt_rest *n)
{
    dt_system *s = n->system;
    const size_t ns = (size_t)s->mechanism->stiction_count;
    s->pinned = NULL;
    memset(s->mode, DETENT_LOCKED, ns * sizeof *s->mode);
    memset(s->direction, 0, ns * sizeof *s->direction);
    if (s->closure) {
        s->closure->assembles = true;
    }
}

void dt_rest_hold(dt_rest *n, bool all)
{
    for (int k = 0; k < n->system->mechanism->stiction_count; k++) {
        n->held[k] = all;
    }
}

/* ---- solving ---- */

static void set_modes(dt_rest *n)
{
    dt_system *s = n->system;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        s->mode[k] = n->held[k] ? DETENT_LOCKED : DETENT_UNLOCKED;
        s->direction[k] = 0;
        s->yielded[k] = 0;
    }
    s->pinned = n->pin;
    if (s->closure) {
        s->closure->assembles = false;
        dt_closure_refresh(s);
    }
}

static void list_states(dt_rest *n)
{
    const dt_system *s = n->system;
    const int count = dt_states_list(s, n->list);
    n->own = n->frozen ? 0 : s->mechanism->state_count;
    n->positions = (count - s->mechanism->state_count) / 2;
}

/* R and the rounding of its terms, of an ordinary force where there are none; the readings are those of the solution again. */
static void read_forces(dt_rest *n)
{
    dt_system *s = n->system;
    const double rounding = dt_force_rounding(s->tree);
    memcpy(n->a, s->a, (size_t)s->tree->nv * sizeof *n->a);
    memset(n->R, 0, (size_t)s->tree->nv * sizeof *n->R); /* for now: no acceleration */
    dt_system_set_acceleration(s, n->R, s->f);
    dt_system_forces(s);
    dt_force_size_update(s, s->A[0], 6, NULL, &n->size);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int c = 0; c < node->type->nv; c++) {
            const int j = node->v + c;
            n->R[j] = s->Q[j] - s->tau[j];
            n->noise[j] = rounding * dt_force_size_of(&n->size, s, s->a, i, c) +
                          DBL_EPSILON * s->scale->force[j];
        }
    }
    dt_system_set_acceleration(s, n->a, s->f);
    dt_system_forces(s);
}

/* Whether a law is continuous, and its branches follow forces. */
static bool goes_with_forces(const dt_program *law)
{
    bool reads = false, jumps = false;
    for (int k = 0; k < law->variable_count; k++) {
        reads = reads || dt_variable_is(law->variables[k], DT_OF_FORCES);
    }
    for (int j = 0; j < law->switch_count; j++) {
        jumps = jumps || dt_program_jumps(law, j);
    }
    return reads && !jumps && law->switch_count > 0;
}

bool dt_rest_follow(void *system)
{
    dt_system *s = system;
    bool any = false;
    for (int l = 0; l < s->law_count; l++) {
        any = (goes_with_forces(s->law[l]->program) && dt_law_update_branches(s, s->law[l])) || any;
    }
    return any;
}

static detent_status solve(dt_rest *n, detent_error *error)
{
    dt_system *s = n->system;
    bool settled = false;
    memset(s->v, 0, (size_t)s->tree->nv * sizeof *s->v);
    dt_system_set_state(s, s->time, s->q, s->v);
    set_modes(n);
    for (int round = 0; round < MOST_BRANCHES && !settled; round++) {
        const detent_status status = dt_solve_accelerations(n->newton, s, NULL, error);
        if (status) {
            return status;
        }
        settled = !dt_system_update_branches(s);
    }
    if (!settled) {
        return dt_fail(error, DETENT_ERROR_SOLVER, NULL,
                       "at t = %.9g s laws switch by the forces that they make: none of their "
                       "branches agrees with itself",
                       s->time);
    }
    list_states(n);
    read_forces(n);
    return DETENT_OK;
}

detent_status dt_rest_solve(dt_rest *n, detent_error *error)
{
    dt_system *s = n->system;
    /* Limits that follow what locked joints share are read on the way. */
    s->follow = dt_rest_follow;
    s->follow_user = s;
    const detent_status status = solve(n, error);
    s->follow = NULL;
    return status;
}

double dt_rest_force(const dt_rest *n, double *noise)
{
    const dt_system *s = n->system;
    const double *along = n->variation.newton.tangent.dphi;
    double sum = 0;
    *noise = 0;
    for (int j = 0; j < s->tree->nv; j++) {
        if (along[j] != 0) {
            sum += along[j] * n->R[j];
            *noise += fabs(along[j]) * n->noise[j];
        }
    }
    return sum;
}
