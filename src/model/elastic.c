/* Couplings that are elastic. What a rigid one holds at zero,
 *
 *   e = sum c_j q_j - offset        0 at the initial positions
 *
 * is driven back by T = k e + d e' here; with a backlash b where |e| > b / 2 alone, from there on, and never as a pull that
 * would keep teeth together. Along joint j it does -c_j T. It is written as an expression and joins the actuation of the joint, so that
 * its borders are events; its work is that of actuation. */
#include "model/record.h"

#include <string.h>

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
        if (values[k] < 0 || (k == 1 && values[k] > 0 && !dt_is_elastic(def))) {
            return dt_fail(error, DETENT_ERROR_MODEL, &where, "coupling '%s': %s", def->name,
                           values[k] < 0 ? "stiffness, damping and backlash are not negative"
                                         : "a damping is that of an elastic coupling, which has a "
                                           "'stiffness'");
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
    const bool is_damped = def->damping > 0;
    const char *places = sum_of(arena, def, "position"),
               *rates = is_damped ? sum_of(arena, def, "velocity") : "";
    const char *e =
        places ? dt_arena_printf(arena, "(%s - (%.17g))", places, offset_of(m, def)) : NULL;
    const char *rate =
        rates && is_damped ? dt_arena_printf(arena, " + %.17g*(%s)", def->damping, rates) : rates;
    return !e || !rate          ? NULL
           : def->backlash == 0 ? dt_arena_printf(arena, "(%.17g*%s%s)", def->stiffness, e, rate)
                                : force_with_backlash(arena, def, e, rate);
}

const char *dt_elastic_push(detent_mechanism *m, int primitive)
{
    dt_builder *b = m->builder;
    const char *text = "";
    if (!b->elastic) {
        dt_coupled *of = dt_arena_one(&b->arena, sizeof *of);
        if (!of || !dt_coupled_list(m, true, of)) {
            return NULL;
        }
        b->elastic = of;
    }
    for (int e = b->elastic->first[primitive]; e >= 0 && text; e = b->elastic->next[e]) {
        const detent_coupling_def *def = dt_coupling(m, e / DT_TRANSMITTED);
        const char *force = force_of(m, def);
        text = force ? dt_arena_printf(&b->arena, "%s - (%.17g)*%s", text,
                                       def->factor[e % DT_TRANSMITTED], force)
                     : NULL;
    }
    return text;
}

/* ---- the actuation of joints ---- */

static detent_status add_to(detent_mechanism *m, int i, dt_primitive *p, detent_error *error)
{
    const dt_origin *origin;
    const char *own = dt_actuation_text(m, i, &origin), *push = dt_elastic_push(m, i);
    const char *part = dt_law_part(m->builder, own ? own : "0"),
               *text =
                   push && part ? dt_arena_printf(&m->builder->arena, "%s%s", part, push) : NULL;
    dt_program *program = NULL;
    if (!text) {
        return dt_out_of_memory(error);
    }
    const dt_law_record law = {.text = text,
                               .use = DT_USE_FORCE,
                               .primitive = i,
                               .expected = m->tree.nodes[i].type->rotational ? &dt_dimension_torque
                                                                             : &dt_dimension_force,
                               .where = dt_locate_force(m, i),
                               .origin = origin};
    const detent_status status = dt_parse_law(m, &m->arena, &law, &program, error);
    p->force = status ? p->force : program;
    return status;
}

/* Marks the joints of an elastic coupling that have no motion, which would take what is done to them. */
static detent_status mark(detent_mechanism *m, const dt_coupling_record *record, bool *pushed,
                          detent_error *error)
{
    detent_status status = DETENT_OK;
    for (int k = 0; k < (int)record->def.count && !status; k++) {
        int i;
        status = dt_find_coupled(m, record, k, &i, error);
        if (!status) {
            pushed[i] = !m->primitives[i].motion;
        }
    }
    return status;
}

detent_status dt_add_elastic(detent_mechanism *m, detent_error *error)
{
    const dt_list *records = &DT_RECORDS(m->builder, coupling);
    if (records->count == m->transmission_count) {
        return DETENT_OK; /* all are rigid */
    }
    bool *pushed = dt_arena_alloc(&m->builder->arena, (size_t)m->primitive_count, sizeof *pushed);
    detent_status status = pushed ? DETENT_OK : dt_out_of_memory(error);
    for (int n = 0; n < records->count && !status; n++) {
        const dt_coupling_record *record = DT_AT(*records, dt_coupling_record, n);
        status = dt_is_elastic(&record->def) ? mark(m, record, pushed, error) : DETENT_OK;
    }
    for (int i = 0; i < m->primitive_count && !status; i++) {
        status = pushed[i] ? add_to(m, i, &m->builder->primitives[i], error) : DETENT_OK;
    }
    return status;
}
