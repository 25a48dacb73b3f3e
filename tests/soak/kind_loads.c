/* Loads on bodies. */
#include "kind.h"

#include <string.h>

static void make(maker *m)
{
    chance *c = &m->c;
    for (int k = 0; k < SKETCH_LOADS; k++) {
        sketch_load *l = &m->s->load[k];
        l->body = chance_of(c, 0.15) ? chance_below(c, m->s->count) : -1;
        if (l->body < 0) {
            continue;
        }
        const double size = 3 * m->s->joint[l->body].mass;
        l->in_body = chance_of(c, 0.5);
        for (int x = 0; x < 3; x++) {
            l->at[x] = chance_of(c, 0.4) ? chance_number(c, -0.4, 0.4) : 0;
            if (chance_of(c, 0.5)) {
                make_drive(m, l->force[x], size, NULL);
            }
            if (chance_of(c, 0.2)) {
                make_drive(m, l->torque[x], 0.1 * size, NULL);
            }
        }
    }
}

static void write(writer *w, const sketch *s)
{
    bool any = false;
    for (int k = 0; k < SKETCH_LOADS; k++) {
        const sketch_load *l = &s->load[k];
        if (l->body < 0 || !s->joint[l->body].alive) {
            continue;
        }
        write_text(w, "%s  l%d: {body: b%d", any ? "" : "loads:\n", k, l->body);
        any = true;
        if (!write_is_zero(l->at)) {
            write_vector(w, ", at: ", l->at, sketch_unit(s, 0, 1, 0));
        }
        for (int what = 0; what < 2; what++) {
            const sketch_law *law = what ? l->torque : l->force;
            if (!law[0][0] && !law[1][0] && !law[2][0]) {
                continue;
            }
            write_text(w, ", %s: [", what ? "torque" : "force");
            for (int i = 0; i < 3; i++) {
                write_text(w, i ? ", " : "");
                if (law[i][0]) {
                    write_text(w, "\"");
                    write_formula(w, law[i], sketch_unit(s, 1, what ? 2 : 1, -2), write_factor(w));
                    write_text(w, "\"");
                } else {
                    write_text(w, "0");
                }
            }
            write_text(w, "]");
        }
        write_text(w, "%s}\n", l->in_body ? ", frame: body" : "");
    }
}

static bool jumps(const sketch *s)
{
    bool any = false;
    for (int l = 0; l < SKETCH_LOADS; l++) {
        for (int x = 0; x < 3 && s->load[l].body >= 0; x++) {
            any = any || sketch_law_jumps(s->load[l].force[x]) ||
                  sketch_law_jumps(s->load[l].torque[x]);
        }
    }
    return any;
}

/* ---- shrinking ---- */

static void lose_joint(sketch *s, int k)
{
    for (int l = 0; l < SKETCH_LOADS; l++) {
        s->load[l].body = s->load[l].body == k ? -1 : s->load[l].body;
    }
}

static void drop(shrinker *w)
{
    for (int l = 0; l < SKETCH_LOADS; l++) {
        if (w->s->load[l].body >= 0) {
            sketch t = *w->s;
            t.load[l].body = -1;
            shrinker_attempt(w, &t);
        }
    }
}

static void simplify_laws(shrinker *w)
{
    for (int l = 0; l < SKETCH_LOADS; l++) {
        for (int x = 0; x < 3 && w->s->load[l].body >= 0; x++) {
            shrinker_law(w, w->s->load[l].force[x], true);
            shrinker_law(w, w->s->load[l].torque[x], true);
        }
    }
}

/* ---- dynamics ---- */

static void act(scene *sc, int k, const double about[3], double wrench[6])
{
    for (int l = 0; l < SKETCH_LOADS; l++) {
        const sketch_load *own = &sc->s->load[l];
        double F[3], T[3], r[3], moment[3];
        if (own->body != k) {
            continue;
        }
        for (int i = 0; i < 3; i++) {
            F[i] = scene_law(sc, 0, own->force[i]);
            T[i] = scene_law(sc, 0, own->torque[i]);
        }
        if (own->in_body) {
            double world[3];
            rotate(sc->body[k].R, F, world);
            memcpy(F, world, sizeof F);
            rotate(sc->body[k].R, T, world);
            memcpy(T, world, sizeof T);
        }
        rotate(sc->body[k].R, own->at, r);
        for (int i = 0; i < 3; i++) {
            r[i] += sc->body[k].p[i] - about[i];
        }
        cross(r, F, moment);
        for (int i = 0; i < 3; i++) {
            wrench[i] += F[i];
            wrench[3 + i] += T[i] + moment[i];
        }
    }
}

static bool is_circular(const sketch *s)
{
    bool any = false;
    for (int l = 0; l < SKETCH_LOADS; l++) {
        for (int x = 0; x < 3 && s->load[l].body >= 0; x++) {
            any = any || strstr(s->load[l].force[x], "reaction") ||
                  strstr(s->load[l].torque[x], "reaction");
        }
    }
    return any;
}

const sketch_kind sketch_loads = {.make = make,
                                  .write = write,
                                  .jumps = jumps,
                                  .drop = drop,
                                  .simplify_laws = simplify_laws,
                                  .lose_joint = lose_joint,
                                  .act = act,
                                  .is_circular = is_circular};
