/* The programs of a mechanism: actuation, motion, gravity, signals; in files of their own: stiction, loads, states, outputs. */

#include "model/record.h"

#include <stdio.h>

/* A prescribed motion says where its primitive starts. */
static detent_status start_motion(detent_mechanism *m, int index, const dt_primitive *primitive,
                                  detent_error *error)
{
    const dt_node *node = &m->tree.nodes[index];
    double jet[3] = {0};
    double *registers = dt_arena_alloc(&m->builder->arena, DT_PROGRAM_REGISTERS(primitive->motion),
                                       sizeof *registers);
    if (!registers) {
        return dt_out_of_memory(error);
    }
    dt_program_time_jet(primitive->motion, m->settings.start, NULL, registers, jet);
    if (primitive->by_speed) {
        m->velocity[node->v] = jet[0];
    } else {
        m->position[node->q] = jet[0];
        m->velocity[node->v] = jet[1];
    }
    return DETENT_OK;
}

static detent_status compile_primitive(detent_mechanism *m, const dt_joint_record *joint, int k,
                                       int index, dt_primitive *primitive, detent_error *error)
{
    const dt_primitive_record *record =
        DT_AT(DT_RECORDS(m->builder, primitive), dt_primitive_record, joint->first_primitive + k);
    const char *suffix = joint->primitive_count > 1 ? record->suffix : NULL;
    for (const dt_primitive_key *key = dt_primitive_keys; key->name; key++) {
        const char *text = dt_primitive_is_text(key)
                               ? *(const char *const *)dt_primitive_field(key, &record->def)
                               : NULL;
        if (!text) {
            continue;
        }
        const dt_law_record law = {
            .text = text,
            .use = key->use,
            .primitive = index,
            .expected = dt_quantity_dimension(key->quantity, record->type->rotational),
            .where = dt_locate(m->builder, &joint->origin, suffix, key->path, -1),
            .origin = &joint->origin};
        dt_program *program = NULL;
        const detent_status status = dt_parse_law(m, &m->arena, &law, &program, error);
        if (status) {
            return status;
        }
        *(const dt_program **)(void *)((char *)primitive + key->member) = program;
    }
    primitive->by_speed = record->def.speed != NULL;
    return primitive->motion ? start_motion(m, index, primitive, error) : DETENT_OK;
}

static detent_status compile_joints(detent_mechanism *m, detent_error *error)
{
    for (int j = 0; j < m->joint_count; j++) {
        const dt_joint_record *joint = DT_AT(DT_RECORDS(m->builder, joint), dt_joint_record, j);
        for (int k = 0; k < joint->primitive_count; k++) {
            int index = m->joints[j].first_primitive + k;
            detent_status status =
                compile_primitive(m, joint, k, index, &m->builder->primitives[index], error);
            if (status) {
                return status;
            }
        }
    }
    return DETENT_OK;
}

static detent_status compile_gravity(detent_mechanism *m, detent_error *error)
{
    dt_builder *b = m->builder;
    for (int k = 0; k < 3; k++) {
        dt_program *program = NULL;
        const dt_law_record law = {.text = b->gravity[k] ? b->gravity[k] : "0",
                                   .use = DT_USE_GRAVITY,
                                   .primitive = -1,
                                   .expected = &dt_dimension_acceleration,
                                   .where = dt_locate(b, &b->gravity_origin, NULL, "", k),
                                   .origin = &b->gravity_origin};
        detent_status status = dt_parse_law(m, &m->arena, &law, &program, error);
        if (status) {
            return status;
        }
        m->gravity[k] = program;
    }
    return DETENT_OK;
}

/* A signal is compiled into the laws that use it; here, each is checked even if none does. */
static detent_status check_signals(detent_mechanism *m, detent_error *error)
{
    dt_builder *b = m->builder;
    size_t count = 0;
    dt_text *names = dt_arena_alloc(&b->arena, (size_t)b->globals.count, sizeof *names);
    if (!names) {
        return dt_out_of_memory(error);
    }
    for (int i = 0; i < b->globals.count; i++) {
        const dt_global *global = DT_AT(b->globals, dt_global, i);
        if (global->kind == DT_GLOBAL_SIGNAL) {
            names[count++] = (dt_text){global->name, dt_locate(b, &global->origin, NULL, NULL, -1)};
        }
    }
    const dt_law_record law = {.use = DT_USE_ANY, .primitive = -1};
    dt_program *programs = dt_arena_alloc(&b->arena, count, sizeof *programs);
    return programs ? dt_parse_laws(m, &b->arena, &law, names, count, programs, error)
                    : dt_out_of_memory(error);
}

/* --- force() of one primitive in the law of another --------------------------------------------------------- */

enum { UNSEEN, OPEN, DONE };

/* Follows the first unfinished force that the actuation of `primitive` reads; -1: none is left. */
static int next_force(const detent_mechanism *m, int primitive, const unsigned char *state,
                      int *cursor)
{
    const dt_program *program = m->primitives[primitive].force;
    for (; program && cursor[primitive] < program->variable_count; cursor[primitive]++) {
        const dt_variable *variable = &program->variables[cursor[primitive]];
        if (dt_variable_is(*variable, DT_OF_EFFORT) && state[variable->index] != DONE) {
            return variable->index;
        }
    }
    return -1;
}

static detent_status fail_force_loop(const detent_mechanism *m, int primitive, int next,
                                     detent_error *error)
{
    const dt_location where = dt_locate_force(m, primitive);
    const dt_primitive *p = &m->primitives[primitive];
    if (next == primitive) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "the force of '%s' reads itself: force(%s)", p->name, p->name);
    }
    return dt_fail(
        error, DETENT_ERROR_MODEL, &where,
        "the force of '%s' reads force(%s), which depends on it in turn: a loop of forces", p->name,
        m->primitives[next].name);
}

/* Depth first along "the force of i reads that of k": a force met while still open closes a loop. */
static detent_status refuse_force_loops(detent_mechanism *m, detent_error *error)
{
    dt_arena *arena = &m->builder->arena;
    size_t count = (size_t)m->primitive_count;
    unsigned char *state = dt_arena_alloc(arena, count, 1);
    int *cursor = dt_arena_alloc(arena, count, sizeof *cursor),
        *stack = dt_arena_alloc(arena, count, sizeof *stack);
    if (!state || !cursor || !stack) {
        return dt_out_of_memory(error);
    }
    for (int root = 0; root < m->primitive_count; root++) {
        int depth = 0;
        if (state[root] == UNSEEN && m->primitives[root].force) {
            state[root] = OPEN;
            stack[depth++] = root;
        }
        while (depth > 0) {
            int top = stack[depth - 1], next = next_force(m, top, state, cursor);
            if (next < 0) {
                state[top] = DONE;
                depth--;
            } else if (state[next] == OPEN) {
                return fail_force_loop(m, top, next, error);
            } else {
                state[next] = OPEN;
                stack[depth++] = next;
            }
        }
    }
    return DETENT_OK;
}

/*
 * What has laws, in the order in which they are compiled. First comes what names in them may mean: which joints have stiction (meshes
 * add some), which states there are. A term that an elastic coupling adds to the actuation needs that compiled; outputs may read all.
 */
static detent_status (*const steps[])(detent_mechanism *, detent_error *) = {
    dt_number_ties,       dt_mark_rubbing,   dt_mark_meshes,     dt_mark_stops,
    dt_mark_stictions,    dt_list_states,    dt_list_sampled,    dt_list_tables,
    dt_list_callbacks,    dt_check_added,    compile_gravity,    compile_joints,
    dt_compile_stictions, dt_compile_stops,  dt_add_elastic,     dt_compile_places,
    dt_compile_states,    dt_compile_points, dt_compile_sampled, check_signals,
    dt_compile_outputs,   dt_keep_views,     refuse_force_loops,
};

detent_status dt_compile_laws(detent_mechanism *m, detent_error *error)
{
    detent_status status = DETENT_OK;
    for (size_t k = 0; k < sizeof steps / sizeof *steps && !status; k++) {
        status = steps[k](m, error);
    }
    return status;
}
