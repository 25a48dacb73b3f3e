#include "prove_scene.h"

#include "kind.h"

#include <math.h>
#include <string.h>

double prove_norm(const double *r, int n)
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

/* The first or second derivative of a motion: differences of sixth order, whose error is about 1e-10. */
double prove_motion_derivative(scene *sc, int d, const char *text, int order)
{
    static const double h = 2e-3, first[4] = {0, 45, -9, 1}, second[4] = {-490, 270, -27, 2};
    const double t = sc->t;
    order -= scene_primitive_of(sc, d)->by_speed;
    if (order == 0) {
        return scene_law(sc, d, text);
    }
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

double prove_typical_size(scene *sc)
{
    double size = 1e-30, Q[DOFS];
    memset(sc->a, 0, sizeof sc->a);
    memset(sc->f, 0, sizeof sc->f);
    scene_form_reactions(sc);
    scene_form_forces(sc, Q);
    for (int d = 0; d < sc->count; d++) {
        size = fmax(size, fmax(fabs(sc->h[d]), fabs(Q[d])));
        size = fmax(size, prove_norm(sc->reaction[d], 6));
    }
    return size;
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
            sc->v[own->v] = prove_motion_derivative(sc, d, p->motion, 1);
            sc->q[own->q] = p->by_speed ? p->position : scene_law(sc, d, p->motion);
        } else {
            sc->q[own->q] = p->position;
            sc->v[own->v] = p->velocity;
        }
    }
}

/* A state of the run, in the units of the sketch. */
void prove_take_state(scene *sc, const verdict *v)
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

int prove_stop_side(const scene *sc, int d)
{
    int side = 0;
    for (int k = 0; k < SKETCH_KINDS; k++) {
        side += sketch_kinds[k]->stop_side ? sketch_kinds[k]->stop_side(sc, d) : 0;
    }
    return side;
}

int prove_ties(const scene *sc, double (*rows)[DOFS])
{
    int count = 0;
    memset(rows, 0, PROVE_TIES * sizeof *rows);
    for (int k = 0; k < SKETCH_KINDS; k++) {
        count += sketch_kinds[k]->tie ? sketch_kinds[k]->tie(sc, rows + count) : 0;
    }
    return count;
}

double prove_open(const scene *sc)
{
    double worst = 0;
    for (int k = 0; k < SKETCH_KINDS; k++) {
        worst = sketch_kinds[k]->open ? fmax(worst, sketch_kinds[k]->open(sc)) : worst;
    }
    return worst;
}

/* Assembling may have changed initial positions: to what, is not known. */
static bool is_known(const scene *sc, bool at_start)
{
    static const double little = 1e-9;
    bool known = !at_start || prove_open(sc) <= little;
    for (int k = 0; k < SKETCH_KINDS; k++) {
        known = known && !(sketch_kinds[k]->is_known && !sketch_kinds[k]->is_known(sc));
    }
    return known;
}

bool prove_place_scene(scene *sc, const sketch *s, const verdict *v)
{
    memset(sc, 0, sizeof *sc);
    sc->s = s;
    for (int k = 0; k < SKETCH_KINDS; k++) {
        const sketch_kind *kind = sketch_kinds[k];
        sc->circular = sc->circular || (kind->is_circular && kind->is_circular(s));
    }
    if (!list_freedoms(sc)) {
        return false;
    }
    static double rows[PROVE_TIES][DOFS];
    sc->tied = prove_ties(sc, rows) > 0;
    for (int k = 0; k < SKETCH_KINDS; k++) {
        if (sketch_kinds[k]->start) {
            sketch_kinds[k]->start(sc, v->coordinates == 0 ? NULL : v);
        }
    }
    if (v->coordinates == 0) {
        set_start(sc);
    } else {
        prove_take_state(sc, v);
    }
    for (int k = 0; k < s->inputs && s->input_time[k] <= sc->t * (1 + 1e-12); k++) {
        sc->u = s->input_value[k];
    }
    return true;
}

bool prove_set_scene(scene *sc, const sketch *s, const verdict *v)
{
    return prove_place_scene(sc, s, v) && is_known(sc, v->coordinates == 0);
}
