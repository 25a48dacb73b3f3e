/*
 * Rigid stops are bounds of their joint, and what they do is a part of what its stiction does: at a stop that is closed the friction of a
 * joint at rest has no limit on that side (dt_system_limits()). A joint that has none gets one without friction. A freewheel is a stop that is
 * closed wherever the joint is: it is about velocities alone. Joints of couplings that are one-sided have one or the other, too.
 */
#include "model/record.h"

#include <math.h>

typedef detent_status visit(detent_mechanism *, const dt_item_kind *, const detent_stop_def *,
                            int primitive, detent_error *);

static detent_status refuse(const detent_mechanism *m, const dt_item_kind *kind,
                            const detent_stop_def *stop, const char *key, const char *why,
                            detent_error *error)
{
    return dt_refuse_item(m->builder, kind, stop, key, why, error);
}

/* Calls for every stop of a joint that there is, and that has one freedom; what is wrong with others is told where items are compiled. */
static detent_status each(detent_mechanism *m, visit *what, detent_error *error)
{
    detent_status status = DETENT_OK;
    for (int k = 0; m->source && k < m->source->count; k++) {
        const dt_item_kind *kind = m->source->kind(k);
        const dt_list *list = &m->builder->items[DT_ITEM_KINDS + k].list;
        for (int n = 0; kind && kind->bounds && n < list->count && !status; n++) {
            const char *record = (const char *)list->items + (size_t)n * dt_record_size(kind);
            const detent_stop_def *stop = (const void *)record;
            const int i = dt_find_primitive(m, stop->joint);
            if (i >= 0 && m->tree.nodes[i].type->nv == 1) {
                status = what(m, kind, stop, i, error);
            }
        }
    }
    return status;
}

/* ---- stictions for them ---- */

/* Notes at every primitive whether it has one, as dt_mark_stictions() will: so that a stop costs no search among all. */
static void note_stictions(detent_mechanism *m)
{
    dt_builder *b = m->builder;
    for (int k = 0; k < DT_RECORDS(b, stiction).count; k++) {
        const int i = dt_find_primitive(
            m, DT_AT(DT_RECORDS(b, stiction), dt_stiction_record, k)->def.primitive);
        if (i >= 0) {
            b->primitives[i].stiction = k;
        }
    }
}

static detent_status check(const detent_mechanism *m, const dt_item_kind *kind,
                           const detent_stop_def *stop, int primitive, detent_error *error)
{
    if (stop->restitution > 1) {
        return refuse(m, kind, stop, "restitution", "the restitution is from 0 to 1", error);
    }
    if (stop->stiffness > 0 && stop->restitution > 0) {
        return refuse(m, kind, stop, "restitution",
                      "a compliant stop has a stiffness and a damping, and no restitution", error);
    }
    if (stop->stiffness == 0 && stop->damping > 0) {
        return refuse(m, kind, stop, "damping",
                      "a damping is that of a compliant stop, which has a 'stiffness'", error);
    }
    const dt_joint_record *joint =
        DT_AT(DT_RECORDS(m->builder, joint), dt_joint_record, m->primitives[primitive].joint);
    if (stop->stiffness == 0 && !joint->type->takes_stiction) {
        return refuse(m, kind, stop, "joint",
                      "a free joint can have no rigid stop; a six-dof can, and a free joint can "
                      "have one with a 'stiffness'",
                      error);
    }
    return dt_motion_text(&dt_primitive_record_of((detent_mechanism *)(size_t)m, primitive)->def)
               ? refuse(m, kind, stop, "joint", "the joint has a motion, which no stop ends", error)
               : DETENT_OK;
}

/* A primitive that has no stiction gets one. */
static detent_status give(detent_mechanism *m, int primitive, const dt_origin *origin,
                          detent_error *error)
{
    if (m->primitives[primitive].stiction >= 0) {
        return DETENT_OK;
    }
    detent_primitive_def *joint = &dt_primitive_record_of(m, primitive)->def;
    const detent_stiction_def def = {.primitive = m->primitives[primitive].name,
                                     .kinetic = "0",
                                     .static_limit = "0",
                                     .external = joint->force};
    joint->force = NULL;
    m->builder->primitives[primitive].stiction = DT_RECORDS(m->builder, stiction).count;
    return dt_add_item(m, DT_ITEM_stiction, &def, origin, error);
}

static detent_status mark(detent_mechanism *m, const dt_item_kind *kind,
                          const detent_stop_def *stop, int primitive, detent_error *error)
{
    const detent_status status = check(m, kind, stop, primitive, error);
    return status || stop->stiffness > 0 ? status
                                         : give(m, primitive, dt_record_origin(kind, stop), error);
}

/* ---- those that are no items: freewheels of joints, joints of one-sided couplings ---- */

typedef struct bound {
    int primitive;
    const detent_coupling_def *coupling; /* NULL: the freewheel of the joint itself */
    const dt_origin *origin;
    const char *suffix; /* of the primitive, where its joint has several */
} bound;

typedef detent_status visit_bound(detent_mechanism *, const bound *, detent_error *);

static bound freewheel_of(const detent_mechanism *m, int i)
{
    const dt_joint *joint = &m->joints[m->primitives[i].joint];
    const dt_joint_record *record =
        DT_AT(DT_RECORDS(m->builder, joint), dt_joint_record, m->primitives[i].joint);
    const dt_primitive_record *row =
        DT_AT(DT_RECORDS(m->builder, primitive), dt_primitive_record, record->first_primitive);
    return (bound){.primitive = i,
                   .origin = &record->origin,
                   .suffix =
                       joint->primitive_count > 1 ? row[i - joint->first_primitive].suffix : NULL};
}

static detent_status each_bound(detent_mechanism *m, visit_bound *what, detent_error *error)
{
    detent_status status = DETENT_OK;
    for (int i = 0; i < m->primitive_count && !status; i++) {
        if (dt_primitive_record_of(m, i)->def.moves != DETENT_BOTH_WAYS) {
            const bound of = freewheel_of(m, i);
            status = what(m, &of, error);
        }
    }
    for (int k = 0; k < DT_RECORDS(m->builder, coupling).count && !status; k++) {
        const dt_coupling_record *record =
            DT_AT(DT_RECORDS(m->builder, coupling), dt_coupling_record, k);
        if (dt_is_one_sided(&record->def)) {
            const bound of = {.primitive = dt_find_primitive(m, record->def.name),
                              .coupling = &record->def,
                              .origin = &record->origin};
            status = what(m, &of, error);
        }
    }
    return status;
}

static detent_status refuse_bound(const detent_mechanism *m, const bound *of, const char *why,
                                  detent_error *error)
{
    const dt_location where =
        dt_locate(m->builder, of->origin, of->suffix, of->coupling ? NULL : "moves", -1);
    return dt_fail(error, DETENT_ERROR_MODEL, &where, "%s '%s': %s",
                   of->coupling ? "coupling" : "joint", m->primitives[of->primitive].name, why);
}

static detent_status mark_bound(detent_mechanism *m, const bound *of, detent_error *error)
{
    const dt_joint_record *joint =
        DT_AT(DT_RECORDS(m->builder, joint), dt_joint_record, m->primitives[of->primitive].joint);
    if (!joint->type->takes_stiction) {
        return refuse_bound(m, of, "a free joint moves as it likes; a six-dof can move one way",
                            error);
    }
    return dt_motion_text(&dt_primitive_record_of(m, of->primitive)->def)
               ? refuse_bound(m, of, "the joint has a motion, which no freewheel holds", error)
               : give(m, of->primitive, of->origin, error);
}

detent_status dt_mark_stops(detent_mechanism *m, detent_error *error)
{
    note_stictions(m);
    const detent_status status = each(m, mark, error);
    return status ? status : each_bound(m, mark_bound, error);
}

/* ---- bounds ---- */

static bool is_zero(const dt_program *law)
{
    return law && law->is_constant && law->constant == 0;
}

/* What bounds a joint with stiction k, none at first. NULL: memory is out. */
static dt_rigid_stops *stops_of(detent_mechanism *m, int k)
{
    dt_stiction *bounded = (dt_stiction *)(size_t)&m->stictions[k];
    dt_rigid_stops *stops = (dt_rigid_stops *)(size_t)bounded->stops;
    if (!stops) {
        bounded->stops = stops = dt_arena_one(&m->arena, sizeof *stops);
        if (stops) {
            *stops = (dt_rigid_stops){.at = {-INFINITY, INFINITY},
                                      .transmission = -1,
                                      .bare = is_zero(bounded->friction->kinetic) &&
                                              is_zero(bounded->friction->magnitude) &&
                                              !bounded->friction->test};
        }
    }
    return stops;
}

static detent_status compile(detent_mechanism *m, const dt_item_kind *kind,
                             const detent_stop_def *stop, int primitive, detent_error *error)
{
    const int k = m->primitives[primitive].stiction;
    if (stop->stiffness > 0 || k < 0) {
        return DETENT_OK;
    }
    dt_rigid_stops *stops = stops_of(m, k);
    if (!stops) {
        return dt_out_of_memory(error);
    }
    if (isfinite(stops->at[stop->side])) {
        return refuse(m, kind, stop, "side", "the joint has such a stop already", error);
    }
    stops->at[stop->side] = stop->at;
    stops->restitution[stop->side] = stop->restitution;
    if (!(stops->at[0] < stops->at[1])) {
        return refuse(m, kind, stop, "at", "the lower stop has to be below the upper one", error);
    }
    return DETENT_OK;
}

static detent_status compile_bound(detent_mechanism *m, const bound *of, detent_error *error)
{
    dt_rigid_stops *stops = stops_of(m, m->primitives[of->primitive].stiction);
    if (!stops) {
        return dt_out_of_memory(error);
    }
    if (isfinite(stops->at[0]) || isfinite(stops->at[1]) || stops->way != 0) {
        return refuse_bound(m, of,
                            of->coupling ? "its joint has stops of the coupling, and no others"
                                         : "a joint that moves one way has no rigid stops beside",
                            error);
    }
    if (of->coupling) {
        dt_bound_slack(of->coupling, stops);
    } else {
        stops->way = dt_primitive_record_of(m, of->primitive)->def.moves == DETENT_FORWARD ? 1 : -1;
    }
    stops->bare = stops->bare && stops->way == 0;
    return DETENT_OK;
}

/* Loops may still move a joint when they are assembled: that is looked at then. */
static detent_status check_start(detent_mechanism *m, const dt_item_kind *kind,
                                 const detent_stop_def *stop, int primitive, detent_error *error)
{
    const double q = m->position[m->tree.nodes[primitive].q];
    const bool outside = stop->side == DETENT_LOWER ? q < stop->at : q > stop->at;
    return outside && stop->stiffness == 0 && m->loop_count == 0
               ? refuse(m, kind, stop, "at", "the joint starts beyond its stop", error)
               : DETENT_OK;
}

detent_status dt_compile_stops(detent_mechanism *m, detent_error *error)
{
    detent_status status = each(m, compile, error);
    status = status ? status : each_bound(m, compile_bound, error);
    return status ? status : each(m, check_start, error);
}
