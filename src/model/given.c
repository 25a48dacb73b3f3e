/* Which initial positions are said: the assembly tells of those that it moves far, and where they stand. */

#include "model/record.h"

static bool is_said(const dt_primitive_record *record)
{
    const double *q = record->def.position;
    const bool is_ball = record->type->nq == 4; /* its identity is [1, 0, 0, 0] */
    bool any = record->def.position_is_given != 0;
    for (int k = is_ball ? 1 : 0; k < record->type->nq; k++) {
        any = any || q[k] != 0;
    }
    return any;
}

/* The place of the key, where there is one. */
static dt_location find_place(const detent_mechanism *m, int primitive,
                              const dt_primitive_record *record)
{
    const dt_builder *b = m->builder;
    const dt_joint_record *joint =
        DT_AT(DT_RECORDS(b, joint), dt_joint_record, m->primitives[primitive].joint);
    const bool is_later = record->initial.item != NULL;
    const dt_origin *origin = is_later ? &record->initial : &joint->origin;
    const dt_part part = {.primitive =
                              !is_later && joint->primitive_count > 1 ? record->suffix : NULL,
                          .key = is_later ? "position" : "initial.position",
                          .component = -1,
                          .is_written = true};
    return b->locator.locate && origin->item
               ? b->locator.locate(b->locator.context, origin->item, &part)
               : (dt_location){NULL, 0, 0};
}

detent_status dt_keep_given(detent_mechanism *m, detent_error *error)
{
    if (dt_tie_rows(m) == 0) {
        return DETENT_OK;
    }
    m->given = dt_arena_alloc(&m->arena, (size_t)m->primitive_count, sizeof *m->given);
    for (int i = 0; m->given && i < m->primitive_count; i++) {
        const dt_primitive_record *record = dt_primitive_record_of(m, i);
        dt_given *own = &m->given[i];
        own->where = find_place(m, i, record);
        own->is_said = is_said(record);
        if (!dt_keep_place(m, &own->where)) {
            return dt_out_of_memory(error);
        }
    }
    return m->given ? DETENT_OK : dt_out_of_memory(error);
}
