/* Enumeration of all sets of modes, with dynamics of its own: see prove.h. */
#include "prove.h"

#include "chance.h"
#include "prove_modes.h"
#include "prove_scene.h"
#include "prove_ties.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CANDIDATES = 8, STARTS = 6 };

/* ---- whether modes hold ---- */

/* How far the friction of a candidate at rest, or its own test friction, is inside its limits. */
static double margin_of(scene *sc, int d)
{
    const sketch_primitive *p = scene_primitive_of(sc, d);
    sc->direction[d] = 0;
    const double forward =
                     p->forward[0] ? scene_law(sc, d, p->forward) : -scene_law(sc, d, p->limit),
                 reverse =
                     p->reverse[0] ? scene_law(sc, d, p->reverse) : scene_law(sc, d, p->limit);
    const int stop = prove_stop_side(sc, d);
    const double test = p->test[0] ? scene_law(sc, d, p->test) : sc->f[d];
    return fmin(stop > 0 ? (double)INFINITY : test - forward + scene_rub(sc, d, 1, true),
                stop < 0 ? (double)INFINITY : reverse - test + scene_rub(sc, d, -1, true));
}

/* Whether its kinetic friction can hold a joint that its own test friction has released. */
static bool is_held_after_test(scene *sc, int d, double slack)
{
    return scene_primitive_of(sc, d)->test[0] &&
           fabs(sc->f[d]) <= scene_kinetic(sc, d, sc->f[d] > 0 ? -1 : 1) + slack;
}

/* What makes a force of the acceleration of a joint: the joint that closes a loop carries nothing of its own. */
static double inertia_of(const scene *sc, int d)
{
    double most = 0;
    for (int e = 0; e < sc->count && sc->M[d][d] == 0; e++) {
        most = fmax(most, sc->M[e][e]);
    }
    return fmax(most, sc->M[d][d]);
}

/* By how much the mode of a candidate holds at the solution that is in `sc`; below 0 it does not. */
static double hold_of(scene *sc, const modes *m, int d)
{
    const double moves = m->side[d] * sc->a[d] * inertia_of(sc, d);
    return !m->slips[d]                              ? margin_of(sc, d)
           : m->side[d] * prove_stop_side(sc, d) > 0 ? -(double)INFINITY
                                                     : moves;
}

/* The same of the one that holds by the least. */
static double least_margin(scene *sc, const modes *m, const int *candidate, int candidates,
                           double slack)
{
    double least = (double)INFINITY;
    for (int c = 0; c < candidates; c++) {
        const int d = candidate[c];
        const double margin = hold_of(sc, m, d);
        const bool after = margin < 0 && !m->slips[d] && is_held_after_test(sc, d, slack);
        least = fmin(least, after ? 0 : margin);
    }
    return least;
}

/*
 * Whether a joint at rest is at its limit and on the way out, or one that sets out is about to be driven back: a little later, with the motion that
 * follows from these modes, it is further out. They then are no state to go on from.
 */
static bool leaves(const scene *sc, const modes *m, const int *candidate, int candidates,
                   const double *x, double size)
{
    static scene later;
    static double y[UNKNOWNS];
    const double soon = 1e-5, slack = prove_hair * size;
    for (int c = 0; c < candidates; c++) {
        const int d = candidate[c];
        later = *sc;
        const double margin = hold_of(&later, m, d);
        if (margin > slack || (!m->slips[d] && is_held_after_test(&later, d, slack))) {
            continue;
        }
        memcpy(y, x, sizeof y);
        scene_advance(&later, soon);
        if (prove_form(&later) && prove_newton(&later, m, y, size)) {
            prove_set_unknowns(&later, m, y);
            if (hold_of(&later, m, d) < margin - 0.1 * slack) {
                return true;
            }
        }
    }
    return false;
}

/* ---- all sets ---- */

/* The modes that are tried, of whom, and their solution. */
typedef struct attempt {
    scene *sc;
    modes *m;
    const int *candidate;
    int candidates;
    double size, *x;
} attempt;

/* By how much these modes hold where forces are so, with the solution in `x`; minus infinity where there is none. */
static double evaluate(const attempt *a)
{
    if (!prove_newton(a->sc, a->m, a->x, a->size)) {
        return -(double)INFINITY;
    }
    prove_set_unknowns(a->sc, a->m, a->x);
    return least_margin(a->sc, a->m, a->candidate, a->candidates, prove_hair * a->size);
}

/*
 * Whether a force of a loop that others make up for lets the modes hold by more than `margin`, when it is changed by so much one way
 * or the other; the first that does is kept.
 */
static bool shift(const attempt *a, int k, double step, double *margin)
{
    static double kept[UNKNOWNS];
    const double was = a->m->gauge[k];
    memcpy(kept, a->x, sizeof kept);
    for (int side = -1; side <= 1; side += 2) {
        a->m->gauge[k] = was + side * step;
        const double reached = evaluate(a);
        if (reached > *margin) {
            *margin = reached;
            return true;
        }
        memcpy(a->x, kept, sizeof kept);
    }
    a->m->gauge[k] = was;
    return false;
}

/*
 * What joints that are held in one loop carry together can be shared among them in many ways: the forces of loops with which the modes
 * hold by the most, one after the other, with steps that double and halve (compass search, of Fermi and Metropolis). Enough is not to
 * be outside.
 */
static double share_out(const attempt *a, double margin)
{
    bool any = false;
    for (int k = 0; k < a->sc->ties; k++) {
        any = any || a->m->loose[k];
    }
    double step = 0.1 * a->size;
    for (int round = 0; round < 200 && any && margin < -prove_hair * a->size; round++) {
        bool better = false;
        for (int k = 0; k < a->sc->ties; k++) {
            better = (a->m->loose[k] && shift(a, k, step, &margin)) || better;
        }
        step *= better ? 2 : 0.5;
        any = step > 1e-9 * a->size;
    }
    return margin;
}

/* The solution is left in `x`. */
static bool try_modes(const attempt *a)
{
    const int n = prove_unknowns(a->sc);
    scene *sc = a->sc;
    chance c = {12345};
    for (int start = 0; start < STARTS; start++) {
        for (int k = 0; k < n; k++) {
            a->x[k] = start == 0 ? 0 : a->size * pow(10, start - 3) * chance_in(&c, -1, 1);
        }
        for (int d = 0; d < sc->count; d++) {
            sc->direction[d] = a->m->slips[d] ? a->m->side[d] : 0;
            a->m->gauge[d] = a->m->loose[d] && start > 0
                                 ? a->size * pow(10, start - 4) * chance_in(&c, -1, 1)
                                 : 0;
        }
        if (share_out(a, evaluate(a)) >= -prove_hair * a->size) {
            evaluate(a);
            if (!leaves(sc, a->m, a->candidate, a->candidates, a->x, a->size)) {
                return true;
            }
        }
    }
    return false;
}

typedef enum asking { ASKS_CLEARLY, ASKS_WHAT_CANNOT_BE, ASKS_UNCLEARLY } asking;

/*
 * What the conditions of loops ask of joints that are not held. Some may ask for what others ask for, their forces are then loose; or
 * for the contrary, where what is held is held in vain.
 */
static asking find_loose(const scene *sc, modes *m)
{
    static const double something = 1e-4, contradiction = 1e-6;
    static double C[DOFS][DOFS];
    double right[DOFS], most = 1e-30;
    asking asks = ASKS_CLEARLY;
    memset(m->loose, 0, sizeof m->loose);
    for (int k = 0; k < sc->ties; k++) {
        most = fmax(most, fabs(sc->right[k]));
        right[k] = sc->right[k];
        for (int d = 0; d < sc->count; d++) {
            C[k][d] = m->held[d] ? 0 : sc->C[k][d];
            right[k] -= m->held[d] ? sc->C[k][d] * m->given[d] : 0;
        }
        const double size = prove_orthonormalize(sc, C, right, k);
        if (size > 0 && size < something) {
            return ASKS_UNCLEARLY;
        }
        m->loose[k] = size == 0;
        if (size == 0) {
            asks = fabs(right[k]) > contradiction * most ? ASKS_WHAT_CANNOT_BE : asks;
        }
        right[k] = size > 0 ? right[k] / size : 0;
    }
    return asks;
}

/* What is found is left in `m` and `x`. */
static proof enumerate(scene *sc, modes *m, const int *candidate, int candidates, double *x,
                       char *words, size_t capacity)
{
    const attempt a = {sc, m, candidate, candidates, prove_typical_size(sc), x};
    bool all = true;
    long sets = 1;
    for (int k = 0; k < candidates; k++) {
        sets *= 3;
    }
    for (long set = 0; set < sets; set++) {
        long rest = set;
        for (int k = 0; k < candidates; k++, rest /= 3) {
            const int d = candidate[k];
            m->side[d] = (int)(rest % 3) == 2 ? -1 : (int)(rest % 3);
            m->slips[d] = m->side[d] != 0;
            m->held[d] = !m->slips[d];
            m->given[d] = 0;
        }
        const asking asks = find_loose(sc, m);
        all = all && asks != ASKS_UNCLEARLY;
        if (asks == ASKS_CLEARLY && try_modes(&a)) {
            size_t length = (size_t)snprintf(words, capacity, "consistent:");
            for (int k = 0; k < candidates && length < capacity; k++) {
                length += (size_t)snprintf(words + length, capacity - length, " %s %+d",
                                           scene_primitive_of(sc, candidate[k])->name,
                                           m->side[candidate[k]]);
            }
            return PROOF_ONE_EXISTS;
        }
    }
    snprintf(words, capacity, "none of %ld sets of modes, %d starts each%s", sets, STARTS,
             all ? "" : "; but what is held in a loop is not told apart");
    return all ? PROOF_NONE_EXISTS : PROOF_NOT_POSSIBLE;
}

/* Who may lock, who slips on, whose motion is given. Slow beside others is not at rest: a joint that is comes to it at once. */
static int sort_freedoms(scene *sc, modes *m, int *candidate)
{
    static const double at_once = 1e-6; /* s */
    int candidates = 0;
    double fastest = 1e-3;
    for (int d = 0; d < sc->count; d++) {
        fastest = fmax(fastest, fabs(sc->v[sc->dof[d].v]));
    }
    for (int d = 0; d < sc->count; d++) {
        const sketch_primitive *p = scene_primitive_of(sc, d);
        double *speed = &sc->v[sc->dof[d].v];
        if (p->motion[0]) {
            m->held[d] = true;
            m->given[d] = prove_motion_derivative(sc, d, p->motion, 2);
        } else if ((p->stiction || prove_stop_side(sc, d) != 0) && fabs(*speed) <= 1e-7 * fastest &&
                   fabs(*speed) <= at_once * fabs(sc->a[d])) {
            *speed = 0;
            candidate[candidates++] = d;
        } else if (p->stiction) {
            m->slips[d] = true;
            m->side[d] = *speed > 0 ? 1 : -1;
        }
    }
    return candidates;
}

/* Whether the velocities at the start are such as loops allow: others have been changed by assembling them, and are not known. What
 * an impact has left is rounding of the fastest where it is nothing. */
static bool starts_closed(scene *sc)
{
    static double C[PROVE_TIES][DOFS];
    static const double rounding = 64 * DBL_EPSILON;
    const int count = prove_ties(sc, C);
    double fastest = 0;
    bool all = true;
    for (int d = 0; d < sc->count; d++) {
        fastest = fmax(fastest, fabs(sc->v[sc->dof[d].v]));
    }
    for (int r = 0; r < count; r++) {
        double sum = 0, most = 0, reach = 0;
        for (int d = 0; d < sc->count; d++) {
            const double term = C[r][d] * sc->v[sc->dof[d].v];
            sum += term;
            most = fmax(most, fabs(term));
            reach += fabs(C[r][d]);
        }
        all = all && fabs(sum) <= 1e-9 * most + rounding * reach * fastest;
    }
    return all;
}

/* Whether what joints of loops transmit is here what it is for the engine, so that laws read the same. */
static bool agrees_in_loops(scene *sc, const verdict *v)
{
    /* At a fold a run knows its forces to the root of its tolerance. */
    static const double little = 1e-5;
    const int rounds = sc->circular ? 50 : 1; /* loads that read what they change, by little */
    scene_form_equations(sc);
    if (v->coordinates == 0) {
        return starts_closed(sc);
    }
    double size = prove_typical_size(sc);
    prove_take_state(sc, v);
    for (int round = 0; round < rounds; round++) {
        prove_form_tied_reactions(sc);
    }
    for (int d = 0; d < sc->count; d++) {
        size = fmax(size, fabs(sc->f[d]));
    }
    int who;
    return prove_departure(sc, &who) <= little * size;
}

/* The scene of a verdict, a moment later: whatever switches then has switched. */
bool prove_set_instant(scene *sc, const sketch *s, const verdict *v)
{
    if (!prove_set_scene(sc, s, v) || (sc->circular && sc->count > 30) ||
        (sc->tied && !agrees_in_loops(sc, v))) {
        return false;
    }
    sc->t += 1e-9 * (1 + fabs(sc->t));
    return true;
}

/* Any consistent modes of a scene. */
proof prove_find_modes(scene *sc, modes *m, double *x, char *words, size_t capacity)
{
    int candidate[DOFS];
    memset(m, 0, sizeof *m);
    const int candidates = sort_freedoms(sc, m, candidate);
    if (candidates > MOST_CANDIDATES) {
        snprintf(words, capacity, "%d candidates are too many", candidates);
        return PROOF_NOT_POSSIBLE;
    }
    if (!prove_form(sc)) {
        snprintf(words, capacity, "near a dead centre");
        return PROOF_NOT_POSSIBLE;
    }
    return enumerate(sc, m, candidate, candidates, x, words, capacity);
}

proof prove(const sketch *s, const verdict *v, char *words, size_t capacity)
{
    static scene sc;
    static modes m;
    static double x[UNKNOWNS];
    if (!prove_set_instant(&sc, s, v)) {
        snprintf(words, capacity, sc.tied ? "loops carry what is not known" : "too large");
        return PROOF_NOT_POSSIBLE;
    }
    return prove_find_modes(&sc, &m, x, words, capacity);
}
