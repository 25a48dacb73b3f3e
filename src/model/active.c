/* What acts along a joint but for friction, for laws of friction that read it. With Q all that is known to act there and J the
 * armature, what the joint transmits is  S'F + J a = Q - F;  so of the friction F' that this tells and any inertia I > 0
 *
 *   h = F' + I a = Q - S'F - J a + I a
 *
 * is the force that F would have to balance for a = 0: what others do to the joint is in S'F. Where I is the inertia that the
 * joint feels, h does not depend on F; with another one it is the same where a = 0. A law F(h) is solved with the accelerations, and well
 * conditioned for every slope from 0 to 1, as long as F' is what the motion asks for. It is not where conditions tie the joint to others that
 * may hold it as well, and what a coupling does there is not in what the joint transmits: then the law has I a alone, and finds h itself. */
#include "base/joined.h"
#include "math/inertia.h"
#include "math/rotation.h"
#include "math/vec3.h"
#include "model/record.h"
#include "model/stock.h"

/* S'F, by components of what is transmitted. */
static const char *transmitted(const detent_mechanism *m, int i)
{
    const dt_node *node = &m->tree.nodes[i];
    const char *text = "", *name = m->primitives[i].name,
               *reading = node->type->rotational ? "reaction_torque" : "reaction_force";
    for (int k = 0; k < 3 && text; k++) {
        if (node->frame->axis[k] != 0) {
            text = dt_arena_printf(&m->builder->arena, "%s - (%.17g)*%s(%s, %c)", text,
                                   node->frame->axis[k], reading, name, "xyz"[k]);
        }
    }
    return text;
}

/* Whether an item of a kind names joint i, from its n-th on; which one, -1: none. */
static int find_item(const detent_mechanism *m, int number, int i, int n)
{
    const dt_item_kind *kind = m->source->kind(number);
    const dt_list *list = &m->builder->items[DT_ITEM_KINDS + number].list;
    for (; kind && n < list->count; n++) {
        const char *record = (const char *)list->items + (size_t)n * dt_record_size(kind);
        for (const dt_key *key = kind->keys; key->name; key++) {
            const char *joint = dt_record_joint(key, record);
            if (joint && dt_find_primitive(m, joint) == i) {
                return n;
            }
        }
    }
    return -1;
}

/* What the items of a kind do along a joint that is no friction, as compliant stops: appended to `text`. */
static const char *append_pushes(detent_mechanism *m, int number, int i, const char *text)
{
    const dt_item_kind *kind = m->source->kind(number);
    const bool pushes = kind && kind->text && !kind->rubs && kind->law_count == 1 &&
                        kind->laws[0].use == DT_USE_FORCE;
    for (int n = pushes ? find_item(m, number, i, 0) : -1; n >= 0 && text;
         n = find_item(m, number, i, n + 1)) {
        const dt_list *list = &m->builder->items[DT_ITEM_KINDS + number].list;
        const char *record = (const char *)list->items + (size_t)n * dt_record_size(kind),
                   *own = kind->text(&m->builder->arena, record, 0, &(dt_active){"0", "0", false}),
                   *part = own ? dt_law_part(m->builder, own) : NULL;
        text = part ? dt_arena_printf(&m->builder->arena, "%s + %s", text, part) : NULL;
    }
    return text;
}

static const char *item_pushes(detent_mechanism *m, int i)
{
    const char *text = "";
    for (int k = 0; m->source && k < m->source->count && text; k++) {
        text = append_pushes(m, k, i, text);
    }
    return text;
}

/* Q - S'F */
static const char *unbalanced(detent_mechanism *m, int i)
{
    const dt_primitive *p = &m->primitives[i];
    const dt_origin *origin;
    const char *own = dt_actuation_text(m, i, &origin), *push = dt_elastic_push(m, i),
               *items = item_pushes(m, i), *part = dt_law_part(m->builder, own ? own : "0"),
               *reaction = transmitted(m, i);
    return push && items && part && reaction
               ? dt_arena_printf(
                     &m->builder->arena,
                     "%s%s%s - (%.17g)*(position(%s) - (%.17g)) - (%.17g)*velocity(%s)%s", part,
                     push, items, p->stiffness, p->name, p->rest, p->damping, p->name, reaction)
               : NULL;
}

/* The inertia of all that joints carry, along each, at the initial positions: by one sweep. NULL: memory is out. */
static const double *carried(detent_mechanism *m)
{
    dt_builder *b = m->builder;
    const size_t n = (size_t)m->tree.node_count;
    if (b->carried) {
        return b->carried;
    }
    dt_inertia *I = dt_arena_alloc(&b->arena, n, sizeof *I);
    double *along = dt_arena_alloc(&b->arena, n, sizeof *along);
    for (int i = (int)n - 1; i >= 0 && I && along; i--) {
        const dt_node *node = &m->tree.nodes[i];
        double S[6] = {0}, momentum[6], R[9], p[3];
        dt_inertia own;
        dt_node_inertia(node, &own);
        dt_inertia_add(&I[i], 1, &own);
        for (int k = 0; k < 3 && node->type->nv == 1; k++) {
            S[node->type->rotational ? k : 3 + k] = node->frame->axis[k];
        }
        dt_inertia_apply(momentum, &I[i], S);
        along[i] = dt_dot6(momentum, S) + node->armature;
        if (node->parent >= 0) {
            dt_initial_pose(m, node, R, p);
            dt_inertia_move(&own, &I[i], R, p);
            dt_inertia_add(&I[node->parent], 1, &own);
        }
    }
    b->carried = I ? along : NULL;
    return b->carried;
}

/* By a coupling, or a cam: what acts along the joint itself, and is not in what it transmits. */
static bool is_coupled(const detent_mechanism *m, int i)
{
    bool any = false;
    for (int k = 0; m->source && k < m->source->count && !any; k++) {
        const dt_item_kind *kind = m->source->kind(k);
        any = kind && kind->ties && find_item(m, k, i, 0) >= 0;
    }
    for (int n = 0; n < DT_RECORDS(m->builder, coupling).count && !any; n++) {
        const detent_coupling_def *def = dt_coupling(m, n);
        any = dt_is_one_sided(def) && dt_find_primitive(m, def->name) == i;
        for (size_t k = 0; k < def->count && !dt_is_elastic(def); k++) {
            any = any || dt_find_primitive(m, def->primitive[k]) == i;
        }
    }
    return any;
}

/* Whether something else that may be at rest by itself is tied to a joint: friction, a stop, a motion. */
static bool is_helped(const detent_mechanism *m, const dt_tied *tied, int i)
{
    bool any = false;
    for (int j = 0; j < m->primitive_count && tied->inside[i] && !any; j++) {
        const dt_primitive *p = &m->primitives[j];
        any = j != i && tied->inside[j] &&
              dt_first_of(tied->joined, i) == dt_first_of(tied->joined, j) &&
              (p->rubs || p->stiction >= 0 || p->motion);
    }
    return any;
}

detent_status dt_active_force(detent_mechanism *m, int i, double inertia, dt_active *active,
                              const char **why, detent_error *error)
{
    dt_arena *arena = &m->builder->arena;
    const double *along = inertia > 0 ? &inertia : carried(m);
    const dt_tied *tied = dt_tied_joints(m);
    const char *rest = unbalanced(m, i), *name = m->primitives[i].name;
    if (!along || !tied || !rest) {
        return dt_out_of_memory(error);
    }
    const double I = inertia > 0 ? inertia : along[i];
    const bool alone = !is_coupled(m, i) && !is_helped(m, tied, i);
    m->builder->primitives[i].is_read = true;
    *why = I > 0 ? NULL
                 : "the joint carries nothing that is as inert along it as this law has to know; "
                   "give the 'inertia' of what it moves";
    active->is_tied = tied->inside[i];
    active->inert = dt_arena_printf(arena, "(%.17g)*acceleration(%s)", I, name);
    active->force = alone ? dt_arena_printf(arena, "(%s + (%.17g)*acceleration(%s))", rest,
                                            I - m->tree.nodes[i].armature, name)
                          : NULL;
    return active->inert && (active->force || !alone) ? DETENT_OK : dt_out_of_memory(error);
}

/* A joint has friction of a law or stiction; that of a mesh acts beside either. */
static detent_status check_stictions(const detent_mechanism *m, detent_error *error)
{
    const dt_builder *b = m->builder;
    for (int k = 0; k < DT_RECORDS(b, stiction).count; k++) {
        const dt_stiction_record *record = DT_AT(DT_RECORDS(b, stiction), dt_stiction_record, k);
        const int i = dt_find_primitive(m, record->def.primitive);
        if (i >= 0 && m->primitives[i].rubs) {
            const dt_location where = dt_locate(b, &record->origin, NULL, NULL, -1);
            return dt_fail(error, DETENT_ERROR_MODEL, &where,
                           "stiction '%s': the joint has 'friction' already; its law may be "
                           "'stiction'",
                           record->def.primitive);
        }
    }
    return DETENT_OK;
}

detent_status dt_mark_rubbing(detent_mechanism *m, detent_error *error)
{
    for (int k = 0; m->source && k < m->source->count; k++) {
        const dt_item_kind *kind = m->source->kind(k);
        const dt_list *list = &m->builder->items[DT_ITEM_KINDS + k].list;
        for (int n = 0; kind && kind->rubs && n < list->count; n++) {
            const char *record = (const char *)list->items + (size_t)n * dt_record_size(kind);
            const int i = dt_find_primitive(m, dt_record_name(record));
            const char *text =
                kind->text(&m->builder->arena, record, 0, &(dt_active){"0", "0", false});
            if (!text) {
                return dt_out_of_memory(error);
            }
            if (i >= 0) {
                m->builder->primitives[i].has_friction_law = true;
                m->builder->primitives[i].rubs = *text != '\0';
            }
        }
    }
    return check_stictions(m, error);
}
