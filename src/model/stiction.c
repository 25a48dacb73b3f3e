/* Stiction: which primitives have one, and its laws. */

#include "model/record.h"

#include <stdio.h>
#include <string.h>

static detent_status refuse(const dt_builder *b, const dt_stiction_record *record, const char *key,
                            detent_error *error, const char *reason)
{
    dt_location where = dt_locate(b, &record->origin, NULL, key, -1);
    return dt_fail(error, DETENT_ERROR_MODEL, &where, "stiction '%s': %s", record->def.primitive,
                   reason);
}

static detent_status fail_primitive(detent_mechanism *m, const dt_stiction_record *record,
                                    detent_error *error)
{
    dt_builder *b = m->builder;
    const char *name = record->def.primitive;
    dt_location where = dt_locate(b, &record->origin, NULL, NULL, -1);
    int joint = dt_name_map_get(&m->joint_names, name);
    if (joint >= 0) {
        int first = m->joints[joint].first_primitive, count = m->joints[joint].primitive_count;
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "stiction '%s': the joint has %d primitives, %s to %s; name one of them",
                       name, count, m->primitives[first].name,
                       m->primitives[first + count - 1].name);
    }
    const dt_list primitives = {(void *)(size_t)m->primitives, m->primitive_count, 0};
    const char *nearest = dt_nearest_record(b, &primitives, sizeof(dt_primitive),
                                            offsetof(dt_primitive, name), name, NULL);
    return dt_fail_unknown("joint", name, nearest, &where, error);
}

static detent_status check_place(const detent_mechanism *m, const dt_stiction_record *record,
                                 int primitive, detent_error *error)
{
    const dt_builder *b = m->builder;
    const dt_primitive *p = &m->primitives[primitive];
    const dt_joint_record *joint = DT_AT(DT_RECORDS(b, joint), dt_joint_record, p->joint);
    int k = primitive - m->joints[p->joint].first_primitive;
    const dt_primitive_record *row =
        DT_AT(DT_RECORDS(b, primitive), dt_primitive_record, joint->first_primitive + k);
    if (row->type->no_stiction) {
        return refuse(b, record, NULL, error, row->type->no_stiction);
    }
    if (!joint->type->takes_stiction) {
        return refuse(b, record, NULL, error, "a free joint can have no stiction; six-dof can");
    }
    if (dt_motion_text(&row->def)) {
        return refuse(b, record, NULL, error,
                      "the primitive has a motion; it can have a motion or stiction");
    }
    if (row->def.force && !row->keeps_force) {
        return refuse(
            b, record, NULL, error,
            "the primitive has a force; with stiction the force is given as its 'external'");
    }
    return DETENT_OK;
}

detent_status dt_mark_stictions(detent_mechanism *m, detent_error *error)
{
    dt_builder *b = m->builder;
    for (int i = 0; i < DT_RECORDS(b, stiction).count; i++) {
        const dt_stiction_record *record = DT_AT(DT_RECORDS(b, stiction), dt_stiction_record, i);
        int primitive = dt_find_primitive(m, record->def.primitive);
        detent_status status = primitive < 0 ? fail_primitive(m, record, error)
                                             : check_place(m, record, primitive, error);
        if (status) {
            return status;
        }
        m->builder->primitives[primitive].stiction = i;
    }
    return DETENT_OK;
}

/* Held against a tolerance that somebody gave; one that follows from the mechanism fits the threshold. */
static detent_status check_threshold(detent_mechanism *m, const dt_stiction_record *record,
                                     detent_error *error)
{
    double threshold = record->def.velocity_threshold, atol = m->settings.atol;
    dt_location where = dt_locate(m->builder, &record->origin, NULL, "velocity_threshold", -1);
    detent_status status =
        dt_check_finite(&threshold, 1, record->def.primitive, "velocity_threshold", &where, error);
    if (status) {
        return status;
    }
    if (threshold < 0.0) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "stiction '%s': the velocity threshold must be positive",
                       record->def.primitive);
    }
    if (threshold == 0.0) {
        return record->def.locking == DETENT_LOCKING_CROSSING
                   ? DETENT_OK
                   : refuse(
                         m->builder, record, "locking", error,
                         "locking in a band needs a 'velocity_threshold': the width of the band");
    }
    if (threshold <= atol) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "stiction '%s': the velocity threshold (%g) must exceed the absolute "
                       "tolerance of its joint "
                       "(%g)",
                       record->def.primitive, threshold, atol);
    }
    if (threshold < 10.0 * atol) {
        return dt_warn(m, &where, error,
                       "stiction '%s': the velocity threshold (%g) is below ten times the absolute "
                       "tolerance (%g)",
                       record->def.primitive, threshold, atol);
    }
    return DETENT_OK;
}

/* What is given must be complete and not contradict itself. */
static detent_status check_choice(const dt_builder *b, const dt_stiction_record *record,
                                  detent_error *error)
{
    const detent_stiction_def *def = &record->def;
    if (!def->kinetic) {
        return refuse(b, record, NULL, error,
                      "needs 'kinetic', the magnitude of its kinetic friction");
    }
    if (def->static_limit && (def->forward || def->reverse)) {
        return refuse(b, record, def->forward ? "forward" : "reverse", error,
                      "gives the limits either by 'static' or by 'forward' and 'reverse'");
    }
    if (!def->static_limit && !def->forward != !def->reverse) {
        return refuse(b, record, def->forward ? "forward" : "reverse", error,
                      "needs both 'forward' and 'reverse'");
    }
    if (!def->static_limit && !def->forward) {
        return refuse(b, record, NULL, error,
                      "needs its limits: 'static', or 'forward' and 'reverse'");
    }
    if (def->locking != DETENT_LOCKING_CROSSING && def->locking != DETENT_LOCKING_BAND) {
        return refuse(b, record, "locking", error, "locking is 'crossing' or 'band'");
    }
    return DETENT_OK;
}

/* A law that is a constant can be told to be wrong. `sign`: that it must have; 0 may be zero too for a magnitude. */
static detent_status check_sign(const dt_builder *b, const dt_stiction_record *record,
                                const char *key, const dt_program *program, int sign,
                                detent_error *error)
{
    if (!program || !program->is_constant) {
        return DETENT_OK;
    }
    if (!(program->constant - program->constant == 0.0)) {
        return refuse(b, record, key, error, "is not a finite number");
    }
    if (sign < 0 && program->constant >= 0.0) {
        return refuse(b, record, key, error,
                      "the forward limit must be negative: it holds against forward motion");
    }
    if (sign > 0 && program->constant <= 0.0) {
        return refuse(b, record, key, error,
                      "the reverse limit must be positive: it holds against reverse motion");
    }
    if (sign == 0 && program->constant < 0.0) {
        return refuse(b, record, key, error, "a magnitude cannot be negative");
    }
    return DETENT_OK;
}

static detent_status compile_law(detent_mechanism *m, const dt_stiction_record *record,
                                 const char *key, const char *text, dt_use use, int primitive,
                                 const dt_program **out, detent_error *error)
{
    const dt_primitive_type *type = m->tree.nodes[primitive].type;
    dt_program *program = NULL;
    if (!text) {
        return DETENT_OK;
    }
    const dt_law_record law = {
        .text = text,
        .use = use,
        .primitive = primitive,
        .is_limit = strcmp(key, "static") == 0 || strcmp(key, "forward") == 0 ||
                    strcmp(key, "reverse") == 0,
        .expected = type->rotational ? &dt_dimension_torque : &dt_dimension_force,
        .where = dt_locate(m->builder, &record->origin, NULL, key, -1),
        .origin = &record->origin};
    detent_status status = dt_parse_law(m, &m->arena, &law, &program, error);
    *out = program;
    return status;
}

/* Friction of its bearing and of meshes, added to what the joint has by itself, in which nothing is wrong any more. */
static detent_status add_others(detent_mechanism *m, const dt_stiction_record *record,
                                int primitive, dt_friction *friction, detent_error *error)
{
    detent_stiction_def with = record->def;
    bool bears = false, any = false;
    detent_status status = dt_bearing_add(m, primitive, &with, &bears, error);
    status = status ? status : dt_mesh_add(m, primitive, &record->origin, &with, &any, error);
    const dt_program *const own[] = {friction->kinetic, friction->magnitude, friction->forward,
                                     friction->reverse};
    friction->rubs = any;
    for (size_t l = 0; l < sizeof own / sizeof *own; l++) {
        friction->reads_force = friction->reads_force || dt_program_reads(own[l], DT_OF_EFFORT);
    }
    const struct {
        const char *key, *text;
        const dt_program **program;
    } laws[] = {{"kinetic", with.kinetic, &friction->kinetic},
                {"static", with.static_limit, &friction->magnitude},
                {"forward", with.forward, &friction->forward},
                {"reverse", with.reverse, &friction->reverse}};
    for (size_t l = 0; l < sizeof laws / sizeof *laws && (any || bears) && !status; l++) {
        *laws[l].program = NULL;
        status = compile_law(m, record, laws[l].key, laws[l].text, DT_USE_FRICTION, primitive,
                             laws[l].program, error);
    }
    return status;
}

static detent_status compile_laws(detent_mechanism *m, const dt_stiction_record *record,
                                  int primitive, dt_friction *friction, dt_primitive *p,
                                  detent_error *error)
{
    const detent_stiction_def *def = &record->def;
    const char *test = def->test && strcmp(def->test, "computed") != 0 ? def->test : NULL;
    const struct {
        const char *key, *text;
        dt_use use;
        int sign;
        const dt_program **program;
    } laws[] = {
        {"kinetic", def->kinetic, DT_USE_FRICTION, 0, &friction->kinetic},
        {"static", def->static_limit, DT_USE_FRICTION, 0, &friction->magnitude},
        {"forward", def->forward, DT_USE_FRICTION, -1, &friction->forward},
        {"reverse", def->reverse, DT_USE_FRICTION, 1, &friction->reverse},
        {"test", test, DT_USE_FRICTION, 2, &friction->test},
        {"external", def->external, DT_USE_FORCE, 2, &p->force},
    };
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        detent_status status = compile_law(m, record, laws[i].key, laws[i].text, laws[i].use,
                                           primitive, laws[i].program, error);
        if (!status && laws[i].sign < 2) {
            status =
                check_sign(m->builder, record, laws[i].key, *laws[i].program, laws[i].sign, error);
        }
        if (status) {
            return status;
        }
    }
    return add_others(m, record, primitive, friction, error);
}

/* Of itself, that a limit may be lower than the kinetic friction and counts as equal: numbers are rounded. The search
 * forgives as much. */
static const double forgiven = 1e-9;

static detent_status warn_order(detent_mechanism *m, const dt_stiction_record *record,
                                const dt_friction *friction, detent_error *error)
{
    const struct {
        const char *key;
        const dt_program *limit;
    } limits[] = {{"static", friction->magnitude},
                  {"forward", friction->forward},
                  {"reverse", friction->reverse}};
    if (!friction->kinetic->is_constant) {
        return DETENT_OK;
    }
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const dt_program *limit = limits[i].limit;
        double size = !limit ? 0.0 : limit->constant < 0.0 ? -limit->constant : limit->constant;
        if (limit && limit->is_constant && size * (1 + forgiven) < friction->kinetic->constant) {
            dt_location where = dt_locate(m->builder, &record->origin, NULL, limits[i].key, -1);
            return dt_warn(
                m, &where, error,
                "stiction '%s': the static limit (%.9g) is below the kinetic friction (%.9g)",
                record->def.primitive, size, friction->kinetic->constant);
        }
    }
    return DETENT_OK;
}

/* In memory that lasts: `last`, of the stiction before, where it is the same. NULL when memory is out. */
static const dt_friction *keep_friction(detent_mechanism *m, const dt_friction *last,
                                        const dt_friction *friction)
{
    if (last && memcmp(last, friction, sizeof *last) == 0) {
        return last;
    }
    dt_friction *kept = dt_arena_one(&m->arena, sizeof *kept);
    if (kept) {
        memcpy(kept, friction, sizeof *kept);
    }
    return kept;
}

detent_status dt_compile_stictions(detent_mechanism *m, detent_error *error)
{
    dt_builder *b = m->builder;
    dt_stiction *stictions =
        dt_arena_alloc(&m->arena, (size_t)m->stiction_count, sizeof *stictions);
    if (!stictions) {
        return dt_out_of_memory(error);
    }
    m->stictions = stictions;
    const dt_friction *last = NULL;
    for (int i = 0; i < m->stiction_count; i++) {
        const dt_stiction_record *record = DT_AT(DT_RECORDS(b, stiction), dt_stiction_record, i);
        dt_stiction *stiction = &stictions[i];
        stiction->rest = -1;
        dt_friction friction;
        memset(&friction, 0,
               sizeof friction); /* what is between its members, too: it is compared */
        stiction->primitive = dt_find_primitive(m, record->def.primitive);
        friction.velocity_threshold = record->def.velocity_threshold;
        friction.locking = record->def.locking;
        friction.bearing = record->def.bearing;
        m->bearing_count += friction.bearing != NULL;
        detent_status status =
            dt_bearing_check(m, record, m->tree.nodes[stiction->primitive].type->rotational, error);
        if (!status) {
            status = check_choice(b, record, error);
        }
        if (!status) {
            status = check_threshold(m, record, error);
        }
        if (!status) {
            status = compile_laws(m, record, stiction->primitive, &friction,
                                  &m->builder->primitives[stiction->primitive], error);
        }
        if (!status) {
            status = warn_order(m, record, &friction, error);
        }
        if (status) {
            return status;
        }
        stiction->friction = last = keep_friction(m, last, &friction);
        if (!last) {
            return dt_out_of_memory(error);
        }
    }
    return DETENT_OK;
}

/* ---- the row of the table ---- */

static const char *const locking_words[] = {"crossing", "band", NULL};

/* Of a threshold in any unit: of which one it has to be follows from the joint (format). */
#define FIELD(name) offsetof(detent_stiction_def, name)
static const dt_key keys[] = {
    {"velocity_threshold", DT_VALUE_POSITIVE, false, FIELD(velocity_threshold),
     DT_OF_ITS_JOINT(VELOCITY), NULL},
    {"external", DT_VALUE_EXPRESSION, false, FIELD(external), NULL, NULL},
    {"kinetic", DT_VALUE_EXPRESSION, false, FIELD(kinetic), NULL, NULL},
    {"static", DT_VALUE_EXPRESSION, false, FIELD(static_limit), NULL, NULL},
    {"forward", DT_VALUE_EXPRESSION, false, FIELD(forward), NULL, NULL},
    {"reverse", DT_VALUE_EXPRESSION, false, FIELD(reverse), NULL, NULL},
    {"test", DT_VALUE_EXPRESSION, false, FIELD(test), NULL, NULL},
    {"locking", DT_VALUE_CHOICE, false, FIELD(locking), NULL, locking_words},
    {"bearing", DT_VALUE_INNER, false, FIELD(bearing), NULL, &dt_bearing_inner},
    DT_KEYS_END,
};
#undef FIELD

static const char *name(const detent_mechanism *m, int index)
{
    return m->primitives[m->stictions[index].primitive].name;
}

static const char *unit(const detent_mechanism *m, int index)
{
    return m->tree.nodes[m->stictions[index].primitive].type->rotational ? "N m" : "N";
}

static int find(const detent_mechanism *m, const char *text)
{
    const int primitive = dt_find_primitive(m, text);
    return primitive < 0 ? -1 : m->primitives[primitive].stiction;
}

const dt_item_kind dt_stiction_item = {.what = "stiction",
                                       .plural = "stiction",
                                       .title = "stiction joints",
                                       .named = 1 + DETENT_STICTION,
                                       .is_section = true,
                                       .keys = keys,
                                       .size = sizeof(detent_stiction_def),
                                       .names_joint = true,
                                       .checks_itself = true,
                                       .take = dt_bearing_take,
                                       .counter = offsetof(detent_mechanism, stiction_count),
                                       .name = name,
                                       .unit = unit,
                                       .find = find};
