/* Import as programs use it: arguments, sizes, memory, notes, and that the text is a mechanism. */

#include "detent/import.h"
#include "support_ledger.h"
#include "test_api_fixture.h"

static const char arm[] =
    "<robot name='arm'>\n"
    "<link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
    "izz='1'/></inertial></link>\n"
    "<link name='upper'><inertial><origin xyz='0 0 -0.5'/><mass value='2'/>"
    "<inertia ixx='0.2' ixy='0' ixz='0' iyy='0.2' iyz='0' izz='0.01'/></inertial><visual/></link>\n"
    "<joint name='shoulder' type='revolute'><parent link='base'/><child link='upper'/><axis xyz='0 "
    "1 0'/>"
    "<limit lower='0.5' upper='1' effort='3' velocity='1'/><dynamics damping='0.1' "
    "friction='0.4'/></joint>\n"
    "<transmission name='t'><joint name='shoulder'/></transmission>\n"
    "</robot>\n";

static const char swing[] =
    "<mujoco><compiler boundmass='0.1'/><default><joint armature='0.01'/><default "
    "class='a'/></default>"
    "<worldbody><body name='b'><joint name='j' ref='10' class='a'/><geom type='capsule' size='0.1' "
    "fromto='0 0 0 1 0 0'/><body><joint type='ball'/><geom size='0.1'/></body></body></worldbody>"
    "<actuator><general joint='j' biastype='affine'/></actuator>"
    "<equality><connect body1='b' anchor='1 0 0'/></equality></mujoco>";

static detent_imported *import(const char *text, const detent_import_options *options)
{
    detent_error e;
    detent_imported *imported = NULL;
    must(detent_import_text(text, strlen(text), "arm.urdf", options, &imported, &e), &e);
    return imported;
}

static detent_mechanism *parse(const detent_imported *imported)
{
    detent_error e;
    detent_mechanism *m = NULL;
    size_t length;
    const char *text = detent_imported_text(imported, &length);
    assert_int_equal(length, strlen(text));
    must(detent_mechanism_parse(text, length, "arm.yaml", NULL, &m, &e), &e);
    return m;
}

static void test_text_is_a_mechanism(void **state)
{
    UNUSED(state);
    detent_imported *imported = import(arm, NULL);
    detent_mechanism *m = parse(imported);
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    must(detent_mechanism_get_info(m, &info), NULL);
    assert_int_equal(info.freedoms, 1);
    assert_int_equal(detent_find(m, DETENT_BODY, "upper"), 0);
    assert_int_equal(detent_find(m, DETENT_INPUT, "shoulder_effort"), 0);
    detent_imported_destroy(imported); /* the mechanism is its own */
    detent_simulation *s = NULL;
    detent_error e;
    must(detent_simulation_create(m, NULL, &s, &e), &e);
    double q;
    must(detent_read(s, DETENT_POSITIONS, &q, 1, &e), &e);
    assert_true(q == 0.5); /* the limit nearest to zero */
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

static void test_notes(void **state)
{
    UNUSED(state);
    detent_imported *imported = import(arm, NULL);
    static const struct {
        int line;
        const char *text;
    } expected[] = {{4, "'effort' of <limit> is left out"},
                    {4, "'velocity' of <limit> is left out"},
                    {4, "joint 'shoulder' starts at its limit: 0 is beyond it"},
                    {0, "1 kg stand on the ground"},
                    {3, "a shape without a size is left out"}};
    const size_t count = sizeof expected / sizeof *expected;
    int line = -1;
    assert_int_equal(detent_imported_note_count(imported), count);
    for (size_t k = 0; k < count; k++) {
        assert_string_equal(detent_imported_note(imported, k, &line), expected[k].text);
        assert_int_equal(line, expected[k].line);
        assert_non_null(detent_imported_note(imported, k, NULL));
        assert_non_null(strstr(detent_imported_text(imported, NULL), expected[k].text));
    }
    assert_null(detent_imported_note(imported, count, &line));
    assert_int_equal(line, 0);
    detent_imported_destroy(imported);
}

static void test_options(void **state)
{
    UNUSED(state);
    detent_import_options options = DETENT_INIT(detent_import_options);
    options.base = DETENT_IMPORT_BASE_FLOATING;
    options.without = DETENT_IMPORT_LIMITS | DETENT_IMPORT_FRICTION | DETENT_IMPORT_ACTUATORS;
    detent_imported *imported = import(arm, &options);
    detent_mechanism *m = parse(imported);
    assert_int_equal(detent_count(m, DETENT_INPUT), 0);
    assert_null(strstr(detent_imported_text(imported, NULL), "stops"));
    assert_null(strstr(detent_imported_text(imported, NULL), "stiction:"));
    assert_non_null(strstr(detent_imported_text(imported, NULL), "damping: 0.1"));
    assert_non_null(strstr(detent_imported_text(imported, NULL), "type: free"));
    detent_mechanism_destroy(m);
    detent_imported_destroy(imported);
    /* a program that was compiled when there was less to say, at the end of its memory */
    const size_t shorter = offsetof(detent_import_options, without);
    detent_import_options *early = malloc(shorter);
    assert_non_null(early);
    memcpy(early, &options, shorter);
    memcpy(early, &shorter, sizeof shorter);
    imported = import(arm, early);
    assert_non_null(strstr(detent_imported_text(imported, NULL), "type: free"));
    assert_non_null(strstr(detent_imported_text(imported, NULL), "stops"));
    detent_imported_destroy(imported);
    free(early);
}

static void test_arguments(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_imported *imported = NULL;
    detent_import_options options = DETENT_INIT(detent_import_options);
    assert_int_equal(detent_import_text(arm, 5, NULL, NULL, NULL, &e), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_import_text(NULL, 5, NULL, NULL, &imported, &e), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_import_file(NULL, NULL, &imported, &e), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_import_file("x", NULL, NULL, &e), DETENT_ERROR_ARGUMENT);
    options.without = 32;
    assert_int_equal(detent_import_text(arm, 5, NULL, &options, &imported, &e),
                     DETENT_ERROR_ARGUMENT);
    options.without = 0;
    options.base = (detent_import_base)3;
    assert_int_equal(detent_import_text(arm, 5, NULL, &options, &imported, &e),
                     DETENT_ERROR_ARGUMENT);
    options.base = DETENT_IMPORT_BASE_AS_IS;
    options.size = 1;
    assert_int_equal(detent_import_text(arm, 5, NULL, &options, &imported, &e),
                     DETENT_ERROR_ARGUMENT);
    options.size = sizeof options;
    const detent_allocator half = {.context = NULL};
    options.allocator = &half;
    assert_int_equal(detent_import_text(arm, 5, NULL, &options, &imported, &e),
                     DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_import_text(NULL, 0, NULL, NULL, &imported, &e), DETENT_ERROR_SYNTAX);
    assert_string_equal(e.file, "<text>");
    assert_int_equal(detent_import_text(arm, 5, NULL, NULL, &imported, NULL), DETENT_ERROR_SYNTAX);
    assert_int_equal(detent_import_file("/nowhere/arm.urdf", NULL, &imported, &e), DETENT_ERROR_IO);
    assert_null(imported);
    size_t length = 7;
    int line = 7;
    assert_null(detent_imported_text(NULL, &length));
    assert_int_equal(length, 0);
    assert_int_equal(detent_imported_note_count(NULL), 0);
    assert_null(detent_imported_note(NULL, 0, &line));
    assert_int_equal(line, 0);
    detent_imported_destroy(NULL);
}

static void test_places(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_imported *imported = NULL;
    static const char text[] =
        "<robot>\n  <link name='a'/>\n  <joint name='b' type='fixed'/>\n</robot>";
    assert_int_equal(detent_import_text(text, strlen(text), "b.urdf", NULL, &imported, &e),
                     DETENT_ERROR_MODEL);
    assert_string_equal(e.file, "b.urdf");
    assert_int_equal(e.line, 3);
    assert_int_equal(e.column, 3);
    assert_null(imported);
}

/* Every piece of memory is refused in its turn. */
static void sweep(const char *text)
{
    detent_status status = DETENT_ERROR_MEMORY;
    size_t limit;
    for (limit = 0; status; limit++) {
        ledger book = {.allowed = limit};
        const detent_allocator allocator = ledger_allocator(&book);
        detent_import_options options = DETENT_INIT(detent_import_options);
        options.allocator = &allocator;
        options.balance = true;
        detent_imported *imported = NULL;
        detent_error e;
        status = detent_import_text(text, strlen(text), "x", &options, &imported, &e);
        if (status) {
            assert_int_equal(status, DETENT_ERROR_MEMORY);
            assert_null(imported);
        }
        detent_imported_destroy(imported);
        assert_int_equal(book.alive, 0);
        assert_true(limit < 1000);
    }
    assert_true(limit > 1);
}

/* A robot whose parts fill several pieces of memory. */
static void test_memory(void **state)
{
    UNUSED(state);
    enum { LINKS = 200, ROOM = 1 << 17 };
    char *text = malloc(ROOM), *out = text;
    assert_non_null(text);
    sweep(arm);
    sweep(swing);
    out += sprintf(out, "<robot name='long'><link name='l0'/>");
    for (int k = 1; k <= LINKS; k++) {
        out +=
            sprintf(out,
                    "<link name='l%d'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='3'/>"
                    "</inertial><visual/></link><joint name='j%d' type='continuous'><parent "
                    "link='l%d'/><child link='l%d'/>%s</joint>"
                    "<transmission><joint name='j%d'/></transmission>",
                    k, k, k - 1, k, k > 1 ? "<mimic joint='j1'/>" : "", k);
    }
    sprintf(out, "</robot>");
    sweep(text);
    detent_import_options options = DETENT_INIT(detent_import_options);
    options.balance = true;
    detent_imported *imported = import(text, &options);
    assert_int_equal(detent_imported_note_count(imported), LINKS + 2);
    detent_mechanism *m = parse(imported);
    assert_int_equal(detent_count(m, DETENT_COUPLING), LINKS - 1);
    detent_mechanism_destroy(m);
    detent_imported_destroy(imported);
    free(text);
}

/* Names of any length and with any character are lines of the result, and of valid UTF-8. */
static void test_long_names(void **state)
{
    UNUSED(state);
    static const char *const odd[] = {
        "\xC3\xA9",         "\xE2\x80\xA8",          "\xC2\x85",    "&#10;- x: 1", "\xEF\xBB\xBF",
        "\xF0\x9F\x98\x80", "&quot;\\ # {}[]&apos;", "\xEF\xBF\xBD"};
    char *text = malloc(1 << 16), *name = malloc(4096);
    assert_non_null(text);
    assert_non_null(name);
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
        for (int shift = 0; shift < 4; shift++) {
            char *out = name + sprintf(name, "%.*s", shift, "abc");
            while (out - name < 2000) {
                out += sprintf(out, "%s", odd[k]);
            }
            sprintf(text,
                    "<robot name=\"%s\"><link name=\"%s\"/><link name=\"%s.\"><inertial><mass "
                    "value=\"1\"/><inertia "
                    "ixx=\"1\" iyy=\"1\" izz=\"3\"/></inertial></link><joint name=\"%s\" "
                    "type=\"revolute\"><parent "
                    "link=\"%s\"/><child link=\"%s.\"/></joint></robot>",
                    name, name, name, name, name, name);
            detent_import_options options = DETENT_INIT(detent_import_options);
            options.balance = true;
            detent_imported *imported = import(text, &options);
            detent_mechanism_destroy(parse(imported));
            detent_imported_destroy(imported);
        }
    }
    free(text);
    free(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_is_a_mechanism),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_long_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
