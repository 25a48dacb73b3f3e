/* What all couplings have in common: their joints, and what else acts along these. */
#include "model/record.h"

const detent_coupling_def *dt_coupling(const detent_mechanism *m, int coupling)
{
    return &DT_AT(DT_RECORDS(m->builder, coupling), dt_coupling_record, coupling)->def;
}

bool dt_coupled_list(detent_mechanism *m, bool elastic, dt_coupled *of)
{
    dt_builder *b = m->builder;
    const int entries = DT_RECORDS(b, coupling).count * DT_TRANSMITTED;
    of->first = dt_arena_alloc(&b->arena, (size_t)m->primitive_count, sizeof *of->first);
    of->next = dt_arena_alloc(&b->arena, (size_t)entries, sizeof *of->next);
    if (!of->first || !of->next) {
        return false;
    }
    for (int i = 0; i < m->primitive_count; i++) {
        of->first[i] = -1;
    }
    for (int e = entries - 1; e >= 0; e--) {
        const detent_coupling_def *def = dt_coupling(m, e / DT_TRANSMITTED);
        const int place = e % DT_TRANSMITTED;
        const int i = dt_is_elastic(def) == elastic && place < (int)def->count
                          ? dt_find_primitive(m, def->primitive[place])
                          : -1;
        if (i >= 0) {
            of->next[e] = of->first[i];
            of->first[i] = e;
        }
    }
    return true;
}

detent_status dt_find_coupled(detent_mechanism *m, const dt_coupling_record *record, int k,
                              int *primitive, detent_error *error)
{
    dt_builder *b = m->builder;
    const char *name = record->def.primitive[k];
    *primitive = dt_find_primitive(m, name);
    if (*primitive >= 0 && m->tree.nodes[*primitive].type->nv == 1) {
        return DETENT_OK;
    }
    const dt_location where = dt_locate(b, &record->origin, NULL, "joints", k);
    return *primitive < 0
               ? dt_fail_unknown("joint", name,
                                 dt_nearest_record(b, &DT_RECORDS(b, joint),
                                                   sizeof(dt_joint_record),
                                                   offsetof(dt_item_head, name), name, NULL),
                                 &where, error)
               : dt_fail(error, DETENT_ERROR_MODEL, &where,
                         "coupling '%s': only revolute and prismatic joints can be coupled",
                         record->def.name);
}

const char *dt_actuation_text(const detent_mechanism *m, int i, const dt_origin **origin)
{
    const dt_builder *b = m->builder;
    const int k = m->primitives[i].stiction;
    if (k >= 0 && !dt_primitive_record_of(m, i)->def.force) {
        const dt_stiction_record *own = DT_AT(DT_RECORDS(b, stiction), dt_stiction_record, k);
        *origin = &own->origin;
        return own->def.external;
    }
    *origin = &DT_AT(DT_RECORDS(b, joint), dt_joint_record, m->primitives[i].joint)->origin;
    return dt_primitive_record_of(m, i)->def.force;
}

int dt_transmission_of(const detent_mechanism *m, int coupling)
{
    int number = 0;
    for (int k = 0; k < coupling; k++) {
        number += !dt_is_elastic(dt_coupling(m, k));
    }
    return number;
}
