/*
 * Friction laws that a program chooses for joints of a file (detent_load_options.laws): the run is that of the file in which the law is written out.
 */
#include "support_variants.h"

static const char head[] =
    "detent: 1\ngravity: [0, 0, -9.81]\nparameters: {push: 12}\n"
    "bodies: {a: {mass: 2, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [0.1, 0.1, 0.1]}}\n";
static const char tail[] =
    "outputs: [position(slide), velocity(slide), position(turn), friction(slide), friction(turn)]\n"
    "simulation: {end: 0.4, rtol: 1e-9}\n";

/** A slide with a hinge on it; `slide`, `turn`: what stands in the primitives; `stiction`: the section, or "". */
static char *compose(const char *slide, const char *turn, const char *stiction)
{
    static char text[4][4000];
    static int next = 0;
    char *own = text[next++ % 4];
    snprintf(own, sizeof text[0],
             "%sjoints:\n"
             "  slide: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], spring: "
             "{stiffness: "
             "40}%s}\n"
             "  turn: {type: revolute, base: a, follower: b, initial: {velocity: 3}, spring: "
             "{stiffness: "
             "2}%s}\n%s%s",
             head, slide, turn, stiction, tail);
    return own;
}

static detent_status parse_with(const char *text, const detent_law_choice *laws, size_t count,
                                detent_mechanism **m, detent_error *error)
{
    const detent_law_choice *list[8];
    assert_true(count <= sizeof list / sizeof *list);
    for (size_t k = 0; k < count; k++) {
        list[k] = &laws[k];
    }
    const detent_load_options options = {.size = sizeof options, .laws = list, .law_count = count};
    return detent_mechanism_parse(text, strlen(text), "arm.yaml", &options, m, error);
}

/** Both texts run alike, to the last bit. */
static void must_agree(const char *text, const detent_law_choice *laws, size_t count,
                       const char *written)
{
    detent_mechanism *chosen, *direct = runs_parse(written, NULL);
    detent_error error;
    runs_must(parse_with(text, laws, count, &chosen, &error), &error);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        double is[5], should[5];
        detent_simulation *a = variant_start(chosen, v), *b = variant_start(direct, v);
        variant_outputs(a, v, 0.4, is, 5);
        variant_outputs(b, v, 0.4, should, 5);
        for (size_t i = 0; i < 5; i++) {
            variant_check(v, detent_name(direct, DETENT_OUTPUT, i), is[i], should[i], 0);
        }
        detent_simulation_destroy(a);
        detent_simulation_destroy(b);
    }
    detent_mechanism_destroy(chosen);
    detent_mechanism_destroy(direct);
}

/* The keys of the file stay, the word changes. */
static void a_law_becomes_another_one(void **state)
{
    UNUSED(state);
    static const char keys[] = "breakaway: 5, coulomb: 4, breakaway_velocity: 0.02, velocity_band: "
                               "0.01, viscous: 0.1, stiffness: 5e4, damping: 20, stiffnesses: "
                               "[5e4, 2e4], limits: [2, 2]";
    const char *word;
    char file[400], written[400];
    snprintf(file, sizeof file, ", force: push*sin(3*t), friction: {law: stribeck, %s}", keys);
    for (size_t k = 0; (word = detent_friction_law(k)) != NULL; k++) {
        if (strcmp(word, "karnopp") == 0 || strcmp(word, "borello") == 0) {
            continue; /* of fixed steps alone */
        }
        snprintf(written, sizeof written, ", force: push*sin(3*t), friction: {law: %s, %s}", word,
                 keys);
        must_agree(compose(file, ", friction: {law: none}", ""),
                   &(detent_law_choice){
                       .size = sizeof(detent_law_choice), .primitive = "slide", .law = word},
                   1, compose(written, ", friction: {law: none}", ""));
    }
}

/* Kinetic and static friction, the threshold and the external actuation of a stiction are taken over. */
static void stiction_becomes_a_law(void **state)
{
    UNUSED(state);
    static const char stiction[] =
        "stiction:\n"
        "  slide: {kinetic: 4, static: 5, velocity_threshold: 0.02, external: \"push*sin(3*t)\"}\n"
        "  turn: {kinetic: 0.3, forward: -0.4, reverse: 0.4, velocity_threshold: 0.05}\n";
    const struct {
        const char *law, *slide, *turn;
    } cases[] = {
        {"none", "law: none", "law: none"},
        {"coulomb", "law: coulomb, coulomb: 4", "law: coulomb, coulomb: 0.3"},
        {"stribeck", "law: stribeck, coulomb: 4, breakaway: 5, breakaway_velocity: 0.02",
         "law: stribeck, coulomb: 0.3, breakaway: 0.4, breakaway_velocity: 0.05"},
        {"hyperviscous", "law: hyperviscous, coulomb: 4, velocity_band: 0.02",
         "law: hyperviscous, coulomb: 0.3, velocity_band: 0.05"},
        {"quinn", "law: quinn, coulomb: 4, velocity_band: 0.02",
         "law: quinn, coulomb: 0.3, velocity_band: 0.05"},
        {"lugre", "law: lugre, coulomb: 4, breakaway: 5, breakaway_velocity: 0.02, stiffness: 4e3",
         "law: lugre, coulomb: 0.3, breakaway: 0.4, breakaway_velocity: 0.05, stiffness: 300"},
        {"dahl", "law: dahl, coulomb: 4, stiffness: 4e3",
         "law: dahl, coulomb: 0.3, stiffness: 300"},
        {"maxwell-slip",
         "law: maxwell-slip, limits: [1, 1, 1, 1], stiffnesses: [4e3, 2e3, 1/0.00075, 1e3]",
         "law: maxwell-slip, limits: [0.075, 0.075, 0.075, 0.075], stiffnesses: [300, 150, 100, "
         "75]"},
    };
    char slide[400], turn[400];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const detent_law_choice laws[] = {{.size = sizeof(detent_law_choice),
                                           .primitive = "slide",
                                           .law = cases[k].law,
                                           .stretch = 1e-3},
                                          {.size = sizeof(detent_law_choice),
                                           .primitive = "turn",
                                           .law = cases[k].law,
                                           .stretch = 1e-3}};
        snprintf(slide, sizeof slide, ", force: push*sin(3*t), friction: {%s}", cases[k].slide);
        snprintf(turn, sizeof turn, ", friction: {%s}", cases[k].turn);
        must_agree(compose("", "", stiction), laws, 2, compose(slide, turn, ""));
    }
}

/* Friction that is no constant is a load; its ratio is a key. */
static void a_load_is_taken_over(void **state)
{
    UNUSED(state);
    static const char stiction[] =
        "stiction:\n"
        "  slide: {kinetic: 0.2*normal_force(slide), static: 0.3*normal_force(slide)}\n"
        "  turn: {kinetic: \"0.02 [m]*reaction_force(turn)\", static: 0.4}\n";
    const detent_parameter ratio = {"breakaway", "1.5"};
    const detent_law_choice laws[] = {
        {.size = sizeof(detent_law_choice),
         .primitive = "slide",
         .law = "stribeck",
         .velocity = 0.03,
         .keys = &ratio,
         .key_count = 1},
        {.size = sizeof(detent_law_choice), .primitive = "turn", .law = "coulomb"}};
    must_agree(
        compose("", "", stiction), laws, 2,
        compose(", friction: {law: stribeck, normal_force: (0.2*normal_force(slide)), coulomb: 1, "
                "breakaway: 1.5, breakaway_velocity: 0.03}",
                ", friction: {law: coulomb, normal_force: \"((0.02 [m]*reaction_force(turn))/(1 "
                "[m]))\", radius: 1, coulomb: 1}",
                ""));
}

/* Keys win over the file, with their units. */
static void keys_win(void **state)
{
    UNUSED(state);
    const detent_parameter keys[] = {{"coulomb", "3 N"}, {"velocity_band", "2 cm/s"}};
    const detent_law_choice law = {.size = sizeof law,
                                   .primitive = "slide",
                                   .law = "hyperviscous",
                                   .keys = keys,
                                   .key_count = 2};
    must_agree(compose(", friction: {law: sign, coulomb: 4, velocity_band: 1}",
                       ", friction: {law: none}", ""),
               &law, 1,
               compose(", friction: {law: hyperviscous, coulomb: 3, velocity_band: 0.02}",
                       ", friction: {law: none}", ""));
}

/* Stiction that stays stiction keeps its laws, modes and names. */
static void stiction_stays(void **state)
{
    UNUSED(state);
    static const char stiction[] = "stiction:\n"
                                   "  slide: {kinetic: 0.2*normal_force(slide), static: "
                                   "0.3*normal_force(slide), external: \"push*sin(3*t)\"}\n"
                                   "  turn: {kinetic: 0.3, static: 0.4}\n";
    must_agree(compose("", "", stiction),
               &(detent_law_choice){
                   .size = sizeof(detent_law_choice), .primitive = "slide", .law = "stiction"},
               1, compose("", "", stiction));
}

/* In chains and joints of several primitives; modes of joints that never lock. */
static void names_of_copies(void **state)
{
    UNUSED(state);
    static const char text[] = "detent: 1\ngravity: [0, -9.81, 0]\n"
                               "chain:\n  count: 3\n  bodies: {link: {mass: 1, center_of_mass: "
                               "[0.5, 0, 0], inertia: [0.1, "
                               "0.1, 0.1]}}\n"
                               "  joints: {hinge: {type: revolute, base: \"link[i-1]\", follower: "
                               "\"link[i]\", at: {base: [1, 0, "
                               "0]}}}\n"
                               "  stiction: {hinge: {kinetic: 1, static: 1.2}}\n"
                               "  first: {joints: {hinge: {base: ground, at: null}}}\n"
                               "outputs: [\"mode(hinge[1])\", \"mode(hinge[2])\"]\n";
    detent_mechanism *m;
    detent_error error;
    const detent_law_choice law = {.size = sizeof law, .primitive = "hinge[2]", .law = "coulomb"};
    runs_must(parse_with(text, &law, 1, &m, &error), &error);
    assert_int_equal(detent_count(m, DETENT_STICTION), 2);
    detent_simulation *sim = runs_start(m, NULL);
    double modes[2];
    runs_must(detent_read(sim, DETENT_OUTPUTS, modes, 2, &error), &error);
    assert_true(modes[1] == DETENT_UNLOCKED);
    runs_end(sim, m);
}

/* ---- what is refused ---- */

static void must_refuse(const char *text, detent_law_choice law, detent_status wanted,
                        const char *words)
{
    detent_mechanism *m;
    detent_error error;
    const detent_status status = parse_with(text, &law, 1, &m, &error);
    if (status != wanted || !strstr(error.message, words)) {
        fail_msg("status %d instead of %d: %s; expected: %s", status, wanted, error.message, words);
    }
    assert_null(m);
}

static detent_law_choice choose(const char *joint, const char *law, const detent_parameter *keys,
                                size_t count)
{
    return (detent_law_choice){.size = sizeof(detent_law_choice),
                               .primitive = joint,
                               .law = law,
                               .keys = keys,
                               .key_count = count};
}

static void mistakes_are_told(void **state)
{
    UNUSED(state);
    static const char plain[] = "stiction: {slide: {kinetic: 4, static: 5}}\n",
                      lopsided[] = "stiction: {slide: {kinetic: 4, forward: -5, reverse: 6}}\n",
                      tested[] = "stiction: {slide: {kinetic: 4, static: 5, test: force(slide)}}\n",
                      loaded[] = "stiction: {slide: {kinetic: 0.2*normal_force(slide), static: "
                                 "0.3*normal_force(slide)}}\n",
                      directed[] = "stiction: {slide: {kinetic: 4 + dir, static: 5}}\n";
    const detent_status argument = DETENT_ERROR_ARGUMENT, model = DETENT_ERROR_MODEL;
    const detent_parameter stiff = {"stifness", "3"}, unit = {"coulomb", "3 kg"},
                           load = {"normal_force", "20 N"},
                           twice[] = {{"coulomb", "3"}, {"coulomb", "4"}}, low = {"breakaway", "1"};
    must_refuse(compose("", "", plain), choose("slide", "lugr", NULL, 0), argument,
                "did you mean 'lugre'?");
    must_refuse(compose("", "", plain), choose("turn", "sign", NULL, 0), argument,
                "the file gives no friction to a joint 'turn'");
    must_refuse(compose("", "", plain), choose("sliide", "sign", NULL, 0), argument,
                "the file gives no friction to a joint 'sliide'");
    must_refuse(compose("", "", plain), choose("slide", "sign", &stiff, 1), argument,
                "did you mean 'stiffness'?");
    must_refuse(compose("", "", plain), choose("slide", "sign", &unit, 1), argument, "kg");
    must_refuse(compose("", "", plain), choose("slide", "sign", twice, 2), argument, "given twice");
    must_refuse(compose("", "", plain), choose("slide", "sign", &low, 1), model,
                "below the Coulomb friction");
    must_refuse(compose("", "", plain), choose("slide", "sign", &load, 1), argument,
                "would make coefficients of its forces");
    must_refuse(compose("", "", plain), choose("slide", "dahl", NULL, 0), model,
                "needs a 'stiffness'");
    must_refuse(compose("", "", plain), choose("slide", "quinn", NULL, 0), model,
                "needs a 'velocity_band'");
    must_refuse(compose("", "", lopsided), choose("slide", "sign", NULL, 0), argument,
                "differ from one direction to the other");
    must_refuse(compose("", "", tested), choose("slide", "sign", NULL, 0), argument,
                "test friction of its own");
    must_refuse(compose("", "", loaded),
                (detent_law_choice){.size = sizeof(detent_law_choice),
                                    .primitive = "slide",
                                    .law = "stribeck",
                                    .velocity = 1},
                argument, "as the key 'breakaway'");
    must_refuse(compose("", "", directed), choose("slide", "sign", NULL, 0), model, "dir");
    must_refuse(
        compose("", "", plain),
        (detent_law_choice){
            .size = sizeof(detent_law_choice), .primitive = "slide", .law = "dahl", .stretch = NAN},
        argument, "finite and not negative");
    must_refuse(compose("", "", plain), choose(NULL, "dahl", NULL, 0), argument,
                "the joint of a friction law");
    must_refuse(compose("", "", plain), choose("slide", NULL, NULL, 0), argument,
                "the name of a friction law");
}

/* Lists, and loads where there is one. */
static void keys_of_all_kinds(void **state)
{
    UNUSED(state);
    const detent_parameter keys[] = {{"stiffnesses", "[4e3, 1e3 N/m]"}, {"limits", "[1, 3]"}};
    must_agree(compose(", friction: {law: sign, coulomb: 4}", ", friction: {law: none}", ""),
               &(detent_law_choice){.size = sizeof(detent_law_choice),
                                    .primitive = "slide",
                                    .law = "maxwell-slip",
                                    .keys = keys,
                                    .key_count = 2},
               1,
               compose(", friction: {law: maxwell-slip, stiffnesses: [4e3, 1e3], limits: [1, 3]}",
                       ", friction: {law: none}", ""));
    const detent_parameter other = {"normal_force", "2*normal_force(slide)"};
    must_agree(compose(", friction: {law: sign, coulomb: 0.1, normal_force: normal_force(slide)}",
                       ", friction: {law: none}", ""),
               &(detent_law_choice){.size = sizeof(detent_law_choice),
                                    .primitive = "slide",
                                    .law = "sign",
                                    .keys = &other,
                                    .key_count = 1},
               1,
               compose(", friction: {law: sign, coulomb: 0.1, normal_force: 2*normal_force(slide)}",
                       ", friction: {law: none}", ""));
}

/* What a caller leaves out. */
static void what_is_missing_is_told(void **state)
{
    UNUSED(state);
    detent_mechanism *m;
    detent_error error;
    const detent_law_choice law = {
        .size = sizeof law, .primitive = "slide", .law = "sign", .key_count = 1};
    const char *text = compose("", "", "");
    const detent_load_options none = {.size = sizeof none, .law_count = 1};
    assert_int_equal(detent_mechanism_parse(text, strlen(text), "arm.yaml", &none, &m, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "the list of friction laws"));
    assert_int_equal(parse_with(compose("", "", ""), &law, 1, &m, &error), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "the keys of a friction law"));
}

static void two_laws_for_one_joint(void **state)
{
    UNUSED(state);
    const detent_law_choice laws[] = {
        {.size = sizeof(detent_law_choice), .primitive = "slide", .law = "sign"},
        {.size = sizeof(detent_law_choice), .primitive = "slide", .law = "none"}};
    detent_mechanism *m;
    detent_error error;
    assert_int_equal(parse_with(compose("", "", "stiction: {slide: {kinetic: 4, static: 5}}\n"),
                                laws, 2, &m, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "two laws"));
}

static void words_are_listed(void **state)
{
    UNUSED(state);
    size_t count = 0;
    bool stiction = false;
    while (detent_friction_law(count)) {
        stiction = stiction || strcmp(detent_friction_law(count), "stiction") == 0;
        count++;
    }
    assert_true(stiction && count >= 12);
    assert_null(detent_friction_law(count));
    assert_null(detent_friction_law((size_t)-1));
}

/** A joint with a friction law has a mode all the same, for it never locks; but no stop. */
static void what_has_no_stiction_is_told(void **state)
{
    (void)state;
    static const char text[] = "detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1}}\n"
                               "joints: {x: {type: prismatic, base: ground, follower: b, friction: "
                               "{law: coulomb, coulomb: "
                               "1}}}\noutputs: [\"%s(x)\"]\nsimulation: {end: 1}\n";
    char page[512];
    detent_error error = {.message = ""};
    detent_mechanism *m = NULL;
    snprintf(page, sizeof page, text, "mode");
    m = runs_parse(page, NULL);
    detent_simulation *sim = runs_start(m, NULL);
    double mode = 0;
    runs_must(detent_read(sim, DETENT_OUTPUTS, &mode, 1, &error), &error);
    assert_true(mode == DETENT_UNLOCKED);
    runs_end(sim, m);
    snprintf(page, sizeof page, text, "stop_force");
    assert_int_equal(detent_mechanism_parse(page, strlen(page), "inline", NULL, &m, &error),
                     DETENT_ERROR_MODEL);
    assert_non_null(strstr(error.message, "stop_force(x): 'x' has no stiction"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_law_becomes_another_one),
        cmocka_unit_test(stiction_becomes_a_law),
        cmocka_unit_test(a_load_is_taken_over),
        cmocka_unit_test(keys_win),
        cmocka_unit_test(stiction_stays),
        cmocka_unit_test(names_of_copies),
        cmocka_unit_test(keys_of_all_kinds),
        cmocka_unit_test(what_is_missing_is_told),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(two_laws_for_one_joint),
        cmocka_unit_test(words_are_listed),
        cmocka_unit_test(what_has_no_stiction_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
