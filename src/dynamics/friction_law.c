/*
 * Friction laws. With the velocity v and the load L of a joint its friction is
 *
 *   F = -L D - f v,     L = max(0, N) r where a normal force N rubs at a radius r (1 where the joint slides), else 1
 *
 * with the dry part D of a law; B, C: breakaway, coulomb; w: breakaway_velocity, S = w sqrt 2; e: velocity_band.
 *
 *   coulomb       C tanh(v / e); without e: C sign(v)
 *   sign          C sign(v)
 *   stribeck      C tanh(10 v / w) + sqrt(2 exp 1) (B - C) exp(-(v/S)^2) v / S, whose second term is B - C at v = w
 *   hyperviscous  C v / e within -C .. C
 *   quinn         L D = L C sign(v) where |v| > e, else L C v / e + (1 - |v| / e) times h within -L C .. L C
 *   lugre         k z + d z',   z' = v - k |v| z / g(v),   g = C + (B - C) exp(-(v/S)^2)
 *   dahl          k z,          z' = v (1 - k z sign(v) / C)^a
 *   maxwell-slip  sum k_i z_i,  z_i' = v, and 0 where |k_i z_i| has come to its limit W_i and v leads further
 *   stiction      no force: |F| <= L max(B, C) at rest, L g(v) + f |v| in motion: breakaway at the static limit, continuous from there
 *   borello       no force: h within -L B' .. L B' at v = 0, B' = max(B, C), L C sign(v) + f v in motion; for steps of fixed length, in which
 *                 one that turns round stops
 *   karnopp       the same, but that it stops as soon as |v| <= e at the end of a step
 *
 * h is all that acts along the joint beside friction (model/active.c).
 *
 * What is 0 is no effect: without B there is no Stribeck term, g = C. The laws of the toolbox and of L. Borello, M. Dalla Vedova,
 * 2014; C. Canudas de Wit et al., IEEE Trans. Automat. Contr. 40 (1995) 419; P. R. Dahl, 1968; W. D. Iwan, J. Appl. Mech. 33 (1966)
 * 893, springs side by side that slip.
 */
#include "dynamics/friction_law.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef dt_friction_law law_of;

/* ---- texts of the dry part ---- */

static const char *no_text(dt_arena *arena, const law_of *l)
{
    (void)arena, (void)l;
    return "";
}

static const char *text_of_sign(dt_arena *arena, const law_of *l)
{
    return dt_arena_printf(arena, "%.17g*sign(velocity(%s))", l->coulomb, l->name);
}

static const char *text_of_coulomb(dt_arena *arena, const law_of *l)
{
    return l->velocity_band == 0 ? text_of_sign(arena, l)
                                 : dt_arena_printf(arena, "%.17g*tanh(velocity(%s)/%.17g)",
                                                   l->coulomb, l->name, l->velocity_band);
}

static bool decays(const law_of *l)
{
    return l->breakaway > l->coulomb;
}

static const char *text_of_stribeck(dt_arena *arena, const law_of *l)
{
    static const double root = 2.33164398159712418, ten = 10; /* sqrt(2 exp 1) */
    const double v = l->breakaway_velocity, S = v * sqrt(2);
    const char *coulomb = l->coulomb == 0 ? "0"
                                          : dt_arena_printf(arena, "%.17g*tanh(velocity(%s)/%.17g)",
                                                            l->coulomb, l->name, v / ten);
    return !coulomb || !decays(l)
               ? coulomb
               : dt_arena_printf(
                     arena, "%s + %.17g*exp(-(velocity(%s)/%.17g)^2)*(velocity(%s)/%.17g)", coulomb,
                     root * (l->breakaway - l->coulomb), l->name, S, l->name, S);
}

static const char *text_of_hyperviscous(dt_arena *arena, const law_of *l)
{
    return dt_arena_printf(arena, "clamp(%.17g*velocity(%s), -%.17g, %.17g)",
                           l->coulomb / l->velocity_band, l->name, l->coulomb, l->coulomb);
}

/* g(v) */
static const char *text_of_curve(dt_arena *arena, const law_of *l)
{
    return decays(l) ? dt_arena_printf(arena, "(%.17g + %.17g*exp(-(velocity(%s)/%.17g)^2))",
                                       l->coulomb, l->breakaway - l->coulomb, l->name,
                                       l->breakaway_velocity * sqrt(2))
                     : dt_arena_printf(arena, "%.17g", l->coulomb);
}

/* ---- a law that reads what acts ---- */

/* L and the sign before D. */
static const char *text_of_load(dt_arena *arena, const law_of *l)
{
    return l->normal_force ? dt_arena_printf(arena, "max(0, (%s))*%.17g*", l->normal_force,
                                             l->radius > 0 ? l->radius : 1)
                           : "";
}

/*
 * Quinn's law, with u = |v| / e, in its band as it stands, with a given h:
 *
 *   L D = L C v / e + (1 - u) h,   h at most L C
 *
 * Or where h is not given but as what friction and I a are, h = L D + f v + I a, so that within its limits
 *
 *   h = (L C v / e + f v + I a) / u.
 *
 * That grows with a, so however many joints are tied together, one motion agrees with all of them, and who shares what is decided by I and e.
 * With u = sqrt(v^2 + s^2) / e, s = 2^-24 e, there is one at rest, too, where joints share as springs do, and no switch at v = 0, where all is noise.
 * A given h has that u as well where conditions tie the joint: where they hold it, in a loop that cannot move or at its dead centre, friction that
 * holds it too would leave their forces open; as it is, it is 0.
 */
static const char *text_of_quinn(dt_arena *arena, const law_of *l, const dt_active *active)
{
    /* without sign(v), which would be watched at v = 0 */
    static const double soft =
        0x1p-24; /* s / e: what is left of a is far above its rounding, and s below what a run resolves */
    const char *load = text_of_load(arena, l), *v = l->name,
               *speed = active->force && !active->is_tied
                            ? dt_arena_printf(arena, "abs(velocity(%s))", v)
                            : dt_arena_printf(arena, "sqrt(velocity(%s)^2 + %.17g)", v,
                                              soft * l->velocity_band * soft * l->velocity_band);
    const double e = l->velocity_band, C = l->coulomb;
    const char *h = !load || !speed ? NULL
                    : active->force
                        ? active->force
                        : dt_arena_printf(arena,
                                          "((%s%.17g*velocity(%s) + %.17g*velocity(%s) + "
                                          "%.17g*%s)/%s)",
                                          load, C, v, l->viscous * e, v, e, active->inert, speed);
    return h ? dt_arena_printf(arena,
                               "if(velocity(%s) > %.17g, %s%.17g, if(velocity(%s) < -%.17g, "
                               "-%s%.17g, %s%.17g*velocity(%s) + (1 - %s/%.17g)*clamp(%s, "
                               "-%s%.17g, %s%.17g)))",
                               v, e, load, C, v, e, load, C, load, C / e, v, speed, e, h, load, C,
                               load, C)
             : NULL;
}

/* ---- laws with springs ---- */

static int one_spring(const law_of *l)
{
    return l->coulomb > 0;
}

static int all_springs(const law_of *l)
{
    int count = 0;
    while (count < DT_MOST_SIZES && l->stiffnesses[count] > 0) {
        count++;
    }
    return count;
}

/* The name of a spring's state, as the item calls it. */
static const char *spring_name(dt_arena *arena, const law_of *l, int k)
{
    return dt_friction_springs(l) == 1
               ? dt_arena_printf(arena, "state(%s.bristle)", l->name)
               : dt_arena_printf(arena, "state(%s.bristle[%d])", l->name, k + 1);
}

static const char *rate_of_lugre(dt_arena *arena, const law_of *l, int k)
{
    const char *z = spring_name(arena, l, k), *g = text_of_curve(arena, l);
    return z && g ? dt_arena_printf(arena, "(velocity(%s) - %.17g*abs(velocity(%s))*%s/%s)",
                                    l->name, l->stiffness, l->name, z, g)
                  : NULL;
}

/* b^a of b = 1 - k z sign(v) / C, which is never negative but by errors. */
static const char *rate_of_dahl(dt_arena *arena, const law_of *l, int k)
{
    const char *z = spring_name(arena, l, k);
    const double share = l->stiffness / l->coulomb, power = l->exponent;
    if (power == 0 || power == 1) {
        return z ? dt_arena_printf(arena, "(velocity(%s) - %.17g*abs(velocity(%s))*%s)", l->name,
                                   share, l->name, z)
                 : NULL;
    }
    return z ? dt_arena_printf(arena,
                               "(velocity(%s)*if(velocity(%s) > 0, max(0, 1 - %.17g*%s)^%.17g, "
                               "max(0, 1 + %.17g*%s)^%.17g))",
                               l->name, l->name, share, z, power, share, z, power)
             : NULL;
}

static const char *rate_of_slip(dt_arena *arena, const law_of *l, int k)
{
    const char *z = spring_name(arena, l, k);
    const double stretch = l->limits[k] / l->stiffnesses[k];
    return z ? dt_arena_printf(
                   arena,
                   "if(velocity(%s) > 0, if(%s < %.17g, velocity(%s), 0), if(%s > -%.17g, "
                   "velocity(%s), 0))",
                   l->name, z, stretch, l->name, z, stretch, l->name)
             : NULL;
}

static const char *text_of_lugre(dt_arena *arena, const law_of *l)
{
    const char *z = spring_name(arena, l, 0),
               *rate = l->damping > 0 ? rate_of_lugre(arena, l, 0) : "0";
    return z && rate
               ? dt_arena_printf(arena, "%.17g*%s + %.17g*%s", l->stiffness, z, l->damping, rate)
               : NULL;
}

static const char *text_of_dahl(dt_arena *arena, const law_of *l)
{
    const char *z = spring_name(arena, l, 0);
    return z ? dt_arena_printf(arena, "%.17g*%s", l->stiffness, z) : NULL;
}

static const char *text_of_slip(dt_arena *arena, const law_of *l)
{
    const char *text = "0";
    for (int k = 0; k < dt_friction_springs(l) && text; k++) {
        const char *z = spring_name(arena, l, k);
        text = z ? dt_arena_printf(arena, "%s + %.17g*%s", text, l->stiffnesses[k], z) : NULL;
    }
    return text;
}

/* ---- the table ---- */

/* What a law is: NEEDS_: which keys it cannot do without where it rubs dry. Flags. */
enum {
    NEEDS_BAND = 1,
    NEEDS_VELOCITY = 2, /* also without a Stribeck effect */
    NEEDS_STIFFNESS = 4,
    NEEDS_SPRINGS = 8,   /* each with a stiffness and a limit of its own */
    HAS_CURVE = 16,      /* whose decay has a breakaway velocity */
    HAS_BOTTOM = 32,     /* whose friction in motion is not 0 */
    HAS_LIMIT = 64,      /* holds more at rest than in motion */
    HAS_DAMPING = 128,   /* of its bristle */
    IS_STICTION = 256,   /* no force, but the stiction of its joint */
    IS_OF_STEPS = 512,   /* a stiction that is decided on once a step */
    RESTS_IN_BAND = 1024 /* and whose joint rests in its velocity band */
};

typedef struct law_row {
    const char *(*dry)(dt_arena *arena, const law_of *l); /* "": it has no force */
    const char *(*whole)(dt_arena *arena, const law_of *l,
                         const dt_active *active); /* with its load; NULL: it is `dry` */
    int traits;
    int (*springs)(const law_of *l);
    const char *(*rate)(dt_arena *arena, const law_of *l, int spring);
} law_row;

/* clang-format off */
/* Laws, a row each: the word, and a law_row. */
#define LAW_TABLE(ROW)                                                                             \
    ROW("none", .dry = no_text)                                                                    \
    ROW("coulomb", .dry = text_of_coulomb)                                                         \
    ROW("stribeck", .dry = text_of_stribeck, .traits = NEEDS_VELOCITY | HAS_CURVE | HAS_LIMIT)      \
    ROW("sign", .dry = text_of_sign)                                                               \
    ROW("hyperviscous", .dry = text_of_hyperviscous, .traits = NEEDS_BAND)                          \
    ROW("quinn", .whole = text_of_quinn, .traits = NEEDS_BAND)                                      \
    ROW("lugre", .dry = text_of_lugre, .springs = one_spring, .rate = rate_of_lugre,               \
        .traits = NEEDS_STIFFNESS | HAS_CURVE | HAS_BOTTOM | HAS_LIMIT | HAS_DAMPING)               \
    ROW("dahl", .dry = text_of_dahl, .springs = one_spring, .rate = rate_of_dahl,                  \
        .traits = NEEDS_STIFFNESS | HAS_BOTTOM)                                                     \
    ROW("maxwell-slip", .dry = text_of_slip, .springs = all_springs, .rate = rate_of_slip,         \
        .traits = NEEDS_SPRINGS)                                                                    \
    ROW("stiction", .dry = no_text, .traits = HAS_LIMIT | IS_STICTION)                              \
    ROW("karnopp", .dry = no_text, .traits = HAS_LIMIT | IS_STICTION | IS_OF_STEPS | RESTS_IN_BAND) \
    ROW("borello", .dry = no_text, .traits = HAS_LIMIT | IS_STICTION | IS_OF_STEPS)
/* clang-format on */

#define LAW_ROW(word, ...) {__VA_ARGS__},
static const law_row rows[] = {LAW_TABLE(LAW_ROW)};
#undef LAW_ROW

#define LAW_WORD(word, ...) word,
const char *const dt_friction_words[] = {LAW_TABLE(LAW_WORD) NULL};
#undef LAW_WORD

/* Whether a law has one of these flags. */
static bool is(const law_of *l, int flags)
{
    return (rows[l->law].traits & flags) != 0;
}

/* ---- what is wrong ---- */

static int count_sizes(const double sizes[DT_MOST_SIZES])
{
    int count = 0;
    while (count < DT_MOST_SIZES && sizes[count] > 0) {
        count++;
    }
    return count;
}

/* What no law may have. */
static const char *fault_of_numbers(const law_of *l, bool rotational, const char **key)
{
    const struct {
        bool wrong;
        const char *key, *why;
    } faults[] = {
        {l->breakaway > 0 && l->breakaway < l->coulomb, "breakaway",
         "the breakaway friction is below the Coulomb friction"},
        {l->radius > 0 && !l->normal_force, "radius",
         "a radius is that at which a 'normal_force' rubs, and there is none"},
        {l->radius > 0 && !rotational, "radius",
         "the friction of a joint that slides has no radius"},
        {l->normal_force && rotational && l->radius == 0, "normal_force",
         "in a joint that turns a normal force needs the 'radius' at which it rubs"},
        {l->exponent > 0 && l->exponent < 1, "exponent", "the exponent is at least 1"},
        {count_sizes(l->stiffnesses) != count_sizes(l->limits), "limits",
         "there must be as many 'limits' as 'stiffnesses': one of each spring"},
    };
    const char *why = NULL;
    for (size_t k = 0; k < sizeof faults / sizeof *faults && !why; k++) {
        why = faults[k].wrong ? faults[k].why : NULL;
        *key = why ? faults[k].key : *key;
    }
    return why;
}

/* What this law cannot do without. */
static const char *fault_of_law(const law_of *l, const char **key)
{
    const int traits = rows[l->law].traits;
    const bool dry = l->coulomb > 0 || l->breakaway > 0;
    *key = "law";
    return (traits & RESTS_IN_BAND) && l->velocity_band == 0
               ? "this law needs a 'velocity_band', in which it is at rest"
           : (traits & NEEDS_BAND) && l->velocity_band == 0
               ? "this law needs a 'velocity_band', in which its jump is smoothed"
           : l->breakaway_velocity == 0 &&
                   (((traits & NEEDS_VELOCITY) && dry) || ((traits & HAS_CURVE) && decays(l)))
               ? "this law needs a 'breakaway_velocity'"
           : (traits & NEEDS_STIFFNESS) && l->stiffness == 0 ? "this law needs a 'stiffness'"
           : (traits & HAS_BOTTOM) && l->coulomb == 0 && l->breakaway > 0
               ? "this law needs a 'coulomb' friction: its bristles would be stretched without end"
           : (traits & NEEDS_SPRINGS) && l->stiffnesses[0] == 0
               ? "this law needs 'stiffnesses' and 'limits', lists of one number for each spring"
               : NULL;
}

const char *dt_friction_fault(const law_of *l, bool rotational, const char **key)
{
    const char *why = fault_of_numbers(l, rotational, key);
    return why ? why : fault_of_law(l, key);
}

/* ---- what is not given ---- */

void dt_friction_take_over(law_of *l, const dt_dry_friction *friction)
{
    l->coulomb = friction->kinetic;
    l->breakaway = friction->limit;
    l->normal_force = friction->load;
    l->radius = friction->radius;
}

/* Springs of equal limits that slip one after the other, until the last one does at the stretch. */
static void take_springs(law_of *l, double stretch)
{
    enum { SPRINGS = 4 };
    for (int k = 0; k < SPRINGS; k++) {
        l->limits[k] = l->coulomb / SPRINGS;
        l->stiffnesses[k] = l->limits[k] / (stretch * (k + 1) / SPRINGS);
    }
}

const char *dt_friction_complete(law_of *l, double velocity, double stretch)
{
    const law_row *row = &rows[l->law];
    if (isnan(l->breakaway) && (row->traits & HAS_LIMIT)) {
        return "its static friction is no constant: its ratio to the kinetic one has to be given, "
               "as "
               "the key 'breakaway'";
    }
    l->breakaway = isnan(l->breakaway) ? 0 : l->breakaway;
    const bool dry = l->coulomb > 0 || l->breakaway > 0;
    if ((row->traits & (NEEDS_BAND | RESTS_IN_BAND)) && l->velocity_band == 0) {
        l->velocity_band = velocity;
    }
    if (l->breakaway_velocity == 0 &&
        (((row->traits & NEEDS_VELOCITY) && dry) || ((row->traits & HAS_CURVE) && decays(l)))) {
        l->breakaway_velocity = velocity;
    }
    if ((row->traits & NEEDS_STIFFNESS) && l->stiffness == 0 && stretch > 0) {
        l->stiffness = l->coulomb / stretch;
    }
    if ((row->traits & NEEDS_SPRINGS) && l->stiffnesses[0] == 0 && stretch > 0 && l->coulomb > 0) {
        take_springs(l, stretch);
    }
    return NULL;
}

/* ---- the law as a whole ---- */

/* L D; "": there is none. */
static const char *text_of_dry(dt_arena *arena, const law_of *l, const dt_active *active)
{
    if (rows[l->law].whole) {
        return rows[l->law].whole(arena, l, active);
    }
    const char *load = text_of_load(arena, l), *dry = rows[l->law].dry(arena, l);
    return !load || !dry ? NULL : !*dry ? "" : dt_arena_printf(arena, "%s(%s)", load, dry);
}

const char *dt_friction_text(dt_arena *arena, const law_of *l, const dt_active *active)
{
    const bool dry = l->coulomb > 0 || l->breakaway > 0 || is(l, NEEDS_SPRINGS);
    const char *text = text_of_dry(arena, l, active);
    if (!text || !*text) {
        return text;
    }
    return dry ? dt_arena_printf(arena, "-(%s + %.17g*velocity(%s))", text, l->viscous, l->name)
               : dt_arena_printf(arena, "-%.17g*velocity(%s)", l->viscous, l->name);
}

bool dt_friction_reads_active(const law_of *l)
{
    return rows[l->law].whole && l->coulomb > 0;
}

/* In motion: g(v); or the Coulomb friction, and where a step begins at rest the limit, which is what acts if it does not hold. */
static const char *text_of_motion(dt_arena *arena, const law_of *l)
{
    return is(l, IS_OF_STEPS) ? dt_arena_printf(arena, "if(abs(velocity(%s)) > 0, %.17g, %.17g)",
                                                l->name, l->coulomb, fmax(l->breakaway, l->coulomb))
           : l->breakaway_velocity > 0 ? text_of_curve(arena, l)
                                       : dt_arena_printf(arena, "%.17g", l->coulomb);
}

const char *dt_friction_fixed_steps(const law_of *l, double *band)
{
    *band = is(l, RESTS_IN_BAND) ? l->velocity_band : 0;
    return is(l, IS_OF_STEPS) ? dt_friction_words[l->law] : NULL;
}

bool dt_friction_stiction(dt_arena *arena, const law_of *l, const char **limit,
                          const char **kinetic)
{
    if (!is(l, IS_STICTION)) {
        return false;
    }
    const char *load = text_of_load(arena, l), *curve = text_of_motion(arena, l);
    *limit = load ? dt_arena_printf(arena, "%s%.17g", load, fmax(l->breakaway, l->coulomb)) : NULL;
    *kinetic = load && curve ? dt_arena_printf(arena, "%s%s + %.17g*dir*velocity(%s)", load, curve,
                                               l->viscous, l->name)
                             : NULL;
    return true;
}

/* ---- springs ---- */

int dt_friction_springs(const law_of *l)
{
    return rows[l->law].springs ? rows[l->law].springs(l) : 0;
}

double dt_friction_stiffness(const law_of *l, int k)
{
    return is(l, NEEDS_SPRINGS) ? l->stiffnesses[k] : l->stiffness;
}

double dt_friction_damping(const law_of *l)
{
    return is(l, HAS_DAMPING) ? l->damping : 0;
}

double dt_friction_stretch(const law_of *l, int k)
{
    return is(l, NEEDS_SPRINGS) ? l->limits[k] / l->stiffnesses[k] : l->coulomb / l->stiffness;
}

double dt_friction_slip(const law_of *l, int k, double v)
{
    const double least = dt_friction_stretch(l, k);
    if (!is(l, HAS_CURVE) || !decays(l)) {
        return least;
    }
    const double over = v / (l->breakaway_velocity * sqrt(2));
    return least + (l->breakaway - l->coulomb) / l->stiffness * exp(-over * over);
}

double dt_friction_exponent(const law_of *l)
{
    return is(l, NEEDS_SPRINGS) ? 0 : is(l, HAS_DAMPING) || l->exponent == 0 ? 1 : l->exponent;
}

const char *dt_friction_rate(dt_arena *arena, const law_of *l, int k)
{
    return rows[l->law].rate(arena, l, k);
}
