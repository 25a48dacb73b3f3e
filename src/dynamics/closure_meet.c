/*
 * Where branches of the motion meet: the rows of what is tied say less there than at any closed position beside it, so that
 * first order allows directions which no motion takes, and accelerations need not have a solution. A parallelogram that lies flat may
 * become an antiparallelogram.
 */
#include "dynamics/closure_parts.h"
#include "dynamics/closure_still.h"

enum { MOST_ROUNDS = 100 };

const char dt_closure_meeting[] =
    "branches of the motion meet at this position: what is tied may go on in more than one way, "
    "and "
    "neither velocities nor forces tell in which; begin a little beside it";

/* Conditions that say something where the system is posed, nobody being stuck. */
static int rank_here(dt_system *s)
{
    dt_system_pose(s);
    dt_closure_choose(s);
    return s->closure->count;
}

/* A closed position beside it, by no particular way; false where none is found. */
static bool step_aside(dt_system *s)
{
    static const double way = 1e-3, golden = 0.6180339887498949;
    const double length = dt_closure_reach(s);
    for (int i = 0; i < s->tree->node_count; i++) {
        for (int j = 0; j < s->tree->nodes[i].type->nv && !dt_is_prescribed(s, i); j++) {
            const double part = golden * (i + j + 1) - floor(golden * (i + j + 1));
            dt_closure_move(s, i, j,
                            way * (part - 0.5) * (s->tree->nodes[i].type->rotational ? 1 : length));
        }
    }
    dt_system_pose(s);
    return dt_closure_close(s, MOST_ROUNDS);
}

bool dt_closure_closes_beside(dt_system *s)
{
    memcpy(s->q, s->closure->start, (size_t)s->tree->nq * sizeof *s->q);
    dt_system_prescribe(s);
    return step_aside(s);
}

/* What a look around leaves as it was: it is no part of an assembly, nor of a step. */
typedef struct dt_look {
    bool assembles, chosen;
    int rounds, side, weakest;
    double pivot;
} dt_look;

static dt_look begin_look(dt_system *s)
{
    dt_closure *c = s->closure;
    const dt_look look = {c->assembles, c->chosen, c->rounds, c->side, c->weakest, c->pivot};
    c->assembles = true; /* nobody is stuck */
    memcpy(c->base, s->q, (size_t)s->tree->nq * sizeof *s->q);
    return look;
}

static void end_look(dt_system *s, const dt_look *look)
{
    dt_closure *c = s->closure;
    memcpy(s->q, c->base, (size_t)s->tree->nq * sizeof *s->q);
    c->assembles = look->assembles;
    rank_here(s);
    c->chosen = look->chosen;
    c->rounds = look->rounds;
    c->side = look->side;
    c->weakest = look->weakest;
    c->pivot = look->pivot;
}

bool dt_closure_branches_meet(dt_system *s)
{
    if (!s->closure) {
        return false;
    }
    const dt_look look = begin_look(s);
    const int here = rank_here(s);
    const bool meet = step_aside(s) && rank_here(s) > here;
    end_look(s, &look);
    return meet;
}

/* The smallest pivot where the system is posed, nobody being stuck, and whose it is. */
static double weakest_here(dt_system *s, int *freedom)
{
    rank_here(s);
    dt_closure_look(s);
    *freedom = s->closure->weakest;
    return s->closure->count > 0 ? s->closure->pivot : 1;
}

int dt_closure_find_near_meeting(dt_system *s, double *nearness)
{
    static const double near = 5e-5, grows = 5;
    const dt_look look = begin_look(s);
    int freedom, other;
    *nearness = weakest_here(s, &freedom);
    /* what is small by itself is so beside there, too */
    const bool found =
        *nearness < near && step_aside(s) && weakest_here(s, &other) > grows * *nearness;
    end_look(s, &look);
    int i = found ? 0 : -1; /* whose freedom it is */
    while (found && i + 1 < s->tree->node_count && s->tree->nodes[i + 1].v <= freedom) {
        i++;
    }
    return i;
}
