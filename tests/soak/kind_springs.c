/* Springs between bodies, of a stream of chance of their own: mechanisms without are the same as ever. */
#include "kind.h"

#include <string.h>

enum { SPRINGS = 2 };

typedef struct spring {
    bool alive;
    int body[2]; /* -1: the ground */
    double at[2][3], stiffness, rest, damping;
} spring;

static spring *of(const sketch *s, int k)
{
    return (spring *)sketch_own(s, &sketch_springs) + k;
}

static void make(maker *m)
{
    chance own = {~m->seed}, *c = &own;
    sketch *s = m->s;
    for (int k = 0; k < SPRINGS; k++) {
        spring *p = of(s, k);
        p->alive = chance_of(c, 0.12);
        for (int e = 0; e < 2; e++) {
            p->body[e] = chance_below(c, s->count + 1) - 1;
            for (int x = 0; x < 3; x++) {
                p->at[e][x] = chance_of(c, 0.7) ? chance_number(c, -0.5, 0.5) : 0;
            }
        }
        p->stiffness = chance_size(c, 1, 100);
        p->rest = chance_of(c, 0.7) ? chance_number(c, 0, 1) : 0;
        p->damping = chance_of(c, 0.4) ? chance_size(c, 0.01, 3) : 0;
    }
}

static bool is_there(const sketch *s, int k)
{
    const spring *p = of(s, k);
    bool there = p->alive && p->body[0] != p->body[1];
    for (int e = 0; e < 2; e++) {
        there = there && (p->body[e] < 0 || s->joint[p->body[e]].alive);
    }
    return there;
}

static void write(writer *w, const sketch *s)
{
    bool any = false;
    for (int k = 0; k < SPRINGS; k++) {
        const spring *p = of(s, k);
        if (!is_there(s, k)) {
            continue;
        }
        write_text(w, "%s  s%d: {between: [", any ? "" : "springs:\n", k);
        any = true;
        for (int e = 0; e < 2; e++) {
            write_text(w, e ? ", {body: " : "{body: ");
            write_text(w, p->body[e] < 0 ? "ground" : "b%d", p->body[e]);
            write_vector(w, ", at: ", p->at[e], sketch_unit(s, 0, 1, 0));
            write_text(w, "}");
        }
        write_text(w, "], stiffness: %.16g, rest: %.16g, damping: %.16g}\n",
                   p->stiffness * sketch_unit(s, 1, 0, -2) * write_factor(w),
                   p->rest * sketch_unit(s, 0, 1, 0), p->damping * sketch_unit(s, 1, 0, -1));
    }
}

static void drop(shrinker *w)
{
    for (int k = 0; k < SPRINGS; k++) {
        if (is_there(w->s, k)) {
            sketch t = *w->s;
            of(&t, k)->alive = false;
            shrinker_attempt(w, &t);
        }
    }
}

/* ---- dynamics ---- */

/* Where an end of a spring is, and how fast. */
static void place_end(const scene *sc, const spring *own, int e, double p[3], double v[3])
{
    const int k = own->body[e];
    double r[3], turned[3];
    memcpy(p, own->at[e], 3 * sizeof *p);
    memset(v, 0, 3 * sizeof *v);
    if (k < 0) {
        return;
    }
    rotate(sc->body[k].R, own->at[e], r);
    for (int i = 0; i < 3; i++) {
        p[i] = sc->body[k].p[i] + r[i];
        r[i] = p[i] - sc->body[k].c[i];
    }
    for (int d = 0; d < sc->count; d++) {
        cross(sc->carried[k].W[d], r, turned);
        for (int i = 0; i < 3; i++) {
            v[i] += (sc->carried[k].J[d][i] + turned[i]) * sc->v[sc->dof[d].v];
        }
    }
}

static void act(scene *sc, int k, const double about[3], double wrench[6])
{
    for (int l = 0; l < SPRINGS; l++) {
        const spring *own = of(sc->s, l);
        for (int e = 0; e < 2 && is_there(sc->s, l); e++) {
            double p[2][3], v[2][3], n[3], w[3], r[3], F[3], moment[3];
            if (own->body[e] != k) {
                continue;
            }
            place_end(sc, own, e, p[0], v[0]);
            place_end(sc, own, 1 - e, p[1], v[1]);
            for (int i = 0; i < 3; i++) {
                n[i] = p[1][i] - p[0][i];
                w[i] = v[1][i] - v[0][i];
                r[i] = p[0][i] - about[i];
            }
            const double length = sqrt(dot(n, n));
            const double pull =
                own->stiffness * (length - own->rest) + own->damping * dot(n, w) / length;
            for (int i = 0; i < 3; i++) {
                F[i] = pull * n[i] / length;
            }
            cross(r, F, moment);
            for (int i = 0; i < 3; i++) {
                wrench[i] += F[i];
                wrench[3 + i] += moment[i];
            }
        }
    }
}

const sketch_kind sketch_springs = {
    .size = SPRINGS * sizeof(spring), .make = make, .write = write, .drop = drop, .act = act};
