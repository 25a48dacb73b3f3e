/* The programs of a mechanism: actuation, motion, gravity, loads, outputs, signals. Stiction has a file of its own. */

#include "model/record.h"

#include <stdio.h>
#include <string.h>

static const dt_dimension *effort_dimension(const dt_primitive_type *type)
{
    return type->rotational ? &dt_dimension_torque : &dt_dimension_force;
}

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
    m->position[node->q] = jet[0];
    m->velocity[node->v] = jet[1];
    return DETENT_OK;
}

static detent_status compile_primitive(detent_mechanism *m, const dt_joint_record *joint, int k,
                                       int index, dt_primitive *primitive, detent_error *error)
{
    const dt_primitive_record *record =
        DT_AT(m->builder->primitives, dt_primitive_record, joint->first_primitive + k);
    const char *suffix = joint->primitive_count > 1 ? record->suffix : NULL;
    dt_program *program = NULL;
    if (record->force) {
        const dt_law_record law = {record->force,
                                   DT_USE_FORCE,
                                   index,
                                   effort_dimension(record->type),
                                   dt_locate(m->builder, &joint->origin, suffix, "force", -1),
                                   &joint->origin};
        detent_status status = dt_parse_law(m, &m->arena, &law, &program, error);
        if (status) {
            return status;
        }
        primitive->force = program;
    }
    if (record->motion) {
        const dt_law_record law = {record->motion,
                                   DT_USE_MOTION,
                                   index,
                                   record->type->rotational ? &dt_dimension_none
                                                            : &dt_dimension_length,
                                   dt_locate(m->builder, &joint->origin, suffix, "motion", -1),
                                   &joint->origin};
        detent_status status = dt_parse_law(m, &m->arena, &law, &program, error);
        if (status) {
            return status;
        }
        primitive->motion = program;
        return start_motion(m, index, primitive, error);
    }
    return DETENT_OK;
}

static detent_status compile_joints(detent_mechanism *m, dt_primitive *primitives,
                                    detent_error *error)
{
    for (int j = 0; j < m->joint_count; j++) {
        const dt_joint_record *joint = DT_AT(m->builder->joints, dt_joint_record, j);
        for (int k = 0; k < joint->primitive_count; k++) {
            int index = m->joints[j].first_primitive + k;
            detent_status status = compile_primitive(m, joint, k, index, &primitives[index], error);
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
        const dt_law_record law = {b->gravity[k] ? b->gravity[k] : "0",
                                   DT_USE_GRAVITY,
                                   -1,
                                   &dt_dimension_acceleration,
                                   dt_locate(b, &b->gravity_origin, NULL, "", k),
                                   &b->gravity_origin};
        detent_status status = dt_parse_law(m, &m->arena, &law, &program, error);
        if (status) {
            return status;
        }
        m->gravity[k] = program;
    }
    return DETENT_OK;
}

/* Three components; NULL where nothing acts. */
static detent_status compile_vector(detent_mechanism *m, const dt_load_record *record,
                                    const char *key, const char *const texts[3],
                                    const dt_dimension *dimension, const dt_program *programs[3],
                                    detent_error *error)
{
    for (int k = 0; k < 3; k++) {
        dt_program *program = NULL;
        if (!texts[k]) {
            continue;
        }
        const dt_law_record law = {texts[k],
                                   DT_USE_FORCE,
                                   -1,
                                   dimension,
                                   dt_locate(m->builder, &record->origin, NULL, key, k),
                                   &record->origin};
        detent_status status = dt_parse_law(m, &m->arena, &law, &program, error);
        if (status) {
            return status;
        }
        programs[k] = program->is_constant && program->constant == 0.0 ? NULL : program;
    }
    return DETENT_OK;
}

/* The body called `name`; -1: the ground. */
static detent_status find_body(detent_mechanism *m, const char *name, const dt_location *where,
                               int *index, detent_error *error)
{
    dt_builder *b = m->builder;
    *index = dt_name_map_get(&m->body_names, name);
    if (*index >= 0 || strcmp(name, "ground") == 0) {
        return DETENT_OK;
    }
    return dt_fail_unknown("body", name,
                           dt_nearest_record(b, &b->bodies, sizeof(dt_body_record), name, "ground"),
                           where, error);
}

/* A point of a body, or of the ground, as a place where forces act. */
static dt_load place_on_body(const detent_mechanism *m, int index, const double point[3])
{
    dt_load place = {.body = index, .node = -1, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    memcpy(place.point, point, sizeof place.point);
    if (index < 0) {
        return place;
    }
    const dt_body *body = &m->bodies[index];
    place.node = body->node;
    memcpy(place.R, body->pose->R, sizeof place.R);
    for (int r = 0; r < 3; r++) {
        place.point[r] = body->pose->p[r];
        for (int c = 0; c < 3; c++) {
            place.point[r] += body->pose->R[3 * r + c] * point[c];
        }
    }
    return place;
}

static detent_status compile_load(detent_mechanism *m, const dt_load_record *record, dt_load *load,
                                  detent_error *error)
{
    const detent_load_def *def = &record->def;
    const dt_location where = dt_locate(m->builder, &record->origin, NULL, "body", -1);
    int index = -1;
    detent_status status = find_body(m, def->body, &where, &index, error);
    if (status) {
        return status;
    }
    if (index < 0) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "load '%s': a load on the ground moves nothing", def->name);
    }
    *load = place_on_body(m, index, def->point);
    load->name = def->name;
    load->frame = def->frame;
    status =
        compile_vector(m, record, "force", def->force, &dt_dimension_force, load->force, error);
    return status ? status
                  : compile_vector(m, record, "torque", def->torque, &dt_dimension_torque,
                                   load->torque, error);
}

/* Its ends are places behind those of the loads. */
static detent_status compile_spring(detent_mechanism *m, const dt_spring_record *record,
                                    dt_strut *strut, dt_load *ends, detent_error *error)
{
    const detent_spring_def *def = &record->def;
    const dt_location where = dt_locate(m->builder, &record->origin, NULL, "between", -1);
    for (int k = 0; k < 2; k++) {
        int index = -1;
        detent_status status = find_body(m, def->body[k], &where, &index, error);
        if (status) {
            return status;
        }
        ends[k] = place_on_body(m, index, def->point[k]);
        ends[k].name = def->name;
        ends[k].frame = DETENT_FRAME_WORLD;
    }
    if (ends[0].body == ends[1].body) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "spring '%s': both ends are on %s%s%s, so that it moves nothing", def->name,
                       ends[0].body < 0 ? "the ground" : "the body '",
                       ends[0].body < 0 ? "" : def->body[0], ends[0].body < 0 ? "" : "'");
    }
    strut->name = def->name;
    strut->stiffness = def->stiffness;
    strut->rest = def->rest;
    strut->damping = def->damping;
    return DETENT_OK;
}

static detent_status compile_springs(detent_mechanism *m, dt_load *places, detent_error *error)
{
    dt_strut *struts = dt_arena_alloc(&m->arena, (size_t)m->strut_count, sizeof *struts);
    if (!struts) {
        return dt_out_of_memory(error);
    }
    m->struts = struts;
    for (int i = 0; i < m->strut_count; i++) {
        struts[i].end = m->load_count + 2 * i;
        detent_status status = compile_spring(m, DT_AT(m->builder->springs, dt_spring_record, i),
                                              &struts[i], places + struts[i].end, error);
        if (status) {
            return status;
        }
    }
    return DETENT_OK;
}

/* The ends of a weld are places behind those of springs. */
static void place_loops(detent_mechanism *m, dt_load *places)
{
    for (int k = 0; k < m->loop_count; k++) {
        dt_loop *loop = &m->loops[k];
        loop->end = m->load_count + 2 * (m->strut_count + k);
        for (int e = 0; e < 2; e++) {
            dt_load *place = &places[loop->end + e];
            *place = (dt_load){.name = m->joints[loop->joint].name,
                               .body = loop->body,
                               .node = loop->node[e],
                               .frame = DETENT_FRAME_WORLD};
            memcpy(place->R, loop->pose[e]->R, sizeof place->R);
            memcpy(place->point, loop->pose[e]->p, sizeof place->point);
        }
    }
}

static detent_status compile_loads(detent_mechanism *m, detent_error *error)
{
    m->place_count = m->load_count + 2 * (m->strut_count + m->loop_count);
    dt_load *loads = dt_arena_alloc(&m->arena, (size_t)m->place_count, sizeof *loads);
    if (!loads) {
        return dt_out_of_memory(error);
    }
    m->loads = loads;
    place_loops(m, loads);
    for (int i = 0; i < m->load_count; i++) {
        detent_status status =
            compile_load(m, DT_AT(m->builder->loads, dt_load_record, i), &loads[i], error);
        if (status) {
            return status;
        }
    }
    return compile_springs(m, loads, error);
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
        if (variable->kind == DT_VARIABLE_FORCE && state[variable->index] != DONE) {
            return variable->index;
        }
    }
    return -1;
}

dt_location dt_locate_force(const detent_mechanism *m, int primitive)
{
    const dt_primitive *p = &m->primitives[primitive];
    const dt_builder *b = m->builder;
    if (p->stiction >= 0) {
        return dt_locate(b, &DT_AT(b->stictions, dt_stiction_record, p->stiction)->origin, NULL,
                         "external", -1);
    }
    const dt_joint_record *joint = DT_AT(b->joints, dt_joint_record, p->joint);
    const int k = primitive - m->joints[p->joint].first_primitive;
    const char *suffix =
        DT_AT(b->primitives, dt_primitive_record, joint->first_primitive + k)->suffix;
    return dt_locate(b, &joint->origin, joint->primitive_count > 1 ? suffix : NULL, "force", -1);
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

detent_status dt_compile_laws(detent_mechanism *m, dt_primitive *primitives, detent_error *error)
{
    detent_status status = dt_mark_stictions(m, primitives, error);
    if (!status) {
        status = dt_list_states(m, error);
    }
    if (!status) {
        status = compile_gravity(m, error);
    }
    if (!status) {
        status = compile_joints(m, primitives, error);
    }
    if (!status) {
        status = dt_compile_stictions(m, primitives, error);
    }
    if (!status) {
        status = compile_loads(m, error);
    }
    if (!status) {
        status = dt_compile_states(m, error);
    }
    if (!status) {
        status = check_signals(m, error);
    }
    if (!status) {
        status = dt_compile_outputs(m, error);
    }
    return status ? status : refuse_force_loops(m, error);
}
