/* A scope to parse in, shared by the tests of expressions. Every name and reading is listed here:
 *
 *     x y z        inputs 0 to 2, of unknown dimension
 *     q w          position and velocity of primitive 0, an angle
 *     s u          position and velocity of primitive 1, a length
 *     F            force of primitive 1
 *     dir          direction of primitive 0
 *     two zero i   constants 2, 0, 17;  len = 3 m
 *     position(elbow) position(wrist.r2) position(link[16]) position(grid[17][2].r1)
 *     reaction_force(elbow) reaction_force(elbow, x)
 *     mode(elbow)  and, not listed among the known readings, spin(elbow)
 * and the signals of `signals`. */
#ifndef DT_TESTS_EXPRESSION_SUPPORT_H
#define DT_TESTS_EXPRESSION_SUPPORT_H

#include "base/arena.h"
#include "base/nearest.h"
#include "expression/program.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

typedef struct signal_text {
    const char *name, *text;
} signal_text;

typedef struct world {
    dt_arena arena;
    dt_unit_system *units;
    dt_scope scope;
    const signal_text *signals; /* ends with a NULL name */
    size_t lookups;
    detent_error error;
} world;

static inline dt_symbol variable_symbol(dt_variable_kind kind, int index, dt_dimension dimension)
{
    return (dt_symbol){
        .kind = DT_SYMBOL_VARIABLE, .variable = {kind, index}, .dimension = dimension};
}

static inline dt_symbol world_name(void *context, const char *name)
{
    world *w = context;
    const struct {
        const char *name;
        dt_symbol symbol;
    } names[] = {
        {"x", variable_symbol(DT_VARIABLE_INPUT, 0, dt_dimension_unknown)},
        {"y", variable_symbol(DT_VARIABLE_INPUT, 1, dt_dimension_unknown)},
        {"z", variable_symbol(DT_VARIABLE_INPUT, 2, dt_dimension_unknown)},
        {"q", variable_symbol(DT_VARIABLE_POSITION, 0, dt_dimension_none)},
        {"w", variable_symbol(DT_VARIABLE_VELOCITY, 0, dt_dimension_angular_velocity)},
        {"s", variable_symbol(DT_VARIABLE_POSITION, 1, dt_dimension_length)},
        {"u", variable_symbol(DT_VARIABLE_VELOCITY, 1, dt_dimension_velocity)},
        {"F", variable_symbol(DT_VARIABLE_FORCE, 1, dt_dimension_force)},
        {"dir", variable_symbol(DT_VARIABLE_DIRECTION, 0, dt_dimension_none)},
        {"two", {.kind = DT_SYMBOL_CONSTANT, .value = 2}},
        {"zero", {.kind = DT_SYMBOL_CONSTANT, .value = 0}},
        {"i", {.kind = DT_SYMBOL_CONSTANT, .value = 17}},
        {"len", {.kind = DT_SYMBOL_CONSTANT, .value = 3, .dimension = dt_dimension_length}},
    };
    w->lookups++;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (strcmp(name, names[k].name) == 0) {
            return names[k].symbol;
        }
    }
    for (const signal_text *s = w->signals; s && s->name; s++) {
        if (strcmp(name, s->name) == 0) {
            return (dt_symbol){.kind = DT_SYMBOL_EXPRESSION,
                               .text = s->text,
                               .where = {"signals.yaml", (int)(s - w->signals) + 1, 5}};
        }
    }
    return (dt_symbol){.kind = DT_SYMBOL_UNKNOWN};
}

static inline dt_symbol world_reading(void *context, const dt_reading *r)
{
    static const struct {
        const char *function, *item, *component;
        dt_variable variable;
    } readings[] = {
        {"position", "elbow", "", {DT_VARIABLE_POSITION, 2}},
        {"position", "wrist.r2", "", {DT_VARIABLE_POSITION, 3}},
        {"position", "link[16]", "", {DT_VARIABLE_POSITION, 16}},
        {"position", "grid[17][2].r1", "", {DT_VARIABLE_POSITION, 17}},
        {"reaction_force", "elbow", "", {DT_VARIABLE_REACTION_FORCE, 2}},
        {"reaction_force", "elbow", "x", {DT_VARIABLE_REACTION_FORCE_X, 2}},
        {"mode", "elbow", "", {DT_VARIABLE_MODE, 2}},
        {"spin", "elbow", "", {DT_VARIABLE_VELOCITY, 2}},
    };
    (void)context;
    for (size_t k = 0; k < sizeof readings / sizeof readings[0]; k++) {
        if (strcmp(r->function, readings[k].function) == 0 &&
            strcmp(r->item, readings[k].item) == 0 &&
            strcmp(r->component, readings[k].component) == 0 && !r->observer[0]) {
            return (dt_symbol){.kind = DT_SYMBOL_VARIABLE, .variable = readings[k].variable};
        }
    }
    return (dt_symbol){.kind = DT_SYMBOL_UNKNOWN};
}

static inline const char *world_suggest(void *context, const char *function, const char *name)
{
    static const char *const names[] = {"dir", "two", "zero", "len"};
    static const char *const items[] = {"elbow", "wrist.r2", "link[16]"};
    (void)context;
    if (function[0] == '\0') {
        return dt_nearest(name, names, sizeof names / sizeof names[0]);
    }
    return strcmp(function, "position") == 0 || strcmp(function, "reaction_force") == 0 ||
                   strcmp(function, "velocity") == 0
               ? dt_nearest(name, items, sizeof items / sizeof items[0])
               : NULL;
}

static inline void world_open(world *w, const signal_text *signals)
{
    *w = (world){.signals = signals};
    w->scope = (dt_scope){
        .context = w, .name = world_name, .reading = world_reading, .suggest = world_suggest};
    dt_arena_init(&w->arena, NULL);
    w->units = dt_unit_system_create(NULL);
    assert_non_null(w->units);
}

static inline void world_close(world *w)
{
    dt_unit_system_destroy(w->units);
    dt_arena_free(&w->arena);
}

static inline int world_setup(void **state)
{
    world *w = malloc(sizeof *w);
    assert_non_null(w);
    world_open(w, NULL);
    *state = w;
    return 0;
}

static inline int world_teardown(void **state)
{
    world_close(*state);
    free(*state);
    return 0;
}

/* Parses a text that stands at line 3, column 10; the program, or NULL and w->error. */
static inline dt_program *try_parse(world *w, const char *text, const dt_dimension *expected)
{
    dt_program *program;
    dt_location where = {"arm.yaml", 3, 10};
    memset(&w->error, 0, sizeof w->error);
    detent_status status = dt_program_parse(&w->arena, text, &where, &w->scope, w->units, expected,
                                            &program, &w->error);
    assert_int_equal(status, w->error.status);
    assert_true((status == DETENT_OK) == (program != NULL));
    return program;
}

static inline dt_program *parse(world *w, const char *text)
{
    dt_program *program = try_parse(w, text, NULL);
    if (!program) {
        fail_msg("%s: %s\n%s", text, w->error.message, w->error.detail);
    }
    return program;
}

static inline double *new_registers(const dt_program *program)
{
    double *registers = calloc(DT_PROGRAM_REGISTERS(program) + 1, sizeof *registers);
    assert_non_null(registers);
    return registers;
}

/* The value with these slots, nothing recorded. */
static inline double value_of(const dt_program *program, const double *slots)
{
    double *registers = new_registers(program);
    double value = dt_program_value(program, slots, NULL, registers);
    free(registers);
    return value;
}

/* The slot of a variable, -1 if the program does not read it. */
static inline int slot_of(const dt_program *program, dt_variable_kind kind, int index)
{
    for (int i = 0; i < program->variable_count; i++) {
        if (program->variables[i].kind == kind && program->variables[i].index == index) {
            return i;
        }
    }
    return -1;
}

/* splitmix64 (S. Vigna, public domain): the same numbers on every machine. */
static inline uint64_t next_random(uint64_t *seed)
{
    uint64_t z = (*seed += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static inline double uniform(uint64_t *seed, double low, double high)
{
    return low + (high - low) * ((double)(next_random(seed) >> 11) * 0x1p-53);
}

static inline int choose(uint64_t *seed, int count)
{
    return (int)(next_random(seed) % (uint64_t)count);
}

#endif
