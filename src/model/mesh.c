/* Friction of the mesh of a coupling. It rubs where the first joint moves, against its motion:
 *
 *   |f| <= n + max(-a1 s L, a2 s L)  n: friction without load;   s: the direction of motion;   L: what the coupling does along the first joint
 *
 * that is a1 |L| where the first joint drives, and a2 |L| where it is driven; so a power P that the first joint puts in
 * leaves as P / (1 + a1), and one that it takes out has lost a2 of itself. These are shares, 1/e - 1 and 1 - e' of two efficiencies,
 * or those of a thread with lead angle g and coefficient mu: mu (1 + T^2) / (T (1 -+ mu T)), T = tan g, whose tooth force N has
 * N cos g = L / (r T) there, + mu N sin g. It is stiction of the first joint, added to what that has by itself.
 *
 * L is read where it can be told from the motion: along any of the coupled joints that is in no loop,
 *
 *   force(J) = L_J + spring, damper, actuation of J + what other couplings do there        L_first = L_J c_first / c_J
 *
 * Others are told from other joints in turn. Elsewhere it is the coupling's multiplier, coupling_force(): what laws read of joints is cheaper
 * to follow. Budynas, Nisbett, Shigley's Mechanical Engineering Design, ch. 8. */
#include "model/record.h"

#include <math.h>
#include <string.h>

/* What is known of joints and couplings while meshes are told. */
typedef struct dt_mesh_net {
    dt_coupled along; /* rigid couplings by primitive */
    bool *open;       /* of each coupling: it is being told from something else */
    bool *pushed;     /* primitive_count: items of elements act along it */
    bool *looped;     /* primitive_count: it is on the way round a loop */
    int left;         /* couplings that one law may still be told from */
    int avoided;      /* the joint that is not told from, or -1 */
    bool lost;        /* memory is out */
} net;

/* Couplings that are tied in rings have more ways through them than anybody waits for. */
enum { MOST_TOLD = 10000 };

static const dt_origin *origin(const detent_mechanism *m, int coupling)
{
    return &DT_AT(DT_RECORDS(m->builder, coupling), dt_coupling_record, coupling)->origin;
}

static detent_status refuse(const detent_mechanism *m, int coupling, const char *why,
                            detent_error *error)
{
    const dt_location where = dt_locate(m->builder, origin(m, coupling), NULL, "friction", -1);
    return dt_fail(error, DETENT_ERROR_MODEL, &where, "friction of the coupling '%s': %s",
                   dt_coupling(m, coupling)->name, why);
}

/* Marks the joints that the items of a kind are along. */
static void mark_pushed(const detent_mechanism *m, int number, bool *pushed)
{
    const dt_item_kind *kind = m->source->kind(number);
    const dt_list *list = &m->builder->items[DT_ITEM_KINDS + number].list;
    for (const dt_key *key = kind ? kind->keys : NULL; key && key->name; key++) {
        for (int n = 0; n < list->count; n++) {
            const char *record = (const char *)list->items + (size_t)n * dt_record_size(kind);
            const char *joint = dt_record_joint(key, record);
            const int i = joint ? dt_find_primitive(m, joint) : -1;
            if (i >= 0) {
                pushed[i] = true;
            }
        }
    }
}

/* Marks the joints from two nodes, those of a loop, to where they meet. */
static void mark_ways(const detent_mechanism *m, int a, int b, bool *looped)
{
    while (a != b) { /* parents come before their children */
        int *higher = a > b ? &a : &b;
        looped[*higher] = true;
        *higher = m->tree.nodes[*higher].parent;
    }
}

/* The node of a body by its name; -1: that of the ground, or of none. */
static int node_of_body(const detent_mechanism *m, const char *name)
{
    const int body = name ? dt_name_map_get(&m->body_names, name) : -1;
    return body < 0 ? -1 : m->bodies[body].node;
}

/* Marks the joints that the items of a kind tie, if it ties bodies. */
static void mark_tied(const detent_mechanism *m, int number, bool *looped)
{
    const dt_item_kind *kind = m->source->kind(number);
    const dt_list *list = &m->builder->items[DT_ITEM_KINDS + number].list;
    for (const dt_key *key = kind && kind->ties ? kind->keys : NULL; key && key->name; key++) {
        for (int n = 0; n < list->count && dt_key_is_ends(key); n++) {
            const char *record = (const char *)list->items + (size_t)n * dt_record_size(kind);
            const dt_ends *ends = (const dt_ends *)(const void *)(record + key->offset);
            mark_ways(m, node_of_body(m, ends->body[0]), node_of_body(m, ends->body[1]), looped);
        }
    }
}

static bool make_net(detent_mechanism *m, net *of)
{
    dt_arena *arena = &m->builder->arena;
    const int count = DT_RECORDS(m->builder, coupling).count;
    of->open = dt_arena_alloc(arena, (size_t)count, sizeof *of->open);
    of->pushed = dt_arena_alloc(arena, (size_t)m->primitive_count, sizeof *of->pushed);
    of->looped = dt_arena_alloc(arena, (size_t)m->primitive_count, sizeof *of->looped);
    if (!of->open || !of->pushed || !of->looped) {
        return false;
    }
    for (int i = 0; i < m->primitive_count; i++) {
        of->pushed[i] = m->primitives[i].rubs;
    }
    for (int l = 0; l < m->loop_count; l++) {
        mark_ways(m, m->loops[l].node[0], m->loops[l].node[1], of->looped);
    }
    for (int k = 0; m->source && k < m->source->count; k++) {
        mark_pushed(m, k, of->pushed);
        mark_tied(m, k, of->looped);
    }
    return dt_coupled_list(m, false, &of->along);
}

/* ---- stiction of the first joint ---- */

/* The stiction record of every primitive, or -1. */
static int *list_stictions(const detent_mechanism *m)
{
    const dt_builder *b = m->builder;
    int *record = dt_arena_alloc(&m->builder->arena, (size_t)m->primitive_count, sizeof *record);
    for (int i = 0; i < m->primitive_count && record; i++) {
        record[i] = -1;
    }
    for (int k = 0; k < DT_RECORDS(b, stiction).count && record; k++) {
        const int i = dt_find_primitive(
            m, DT_AT(DT_RECORDS(b, stiction), dt_stiction_record, k)->def.primitive);
        if (i >= 0) {
            record[i] = k;
        }
    }
    return record;
}

/* A stiction that has nothing yet; the actuation of the joint is its own from now on. */
static detent_status add_stiction(detent_mechanism *m, int coupling, int i, detent_error *error)
{
    detent_primitive_def *joint = &dt_primitive_record_of(m, i)->def;
    const detent_stiction_def def = {.primitive = m->primitives[i].name,
                                     .kinetic = "0",
                                     .static_limit = "0",
                                     .external = joint->force};
    joint->force = NULL;
    return dt_add_item(m, DT_ITEM_stiction, &def, origin(m, coupling), error);
}

static detent_status check_stiction(const detent_mechanism *m, int coupling, int k,
                                    detent_error *error)
{
    const detent_stiction_def *def =
        &DT_AT(DT_RECORDS(m->builder, stiction), dt_stiction_record, k)->def;
    return def->test ? refuse(m, coupling, "its joint has a test friction of its own", error)
                     : DETENT_OK;
}

/* `stiction`: of every primitive, kept up to date. */
static detent_status mark(detent_mechanism *m, int coupling, int *stiction, detent_error *error)
{
    const detent_coupling_def *def = dt_coupling(m, coupling);
    const int i = dt_find_primitive(m, def->primitive[0]);
    if (dt_motion_text(&dt_primitive_record_of(m, i)->def)) {
        return refuse(m, coupling,
                      "it is that of the first joint, which has a motion; name the other one first",
                      error);
    }
    if (stiction[i] >= 0) {
        return check_stiction(m, coupling, stiction[i], error);
    }
    stiction[i] = DT_RECORDS(m->builder, stiction).count;
    return add_stiction(m, coupling, i, error);
}

/* Whoever tells what couplings do goes through all their joints: there they are. */
static detent_status check_joints(detent_mechanism *m, detent_error *error)
{
    const dt_list *records = &DT_RECORDS(m->builder, coupling);
    detent_status status = DETENT_OK;
    bool any = false;
    for (int n = 0; n < records->count; n++) {
        any = any || dt_mesh_rubs(dt_coupling(m, n));
    }
    for (int n = 0; any && n < records->count && !status; n++) {
        const dt_coupling_record *record = DT_AT(*records, dt_coupling_record, n);
        for (int k = 0, i; k < (int)record->def.count && !status; k++) {
            status = dt_find_coupled(m, record, k, &i, error);
        }
    }
    return status;
}

detent_status dt_mark_meshes(detent_mechanism *m, detent_error *error)
{
    dt_builder *b = m->builder;
    int *stiction = NULL;
    detent_status status = check_joints(m, error);
    for (int k = 0; k < DT_RECORDS(b, coupling).count && !status; k++) {
        if (!dt_mesh_rubs(dt_coupling(m, k))) {
            continue;
        }
        if (!b->net) {
            stiction = list_stictions(m);
            b->net = dt_arena_one(&b->arena, sizeof *b->net);
            if (!stiction || !b->net || !make_net(m, b->net)) {
                return dt_out_of_memory(error);
            }
        }
        status = mark(m, k, stiction, error);
    }
    return status;
}

/* ---- what a coupling does ---- */

/* Whether the actuation of a primitive can stand in a law that is read where `reader` is. */
static bool can_stand(const detent_mechanism *m, int i, const dt_origin *reader)
{
    const dt_origin *at;
    return !dt_actuation_text(m, i, &at) || (!at->index_name && !reader->index_name) ||
           (at->index_name && reader->index_name && at->index == reader->index &&
            strcmp(at->index_name, reader->index_name) == 0);
}

/* The force along a joint less what acts there but couplings that are conditions. NULL when memory is out. */
static const char *tell_coupled(detent_mechanism *m, int i)
{
    dt_arena *arena = &m->builder->arena;
    const dt_primitive *p = &m->primitives[i];
    const dt_origin *at;
    const char *force = dt_actuation_text(m, i, &at), *elastic = dt_elastic_push(m, i);
    const char *text = elastic ? dt_arena_printf(arena, "force(%s)", p->name) : NULL;
    if (text && p->stiffness != 0) {
        text = dt_arena_printf(arena, "%s + %.17g*(position(%s) - (%.17g))", text, p->stiffness,
                               p->name, p->rest);
    }
    if (text && p->damping != 0) {
        text = dt_arena_printf(arena, "%s + %.17g*velocity(%s)", text, p->damping, p->name);
    }
    if (text && force) {
        force = dt_law_part(m->builder, force);
        text = force ? dt_arena_printf(arena, "%s - %s", text, force) : NULL;
    }
    return text && *elastic ? dt_arena_printf(arena, "%s - (0%s)", text, elastic) : text;
}

static const char *tell_along(detent_mechanism *m, int coupling, int place,
                              const dt_origin *reader);

/*
 * What a coupling does along its joint at `place`, as a text; NULL: it cannot be told from that joint, or memory is out, `lost`.
 * Couplings that are open are not gone through again.
 */
static const char *tell_at(detent_mechanism *m, int coupling, int place, const dt_origin *reader)
{
    net *of = m->builder->net;
    const int i = dt_find_primitive(m, dt_coupling(m, coupling)->primitive[place]);
    if (of->looped[i] || i == of->avoided || !can_stand(m, i, reader) ||
        dt_motion_text(&dt_primitive_record_of(m, i)->def) || of->pushed[i]) {
        return NULL;
    }
    const char *text = tell_coupled(m, i);
    of->lost = of->lost || !text;
    for (int e = of->along.first[i]; e >= 0 && text; e = of->along.next[e]) {
        const char *other = e / DT_TRANSMITTED != coupling
                                ? tell_along(m, e / DT_TRANSMITTED, e % DT_TRANSMITTED, reader)
                                : "";
        if (other && *other) {
            text = dt_arena_printf(&m->builder->arena, "%s - (%s)", text, other);
            of->lost = of->lost || !text;
        } else if (!other) {
            text = NULL;
        }
    }
    return text;
}

/* How much there is beside a coupling along one of its joints. */
static int burden(const detent_mechanism *m, int coupling, int place)
{
    const net *of = m->builder->net;
    const int i = dt_find_primitive(m, dt_coupling(m, coupling)->primitive[place]);
    const dt_primitive *p = &m->primitives[i];
    const dt_origin *at;
    int sum = (dt_actuation_text(m, i, &at) != NULL) + (p->stiffness != 0) + (p->damping != 0) +
              4 * (p->stiction >= 0);
    for (int e = of->along.first[i]; e >= 0; e = of->along.next[e]) {
        sum += 16 * (e / DT_TRANSMITTED != coupling);
    }
    return sum;
}

/* The joint of a coupling that has least beside it, of those that have not been tried. */
static int easiest(const detent_mechanism *m, int coupling, const bool *tried)
{
    int best = -1, least = 0;
    for (int j = 0; j < (int)dt_coupling(m, coupling)->count; j++) {
        const int weight = burden(m, coupling, j);
        if (!tried[j] && (best < 0 || weight < least)) {
            best = j;
            least = weight;
        }
    }
    return best;
}

/* The same told from whichever of its joints it can be, the easiest first. */
static const char *tell_along(detent_mechanism *m, int coupling, int place, const dt_origin *reader)
{
    const detent_coupling_def *def = dt_coupling(m, coupling);
    net *of = m->builder->net;
    bool tried[DT_TRANSMITTED] = {false};
    const char *text = NULL;
    if (of->open[coupling] || of->left-- <= 0) {
        return NULL;
    }
    of->open[coupling] = true;
    for (size_t n = 0; n < def->count && !text && !of->lost; n++) {
        const int best = easiest(m, coupling, tried);
        tried[best] = true;
        text = tell_at(m, coupling, best, reader);
        if (text && best != place) {
            text = dt_arena_printf(&m->builder->arena, "%.17g*(%s)",
                                   def->factor[place] / def->factor[best], text);
            of->lost = of->lost || !text;
        }
    }
    of->open[coupling] = false;
    return text;
}

/* ---- laws ---- */

/* max(-a s L, b s L); written so that which branch it is does not depend on s: that is remembered, for both directions. */
static const char *loss(detent_mechanism *m, const char *direction, const char *L, double driving,
                        double driven)
{
    dt_arena *arena = &m->builder->arena;
    const double mean = 0.5 * (driving + driven), off = 0.5 * (driven - driving);
    return off == 0 ? dt_arena_printf(arena, "%.17g*abs(%s)", mean, L)
                    : dt_arena_printf(arena, "(%.17g*abs(%s) + (%.17g)*%s*(%s))", mean, L, off,
                                      direction, L);
}

/* A limit of both directions as one of each. False when memory is out. */
static bool split_static(dt_builder *b, detent_stiction_def *def)
{
    if (def->static_limit) {
        const char *limit = dt_law_part(b, def->static_limit);
        def->forward = limit ? dt_arena_printf(&b->arena, "-%s", limit) : NULL;
        def->reverse = def->static_limit;
        def->static_limit = NULL;
    }
    return def->forward != NULL;
}

/* The mesh `coupling`, which does L, added to the texts of the stiction of its first joint. False when memory is out. */
static bool add_mesh(detent_mechanism *m, int coupling, const char *L, detent_stiction_def *def)
{
    dt_arena *arena = &m->builder->arena;
    const detent_coupling_def *mesh = dt_coupling(m, coupling);
    const double driving =
                     mesh->static_loss_driving > 0 ? mesh->static_loss_driving : mesh->loss_driving,
                 driven =
                     mesh->static_loss_driven > 0 ? mesh->static_loss_driven : mesh->loss_driven;
    if (driving != driven && !split_static(m->builder, def)) {
        return false;
    }
    const struct {
        const char **text, *sign, *direction;
        double driving, driven;
    } laws[] = {{&def->kinetic, "+", "dir", mesh->loss_driving, mesh->loss_driven},
                {&def->static_limit, "+", "", driving, driven},
                {&def->forward, "-", "1", driving, driven},
                {&def->reverse, "+", "(-1)", driving, driven}};
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
        if (*laws[l].text) {
            const char *own = dt_law_part(m->builder, *laws[l].text),
                       *more = loss(m, laws[l].direction, L, laws[l].driving, laws[l].driven);
            *laws[l].text = own && more ? dt_arena_printf(arena, "%s %s (%.17g + %s)", own,
                                                          laws[l].sign, mesh->no_load, more)
                                        : NULL;
            if (!*laws[l].text) {
                return false;
            }
        }
    }
    return true;
}

/*
 * Whether friction that follows the force along its own joint might leave nothing of that joint's own equation: on one branch of
 * |L| it is 1 - a of what it was. With the coupling that is determined all the same, but not before it is there. No more of them than that:
 * what a law is told from farther off costs more to follow.
 */
static bool cancels(double share)
{
    static const double left_over = 1e-4;
    return fabs(1 - share) < left_over;
}

static bool mesh_cancels(const detent_coupling_def *mesh)
{
    return cancels(mesh->loss_driving) || cancels(mesh->loss_driven) ||
           cancels(mesh->static_loss_driving) || cancels(mesh->static_loss_driven);
}

detent_status dt_mesh_add(detent_mechanism *m, int primitive, const dt_origin *reader,
                          detent_stiction_def *def, bool *any, detent_error *error)
{
    net *of = m->builder->net;
    *any = false;
    for (int e = of ? of->along.first[primitive] : -1; e >= 0; e = of->along.next[e]) {
        const int coupling = e / DT_TRANSMITTED;
        if (e % DT_TRANSMITTED != 0 || !dt_mesh_rubs(dt_coupling(m, coupling))) {
            continue;
        }
        of->left = MOST_TOLD;
        of->avoided = mesh_cancels(dt_coupling(m, coupling)) ? primitive : -1;
        const char *L = tell_along(m, coupling, 0, reader);
        if (!L && !of->lost) {
            L = dt_arena_printf(&m->builder->arena, "coupling_force(%s)",
                                dt_coupling(m, coupling)->name);
        }
        if (!L || !add_mesh(m, coupling, L, def)) {
            return dt_out_of_memory(error);
        }
        *any = true;
    }
    return DETENT_OK;
}
