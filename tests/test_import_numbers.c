/* Robots with a number that is none: each in its turn is an error that tells its element, its attribute and its place. */
#include "robots_of_tests.h"

#include "detent/import.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Attributes of bodies, joints and drives that hold numbers. */
static const char *const of_urdf[] = {
    "xyz", "rpy",   "value", "ixx",     "ixy",      "ixz",        "iyy",    "iyz",
    "izz", "lower", "upper", "damping", "friction", "multiplier", "offset", NULL};
static const char *const of_mjcf[] = {"boundmass",    "boundinertia",
                                      "settotalmass", "inertiagrouprange",
                                      "gravity",      "pos",
                                      "quat",         "axisangle",
                                      "xyaxes",       "zaxis",
                                      "euler",        "axis",
                                      "range",        "ref",
                                      "damping",      "frictionloss",
                                      "armature",     "stiffness",
                                      "springref",    "size",
                                      "fromto",       "density",
                                      "mass",         "group",
                                      "diaginertia",  "fullinertia",
                                      "gear",         "forcerange",
                                      "ctrlrange",    "kp",
                                      "kv",           "gainprm",
                                      "biasprm",      "anchor",
                                      "relpose",      "polycoef",
                                      "qpos",         NULL};

/* An attribute with its value, `from` up to `to` the value between its quotes. */
typedef struct attribute {
    char element[32], name[32];
    const char *from, *to;
    int line, column; /* of its element */
} attribute;

/* The first attribute behind `at`; false: there are no more. Texts have no quotes but those of attributes. */
static bool next_attribute(const char *text, const char *at, attribute *a)
{
    const char *quote = strchr(at, '\'');
    if (!quote) {
        return false;
    }
    a->from = quote + 1;
    a->to = strchr(a->from, '\'');
    assert_non_null(a->to);
    const char *name = quote - 1; /* the = */
    while (name[-1] != ' ' && name[-1] != '\n') {
        name--;
    }
    snprintf(a->name, sizeof a->name, "%.*s", (int)(quote - 1 - name), name);
    const char *element = name, *start;
    while (*element != '<') {
        element--;
    }
    snprintf(a->element, sizeof a->element, "%.*s", (int)strcspn(element + 1, " "), element + 1);
    a->line = 1;
    start = text;
    for (const char *c = text; c < element; c++) {
        if (*c == '\n') {
            a->line++;
            start = c + 1;
        }
    }
    a->column = (int)(element - start) + 1;
    return true;
}

static bool is_among(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0) {
        names++;
    }
    return *names != NULL;
}

static detent_status import(const char *text, detent_imported **imported, detent_error *error)
{
    detent_import_options options = DETENT_INIT(detent_import_options);
    options.balance = true;
    options.keyframe = strstr(text, "keyframe") ? "start" : NULL;
    return detent_import_text(text, strlen(text), "robot.xml", &options, imported, error);
}

/* The text with another value of an attribute; the caller's. */
static char *with_value(const char *text, const attribute *a, const char *value)
{
    const size_t size = strlen(text) + strlen(value) + 1;
    char *other = malloc(size);
    assert_non_null(other);
    snprintf(other, size, "%.*s%s%s", (int)(a->from - text), text, value, a->to);
    return other;
}

/* How many shapes without a size have been noted. */
static int shapeless(const detent_imported *imported)
{
    static const char words[] = "a shape without a size is left out", more[] = ", here and ";
    for (size_t k = 0; k < detent_imported_note_count(imported); k++) {
        const char *note = detent_imported_note(imported, k, NULL);
        if (strncmp(note, words, sizeof words - 1) == 0) {
            const char *rest = note + sizeof words - 1;
            return *rest ? 1 + atoi(rest + sizeof more - 1) : 1;
        }
    }
    return 0;
}

/* Whether it only says what a body looks like: its line is that of a visual, of what is hit, of a mesh, of a geom of the world, or it is a colour. */
static bool is_of_looks(const char *text, const attribute *a)
{
    static const char *const lines[] = {"<visual", "<collision", "<geom type='plane'",
                                        "<geom type='mesh'", "<geom name="};
    const char *line = a->from;
    while (line > text && line[-1] != '\n') {
        line--;
    }
    bool any = strcmp(a->name, "rgba") == 0;
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        any = any || strncmp(line, lines[k], strlen(lines[k])) == 0;
    }
    return any;
}

/* How many numbers of it were spoilt. */
static int spoil(const char *text, const char *const *numbers)
{
    attribute a;
    int count = 0;
    for (const char *at = text; next_attribute(text, at, &a); at = a.to + 1) {
        if (!is_among(a.name, numbers) || is_of_looks(text, &a) || strcmp(a.element, "flag") == 0) {
            continue;
        }
        char *bad = with_value(text, &a, "x"), wanted[128];
        detent_error error = {0};
        detent_imported *imported = NULL;
        const detent_status status = import(bad, &imported, &error);
        snprintf(wanted, sizeof wanted, "a finite number was expected in <%s %s=\"x\">, not 'x'",
                 a.element, a.name);
        if (status != DETENT_ERROR_MODEL || strcmp(error.message, wanted) != 0 ||
            error.line != a.line || error.column != a.column || imported) {
            fail_msg("line %d, column %d: '%s' of <%s>: status %d, line %d, column %d: %s", a.line,
                     a.column, a.name, a.element, status, error.line, error.column, error.message);
        }
        free(bad);
        count++;
    }
    return count;
}

static void numbers_that_are_none(void **state)
{
    (void)state;
    assert_int_equal(spoil(urdf_robot, of_urdf), 39);
    assert_int_equal(spoil(mjcf_robot, of_mjcf), 57);
}

/* Looks refuse no robot: a shape whose place, size or colour cannot be read is left out, and noted. */
static int spoil_looks(const char *text)
{
    static const char *const numbers[] = {"xyz",    "rpy",  "size", "radius",
                                          "length", "rgba", "pos",  NULL};
    detent_error error;
    detent_imported *imported = NULL;
    attribute a;
    int count = 0;
    assert_int_equal(import(text, &imported, &error), DETENT_OK);
    const int usual = shapeless(imported);
    detent_imported_destroy(imported);
    for (const char *at = text; next_attribute(text, at, &a); at = a.to + 1) {
        if (!is_among(a.name, numbers) || !is_of_looks(text, &a)) {
            continue;
        }
        char *bad = with_value(text, &a, "1 x");
        const detent_status status = import(bad, &imported, &error);
        if (status) {
            fail_msg("'%s' of <%s>: %s", a.name, a.element, error.message);
        }
        /* a colour of URDF is none then; of a plane no size is read */
        const bool is_let_pass =
            strcmp(a.element, "color") == 0 || strncmp(a.from, "1 1 1'", 6) == 0;
        assert_int_equal(shapeless(imported), usual + !is_let_pass);
        detent_imported_destroy(imported);
        free(bad);
        count++;
    }
    return count;
}

static void looks_that_cannot_be_read(void **state)
{
    (void)state;
    assert_int_equal(spoil_looks(urdf_robot), 7);
    assert_int_equal(spoil_looks(mjcf_robot), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_that_are_none),
                                       cmocka_unit_test(looks_that_cannot_be_read)};
    return cmocka_run_group_tests_name("numbers of robots", tests, NULL, NULL);
}
