/* Couplings that push and do not pull. What a rigid one would hold at zero,
 *
 *   e = sum c_j q_j - offset        0 at the initial positions
 *
 * is the coordinate of a joint of its own here, which moves nothing: sum c_j q_j - e = offset is a condition like any other, and what e may not
 * do is said of that joint, as of any joint: it has rigid stops at -b/2 and b/2, the teeth of a backlash b, or a freewheel. Where it is free
 * the multiplier of the condition is what moves a joint without inertia: nothing; at a stop it is what the stop does.
 *
 * The joint has an inertia all the same, since the tree is eliminated joint by joint: so little (singular.c) that no sum with that of
 * what it is coupled to differs in its last bit. */
#include "model/record.h"

#include <string.h>

/* Beside e there are so many joints. */
enum { MOST = DT_TRANSMITTED - 1 };

static detent_status refuse(const dt_builder *b, const dt_coupling_record *record, const char *key,
                            const char *why, detent_error *error)
{
    const dt_location where = dt_locate(b, &record->origin, NULL, key, -1);
    return dt_fail(error, DETENT_ERROR_MODEL, &where, "coupling '%s': %s", record->def.name, why);
}

static detent_status check_values(const dt_builder *b, const dt_coupling_record *record,
                                  detent_error *error)
{
    const detent_coupling_def *def = &record->def;
    const dt_location where = dt_locate(b, &record->origin, NULL, "restitution", -1);
    const detent_status status =
        dt_check_finite(&def->restitution, 1, def->name, "restitution", &where, error);
    if (status) {
        return status;
    }
    if (def->restitution < 0 || def->restitution > 1) {
        return refuse(b, record, "restitution", "the restitution is from 0 to 1", error);
    }
    if (def->drives < DETENT_BOTH_WAYS || def->drives > DETENT_BACKWARD) {
        return refuse(b, record, "drives", "it drives forward or backward, or both ways", error);
    }
    return DETENT_OK;
}

detent_status dt_one_sided_check(const dt_builder *b, const dt_coupling_record *record,
                                 detent_error *error)
{
    const detent_coupling_def *def = &record->def;
    const detent_status status = check_values(b, record, error);
    if (status) {
        return status;
    }
    if (def->drives && (def->backlash > 0 || dt_is_elastic(def))) {
        return refuse(b, record, "drives",
                      "a coupling that drives one way has no backlash, and is rigid", error);
    }
    if (def->restitution > 0 && (def->drives || def->backlash == 0 || dt_is_elastic(def))) {
        return refuse(b, record, "restitution",
                      "a restitution is that of a rigid backlash: of a coupling with a 'backlash' "
                      "and no 'stiffness'",
                      error);
    }
    if (!dt_is_one_sided(def)) {
        return DETENT_OK;
    }
    if (def->count > MOST) {
        return refuse(b, record, "joints",
                      "with a rigid backlash, or driving one way, it couples at most five joints",
                      error);
    }
    return dt_mesh_rubs(def)
               ? refuse(b, record, "friction",
                        "friction of the mesh of a coupling with a rigid backlash, or that drives "
                        "one way, is not supported yet",
                        error)
               : DETENT_OK;
}

/* ---- the joint ---- */

/* In rad where all joints turn. */
static bool is_angle(const detent_mechanism *m, const detent_coupling_def *def)
{
    bool turns = true;
    for (size_t k = 0; k < def->count; k++) {
        const dt_primitive_type *type = dt_builder_primitive_type(m, def->primitive[k]);
        turns = turns && (!type || type->rotational);
    }
    return turns;
}

static detent_status add_joint(detent_mechanism *m, const dt_coupling_record *record,
                               detent_error *error)
{
    const char *name = record->def.name;
    if (dt_name_map_get(&m->joint_names, name) >= 0 || dt_name_map_get(&m->body_names, name) >= 0) {
        return refuse(m->builder, record, NULL,
                      "a coupling with a rigid backlash, or that drives one way, has a joint and a "
                      "body of its own name, and there is one already",
                      error);
    }
    const detent_body_def body = {.name = name};
    const detent_joint_def joint = {.name = name,
                                    .type = is_angle(m, &record->def) ? "revolute" : "prismatic",
                                    .base = "ground",
                                    .follower = name,
                                    .base_rotation = {1, 0, 0, 0},
                                    .follower_rotation = {1, 0, 0, 0}};
    const detent_status status = dt_add_item(m, DT_ITEM_body, &body, &record->origin, error);
    return status ? status : dt_add_item(m, DT_ITEM_joint, &joint, &record->origin, error);
}

detent_status dt_add_slack(detent_mechanism *m, detent_error *error)
{
    const dt_list *records = &DT_RECORDS(m->builder, coupling);
    detent_status status = DETENT_OK;
    for (int k = 0; k < records->count && !status; k++) {
        const dt_coupling_record *record = DT_AT(*records, dt_coupling_record, k);
        status = dt_is_one_sided(&record->def) ? add_joint(m, record, error) : DETENT_OK;
    }
    return status;
}

/* ---- what may be done with it: it may be read, but what acts on something without inertia is nothing that anybody means ---- */

static bool has_user(const detent_mechanism *m, int slack)
{
    bool any = false;
    for (int i = 0; i < m->tree.node_count && !any; i++) {
        any = m->tree.nodes[i].parent == slack;
    }
    for (int l = 0; l < m->place_count && !any; l++) {
        any = m->loads[l].node == slack;
    }
    return any;
}

static bool is_coupled(const detent_mechanism *m, const char *name)
{
    bool any = false;
    for (int k = 0; k < DT_RECORDS(m->builder, coupling).count; k++) {
        const detent_coupling_def *def = dt_coupling(m, k);
        for (size_t j = 0; j < def->count; j++) {
            any = any || strcmp(def->primitive[j], name) == 0;
        }
    }
    return any;
}

static bool is_stuck(const detent_mechanism *m, const char *name)
{
    int found = 0; /* its stops are made of one */
    for (int k = 0; k < DT_RECORDS(m->builder, stiction).count; k++) {
        const dt_stiction_record *record =
            DT_AT(DT_RECORDS(m->builder, stiction), dt_stiction_record, k);
        const bool rubs =
            strcmp(record->def.kinetic, "0") != 0 || strcmp(record->def.static_limit, "0") != 0;
        found += strcmp(record->def.primitive, name) == 0 && rubs;
    }
    return found > 0;
}

detent_status dt_check_slack(const detent_mechanism *m, detent_error *error)
{
    for (int k = 0; k < DT_RECORDS(m->builder, coupling).count; k++) {
        const dt_coupling_record *record =
            DT_AT(DT_RECORDS(m->builder, coupling), dt_coupling_record, k);
        const char *name = record->def.name;
        if (dt_is_one_sided(&record->def) &&
            (is_stuck(m, name) || is_coupled(m, name) || has_user(m, dt_find_primitive(m, name)))) {
            return refuse(m->builder, record, NULL,
                          "its joint and its body are there to be read: nothing else acts on them, "
                          "is coupled to them or stands on them",
                          error);
        }
    }
    return DETENT_OK;
}

/* ---- what it may do ---- */

void dt_bound_slack(const detent_coupling_def *def, dt_rigid_stops *stops)
{
    if (def->drives) { /* the first joint does not get ahead of the others */
        const int ahead = (def->drives == DETENT_FORWARD) == (def->factor[0] > 0) ? 1 : -1;
        stops->way = -ahead;
        return;
    }
    for (int side = 0; side < 2; side++) {
        stops->at[side] = (side == DETENT_LOWER ? -0.5 : 0.5) * def->backlash;
        stops->restitution[side] = def->restitution;
    }
}
