/*
 * Limits that follow what is shared (split.h). Where a loop holds that has more locked joints than it needs, what its joints
 * transmit depends on how these share their friction, and with it the limits that follow that:
 *
 *   split inside the limits -> reactions (self_stress.h) -> limits -> split
 *
 * is gone round until nothing changes, from the split of elastic joints, which does not depend on which joint closes the loop. It
 * contracts by about friction radius / lever arm. The split is even here: of the smallest largest share of a limit, and of least
 * norm within that share where some joints have room. (With that of least norm inside the limits joints reach their limits one
 * after the other; the last one may hardly move where the loop does, and would have to take all that the limits of the others
 * change by: a loop would jump, or settle nowhere.) Nothing is optimised over: a loop holds by the limits at the reactions of that
 * split, not by those that it could have if its joints were pressed together. At its limit all joints of the motion that begins
 * have the frictions of that motion, and it begins where these balance. Where all of its joints would do with the
 * same share it does not contract, but creeps towards some of them having nothing. Then what is the same in half of all rounds is enough: that nobody is beyond
 * the limits that he has by a split, so that it holds, or that somebody always is, so that it gives way.
 */
#include "dynamics/closure.h"
#include "dynamics/closure_still.h"
#include "dynamics/self_stress.h"
#include "dynamics/split_parts.h"

#include <float.h>
#include <math.h>

enum { most_rounds = 400, most_stalls = 3, most_idle = 20 };

/* Limits that have grown to that, beside what they and the frictions were at first, settle nowhere. */
static const double runaway = 1e6;

/* Limits that change by less, relative, are the same; what they may still change by where rounding keeps them moving. */
static const double same = 4 * DBL_EPSILON, nearly = 1e-11;

/*
 * And by how much where the split magnifies rounding: what is shared evenly within the least is as loose as joints that hardly differ
 * make it. Rounds that have not lessened the least change for long will not; a share is known no better then.
 */
static const double blurred = 1e-8;

/*
 * A limit that is smaller than that beside what they and the frictions were at first is none: that of a mesh behind which nothing
 * pushes shrinks for ever.
 */
static const double nothing = 1e-14;

/* And by how much limits may be off, beside that, for the rounding of the forces that they are read from. */
static const double noise = 4 * DBL_EPSILON;

/*
 * The same of limits that creep towards it, by their square: rounding decides where they go when they are about its square root.
 */
static const double crept = 1e-7;

/* The largest share that there has to be, as a share that all may have: where it stands still rounding decides nothing. */
static const double loose = 1e-13;

/* What the friction of a stiction compares by with forces. */
static double length_of(const dt_system *s, int stiction)
{
    const int node = s->mechanism->stictions[stiction].primitive;
    return s->tree->nodes[node].type->rotational ? s->length : 1;
}

/* What member i is tied with (closure_still.h). */
static int cluster_of(const dt_system *s, int i)
{
    const int node = s->mechanism->stictions[s->closure->split->member[i]].primitive;
    return s->closure->still->cluster[node];
}

/* By how much limits are off what they were read at, and how much of that is made up for. */
typedef struct step {
    double change; /* relative to what they are */
    double
        rest; /* relative to what they and the frictions were at first: rounding of forces goes with that */
    double weight; /* of the step */
    bool beyond;   /* somebody has more than they let him have */
} step;

/* The larger limit of friction. What a stop may take is no limit of friction: beside that no change of one would count. */
static double limit_of_friction(const double limits[2])
{
    return fmax(isinf(limits[1]) ? 0 : limits[1], isinf(limits[0]) ? 0 : -limits[0]);
}

/* Off that: to split->off; with what was off before, which weight would have brought that step nearest to its end. */
static step find_step(dt_system *s, double weight_before, bool creep)
{
    dt_split *split = s->closure->split;
    double change = 0, rest = 0, product = 0, square = 0;
    bool beyond = false;
    if (s->follow) {
        s->follow(s->follow_user);
    }
    for (int i = 0; i < split->count; i++) {
        const int k = split->member[i];
        const double unit =
            s->closure->freedom_unit[s->tree->nodes[s->mechanism->stictions[k].primitive].v];
        double limits[2];
        dt_system_limits(s, k, limits);
        /* a step may lead beyond the border of a branch, where they are wrong */
        limits[0] = limits[0] > 0 ? 0 : limits[0]; /* fmin() would hide what is no number */
        limits[1] = limits[1] < 0 ? 0 : limits[1];
        const double size = limit_of_friction(limits);
        const bool is_none = size <= (creep ? crept : nothing) * split->size[i];
        for (int side = 0; side < 2; side++) {
            if (isinf(limits[side])) { /* a stop's is bounded, and follows nothing */
                limits[side] = split->limits[i][side];
            } else if (is_none) {
                limits[side] = 0;
            }
            const double off = limits[side] - split->limits[i][side],
                         by = unit * (split->off[i][side] - off);
            const bool is_off = fabs(off) > noise * split->size[i];
            change = is_off ? fmax(change, fabs(off) / fmax(size, fabs(off))) : change;
            rest = is_off ? fmax(rest, fabs(off) / fmax(split->size[i], fabs(off))) : rest;
            product += unit * split->off[i][side] * by;
            square += by * by;
            split->off[i][side] = off;
        }
        beyond = beyond || s->f[k] > limits[1] + noise * split->size[i] ||
                 s->f[k] < limits[0] - noise * split->size[i];
    }
    return (step){change, rest, square > 0 ? weight_before * product / square : 1, beyond};
}

/* How much longer a step may be that takes no limit farther than to half of what it is, or to half as much again. */
static double longest(const dt_split *split)
{
    double most = INFINITY;
    for (int i = 0; i < split->count; i++) {
        for (int side = 0; side < 2; side++) {
            const double off = fabs(split->off[i][side]);
            most = off > 0 ? fmin(most, 0.5 * fabs(split->limits[i][side]) / off) : most;
        }
    }
    return fmax(most, 1);
}

/*
 * Reads the limits; returns by how much they have changed. Where more friction makes a smaller force they
 * overshoot, and go only a part of the way (`weight`: of the last time; 0: there was none): of what is about linear to its end. Where they `creep` they
 * go farther than they say.
 */
static step read_limits(dt_system *s, double *weight, bool creep)
{
    static const double least = 1.0 / 64;
    dt_split *split = s->closure->split;
    const step next = find_step(s, *weight, creep);
    const double most = creep ? longest(split) : 1;
    *weight = *weight > 0 ? fmin(fmax(next.weight, least), most) : 1;
    for (int i = 0; i < split->count; i++) {
        for (int side = 0; side < 2; side++) {
            split->limits[i][side] += *weight * split->off[i][side];
        }
    }
    return next;
}

/* The limit of a member, that of its friction where a stop holds it on one side, or its load if that is more and `loads`; torques by the length. */
static double size_of(const dt_system *s, int i, bool loads)
{
    const dt_split *split = s->closure->split;
    const int side = dt_system_stop_side(s, split->member[i]);
    const double upper = side < 0 ? 0 : split->limits[i][1],
                 lower = side > 0 ? 0 : split->limits[i][0], limit = fmax(upper, -lower);
    return (loads ? fmax(limit, fabs(split->load[i])) : limit) / length_of(s, split->member[i]);
}

/* The largest of them. */
static double largest(const dt_system *s, bool loads)
{
    const dt_split *split = s->closure->split;
    double most = 0;
    for (int i = 0; i < split->count; i++) {
        most = fmax(most, size_of(s, i, loads));
    }
    return most;
}

/* What members compare with: the largest limit or load of those that are tied with each other, directly or not. */
static void measure(const dt_system *s)
{
    dt_split *split = s->closure->split;
    double *most = split->largest;
    for (int i = 0; i < split->count; i++) {
        most[cluster_of(s, i)] = 0;
    }
    for (int i = 0; i < split->count; i++) {
        most[cluster_of(s, i)] = fmax(most[cluster_of(s, i)], size_of(s, i, true));
    }
    for (int i = 0; i < split->count; i++) {
        split->size[i] = most[cluster_of(s, i)] * length_of(s, split->member[i]);
    }
}

/* Friction of joints at rest as the system has it now. */
static void take_friction(dt_system *s)
{
    dt_split *split = s->closure->split;
    dt_system_forces(s);
    for (int i = 0; i < split->count; i++) {
        const int k = split->member[i], v = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
        s->f[k] = s->tau[v] - s->Q[v];
        split->load[i] = s->f[k];
    }
}

/* The multipliers of the split of a part. */
static void impose_part(dt_system *s, dt_split_part *part)
{
    if (part->by_motions) {
        dt_split_motions_impose(s, part);
        return;
    }
    for (int j = 0; j < part->columns; j++) {
        const size_t at = (size_t)(part->pivots[j] - 1), n = (size_t)part->active_count;
        const double y = s->closure->row_unit[part->implied[at]] * part->y[j];
        s->multiplier[part->implied[at]] += y;
        for (size_t r = 0; r < n; r++) {
            s->multiplier[part->active[r]] -= part->share[at * n + r] * y;
        }
    }
}

/* Puts the split into the system's friction, multipliers and forces. */
static void impose(dt_system *s)
{
    const dt_split *split = s->closure->split;
    for (int p = 0; p < split->part_count; p++) {
        if (split->part[p].columns > 0) {
            impose_part(s, &split->part[p]);
        }
    }
    memcpy(s->f, split->f, (size_t)s->mechanism->stiction_count * sizeof *s->f);
    dt_system_set_acceleration(s, s->a, s->f);
    dt_system_forces(s);
}

/* Whether some member takes no part in the motion that would begin, so that it has room within the largest share. */
static bool has_room(const dt_split *split, const dt_split_part *part)
{
    bool any = false;
    for (int i = part->first; i < part->first + part->count; i++) {
        any = any || (split->way[i] == 0 && split->width[i] > 0);
    }
    return any;
}

/*
 * From the split of the smallest largest share to the least norm within that share of the limits, beyond the limits, too: those
 * who take no part in what gives way then are not to be pressed together by an arbitrary one.
 */
static void take_even(dt_split *split, dt_split_part *part)
{
    if (!(part->used > 0 && isfinite(part->used)) || !has_room(split, part)) {
        return;
    }
    const double share = part->used * (1 + loose);
    for (int i = 0; i < part->wide; i++) {
        part->wide_limits[i][0] *= share;
        part->wide_limits[i][1] *= share;
    }
    dt_split_take_least(split, part);
}

void dt_split_show_within(dt_system *s)
{
    dt_split *split = s->closure->split;
    if (split->columns == 0) {
        return;
    }
    for (int p = 0; p < split->part_count; p++) {
        if (split->part[p].columns > 0) {
            take_even(split, &split->part[p]);
        }
    }
    impose(s);
}

/* Stops take again whatever there is to take. */
static void free_stops(dt_system *s)
{
    dt_split *split = s->closure->split;
    for (int i = 0; i < split->count; i++) {
        const int side = dt_system_stop_side(s, split->member[i]);
        if (side != 0) {
            split->limits[i][side < 0] = side < 0 ? INFINITY : -INFINITY;
        }
    }
    for (int p = 0; p < split->part_count; p++) {
        if (split->part[p].columns > 0) {
            dt_split_bound_stops(s, &split->part[p]);
        }
    }
}

double dt_split_noise(const dt_system *s, int k)
{
    const dt_split *split = s->closure ? s->closure->split : NULL;
    const int i = split && s->closure->stress && split->columns > 0 ? split->place[k] : -1;
    return i >= 0 ? noise * split->size[i] : 0;
}

/* Whether limits of a joint follow forces, or a stop holds it: then nothing is known of them before there are shares. */
static bool is_yet_unknown(const dt_system *s, int k)
{
    return dt_system_stop_side(s, k) != 0 || dt_split_follows(s, k);
}

/*
 * Whether the split of elastic joints has left one without a force round a loop, as where another one takes the whole of its own spring: then it has no
 * friction, and rounds would stay there.
 */
static bool begins_with_nothing(const dt_system *s)
{
    const dt_split *split = s->closure->split;
    const double most = largest(s, true);
    bool any = false;
    for (int i = 0; i < split->count && !any; i++) {
        any = is_yet_unknown(s, split->member[i]) && size_of(s, i, false) <= nothing * most;
    }
    return any;
}

/*
 * All that share begin with as much, torques by the length, but for those that are known to take less, as one without friction beside a stop that it is
 * not at: where only couplings tie them, which have no joints that could be elastic, or where the split of these is no beginning. (With the multipliers
 * as they are a mesh may begin without a force, at which it has no friction, and stay there.) That is where rounds begin, and bounds no stop.
 */
static void begin_even(dt_system *s)
{
    dt_split *split = s->closure->split;
    double most = 0;
    for (int i = 0; i < split->count; i++) {
        most = fmax(most, fabs(split->load[i]) / length_of(s, split->member[i]));
    }
    for (int i = 0; i < split->count; i++) {
        const double even = most * length_of(s, split->member[i]);
        const bool unknown = is_yet_unknown(s, split->member[i]);
        split->limits[i][0] = unknown ? -even : fmax(split->limits[i][0], -even);
        split->limits[i][1] = unknown ? even : fmin(split->limits[i][1], even);
    }
    dt_split_solve(s);
    dt_split_show_within(s);
    take_friction(s);
    free_stops(s);
}

/* The limits where rounds begin, and what members compare with. */
static void read_first(dt_system *s)
{
    dt_split *split = s->closure->split;
    double weight = 0;
    memset(split->size, 0,
           (size_t)split->count * sizeof *split->size); /* nothing to compare with yet */
    read_limits(s, &weight, false);
    measure(s);
}

/* Where rounds begin; returns whether that is even. */
static bool begin(dt_system *s)
{
    bool even = s->mechanism->loop_count == 0;
    if (even) {
        begin_even(s);
    }
    read_first(s);
    if (!even && begins_with_nothing(s)) {
        even = true;
        begin_even(s);
        read_first(s);
    }
    return even;
}

/* After a split: limits that follow what it shares, and the split within those; the system has the readings of the latter. */
static void follow(dt_system *s)
{
    dt_split *split = s->closure ? s->closure->split : NULL;
    if (!split || !s->closure->stress) {
        return;
    }
    split->unsettled = false;
    if (split->columns == 0) {
        return;
    }
    dt_self_stress_relax_all(s);
    take_friction(s);
    const bool even = begin(s);
    double weight = 0; /* what they were at first tells nothing */
    const double far = runaway * largest(s, true);
    double before = INFINITY;
    step last = {.change = INFINITY, .rest = INFINITY};
    int stalls = 0, idle = 0, turned = 0, round = 0;
    bool creep = false;
    for (; round < most_rounds && last.change > same && stalls < most_stalls &&
           !(idle >= most_idle && before < blurred) && largest(s, false) <= far;
         round++) {
        dt_split_solve(s);
        dt_split_show_within(s);
        take_friction(s);
        const bool beyond = last.beyond;
        last = read_limits(s, &weight, creep);
        turned = last.beyond != beyond ? round : turned;
        const bool falls = last.change < 0.9 * before;
        idle = falls ? 0 : idle + 1;
        creep = creep || idle >= most_idle;
        stalls += !falls && last.change < nearly;
        before = fmin(before, last.change);
    }
    split->unsettled = !(fmin(last.change, last.rest) < (idle >= most_idle ? blurred : nearly)) &&
                       !(round == most_rounds && turned < most_rounds / 2);
    if (split->unsettled &&
        even) { /* branches are derived from where rounds began, wherever they ended */
        begin_even(s);
    }
    for (int i = 0; i < split->count && split->unsettled; i++) {
        split->f[split->member[i]] = INFINITY; /* it does not hold: a search tells */
    }
}

void dt_split_update(dt_system *s)
{
    dt_split_within(s, NULL, NULL);
    follow(s);
}

bool dt_split_show(dt_system *s)
{
    dt_closure *c = s->closure;
    dt_split *split = c ? c->split : NULL;
    dt_split_update(s);
    if (!split || split->columns == 0) {
        return false;
    }
    if (s->closure->stress) {
        return true; /* it is shown already */
    }
    for (int p = 0; p < split->part_count; p++) {
        if (split->part[p].columns > 0 && split->part[p].used < 1) {
            dt_split_take_least(split, &split->part[p]);
        }
    }
    impose(s);
    return true;
}
