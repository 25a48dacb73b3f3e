/* Structs that grow: programs compiled against an earlier header know shorter ones, those against a later header longer ones. Each is put
 * at the end of its own memory, so that a sanitizer sees who reads or writes beyond. */
#include "test_api_fixture.h"

#include "detent/analysis.h"

/** The first `size` bytes of a struct, in memory that ends there. */
static void *shortened(const void *whole, size_t size)
{
    unsigned char *own = malloc(size);
    assert_non_null(own);
    memcpy(own, whole, size);
    memcpy(own, &size, sizeof size);
    return own;
}

/** A struct with some bytes behind it that are `fill`. */
static void *lengthened(const void *whole, size_t size, int fill)
{
    const size_t longer = size + 24;
    unsigned char *own = malloc(longer);
    assert_non_null(own);
    memset(own, fill, longer);
    memcpy(own, whole, size);
    memcpy(own, &longer, sizeof longer);
    return own;
}

/** A member of a struct that is not whole. */
static size_t count_at(const void *some, size_t offset)
{
    size_t count;
    memcpy(&count, (const char *)some + offset, sizeof count);
    return count;
}

static detent_mechanism *empty(void)
{
    detent_error e;
    detent_mechanism *m = NULL;
    must(detent_mechanism_create("sizes", NULL, &m, &e), &e);
    return m;
}

/* What a definition does not have is the default. */
static void definitions_of_earlier_programs(void **state)
{
    UNUSED(state);
    detent_error e;
    const detent_body_def body = {
        .size = sizeof body, .name = "b", .mass = 2, .center_of_mass = {7, 7, 7}};
    const detent_primitive_def pin = {.size = sizeof pin, .position = {0.25}, .damping = 5};
    detent_joint_def joint = {.size = sizeof joint, .name = "j", .type = "prismatic"};
    joint.follower = "b";
    void *own_body = shortened(&body, offsetof(detent_body_def, center_of_mass)),
         *own_pin = shortened(&pin, offsetof(detent_primitive_def, velocity));
    joint.primitive[0] = own_pin;
    detent_mechanism *m = empty();
    must(detent_add_body(m, own_body, &e), &e);
    must(detent_add_joint(m, &joint, &e), &e);
    must(detent_add_output(m, "position(b, x)", &e), &e);
    must(detent_add_output(m, "force(j)", &e), &e);
    must(detent_mechanism_finish(m, &e), &e);
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    assert_int_equal(detent_get_primitive(m, 0, &p), DETENT_OK);
    assert_true(p.position[0] == 0.25);
    detent_mechanism_destroy(m);
    free(own_body);
    free(own_pin);
}

/* What this library does not know must be zero. */
static void definitions_of_later_programs(void **state)
{
    UNUSED(state);
    detent_error e;
    const detent_body_def body = {.size = sizeof body, .name = "b", .mass = 2};
    void *silent = lengthened(&body, sizeof body, 0), *new = lengthened(&body, sizeof body, 1);
    detent_mechanism *m = empty();
    expect_argument_error(detent_add_body(m, new, &e), &e, "compiled against a later one");
    must(detent_add_body(m, silent, &e), &e);
    detent_mechanism_destroy(m);
    free(silent);
    free(new);
}

static void a_size_is_needed(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = empty();
    const detent_body_def body = {.name = "b", .mass = 2};
    expect_argument_error(detent_add_body(m, &body, &e), &e, "DETENT_INIT");
    detent_mechanism_destroy(m);
    const detent_load_options options = {.parameter_count = 0};
    expect_argument_error(
        detent_mechanism_parse(two_links_text, strlen(two_links_text), "links", &options, &m, &e),
        &e, "DETENT_INIT");
    assert_null(m);
    m = load_two_links();
    detent_simulation *s = simulate(m);
    detent_statistics none = {0};
    detent_scale scale = {0};
    assert_int_equal(detent_get_statistics(s, &none), DETENT_ERROR_ARGUMENT);
    expect_argument_error(detent_get_scale(s, 0, &scale, &e), &e, "DETENT_INIT");
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

/* What is read ends where the program's struct does, and behind what is known here all is zero. */
static void readings(void **state)
{
    UNUSED(state);
    detent_mechanism *m = load_two_links();
    detent_simulation *s = simulate(m);
    detent_error e;
    must(detent_advance(s, 0.5, false, &e), &e);
    detent_statistics whole = DETENT_INIT(detent_statistics);
    assert_int_equal(detent_get_statistics(s, &whole), DETENT_OK);
    const size_t size = offsetof(detent_statistics, searches);
    void *some = shortened(&whole, size);
    memset((char *)some + sizeof(size_t), 0xee, size - sizeof(size_t));
    assert_int_equal(detent_get_statistics(s, some), DETENT_OK);
    assert_int_equal(count_at(some, 0), size);
    assert_int_equal(count_at(some, offsetof(detent_statistics, events)), whole.events);
    assert_int_equal(count_at(some, offsetof(detent_statistics, mode_changes)), whole.mode_changes);
    free(some);
    const detent_mechanism_info empty_info = DETENT_INIT(detent_mechanism_info);
    unsigned char *more = lengthened(&empty_info, sizeof empty_info, 0xee);
    assert_int_equal(detent_mechanism_get_info(m, (detent_mechanism_info *)more), DETENT_OK);
    for (size_t k = 0; k < 24; k++) {
        assert_int_equal(more[sizeof empty_info + k], 0);
    }
    assert_int_equal(((detent_mechanism_info *)more)->bodies, 2);
    free(more);
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

static void settings(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = load_two_links();
    detent_settings usual;
    assert_int_equal(detent_init_settings(&usual, sizeof usual), DETENT_OK);
    assert_true(usual.size == sizeof usual && usual.end == 10 && usual.step == 0);
    assert_int_equal(detent_init_settings(NULL, sizeof usual), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_init_settings(&usual, 4), DETENT_ERROR_ARGUMENT);
    const size_t size = offsetof(detent_settings, step);
    void *earlier = malloc(size);
    assert_non_null(earlier);
    assert_int_equal(detent_init_settings(earlier, size), DETENT_OK);
    assert_int_equal(count_at(earlier, 0), size);
    const detent_simulation_options options = {.size = sizeof options, .settings = earlier};
    detent_simulation *s = NULL;
    must(detent_simulation_create(m, &options, &s, &e), &e);
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
    free(earlier);
}

static void versions(void **state)
{
    UNUSED(state);
    char text[32];
    const long number = detent_version_number();
    snprintf(text, sizeof text, "%ld.%ld.%ld", number / 1000000, number / 1000 % 1000,
             number % 1000);
    assert_string_equal(text, detent_version());
    assert_string_equal(text, DETENT_VERSION);
}

static void test_every_status_has_words(void **state)
{
    UNUSED(state);
    const char *unknown = detent_status_text((detent_status)-99);
    for (int status = DETENT_ERROR_SOLVER; status <= DETENT_EVENT_STORM; status++) {
        assert_string_not_equal(detent_status_text((detent_status)status), unknown);
    }
    assert_string_equal(detent_version(), DETENT_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions_of_earlier_programs),
        cmocka_unit_test(definitions_of_later_programs),
        cmocka_unit_test(a_size_is_needed),
        cmocka_unit_test(readings),
        cmocka_unit_test(settings),
        cmocka_unit_test(versions),
        cmocka_unit_test(test_every_status_has_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
