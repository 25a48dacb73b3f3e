/* Errors point at the right character and say what is wrong; hostile texts are refused, not
 * suffered. */

#include "support_ledger.h"
#include "test_expression_support.h"

#define SYNTAX DETENT_ERROR_SYNTAX
#define MODEL  DETENT_ERROR_MODEL

typedef struct bad_text {
    const char *text;
    detent_status status;
    int column;          /* of the wrong character, from 1 */
    const char *message; /* a part of it */
} bad_text;

static const bad_text table[] = {
    /* What stands where. */
    {"", SYNTAX, 1, "missing"},
    {"   ", SYNTAX, 1, "missing"},
    {"1 +", SYNTAX, 4, "ends here"},
    {"1 + * 2", SYNTAX, 5, "before '*'"},
    {"1 2", SYNTAX, 3, "an operator is expected before '2'"},
    {"x y", SYNTAX, 3, "an operator is expected before 'y'"},
    {"2(x)", SYNTAX, 2, "an operator is expected before '('"},
    {"(1 + 2", SYNTAX, 1, "never closed"},
    {"x*((1 + 2)", SYNTAX, 3, "never closed"},
    {"(1 + 2))", SYNTAX, 8, "closes nothing"},
    {"(1 2)", SYNTAX, 4, "an operator or ')'"},
    {")", SYNTAX, 1, "a value"},
    {"sin(1", SYNTAX, 4, "never closed"},
    {"sin(1 2)", SYNTAX, 7, "','"},
    {"sin()", SYNTAX, 1, "1 argument, not 0"},
    {"x + sin(1, 2)", SYNTAX, 5, "1 argument, not 2"},
    {"atan2(1)", SYNTAX, 1, "2 arguments, not 1"},
    {"if(1, 2)", SYNTAX, 1, "3 arguments, not 2"},
    {"if(1, 2, 3, 4, 5)", SYNTAX, 1, "3 arguments, not 5"},
    {"min()", SYNTAX, 1, "at least 1 argument"},
    {"min(1,)", SYNTAX, 7, "a value"},
    {"clamp(x, 1)", SYNTAX, 1, "3 arguments"},
    {"1 < 2 < 3", SYNTAX, 7, "chained"},
    {"x == y == z", SYNTAX, 8, "chained"},
    {"1 + not 1", SYNTAX, 5, "parentheses"},
    {"2^not 1", SYNTAX, 3, "parentheses"},
    {"and", SYNTAX, 1, "a value"},
    {"x and", SYNTAX, 6, "a value"},
    {"sin", SYNTAX, 1, "function"},
    {"2*position", SYNTAX, 3, "function"},
    /* Characters. */
    {"x @ 2", SYNTAX, 3, "'@'"},
    {"x # y", SYNTAX, 3, "'#'"},
    {"x ** 2", SYNTAX, 3, "'^'"},
    {"x && y", SYNTAX, 3, "'and'"},
    {"x || y", SYNTAX, 3, "'or'"},
    {"!x", SYNTAX, 1, "'not'"},
    {"x = 2", SYNTAX, 3, "'=='"},
    {"x <> 2", SYNTAX, 3, "'!='"},
    {"x % 2", SYNTAX, 3, "mod"},
    {"x ? 1 : 2", SYNTAX, 3, "if("},
    {"x + \xc2\xb5 + 1", SYNTAX, 5, "'\xc2\xb5'"},
    {"2 [\xc2\xb5m] + @", SYNTAX, 10, "'@'"},
    {"x + \xff", SYNTAX, 5, "0xff"},
    {"x + \x80\x80", SYNTAX, 5, "0x80"},
    {"x + \x01", SYNTAX, 5, "0x01"},
    {"\"x\"", SYNTAX, 1, "'\"'"},
    {"1e999", SYNTAX, 1, "too large"},
    {"x + 1e400", SYNTAX, 5, "too large"},
    {"..5", SYNTAX, 1, "a value"},
    /* Units. */
    {"30 degg", MODEL, 4, "'degg'; did you mean 'deg'?"},
    {"x + 30 foo", MODEL, 8, "no unit 'foo'"},
    {"2x", MODEL, 2, "no unit 'x'"},
    {"5 [N*m", SYNTAX, 3, "']'"},
    {"5 [N*q]", MODEL, 4, "no unit 'N*q'"},
    {"5 []", MODEL, 4, "unit is missing"},
    {"5 [N+m]", MODEL, 4, "no unit"},
    {"5 N*foo", MODEL, 5, "5 [N*m]"},
    {"x + 5 m/foo", MODEL, 9, "brackets"},
    {"x + 2 m^2", SYNTAX, 8, "2 [m^2]"},
    {"2 t", SYNTAX, 3, "2*t"},
    {"2 s + 3 t", SYNTAX, 9, "2*t"},
    {"5 s-2", SYNTAX, 3, "s^-2"},
    {"1 \xc2\xb5s + 3 foo", MODEL, 10, "'foo'"},
    /* Names. */
    {"lenn", MODEL, 1, "did you mean 'len'?"},
    {"x + bar", MODEL, 5, "there is no 'bar'"},
    {"foo(x)", MODEL, 1, "no function 'foo'"},
    {"foo(2*x)", MODEL, 1, "no function 'foo'"},
    {"foo()", MODEL, 1, "no function 'foo'"},
    {"sine(x)", MODEL, 1, "did you mean 'sin'?"},
    {"positon(elbow)", MODEL, 1, "did you mean 'position'?"},
    {"2*position(elbo)", MODEL, 12, "did you mean 'elbow'?"},
    {"position(knee)", MODEL, 10, "position(): there is no 'knee'"},
    {"velocity(elbow)", MODEL, 1, "velocity(elbow) cannot be read here"},
    {"position(elbow, x)", MODEL, 1, "position(elbow, x) cannot be read here"},
    {"reaction_force(elbow, v)", MODEL, 1, "reaction_force(elbow, v) cannot be read here"},
    {"reaction_force(elbow, 2)", SYNTAX, 23, "x, y or z"},
    {"reaction_force(elbow, x, wrist.r2)", MODEL, 1, "cannot be read here"},
    {"reaction_force(elbow, x, 2)", SYNTAX, 26, "a name"},
    {"reaction_force(elbow, x, elbow, elbow, elbow)", SYNTAX, 38, "')'"},
    {"kinetic_energy()", MODEL, 1, "kinetic_energy() cannot be read here"},
    {"kinetic_energy(", SYNTAX, 16, "a name"},
    {"position(2*elbow)", SYNTAX, 10, "a name"},
    {"position(elbow + 1)", SYNTAX, 16, "')'"},
    {"position()", SYNTAX, 10, "a name"},
    {"position(elbow", SYNTAX, 9, "never closed"},
    {"position(link[i-0.5])", MODEL, 15, "integer, not 16.5"},
    {"position(link[x])", MODEL, 15, "numbers and parameters"},
    {"position(link[t])", MODEL, 15, "numbers and parameters"},
    {"position(link[1e10])", MODEL, 15, "integer"},
    {"position(link[])", SYNTAX, 15, "a value"},
    {"position(link[1)", SYNTAX, 16, "']'"},
    {"position(link[1/0])", MODEL, 15, "numbers and parameters"},
    {"position(wrist.)", SYNTAX, 16, "a name"},
    {"position(link[15])", MODEL, 10, "did you mean 'link[16]'?"},
    /* Dimensions. */
    {"5 m + 3 s", MODEL, 5, "m is on its left and s on its right"},
    {"x*(F - s)", MODEL, 6, "N is on its left and m on its right"},
    {"s < u", MODEL, 3, "m is on its left and m/s on its right"},
    {"q == s", MODEL, 3, "a number without unit is on its left"},
    {"min(s, x, F)", MODEL, 11, "min() must have the same dimension, not m and N"},
    {"if(x > 0, s, F)", MODEL, 14, "the first is m and the second N"},
    {"if(s, 1, 2)", MODEL, 4, "if() needs a number without unit here, not m"},
    {"sin(s)", MODEL, 5, "sin() needs a number without unit here, not m"},
    {"1 + exp(F*s)", MODEL, 9, "not N m"},
    {"2^s", MODEL, 3, "'^' needs a number without unit here, not m"},
    {"s^x", MODEL, 1, "'^' needs a number without unit here, not m"},
    {"s and x", MODEL, 1, "'and' needs"},
    {"atan2(s, F)", MODEL, 10, "not m and N"},
    {"t + s", MODEL, 3, "s is on its left and m"},
    {"2 kg + 3 lbf", MODEL, 6, "kg is on its left and N"},
    /* Values. */
    {"1/0", MODEL, 2, "not a finite number"},
    {"x + 1/zero", MODEL, 6, "division by zero"},
    {"x/0", MODEL, 2, "division by zero"},
    {"0*(x/0)", MODEL, 5, "division by zero"},
    {"sqrt(-1)", MODEL, 1, "sqrt(-1) is not a finite number"},
    {"1 + clamp(2, 3, 1)", MODEL, 5,
     "argument 3 of clamp() is to be at least the one before it, not 1"},
    {"saturate(2, 0, -1)", MODEL, 1, "argument 3 of saturate() is to be at least"},
    {"deadband(2, 3 - 1, 1)", MODEL, 1, "argument 3 of deadband() is to be at least"},
    {"ramp(2, 1, 1)", MODEL, 1, "argument 3 of ramp() is to be another one"},
    {"pulse(2, 0, 1)", MODEL, 1, "argument 2 of pulse() is to be above zero, not 0"},
    {"noise(2, -1, 1)", MODEL, 1, "argument 2 of noise() is to be above zero, not -1"},
    {"noise(2, 1, 1.5)", MODEL, 1, "argument 3 of noise() is to be an integer, not 1.5"},
    {"x*log(0)", MODEL, 3, "log(0) is not"},
    {"(-8)^0.5", MODEL, 5, "-8 ^ 0.5 is not"},
    {"1e200*1e200", MODEL, 6, "1e+200 * 1e+200 is not"},
    {"if(x > 0, 1/0, 2)", MODEL, 12, "division by zero"},
    {"atan(1/0)", MODEL, 7, "division by zero"},
    {"min(1, 1/0)", MODEL, 9, "division by zero"},
    {"mod(x, 0)", MODEL, 1, "division by zero"},
    {"1e300 [km^10]", MODEL, 1, "too large"},
};

/* Characters, not bytes, up to the caret of the detail. */
static int caret_column(const char *detail)
{
    const char *caret = strrchr(detail, '^');
    const char *line = strrchr(detail, '\n');
    assert_non_null(caret);
    assert_non_null(line);
    assert_string_equal(caret, "^");
    assert_int_equal((int)strspn(line + 1, " "), (int)(caret - line - 1));
    return (int)(caret - line);
}

static void errors_point_at_the_right_character(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const bad_text *bad = &table[i];
        const dt_program *program = try_parse(w, bad->text, NULL);
        if (program) {
            fail_msg("%s is taken", bad->text);
        }
        if (w->error.status != bad->status || w->error.line != 3 ||
            w->error.column != 9 + bad->column || !strstr(w->error.message, bad->message) ||
            caret_column(w->error.detail) != bad->column) {
            fail_msg("%s: status %d at %d:%d: %s\n%s", bad->text, (int)w->error.status,
                     w->error.line, w->error.column, w->error.message, w->error.detail);
        }
        assert_string_equal(w->error.file, "arm.yaml");
        size_t shown = strcspn(bad->text, "\x01");
        assert_memory_equal(w->error.detail, bad->text, shown);
    }
}

static void errors_without_a_place(void **state)
{
    world *w = *state;
    dt_program *program;
    detent_status status =
        dt_program_parse(&w->arena, "1 + @", NULL, NULL, NULL, NULL, &program, &w->error);
    assert_int_equal(status, DETENT_ERROR_SYNTAX);
    assert_null(program);
    assert_int_equal(w->error.line, 1);
    assert_int_equal(w->error.column, 5);
    assert_string_equal(w->error.file, "");

    /* Nobody listens; no scope; no units. */
    static const char *const texts[] = {"1 +", "5 N",  "30 [deg]", "name",    "f(x)", "position(a)",
                                        "1/0", "x[1]", "1 + [",    "5 m + 1", "y.z"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_true(dt_program_parse(&w->arena, texts[i], NULL, NULL, NULL, NULL, &program, NULL) <
                    0);
    }
    assert_int_equal(dt_program_parse(&w->arena, "2*t", NULL, NULL, NULL, NULL, &program, NULL),
                     DETENT_OK);
}

static void later_lines_count_from_their_start(void **state)
{
    world *w = *state;
    assert_null(try_parse(w, "1 +\n  x +\n\t@", NULL));
    assert_int_equal(w->error.line, 5);
    assert_int_equal(w->error.column, 2);
    assert_string_equal(w->error.detail, " @\n ^");
}

static void long_lines_are_cut_around_the_caret(void **state)
{
    world *w = *state;
    char text[2048] = "";
    for (int i = 0; i < 100; i++) {
        strcat(text, "2 [\xc2\xb5m] + ");
    }
    strcat(text, "@");
    for (int i = 0; i < 100; i++) {
        strcat(text, " + x");
    }
    assert_null(try_parse(w, text, NULL));
    assert_int_equal(w->error.column, 9 + 901);
    const char *detail = w->error.detail;
    assert_true(strncmp(detail, "...", 3) == 0 && strstr(detail, " + x...\n") == NULL);
    assert_non_null(strstr(detail, "...\n"));
    /* The character above the caret. */
    int column = caret_column(detail);
    const char *c = detail;
    for (int i = 1; i < column; i++) {
        c++;
        while (((unsigned char)*c & 0xC0) == 0x80) {
            c++;
        }
    }
    assert_int_equal(*c, '@');
}

static void expectations_are_named(void **state)
{
    world *w = *state;
    assert_null(try_parse(w, "  5 N", &dt_dimension_torque));
    assert_string_equal(w->error.message, "a value in N m is expected here, not in N");
    assert_int_equal(w->error.column, 12);
    assert_null(try_parse(w, "5 N", &dt_dimension_none));
    assert_string_equal(w->error.message,
                        "a number without unit or an angle is expected here, not N");
    assert_null(try_parse(w, "q", &dt_dimension_length));
    assert_string_equal(w->error.message,
                        "a value in m is expected here, not an angle or a number without unit");
}

/* --- Hostile texts ----------------------------------------------------------------------------- */

/* `count` times `opening`, `middle`, `count` times `closing`. */
static char *nested(const char *opening, const char *middle, const char *closing, size_t count)
{
    size_t a = strlen(opening), b = strlen(closing);
    char *text = calloc(1, count * (a + b) + strlen(middle) + 1);
    assert_non_null(text);
    for (size_t i = 0; i < count; i++) {
        memcpy(text + i * a, opening, a);
        memcpy(text + count * a + strlen(middle) + i * b, closing, b);
    }
    memcpy(text + count * a, middle, strlen(middle));
    return text;
}

static void depth_is_bounded(void **state)
{
    static const struct {
        const char *opening, *middle, *closing;
        size_t fits;
    } forms[] = {
        {"(", "x", ")", 199},
        {"-", "x", "", 199},
        {"sin(", "x", ")", 199},
        {"not ", "x", "", 199},
        {"if(x, 1, ", "y", ")", 199},
        {"x^", "x", "", 199},
        {"position(link[", "16", "])", 0},
        {"a[", "1", "]", 0},
        {"1 or x and x == x + x*-(", "x", ")", 20},
        {"[", "1", "]", 0},
    };
    world *w = *state;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char *text = nested(forms[i].opening, forms[i].middle, forms[i].closing, forms[i].fits);
        if (forms[i].fits) {
            parse(w, text);
        }
        free(text);
        for (size_t count = 300; count <= 30000; count *= 10) {
            text = nested(forms[i].opening, forms[i].middle, forms[i].closing, count);
            assert_null(try_parse(w, text, NULL));
            if (forms[i].fits) {
                assert_non_null(strstr(w->error.message, "200 deep"));
            }
            free(text);
        }
    }
}

static void size_is_bounded(void **state)
{
    world *w = *state;
    char *text = nested("x + ", "x", "", 50000);
    parse(w, text);
    free(text);

    /* x, y and two operations a term: all different. */
    text = calloc(1, 900000);
    assert_non_null(text);
    size_t length = 0;
    for (int i = 1; i <= 50000; i++) {
        length += (size_t)snprintf(text + length, 900000 - length, "x*%d + ", i);
    }
    text[length - 2] = '\0';
    assert_null(try_parse(w, text, NULL));
    assert_int_equal(w->error.status, DETENT_ERROR_MODEL);
    assert_non_null(strstr(w->error.message, "100000 operations"));
    text[length / 2] = '\0';
    *strrchr(text, '+') = '\0';
    parse(w, text);
    free(text);

    text = nested(" ", "x", "", 1024 * 1024);
    assert_null(try_parse(w, text, NULL));
    assert_non_null(strstr(w->error.message, "longer than"));
    free(text);

    text = nested("a", "", "", 100000);
    assert_null(try_parse(w, text, NULL));
    assert_non_null(strstr(w->error.message, "name is longer"));
    free(text);

    text = nested("9", "", "", 100000);
    assert_null(try_parse(w, text, NULL));
    free(text);

    text = nested("a", "(elbow)", "", 300);
    assert_null(try_parse(w, text, NULL));
    free(text);

    text = nested("5 ", "m", "m", 1000);
    assert_null(try_parse(w, text, NULL));
    free(text);
}

/* Texts made of the language's own pieces. */
static void random_texts_do_no_harm(void **state)
{
    static const char *const pieces[] = {
        "x",    "y",        "1",    "2.5", ".",   "e3",        "(",     ")",     "[",
        "]",    ",",        "+",    "-",   "*",   "/",         "^",     "<",     "<=",
        "==",   "!=",       "and",  "or",  "not", "if(",       "sin(",  "min(",  " ",
        "t",    "pi",       "N",    " m",  "deg", "position(", "elbow", "link[", "\n",
        "\x80", "\xc2\xb5", "\x01", "!",   "&",   "mod(",      "0",
    };
    world *w = *state;
    uint64_t seed = 1;
    size_t good = 0;
    for (int trial = 0; trial < 20000; trial++) {
        char text[256] = "";
        int count = 1 + choose(&seed, 12);
        for (int i = 0; i < count; i++) {
            strcat(text, pieces[choose(&seed, (int)(sizeof pieces / sizeof pieces[0]))]);
        }
        const dt_program *program = try_parse(w, text, NULL);
        if (program) {
            good++;
            assert_true(!program->is_constant || isfinite(program->constant));
        } else {
            assert_true(w->error.message[0] != '\0');
            assert_true(w->error.line >= 3 && w->error.column >= 1);
            caret_column(w->error.detail);
        }
    }
    assert_true(good > 100);
}

/* --- Memory ------------------------------------------------------------------------------------ */

/* The status of parsing in an arena with so many allocations; nothing may be left. */
static detent_status parse_with(size_t allowed, const char *text, ledger *book)
{
    *book = (ledger){.allowed = allowed};
    detent_allocator allocator = ledger_allocator(book);
    detent_error error = {0};
    dt_program *program = NULL;
    detent_status status = DETENT_ERROR_MEMORY;
    world w = {.signals = (signal_text[]){{"a", "b + 1 mm"}, {"b", "len*sin(x)"}, {NULL, NULL}}};
    w.scope = (dt_scope){
        .context = &w, .name = world_name, .reading = world_reading, .suggest = world_suggest};
    w.units = dt_unit_system_create(&allocator);
    dt_arena_init(&w.arena, &allocator);
    if (w.units) {
        status = dt_program_parse(&w.arena, text, NULL, &w.scope, w.units, NULL, &program, &error);
        assert_int_equal(status, error.status);
    }
    if (status == DETENT_ERROR_MEMORY && w.units) {
        assert_null(program);
        assert_string_equal(error.message, "out of memory");
    }
    dt_arena_free(&w.arena);
    dt_unit_system_destroy(w.units);
    assert_int_equal(book->alive, 0);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    static const struct {
        const char *text;
        detent_status status;
    } cases[] = {
        {"1.5", DETENT_OK},
        {"2 mm", DETENT_OK},
        {"a*position(link[i-1]) + if(mod(t, 2) < 1 [s], 5 [mm], 0)", DETENT_OK},
        {"foo(link[i-1])", DETENT_ERROR_MODEL},
        {"a + 5 degg", DETENT_ERROR_MODEL},
        {"a + (", DETENT_ERROR_SYNTAX},
        {"a/0", DETENT_ERROR_MODEL},
    };
    (void)state;
    char *large = nested("abs(x + 1 mm) + ", "x", "", 3000);
    for (size_t i = 0; i <= sizeof cases / sizeof cases[0]; i++) {
        bool is_large = i == sizeof cases / sizeof cases[0];
        detent_status expected = is_large ? DETENT_OK : cases[i].status;
        detent_status status = DETENT_ERROR_MEMORY;
        ledger book = {0};
        size_t allowed = 0;
        for (; status == DETENT_ERROR_MEMORY; allowed++) {
            status = parse_with(allowed, is_large ? large : cases[i].text, &book);
        }
        assert_int_equal(status, expected);
        assert_true(book.calls == allowed - 1);
        assert_true(allowed > 1);
    }
    free(large);
}

static void made_programs_may_lack_memory(void **state)
{
    (void)state;
    for (size_t allowed = 0; allowed < 2; allowed++) {
        ledger book = {.allowed = allowed};
        detent_allocator allocator = ledger_allocator(&book);
        dt_arena arena;
        dt_arena_init(&arena, &allocator);
        assert_true((dt_program_constant(&arena, 1) != NULL) == (allowed > 0));
        dt_arena_free(&arena);
        assert_int_equal(book.alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_point_at_the_right_character),
        cmocka_unit_test(errors_without_a_place),
        cmocka_unit_test(later_lines_count_from_their_start),
        cmocka_unit_test(long_lines_are_cut_around_the_caret),
        cmocka_unit_test(expectations_are_named),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(size_is_bounded),
        cmocka_unit_test(random_texts_do_no_harm),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(made_programs_may_lack_memory),
    };
    return cmocka_run_group_tests(tests, world_setup, world_teardown);
}
