/* Enumeration of all sets of modes, with dynamics of its own: see prove.h. */
#include "prove.h"

#include "chance.h"
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double prove_bound = 1e-10;

static const double hair = 1e-7; /* of the forces: what is no difference */

enum { MOST_CANDIDATES = 7, STARTS = 6, ITERATIONS = 40 };

/* ---- one set of modes ---- */

typedef struct modes {
    bool held[DOFS];  /* a is given: locked or prescribed */
    bool slips[DOFS]; /* friction is given by `side` */
    int side[DOFS];
    double given[DOFS];
} modes;

/*
 * Unknowns x: a of the free freedoms, the driving force of the held ones (friction, or what drives a motion). Laws are
 * evaluated at the state that x makes; reactions depend on a and on loads that may depend on reactions, so they are
 * unknowns as well: z, six a freedom.
 */
static void set_unknowns(scene *sc, const modes *m, const double *x)
{
    const int n = sc->count;
    for (int d = 0; d < n; d++) {
        sc->a[d] = m->held[d] ? m->given[d] : x[d];
        sc->f[d] = m->held[d] ? x[d] : m->slips[d] ? x[d + n] : 0;
        if (sc->circular) {
            memcpy(sc->reaction[d], x + 2 * n + 6 * d, sizeof sc->reaction[d]);
        }
    }
    if (!sc->circular) {
        scene_form_reactions(sc);
    }
}

static void residual(scene *sc, const modes *m, const double *x, double *r)
{
    const int n = sc->count;
    double Q[DOFS];
    set_unknowns(sc, m, x);
    scene_form_forces(sc, Q);
    for (int d = 0; d < n; d++) {
        r[d] = sc->h[d] - Q[d] - sc->f[d];
        for (int e = 0; e < n; e++) {
            r[d] += sc->M[d][e] * sc->a[e];
        }
        r[d + n] = x[d + n];
        if (m->slips[d] && !m->held[d]) {
            r[d + n] = x[d + n] + m->side[d] * scene_kinetic(sc, d, m->side[d]);
        }
    }
    if (!sc->circular) {
        return;
    }
    double kept[DOFS][6];
    memcpy(kept, sc->reaction, sizeof kept);
    scene_form_reactions(sc);
    for (int d = 0; d < n; d++) {
        for (int i = 0; i < 6; i++) {
            r[2 * n + 6 * d + i] = kept[d][i] - sc->reaction[d][i];
        }
    }
    memcpy(sc->reaction, kept, sizeof kept);
}

enum { UNKNOWNS = 8 * DOFS };

static bool solve_linear(int n, double *A, double *b)
{
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int r = c + 1; r < n; r++) {
            pivot = fabs(A[r * n + c]) > fabs(A[pivot * n + c]) ? r : pivot;
        }
        if (!(fabs(A[pivot * n + c]) > 0)) {
            return false;
        }
        for (int k = c; k < n && pivot != c; k++) {
            const double t = A[c * n + k];
            A[c * n + k] = A[pivot * n + k];
            A[pivot * n + k] = t;
        }
        const double t = b[c];
        b[c] = b[pivot];
        b[pivot] = t;
        for (int r = c + 1; r < n; r++) {
            const double factor = A[r * n + c] / A[c * n + c];
            for (int k = c; k < n && factor != 0; k++) {
                A[r * n + k] -= factor * A[c * n + k];
            }
            b[r] -= factor * b[c];
        }
    }
    for (int r = n - 1; r >= 0; r--) {
        for (int k = r + 1; k < n; k++) {
            b[r] -= A[r * n + k] * b[k];
        }
        b[r] /= A[r * n + r];
    }
    return true;
}

static double norm(const double *r, int n)
{
    double most = 0;
    for (int k = 0; k < n; k++) {
        most = fmax(most, fabs(r[k]));
        if (isnan(r[k])) {
            return (double)INFINITY;
        }
    }
    return most;
}

/* Newton with a matrix of differences and halved steps; false where it does not converge. */
static bool newton(scene *sc, const modes *m, double *x, double size)
{
    static double A[UNKNOWNS * UNKNOWNS];
    static double r[UNKNOWNS], other[UNKNOWNS], y[UNKNOWNS], step[UNKNOWNS];
    const int n = (sc->circular ? 8 : 2) * sc->count;
    residual(sc, m, x, r);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        const double was = norm(r, n);
        if (was <= 1e-11 * size) {
            return true;
        }
        for (int c = 0; c < n; c++) {
            const double h = 1e-6 * fmax(fabs(x[c]), 1e-3 * size);
            memcpy(y, x, (size_t)n * sizeof *y);
            y[c] += h;
            residual(sc, m, y, other);
            for (int k = 0; k < n; k++) {
                A[k * n + c] = (other[k] - r[k]) / h;
            }
        }
        memcpy(step, r, (size_t)n * sizeof *step);
        if (!isfinite(was) || !solve_linear(n, A, step)) {
            return false;
        }
        double share = 1;
        for (int halving = 0; halving < 12; halving++, share /= 2) {
            for (int k = 0; k < n; k++) {
                y[k] = x[k] - share * step[k];
            }
            residual(sc, m, y, other);
            if (norm(other, n) < was) {
                break;
            }
        }
        if (!(norm(other, n) < was)) {
            return was <= 1e-8 * size; /* rounding is all that is left */
        }
        memcpy(x, y, (size_t)n * sizeof *x);
        memcpy(r, other, (size_t)n * sizeof *r);
    }
    return norm(r, n) <= 1e-8 * size;
}

/* How far the friction of a candidate at rest, or its own test friction, is inside its limits. */
static double margin_of(scene *sc, int d)
{
    const sketch_primitive *p = scene_primitive_of(sc, d);
    sc->direction[d] = 0;
    const double forward =
                     p->forward[0] ? scene_law(sc, d, p->forward) : -scene_law(sc, d, p->limit),
                 reverse =
                     p->reverse[0] ? scene_law(sc, d, p->reverse) : scene_law(sc, d, p->limit);
    const double test = p->test[0] ? scene_law(sc, d, p->test) : sc->f[d];
    return fmin(test - forward, reverse - test);
}

/* Whether its kinetic friction can hold a joint that its own test friction has released. */
static bool is_held_after_test(scene *sc, int d, double slack)
{
    return scene_primitive_of(sc, d)->test[0] &&
           fabs(sc->f[d]) <= scene_kinetic(sc, d, sc->f[d] > 0 ? -1 : 1) + slack;
}

/* Whether the modes hold at the solution that is in `sc`. */
static bool holds(scene *sc, const modes *m, const int *candidate, int candidates, double slack)
{
    for (int c = 0; c < candidates; c++) {
        const int d = candidate[c];
        const bool agrees = m->slips[d]
                                ? m->side[d] * sc->a[d] * sc->M[d][d] >= -slack
                                : margin_of(sc, d) >= -slack || is_held_after_test(sc, d, slack);
        if (!agrees) {
            return false;
        }
    }
    return true;
}

/*
 * Whether a joint at rest is at its limit and on the way out: a little later, with the motion that follows from these
 * modes, it is further out. They then are no state to go on from.
 */
static bool leaves(const scene *sc, const modes *m, const int *candidate, int candidates,
                   const double *x, double size)
{
    static scene later;
    static double y[UNKNOWNS];
    const double soon = 1e-5, slack = hair * size;
    for (int c = 0; c < candidates; c++) {
        const int d = candidate[c];
        later = *sc;
        const double margin = m->slips[d] ? (double)INFINITY : margin_of(&later, d);
        if (margin > slack || is_held_after_test(&later, d, slack)) {
            continue;
        }
        memcpy(y, x, sizeof y);
        scene_advance(&later, soon);
        scene_form_equations(&later);
        if (newton(&later, m, y, size)) {
            set_unknowns(&later, m, y);
            if (margin_of(&later, d) < margin - 0.1 * slack) {
                return true;
            }
        }
    }
    return false;
}

/* The first or second derivative of a motion: differences of sixth order, whose error is about 1e-10. */
static double motion_derivative(scene *sc, int d, const char *text, int order)
{
    static const double h = 2e-3, first[4] = {0, 45, -9, 1}, second[4] = {-490, 270, -27, 2};
    const double t = sc->t;
    double sum = order == 2 ? second[0] * scene_law(sc, d, text) : 0;
    for (int k = 1; k < 4; k++) {
        sc->t = t + k * h;
        const double later = scene_law(sc, d, text);
        sc->t = t - k * h;
        const double earlier = scene_law(sc, d, text);
        sum += order == 2 ? second[k] * (later + earlier) : first[k] * (later - earlier);
    }
    sc->t = t;
    return order == 2 ? sum / (180 * h * h) : sum / (60 * h);
}

static double typical_size(scene *sc)
{
    double size = 1e-30, Q[DOFS];
    memset(sc->a, 0, sizeof sc->a);
    memset(sc->f, 0, sizeof sc->f);
    scene_form_reactions(sc);
    scene_form_forces(sc, Q);
    for (int d = 0; d < sc->count; d++) {
        size = fmax(size, fmax(fabs(sc->h[d]), fabs(Q[d])));
        size = fmax(size, norm(sc->reaction[d], 6));
    }
    return size;
}

/* ---- all sets ---- */

static bool try_modes(scene *sc, modes *m, const int *candidate, int candidates, double size)
{
    static double x[UNKNOWNS];
    const int n = (sc->circular ? 8 : 2) * sc->count;
    chance c = {12345};
    for (int start = 0; start < STARTS; start++) {
        for (int k = 0; k < n; k++) {
            x[k] = start == 0 ? 0 : size * pow(10, start - 3) * chance_in(&c, -1, 1);
        }
        for (int d = 0; d < sc->count; d++) {
            sc->direction[d] = m->slips[d] ? m->side[d] : 0;
        }
        if (newton(sc, m, x, size)) {
            set_unknowns(sc, m, x);
            if (holds(sc, m, candidate, candidates, hair * size) &&
                !leaves(sc, m, candidate, candidates, x, size)) {
                return true;
            }
        }
    }
    return false;
}

static proof enumerate(scene *sc, modes *m, const int *candidate, int candidates, char *words,
                       size_t capacity)
{
    const double size = typical_size(sc);
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
        if (try_modes(sc, m, candidate, candidates, size)) {
            size_t length = (size_t)snprintf(words, capacity, "consistent:");
            for (int k = 0; k < candidates && length < capacity; k++) {
                length += (size_t)snprintf(words + length, capacity - length, " %s %+d",
                                           scene_primitive_of(sc, candidate[k])->name,
                                           m->side[candidate[k]]);
            }
            return PROOF_ONE_EXISTS;
        }
    }
    snprintf(words, capacity, "none of %ld sets of modes, %d starts each", sets, STARTS);
    return PROOF_NONE_EXISTS;
}

/* Freedoms in the order of the state, which is that of the file's joints. */
static bool list_freedoms(scene *sc)
{
    int q = 0, v = 0;
    for (int k = 0; k < sc->s->count; k++) {
        const sketch_joint *j = &sc->s->joint[k];
        for (int i = 0; i < j->count && j->alive; i++) {
            const int axes = j->primitive[i].kind == 's' ? 3 : 1;
            for (int axis = 0; axis < axes; axis++) {
                if (sc->count == DOFS) {
                    return false;
                }
                sc->dof[sc->count++] = (dof){k, i, axis, q, v + axis};
            }
            q += axes == 3 ? 4 : 1;
            v += axes;
        }
    }
    return true;
}

/* The state at the start, where none is known. */
static void set_start(scene *sc)
{
    sc->t = 0;
    for (int d = 0; d < sc->count; d++) {
        const sketch_primitive *p = scene_primitive_of(sc, d);
        const dof *own = &sc->dof[d];
        if (p->kind == 's') {
            sc->q[own->q] = 1;
            sc->v[own->v] = p->spin[own->axis];
        } else if (p->motion[0]) {
            sc->v[own->v] = motion_derivative(sc, d, p->motion, 1);
            sc->q[own->q] = scene_law(sc, d, p->motion);
        } else {
            sc->q[own->q] = p->position;
            sc->v[own->v] = p->velocity;
        }
    }
}

/* A state of the run, in the units of the sketch. */
static void take_state(scene *sc, const verdict *v)
{
    const sketch *s = sc->s;
    const double *q = v->state, *speed = q + v->coordinates, *a = speed + v->freedoms,
                 *f = a + v->freedoms;
    sc->t = v->time / sketch_unit(s, 0, 0, 1);
    for (int d = 0; d < sc->count; d++) {
        const dof *own = &sc->dof[d];
        const int l = sketch_length(scene_primitive_of(sc, d));
        for (int k = own->q; k < own->q + (scene_kind_of(sc, d) == 's' ? 4 : 1); k++) {
            sc->q[k] = q[k] / sketch_unit(s, 0, l, 0);
        }
        sc->v[own->v] = speed[own->v] / sketch_unit(s, 0, l, -1);
        sc->a[d] = a[own->v] / sketch_unit(s, 0, l, -2);
        sc->f[d] = f[own->v] / sketch_unit(s, 1, 2 - l, -2);
    }
}

static bool set_scene(scene *sc, const sketch *s, const verdict *v)
{
    memset(sc, 0, sizeof *sc);
    sc->s = s;
    for (int l = 0; l < SKETCH_LOADS; l++) {
        for (int x = 0; x < 3 && s->load[l].body >= 0; x++) {
            sc->circular = sc->circular || strstr(s->load[l].force[x], "reaction") ||
                           strstr(s->load[l].torque[x], "reaction");
        }
    }
    if (!list_freedoms(sc)) {
        return false;
    }
    if (v->coordinates == 0) {
        set_start(sc);
    } else {
        take_state(sc, v);
    }
    for (int k = 0; k < s->inputs && s->input_time[k] <= sc->t * (1 + 1e-12); k++) {
        sc->u = s->input_value[k];
    }
    return true;
}

/* Of what cancels in the forces of turning bodies: their momenta times the fastest turn. */
static double gyroscopic_size(const scene *sc)
{
    double fastest = 0, size = 0;
    for (int d = 0; d < sc->count; d++) {
        const bool turns = sketch_length(scene_primitive_of(sc, d)) == 0;
        fastest = fmax(fastest, turns ? fabs(sc->v[sc->dof[d].v]) : 0);
    }
    for (int d = 0; d < sc->count; d++) {
        for (int e = 0; e < sc->count; e++) {
            size = fmax(size, fabs(sc->M[d][e] * sc->v[sc->dof[e].v]) * fastest);
        }
    }
    return size;
}

static double check_dynamics(const sketch *s, const verdict *v, double later, char *words,
                             size_t capacity)
{
    static scene sc;
    double Q[DOFS], worst = 0;
    if (!set_scene(&sc, s, v) || v->coordinates == 0 || sc.circular || sketch_jumps(s)) {
        return (double)NAN;
    }
    sc.t += later;
    scene_form_equations(&sc);
    double most = fmax(typical_size(&sc), gyroscopic_size(&sc));
    take_state(&sc, v); /* the accelerations too */
    sc.t += later;
    scene_form_reactions(&sc);
    scene_form_forces(&sc, Q);
    for (int d = 0; d < sc.count; d++) {
        double residual = sc.h[d] - Q[d] - sc.f[d];
        for (int e = 0; e < sc.count; e++) {
            residual += sc.M[d][e] * sc.a[e];
            most = fmax(most, fabs(sc.M[d][e] * sc.a[e]));
        }
        if (!scene_primitive_of(&sc, d)->motion[0] && fabs(residual) > worst) {
            worst = fabs(residual);
            snprintf(words, capacity, "%s: the equations of motion are off by %g of %g",
                     scene_primitive_of(&sc, d)->name, worst, most);
        }
    }
    return worst / most;
}

double prove_dynamics(const sketch *s, const verdict *v, char *words, size_t capacity)
{
    double off = check_dynamics(s, v, 0, words, capacity);
    /* a switch of t that stands at its border may be on either side; laws change by 1e-11 until then */
    for (int side = -1; side <= 1 && off > prove_bound; side += 2) {
        off = fmin(off, check_dynamics(s, v, side * 1e-12, words, capacity));
    }
    return off;
}

/* Who may lock, who slips on, whose motion is given. */
static int sort_freedoms(scene *sc, modes *m, int *candidate)
{
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
            m->given[d] = motion_derivative(sc, d, p->motion, 2);
        } else if (p->stiction && fabs(*speed) <= 1e-7 * fastest) {
            *speed = 0;
            candidate[candidates++] = d;
        } else if (p->stiction) {
            m->slips[d] = true;
            m->side[d] = *speed > 0 ? 1 : -1;
        }
    }
    return candidates;
}

proof prove(const sketch *s, const verdict *v, char *words, size_t capacity)
{
    static scene sc;
    static modes m;
    int candidate[DOFS];
    memset(&m, 0, sizeof m);
    if (!set_scene(&sc, s, v) || (sc.circular && sc.count > 12)) {
        snprintf(words, capacity, "too large");
        return PROOF_NOT_POSSIBLE;
    }
    sc.t += 1e-9 * (1 + fabs(sc.t)); /* whatever switches now has switched */
    const int candidates = sort_freedoms(&sc, &m, candidate);
    if (candidates > MOST_CANDIDATES) {
        snprintf(words, capacity, "%d candidates are too many", candidates);
        return PROOF_NOT_POSSIBLE;
    }
    scene_form_equations(&sc);
    return enumerate(&sc, &m, candidate, candidates, words, capacity);
}
