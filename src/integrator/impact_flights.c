/*
 * Flights of joints from their stops and back, and how bounces end. Invariant: a joint that rests at its stop is there exactly, and locked.
 */
#include "integrator/impact_flights.h"

#include "integrator/impact_after.h"
#include "integrator/leap.h"
#include "integrator/source.h"
#include "integrator/weights.h"

bool dt_flights_are_of_slack(const detent_mechanism *m)
{
    bool alone = m->loop_count == 0;
    for (int k = 0; k < m->stiction_count && alone; k++) {
        const dt_rigid_stops *stops = m->stictions[k].stops;
        alone = !stops || stops->way != 0 || stops->transmission >= 0;
    }
    return alone;
}

/* What a position may be by itself. */
static double arm_of(const dt_simulation *sim, int k)
{
    return sim->system.tree->nodes[sim->mechanism->stictions[k].primitive].type->rotational
               ? 1
               : sim->scale.length;
}

/* What a slack is the difference of, all of it `more`: wheels may have turned many times. */
static double terms_of_slack(const dt_system *s, const dt_rigid_stops *stops, double more)
{
    const dt_transmission *of =
        stops->transmission < 0 ? NULL : &s->mechanism->transmissions[stops->transmission];
    double sum = of ? fabs(of->offset) : 0;
    for (int k = 0; of && k < of->count; k++) {
        sum += fabs(of->factor[k]) * (fabs(s->q[s->tree->nodes[of->joint[k]].q]) + more);
    }
    return sum;
}

double dt_impact_hair(const dt_simulation *sim, int k, int side)
{
    const dt_rigid_stops *stops = sim->mechanism->stictions[k].stops;
    if (isinf(stops->at[side])) {
        return 0;
    }
    /* who is put to a stop may move others by what loops are closed to; slack alone is known as its sum is */
    const double arm = sim->impact.is_of_slack ? 0 : arm_of(sim, k),
                 at = fabs(stops->at[side]) + arm + terms_of_slack(&sim->system, stops, arm);
    if (!sim->system.closure || sim->impact.is_of_slack) {
        return DBL_EPSILON * 4 * (sim->system.closure ? at : fabs(stops->at[side]));
    }
    const int node = sim->mechanism->stictions[k].primitive;
    const bool turns = sim->system.tree->nodes[node].type->rotational;
    return fmax(DBL_EPSILON * 100 * at, stops->transmission < 0 ? sim->impact.known[turns] : 0);
}

/*
 * Bounces that end nowhere, of restitution 1, and those of several joints that send each other back: of such there are very many before
 * they are lost in rounding. Flights that are lower than the error test tells, and more of them than it takes until one of that
 * restitution alone is lost, end in contact; where an impact of others was in between, they count for more. Whatever the impulses are by
 * which joints come to rest, and in which order, their sum is the same: that without restitution.
 */
bool dt_flights_are_weary(const dt_simulation *sim, int k, double e)
{
    static const double to_rounding = 35 /* ln 2^50 */, some = 20, most = 2000, elastic = 200;
    return sim->impact.low[k] > (e < 1 ? fmin(some + to_rounding / (1 - e), most) : elastic);
}

/* The stop that joint k stands at; a freewheel throws nobody back, and is none that a joint flies from. */
static int stop_side(const dt_simulation *sim, int k)
{
    const dt_rigid_stops *stops = sim->mechanism->stictions[k].stops;
    return stops && stops->way == 0 ? dt_system_stop_side(&sim->system, k) : 0;
}

/* Times the pace of a series of flights: who comes faster has been sent by others. */
static const double others = 4;

static int stop_freedom(const dt_simulation *sim, int k)
{
    return sim->system.tree->nodes[sim->mechanism->stictions[k].primitive].v;
}

/*
 * A flight of joint k from its stop that is no longer is low: by what the error test tells there; where no impact takes energy, by what is
 * told of a position. (There friction alone makes flights shorter, and the less the slower they are: the n-th one lasts 1/n.)
 */
static double lowest(const dt_simulation *sim, int k, bool upper)
{
    const dt_stiction *stiction = &sim->mechanism->stictions[k];
    const double tolerance =
        dt_position_tolerance(sim, stiction->primitive, stiction->stops->at[upper]);
    return stiction->stops->restitution[upper] < 1
               ? tolerance
               : fmax(tolerance, dt_position_told(sim, stiction->primitive));
}

/*
 * How far a joint has been away that comes to its stop with v; INFINITY the first time. By how fast it left, and how fast it comes. Where others struck in between,
 * the former lasted until then, the latter since. (By the former alone, who was taken away by forces would not have been anywhere.)
 */
static double way_of(const dt_simulation *sim, int k, double v)
{
    const dt_impact *i = &sim->impact;
    const bool alone = i->time <= i->since[k];
    const double t = sim->system.time, begun = i->since[k], later = alone ? begun : i->time;
    return isinf(i->left[k]) ? INFINITY
                             : fmax(i->left[k] * ((alone ? t : later) - begun), v * (t - later));
}

/* Who comes to its stop, how far it has been away since the last time. */
void dt_flights_count(dt_simulation *sim)
{
    enum { ALONE = 1, DISTURBED = 8 };
    dt_impact *impact = &sim->impact;
    const dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns; k++) {
        const int side = stop_side(sim, k);
        const double v = fabs(s->v[stop_freedom(sim, k)]);
        if (side != 0 && dt_impact_away(sim, s->v, k, side) < 0) {
            const bool is_low = way_of(sim, k, v) <= lowest(sim, k, side > 0);
            const int more = impact->since[k] < impact->time ? DISTURBED : ALONE;
            impact->low[k] = is_low ? impact->low[k] + more : 0;
            if (v > others * impact->pace[k]) {
                impact->flights[k] = -1;
            }
        }
    }
}

/* Whether joint k, which is at its stop, rests there only because its bounces, of restitution 1, have been too many. */
static bool ends_endless(const dt_simulation *sim, int k)
{
    const int side = stop_side(sim, k);
    return side != 0 && sim->mechanism->stictions[k].stops->restitution[side > 0] == 1 &&
           dt_flights_are_weary(sim, k, 1);
}

void dt_flights_note(dt_simulation *sim)
{
    dt_impact *impact = &sim->impact;
    for (int k = 0; k < sim->ns; k++) {
        if (impact->struck[k]) {
            sim->statistics.endless += ends_endless(sim, k);
            impact->left[k] = fabs(*dt_velocity_of(sim, k));
            impact->since[k] = sim->system.time;
            impact->flights[k] -= impact->flights[k] >= 0;
        }
    }
}

/*
 * The restitution of an impact of those that stand for the end of a series: none is thrown back faster than it came. `e` where the impact is one
 * of those that send it there, at the same instant.
 */
double dt_flights_evened(const dt_simulation *sim, int k, double e, double v)
{
    const dt_impact *impact = &sim->impact;
    return -v > others * impact->pace[k]     ? e
           : impact->flights[k] > 0 && v < 0 ? fmin(1, impact->pace[k] / -v)
                                             : 0;
}

/* Whether a flight that begins with v and is driven back is over within an instant. */
static bool is_instant(const dt_simulation *sim, double v, double back)
{
    return 2 * v <= 8 * dt_moment(sim) * back;
}

/* Whether it goes no higher than so many times what the position of joint k is not known. */
static bool is_within(const dt_simulation *sim, int k, double many, double v, double back)
{
    const int side = dt_system_stop_side(&sim->system, k);
    return v * v <= 2 * many * dt_impact_hair(sim, k, side > 0) * back;
}

/* Times what a position is not known: a flight that goes no higher is none. */
static const double none = 16;

static bool goes_back(const dt_simulation *sim, int k, int side, double *v, double *back)
{
    *v = side ? dt_impact_away(sim, sim->system.v, k, side) : 0;
    *back = side ? -dt_impact_away(sim, sim->system.a, k, side) : 0;
    return *v > 0 && *back > 0;
}

/* Whether joint k leaves its stop and is driven back to it: how fast, and by what acceleration. */
static bool flies(const dt_simulation *sim, int k, double *v, double *back)
{
    return goes_back(sim, k, stop_side(sim, k), v, back);
}

/* Whether joint k has been sent off its freewheel by others, and is back within an instant. */
static bool overruns_nothing(const dt_simulation *sim, int k)
{
    const dt_rigid_stops *stops = sim->mechanism->stictions[k].stops;
    const int side = stops && stops->way != 0 ? dt_system_stop_side(&sim->system, k) : 0;
    double v, back;
    return goes_back(sim, k, side, &v, &back) && is_instant(sim, v, back);
}

/*
 * What is left of a series of bounces, while forces are what they are now, takes 1 / (1 - e) as long as the flight that begins now, with v.
 * Where its heights are soon lost in the rounding of the position, it is made of flights that are all as high, the fewest that are
 * no faster than v / e, which would have sent it off as fast: so it ends when it does. How fast it came at first may tell less (others
 * have pushed it since, and come back as fast) or more (another stop has taken nearly all of that). False where there is no such series.
 */
static bool even_out(dt_simulation *sim, int k, double v)
{
    dt_impact *i = &sim->impact;
    const int side = dt_system_stop_side(&sim->system, k);
    const double e = i->e[k], before = -dt_impact_away(sim, i->first.v, k, side);
    if (!(e > 0 && e < 1 && before > 0) || i->flights[k] >= 0) {
        return false;
    }
    const double all = e / (1 - e), count = ceil(all);
    i->flights[k] = (int)fmin(count, 1e6);
    i->pace[k] = fmin(before, v / e) * all / count;
    return true;
}

/*
 * Steps of fixed length h see an arrival up to a step late, and Euler's method moves with the velocity of the step before: who flies off with
 * m h times what drives him back comes back with up to (m + 2) h times that. So bounces of m = 2 e / (1 - e) keep themselves up; there the
 * joint rests.
 */
static bool is_kept_up(const dt_simulation *sim, int k, double v, double back)
{
    const int side = dt_system_stop_side(&sim->system, k);
    const double e = sim->mechanism->stictions[k].stops->restitution[side > 0];
    return sim->fixed.exists && (1 - e) * v <= 2 * e * back * sim->settings.step && e < 1;
}

/*
 * Whether joint k flies off no faster than some of what is told of a velocity, after an impact that has thrown others by less than that: these are
 * left at rest, where a few such flights more would find them thrown, or where its own speed alone would set them moving the other way. So it ends here.
 */
static bool flies_alone(const dt_simulation *sim, int k, double v)
{
    return sim->impact.spared && sim->impact.struck[k] &&
           v <= dt_impact_some_hairs * dt_wait_hair(sim, sim->mechanism->stictions[k].primitive);
}

/*
 * A flight that is over within the rounding of time, or does not leave the rounding of the position, is none: ever shorter ones end in
 * contact. So do those of who rested at its stop, and is sent off by the impacts of others.
 */
bool dt_flights_find_rest(dt_simulation *sim)
{
    static const double low = 16384; /* so that each ends when it does */
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        double v, back;
        if (!sim->impact.rests[k] && overruns_nothing(sim, k)) {
            sim->impact.rests[k] = any = true;
        }
        if (!flies(sim, k, &v, &back) || sim->impact.rests[k]) {
            continue;
        }
        const bool instant = is_instant(sim, v, back) || is_kept_up(sim, k, v, back) ||
                             flies_alone(sim, k, v),
                   evens = !instant && sim->impact.struck[k] && !sim->fixed.exists &&
                           is_within(sim, k, low, v, back) && even_out(sim, k, v);
        sim->impact.rests[k] =
            instant || (sim->impact.flights[k] < 0 && is_within(sim, k, none, v, back));
        any = any || evens || sim->impact.rests[k];
    }
    return any;
}

int dt_flights_side(const dt_simulation *sim, int k)
{
    const dt_stiction *stiction = &sim->mechanism->stictions[k];
    const dt_rigid_stops *stops = stiction->stops;
    if (!stops || stops->way != 0) {
        return 0;
    }
    const double q = sim->system.q[sim->system.tree->nodes[stiction->primitive].q];
    return q <= stops->at[0] + dt_impact_hair(sim, k, 0)   ? -1
           : q >= stops->at[1] - dt_impact_hair(sim, k, 1) ? 1
                                                           : 0;
}

bool dt_flights_have_begun(const dt_simulation *sim)
{
    bool any = false;
    for (int k = 0; k < sim->ns && !any; k++) {
        const int side = dt_flights_side(sim, k);
        any = side && dt_impact_away(sim, sim->system.v, k, side) > 0;
    }
    return any;
}

bool dt_flights_find_none(dt_simulation *sim)
{
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        const int side = dt_flights_side(sim, k);
        double v, back;
        sim->impact.rests[k] = goes_back(sim, k, side, &v, &back) && sim->impact.flights[k] < 0 &&
                               v * v <= 2 * none * dt_impact_hair(sim, k, side > 0) * back;
        any = any || sim->impact.rests[k];
    }
    return any;
}

/* Times the height that the error test allows: a flight that goes no higher has a step that has no tolerance. */
static const double untold = 1e8;
/* Times a flight, as it goes by what drives back now: the length of that step. */
static const double long_enough = 1.25;

/* How far joint k is from the stop on that side. */
static double distance(const dt_simulation *sim, int k, int side)
{
    const dt_stiction *stiction = &sim->mechanism->stictions[k];
    const double at = stiction->stops->at[side > 0],
                 q = sim->system.q[sim->system.tree->nodes[stiction->primitive].q];
    return side < 0 ? q - at : at - q;
}

/*
 * How long joint k still takes to its stop on that side, s, and how far from there it gets; INFINITY where it does not come there, by the
 * acceleration that it has.
 */
static double time_to(const dt_simulation *sim, int k, int side, double *height)
{
    const double d = distance(sim, k, side), v = -dt_impact_away(sim, sim->system.v, k, side),
                 a = -dt_impact_away(sim, sim->system.a, k, side), square = v * v + 2 * a * d,
                 sum = square >= 0 ? v + sqrt(square) : 0;
    *height = v < 0 && a > 0 ? d + v * v / (2 * a) : d;
    return sum > 0 ? 2 * d / sum : INFINITY;
}

/*
 * How long a low flight of joint k still takes that something else has broken off; INFINITY where there is none. What an ordinary step may err by may
 * be as much as all of its height, and the next ones would begin when that one ends.
 */
static double left_of_flight(const dt_simulation *sim, int k)
{
    const dt_stiction *stiction = &sim->mechanism->stictions[k];
    const dt_rigid_stops *stops = stiction->stops;
    if (!stops || stops->way != 0 || isinf(sim->impact.left[k]) ||
        sim->system.mode[k] == DETENT_LOCKED || dt_flights_side(sim, k) != 0) {
        return INFINITY;
    }
    double shortest = INFINITY;
    for (int side = -1; side <= 1; side += 2) {
        double height;
        const double span = time_to(sim, k, side, &height);
        if (2 * height < untold * dt_position_tolerance(sim, stiction->primitive, 0)) {
            shortest = fmin(shortest, span);
        }
    }
    return shortest;
}

/* The next step is not to pass over a flight that is shorter; one that is low is for a step that has no tolerance. */
void dt_flights_bound_step(dt_simulation *sim)
{
    for (int k = 0; k < sim->ns; k++) {
        const int node = sim->mechanism->stictions[k].primitive;
        const double left = left_of_flight(sim, k);
        double v, back;
        if (isfinite(left)) {
            dt_leap_hop(sim, long_enough * left);
        }
        if (!flies(sim, k, &v, &back)) {
            continue;
        }
        sim->step.next = fmin(sim->step.next, v / back);
        if (v * v < untold * dt_position_tolerance(sim, node, 0) * back) {
            dt_leap_hop(sim, long_enough * 2 * v / back);
        }
    }
}

/* Who leaves a stop more slowly than the error test tells, and has been sent back by that, leaves it in one step without tolerance. */
void dt_flights_help_away(dt_simulation *sim)
{
    static const double enough = 1e3; /* of what the error test allows */
    for (int k = 0; k < sim->ns; k++) {
        const int side = stop_side(sim, k), node = sim->mechanism->stictions[k].primitive;
        const bool is_back =
            sim->impact.beyond[k] || dt_has_fired(dt_fired(sim, DT_SOURCE_STOP, k));
        double v, back;
        sim->impact.beyond[k] = false;
        if (side == 0 || !is_back || sim->system.mode[k] == DETENT_LOCKED ||
            flies(sim, k, &v, &back)) {
            continue;
        }
        v = dt_impact_away(sim, sim->system.v, k, side);
        const double way = enough * dt_position_tolerance(sim, node, 0),
                     a = dt_impact_away(sim, sim->system.a, k, side),
                     span = fmin(v > 0 ? way / v : INFINITY, a > 0 ? sqrt(2 * way / a) : INFINITY);
        if (isfinite(span)) {
            dt_leap_hop(sim, span);
        }
    }
}
