/* What follows from items of elements, when bodies and joints are known: their ends become places, their joints primitives,
 * their laws programs. Nothing here knows a kind. */

#include "math/rotation.h"
#include "math/vec3.h"
#include "model/record.h"

#include <string.h>

/* One item while it is compiled. */
typedef struct entry {
    const dt_item_kind *kind;
    const void *record;
    const char *name;
    const dt_origin *origin;
} entry;

static int count_keys(const dt_item_kind *kind, dt_value_kind of)
{
    int count = 0;
    for (const dt_key *key = kind->keys; key->name; key++) {
        count += key->kind == of;
    }
    return count;
}

static const void *field_of(const entry *e, const dt_key *key)
{
    return (const char *)e->record + key->offset;
}

static detent_status refuse(const detent_mechanism *m, const entry *e, const char *key,
                            const char *why, detent_error *error)
{
    return dt_refuse_item(m->builder, e->kind, e->record, key, why, error);
}

/* ---- ends ---- */

static int count_ends(const dt_item_kind *kind)
{
    return 2 * (count_keys(kind, DT_VALUE_ENDS) + count_keys(kind, DT_VALUE_END_FRAMES));
}

/* Axes of a place, until now those of its body: its own. */
static void turn_place(const double q[4], dt_load *place)
{
    double turn[9], body[9];
    if (q[0] == 0 && dt_norm3(q + 1) == 0) {
        return;
    }
    dt_rotation_from_quaternion(turn, q);
    memcpy(body, place->R, sizeof body);
    dt_mul33(place->R, body, turn);
}

static detent_status compile_ends(detent_mechanism *m, const entry *e, const dt_key *key,
                                  dt_load *place, detent_error *error)
{
    const dt_ends *ends = field_of(e, key);
    const dt_location where = dt_locate(m->builder, e->origin, NULL, key->name, -1);
    for (int k = 0; k < 2; k++) {
        int index = -1;
        const detent_status status = dt_find_body(m, ends->body[k], &where, &index, error);
        if (status) {
            return status;
        }
        place[k] = dt_place_on_body(m, index, ends->point[k]);
        if (key->kind == DT_VALUE_END_FRAMES) {
            turn_place(((const dt_end_frames *)(const void *)ends)->rotation[k], &place[k]);
        }
        place[k].name = e->name;
        place[k].frame = DETENT_FRAME_WORLD;
    }
    const bool ground = place[0].body < 0;
    return place[0].body != place[1].body
               ? DETENT_OK
               : dt_fail(error, DETENT_ERROR_MODEL, &where,
                         "%s '%s': both ends are on %s%s%s, so that it moves nothing",
                         e->kind->what, e->name, ground ? "the ground" : "the body '",
                         ground ? "" : ends->body[0], ground ? "" : "'");
}

/* ---- joints ---- */

/* `key`: where it is named. */
static detent_status compile_joint(detent_mechanism *m, const entry *e, const char *name,
                                   const char *key, int *primitive, detent_error *error)
{
    *primitive = dt_find_primitive(m, name);
    if (*primitive < 0) {
        const dt_location where = dt_locate(m->builder, e->origin, NULL, key, -1);
        const dt_list primitives = {(void *)(size_t)m->primitives, m->primitive_count, 0};
        return dt_fail_unknown("joint", name,
                               dt_nearest_record(m->builder, &primitives, sizeof(dt_primitive),
                                                 offsetof(dt_primitive, name), name, NULL),
                               &where, error);
    }
    if (m->tree.nodes[*primitive].type->nv != 1) {
        return refuse(m, e, key, "only a revolute or a prismatic joint can have it", error);
    }
    return m->primitives[*primitive].motion && !e->kind->ties
               ? refuse(m, e, key, "the joint has a motion, which nothing changes", error)
               : DETENT_OK;
}

/* ---- laws ---- */

static const dt_key *find_key(const dt_item_kind *kind, const char *name)
{
    const dt_key *key = kind->keys;
    while (strcmp(key->name, name) != 0) {
        key++;
    }
    return key;
}

/* A dimension; of a quantity of its joint, what that is in this one; per load nothing is known. */
static const dt_dimension *dimension_along(const detent_mechanism *m, const dt_dimension *dimension,
                                           int primitive)
{
    const dt_key key = {.dimension = dimension};
    bool per_load;
    const dt_quantity quantity = dt_key_quantity(&key, &per_load);
    return quantity != DT_QUANTITY_NONE && !per_load && primitive >= 0
               ? dt_quantity_dimension(quantity, m->tree.nodes[primitive].type->rotational)
               : dimension;
}

static const dt_dimension *dimension_of(const detent_mechanism *m, const dt_item_law *law,
                                        int primitive)
{
    return law->dimension || primitive < 0
               ? dimension_along(m, law->dimension, primitive)
               : dt_quantity_dimension(DT_QUANTITY_EFFORT,
                                       m->tree.nodes[primitive].type->rotational);
}

/* What parts of a text may read: what the whole may, which is friction where the item is a stiction; and of one that is nothing, anything that
 * another one reads, so that a word more or less does not make it an error. */
static detent_status use_of_parts(detent_mechanism *m, const entry *e, dt_use *use,
                                  detent_error *error)
{
    dt_arena *arena = &m->builder->arena;
    const bool is_one = e->kind->text && e->kind->law_count == 1;
    *use = is_one ? e->kind->laws[0].use : DT_USE_FORCE;
    if (!e->kind->stiction) {
        return DETENT_OK;
    }
    detent_stiction_def def = {.primitive = e->name};
    const char *whole =
        is_one ? e->kind->text(arena, e->record, 0, &(dt_active){"0", "0", false}) : "0";
    const bool is_stiction = e->kind->stiction(arena, e->record, &def);
    if (!whole || (is_stiction && (!def.kinetic || !def.static_limit))) {
        return dt_out_of_memory(error);
    }
    *use = is_stiction || !*whole ? DT_USE_FRICTION : *use;
    return DETENT_OK;
}

/* Texts of which others are composed, alone: what is wrong in them is told with its place. */
static detent_status check_expressions(detent_mechanism *m, const entry *e, int primitive,
                                       detent_error *error)
{
    dt_use use;
    detent_status status = use_of_parts(m, e, &use, error);
    for (const dt_key *key = e->kind->keys; key->name && !status; key++) {
        const bool given =
            key->kind == DT_VALUE_EXPRESSION && *(const char *const *)field_of(e, key);
        if (given) {
            const dt_law_record law = {.text = *(const char *const *)field_of(e, key),
                                       .use = use,
                                       .primitive = primitive,
                                       .expected = dimension_along(m, key->dimension, primitive),
                                       .where =
                                           dt_locate(m->builder, e->origin, NULL, key->name, -1),
                                       .origin = e->origin};
            dt_program *program = NULL;
            status = dt_parse_law(m, &m->builder->arena, &law, &program, error);
        }
    }
    return status;
}

/* The text of its key, or what the kind composes. */
static detent_status text_of(detent_mechanism *m, const entry *e, int k, int primitive,
                             const char **text, detent_error *error)
{
    const char *why = NULL;
    dt_active active = {"0", "0", false};
    double inertia = 0;
    detent_status status = DETENT_OK;
    if (!e->kind->text) {
        *text = *(const char *const *)field_of(e, find_key(e->kind, e->kind->laws[k].key));
        return DETENT_OK;
    }
    if (e->kind->reads_active && e->kind->reads_active(e->record, &inertia)) {
        status = dt_active_force(m, primitive, inertia, &active, &why, error);
    }
    *text = status ? NULL : e->kind->text(&m->builder->arena, e->record, k, &active);
    return !status && why ? refuse(m, e, e->kind->laws[k].key, why, error) : status;
}

/* Whether a law reads force() of its own joint. */
static bool reads_own_force(const dt_program *p, int primitive)
{
    bool any = false;
    for (int k = 0; k < p->variable_count && !any; k++) {
        any = dt_variable_is(p->variables[k], DT_OF_EFFORT) && p->variables[k].index == primitive;
    }
    return any;
}

/* `joints`: of the item; the readings of the first are its own. */
static detent_status compile_law(detent_mechanism *m, const entry *e, int k, const int *joints,
                                 const dt_program **out, detent_error *error)
{
    const int primitive = joints ? joints[0] : -1;
    const dt_item_law *law = &e->kind->laws[k];
    const char *text = NULL;
    const detent_status told = text_of(m, e, k, primitive, &text, error);
    if (told) {
        return told;
    }
    const dt_law_record record = {.text = text,
                                  .use = law->use,
                                  .primitive = primitive,
                                  .expected = dimension_of(m, law, primitive),
                                  .where = dt_locate(m->builder, e->origin, NULL, law->key, -1),
                                  .origin = e->origin};
    dt_program *program = NULL;
    if (!text || !*text) {
        return e->kind->text && !text ? dt_out_of_memory(error) : DETENT_OK;
    }
    const detent_status status = dt_parse_law(m, &m->arena, &record, &program, error);
    const char *fault = status || !e->kind->law_fault ? NULL : e->kind->law_fault(program, joints);
    *out = program;
    if (fault) {
        return refuse(m, e, law->key, fault, error);
    }
    return status || primitive < 0 || !reads_own_force(program, primitive)
               ? status
               : refuse(m, e, law->key, "the law reads force(), which it is a part of", error);
}

/* ---- stictions ---- */

/* What an item that is a stiction says of steps of fixed length. */
static detent_status note_fixed_law(detent_mechanism *m, const entry *e, int primitive,
                                    detent_error *error)
{
    dt_fixed_law law = {.where = dt_locate(m->builder, e->origin, NULL, "law", -1)};
    law.word = e->kind->fixed_steps ? e->kind->fixed_steps(e->record, &law.band) : NULL;
    if (!law.word) {
        return DETENT_OK;
    }
    dt_stiction *stiction = (dt_stiction *)(size_t)&m->stictions[m->primitives[primitive].stiction];
    dt_fixed_law *kept = dt_arena_one(&m->arena, sizeof *kept);
    dt_friction *own = dt_arena_one(&m->arena, sizeof *own); /* others may share what it had */
    if (!kept || !own || !dt_keep_place(m, &law.where)) {
        return dt_out_of_memory(error);
    }
    *kept = law;
    *own = *stiction->friction;
    own->fixed_law = kept;
    stiction->friction = own;
    return DETENT_OK;
}

/* ---- an item, a kind, all ---- */

/* The first state of an item; -1: it has none. */
static detent_status find_state(detent_mechanism *m, const entry *e, int *state,
                                detent_error *error)
{
    *state = -1;
    if (dt_item_states_of(e->kind, e->record) > 0) {
        const char *name = dt_item_state_name(&m->builder->arena, e->kind, e->record, e->name, 0);
        if (!name) {
            return dt_out_of_memory(error);
        }
        *state = dt_name_map_get(&m->state_names, name);
    }
    return DETENT_OK;
}

static detent_status make_beside(detent_mechanism *m, const dt_item_list *list, const entry *e,
                                 int item, detent_error *error)
{
    const char *key = NULL, *fault = NULL;
    list->made[item] = e->kind->make(&m->arena, e->record,
                                     &list->program[e->kind->law_count * item], &key, &fault);
    return list->made[item] ? DETENT_OK
           : fault          ? refuse(m, e, key, fault, error)
                            : dt_out_of_memory(error);
}

static detent_status compile_item(detent_mechanism *m, const dt_item_list *list, const entry *e,
                                  int item, dt_load *places, detent_error *error)
{
    detent_status status = DETENT_OK;
    dt_load *place = places + dt_item_place(list, item);
    int *joint = list->joint + list->joints * item;
    if (e->kind->names_joint) {
        status = compile_joint(m, e, e->name, NULL, joint++, error);
    }
    for (const dt_key *key = e->kind->keys; key->name && !status; key++) {
        if (dt_key_is_ends(key)) {
            status = compile_ends(m, e, key, place, error);
            place += 2;
        } else if (key->kind == DT_VALUE_JOINT) {
            status = compile_joint(m, e, *(const char *const *)field_of(e, key), key->name, joint++,
                                   error);
        }
    }
    if (!status) {
        status = note_fixed_law(m, e, list->joints ? list->joint[list->joints * item] : -1, error);
    }
    if (!status) {
        list->where[item] = dt_locate(m->builder, e->origin, NULL, NULL, -1);
        status = dt_keep_place(m, &list->where[item]) ? DETENT_OK : dt_out_of_memory(error);
    }
    const int *own = list->joints ? &list->joint[list->joints * item] : NULL;
    for (int k = 0; k < e->kind->law_count && !status; k++) {
        status = compile_law(m, e, k, own, &list->program[e->kind->law_count * item + k], error);
    }
    if (!status && e->kind->make) {
        status = make_beside(m, list, e, item, error);
    }
    if (!status && e->kind->derivative) {
        status = find_state(m, e, &list->state[item], error);
    }
    return status;
}

detent_status dt_check_added(detent_mechanism *m, detent_error *error)
{
    detent_status status = DETENT_OK;
    for (int k = 0; m->source && k < m->source->count && !status; k++) {
        const dt_item_kind *kind = m->source->kind(k);
        const dt_list *records = &m->builder->items[DT_ITEM_KINDS + k].list;
        const bool composes = kind && (kind->text || kind->derivative);
        for (int i = 0; kind && i < records->count && !status; i++) {
            const char *record = (const char *)records->items + (size_t)i * dt_record_size(kind);
            const entry e = {kind, record, dt_record_name(record), dt_record_origin(kind, record)};
            status = dt_check_whole(m, kind, record, error);
            if (composes && !status) {
                status = check_expressions(m, &e, dt_first_primitive(m, kind, record), error);
            }
        }
    }
    return status;
}

static bool create_list(detent_mechanism *m, dt_item_list *list)
{
    const dt_item_kind *kind = list->kind;
    const size_t count = (size_t)list->count;
    list->joints = count_keys(kind, DT_VALUE_JOINT) + kind->names_joint;
    list->definitions = dt_arena_alloc(&m->arena, count, kind->size);
    list->joint = dt_arena_alloc(&m->arena, count * (size_t)list->joints, sizeof *list->joint);
    list->program =
        dt_arena_alloc(&m->arena, count * (size_t)kind->law_count, sizeof *list->program);
    list->state = dt_arena_alloc(&m->arena, kind->derivative ? count : 0, sizeof *list->state);
    list->made = dt_arena_alloc(&m->arena, kind->make ? count : 0, sizeof *list->made);
    list->where = dt_arena_alloc(&m->arena, count, sizeof *list->where);
    return list->where && list->made && list->definitions && list->joint && list->program &&
           list->state && dt_item_index_create(&m->arena, list, m->primitive_count);
}

static detent_status compile_kind(detent_mechanism *m, int number, dt_load *places,
                                  detent_error *error)
{
    dt_item_list *list = &m->added[number - DT_ITEM_KINDS];
    const dt_item_kind *kind = list->kind;
    const dt_list *records = &m->builder->items[number].list;
    detent_status status = create_list(m, list) ? DETENT_OK : dt_out_of_memory(error);
    for (int i = 0; i < list->count && !status; i++) {
        const char *record = (const char *)records->items + (size_t)i * dt_record_size(kind);
        const entry e = {kind, record, dt_record_name(record), dt_record_origin(kind, record)};
        char *definition = list->definitions + (size_t)i * kind->size;
        status = compile_item(m, list, &e, i, places, error);
        memcpy(definition, record, kind->size);
        dt_forget_texts(kind, definition);
        if (kind->names_joint && !status) { /* the other name is the builder's */
            ((dt_item_head *)(void *)definition)->name =
                m->primitives[list->joint[list->joints * i]].name;
        }
    }
    if (!status) {
        dt_item_index(list, m->primitive_count);
    }
    return status;
}

detent_status dt_number_ties(detent_mechanism *m, detent_error *error)
{
    int row = 6 * m->loop_count + m->transmission_count;
    (void)error;
    for (int k = 0; m->source && k < m->source->count; k++) {
        const dt_item_kind *kind = m->source->kind(k);
        dt_item_list *list = &m->added[k];
        list->kind = kind;
        list->count = kind ? m->builder->items[DT_ITEM_KINDS + k].list.count : 0;
        list->first_row = row;
        row += kind ? kind->ties * list->count : 0;
    }
    m->tying_rows = row - 6 * m->loop_count - m->transmission_count;
    return DETENT_OK;
}

int dt_count_added_places(detent_mechanism *m)
{
    int next = m->load_count;
    for (int k = 0; m->source && k < m->source->count; k++) {
        dt_item_list *list = &m->added[k];
        list->places = list->kind ? count_ends(list->kind) : 0;
        list->first_place = next;
        next += list->places * list->count;
    }
    return next - m->load_count;
}

detent_status dt_compile_added(detent_mechanism *m, dt_load *places, detent_error *error)
{
    detent_status status = DETENT_OK;
    for (int k = 0; m->source && k < m->source->count && !status; k++) {
        status = m->added[k].count ? compile_kind(m, DT_ITEM_KINDS + k, places, error) : DETENT_OK;
    }
    return status;
}
