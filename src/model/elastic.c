/* Couplings that are elastic. What a rigid one holds at zero,
 *
 *   e = sum c_j q_j - offset        0 at the initial positions
 *
 * is driven back by T = k e + d e' here; with a backlash b where |e| > b / 2 alone, from there on, and never as a pull that
 * would keep teeth together. Along joint j it does -c_j T. It is written as an expression and joins the actuation of the joint, so that
 * its borders are events; its work is that of actuation. */
#include "model/record.h"

#include <string.h>

bool dt_is_elastic(const detent_coupling_def *def)
{
    return def->stiffness != 0;
}

static const detent_coupling_def *definition(const detent_mechanism *m, int coupling)
{
    return &DT_AT(DT_RECORDS(m->builder, coupling), dt_coupling_record, coupling)->def;
}

detent_status dt_elastic_check(const dt_builder *b, const dt_coupling_record *record,
                               detent_error *error)
{
    static const char *const keys[] = {"stiffness", "damping", "backlash"};
    const detent_coupling_def *def = &record->def;
    const double values[] = {def->stiffness, def->damping, def->backlash};
    for (int k = 0; k < 3; k++) {
        const dt_location where = dt_locate(b, &record->origin, NULL, keys[k], -1);
        const detent_status status =
            dt_check_finite(&values[k], 1, def->name, keys[k], &where, error);
        if (status) {
            return status;
        }
        if (values[k] < 0 || (values[k] > 0 && !dt_is_elastic(def))) {
            return dt_fail(error, DETENT_ERROR_MODEL, &where, "coupling '%s': %s", def->name,
                           values[k] < 0 ? "stiffness, damping and backlash are not negative"
                                         : "damping and backlash are those of an elastic coupling, "
                                           "which has a 'stiffness'");
        }
    }
    if (dt_is_elastic(def) && dt_mesh_rubs(def)) {
        const dt_location where = dt_locate(b, &record->origin, NULL, "friction", -1);
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "coupling '%s': friction of the mesh of an elastic coupling is not "
                       "supported yet",
                       def->name);
    }
    return DETENT_OK;
}

/* The sum of factor times what is read of each joint. */
static const char *sum_of(dt_arena *arena, const detent_coupling_def *def, const char *reading)
{
    const char *text = "";
    for (size_t k = 0; k < def->count && text; k++) {
        text = dt_arena_printf(arena, "%s%s(%.17g)*%s(%s)", text, k ? " + " : "", def->factor[k],
                               reading, def->primitive[k]);
    }
    return text;
}

/* e at the initial positions; motions have been started. */
static double offset_of(const detent_mechanism *m, const detent_coupling_def *def)
{
    double sum = 0;
    for (size_t k = 0; k < def->count; k++) {
        sum +=
            def->factor[k] * m->position[m->tree.nodes[dt_find_primitive(m, def->primitive[k])].q];
    }
    return sum;
}

/* T beyond the backlash, with half of it on either side. */
static const char *force_with_backlash(dt_arena *arena, const detent_coupling_def *def,
                                       const char *e, const char *rate)
{
    const double k = def->stiffness, half = 0.5 * def->backlash;
    return def->damping > 0
               ? dt_arena_printf(arena,
                                 "if(%s > %.17g, max(0, %.17g*(%s - %.17g)%s), if(%s < -%.17g, "
                                 "min(0, %.17g*(%s + %.17g)%s), 0))",
                                 e, half, k, e, half, rate, e, half, k, e, half, rate)
               : dt_arena_printf(arena, "(%.17g*(max(%s - %.17g, 0) + min(%s + %.17g, 0)))", k, e,
                                 half, e, half);
}

/* T. */
static const char *force_of(const detent_mechanism *m, const detent_coupling_def *def)
{
    dt_arena *arena = &m->builder->arena;
    const char *places = sum_of(arena, def, "position"), *rates = sum_of(arena, def, "velocity");
    const char *e =
        places ? dt_arena_printf(arena, "(%s - (%.17g))", places, offset_of(m, def)) : NULL;
    const char *rate = def->damping == 0 ? ""
                       : rates ? dt_arena_printf(arena, " + %.17g*(%s)", def->damping, rates)
                               : NULL;
    return !e || !rate          ? NULL
           : def->backlash == 0 ? dt_arena_printf(arena, "(%.17g*%s%s)", def->stiffness, e, rate)
                                : force_with_backlash(arena, def, e, rate);
}

/* Which of them act along a primitive: entries DT_TRANSMITTED * coupling + place. */
typedef struct dt_elastic_net {
    int *first; /* primitive_count; -1: none */
    int *next;  /* of each entry; -1: it is the last */
} net;

/* NULL when memory is out. */
static const net *make_net(detent_mechanism *m)
{
    dt_builder *b = m->builder;
    const int entries = DT_RECORDS(b, coupling).count * DT_TRANSMITTED;
    net *of = dt_arena_one(&b->arena, sizeof *of);
    int *first = dt_arena_alloc(&b->arena, (size_t)m->primitive_count, sizeof *first),
        *next = dt_arena_alloc(&b->arena, (size_t)entries, sizeof *next);
    if (!of || !first || !next) {
        return NULL;
    }
    for (int i = 0; i < m->primitive_count; i++) {
        first[i] = -1;
    }
    for (int e = entries - 1; e >= 0; e--) {
        const detent_coupling_def *def = definition(m, e / DT_TRANSMITTED);
        const int place = e % DT_TRANSMITTED;
        const int i = dt_is_elastic(def) && place < (int)def->count
                          ? dt_find_primitive(m, def->primitive[place])
                          : -1;
        if (i >= 0) {
            next[e] = first[i];
            first[i] = e;
        }
    }
    *of = (net){first, next};
    return of;
}

const char *dt_elastic_push(detent_mechanism *m, int primitive)
{
    dt_arena *arena = &m->builder->arena;
    const char *text = "";
    m->builder->elastic = m->builder->elastic ? m->builder->elastic : make_net(m);
    const net *of = m->builder->elastic;
    if (!of) {
        return NULL;
    }
    for (int e = of->first[primitive]; e >= 0 && text; e = of->next[e]) {
        const detent_coupling_def *def = definition(m, e / DT_TRANSMITTED);
        const char *force = force_of(m, def);
        text = force ? dt_arena_printf(arena, "%s - (%.17g)*%s", text,
                                       def->factor[e % DT_TRANSMITTED], force)
                     : NULL;
    }
    return text;
}

/* ---- the actuation of joints ---- */

/* Where a primitive's actuation is given, and its text, which may be NULL. */
static const char *actuation(const detent_mechanism *m, int i, const dt_origin **origin)
{
    const dt_builder *b = m->builder;
    const int k = m->primitives[i].stiction, j = m->primitives[i].joint;
    const dt_joint_record *joint = DT_AT(DT_RECORDS(b, joint), dt_joint_record, j);
    if (k >= 0) {
        const dt_stiction_record *own = DT_AT(DT_RECORDS(b, stiction), dt_stiction_record, k);
        *origin = &own->origin;
        return own->def.external;
    }
    *origin = &joint->origin;
    return DT_AT(DT_RECORDS(b, primitive), dt_primitive_record,
                 joint->first_primitive + i - m->joints[j].first_primitive)
        ->def.force;
}

static detent_status add_to(detent_mechanism *m, int i, dt_primitive *p, detent_error *error)
{
    const dt_origin *origin;
    const char *own = actuation(m, i, &origin), *push = dt_elastic_push(m, i);
    const char *text =
        push ? dt_arena_printf(&m->builder->arena, "(%s)%s", own ? own : "0", push) : NULL;
    dt_program *program = NULL;
    if (!text) {
        return dt_out_of_memory(error);
    }
    const dt_law_record law = {text,
                               DT_USE_FORCE,
                               i,
                               m->tree.nodes[i].type->rotational ? &dt_dimension_torque
                                                                 : &dt_dimension_force,
                               dt_locate_force(m, i),
                               origin};
    const detent_status status = dt_parse_law(m, &m->arena, &law, &program, error);
    p->force = status ? p->force : program;
    return status;
}

/* A joint of an elastic coupling, which must be there and have one freedom. */
static detent_status check_joint(const detent_mechanism *m, const dt_coupling_record *record,
                                 size_t k, int *i, detent_error *error)
{
    dt_builder *b = m->builder;
    const char *name = record->def.primitive[k];
    const dt_location where = dt_locate(b, &record->origin, NULL, "joints", (int)k);
    *i = dt_find_primitive(m, name);
    if (*i < 0) {
        return dt_fail_unknown(
            "joint", name,
            dt_nearest_record(b, &DT_RECORDS(b, joint), sizeof(dt_joint_record), name, NULL),
            &where, error);
    }
    if (m->tree.nodes[*i].type->nv != 1) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "coupling '%s': only revolute and prismatic joints can be coupled",
                       record->def.name);
    }
    const int own = m->primitives[*i].stiction;
    if (own >= 0 &&
        DT_AT(DT_RECORDS(b, stiction), dt_stiction_record, own)->def.external_callback) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "coupling '%s': the actuation of '%s' is a function of the program, to "
                       "which an elastic coupling cannot be added",
                       record->def.name, name);
    }
    return DETENT_OK;
}

/* Marks the joints of an elastic coupling that have no motion, which would take what is done to them. */
static detent_status mark(const detent_mechanism *m, const dt_coupling_record *record,
                          const dt_primitive *primitives, bool *pushed, detent_error *error)
{
    detent_status status = DETENT_OK;
    for (size_t k = 0; k < record->def.count && !status; k++) {
        int i;
        status = check_joint(m, record, k, &i, error);
        if (!status) {
            pushed[i] = !primitives[i].motion;
        }
    }
    return status;
}

detent_status dt_add_elastic(detent_mechanism *m, dt_primitive *primitives, detent_error *error)
{
    const dt_list *records = &DT_RECORDS(m->builder, coupling);
    if (records->count == m->transmission_count) {
        return DETENT_OK; /* all are rigid */
    }
    bool *pushed = dt_arena_alloc(&m->builder->arena, (size_t)m->primitive_count, sizeof *pushed);
    detent_status status = pushed ? DETENT_OK : dt_out_of_memory(error);
    for (int n = 0; n < records->count && !status; n++) {
        const dt_coupling_record *record = DT_AT(*records, dt_coupling_record, n);
        status =
            dt_is_elastic(&record->def) ? mark(m, record, primitives, pushed, error) : DETENT_OK;
    }
    for (int i = 0; i < m->primitive_count && !status; i++) {
        status = pushed[i] ? add_to(m, i, &primitives[i], error) : DETENT_OK;
    }
    return status;
}
