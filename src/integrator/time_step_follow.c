/*
 * Kinetic friction x that follows the forces of the step that it is in: x = g(x). With g the frictions by the forces of the solution with frictions x, and
 * r = x - g(x), directions that have been tried, p, and what they did to r, q, made orthonormal,
 *
 *   x+ = x - P c - (r - Q c),    c = Q' r
 *
 * is Anderson's iteration: g itself, x+ = g(x), where nothing is known, and what has been tried is used for what it is worth. As long as places and the
 * signs of what is rubbed by do not change g is linear, and the end is found in as many solutions as there are joints and two, whatever the gain of
 * g is. Where friction at most doubles what it follows, and mostly, one or two do.
 *
 * Where there is no end, the gain being so large that no motion has one (a mesh, or a bearing, that jams), the joint stops within the step: there forces
 * are those of the impulse that stops it, and hold it by what they make of its friction.
 *
 * D. G. Anderson, Iterative procedures for nonlinear integral equations, J. ACM 12 (1965) 547.
 */
#include "integrator/core.h"
#include "integrator/time_step.h"

/*
 * Beside the size of a friction: what is of no account beside the error of a step; what is told where no more is reached; and what shows that there is no
 * end.
 */
static const double close = 1e-6, near = 1e-3, far = 0.1;

enum { MOST = 5 * DT_FOLLOWED };

bool dt_time_step_create_follow(dt_arena *arena, dt_simulation *sim)
{
    dt_followers *f = &sim->time_stepping.followers;
    const size_t ns = sim->time_stepping.box.update ? (size_t)sim->ns : 0;
#define TAKE(member, count) \
    ((f->member = dt_arena_alloc(arena, (count), sizeof *f->member)) != NULL)
    return TAKE(who, ns) && TAKE(place, ns) && TAKE(x, ns) && TAKE(r, ns) && TAKE(more_x, ns) &&
           TAKE(more_r, ns) && TAKE(weight, ns) && TAKE(way, DT_FOLLOWED * ns) &&
           TAKE(answer, DT_FOLLOWED * ns);
#undef TAKE
}

/* The friction of who is on a segment, there and at the end of the segment. */
static void set_friction(dt_staircase *stair, double force)
{
    const int segment = stair->place / 2;
    stair->force[segment] = force;
    if (segment > 0) {
        stair->hold[segment - 1][0] = force;
    }
    if (segment < stair->corners) {
        stair->hold[segment][1] = force;
    }
}

/* Those on segments whose friction follows forces; whether they are others than before. */
static bool list(dt_simulation *sim)
{
    const dt_time_stepping *x = &sim->time_stepping;
    dt_followers *f = &sim->time_stepping.followers;
    int count = 0;
    bool same = true;
    for (int k = 0; k < sim->ns; k++) {
        const dt_staircase *stair = &x->box.stair[k];
        if (!x->limit_follows[k] || x->stick[k] < 0 || dt_corner_of(stair) >= 0) {
            continue;
        }
        same = same && count < f->count && f->who[count] == k && f->place[count] == stair->place;
        f->who[count] = k;
        f->place[count] = stair->place;
        count++;
    }
    same = same && count == f->count;
    f->count = count;
    return !same;
}

/* What friction is by the forces of the last solution, and r; returns the largest r beside its size, no number where there is none for one. */
static double find_residuals(dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    dt_followers *f = &x->followers;
    double most = 0;
    bool known = true;
    dt_velocity_step_take(&x->step);
    if (sim->bad.friction >= 0 && x->limit_follows[sim->bad.friction]) {
        sim->bad.friction = -1; /* a trial is to blame */
    }
    for (int n = 0; n < f->count; n++) {
        const int k = f->who[n];
        const dt_staircase *stair = &x->box.stair[k];
        double limits[2];
        dt_time_step_find_limits(sim, k, x->moves[k], x->released[k], limits);
        const double own = limits[stair->place / 2 <= x->stick[k]];
        f->x[n] = stair->force[stair->place / 2];
        f->r[n] = f->x[n] - own;
        const double size = fmax(fabs(f->x[n]), fabs(own));
        f->weight[n] = f->depth == 0 && size > 0 ? 1 / size : f->weight[n];
        known = known && !isnan(f->r[n]);
        most = fmax(most, size > 0 ? fabs(f->r[n]) / size : 0);
    }
    return known ? most : NAN;
}

static double product(const dt_followers *f, const double *a, const double *b)
{
    double sum = 0;
    for (int n = 0; n < f->count; n++) {
        sum += f->weight[n] * f->weight[n] * a[n] * b[n];
    }
    return sum;
}

static void subtract(const dt_followers *f, double *a, double factor, const double *b)
{
    for (int n = 0; n < f->count; n++) {
        a[n] -= factor * b[n];
    }
}

static void forget(dt_followers *f, int ns)
{
    f->depth--;
    memmove(f->way, f->way + ns, (size_t)f->depth * (size_t)ns * sizeof *f->way);
    memmove(f->answer, f->answer + ns, (size_t)f->depth * (size_t)ns * sizeof *f->answer);
}

/* A direction, and what it did, become one more; of those that are known already, nothing. Where all are known the oldest is forgotten. */
static void learn(dt_followers *f, int ns)
{
    const int most = f->count < DT_FOLLOWED ? f->count : DT_FOLLOWED;
    if (f->depth == most) {
        forget(f, ns);
    }
    const double before = product(f, f->more_r, f->more_r);
    for (int i = 0; i < f->depth; i++) {
        const double c = product(f, f->more_r, f->answer + (size_t)i * (size_t)ns);
        subtract(f, f->more_r, c, f->answer + (size_t)i * (size_t)ns);
        subtract(f, f->more_x, c, f->way + (size_t)i * (size_t)ns);
    }
    const double size = sqrt(product(f, f->more_r, f->more_r));
    if (!(size > close * sqrt(before))) {
        return;
    }
    double *way = f->way + (size_t)f->depth * (size_t)ns,
           *answer = f->answer + (size_t)f->depth * (size_t)ns;
    for (int n = 0; n < f->count; n++) {
        way[n] = f->more_x[n] / size;
        answer[n] = f->more_r[n] / size;
    }
    f->depth++;
}

/* The next frictions, to the staircases; what they are from here to more_x, and r to more_r. */
static void advance(dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    dt_followers *f = &x->followers;
    double *next = f->more_x, *rest = f->more_r;
    memcpy(next, f->x, (size_t)f->count * sizeof *next);
    memcpy(rest, f->r, (size_t)f->count * sizeof *rest);
    for (int i = 0; i < f->depth; i++) {
        const double c = product(f, f->r, f->answer + (size_t)i * (size_t)sim->ns);
        subtract(f, next, c, f->way + (size_t)i * (size_t)sim->ns);
        subtract(f, rest, c, f->answer + (size_t)i * (size_t)sim->ns);
    }
    for (int n = 0; n < f->count; n++) {
        dt_staircase *stair = &x->box.stair[f->who[n]];
        const bool before = stair->place / 2 <= x->stick[f->who[n]];
        const double force = next[n] - rest[n];
        const bool drives = before ? force < 0 : force > 0; /* no number stays none */
        set_friction(stair, drives ? 0 : force);
        f->more_x[n] = stair->force[stair->place / 2] - f->x[n];
        f->more_r[n] = f->r[n];
    }
}

/*
 * Whether the first step has led no nearer, though the same joints follow: friction changes what it follows by more than itself. There may be several ends then,
 * and the one is meant that friction comes to from what it was: the next try is next to that, to see which way r falls there.
 */
static bool step_back(dt_simulation *sim)
{
    static const double little = 0.01, nearer = 0.5;
    const dt_followers *f = &sim->time_stepping.followers;
    if (!(product(f, f->r, f->r) >= nearer * product(f, f->more_r, f->more_r))) {
        return false;
    }
    for (int n = 0; n < f->count; n++) {
        const double from = f->x[n] - f->more_x[n];
        set_friction(&sim->time_stepping.box.stair[f->who[n]], from + little * f->more_x[n]);
        f->more_x[n] *= little;
    }
    return true;
}

/* As long as the same joints follow; by how much they are off in the end. */
static detent_status iterate(dt_simulation *sim,
                             detent_status (*solve)(dt_simulation *, detent_error *), double *off,
                             detent_error *error)
{
    dt_time_stepping *x = &sim->time_stepping;
    dt_followers *f = &x->followers;
    detent_status status = DETENT_OK;
    list(sim);
    *off = find_residuals(sim);
    f->depth = 0;
    bool first = true, back = false;
    for (int n = 0; n < MOST && !status && *off > close && !dt_time_step_is_blow(sim); n++) {
        if (!back) {
            advance(sim);
        }
        x->step.keeps_factor = true;
        status = solve(sim, error);
        if (x->yields) { /* nobody is where he should be: there is no friction to find */
            *off = 0;
            return status;
        }
        if (list(sim)) {
            f->depth = 0;
            first = true;
            back = false;
            *off = find_residuals(sim);
            continue;
        }
        *off = find_residuals(sim);
        back = first && step_back(sim);
        first = false;
        if (back) {
            continue;
        }
        for (int i = 0; i < f->count; i++) {
            f->more_r[i] = f->r[i] - f->more_r[i];
        }
        learn(f, sim->ns);
    }
    *off = dt_time_step_is_blow(sim) ? 0 : *off;
    return status;
}

/* Who is far from an end stops within the step; whether he stays at rest. */
static detent_status stop(dt_simulation *sim,
                          detent_status (*solve)(dt_simulation *, detent_error *), bool *rests,
                          detent_error *error)
{
    dt_time_stepping *x = &sim->time_stepping;
    const dt_followers *f = &x->followers;
    for (int n = 0; n < f->count; n++) {
        if (!(fabs(f->r[n]) * f->weight[n] <= far)) {
            x->box.stair[f->who[n]].place = 2 * x->stick[f->who[n]] + 1;
        }
    }
    const detent_status status = solve(sim, error);
    *rests = true;
    for (int n = 0; n < f->count; n++) {
        const dt_staircase *stair = &x->box.stair[f->who[n]];
        *rests = *rests && (fabs(f->r[n]) * f->weight[n] <= far || dt_corner_of(stair) >= 0);
    }
    return status;
}

detent_status dt_time_step_follow(dt_simulation *sim,
                                  detent_status (*solve)(dt_simulation *, detent_error *),
                                  detent_error *error)
{
    double off = 0;
    if (!sim->time_stepping.box.update) {
        return DETENT_OK;
    }
    detent_status status = iterate(sim, solve, &off, error);
    if (!status && isnan(off)) { /* a law has no value, and so has the step */
        advance(sim);
        return solve(sim, error);
    }
    bool settled = off <= near;
    if (!status && !(off <= far)) {
        status = stop(sim, solve, &settled, error);
    }
    sim->statistics.unsettled += !status && !settled;
    return status;
}
