/* Couplings between joints: checked, and compiled into linear conditions. */

#include "model/record.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* How much farther one joint of a coupling may go than another: beyond, what the slower one does is rounding of the faster one. */
static const double widest = 1 / DBL_EPSILON;

static detent_status refuse(const dt_builder *b, const dt_coupling_record *record, const char *key,
                            int component, const char *why, detent_error *error)
{
    const dt_location where = dt_locate(b, &record->origin, NULL, key, component);
    return dt_fail(error, DETENT_ERROR_MODEL, &where, "coupling '%s': %s", record->def.name, why);
}

/* That no factor is zero, nor next to nothing beside another one. */
static detent_status check_factors(const dt_builder *b, const dt_coupling_record *record,
                                   detent_error *error)
{
    const detent_coupling_def *def = &record->def;
    double least = INFINITY, most = 0;
    for (size_t k = 0; k < def->count; k++) {
        least = fmin(least, fabs(def->factor[k]));
        most = fmax(most, fabs(def->factor[k]));
    }
    if (least == 0) {
        return refuse(b, record, "", -1, "a ratio or a factor is zero", error);
    }
    if (most > least * widest) {
        char why[128];
        snprintf(why, sizeof why,
                 "its ratio is too extreme to compute with: factors of %.3g and %.3g (at most 1 to "
                 "%.2g)",
                 least, most, widest);
        return refuse(b, record, "", -1, why, error);
    }
    return DETENT_OK;
}

static detent_status check(const dt_builder *b, const dt_coupling_record *record,
                           detent_error *error)
{
    const detent_coupling_def *def = &record->def;
    const dt_location where = dt_locate(b, &record->origin, NULL, "joints", -1);
    if (def->count < 2 || def->count > DETENT_MAX_COUPLED) {
        return refuse(b, record, "joints", -1, "it needs two to six joints", error);
    }
    detent_status status =
        dt_check_finite(def->factor, (int)def->count, def->name, "factor", &where, error);
    if (!status) {
        status = dt_elastic_check(b, record, error);
    }
    if (!status) {
        status = dt_one_sided_check(b, record, error);
    }
    const double losses[] = {def->loss_driving, def->loss_driven, def->static_loss_driving,
                             def->static_loss_driven, def->no_load};
    if (!status) {
        status = dt_check_finite(losses, 5, def->name, "friction", &where, error);
    }
    for (size_t k = 0; k < 5 && !status; k++) {
        if (losses[k] < 0) {
            status = refuse(b, record, "friction", -1, "a loss is negative", error);
        } else if (k >= 2 && k < 4 && losses[k] > 0 && losses[k] < losses[k - 2]) {
            status = refuse(b, record, "friction", -1, "a loss is smaller at rest", error);
        }
    }
    if (!status) {
        status = check_factors(b, record, error);
    }
    for (size_t k = 0; k < def->count && !status; k++) {
        for (size_t before = 0; before < k && !status; before++) {
            if (strcmp(def->primitive[before], def->primitive[k]) == 0) {
                status =
                    refuse(b, record, "joints", (int)k, "a joint is coupled with itself", error);
            }
        }
    }
    return status;
}

static detent_status take(detent_mechanism *m, void *item, detent_error *error)
{
    dt_coupling_record *record = item;
    const detent_status status = check(m->builder, record, error);
    bool copied = true;
    for (size_t k = 0; k < record->def.count && !status && copied; k++) {
        copied =
            dt_copy_text(&m->builder->arena, record->def.primitive[k], &record->def.primitive[k]);
    }
    m->transmission_count += !status && copied && !dt_is_elastic(&record->def);
    return copied ? status : dt_out_of_memory(error);
}

/* What the coupling does not hold is that of one joint more. */
static void take_up(detent_mechanism *m, dt_transmission *of)
{
    double rate = 0;
    for (int k = 0; k < of->count; k++) {
        rate += of->factor[k] * m->velocity[m->tree.nodes[of->joint[k]].v];
    }
    m->velocity[m->tree.nodes[of->slack].v] = rate;
    dt_rigid_stops *stops =
        (dt_rigid_stops *)(size_t)m->stictions[m->primitives[of->slack].stiction].stops;
    stops->transmission = (int)(of - m->transmissions);
    of->joint[of->count] = of->slack;
    of->factor[of->count++] = -1;
}

/* The condition holds at the initial positions. */
static detent_status compile(detent_mechanism *m, const dt_coupling_record *record,
                             dt_transmission *of, detent_error *error)
{
    const detent_coupling_def *def = &record->def;
    bool moves = false;
    of->name = def->name;
    of->where = dt_locate(m->builder, &record->origin, NULL, NULL, -1);
    if (!dt_keep_place(m, &of->where)) {
        return dt_out_of_memory(error);
    }
    of->count = (int)def->count;
    for (int k = 0; k < of->count; k++) {
        detent_status status = dt_find_coupled(m, record, k, &of->joint[k], error);
        if (status) {
            return status;
        }
        of->factor[k] = def->factor[k];
        of->offset += def->factor[k] * m->position[m->tree.nodes[of->joint[k]].q];
        moves = moves || !m->primitives[of->joint[k]].motion;
    }
    of->slack = dt_is_one_sided(def) ? dt_find_primitive(m, def->name) : -1;
    if (of->slack >= 0) {
        take_up(m, of);
    }
    return moves ? DETENT_OK
                 : refuse(m->builder, record, "joints", -1,
                          "all its joints have a prescribed motion", error);
}

/* Those that rub. False when memory is out. */
static bool list_meshes(detent_mechanism *m)
{
    const dt_list *records = &DT_RECORDS(m->builder, coupling);
    dt_mesh *meshes = dt_arena_alloc(&m->arena, (size_t)records->count, sizeof *meshes);
    m->meshes = meshes;
    for (int k = 0, own = 0; k < records->count && meshes; k++) {
        const detent_coupling_def *def = dt_coupling(m, k);
        if (dt_mesh_rubs(def)) {
            meshes[m->mesh_count++] = (dt_mesh){
                .transmission = own,
                .stiction = m->primitives[m->transmissions[own].joint[0]].stiction,
                .driving = def->loss_driving,
                .driven = def->loss_driven,
            };
        }
        own += !dt_is_elastic(def);
    }
    return meshes != NULL;
}

detent_status dt_compile_couplings(detent_mechanism *m, detent_error *error)
{
    const dt_list *records = &DT_RECORDS(m->builder, coupling);
    dt_transmission *all = dt_arena_alloc(&m->arena, (size_t)m->transmission_count, sizeof *all);
    const char **names = dt_arena_alloc(&m->arena, (size_t)records->count, sizeof *names);
    detent_status status = all && names ? DETENT_OK : dt_out_of_memory(error);
    dt_transmission *next = all;
    m->transmissions = all;
    m->coupling_names = names;
    for (int k = 0; k < records->count && !status; k++) {
        const dt_coupling_record *record = DT_AT(*records, dt_coupling_record, k);
        names[k] = record->def.name;
        status = dt_is_elastic(&record->def) ? DETENT_OK : compile(m, record, next++, error);
    }
    return status || list_meshes(m) ? status : dt_out_of_memory(error);
}

/* ---- the row of the table: a file gives them by keys of their types (format) ---- */

static const dt_key keys[] = {DT_KEYS_END};

#define FIELD(kind, member)                                                                \
    {                                                                                      \
#member, DT_VALUE_##kind, false, offsetof(detent_coupling_def, member), NULL, NULL \
    }
#define OF_JOINT(k) FIELD(REFERENCE, primitive[k]), FIELD(NUMBER, factor[k])
static const dt_key fields[] = {OF_JOINT(0),
                                OF_JOINT(1),
                                OF_JOINT(2),
                                OF_JOINT(3),
                                OF_JOINT(4),
                                OF_JOINT(5),
                                FIELD(NUMBER, loss_driving),
                                FIELD(NUMBER, loss_driven),
                                FIELD(NUMBER, static_loss_driving),
                                FIELD(NUMBER, static_loss_driven),
                                FIELD(NUMBER, no_load),
                                FIELD(NUMBER, stiffness),
                                FIELD(NUMBER, damping),
                                FIELD(NUMBER, backlash),
                                FIELD(NUMBER, restitution),
                                FIELD(CHOICE, drives),
                                DT_KEYS_END};
#undef OF_JOINT
#undef FIELD
_Static_assert(DETENT_MAX_COUPLED == 6, "fields for each");

static const char *name(const detent_mechanism *m, int index)
{
    return m->coupling_names[index];
}

const dt_item_kind dt_coupling_item = {.what = "coupling",
                                       .plural = "couplings",
                                       .named = 1 + DETENT_COUPLING,
                                       .is_section = true,
                                       .keys = keys,
                                       .fields = fields,
                                       .size = sizeof(detent_coupling_def),
                                       .take = take,
                                       .counter = offsetof(detent_mechanism, coupling_count),
                                       .name = name};
