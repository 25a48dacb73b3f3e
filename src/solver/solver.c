#include "solver/solver.h"

#include "solver/erk.h"
#include "solver/stepper.h"

/* ---- life ---- */

/* The one in use to begin with is the last. */
static const dt_stepper *const all[DT_STEPPERS] = {&dt_stepper_leap, &dt_stepper_erk,
                                                   &dt_stepper_ida, &dt_stepper_fixed};

/* How many vectors are in use at once. */
static int vectors_of(const dt_solver_plan *plan)
{
    int count = 3; /* ours */
    for (int k = 0; k < DT_STEPPERS; k++) {
        count += plan->steppers[all[k]->kind] ? all[k]->vectors : 0;
    }
    return count;
}

static bool create_vectors(dt_solver *s, dt_arena *arena)
{
    N_Vector *const vectors[] = {&s->y, &s->yp, &s->scratch};
    bool ok = (s->context = dt_sundials_context()) != NULL &&
              (s->vectors = dt_vector_family_create(arena, s->context, s->plan.most_unknowns,
                                                    vectors_of(&s->plan))) != NULL;
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors && ok; k++) {
        ok = (*vectors[k] = dt_vector_create(s->vectors)) != NULL;
    }
    return ok;
}

static bool create_steppers(dt_solver *s, dt_arena *arena)
{
    for (int k = 0; k < DT_STEPPERS; k++) {
        if (!s->plan.steppers[all[k]->kind]) {
            continue;
        }
        s->stepper = all[k];
        if (!all[k]->create(s, arena)) {
            return false;
        }
    }
    return true;
}

dt_solver *dt_solver_create(dt_arena *arena, const dt_problem *problem, const dt_solver_plan *plan)
{
    dt_solver *s = dt_arena_alloc(arena, 1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->problem = *problem;
    s->plan = *plan;
    s->length = plan->most_unknowns;
    s->finder.context = s;
    if (!dt_root_finder_create(arena, plan->most_roots, &s->finder) || !create_vectors(s, arena) ||
        !create_steppers(s, arena)) {
        dt_solver_destroy(s);
        return NULL;
    }
    return s;
}

void dt_solver_destroy(dt_solver *s)
{
    if (!s) {
        return;
    }
    N_Vector const vectors[] = {s->y, s->yp, s->scratch};
    for (int k = 0; k < DT_STEPPERS; k++) {
        if (s->own[all[k]->kind]) {
            all[k]->destroy(s);
        }
    }
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        if (vectors[k]) {
            N_VDestroy(vectors[k]);
        }
    }
    if (s->context) {
        SUNContext_Free(&s->context);
    }
}

/* ---- where it is ---- */

double *dt_solver_y(dt_solver *s)
{
    return dt_numbers(s->y);
}

double *dt_solver_yp(dt_solver *s)
{
    return dt_numbers(s->yp);
}

double *dt_solver_scratch(dt_solver *s)
{
    return dt_numbers(s->scratch);
}

void dt_solver_set_length(dt_solver *s, int length)
{
    s->length = length;
    dt_vector_set_length(s->vectors, length);
}

/* ---- starting ---- */

void dt_solver_choose(dt_solver *s, dt_stepper_kind kind)
{
    for (int k = 0; k < DT_STEPPERS; k++) {
        s->stepper = all[k]->kind == kind ? all[k] : s->stepper;
    }
}

dt_stepper_kind dt_solver_kind(const dt_solver *s)
{
    return s->stepper->kind;
}

bool dt_solver_carries_algebraic(const dt_solver *s)
{
    return s->stepper->carries_algebraic;
}

bool dt_solver_wants_first_step(const dt_solver *s)
{
    return s->stepper->wants_first_step;
}

bool dt_solver_restart(dt_solver *s, double t, double h, int roots)
{
    s->roots = roots;
    return s->stepper->restart(s, t, h);
}

void dt_solver_forget(dt_solver *s)
{
    for (int k = 0; k < DT_STEPPERS; k++) {
        if (s->own[all[k]->kind]) {
            all[k]->forget(s);
        }
    }
}

/* ---- stepping ---- */

dt_step dt_solver_step(dt_solver *s, const dt_step_bounds *bounds, double *reached, dt_failure *why,
                       double *tried)
{
    return s->stepper->step(s, bounds, reached, why, tried);
}

const int *dt_solver_fired(const dt_solver *s)
{
    return s->finder.fired;
}

double *dt_solver_root_values(dt_solver *s)
{
    return s->finder.middle;
}

bool dt_solver_interpolate(dt_solver *s, double t, int derivative)
{
    return s->stepper->interpolate(s, t, derivative);
}

double dt_solver_end(const dt_solver *s)
{
    return s->stepper->end(s);
}

double dt_solver_last_step(const dt_solver *s)
{
    return s->stepper->last_step(s);
}

bool dt_solver_is_stiff(dt_solver *s)
{
    return s->stepper->kind == DT_STEPPER_ERK && dt_erk_is_stiff(s);
}

/* ---- counting ---- */

dt_step_counts dt_solver_steps(const dt_solver *s)
{
    return s->stepper->steps(s);
}
