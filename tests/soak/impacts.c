#include "impacts.h"

#include "impact_plain.h"
#include "kind.h"
#include "prove.h"
#include "stops.h"

#include "detent/analysis.h"
#include "detent/detent.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Of what the energy may make of a velocity, which has digits to spare in both calculations. */
static const double rounding = 1e-9;
/* Who comes or leaves so slowly, m/s and rad/s, may stay: then energy and signs alone are told. */
static const double slow = 1e-4, slow_tied = 1e-2;
/* Who is driven back by up to 1e4 m/s^2, tied 1e7 m/s^2, may bounce evenly (impact_flights.c), up to twice as fast. */
static const double even = 1e-3, even_tied = 1e-1;

/* What came of a mechanism. */
typedef enum outcome {
    STRUCK,    /* an impact, as it should be */
    UNTOUCHED, /* nobody approaches a stop */
    REFUSED,   /* not a mechanism */
    PROVED, /* no consistent state: before the impact, or at the search after it; none there is (prove.h) */
    UNPROVED, /* the same, but that is the engine's word alone */
    UNCLEAR, /* near a dead centre what moves is not told, and by how loops are closed not who is at its stop */
    WRONG,
    OUTCOMES
} outcome;

typedef struct counts {
    long tried, of[OUTCOMES];
    long tied, slow, rounds[IMPACT_STOPS + 2], stops[IMPACT_STOPS + 1];
    double grown, apart, pulled, counted; /* the worst of each */
} counts;

/* One mechanism. */
typedef struct impact {
    sketch s;
    scene sc;
    impact_plain plain;
    double before[DOFS], after[DOFS]; /* velocities by freedom */
    double loss;                      /* as the engine counts it, in units of the sketch */
    int stictions;
    size_t impacts;
    char words[512];
} impact;

/* No motions; velocities at random where nothing ties them; stops. */
static void prepare(sketch *s, uint64_t seed)
{
    chance own = {seed ^ 0x6b6b6b6b6b6b6b6bu}, *c = &own;
    const bool quick = chance_of(c, 0.8);
    for (int k = 0; k < s->count; k++) {
        for (int i = 0; i < s->joint[k].count; i++) {
            sketch_primitive *p = &s->joint[k].primitive[i];
            p->motion[0] = '\0';
            p->band = false; /* what it takes of velocities is no impact's */
            if (quick && k < SKETCH_TREE && chance_of(c, 0.8)) {
                p->velocity = chance_number(c, -4, 4);
            }
        }
    }
    stops_scatter(s, c);
}

/* Positions and velocities in the order of the file's joints; where there is no run, those that it would begin with. */
static void keep_state(const detent_mechanism *m, detent_simulation *sim,
                       const detent_mechanism_info *info, verdict *v)
{
    double q[2 * DOFS] = {0}, speed[2 * DOFS] = {0};
    const size_t nq = info->coordinates;
    if (sim) {
        detent_read(sim, DETENT_POSITIONS, q, nq, NULL);
        detent_read(sim, DETENT_VELOCITIES, speed, info->freedoms, NULL);
    } else {
        detent_assemble(m, NULL, q, speed, NULL, NULL);
    }
    memset(v, 0, sizeof *v);
    for (size_t joint = 0; joint < info->joints; joint++) {
        for (size_t i = 0; i < info->primitives; i++) {
            detent_primitive_info p = DETENT_INIT(detent_primitive_info);
            detent_get_primitive(m, i, &p);
            for (size_t k = 0; k < p.coordinates && p.joint == joint; k++) {
                v->state[v->coordinates++] = q[p.first_coordinate + k];
            }
            for (size_t k = 0; k < p.freedoms && p.joint == joint; k++) {
                v->state[nq + (size_t)v->freedoms++] = speed[p.first_freedom + k];
            }
        }
    }
}

/* A state that a run begins with. */
static detent_status begin(impact *x, const char *text, verdict *v)
{
    detent_mechanism *m = NULL;
    detent_simulation *sim = NULL;
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_error error;
    detent_status status =
        detent_mechanism_parse(text, strlen(text), "sketch.yaml", NULL, &m, &error);
    status = status == DETENT_OK ? detent_simulation_create(m, NULL, &sim, &error) : status;
    if (m) {
        detent_mechanism_get_info(m, &info);
        keep_state(m, sim, &info, v);
    }
    if (status == DETENT_OK) {
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        detent_get_statistics(sim, &statistics);
        x->loss = statistics.impact_loss / sketch_unit(&x->s, 1, 2, -2);
        x->impacts = statistics.impacts;
        x->stictions = (int)info.stictions;
    } else {
        snprintf(x->words, sizeof x->words, "%s", error.message);
    }
    detent_simulation_destroy(sim);
    detent_mechanism_destroy(m);
    return status;
}

static void take_velocities(const scene *sc, double *v)
{
    for (int d = 0; d < sc->count; d++) {
        v[d] = sc->v[sc->dof[d].v];
    }
}

/* ---- what has to hold ---- */

static bool fails(impact *x, const char *what, double value, double allowed)
{
    if (value <= allowed) {
        return false;
    }
    snprintf(x->words, sizeof x->words, "%s: %.3g, allowed %.3g", what, value, allowed);
    return true;
}

/* Velocities over what the energy may make of them; how far two sets of them are apart. */
static double distance(const impact *x, double energy, const double *one, const double *other)
{
    double difference[DOFS];
    for (int d = 0; d < x->sc.count; d++) {
        difference[d] = one[d] - other[d];
    }
    return sqrt(fabs(impact_plain_energy(&x->plain, difference)) / energy);
}

static bool judge_signs(impact *x, double energy, double allowed)
{
    int closed = 0, who = 0;
    for (int k = 0; k < x->plain.count; k++) {
        const double away = impact_plain_away(&x->plain, x->after, k),
                     size = impact_plain_scale(&x->plain, energy, k);
        if (fails(x, "a stop is approached after the impact", -away / size, rounding)) {
            return false;
        }
        if (impact_plain_away(&x->plain, x->before, k) <= 0) {
            who = k;
            closed++;
        }
    }
    const double left = impact_plain_away(&x->plain, x->after, who) +
                        x->plain.restitution[who] * impact_plain_away(&x->plain, x->before, who);
    return closed != 1 || x->plain.count != 1 ||
           !fails(x, "a single stop is not left by its restitution",
                  fabs(left) / impact_plain_scale(&x->plain, energy, who), allowed);
}

/* How far velocities may be apart because the slowest leaves twice as fast. */
static double may_be_even(const impact *x, double energy, double slowest)
{
    const double below = x->sc.tied ? even_tied : even;
    double most = 0;
    for (int k = 0; k < x->plain.count && slowest < below; k++) {
        most = fmax(most, slowest / impact_plain_scale(&x->plain, energy, k));
    }
    return most;
}

static outcome judge_impact(impact *x, counts *n)
{
    double plain[DOFS], slowest;
    const double first = impact_plain_energy(&x->plain, x->before),
                 last = impact_plain_energy(&x->plain, x->after),
                 off = impact_plain_departure(&x->plain, x->after);
    memcpy(plain, x->before, sizeof plain);
    const int rounds = impact_plain_strike(&x->plain, x->stictions, plain, &slowest);
    if (rounds < 0) {
        snprintf(x->words, sizeof x->words, "no set of stops has impulses");
        return WRONG;
    }
    if (rounds == 0 && x->impacts == 0) {
        return UNTOUCHED;
    }
    const bool compared = slowest > (x->sc.tied ? slow_tied : slow);
    const double allowed = compared ? rounding + may_be_even(x, first, slowest) : (double)INFINITY;
    const double apart = compared ? distance(x, first, x->after, plain) : 0,
                 pulled = sqrt(fabs(impact_plain_pull(&x->plain, x->before, x->after)) / first),
                 counted = fabs(first - last - x->loss) / first;
    if (fails(x, "the kinetic energy grows by that part", last / first - 1, 1e-12) ||
        fails(x, "ties are not kept", off, 1e-9 * (1 + prove_norm(x->after, x->sc.count))) ||
        !judge_signs(x, first, allowed) ||
        fails(x, "impulses pull, or act elsewhere", pulled, allowed) ||
        fails(x, "the loss is counted wrong", counted, rounding) ||
        fails(x, "another impact than that of all sets tried", apart, allowed)) {
        return WRONG;
    }
    n->grown = fmax(n->grown, last / first - 1);
    n->apart = fmax(n->apart, apart);
    n->pulled = fmax(n->pulled, compared ? pulled : 0);
    n->counted = fmax(n->counted, counted);
    n->slow += !compared;
    n->tied += x->sc.tied;
    n->rounds[rounds < IMPACT_STOPS + 1 ? rounds : IMPACT_STOPS + 1]++;
    n->stops[x->plain.count]++;
    return STRUCK;
}

/* Whether joints at stops are there to the last bit in the run: those that loops leave a rounding before them come there a moment later. */
static bool are_closed(const impact *x, const verdict *v)
{
    bool all = true;
    for (int k = 0; k < x->plain.count; k++) {
        const int d = x->plain.freedom[k];
        const sketch_primitive *p = scene_primitive_of(&x->sc, d);
        char at[32]; /* as it is written */
        snprintf(at, sizeof at, "%.16g", p->position * sketch_unit(&x->s, 0, sketch_length(p), 0));
        all = all && v->state[x->sc.dof[d].q] == strtod(at, NULL);
    }
    return all;
}

/* What the engine's word is worth that the sketch has no consistent state, at the positions of the scene and such velocities. */
static outcome judge_search(impact *x, const sketch *s, const double *v)
{
    static const verdict at_start;
    static sketch there;
    char words[256];
    there = *s;
    for (int d = 0; d < x->sc.count; d++) {
        const dof *own = &x->sc.dof[d];
        sketch_primitive *p = &there.joint[own->joint].primitive[own->primitive];
        if (p->kind == 's') {
            p->spin[own->axis] = v[d];
        } else {
            p->velocity = v[d];
            p->position = x->sc.q[own->q];
        }
    }
    if (strstr(x->words, "branches of the motion meet")) {
        return UNCLEAR; /* where it may go is told by no equation of first order */
    }
    if (strstr(x->words, "structure in a dead centre") && prove_structure(&there, &at_start)) {
        return PROVED;
    }
    const proof found = prove(&there, &at_start, words, sizeof words);
    const size_t length = strlen(x->words);
    snprintf(x->words + length, sizeof x->words - length, " | %s", words);
    return found == PROOF_NONE_EXISTS ? PROVED : found == PROOF_ONE_EXISTS ? WRONG : UNPROVED;
}

/* There is none before the impact, or after it; `free` is the state before. Velocities after it are those of impact_plain.h. */
static outcome judge_none(impact *x, const sketch *s, const verdict *free, bool after)
{
    double v[DOFS], slowest;
    if (!prove_set_scene(&x->sc, s, free)) {
        return UNPROVED;
    }
    take_velocities(&x->sc, v);
    scene_form_equations(&x->sc);
    if (!impact_plain_open(&x->plain, &x->sc) ||
        (after && impact_plain_strike(&x->plain, x->stictions, v, &slowest) < 0)) {
        return UNPROVED;
    }
    impact_plain_round_off(&x->plain, impact_plain_energy(&x->plain, v), v);
    return judge_search(x, s, v);
}

static outcome try_one(impact *x, counts *n)
{
    static char text[SKETCH_TEXT], free_text[SKETCH_TEXT];
    static sketch lifted;
    verdict v, free;
    lifted = x->s;
    stops_lift(&lifted);
    sketch_write(&x->s, 0, 0, text, sizeof text);
    sketch_write(&lifted, 0, 0, free_text, sizeof free_text);
    detent_status status = begin(x, free_text, &free);
    if (status == DETENT_NO_CONSISTENT_STATE) {
        return judge_none(x, &lifted, &free, false);
    }
    status = status == DETENT_OK ? begin(x, text, &v) : status;
    if (status == DETENT_NO_CONSISTENT_STATE) {
        return strstr(x->words, "impulses of stops") ? WRONG : judge_none(x, &x->s, &free, true);
    }
    if (status != DETENT_OK) {
        return REFUSED;
    }
    if (!prove_set_scene(&x->sc, &x->s, &free)) {
        return UNCLEAR;
    }
    take_velocities(&x->sc, x->before);
    scene_form_equations(&x->sc);
    if (!impact_plain_open(&x->plain, &x->sc) || !are_closed(x, &v)) {
        return UNCLEAR;
    }
    prove_take_state(&x->sc, &v);
    take_velocities(&x->sc, x->after);
    return judge_impact(x, n);
}

/* ---- the whole ---- */

static void write_failure(const impact *x, uint64_t seed, long number, const char *folder)
{
    static char text[SKETCH_TEXT];
    char path[256];
    sketch_write(&x->s, 0, 0, text, sizeof text);
    snprintf(path, sizeof path, "%s/impact_%llu_%ld.yaml", folder, (unsigned long long)seed,
             number);
    FILE *file = fopen(path, "w");
    printf("%s: %s\n", path, x->words);
    if (file) {
        fprintf(file, "# %s\n%s", x->words, text);
        fclose(file);
    }
}

static void print(const counts *n)
{
    printf("%8ld mechanisms\n%8ld impacts, %ld of them with loops or couplings\n", n->tried,
           n->of[STRUCK], n->tied);
    for (int k = 1; k <= IMPACT_STOPS; k++) {
        printf("%8ld of them with %d joint%s at stops\n", n->stops[k], k, k > 1 ? "s" : "");
    }
    for (int k = 1; k < IMPACT_STOPS + 2; k++) {
        if (n->rounds[k] > 0) {
            printf("%8ld of them of %d impact%s at one instant\n", n->rounds[k], k,
                   k > 1 ? "s" : "");
        }
    }
    printf("%8ld of them too slow to be compared with those of all sets tried\n", n->slow);
    printf("%8ld where nobody approaches a stop\n%8ld without consistent state\n"
           "%8ld of which it is not proved that there is none\n"
           "%8ld refused\n%8ld not clear, by dead centres or rounding of loops\n%8ld wrong\n",
           n->of[UNTOUCHED], n->of[PROVED] + n->of[UNPROVED], n->of[UNPROVED], n->of[REFUSED],
           n->of[UNCLEAR], n->of[WRONG]);
    printf(
        "energy grows by %.2g of itself at most; what is counted is off by %.2g of it; velocities "
        "are %.2g apart, impulses %.2g\n",
        n->grown, n->counted, n->apart, n->pulled);
}

long impacts_try(uint64_t seed, long first, long wanted, const char *folder)
{
    static impact x;
    static counts n;
    n.grown = -1;
    for (long number = first; n.of[STRUCK] + n.of[WRONG] < wanted; number++) {
        chance c = {seed * 1000003u + (uint64_t)number};
        const uint64_t own = chance_bits(&c);
        sketch_generate(
            &x.s, own,
            (sketch_wishes){.ties = true, .yields = true, .bushings = true, .laws = true});
        prepare(&x.s, own);
        const outcome what = try_one(&x, &n);
        n.tried++;
        n.of[what]++;
        if (what == WRONG || what == UNPROVED) {
            write_failure(&x, seed, number, folder);
        }
        if (what == REFUSED && n.of[REFUSED] < 10) {
            printf("%ld: %s\n", number, x.words);
        }
    }
    print(&n);
    return n.of[WRONG];
}
