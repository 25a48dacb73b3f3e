/* The units of a mechanism do not matter: with masses, lengths and times of another size a run is the same, event by event,
 * at times that are as many times as long. Scaled by powers of two nothing is rounded differently, and times are equal to
 * the last bit, whatever the engine's variant: no sum, no comparison and no pivot has numbers of different units. By powers of
 * ten they are equal within the tolerance.
 *
 * Every mechanism is written in the parameters M, L and T, all 1; F, J, K, ... are what follows from them. */
#include "support_variants.h"

#define HEAD                                                                                \
    "detent: 1\n"                                                                           \
    "parameters: {M: 1, L: 1, T: 1, V: L/T, A: L/T/T, F: M*L/T/T, N: M*L*L/T/T, J: M*L*L, " \
    "K: M/T/T, C: M/T}\n"

static const struct {
    const char *name, *text;
    double end; /* T */
} mechanism[] = {
    {"dragged block",
     "gravity: [0, 0, 0]\n"
     "bodies: {block: {mass: M}}\n"
     "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
     "stiction: {slide: {external: \"2*K*(0.1*V*t - position(slide))\", kinetic: F, static: "
     "1.5*F}}\n",
     16},
    {"pendulum that sticks",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies: {rod: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0, J/12, J/12]}}\n"
     "joints: {hinge: {type: revolute, base: ground, follower: rod}}\n"
     "stiction: {hinge: {kinetic: 0.2*N, static: 0.3*N}}\n",
     8},
    {"double pendulum",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies:\n"
     "  upper: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0, J/12, J/12]}\n"
     "  lower: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0, J/12, J/12]}\n"
     "joints:\n"
     "  shoulder: {type: revolute, base: ground, follower: upper}\n"
     "  elbow: {type: revolute, base: upper, follower: lower, at: {base: [L, 0, 0]}}\n"
     "stiction:\n"
     "  shoulder: {kinetic: 2*N, static: 2.5*N}\n"
     "  elbow: {kinetic: 0.5*N, static: 0.6*N}\n",
     4},
    {"block on a belt",
     "gravity: [0, 0, 0]\n"
     "bodies: {belt: {mass: M}, block: {mass: M}}\n"
     "joints:\n"
     "  drive: {type: prismatic, base: ground, follower: belt, axis: [1, 0, 0], motion: 0.1*V*t}\n"
     "  slip: {type: prismatic, base: belt, follower: block, axis: [1, 0, 0]}\n"
     "stiction: {slip: {kinetic: F, static: 1.5*F}}\n"
     "loads: {spring: {body: block, force: [\"-K*(position(drive) + position(slip))\", 0, 0]}}\n",
     40},
    {"oscillator",
     "gravity: [0, 0, 0]\n"
     "bodies: {block: {mass: M}}\n"
     "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0],\n"
     "  spring: {stiffness: 4*K}, damping: 0.1*C, initial: {position: 3*L}}}\n"
     "stiction: {slide: {kinetic: F, static: 1.2*F}}\n",
     12},
    {"push that comes and goes",
     "gravity: [0, 0, 0]\n"
     "bodies: {block: {mass: M}}\n"
     "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
     "stiction: {slide: {external: \"2*F*sin(3*t/T)\", kinetic: F, static: F}}\n",
     7},
    {"row of blocks",
     "gravity: [0, 0, 0]\n"
     "bodies: {a: {mass: M}, b: {mass: 2*M}, c: {mass: 0.5*M}}\n"
     "joints:\n"
     "  ja: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0]}\n"
     "  jb: {type: prismatic, base: a, follower: b, axis: [1, 0, 0]}\n"
     "  jc: {type: prismatic, base: b, follower: c, axis: [1, 0, 0]}\n"
     "stiction:\n"
     "  ja: {kinetic: 3*F, static: 3*F}\n"
     "  jb: {kinetic: 2*F, static: 2.2*F}\n"
     "  jc: {kinetic: F, static: 1.3*F}\n"
     "loads: {push: {body: c, force: [\"4*F*sin(2*t/T)\", 0, 0]}}\n",
     6},
    {"Stribeck",
     "gravity: [0, 0, 0]\n"
     "bodies: {A: {mass: M}}\n"
     "joints: {a: {type: prismatic, base: ground, follower: A, axis: [1, 0, 0],\n"
     "  initial: {velocity: 10*V}}}\n"
     "stiction: {a: {external: -20*F, kinetic: \"F*(1 + 0.5*exp(-abs(velocity(a))/(0.1*V)))\",\n"
     "  static: 30*F}}\n",
     1},
    {"cart and rod",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies:\n"
     "  cart: {mass: M}\n"
     "  rod: {mass: 0.5*M, center_of_mass: [0, -0.5*L, 0], inertia: [0.1*J, 0.01*J, 0.1*J]}\n"
     "joints:\n"
     "  slide: {type: prismatic, base: ground, follower: cart, axis: [1, 0, 0]}\n"
     "  hinge: {type: revolute, base: cart, follower: rod, initial: {position: 1}}\n"
     "stiction:\n"
     "  slide: {kinetic: 2*F, static: 3*F}\n"
     "  hinge: {kinetic: 0.02*N, static: 0.03*N}\n"
     "loads: {push: {body: cart, at: [0, 0.5*L, 0], force: [\"3*F*sin(3*t/T)\", 0, 0]}}\n",
     4},
    {"pressed block",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies: {wedge: {mass: 2*M}, block: {mass: M}}\n"
     "joints:\n"
     "  wedge: {type: prismatic, base: ground, follower: wedge, axis: [1, 0, 0]}\n"
     "  block: {type: prismatic, base: wedge, follower: block, axis: [1, 0.3, 0]}\n"
     "stiction:\n"
     "  wedge: {kinetic: 2*F, static: 3*F, external: \"4*F*sin(2*t/T)\"}\n"
     "  block: {kinetic: 0.2*normal_force(block), static: 0.3*normal_force(block)}\n",
     3},
    {"chain of rods",
     "gravity: [0, -9.81*A, 0]\n"
     "chain:\n"
     "  count: 6\n"
     "  bodies: {link: {mass: M/6, center_of_mass: [L/12, 0, 0], inertia: [0, J/2592, J/2592]}}\n"
     "  joints:\n"
     "    hinge: {type: revolute, base: \"link[i-1]\", follower: \"link[i]\", at: {base: [L/6, 0, "
     "0]}}\n"
     "  stiction: {hinge: {kinetic: 0.3*N, static: 0.4*N}}\n"
     "  first: {joints: {hinge: {base: ground, at: null}}}\n",
     2},
    {"spinning top",
     "gravity: [0, 0, -9.81*A]\n"
     "bodies:\n"
     "  top: {mass: M, center_of_mass: [0, 0, 0.3*L], inertia: [0.02*J, 0.02*J, 0.01*J]}\n"
     "  ring: {mass: 0.1*M, inertia: [0.001*J, 0.001*J, 0.002*J]}\n"
     "joints:\n"
     "  ball: {type: spherical, base: ground, follower: top, initial: {velocity: [0.3/T, 0, "
     "20/T]}}\n"
     "  grip: {type: revolute, base: top, follower: ring, at: {base: [0, 0, 0.4*L]}}\n"
     "stiction: {grip: {kinetic: 0.01*N, static: 0.012*N, external: \"0.03*N*sin(9*t/T)\"}}\n",
     1},
    {"brake",
     "gravity: [0, 0, 0]\n"
     "bodies: {wheel: {mass: M, inertia: [J, J, J]}}\n"
     "joints: {axle: {type: revolute, base: ground, follower: wheel, initial: {velocity: 10/T}}}\n"
     "stiction: {axle: {kinetic: \"N*max(0, 6*sin(t/T))\", static: \"N*max(0, 7*sin(t/T)) + "
     "0.1*N\",\n"
     "  external: 0.5*N}}\n",
     9},
    {"pulled over a bump",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies: {sled: {mass: M}}\n"
     "joints: {rail: {type: prismatic, base: ground, follower: sled, axis: [1, 0, 0]}}\n"
     "stiction: {rail: {kinetic: \"0.3*normal_force(rail)\", static: \"0.4*normal_force(rail)\",\n"
     "  external: \"F*if(position(rail) < 0.2*L, 5, 1) - 0.5*C*velocity(rail)\"}}\n",
     5},
    {"two masses and a gap",
     "gravity: [0, 0, 0]\n"
     "signals: {gap: position(a) - position(b), touch: \"50*K*max(0, gap - 0.1*L)\"}\n"
     "bodies: {A: {mass: M}, B: {mass: 3*M}}\n"
     "joints:\n"
     "  a: {type: prismatic, base: ground, follower: A, axis: [1, 0, 0], initial: {velocity: "
     "2*V}}\n"
     "  b: {type: prismatic, base: ground, follower: B, axis: [1, 0, 0]}\n"
     "stiction:\n"
     "  a: {kinetic: 0.2*F, static: 0.3*F, external: -touch}\n"
     "  b: {kinetic: F, static: 1.5*F, external: touch}\n",
     4},
    {"velocity band",
     "gravity: [0, 0, 0]\n"
     "bodies: {block: {mass: M}}\n"
     "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
     "stiction: {slide: {velocity_threshold: 1e-3*V, locking: band, external: \"2*F*sin(3*t/T)\",\n"
     "  kinetic: F, static: F}}\n",
     7},
    {"screw of rail and hinge",
     "gravity: [0, 0, -9.81*A]\n"
     "bodies: {nut: {mass: M, center_of_mass: [0.05*L, 0, 0], inertia: [0.01*J, 0.01*J, 0.01*J]}}\n"
     "joints: {bush: {type: cylindrical, base: ground, follower: nut, axis: [0, 0.6, 0.8]}}\n"
     "stiction:\n"
     "  bush.p1: {kinetic: 6*F, static: 7*F}\n"
     "  bush.r1: {kinetic: 0.1*N, static: 0.15*N, external: \"0.3*N*sin(4*t/T)\"}\n",
     4},
    {"armature",
     "gravity: [0, 0, 0]\n"
     "bodies: {arm: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0, J/12, J/12]}}\n"
     "joints: {motor: {type: revolute, base: ground, follower: arm, armature: 0.4*J}}\n"
     "stiction: {motor: {kinetic: 0.5*N, static: 0.6*N, external: \"N*sin(2*t/T)\"}}\n",
     6},
    {"free box on a spring",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies: {box: {mass: M, inertia: [0.1*J, 0.1*J, 0.1*J]}, slug: {mass: 0.2*M}}\n"
     "joints:\n"
     "  lift: {type: prismatic, base: ground, follower: box, axis: [0, 1, 0], spring: {stiffness: "
     "40*K}}\n"
     "  slot: {type: prismatic, base: box, follower: slug, axis: [0.6, 0.8, 0]}\n"
     "stiction: {slot: {kinetic: 0.5*F, static: 0.8*F}, lift: {kinetic: 0.1*F, static: 0.1*F}}\n",
     3},
    {"asymmetric limits, own test",
     "gravity: [0, 0, 0]\n"
     "bodies: {block: {mass: M}}\n"
     "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
     "stiction: {slide: {external: \"3*F*sin(2*t/T)\", kinetic: F, forward: -2*F, reverse: "
     "1.5*F}}\n",
     9},
    {"slider-crank",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies:\n"
     "  crank: {mass: M, center_of_mass: [0.15*L, 0, 0], inertia: [0, 0.1*J, 0.1*J]}\n"
     "  rod: {mass: 0.5*M, center_of_mass: [0.35*L, 0, 0], inertia: [0, 0.1*J, 0.1*J]}\n"
     "  slider: {mass: M, inertia: [0.01*J, 0.01*J, 0.01*J]}\n"
     "joints:\n"
     "  crank: {type: revolute, base: ground, follower: crank, initial: {position: 1, velocity: "
     "3/T}}\n"
     "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.3*L, 0, 0]},\n"
     "    initial: {position: -1.4}}\n"
     "  wrist: {type: revolute, base: rod, follower: slider, at: {base: [0.7*L, 0, 0]}}\n"
     "  slide: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0]}\n"
     "stiction:\n"
     "  crank: {kinetic: 0.1*N, static: 0.15*N}\n"
     "  slide: {kinetic: 0.5*F, static: 0.6*F}\n",
     3},
    {"four-bar with friction everywhere",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies:\n"
     "  crank: {mass: M, center_of_mass: [0.2*L, 0, 0], inertia: [0, 0.02*J, 0.02*J]}\n"
     "  coupler: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0, 0.1*J, 0.1*J]}\n"
     "  rocker: {mass: M, center_of_mass: [0.4*L, 0, 0], inertia: [0, 0.05*J, 0.05*J]}\n"
     "joints:\n"
     "  a: {type: revolute, base: ground, follower: crank, initial: {position: 1}}\n"
     "  b: {type: revolute, base: crank, follower: coupler, at: {base: [0.4*L, 0, 0]},\n"
     "    initial: {position: -0.5}}\n"
     "  c: {type: revolute, base: coupler, follower: rocker, at: {base: [L, 0, 0], follower: "
     "[0.8*L, 0, 0]}}\n"
     "  d: {type: revolute, base: ground, follower: rocker, at: {base: [L, 0, 0]}, initial: "
     "{position: 1.5}}\n"
     "stiction:\n"
     "  a: {kinetic: 0.3*N, static: 0.4*N, external: \"8*N*sin(3*t/T)\"}\n"
     "  b: {kinetic: 0.1*N, static: 0.2*N}\n"
     "  c: {kinetic: 0.2*N, static: 0.2*N}\n"
     "  d: {kinetic: 0.1*N, static: 0.15*N}\n",
     2.5},
    {"motor, gear and rack",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies: {rotor: {mass: M, inertia: [0, 0.01*J, 0.01*J]}, wheel: {mass: M, inertia: [0, "
     "0.1*J, 0.1*J]}, bar: {mass: M}}\n"
     "joints:\n"
     "  motor: {type: revolute, base: ground, follower: rotor}\n"
     "  wheel: {type: revolute, base: ground, follower: wheel, at: {base: [L, 0, 0]}}\n"
     "  bar: {type: prismatic, base: ground, follower: bar, axis: [0, 1, 0]}\n"
     "couplings:\n"
     "  stage: {type: gear, joints: [motor, wheel], ratio: 5}\n"
     "  rack: {type: rack, joints: [wheel, bar], radius: 0.3*L}\n"
     "stiction:\n"
     "  motor: {kinetic: 0.1*N, static: 0.2*N, external: \"2*N*sin(2*t/T)\"}\n"
     "  bar: {kinetic: F, static: 1.5*F}\n",
     3},
    {"massless rod",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies:\n"
     "  arm: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0, 0.1*J, 0.1*J]}\n"
     "  sled: {mass: M}\n"
     "joints:\n"
     "  arm: {type: revolute, base: ground, follower: arm, initial: {position: 0.6}}\n"
     "  sled: {type: prismatic, base: ground, follower: sled, axis: [1, 0, 0], initial: {position: "
     "1.7*L}}\n"
     "couplings: {rod: {type: distance, between: [{body: arm, at: [L, 0, 0]}, {body: sled}], "
     "length: 1.1*L}}\n"
     "stiction:\n"
     "  arm: {kinetic: 0.3*N, static: 0.4*N}\n"
     "  sled: {kinetic: 0.5*F, static: 0.7*F, external: \"9*F*sin(3*t/T)\"}\n",
     2.5},
    {"eight four-bars on a sled", /* many loops: closed one by one */
     "gravity: [0, -9.81*A, 0]\n"
     "bodies: {sled: {mass: 10*M}}\n"
     "joints: {sled: {type: prismatic, base: ground, follower: sled, axis: [1, 0, 0], spring: "
     "{stiffness: 300*K}}}\n"
     "stiction: {sled: {kinetic: F, static: 2*F}}\n"
     "chain:\n"
     "  count: 8\n"
     "  bodies:\n"
     "    crank: {mass: M, center_of_mass: [0.2*L, 0, 0], inertia: [0, 0.02*J, 0.02*J]}\n"
     "    coupler: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0, 0.1*J, 0.1*J]}\n"
     "    rocker: {mass: M, center_of_mass: [0.4*L, 0, 0], inertia: [0, 0.05*J, 0.05*J]}\n"
     "  joints:\n"
     "    a: {type: revolute, base: sled, follower: \"crank[i]\", at: {base: [3*L*i, 0, 0]}, "
     "initial: {position: 1}}\n"
     "    b: {type: revolute, base: \"crank[i]\", follower: \"coupler[i]\", at: {base: [0.4*L, 0, "
     "0]},\n"
     "      initial: {position: -0.5}}\n"
     "    c: {type: revolute, base: \"coupler[i]\", follower: \"rocker[i]\",\n"
     "      at: {base: [L, 0, 0], follower: [0.8*L, 0, 0]}}\n"
     "    d: {type: revolute, base: sled, follower: \"rocker[i]\", at: {base: [L + 3*L*i, 0, 0]},\n"
     "      initial: {position: 1.5}}\n",
     1},
};
enum { MECHANISMS = sizeof mechanism / sizeof *mechanism };

typedef struct units {
    double mass, length, time;
} units;

/* A run in other units: its changes of mode, and the positions at the end. */
typedef struct story {
    runs_log log;
    size_t count;
    double *state;
} story;

static detent_mechanism *in_units(size_t i, units u)
{
    char text[4096], set[3][64];
    const char *const sets[] = {set[0], set[1], set[2], NULL};
    snprintf(text, sizeof text, HEAD "%ssimulation: {end: 100}\n", mechanism[i].text);
    snprintf(set[0], sizeof set[0], "M=%.17g", u.mass);
    snprintf(set[1], sizeof set[1], "L=%.17g", u.length);
    snprintf(set[2], sizeof set[2], "T=%.17g", u.time);
    return runs_parse(text, sets);
}

static story tell(size_t i, units u, variant v, double rtol)
{
    story s = {0};
    detent_mechanism *m = in_units(i, u);
    detent_settings settings = variant_settings(m, v);
    settings.end = mechanism[i].end * u.time;
    settings.interval = settings.end / 100;
    settings.rtol = rtol;
    detent_simulation *sim = runs_start(m, &settings);
    runs_record(sim, settings.end, &s.log);
    s.state = runs_state(m, sim, &s.count);
    runs_end(sim, m);
    return s;
}

static void forget(story *s)
{
    runs_log_free(&s->log);
    free(s->state);
}

/* Whether the changes are the same, at times that differ by at most `tolerance` of the whole time (0: by no bit); says
 * where they are not. */
static bool is_same(const char *what, size_t i, const story *a, const story *b, double T,
                    double tolerance)
{
    for (size_t k = 0; k < a->log.count && k < b->log.count; k++) {
        const detent_mode_change *x = &a->log.change[k], *y = &b->log.change[k];
        const bool same = x->stiction == y->stiction && x->from == y->from && x->to == y->to &&
                          x->to_direction == y->to_direction;
        if (!same || !(fabs(y->time / T - x->time) <= tolerance * mechanism[i].end)) {
            print_error("%s, %s: change %zu is %sat %.17g, not %.17g: off by %g\n",
                        mechanism[i].name, what, k, same ? "" : "another one, ", y->time / T,
                        x->time, y->time / T - x->time);
            return false;
        }
    }
    if (a->log.count != b->log.count) {
        print_error("%s, %s: %zu changes, not %zu\n", mechanism[i].name, what, b->log.count,
                    a->log.count);
    }
    return a->log.count == b->log.count;
}

static const units ordinary = {1, 1, 1};

/* Everything, or, without DETENT_TEST_LONG, what a test has time for. */
static bool is_long(void)
{
    return getenv("DETENT_TEST_LONG") != NULL;
}

/* The run in other units against the ordinary one. */
static bool compare(size_t i, variant v, const story *ordinarily, units u, double tolerance)
{
    char what[96];
    snprintf(what, sizeof what, "%s, M %g, L %g, T %g", variant_name(v), u.mass, u.length, u.time);
    story other = tell(i, u, v, 1e-7);
    const bool same = is_same(what, i, ordinarily, &other, u.time, tolerance);
    forget(&other);
    return same;
}

static void powers_of_two(void **test)
{
    UNUSED(test);
    static const int exponent[][3] = {{-40, 40, -40}, {40, -40, 40}, {7, -13, 3},  {40, 0, 0},
                                      {-40, 0, 0},    {0, 40, 0},    {0, -40, 0},  {0, 0, 40},
                                      {0, 0, -40},    {1, 1, 1},     {40, 40, 40}, {-40, -40, -40}};
    const size_t count = is_long() ? sizeof exponent / sizeof *exponent : 3;
    bool all = true;
    for (size_t i = 0; i < MECHANISMS; i++) {
        for (size_t k = 0; k < VARIANTS; k++) {
            story first = tell(i, ordinary, variant_at(k), 1e-7);
            for (size_t e = 0; e < count; e++) {
                const units u = {ldexp(1, exponent[e][0]), ldexp(1, exponent[e][1]),
                                 ldexp(1, exponent[e][2])};
                all = compare(i, variant_at(k), &first, u, 0) && all;
            }
            assert_true(first.log.count > 1);
            forget(&first);
        }
    }
    assert_true(all);
}

static void powers_of_ten(void **test)
{
    UNUSED(test);
    static const double factor[] = {1e-12, 1e12, 1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9};
    const size_t count = is_long() ? sizeof factor / sizeof *factor : 2;
    bool all = true;
    for (size_t i = 0; i < MECHANISMS; i++) {
        for (size_t k = 0; k < VARIANTS; k += is_long() ? 1 : 3) {
            story first = tell(i, ordinary, variant_at(k), 1e-7);
            for (size_t f = 0; f < 3 * count; f++) {
                const double by = factor[f / 3];
                const units u = {f % 3 == 0 ? by : 1, f % 3 == 1 ? by : 1, f % 3 == 2 ? by : 1};
                all = compare(i, variant_at(k), &first, u, 1e-6) && all;
            }
            forget(&first);
        }
    }
    assert_true(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_of_two),
        cmocka_unit_test(powers_of_ten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
