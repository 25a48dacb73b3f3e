/*
 * Couplings of joints of one freedom: gears, racks, screws, differentials, of a stream of chance of their own. Joints whose
 * forces are read are not coupled, nor those with a motion, and their friction is made simple: the engine refuses the rest.
 */
#include "kind.h"

#include <math.h>
#include <string.h>

static void make_one(sketch *s, chance *c, sketch_coupling *own)
{
    static const char *const types[] = {"gear", "rack", "screw", "differential"};
    const int type = chance_below(c, 4), count = type == 3 && chance_of(c, 0.6) ? 3 : 2;
    sketch_coupling made = {.type = types[type], .number = chance_size(c, 0.2, 5)};
    char kind = type == 0 || type == 3 ? '\0' : 'r';
    made.number *= chance_of(c, 0.3) ? -1 : 1;
    for (int i = 0; i < count; i++) {
        made.joint[i] = make_pick_tied(s, c, kind);
        made.factor[i] = chance_size(c, 0.3, 3) * (chance_of(c, 0.5) ? -1 : 1);
        for (int before = 0; before < i; before++) {
            if (made.joint[before] == made.joint[i]) {
                return;
            }
        }
        if (made.joint[i] < 0) {
            return;
        }
        kind = type == 1 || type == 2 ? 'p' : s->joint[made.joint[0]].primitive[0].kind;
    }
    made.count = count;
    if (type < 3) { /* first = ratio second; second = radius first, or pitch a turn of it */
        made.factor[0] = type == 0 ? 1 : type == 1 ? -made.number : -made.number / (2 * acos(-1));
        made.factor[1] = type == 0 ? -made.number : 1;
    }
    for (int i = 0; i < count; i++) {
        make_simple_friction(&s->joint[made.joint[i]].primitive[0]);
    }
    *own = made;
}

/* Whether what it holds, or drives back, is a length. */
static bool is_length(const sketch *s, const sketch_coupling *own)
{
    return s->joint[own->joint[own->count - 1]].primitive[0].kind == 'p';
}

static void make_elastic(chance *c, sketch_coupling *own)
{
    own->stiffness = chance_size(c, 1, 100);
    own->damping = chance_of(c, 0.5) ? chance_size(c, 0.01, 3) : 0;
    own->backlash = chance_of(c, 0.6) ? chance_size(c, 0.01, 0.3) : 0;
}

/* The mesh rubs; what it does is told from its joints, which have nothing that the engine cannot tell. */
static void make_rub(sketch *s, chance *c, sketch_coupling *own)
{
    sketch_primitive *p = &s->joint[own->joint[0]].primitive[0];
    if (own->count != 2 || strcmp(own->type, "differential") == 0 || p->test[0] ||
        sketch_is_in_loop(s, own->joint[0]) || sketch_is_in_loop(s, own->joint[1]) ||
        !chance_of(c, 0.7)) {
        return;
    }
    own->driving = chance_size(c, 0.05, 3);
    /* one that locks itself may have two motions, and variants of the engine need not take the same one (test_meshes.c) */
    own->driven =
        own->driving < 0.95 && chance_of(c, 0.5) ? own->driving : chance_size(c, 0.05, 0.95);
    if (!p->stiction) {
        p->stiction = true;
        make_say(p->kinetic, "0");
        make_say(p->limit, "0");
        memcpy(p->external, p->force, sizeof p->external);
        p->force[0] = '\0';
    }
}

/* What a mesh that rubs takes without load, and the load that its efficiencies are of. */
static void make_no_load(maker *m)
{
    chance own = {m->seed ^ 0x2d2d2d2d2d2d2d2du}, *c = &own;
    for (int k = 0; k < SKETCH_COUPLINGS && m->wish.no_load; k++) {
        sketch_coupling *mesh = &m->s->coupling[k];
        if (mesh->driving > 0 && chance_of(c, 0.6)) {
            mesh->no_load = chance_size(c, 0.01, 2);
            mesh->at_load = chance_of(c, 0.5) ? chance_size(c, 0.5, 50) : 0;
        }
    }
}

static void make(maker *m)
{
    chance own = {m->seed ^ 0x0f0f0f0f0f0f0f0fu}, *c = &own;
    for (int k = 0; k < SKETCH_COUPLINGS && m->wish.ties; k++) {
        if (chance_of(c, 0.35)) {
            make_one(m->s, c, &m->s->coupling[k]);
        }
    }
    for (int k = 0; k < SKETCH_COUPLINGS && m->wish.yields; k++) {
        if (m->s->coupling[k].count > 0 && chance_of(c, 0.5)) {
            make_elastic(c, &m->s->coupling[k]);
        }
    }
    for (int k = 0; k < SKETCH_COUPLINGS && m->wish.rubs; k++) {
        if (m->s->coupling[k].count > 0 && m->s->coupling[k].stiffness == 0) {
            make_rub(m->s, c, &m->s->coupling[k]);
        }
    }
    make_no_load(m);
    make_leave_bands(m->s);
}

static bool is_there(const sketch *s, int n)
{
    bool there = s->coupling[n].type != NULL;
    for (int i = 0; i < s->coupling[n].count; i++) {
        there = there && s->joint[s->coupling[n].joint[i]].alive;
    }
    return there;
}

static bool is_rigid(const sketch *s, int n)
{
    return is_there(s, n) && s->coupling[n].stiffness == 0;
}

static void write_elastic(writer *w, const sketch *s, const sketch_coupling *own)
{
    const int l = is_length(s, own);
    if (own->stiffness > 0) {
        write_text(w, ", stiffness: %.16g, damping: %.16g, backlash: %.16g",
                   own->stiffness * sketch_unit(s, 1, l ? 0 : 2, -2) * write_factor(w),
                   own->damping * sketch_unit(s, 1, l ? 0 : 2, -1),
                   own->backlash * sketch_unit(s, 0, l, 0));
    }
}

static void write_rub(writer *w, const sketch *s, const sketch_coupling *own)
{
    const int first = sketch_length(&s->joint[own->joint[0]].primitive[0]),
              second = sketch_length(&s->joint[own->joint[1]].primitive[0]);
    const double load = own->at_load * fabs(own->factor[0] / own->factor[1]),
                 share = load > 0 ? own->no_load / load : 0;
    write_text(w, ", friction: {efficiency: %.17g, reverse_efficiency: %.17g",
               1 / (1 + own->driving + share), 1 - own->driven - share);
    if (own->no_load > 0) {
        write_text(w, ", no_load: %.17g", own->no_load * sketch_unit(s, 1, 2 - first, -2));
    }
    if (own->at_load > 0) {
        write_text(w, ", at_load: %.17g", own->at_load * sketch_unit(s, 1, 2 - second, -2));
    }
    write_text(w, "}");
}

static bool is_any(const sketch *s)
{
    bool any = false;
    for (int n = 0; n < SKETCH_COUPLINGS; n++) {
        any = any || is_there(s, n);
    }
    return any;
}

/* Those of other kinds stand below them. */
static void write_others(writer *w, const sketch *s)
{
    static const char head[] = "couplings:\n";
    const size_t start = w->length;
    write_text(w, "%s", is_any(s) ? "" : head);
    const size_t begun = w->length;
    for (int k = 0; k < SKETCH_KINDS; k++) {
        if (sketch_kinds[k]->write_coupling) {
            sketch_kinds[k]->write_coupling(w, s);
        }
    }
    if (w->length == begun) {
        w->length = start;
        w->text[start] = '\0';
    }
}

static void write(writer *w, const sketch *s)
{
    bool any = false;
    for (int n = 0; n < SKETCH_COUPLINGS; n++) {
        const sketch_coupling *own = &s->coupling[n];
        if (!is_there(s, n)) {
            continue;
        }
        write_text(w, "%s  c%d: {type: %s, joints: [", any ? "" : "couplings:\n", n, own->type);
        any = true;
        for (int i = 0; i < own->count; i++) {
            write_text(w, i ? ", %s" : "%s", s->joint[own->joint[i]].primitive[0].name);
        }
        if (strcmp(own->type, "differential") == 0) {
            write_text(w, "], factors: [");
            for (int i = 0; i < own->count; i++) {
                write_text(w, i ? ", %.16g" : "%.16g", own->factor[i]);
            }
            write_text(w, "]");
        } else {
            const char *key = own->type[0] == 'g'   ? "ratio"
                              : own->type[0] == 'r' ? "radius"
                                                    : "pitch";
            write_text(w, "], %s: %.16g", key,
                       own->number * (own->type[0] == 'g' ? 1 : sketch_unit(s, 0, 1, 0)));
            if (own->driving > 0) {
                write_rub(w, s, own);
            }
        }
        write_elastic(w, s, own);
        write_text(w, "}\n");
    }
    write_others(w, s);
}

/* ---- shrinking ---- */

static void drop(shrinker *w)
{
    for (int n = 0; n < SKETCH_COUPLINGS; n++) {
        if (is_there(w->s, n)) {
            sketch t = *w->s;
            t.coupling[n].type = NULL;
            if (!shrinker_attempt(w, &t) && t.coupling[n].driving > 0) {
                t = *w->s;
                t.coupling[n].driving = t.coupling[n].driven = t.coupling[n].no_load = 0;
                shrinker_attempt(w, &t);
            }
            if (w->s->coupling[n].no_load > 0) {
                t = *w->s;
                t.coupling[n].no_load = t.coupling[n].at_load = 0;
                shrinker_attempt(w, &t);
            }
            if (w->s->coupling[n].backlash > 0) {
                t = *w->s;
                t.coupling[n].backlash = 0;
                shrinker_attempt(w, &t);
            }
        }
    }
}

/* ---- dynamics ---- */

static int tie(const scene *sc, double (*rows)[DOFS])
{
    int count = 0;
    for (int n = 0; n < SKETCH_COUPLINGS; n++) {
        const sketch_coupling *own = &sc->s->coupling[n];
        for (int d = 0; d < sc->count && is_rigid(sc->s, n); d++) {
            for (int i = 0; i < own->count; i++) {
                rows[count][d] += sc->dof[d].joint == own->joint[i] ? own->factor[i] : 0;
            }
        }
        count += is_rigid(sc->s, n);
    }
    return count;
}

/* Along freedoms alone: no joint passes it on. */
static int pull(scene *sc, const double *forces)
{
    int count = 0;
    (void)forces;
    for (int n = 0; n < SKETCH_COUPLINGS; n++) {
        count += is_rigid(sc->s, n);
    }
    return count;
}

/* What the coupling does along its first joint: what is left over along the second one, by the ratio. */
static double push_of(scene *sc, const sketch_coupling *own)
{
    double Q[DOFS], sum = 0;
    scene_form_forces(sc, Q);
    for (int d = 0; d < sc->count; d++) {
        if (sc->dof[d].joint == own->joint[1]) {
            sum = sc->h[d] - Q[d] - sc->f[d];
            for (int e = 0; e < sc->count; e++) {
                sum += sc->M[d][e] * sc->a[e];
            }
        }
    }
    return sum * own->factor[0] / own->factor[1];
}

static double rub(scene *sc, int d, int side, bool rests)
{
    (void)rests;
    double sum = 0;
    for (int n = 0; n < SKETCH_COUPLINGS; n++) {
        const sketch_coupling *own = &sc->s->coupling[n];
        if (is_there(sc->s, n) && own->driving > 0 && sc->dof[d].joint == own->joint[0]) {
            const double L = push_of(sc, own);
            sum += own->no_load + fmax(-own->driving * side * L, own->driven * side * L);
        }
    }
    return sum;
}

/* What elastic ones do along a freedom. */
static double push(scene *sc, int d)
{
    double sum = 0;
    for (int n = 0; n < SKETCH_COUPLINGS; n++) {
        const sketch_coupling *own = &sc->s->coupling[n];
        if (!is_there(sc->s, n) || is_rigid(sc->s, n)) {
            continue;
        }
        double e = 0, rate = 0, factor = 0;
        for (int k = 0; k < sc->count; k++) {
            for (int i = 0; i < own->count; i++) {
                if (sc->dof[k].joint == own->joint[i]) {
                    e += own->factor[i] *
                         (sc->q[sc->dof[k].q] - scene_primitive_of(sc, k)->position);
                    rate += own->factor[i] * sc->v[sc->dof[k].v];
                    factor += k == d ? own->factor[i] : 0;
                }
            }
        }
        const double half = 0.5 * own->backlash, away = fabs(e) - half, way = copysign(1, e);
        const double pull = own->stiffness * away + own->damping * rate * way;
        sum -= factor * way * (half == 0 ? pull : away > 0 ? fmax(pull, 0) : 0);
    }
    return sum;
}

static bool say_force(const sketch *s, int n, char *law)
{
    const bool item = n < SKETCH_COUPLINGS;
    law[0] = '\0';
    if (item && is_rigid(s, n)) {
        make_say(law, "coupling_force(c%d)", n);
    }
    return item;
}

const sketch_kind sketch_couplings = {.say_force = say_force,
                                      .make = make,
                                      .write = write,
                                      .drop = drop,
                                      .push = push,
                                      .tie = tie,
                                      .pull = pull,
                                      .rub = rub};
