/* Whether the solution that a run ended with ends in a fold: see prove.h. */
#include "prove.h"

#include "chance.h"
#include "prove_modes.h"
#include "prove_scene.h"

#include <math.h>
#include <string.h>

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
    if (!prove_form(&later) || !prove_newton(&later, &p->m, y, p->size)) {
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
    return !follow(p, h, x) &&
           prove_find_modes(&later, &m, x, words, sizeof words) == PROOF_NONE_EXISTS;
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
    if (!prove_form(&there)) {
        return false;
    }
    prove_residual(&there, &p->m, last, r);
    for (int round = 0; round < 4; round++) {
        prove_differentiate(&there, &p->m, last, r, p->size, A);
        if (!prove_solve_linear(p->n, A, way)) {
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
    for (double far = prove_hair * p->size; far < p->size && !found; far *= 2) {
        const double forth = part(p, end - before, last, way, far, one),
                     back = part(p, end - before, last, way, -far, other);
        found = forth > 0 && back < 0 && fabs(forth + back) < 0.3 * forth &&
                distance(p, one, other) > 2 * prove_hair * p->size;
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
    if (v->coordinates == 0 || !prove_set_instant(&p.at, s, v) ||
        prove_find_modes(&p.at, &p.m, p.x, words, sizeof words) != PROOF_ONE_EXISTS) {
        return false;
    }
    p.size = prove_typical_size(&p.at);
    p.n = prove_unknowns(&p.at);
    prove_set_unknowns(&p.at, &p.m, p.x);
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
