/* Mechanisms that were loaded with options as files; and the buffers and files that take a text. */

#include "support_written.h"
#include "test_api_fixture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void must_be_the_same(detent_mechanism *m)
{
    const char *difference = written_differs(m, NULL);
    if (difference) {
        fail_msg("%s", difference);
    }
    detent_mechanism_destroy(m);
}

/* ---- loaded with options ---- */

static const char train[] =
    "detent: 1\n"
    "name: train\n"
    "description: >\n"
    "  two\n"
    "  lines\n"
    "gravity: [0, 0, -9.81]\n"
    "parameters: {mu: 0.3, m: 2 kg, twice: 2*m, load: 5 N}\n"
    "bodies: {car: {mass: twice}}\n"
    "joints: {slide: {type: prismatic, base: ground, follower: car}}\n"
    "stiction: {slide: {external: load*sin(t), kinetic: 'mu*5 [N]', static: 8 N}}\n"
    "outputs: [load, mu]\n";

static detent_mechanism *load_train(const detent_load_options *options)
{
    detent_mechanism *m = NULL;
    detent_error e = {0};
    must(detent_mechanism_parse(train, strlen(train), "train", options, &m, &e), &e);
    return m;
}

static void parameters_have_their_new_values(void **state)
{
    (void)state;
    const detent_parameter values[] = {{"m", "3*0.5 kg"}, {"load", "6"}, {"mu", "1/3"}};
    const detent_load_options options = {
        .size = sizeof options, .parameters = values, .parameter_count = 3, .atol = 1e-9};
    detent_mechanism *m = load_train(&options);
    char *text = written_text(m, NULL);
    assert_non_null(text);
    assert_non_null(strstr(text, "m: 3*0.5 kg"));
    assert_non_null(strstr(text, "twice: 2*m"));
    assert_non_null(strstr(text, "load: 6\n"));
    assert_non_null(strstr(text, "two lines"));
    assert_non_null(strstr(text, "atol: 1e-09"));
    free(text);
    must_be_the_same(m);
}

static void other_laws_are_written(void **state)
{
    (void)state;
    const detent_law_choice law_of_slide = {
        .size = sizeof law_of_slide, .primitive = "slide", .law = "quinn", .velocity = 1e-3};
    const detent_law_choice *const laws[] = {&law_of_slide};
    const detent_load_options options = {.size = sizeof options, .laws = laws, .law_count = 1};
    detent_mechanism *m = load_train(&options);
    char *text = written_text(m, NULL);
    assert_non_null(text);
    assert_non_null(strstr(text, "law: quinn"));
    assert_non_null(strstr(text, "force: load*sin(t)"));
    assert_null(strstr(text, "stiction"));
    free(text);
    must_be_the_same(m);
}

/* Tunable ones are parameters in a file. */
static void tunable_parameters_are_parameters(void **state)
{
    (void)state;
    const char *const names[] = {"load"};
    const detent_load_options options = {
        .size = sizeof options, .tunable = names, .tunable_count = 1};
    detent_mechanism *m = load_train(&options), *plain = load_train(NULL);
    char *text = written_text(m, NULL), *other = written_text(plain, NULL);
    assert_non_null(text);
    assert_string_equal(text, other);
    free(text);
    free(other);
    detent_mechanism_destroy(m);
    detent_mechanism_destroy(plain);
}

/* ---- buffers and files ---- */

static void buffers_have_room_or_not(void **state)
{
    (void)state;
    detent_error e = {0};
    detent_mechanism *m = load_train(NULL), *open = NULL;
    char text[4096];
    size_t length = 0, again = 0;
    must(detent_mechanism_create("open", NULL, &open, &e), &e);
    must(detent_mechanism_text(m, NULL, 0, &length, &e), &e);
    assert_true(length > 100 && length < sizeof text);
    memset(text, 'x', sizeof text);
    must(detent_mechanism_text(m, text, length + 1, &again, &e), &e);
    assert_int_equal(again, length);
    assert_int_equal(strlen(text), length);
    assert_int_equal(text[length + 1], 'x');
    assert_int_equal(detent_mechanism_text(m, text, length, &again, &e), DETENT_ERROR_ARGUMENT);
    assert_int_equal(again, length);
    assert_int_equal(detent_mechanism_text(m, NULL, 5, &again, &e), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_mechanism_text(m, text, 5, NULL, &e), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_mechanism_text(open, NULL, 0, &again, &e), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_mechanism_save(m, NULL, &e), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_mechanism_save(NULL, "x", &e), DETENT_ERROR_ARGUMENT);
    detent_mechanism_destroy(open);
    detent_mechanism_destroy(m);
}

static size_t size_of(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 ? (size_t)there.st_size : SIZE_MAX;
}

static void files_are_whole_or_old(void **state)
{
    (void)state;
    detent_error e = {0};
    detent_mechanism *m = load_train(NULL), *again = NULL;
    char folder[] = "/tmp/detent-writer-XXXXXX", path[64], inside[96];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/train.yaml", folder);
    must(detent_mechanism_save(m, path, &e), &e);
    must(detent_mechanism_load(path, NULL, &again, &e), &e);
    detent_mechanism_destroy(again);
    const size_t whole = size_of(path);
    must(detent_mechanism_save(m, path, &e), &e); /* over the old one */
    assert_int_equal(size_of(path), whole);

    /* A disk that is full after some bytes: the old file stays, and nothing else. */
    const struct rlimit few = {100, RLIM_INFINITY}, all = {RLIM_INFINITY, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
    const detent_status status = detent_mechanism_save(m, path, &e);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
    assert_int_equal(status, DETENT_ERROR_IO);
    assert_non_null(strstr(e.message, "cannot write"));
    assert_non_null(strstr(e.message, "train.yaml"));
    assert_int_equal(size_of(path), whole);

    snprintf(inside, sizeof inside, "%s/missing/train.yaml", folder);
    assert_int_equal(detent_mechanism_save(m, inside, &e), DETENT_ERROR_IO);
    assert_int_equal(detent_mechanism_save(m, folder, &e), DETENT_ERROR_IO);
    assert_int_equal(detent_mechanism_save(m, "/dev/null", &e), DETENT_ERROR_IO);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0); /* it is empty: nothing was left */
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_have_their_new_values),
        cmocka_unit_test(other_laws_are_written),
        cmocka_unit_test(tunable_parameters_are_parameters),
        cmocka_unit_test(buffers_have_room_or_not),
        cmocka_unit_test(files_are_whole_or_old),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
