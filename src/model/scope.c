/* What the names in an expression stand for.
 *
 * Plain names: t, dir, the repetition index, parameters, inputs, signals. Readings: see the table. Which of them may be
 * used depends on what the expression is for. The parser only learns that a name is unknown here; the reason is kept
 * and takes the place of its message.
 *
 * The copies of a chain share their texts, as in `if(i > 1, position(block[i-1]), 0)`: in the first copy the neighbour
 * does not exist, but is not asked for either, since the condition is a constant there. So an unknown item with an index
 * becomes a phantom variable, and only where one is left in the finished program is it an error. */

#include "model/scope.h"
#include "base/nearest.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef enum measure {
    MEASURE_POSITION,
    MEASURE_VELOCITY,
    MEASURE_ACCELERATION,
    MEASURE_EFFORT, /* N or N m, along the primitive */
    MEASURE_FORCE,
    MEASURE_TORQUE,
    MEASURE_LENGTH,
    MEASURE_STATE, /* its own */
    MEASURE_NONE
} measure;

typedef enum subject {
    SUBJECT_SCALAR,
    SUBJECT_ANY,
    SUBJECT_STICTION,
    SUBJECT_BODY,
    SUBJECT_STATE,
    SUBJECT_ROD,
    SUBJECT_COUPLING,
    SUBJECT_NOTHING
} subject;

typedef struct reading_row {
    const char *function, *component; /* NULL: not read by a function */
    dt_variable_kind kind;
    measure measure;
    subject subject;
    bool outputs_only;
} reading_row;

static const reading_row readings[] = {
#define READING(kind, function, component, measure, subject, traits, family, part) \
    {function,          component,         DT_VARIABLE_##kind,                     \
     MEASURE_##measure, SUBJECT_##subject, ((traits)&DT_OF_OUTPUTS) != 0},
    DT_VARIABLE_TABLE(READING)
#undef READING
};
enum { READINGS = sizeof readings / sizeof *readings };

/* The scope of one law. */
typedef struct scope_frame {
    detent_mechanism *m;
    const dt_law_record *law;
    bool used_index;   /* the value is that of one copy only */
    bool strict;       /* no phantoms */
    char refused[128]; /* the last name or function that is known but may not be used here */
    char reason[400];  /* and why */
} scope_frame;

static const dt_symbol unknown = {.kind = DT_SYMBOL_UNKNOWN};

static dt_symbol refuse(scope_frame *f, const char *name, const char *format, ...)
    DT_PRINTF_LIKE(3, 4);

static dt_symbol refuse(scope_frame *f, const char *name, const char *format, ...)
{
    va_list arguments;
    snprintf(f->refused, sizeof f->refused, "%s", name);
    va_start(arguments, format);
    vsnprintf(f->reason, sizeof f->reason, format, arguments);
    va_end(arguments);
    return unknown;
}

static const char *use_text(dt_use use)
{
    static const char *const texts[] = {"a constant",
                                        "a motion",
                                        "gravity",
                                        "a force",
                                        "a derivative",
                                        "a friction or limit",
                                        "an output expression",
                                        "a signal"};
    return texts[use];
}

static dt_symbol constant(double value, dt_dimension dimension)
{
    return (dt_symbol){.kind = DT_SYMBOL_CONSTANT, .value = value, .dimension = dimension};
}

static dt_symbol variable(dt_variable_kind kind, int index, dt_dimension dimension)
{
    return (dt_symbol){
        .kind = DT_SYMBOL_VARIABLE, .variable = {kind, index}, .dimension = dimension};
}

static dt_symbol global_symbol(scope_frame *f, const dt_global *global)
{
    dt_use use = f->law->use;
    switch (global->kind) {
    case DT_GLOBAL_PARAMETER:
        return constant(global->value, global->dimension);
    case DT_GLOBAL_INPUT:
        return use >= DT_USE_GRAVITY
                   ? variable(DT_VARIABLE_INPUT, global->input, global->dimension)
                   : refuse(
                         f, global->name,
                         global->is_tunable
                             ? "the parameter '%s' cannot be tunable: it is used in %s, which is "
                               "fixed when the mechanism is made"
                             : "the input '%s' cannot be used in %s",
                         global->name, use_text(use));
    default:
        if (use == DT_USE_CONSTANT) {
            return refuse(f, global->name, "the signal '%s' cannot be used in a constant",
                          global->name);
        }
        return (dt_symbol){.kind = DT_SYMBOL_EXPRESSION,
                           .text = global->text,
                           .where = dt_locate(f->m->builder, &global->origin, NULL, "", -1)};
    }
}

static dt_symbol state_symbol(const scope_frame *f, int index)
{
    const dt_state_record *record = DT_AT(DT_RECORDS(f->m->builder, state), dt_state_record, index);
    return variable(DT_VARIABLE_STATE, index, record->dimension);
}

static dt_symbol resolve_name(void *context, const char *identifier)
{
    scope_frame *f = context;
    const dt_origin *origin = f->law->origin;
    dt_use use = f->law->use;
    if (strcmp(identifier, "t") == 0) {
        return use != DT_USE_CONSTANT ? variable(DT_VARIABLE_TIME, 0, dt_dimension_time)
                                      : refuse(f, identifier, "t cannot be used in a constant");
    }
    if (strcmp(identifier, "dir") == 0) {
        return use == DT_USE_FRICTION || use == DT_USE_ANY
                   ? variable(DT_VARIABLE_DIRECTION, f->law->primitive, dt_dimension_unknown)
                   : refuse(f, identifier,
                            "dir, the direction of motion, is known only to the friction and the "
                            "limits of a "
                            "stiction, not to %s",
                            use_text(use));
    }
    if (origin && origin->index_name && strcmp(identifier, origin->index_name) == 0) {
        f->used_index = true;
        return constant(origin->index, dt_dimension_unknown);
    }
    const int state = dt_name_map_get(&f->m->state_names, identifier);
    if (state >= 0) {
        return use >= DT_USE_FORCE ? state_symbol(f, state)
                                   : refuse(f, identifier, "the state '%s' cannot be used in %s",
                                            identifier, use_text(use));
    }
    int index = dt_name_map_get(&f->m->builder->global_names, identifier);
    return index < 0 ? unknown : global_symbol(f, DT_AT(f->m->builder->globals, dt_global, index));
}

static const reading_row *find_reading(const char *function, const char *component)
{
    for (int i = 0; i < READINGS; i++) {
        if (readings[i].function && strcmp(readings[i].function, function) == 0 &&
            strcmp(readings[i].component, component) == 0) {
            return &readings[i];
        }
    }
    return NULL;
}

static bool is_function(const char *function)
{
    for (int i = 0; i < READINGS; i++) {
        if (readings[i].function && strcmp(readings[i].function, function) == 0) {
            return true;
        }
    }
    return false;
}

static dt_dimension measure_dimension(measure what, bool rotational)
{
    switch (what) {
    case MEASURE_POSITION:
        return rotational ? dt_dimension_none : dt_dimension_length;
    case MEASURE_VELOCITY:
        return rotational ? dt_dimension_angular_velocity : dt_dimension_velocity;
    case MEASURE_ACCELERATION:
        return rotational ? dt_dimension_angular_acceleration : dt_dimension_acceleration;
    case MEASURE_EFFORT:
        return rotational ? dt_dimension_torque : dt_dimension_force;
    case MEASURE_FORCE:
        return dt_dimension_force;
    case MEASURE_TORQUE:
        return dt_dimension_torque;
    case MEASURE_LENGTH:
        return dt_dimension_length;
    default:
        return dt_dimension_none;
    }
}

/* The primitive of that name; for a reaction also a joint of several primitives, which stands for its last. */
static int find_primitive(const detent_mechanism *m, const char *item, subject wanted)
{
    int primitive = dt_find_primitive(m, item);
    if (primitive < 0 && wanted == SUBJECT_ANY) {
        int joint = dt_name_map_get(&m->joint_names, item);
        primitive = joint < 0
                        ? -1
                        : m->joints[joint].first_primitive + m->joints[joint].primitive_count - 1;
    }
    return primitive;
}

enum { PHANTOM = -2 };

/* For an item that does not exist. */
static dt_symbol phantom(const scope_frame *f, dt_variable_kind kind, const char *item)
{
    bool in_chain = f->law->origin && f->law->origin->index_name;
    return in_chain && !f->strict && strchr(item, '[')
               ? variable(kind, PHANTOM, dt_dimension_unknown)
               : unknown;
}

static bool has_phantom(const dt_program *program)
{
    for (int k = 0; k < program->variable_count; k++) {
        if (program->variables[k].index == PHANTOM) {
            return true;
        }
    }
    return false;
}

/* A reading of a joint that names a body. */
static dt_symbol refuse_body(scope_frame *f, const char *function, int body)
{
    const detent_mechanism *m = f->m;
    const char *name = m->bodies[body].name, *joint = "";
    for (int j = 0; j < m->joint_count; j++) {
        joint = m->joints[j].follower == body
                    ? m->primitives[m->joints[j].first_primitive + m->joints[j].primitive_count - 1]
                          .name
                    : joint;
    }
    return refuse(f, function, "%s(%s): '%s' is a body, and this is read of joints: %s(%s)%s%s%s",
                  function, name, name, function, joint,
                  strcmp(function, "position") == 0 ? "; of a body there are position(" : "",
                  strcmp(function, "position") == 0 ? name : "",
                  strcmp(function, "position") == 0 ? ", x), y and z, in outputs" : "");
}

static dt_symbol primitive_symbol(scope_frame *f, const reading_row *r, const char *item)
{
    const detent_mechanism *m = f->m;
    int index = find_primitive(m, item, r->subject);
    if (index < 0) {
        int joint = dt_name_map_get(&m->joint_names, item);
        int body = dt_name_map_get(&m->body_names, item);
        if (joint < 0 && body >= 0) {
            return refuse_body(f, r->function, body);
        }
        return joint < 0 ? phantom(f, r->kind, item)
                         : refuse(f, r->function,
                                  "%s(%s): the joint has several primitives; name one, such as %s",
                                  r->function, item,
                                  m->primitives[m->joints[joint].first_primitive].name);
    }
    const dt_primitive_type *type = m->tree.nodes[index].type;
    if (r->subject != SUBJECT_ANY && type->nv != 1) {
        return refuse(f, r->function, "%s(%s): a %s primitive has no single %s", r->function, item,
                      type->name, r->function);
    }
    if (r->subject == SUBJECT_STICTION && m->primitives[index].stiction < 0) {
        return refuse(f, r->function, "%s(%s): '%s' has no stiction", r->function, item, item);
    }
    return variable(r->kind, index, measure_dimension(r->measure, type->rotational));
}

/* The massless rod of that name, or -1. */
static int find_rod(detent_mechanism *m, const char *item)
{
    const int number = m->rods ? DT_ITEM_KINDS + (int)(m->rods - m->added) : -1;
    return number < 0 ? -1 : dt_name_map_get(dt_names_of(m, number), item);
}

/* What a coupling does along its first joint. */
static dt_symbol coupling_symbol(scope_frame *f, const reading_row *r, const char *item)
{
    const detent_mechanism *m = f->m;
    const int coupling = dt_name_map_get(dt_names_of(f->m, DT_ITEM_coupling), item);
    if (coupling < 0) {
        const dt_symbol none = phantom(f, r->kind, item);
        return none.kind != DT_SYMBOL_UNKNOWN
                   ? none
                   : refuse(f, r->function, "%s(%s): there is no coupling '%s'", r->function, item,
                            item);
    }
    const int joint = dt_find_primitive(m, dt_coupling(m, coupling)->primitive[0]);
    if (dt_is_elastic(dt_coupling(m, coupling))) {
        return refuse(f, r->function,
                      "%s(%s): the coupling is elastic; what it does is in the force along its "
                      "joints",
                      r->function, item);
    }
    return variable(
        r->kind, dt_transmission_of(m, coupling),
        measure_dimension(r->measure, joint >= 0 && m->tree.nodes[joint].type->rotational));
}

static dt_symbol resolve_reading(void *context, const char *function, const char *item,
                                 const char *component)
{
    scope_frame *f = context;
    dt_use use = f->law->use;
    if (strlen(function) == 1 && strchr("xyz", *function)) {
        return refuse(f, function, "a coordinate of a body is read as position(%s, %s)", item,
                      function);
    }
    if (!is_function(function)) {
        return unknown;
    }
    if (use < DT_USE_FORCE) {
        return refuse(f, function, "%s() cannot be used in %s", function, use_text(use));
    }
    const reading_row *r = find_reading(function, component);
    if (!r) {
        return refuse(f, function,
                      "%s(%s, %s): there is no such component; position of a body has some, "
                      "reaction_force and reaction_torque of a joint",
                      function, item, component);
    }
    if (r->outputs_only && use < DT_USE_OUTPUT) {
        return refuse(f, r->function, "%s(%s%s%s) can be used only in outputs: %s", function, item,
                      *component ? ", " : "", component,
                      r->subject == SUBJECT_BODY  ? "a law reads the coordinates of joints"
                      : r->subject == SUBJECT_ROD ? "laws do not read what massless rods carry"
                      : r->subject == SUBJECT_COUPLING
                          ? "laws read the force along a joint that it couples"
                          : "a law that depends on modes could contradict them");
    }
    if (r->subject == SUBJECT_STATE) {
        const int state = dt_name_map_get(&f->m->state_names, item);
        return state < 0 ? phantom(f, r->kind, item) : state_symbol(f, state);
    }
    if (r->subject == SUBJECT_COUPLING) {
        return coupling_symbol(f, r, item);
    }
    if (r->subject == SUBJECT_ROD) {
        const int rod = find_rod(f->m, item);
        const dt_symbol none = rod < 0 ? phantom(f, r->kind, item) : unknown;
        return rod >= 0 ? variable(r->kind, rod, measure_dimension(r->measure, false))
               : none.kind != DT_SYMBOL_UNKNOWN
                   ? none
                   : refuse(f, function, "%s(%s): there is no distance '%s'", function, item, item);
    }
    if (r->subject != SUBJECT_BODY) {
        return primitive_symbol(f, r, item);
    }
    int body = dt_name_map_get(&f->m->body_names, item);
    if (body >= 0) {
        return variable(r->kind, body, measure_dimension(r->measure, false));
    }
    return dt_name_map_get(&f->m->joint_names, item) < 0
               ? phantom(f, r->kind, item)
               : refuse(f, function, "position(%s, %s): only the position of a body has components",
                        item, component);
}

static const char *nearest_global(const scope_frame *f, const char *identifier)
{
    dt_builder *b = f->m->builder;
    const char *index_name = f->law->origin ? f->law->origin->index_name : NULL;
    const size_t count = (size_t)b->globals.count + (size_t)DT_RECORDS(b, state).count + 2;
    const char **names = dt_arena_alloc(&b->arena, count, sizeof *names), **next = names;
    if (!names) {
        return NULL;
    }
    for (int i = 0; i < b->globals.count; i++) {
        *next++ = DT_AT(b->globals, dt_global, i)->name;
    }
    for (int i = 0; i < DT_RECORDS(b, state).count; i++) {
        *next++ = DT_AT(DT_RECORDS(b, state), dt_state_record, i)->def.name;
    }
    *next++ = index_name;
    *next = f->law->use == DT_USE_FRICTION ? "dir" : NULL;
    return dt_nearest(identifier, names, count);
}

static const char *nearest_item(const scope_frame *f, const char *function, const char *item)
{
    const detent_mechanism *m = f->m;
    const reading_row *r = find_reading(function, "");
    if (r && r->subject == SUBJECT_STATE) {
        return dt_nearest_record(m->builder, &DT_RECORDS(m->builder, state),
                                 sizeof(dt_state_record), item, NULL);
    }
    size_t primitives = (size_t)m->primitive_count, count = primitives + (size_t)m->body_count;
    const char **names = dt_arena_alloc(&m->builder->arena, count, sizeof *names);
    if (!names) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        names[i] = i < primitives ? m->primitives[i].name : m->bodies[i - primitives].name;
    }
    return dt_nearest_item(item, names, count);
}

static const char *suggest(void *context, const char *function, const char *identifier)
{
    const scope_frame *f = context;
    if (!*function) {
        return nearest_global(f, identifier);
    }
    return is_function(function) ? nearest_item(f, function, identifier) : NULL;
}

/* The reason for a refusal takes the place of "there is no such name". */
static void explain(const scope_frame *f, detent_status status, detent_error *error)
{
    if (status == DETENT_ERROR_MODEL && error && f->refused[0] &&
        strstr(error->message, f->refused)) {
        snprintf(error->message, sizeof error->message, "%s", f->reason);
    }
}

detent_status dt_scope_parse(detent_mechanism *m, dt_arena *arena, const dt_law_record *law,
                             dt_program **program, bool *used_index, detent_error *error)
{
    double value;
    if (dt_parse_number(law->text, strlen(law->text), &value)) { /* most texts are just a number */
        *program = dt_program_constant(arena, value);
        return *program ? DETENT_OK : dt_out_of_memory(error);
    }
    scope_frame f = {.m = m, .law = law};
    const dt_scope scope = {&f, resolve_name, resolve_reading, suggest};
    detent_status status = dt_program_parse(arena, law->text, &law->where, &scope,
                                            m->builder->units, law->expected, program, error);
    if (!status && has_phantom(*program)) { /* again, for the error and its place */
        f.strict = true;
        status = dt_program_parse(arena, law->text, &law->where, &scope, m->builder->units,
                                  law->expected, program, error);
    }
    explain(&f, status, error);
    *used_index = f.used_index;
    return status;
}

detent_status dt_parse_laws(detent_mechanism *m, dt_arena *arena, const dt_law_record *law,
                            const dt_text *texts, size_t count, dt_program *programs,
                            detent_error *error)
{
    scope_frame f = {.m = m, .law = law};
    const dt_scope scope = {&f, resolve_name, resolve_reading, suggest};
    detent_status status =
        dt_program_parse_together(arena, texts, count, &scope, m->builder->units, programs, error);
    const dt_program *longest = programs;
    for (size_t i = 0; i < count; i++) {
        longest = programs[i].operation_count > longest->operation_count ? &programs[i] : longest;
    }
    if (!status && count > 0 && has_phantom(longest)) { /* again, for the error and its place */
        f.strict = true;
        status = dt_program_parse_together(arena, texts, count, &scope, m->builder->units, programs,
                                           error);
    }
    explain(&f, status, error);
    return status;
}
