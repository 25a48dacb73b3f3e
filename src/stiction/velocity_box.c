#include "stiction/velocity_box.h"

#include "dynamics/closure.h"
#include "dynamics/closure_still.h"

/* Of the rounding of a force: what is beyond a limit by less is inside (friction_box.h). */
static const double tolerated = 4;

bool dt_velocity_box_create(dt_arena *arena, dt_velocity_step *step, dt_velocity_box *box)
{
    const dt_system *s = step->system;
    const size_t ns = (size_t)s->mechanism->stiction_count;
    box->step = step;
    box->count = s->mechanism->stiction_count;
#define TAKE(member, count) \
    ((box->member = dt_arena_alloc(arena, (count), sizeof *box->member)) != NULL)
    if (!TAKE(stair, ns) || !TAKE(node, ns) || !TAKE(freedom, ns) || !TAKE(next, ns) ||
        !TAKE(contradiction, ns) || !TAKE(came, ns) || !TAKE(turned, ns) || !TAKE(returns, ns) ||
        !TAKE(v0, (size_t)s->tree->nv) || !TAKE(f0, ns) ||
        !dt_nearby_create(arena, s->tree, &box->nearby)) {
        return false;
    }
#undef TAKE
    for (int k = 0; k < box->count; k++) {
        box->node[k] = s->mechanism->stictions[k].primitive;
        box->freedom[k] = s->tree->nodes[box->node[k]].v;
    }
    return true;
}

/* ---- one attempt ---- */

static void take_places(dt_velocity_box *box)
{
    dt_velocity_step *step = box->step;
    for (int k = 0; k < box->count; k++) {
        const dt_staircase *stair = &box->stair[k];
        const int corner = dt_corner_of(stair);
        step->held[box->node[k]] = corner >= 0;
        if (corner >= 0) {
            step->v[box->freedom[k]] = stair->at[corner];
        } else {
            step->f[k] = stair->force[stair->place / 2];
        }
    }
}

/* What the joint can hold, for contradictions to be compared by. */
static double width_of(const dt_staircase *stair)
{
    double width = 0;
    for (int i = 0; i <= stair->corners; i++) {
        width = fmax(width, isfinite(stair->force[i]) ? fabs(stair->force[i]) : 0);
    }
    return width;
}

/* By how much a joint at a corner is beyond what is there, a force; and which way it goes. */
static double excess(const dt_velocity_box *box, int k, int corner, signed char *next)
{
    const dt_staircase *stair = &box->stair[k];
    const double above = box->step->f[k] - stair->hold[corner][1],
                 below = stair->hold[corner][0] - box->step->f[k];
    *next = (signed char)(above > 0 ? -1 : below > 0 ? 1 : 0);
    return fmax(fmax(above, below), 0);
}

/* The same of a joint on a segment whose velocity is beyond its ends. */
static double overshoot(const dt_velocity_box *box, int k, signed char *next)
{
    const dt_staircase *stair = &box->stair[k];
    const int segment = stair->place / 2;
    const double v = box->step->v[box->freedom[k]],
                 above = segment < stair->corners ? v - stair->at[segment] : 0,
                 below = segment > 0 ? stair->at[segment - 1] - v : 0, most = fmax(above, below);
    *next = (signed char)(above > 0 ? 1 : below > 0 ? -1 : 0);
    if (most <= 0 || dt_velocity_step_creeps(box->step, k, stair->force[segment],
                                             stair->at[segment - (above <= 0)])) {
        return 0; /* where it belongs, or held by all there is */
    }
    return most / box->step->h * dt_velocity_step_inertia(box->step, box->freedom[k]);
}

/* The contradictions of the last attempt; returns how many. */
static int survey(dt_velocity_box *box)
{
    int count = 0;
    for (int k = 0; k < box->count; k++) {
        const int corner = dt_corner_of(&box->stair[k]);
        double size =
            corner >= 0 ? excess(box, k, corner, &box->next[k]) : overshoot(box, k, &box->next[k]);
        if (size > 0 && corner >= 0 && size <= tolerated * dt_velocity_step_noise(box->step, k)) {
            size = 0;
        }
        if (size == 0) {
            box->next[k] = 0;
            box->contradiction[k] = 0;
            continue;
        }
        const double width = width_of(&box->stair[k]);
        box->contradiction[k] = width > 0 ? size / width : HUGE_VAL;
        count++;
    }
    return count;
}

/*
 * To the next place. Round a loop a joint may turn round while all others move on, where its ratio to them is zero: its friction does next to nothing
 * to its own velocity then, and no force in reach would stop it. Who is sent back and forth between a segment and its corner goes through it; not through
 * a stop.
 */
static void move(dt_velocity_box *box, int k)
{
    static const int patience = 2;
    const int corner = dt_corner_of(&box->stair[k]);
    signed char way = box->next[k];
    if (corner >= 0 && way == -box->came[k] && box->step->coupled &&
        isfinite(box->stair[k].force[corner + (way < 0)]) && ++box->returns[k] >= patience) {
        way = box->came[k];
    }
    box->stair[k].place += way;
    box->came[k] = way;
    box->turned[k] = true;
}

/* What is tied is as near as what is rigid: the largest contradiction is felt all round a loop, from whichever of its joints. */
static void spread_by_ties(const dt_velocity_box *box)
{
    static const double decay = 0.2; /* of a rigid group, nearby.c */
    const dt_system *s = box->step->system;
    double *worst = box->nearby.worst;
    dt_still *still = s->closure ? s->closure->still : NULL;
    for (int n = 0; still && n < still->tied_count; n++) {
        still->fastest[still->cluster[still->tied[n]]] = 0;
    }
    for (int n = 0; still && n < still->tied_count; n++) {
        double *most = &still->fastest[still->cluster[still->tied[n]]];
        *most = fmax(*most, worst[still->tied[n]]);
    }
    for (int n = 0; still && n < still->tied_count; n++) {
        const int i = still->tied[n];
        worst[i] = fmax(worst[i], decay * still->fastest[still->cluster[i]]);
    }
}

static void turn(dt_velocity_box *box)
{
    const dt_tree *tree = box->step->system->tree;
    double *worst = box->nearby.worst;
    memset(worst, 0, (size_t)tree->node_count * sizeof *worst);
    for (int k = 0; k < box->count; k++) {
        worst[box->node[k]] = box->contradiction[k];
    }
    dt_nearby_spread(&box->nearby, tree, box->step->held);
    spread_by_ties(box);
    for (int k = 0; k < box->count; k++) {
        if (box->next[k] != 0 && box->contradiction[k] >= worst[box->node[k]]) {
            move(box, k);
        }
    }
}

/* Whether the present places have no contradiction; `most`: solves of the step in all, from which on nothing is made again. */
static detent_status attempt(dt_velocity_box *box, size_t most, bool *settled, detent_error *error)
{
    enum { FOLLOWED = 6 };
    detent_status status;
    bool again = false;
    int n = 0;
    do {
        take_places(box);
        status = dt_velocity_step_solve(box->step, error);
        again = !status && box->update && box->update(box->user, n);
        box->renewed = box->renewed || again;
        n++;
    } while (again && n < FOLLOWED && box->step->solves < most);
    *settled = !status && survey(box) == 0;
    return status;
}

/* Who is at his limit and is held by others all the same has a velocity that is none: he rests there, too. */
static void stop_creeping(dt_velocity_box *box)
{
    dt_velocity_step *step = box->step;
    for (int k = 0; k < box->count && step->coupled; k++) {
        const dt_staircase *stair = &box->stair[k];
        double *v = &step->v[box->freedom[k]];
        for (int c = 0; c < stair->corners && dt_corner_of(stair) < 0; c++) {
            if (dt_velocity_step_creeps(step, k, stair->force[stair->place / 2], stair->at[c])) {
                *v = stair->at[c];
            }
        }
    }
}

detent_status dt_velocity_box_run(dt_velocity_box *box, size_t most, bool *settled,
                                  detent_error *error)
{
    detent_status status = DETENT_OK;
    *settled = false;
    memset(box->came, 0, (size_t)box->count);
    memset(box->returns, 0, (size_t)box->count);
    for (bool first = true;
         !status && !*settled && (box->step->keeps_factor || box->step->solves < most);
         first = false) {
        if (!first) {
            turn(box);
        }
        status = attempt(box, most, settled, error);
    }
    if (*settled) {
        stop_creeping(box);
    }
    return status;
}

bool dt_velocity_box_has_limits(const dt_velocity_box *box)
{
    bool known = true;
    for (int k = 0; k < box->count && known; k++) {
        const dt_staircase *stair = &box->stair[k];
        const int corner = dt_corner_of(stair);
        known = corner < 0 || !(isnan(stair->force[corner]) || isnan(stair->force[corner + 1]));
    }
    return known;
}

/* ---- at the bound ---- */

/* The force of the last attempt, inside of what there is. */
static double inside(const dt_staircase *stair, double f)
{
    const double highest = stair->force[0], lowest = stair->force[stair->corners];
    return fmin(fmax(f, lowest), highest);
}

static detent_status solve_free(dt_velocity_box *box, detent_error *error)
{
    for (int k = 0; k < box->count; k++) {
        box->step->held[box->node[k]] = false;
    }
    return dt_velocity_step_solve(box->step, error);
}

/* Stops alone, and a place between them. */
static void take_friction_away(dt_staircase *stair)
{
    const dt_staircase old = *stair;
    const bool lower = isinf(old.force[0]), upper = isinf(old.force[old.corners]);
    *stair = (dt_staircase){.corners = 0, .force = {lower ? INFINITY : 0}};
    if (lower) {
        stair->at[0] = old.at[0];
        stair->hold[0][1] = INFINITY;
        stair->corners++;
    }
    if (upper) {
        stair->at[stair->corners] = old.at[old.corners - 1];
        stair->hold[stair->corners][0] = -INFINITY;
        stair->force[++stair->corners] = -INFINITY;
    }
    stair->place = lower ? 2 : 0;
}

/*
 * The force of a joint that has given way: what was on its way, or nothing where that would drive. A stop is no friction, and stays: who is on his way to it is
 * held there.
 */
static void give_way(dt_velocity_box *box, int k)
{
    dt_staircase *stair = &box->stair[k];
    const int corner = dt_corner_of(stair), way = box->next[k],
              beyond = (corner >= 0 ? corner : stair->place / 2 - (way < 0)) + (way > 0);
    if (isfinite(stair->force[beyond]) == (corner >= 0)) {
        stair->place += way;
    } else {
        take_friction_away(stair);
    }
}

/* Frictions between nothing and those of the last attempt, with nobody held. */
static detent_status share(dt_velocity_box *box, detent_error *error)
{
    dt_velocity_step *step = box->step;
    const dt_system *s = step->system;
    for (int k = 0; k < box->count; k++) {
        box->f0[k] = inside(&box->stair[k], step->f[k]);
        step->f[k] = 0;
    }
    detent_status status = solve_free(box, error);
    memcpy(box->v0, step->v, (size_t)s->tree->nv * sizeof *step->v);
    for (int k = 0; k < box->count && !status; k++) {
        step->f[k] = box->f0[k] * box->v0[box->freedom[k]] < 0 ? box->f0[k] : 0;
    }
    status = status ? status : solve_free(box, error);
    double theta = 1;
    for (int k = 0; k < box->count && !status; k++) {
        const double v0 = box->v0[box->freedom[k]], v1 = step->v[box->freedom[k]];
        theta = step->f[k] * v1 > 0 ? fmin(theta, v0 / (v0 - v1)) : theta;
    }
    for (int j = 0; j < s->tree->nv && !status; j++) {
        step->v[j] = box->v0[j] + theta * (step->v[j] - box->v0[j]);
    }
    for (int k = 0; k < box->count && !status; k++) {
        double *v = &step->v[box->freedom[k]];
        step->f[k] *= theta;
        *v = step->f[k] * *v > 0 ? 0 : *v; /* the one that decides, by rounding */
        box->stair[k] = (dt_staircase){.corners = 0};
    }
    for (int j = 0; j < s->tree->nv && !status; j++) {
        step->a[j] = (step->v[j] - step->start[j]) / step->h;
    }
    return status;
}

detent_status dt_velocity_box_yield(dt_velocity_box *box, size_t most, detent_error *error)
{
    detent_status status = DETENT_OK;
    bool settled = false;
    const size_t before = box->step->solves;
    while (!status && !settled && box->step->solves < before + most) {
        for (int k = 0; k < box->count; k++) {
            if (box->next[k] != 0) {
                give_way(box, k);
            }
        }
        status = attempt(box, before + most, &settled, error);
    }
    return status || settled ? status : share(box, error);
}
