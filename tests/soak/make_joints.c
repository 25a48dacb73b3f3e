/* Random joints and bodies, and what acts along joints. */
#include "make.h"

#include <string.h>

typedef struct joint_kind {
    const char *type, *row;
    int weight;
} joint_kind;

static const joint_kind kinds[] = {
    {"revolute", "r", 30},  {"prismatic", "p", 30},   {"weld", "", 3},
    {"universal", "rr", 5}, {"cylindrical", "pr", 5}, {"planar", "ppr", 5},
    {"gimbal", "rrr", 3},   {"bushing", "ppprrr", 2}, {"six-dof", "ppps", 2},
    {"spherical", "s", 4},  {"free", "ppps", 2},      {"custom", "rp", 3},
    {"custom", "ps", 2},
};

static const joint_kind *pick_kind(maker *m)
{
    int all = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        all += kinds[k].weight;
    }
    int at = chance_below(&m->c, all);
    for (size_t k = 0;; k++) {
        at -= kinds[k].weight;
        if (at < 0) {
            return &kinds[k];
        }
    }
}

static void name_primitives(sketch_joint *j, int k)
{
    for (int i = 0; i < j->count; i++) {
        int number = 1;
        for (int before = 0; before < i; before++) {
            number += j->primitive[before].kind == j->primitive[i].kind;
        }
        sketch_primitive *p = &j->primitive[i];
        if (j->count == 1) {
            snprintf(p->name, sizeof p->name, "j%d", k);
        } else {
            snprintf(p->name, sizeof p->name, "j%d.%c%d", k, p->kind, number);
        }
    }
}

static void make_body(maker *m, sketch_joint *j)
{
    chance *c = &m->c;
    j->mass = chance_of(c, 0.15) ? chance_size(c, 1e-3, 1e3) : chance_size(c, 0.2, 5);
    const double size[3] = {chance_size(c, 0.05, 0.6), chance_size(c, 0.05, 0.6),
                            chance_size(c, 0.05, 0.6)};
    for (int k = 0; k < 3; k++) {
        const double a = size[(k + 1) % 3], b = size[(k + 2) % 3];
        j->inertia[k] = chance_short(j->mass * (a * a + b * b) / 12);
        j->center[k] = chance_of(c, 0.6) ? chance_number(c, -0.4, 0.4) : 0;
    }
    /* rounding must not break the triangle rule */
    for (int k = 0; k < 3; k++) {
        const double others = j->inertia[(k + 1) % 3] + j->inertia[(k + 2) % 3];
        if (j->inertia[k] > others) {
            j->inertia[k] = others;
        }
    }
}

/*
 * Three hinges in a row lose a freedom where the middle one stands at a right angle: the mass matrix is singular there,
 * and no mechanism that comes near is well-posed. A spring keeps the middle hinge away from it.
 */
static void keep_from_lock(sketch_joint *j)
{
    int hinges = 0;
    for (int i = 0; i < j->count; i++) {
        sketch_primitive *p = &j->primitive[i];
        if (p->kind == 'r' && ++hinges == 2 && j->count > 2) {
            p->kept = true;
            p->stiffness = chance_short(300 * j->mass);
            p->rest = 0;
            p->damping = chance_short(3 * j->mass);
            p->position /= 4;
        }
    }
}

static void make_joint(maker *m, int k, bool moving, bool straight)
{
    chance *c = &m->c;
    sketch_joint *j = &m->s->joint[k];
    const joint_kind *kind = pick_kind(m);
    if (straight && chance_of(c, 0.8)) {
        kind = &kinds[chance_below(c, 2)];
    }
    j->alive = true;
    j->follower = k;
    j->type = kind->type;
    j->base = k == 0 || chance_of(c, 0.2) ? -1 : chance_of(c, 0.7) ? k - 1 : chance_below(c, k);
    if (strcmp(j->type, "free") == 0 && chance_of(c, 0.8)) {
        j->base = -1;
    }
    j->count = (int)strlen(kind->row);
    make_body(m, j);
    for (int i = 0; i < j->count; i++) {
        sketch_primitive *p = &j->primitive[i];
        p->kind = kind->row[i];
        p->threshold = 1e-3;
        const bool moves = moving && chance_of(c, 0.7);
        if (p->kind == 's') {
            for (int x = 0; x < 3 && moves; x++) {
                p->spin[x] = chance_number(c, -2, 2);
            }
            p->damping = chance_of(c, 0.3) ? chance_size(c, 1e-3, 0.1) : 0;
            continue;
        }
        p->position = chance_of(c, 0.6) ? chance_number(c, -0.8, 0.8) : 0;
        p->velocity = moves ? chance_number(c, -3, 3) : 0;
        p->stiffness = chance_of(c, 0.25) ? chance_size(c, 1, 300) : 0;
        p->rest = p->stiffness > 0 ? chance_number(c, -0.3, 0.3) : 0;
        p->damping = chance_of(c, 0.25) ? chance_size(c, 1e-3, 1) : 0;
        p->armature = chance_of(c, 0.15) ? chance_size(c, 1e-3, 3) : 0;
    }
    name_primitives(j, k);
    const bool axis = j->count == 1 && kind->row[0] != 's';
    if (axis && (!straight || chance_of(c, 0.2))) {
        for (int x = 0; x < 3; x++) {
            j->axis[x] = chance_number(c, -1, 1);
        }
    } else if (axis) {
        j->axis[kind->row[0] == 'r' ? 2 : chance_below(c, 2)] = 1;
    }
    for (int x = 0; x < 3; x++) {
        const bool flat = straight && x == 2;
        j->at_base[x] = chance_of(c, 0.6) && !flat ? chance_number(c, -0.5, 0.5) : 0;
        j->turn_base[x] = chance_of(c, 0.3) && !straight ? chance_number(c, -1, 1) : 0;
        j->at_follower[x] = chance_of(c, 0.3) && !flat ? chance_number(c, -0.3, 0.3) : 0;
    }
    keep_from_lock(j);
}

/* ---- laws ---- */

static void make_motion(maker *m, char *law)
{
    chance *c = &m->c;
    const double A = chance_number(c, -0.5, 0.5), w = chance_size(c, 0.5, 12);
    switch (chance_below(c, 4)) {
    case 0:
        make_say(law, "%g*sin(%g*t)", A, w);
        break;
    case 1:
        make_say(law, "%g*t", A);
        break;
    case 2:
        make_say(law, "%g*t^2", A);
        break;
    default:
        make_say(law, "%g*(1 - cos(%g*t))", A, w);
    }
}

void make_joint_laws(maker *m)
{
    chance *c = &m->c;
    const double stickiness = chance_in(c, 0.4, 1);
    for (int k = 0; k < m->s->count; k++) {
        sketch_joint *j = &m->s->joint[k];
        const bool takes = strcmp(j->type, "free") != 0;
        for (int i = 0; i < j->count; i++) {
            sketch_primitive *p = &j->primitive[i];
            if (p->kind == 's') {
                continue;
            }
            const double g =
                fabs(m->s->gravity[0]) + fabs(m->s->gravity[1]) + fabs(m->s->gravity[2]);
            const double size = j->mass * (g > 0 ? g : 5) * (p->kind == 'r' ? 0.2 : 0.5);
            if (p->kept) { /* from its lock: nothing else may push it there */
                continue;
            }
            if (takes && chance_of(c, stickiness)) {
                p->stiction = true;
                p->threshold = chance_size(c, 1e-5, 1);
                p->band = chance_of(c, 0.2);
                make_friction(m, p, size);
                if (chance_of(c, 0.5)) {
                    make_drive(m, p->external, size, p);
                }
            } else if (chance_of(c, 0.07)) {
                make_motion(m, p->motion);
                p->stiffness = p->damping = p->armature = 0;
            } else if (chance_of(c, 0.2)) {
                make_drive(m, p->force, size, p);
            }
        }
    }
}

void make_joints(maker *m)
{
    const bool moving = chance_of(&m->c, 0.5), straight = chance_of(&m->c, 0.5);
    for (int k = 0; k < m->s->count; k++) {
        make_joint(m, k, moving, straight);
    }
}
