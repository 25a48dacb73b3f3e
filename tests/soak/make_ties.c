/* Which joints can be tied by couplings and cams, and what is left out where something is: the engine refuses the rest. */
#include "make.h"

#include <string.h>

/* Whether a law reads forces or the acceleration of a joint. */
static bool reads(const char *law, const char *name)
{
    static const char *const readings[] = {"acceleration",    "friction",     "reaction_force",
                                           "reaction_torque", "normal_force", "force"};
    char text[64];
    bool any = false;
    for (size_t k = 0; k < sizeof readings / sizeof *readings; k++) {
        snprintf(text, sizeof text, "%s(%s)", readings[k], name);
        any = any || strstr(law, text);
    }
    return any;
}

bool sketch_is_read(const sketch *s, const char *name)
{
    bool any = false;
    for (int k = 0; k < s->count; k++) {
        for (int i = 0; i < s->joint[k].count; i++) {
            const sketch_primitive *p = &s->joint[k].primitive[i];
            const char *const laws[] = {p->force,   p->kinetic, p->limit,   p->forward,
                                        p->reverse, p->test,    p->external};
            for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
                any = any || reads(laws[l], name);
            }
        }
    }
    for (int l = 0; l < SKETCH_LOADS; l++) {
        for (int x = 0; x < 3; x++) {
            any = any || reads(s->load[l].force[x], name) || reads(s->load[l].torque[x], name);
        }
    }
    for (int k = 0; k < SKETCH_STATES; k++) {
        any = any || reads(s->state[k].derivative, name);
    }
    return any;
}

bool sketch_is_in_loop(const sketch *s, int k)
{
    bool inside = false;
    for (int j = 0; j < s->count; j++) {
        for (int i = sketch_closes(s, j) ? s->joint[j].follower : -1;
             i >= 0 && i != s->joint[j].base; i = s->joint[i].base) {
            inside = inside || i == k || j == k;
        }
    }
    return inside;
}

bool sketch_is_coupled(const sketch *s, int k)
{
    bool any = false;
    for (int n = 0; n < SKETCH_COUPLINGS; n++) {
        for (int i = 0; i < s->coupling[n].count; i++) {
            any = any || s->coupling[n].joint[i] == k;
        }
    }
    return any;
}

int make_pick_tied(const sketch *s, chance *c, char kind)
{
    for (int tries = 0; tries < 12; tries++) {
        const int k = chance_below(c, s->count);
        const sketch_joint *j = &s->joint[k];
        const sketch_primitive *p = &j->primitive[0];
        const bool inner =
            sketch_is_in_loop(s, k) && (sketch_closes(s, k) || sketch_is_in_loop(s, j->base));
        if (j->count == 1 && (kind ? p->kind == kind : p->kind != 's') && !p->motion[0] &&
            !p->kept && !inner && !sketch_is_coupled(s, k) && !j->tied &&
            !sketch_is_read(s, p->name)) {
            return k;
        }
    }
    return -1;
}

void make_simple_friction(sketch_primitive *p)
{
    if (strstr(p->kinetic, "reaction") || strstr(p->kinetic, "normal")) {
        make_say(p->kinetic, "1");
        make_say(p->limit, "1.2");
        p->forward[0] = p->reverse[0] = '\0';
    }
}

void make_leave_bands(sketch *s)
{
    bool tied = s->more_ties;
    for (int n = 0; n < SKETCH_COUPLINGS; n++) {
        tied = tied || s->coupling[n].count > 0;
    }
    for (int k = 0; k < s->count; k++) {
        tied = tied || sketch_closes(s, k);
    }
    for (int k = 0; k < s->count && tied; k++) {
        for (int i = 0; i < s->joint[k].count; i++) {
            s->joint[k].primitive[i].band = false;
        }
    }
}

void make_more_ties(sketch *s)
{
    s->more_ties = true;
    for (int k = 0; k < s->count; k++) {
        if (s->joint[k].tied || sketch_is_in_loop(s, k)) {
            for (int i = 0; i < s->joint[k].count; i++) {
                make_simple_friction(&s->joint[k].primitive[i]);
            }
        }
    }
    make_leave_bands(s);
}
