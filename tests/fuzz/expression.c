/* Parses, evaluates and differentiates whatever comes. The input is an expression, then, each
 * behind a semicolon, the texts of the signals a, b, c, d. Names: x y z (variables), k (a
 * constant), i (17), dir; any reading of an item that starts with 'e' is a variable. */

#include "expression/program.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNALS = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static dt_symbol find_name(void *context, const char *name)
{
    char *const *signals = context;
    if (name[0] == '\0' || name[1] != '\0') {
        bool is_direction = strcmp(name, "dir") == 0;
        return (dt_symbol){.kind = is_direction ? DT_SYMBOL_VARIABLE : DT_SYMBOL_UNKNOWN,
                           .variable = {DT_VARIABLE_DIRECTION, 0}};
    }
    if (name[0] >= 'x' && name[0] <= 'z') {
        return (dt_symbol){.kind = DT_SYMBOL_VARIABLE,
                           .variable = {DT_VARIABLE_INPUT, name[0] - 'x'},
                           .dimension =
                               name[0] == 'z' ? dt_dimension_length : dt_dimension_unknown};
    }
    if (name[0] == 'k' || name[0] == 'i') {
        return (dt_symbol){.kind = DT_SYMBOL_CONSTANT, .value = name[0] == 'k' ? 0.75 : 17};
    }
    if (name[0] >= 'a' && name[0] < 'a' + SIGNALS) {
        return (dt_symbol){.kind = DT_SYMBOL_EXPRESSION, .text = signals[name[0] - 'a' + 1]};
    }
    return (dt_symbol){.kind = DT_SYMBOL_UNKNOWN};
}

static dt_symbol find_reading(void *context, const dt_reading *r)
{
    (void)context;
    return (dt_symbol){
        .kind = r->item[0] == 'e' ? DT_SYMBOL_VARIABLE : DT_SYMBOL_UNKNOWN,
        .argument = r->observer[0] ? DT_ARGUMENT_OBSERVER : DT_ARGUMENT_ITEM,
        .variable = {r->component[0] ? DT_VARIABLE_REACTION_FORCE_X : DT_VARIABLE_POSITION,
                     (int)strlen(r->item)}};
}

static const char *suggest(void *context, const char *function, const char *name)
{
    (void)context;
    return function[0] ? "elbow" : name;
}

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void check_program(const dt_program *program, double seed)
{
    size_t count = (size_t)program->operation_count;
    size_t slots_count = (size_t)program->variable_count;
    size_t switches = (size_t)program->switch_count;
    double *registers = malloc((3 * count + 1) * sizeof *registers);
    double *slots = malloc((slots_count + 1) * sizeof *slots);
    double *gradient = malloc((slots_count + 1) * sizeof *gradient);
    double *roots = malloc((2 * switches + 1) * sizeof *roots);
    dt_branch *state = malloc((switches + 1) * sizeof *state);
    require(registers && slots && gradient && roots && state);

    require(program->is_constant == (slots_count == 0));
    require(!program->is_constant || (isfinite(program->constant) && count == 1));
    bool reads_only_time = true;
    for (size_t i = 0; i < slots_count; i++) {
        slots[i] = seed * (double)(i + 1) - 1;
        reads_only_time = reads_only_time && program->variables[i].kind == DT_VARIABLE_TIME;
    }
    double live = dt_program_value(program, slots, NULL, registers);
    dt_program_update_switches(program, slots, state, registers);
    require(is_same(live, dt_program_value(program, slots, state, registers)));
    require(is_same(live, dt_program_gradient(program, slots, state, registers, gradient)));
    dt_program_roots(program, slots, state, registers, roots);
    for (size_t i = 0; i < 2 * switches; i++) {
        require(roots[i] >= 0 && isfinite(roots[i]));
    }
    for (size_t i = 0; i < switches; i++) {
        state[i] = dt_program_flipped(program, (int)i, (int)(i % 2), state[i]);
    }
    dt_program_gradient(program, slots, state, registers, gradient);
    dt_program_roots(program, slots, state, registers, roots);
    for (size_t i = 0; i < 2 * switches; i++) {
        require(isfinite(roots[i]));
    }
    if (reads_only_time) {
        double jet[3];
        dt_program_time_jet(program, seed - 1, NULL, registers, jet);
        require(is_same(jet[0], live));
    }
    free(registers);
    free(slots);
    free(gradient);
    free(roots);
    free(state);
}

static void check_error(const detent_error *error)
{
    require(error->message[0] != '\0' && error->line >= 1 && error->column >= 1);
    require(error->detail[0] != '\0' && error->detail[strlen(error->detail) - 1] == '^');
    require(error->status == DETENT_ERROR_SYNTAX || error->status == DETENT_ERROR_MODEL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static dt_unit_system *units; /* opened once: reading the database takes milliseconds */
    static size_t runs;
    char *text = malloc(size + 1);
    char *texts[SIGNALS + 1];
    dt_arena arena;
    dt_program *program;
    detent_error error = {0};

    require(text);
    memcpy(text, data, size);
    text[size] = '\0';
    for (int i = 0; i <= SIGNALS; i++) {
        char *end = i ? strchr(texts[i - 1], ';') : NULL;
        texts[i] = i == 0 ? text : end ? end + 1 : text + size;
        if (end) {
            *end = '\0';
        }
    }
    if (runs++ % 20000 == 0) { /* forget the units seen */
        dt_unit_system_destroy(units);
        units = dt_unit_system_create(NULL);
    }

    dt_arena_init(&arena, NULL);
    dt_scope scope = {
        .context = texts, .name = find_name, .reading = find_reading, .suggest = suggest};
    detent_status status =
        dt_program_parse(&arena, text, NULL, &scope, units, NULL, &program, &error);
    require((status == DETENT_OK) == (program != NULL));
    if (program) {
        check_program(program, 0.5);
        check_program(program, 1);
        check_program(program, -3e9);
    } else {
        check_error(&error);
    }
    dt_arena_free(&arena);
    free(text);
    return 0;
}
