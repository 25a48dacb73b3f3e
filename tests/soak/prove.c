/* Enumeration of all sets of modes, with dynamics of its own: see prove.h. */
#include "prove.h"

#include "chance.h"
#include "prove_scene.h"
#include "prove_ties.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double hair = 1e-7; /* of the forces: what is no difference */

enum { MOST_CANDIDATES = 7, STARTS = 6, ITERATIONS = 40 };

/* ---- one set of modes ---- */

typedef struct modes {
    bool held[DOFS];  /* a is given: locked or prescribed */
    bool slips[DOFS]; /* friction is given by `side` */
    int side[DOFS];
    double given[DOFS];
    bool loose
        [DOFS]; /* the condition of a loop asks for what others ask for, with what is held: its force is `gauge` */
    double gauge[DOFS];
} modes;

/*
 * Unknowns x: a of the free freedoms, the driving force of the held ones (friction, or what drives a motion). Laws are
 * evaluated at the state that x makes; reactions depend on a and on loads that may depend on reactions, so they are
 * unknowns as well: z, six a freedom. So are the forces of loops and couplings, one a condition.
 */
static int first_tie(const scene *sc)
{
    return (sc->circular ? 8 : 2) * sc->count;
}

static int unknowns(const scene *sc)
{
    return first_tie(sc) + (sc->tied ? sc->ties : 0);
}

/* The equations at the present state; false where those of loops are not clear. */
static bool form(scene *sc)
{
    scene_form_equations(sc);
    return !sc->tied || prove_form_ties(sc);
}

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
    if (sc->tied) {
        prove_pull(sc, x + first_tie(sc));
    }
    if (!sc->circular) {
        scene_form_reactions(sc);
        prove_relax(sc);
    }
}

/* Forces of loops and couplings act, and accelerations are what these ask for, or forces are what was chosen. */
static void add_ties(const scene *sc, const modes *m, const double *x, double *r)
{
    const double *force = x + first_tie(sc);
    double *off = r + first_tie(sc);
    for (int k = 0; k < sc->ties; k++) {
        off[k] = -sc->right[k];
        for (int d = 0; d < sc->count; d++) {
            r[d] -= sc->C[k][d] * force[k];
            off[k] += sc->C[k][d] * sc->a[d];
        }
        off[k] = m->loose[k] ? force[k] - m->gauge[k] : off[k];
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
    if (sc->tied) {
        add_ties(sc, m, x, r);
    }
    if (!sc->circular) {
        return;
    }
    double kept[DOFS][6];
    memcpy(kept, sc->reaction, sizeof kept);
    scene_form_reactions(sc);
    prove_relax(sc);
    for (int d = 0; d < n; d++) {
        for (int i = 0; i < 6; i++) {
            r[2 * n + 6 * d + i] = kept[d][i] - sc->reaction[d][i];
        }
    }
    memcpy(sc->reaction, kept, sizeof kept);
}

enum { UNKNOWNS = 9 * DOFS };

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

/* The derivatives of the residual r at x, by differences. */
static void differentiate(scene *sc, const modes *m, const double *x, const double *r, double size,
                          double *A)
{
    static double y[UNKNOWNS], other[UNKNOWNS];
    const int n = unknowns(sc);
    for (int c = 0; c < n; c++) {
        const double h = 1e-6 * fmax(fabs(x[c]), 1e-3 * size);
        memcpy(y, x, (size_t)n * sizeof *y);
        y[c] += h;
        residual(sc, m, y, other);
        for (int k = 0; k < n; k++) {
            A[k * n + c] = (other[k] - r[k]) / h;
        }
    }
}

/* Newton with a matrix of differences and halved steps; false where it does not converge. */
static bool newton(scene *sc, const modes *m, double *x, double size)
{
    static double A[UNKNOWNS * UNKNOWNS];
    static double r[UNKNOWNS], other[UNKNOWNS], y[UNKNOWNS], step[UNKNOWNS];
    const int n = unknowns(sc);
    residual(sc, m, x, r);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        const double was = prove_norm(r, n);
        if (was <= 1e-11 * size) {
            return true;
        }
        differentiate(sc, m, x, r, size, A);
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
            if (prove_norm(other, n) < was) {
                break;
            }
        }
        if (!(prove_norm(other, n) < was)) {
            return was <= 1e-8 * size; /* rounding is all that is left */
        }
        memcpy(x, y, (size_t)n * sizeof *x);
        memcpy(r, other, (size_t)n * sizeof *r);
    }
    return prove_norm(r, n) <= 1e-8 * size;
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
    return fmin(test - forward + scene_rub(sc, d, 1), reverse - test + scene_rub(sc, d, -1));
}

/* Whether its kinetic friction can hold a joint that its own test friction has released. */
static bool is_held_after_test(scene *sc, int d, double slack)
{
    return scene_primitive_of(sc, d)->test[0] &&
           fabs(sc->f[d]) <= scene_kinetic(sc, d, sc->f[d] > 0 ? -1 : 1) + slack;
}

/* By how much the modes hold at the solution that is in `sc`; below 0 they do not. */
static double least_margin(scene *sc, const modes *m, const int *candidate, int candidates,
                           double slack)
{
    double least = (double)INFINITY;
    for (int c = 0; c < candidates; c++) {
        const int d = candidate[c];
        const double margin = m->slips[d] ? m->side[d] * sc->a[d] * sc->M[d][d] : margin_of(sc, d);
        const bool after = margin < 0 && !m->slips[d] && is_held_after_test(sc, d, slack);
        least = fmin(least, after ? 0 : margin);
    }
    return least;
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
        if (form(&later) && newton(&later, m, y, size)) {
            set_unknowns(&later, m, y);
            if (margin_of(&later, d) < margin - 0.1 * slack) {
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
    if (!newton(a->sc, a->m, a->x, a->size)) {
        return -(double)INFINITY;
    }
    set_unknowns(a->sc, a->m, a->x);
    return least_margin(a->sc, a->m, a->candidate, a->candidates, hair * a->size);
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
    for (int round = 0; round < 200 && any && margin < -hair * a->size; round++) {
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
    const int n = unknowns(a->sc);
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
        if (share_out(a, evaluate(a)) >= -hair * a->size) {
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
        } else if (p->stiction && fabs(*speed) <= 1e-7 * fastest &&
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

/* Whether the velocities at the start are such as loops allow: others have been changed by assembling them, and are not known. */
static bool starts_closed(scene *sc)
{
    static double C[PROVE_TIES][DOFS];
    const int count = prove_ties(sc, C);
    bool all = true;
    for (int r = 0; r < count; r++) {
        double sum = 0, most = 0;
        for (int d = 0; d < sc->count; d++) {
            const double term = C[r][d] * sc->v[sc->dof[d].v];
            sum += term;
            most = fmax(most, fabs(term));
        }
        all = all && fabs(sum) <= 1e-9 * most;
    }
    return all;
}

/* Whether what joints of loops transmit is here what it is for the engine, so that laws read the same. */
static bool agrees_in_loops(scene *sc, const verdict *v)
{
    static const double little =
        1e-5; /* at a fold a run knows its forces to the root of its tolerance */
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
static bool set_scene(scene *sc, const sketch *s, const verdict *v)
{
    if (!prove_set_scene(sc, s, v) || (sc->circular && sc->count > 12) ||
        (sc->tied && !agrees_in_loops(sc, v))) {
        return false;
    }
    sc->t += 1e-9 * (1 + fabs(sc->t));
    return true;
}

/* Any consistent modes of a scene. */
static proof find_modes(scene *sc, modes *m, double *x, char *words, size_t capacity)
{
    int candidate[DOFS];
    memset(m, 0, sizeof *m);
    const int candidates = sort_freedoms(sc, m, candidate);
    if (candidates > MOST_CANDIDATES) {
        snprintf(words, capacity, "%d candidates are too many", candidates);
        return PROOF_NOT_POSSIBLE;
    }
    if (!form(sc)) {
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
    if (!set_scene(&sc, s, v)) {
        snprintf(words, capacity, sc.tied ? "loops carry what is not known" : "too large");
        return PROOF_NOT_POSSIBLE;
    }
    return find_modes(&sc, &m, x, words, capacity);
}

/* ---- a fold ---- */

/* Solutions with the same modes along the motion that starts from `at`. */
typedef struct path {
    scene at;
    modes m;
    double x[UNKNOWNS], size;
    int n;
} path;

/* The solution h later, next to x, which it replaces; false where there is none. */
static bool follow(const path *p, double h, double *x)
{
    static scene later;
    static double y[UNKNOWNS];
    later = p->at;
    scene_advance(&later, h);
    memcpy(y, x, sizeof y);
    if (!form(&later) || !newton(&later, &p->m, y, p->size)) {
        return false;
    }
    memcpy(x, y, sizeof y);
    return true;
}

/* Whether there is no solution h later, neither this one nor one with other modes. */
static bool is_gone(const path *p, double h)
{
    static scene later;
    static modes m;
    static double x[UNKNOWNS];
    char words[256];
    memcpy(x, p->x, sizeof x);
    later = p->at;
    scene_advance(&later, h);
    return !follow(p, h, x) && find_modes(&later, &m, x, words, sizeof words) == PROOF_NONE_EXISTS;
}

/*
 * When the solution is gone for good: three decades of moments; 0 if it is not. Runs stop as much as a millionth of the
 * time before an end that they tell (src/integrator/ending.c), so that the first of the three may be 1e-5 s.
 */
static double gone_after(const path *p)
{
    static const double first = 1e-9, last = 1e-3;
    int row = 0;
    for (double h = first; h < 2 * last; h *= 10) {
        row = is_gone(p, h) ? row + 1 : 0;
        if (row == 3) {
            return h / 100;
        }
    }
    return 0;
}

/* The last solution before it is gone, in x; when. */
static double find_end(const path *p, double gone, double *x)
{
    double there = 0;
    memcpy(x, p->x, sizeof p->x);
    for (int round = 0; round < 50; round++) {
        const double middle = 0.5 * (there + gone);
        *(follow(p, middle, x) ? &there : &gone) = middle;
    }
    return there;
}

static double distance(const path *p, const double *x, const double *y)
{
    double most = 0;
    for (int k = 0; k < p->n; k++) {
        most = fmax(most, fabs(x[k] - y[k]));
    }
    return most;
}

/* Where solutions part from the last one: what its matrix takes to next to nothing, with 1 as its largest. Inverse iteration. */
static bool find_parting(const path *p, double end, const double *last, double *way)
{
    static double A[UNKNOWNS * UNKNOWNS], r[UNKNOWNS];
    static scene there;
    chance c = {777};
    for (int k = 0; k < p->n; k++) {
        way[k] = chance_in(&c, -1, 1);
    }
    there = p->at;
    scene_advance(&there, end);
    if (!form(&there)) {
        return false;
    }
    residual(&there, &p->m, last, r);
    for (int round = 0; round < 4; round++) {
        differentiate(&there, &p->m, last, r, p->size, A);
        if (!solve_linear(p->n, A, way)) {
            return false;
        }
        const double most = prove_norm(way, p->n);
        for (int k = 0; k < p->n; k++) {
            way[k] /= most;
        }
    }
    return true;
}

/* The solution at a time next to the last one moved so far along the parting; where it is between the two, as a share of that. */
static double part(const path *p, double when, const double *last, const double *way, double far,
                   double *x)
{
    double along = 0, square = 0;
    for (int k = 0; k < p->n; k++) {
        x[k] = last[k] + far * way[k];
    }
    if (!follow(p, when, x)) {
        return 0;
    }
    for (int k = 0; k < p->n; k++) {
        along += (x[k] - last[k]) * way[k];
        square += way[k] * way[k];
    }
    return along / square;
}

/* Whether two solutions, on either side of the last one and as far from it, are there a while before the end. */
static bool two_meet(const path *p, double end, const double *last, double before)
{
    static double way[UNKNOWNS], one[UNKNOWNS], other[UNKNOWNS];
    bool found = false;
    if (!find_parting(p, end, last, way)) {
        return false;
    }
    for (double far = hair * p->size; far < p->size && !found; far *= 2) {
        const double forth = part(p, end - before, last, way, far, one),
                     back = part(p, end - before, last, way, -far, other);
        found = forth > 0 && back < 0 && fabs(forth + back) < 0.3 * forth &&
                distance(p, one, other) > 2 * hair * p->size;
    }
    return found;
}

/*
 * Whether the state stands at a fold: beside its solution there is another one with the same modes that all but meets it.
 * A motion that follows a fold, nearer and nearer, comes to its end without one on the straight line ahead of it.
 */
static bool has_double(const path *p)
{
    static double y[UNKNOWNS];
    chance c = {54321};
    for (int start = 0; start < 20; start++) {
        for (int k = 0; k < p->n; k++) {
            y[k] = p->x[k] * (1 + 0.03 * chance_in(&c, -1, 1));
        }
        if (follow(p, 0, y)) {
            const double away = distance(p, y, p->x);
            if (away > 1e-5 * p->size && away < 0.02 * p->size) {
                return true;
            }
        }
    }
    return false;
}

bool prove_fold(const sketch *s, const verdict *v)
{
    static path p;
    static double last[UNKNOWNS];
    char words[256];
    if (v->coordinates == 0 || !set_scene(&p.at, s, v) ||
        find_modes(&p.at, &p.m, p.x, words, sizeof words) != PROOF_ONE_EXISTS) {
        return false;
    }
    p.size = prove_typical_size(&p.at);
    p.n = unknowns(&p.at);
    set_unknowns(&p.at, &p.m, p.x);
    const double gone = gone_after(&p);
    bool found = gone == 0 && has_double(&p);
    if (gone > 0) {
        const double end = find_end(&p, gone, last);
        for (double before = 1e-8; before < 2e-5 && !found; before *= 10) {
            found = two_meet(&p, end, last, before);
        }
    }
    return found;
}
