/* What readings of items stand for: position(elbow), position(tip, x, arm), kinetic_energy(). See the table of variables. */

#include "base/nearest.h"
#include "model/measure.h"
#include "model/scope_parts.h"
#include "model/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * What can be asked for a reading: who finds what is meant; where its items are listed, 0: among joints, bodies and points, or with
 * the element that has the function; and why laws cannot read of it what only outputs can.
 */
#define SUBJECT_TABLE(ROW)                                                              \
    ROW(SCALAR, primitive, 0, NULL)                                                     \
    ROW(ANY, primitive, 0, NULL)                                                        \
    ROW(STICTION, primitive, 0, "a law that depends on modes could contradict them")    \
    ROW(POINT, view, 0, "a law reads the coordinates of joints")                        \
    ROW(FRAME, view, 0, "a law reads the coordinates of joints")                        \
    ROW(MASS, mass, 0, "a law reads the coordinates of joints")                         \
    ROW(TIE, tie, 0, "loops are closed for laws")                                       \
    ROW(WHOLE, whole, 0, "a law reads joints and states, not the mechanism as a whole") \
    ROW(STATE, state, 1 + DT_ITEM_state, NULL)                                          \
    ROW(SAMPLED, sampled, 1 + DT_ITEM_sampled, NULL)                                    \
    ROW(PREVIOUS, previous, 1 + DT_ITEM_sampled, NULL)                                  \
    ROW(ROD, rod, 0, "laws do not read what massless rods carry")                       \
    ROW(CONTACT, contact, 0, NULL)                                                      \
    ROW(COUPLING, coupling, 1 + DT_ITEM_coupling, NULL)                                 \
    ROW(ITEM, added, 0, "a law reads the coordinates of joints")                        \
    ROW(BEARING, primitive, 0, NULL)                                                    \
    ROW(REST, primitive, 0, NULL)                                                       \
    ROW(NOTHING, primitive, 0, NULL)

#define SUBJECT_NUMBER(subject, find, items, reason) SUBJECT_##subject,
typedef enum subject { SUBJECT_TABLE(SUBJECT_NUMBER) SUBJECTS } subject;
#undef SUBJECT_NUMBER

typedef struct reading {
    const char *function, *component; /* NULL: not read by a function */
    dt_variable_kind kind;
    subject subject;
    bool outputs_only;
} reading;

static const reading readings[] = {
#define READING(kind, function, component, measure, subject, traits, family, part) \
    {function, component, DT_VARIABLE_##kind, SUBJECT_##subject, ((traits)&DT_OF_OUTPUTS) != 0},
    DT_VARIABLE_TABLE(READING)
#undef READING
};
enum { READINGS = sizeof readings / sizeof *readings };

/* `item`: that it is read of; "": of the mechanism as a whole. */
static const reading *find_reading(const char *function, const char *item, const char *component)
{
    for (int i = 0; i < READINGS; i++) {
        if (readings[i].function && strcmp(readings[i].function, function) == 0 &&
            strcmp(readings[i].component, component) == 0 &&
            (readings[i].subject == SUBJECT_WHOLE) == !*item) {
            return &readings[i];
        }
    }
    return NULL;
}

bool dt_scope_is_function(const char *function)
{
    for (int i = 0; i < READINGS; i++) {
        if (readings[i].function && strcmp(readings[i].function, function) == 0) {
            return true;
        }
    }
    return false;
}

/* Of what a reading measures, along a joint of this kind. */
static dt_dimension dimension_of(const reading *r, bool rotational)
{
    return *dt_measures[r->kind]->dimension[rotational];
}

/* The primitive of that name; for a reaction also a joint of several primitives, which stands for its last. */
static int find_primitive(const detent_mechanism *m, const char *item, subject wanted)
{
    int primitive = dt_find_primitive(m, item);
    if (primitive < 0 && wanted == SUBJECT_ANY) {
        int joint = dt_name_map_get(&m->joint_names, item);
        primitive = joint < 0
                        ? -1
                        : m->joints[joint].first_primitive + m->joints[joint].primitive_count - 1;
    }
    return primitive;
}

/* Whether it has components that bodies have. */
static bool is_of_points(const char *function)
{
    const reading *r = find_reading(function, "item", "x");
    return r && r->subject == SUBJECT_POINT;
}

/* A reading of a joint that names a body. */
static dt_symbol refuse_body(dt_law_scope *f, const char *function, const char *name)
{
    const detent_mechanism *m = f->m;
    const int body = dt_name_map_get(&m->body_names, name);
    const char *joint = "";
    for (int j = 0; j < m->joint_count; j++) {
        joint = body >= 0 && m->joints[j].follower == body
                    ? m->primitives[m->joints[j].first_primitive + m->joints[j].primitive_count - 1]
                          .name
                    : joint;
    }
    char example[128] = "", instead[160] = "";
    if (*joint) {
        snprintf(example, sizeof example, ": %s(%s)", function, joint);
    }
    if (is_of_points(function)) {
        snprintf(instead, sizeof instead,
                 "; of bodies and points there are %s(%s, x), y and z, in outputs", function, name);
    }
    return dt_scope_refuse(f, function, "%s(%s): '%s' is a %s, and this is read of joints%s%s",
                           function, name, name, body < 0 ? "point" : "body", example, instead);
}

/* Complained about at one of its texts. */
static dt_symbol at(dt_argument argument, dt_symbol symbol)
{
    symbol.argument = argument;
    return symbol;
}

static dt_symbol primitive_symbol(dt_law_scope *f, const reading *r, const dt_reading *w)
{
    const char *item = w->item;
    const detent_mechanism *m = f->m;
    int index = find_primitive(m, item, r->subject);
    if (index < 0) {
        int joint = dt_name_map_get(&m->joint_names, item);
        if (joint < 0 && dt_frame_find(m, item) >= 0) {
            return refuse_body(f, r->function, item);
        }
        return joint < 0 ? dt_scope_phantom(f, r->kind, item)
                         : at(DT_ARGUMENT_ITEM,
                              dt_scope_refuse(
                                  f, r->function,
                                  "%s(%s): the joint has several primitives; name one, such as %s",
                                  r->function, item,
                                  m->primitives[m->joints[joint].first_primitive].name));
    }
    const dt_primitive_type *type = m->tree.nodes[index].type;
    if (r->subject != SUBJECT_ANY && type->nv != 1) {
        return dt_scope_refuse(f, r->function, "%s(%s): a %s primitive has no single %s",
                               r->function, item, type->name, r->function);
    }
    const int traits = dt_variable_traits[r->kind];
    const bool shown = (traits & DT_OF_FRICTION) && f->law->use >= DT_USE_OUTPUT &&
                       m->primitives[index].has_friction_law;
    const bool split = traits & (DT_OF_EFFORT | DT_OF_FRICTION);
    if (split && f->law->use < DT_USE_OUTPUT && m->primitives[index].rubs) {
        return dt_scope_refuse(f, r->function,
                               "%s(%s): the joint has friction of a law; this can be read only in "
                               "outputs",
                               r->function, item);
    }
    const double fixed =
        r->subject == SUBJECT_STICTION ? dt_scope_frictionless(f, r->kind, index) : (double)NAN;
    if (!isnan(fixed)) {
        return (dt_symbol){.kind = DT_SYMBOL_CONSTANT,
                           .value = fixed,
                           .dimension = dimension_of(r, type->rotational)};
    }
    if (r->subject == SUBJECT_STICTION && m->primitives[index].stiction < 0 && !shown) {
        return dt_scope_refuse(f, r->function, "%s(%s): '%s' has no stiction", r->function, item,
                               item);
    }
    if (r->subject == SUBJECT_REST) {
        return dt_scope_rest(f, r->function, index);
    }
    if (r->subject == SUBJECT_BEARING && !dt_bearing_of(m, index)) {
        return dt_scope_refuse(f, r->function, "%s(%s): the stiction of '%s' has no 'bearing'",
                               r->function, item, item);
    }
    return dt_scope_variable(r->kind, index, dimension_of(r, type->rotational));
}

/* The kind of element's items of which something is read, by its number; -1: none. */
static int kind_of_reading(const detent_mechanism *m, const reading *r)
{
    for (int k = 0; m->source && k < m->source->count; k++) {
        const dt_item_kind *kind = m->source->kind(k);
        if (kind && dt_item_is_read(kind, r->kind)) {
            return DT_ITEM_KINDS + k;
        }
    }
    return -1;
}

/* What an element's item does. */
static dt_symbol added_symbol(dt_law_scope *f, const reading *r, const dt_reading *w)
{
    const int number = kind_of_reading(f->m, r);
    const int index = number < 0 ? -1 : dt_name_map_get(dt_names_of(f->m, number), w->item);
    return index < 0 ? dt_scope_phantom(f, r->kind, w->item)
                     : dt_scope_variable(r->kind, index, dimension_of(r, false));
}

/* What a coupling does along its first joint. Friction is solved together with that. */
static dt_symbol coupling_symbol(dt_law_scope *f, const reading *r, const dt_reading *w)
{
    const char *item = w->item;
    const detent_mechanism *m = f->m;
    const int coupling = dt_name_map_get(dt_names_of(f->m, DT_ITEM_coupling), item);
    if (coupling < 0) {
        const dt_symbol none = dt_scope_phantom(f, r->kind, item);
        return none.kind != DT_SYMBOL_UNKNOWN
                   ? none
                   : dt_scope_refuse(f, r->function, "%s(%s): there is no coupling '%s'",
                                     r->function, item, item);
    }
    const int joint = dt_find_primitive(m, dt_coupling(m, coupling)->primitive[0]);
    if (dt_is_elastic(dt_coupling(m, coupling))) {
        return dt_scope_refuse(
            f, r->function,
            "%s(%s): the coupling is elastic; what it does is in the force along its joints",
            r->function, item);
    }
    return dt_scope_variable(r->kind, dt_transmission_row(m, dt_transmission_of(m, coupling)),
                             dimension_of(r, joint >= 0 && m->tree.nodes[joint].type->rotational));
}

/* Whom something is seen from, or along whose axes; unknown: there is nobody of that name, and it is no phantom. */
static dt_symbol find_view(dt_law_scope *f, const reading *r, const dt_reading *w,
                           dt_argument argument, int *found)
{
    const char *name = argument == DT_ARGUMENT_OBSERVER ? w->observer : w->axes;
    *found = dt_frame_find(f->m, name);
    if (*found != DT_NO_FRAME) {
        return dt_scope_variable(r->kind, 0, dt_dimension_unknown);
    }
    const dt_symbol none = dt_scope_phantom(f, r->kind, name);
    const char *nearest = dt_nearest_frame(f->m, name);
    return none.kind != DT_SYMBOL_UNKNOWN
               ? none
               : at(argument,
                    dt_scope_refuse(
                        f, r->function, "%s(%s, %s, ...): there is no body or point '%s'%s%s%s",
                        r->function, w->item, w->component, name, nearest ? "; did you mean '" : "",
                        nearest ? nearest : "", nearest ? "'?" : ""));
}

/* Of a body or a point, seen from another one. */
static dt_symbol view_symbol(dt_law_scope *f, const reading *r, const dt_reading *w)
{
    dt_view view = {.of = dt_frame_find(f->m, w->item), .observer = -1};
    dt_symbol symbol = {.kind = DT_SYMBOL_VARIABLE};
    if (view.of == DT_NO_FRAME) {
        return dt_name_map_get(&f->m->joint_names, w->item) < 0
                   ? dt_scope_phantom(f, r->kind, w->item)
                   : dt_scope_refuse(
                         f, r->function,
                         "%s(%s, %s): this is read of bodies and points, and '%s' is a joint",
                         r->function, w->item, w->component, w->item);
    }
    if (*w->observer) {
        symbol = find_view(f, r, w, DT_ARGUMENT_OBSERVER, &view.observer);
    }
    view.axes = view.observer;
    if (*w->axes && symbol.kind == DT_SYMBOL_VARIABLE && view.observer != DT_NO_FRAME) {
        symbol = find_view(f, r, w, DT_ARGUMENT_AXES, &view.axes);
    }
    if (symbol.kind == DT_SYMBOL_UNKNOWN || view.observer == DT_NO_FRAME ||
        view.axes == DT_NO_FRAME) {
        return symbol;
    }
    const int index = dt_view_number(f->m, &view);
    f->out_of_memory = index < 0;
    return index < 0 ? dt_unknown_symbol
                     : dt_scope_variable(r->kind, index, dimension_of(r, false));
}

static dt_symbol mass_symbol(dt_law_scope *f, const reading *r, const dt_reading *w)
{
    const char *item = w->item;
    const int body = dt_name_map_get(&f->m->body_names, item);
    if (body < 0) {
        return dt_name_map_get(&f->m->joint_names, item) < 0 &&
                       dt_frame_find(f->m, item) == DT_NO_FRAME
                   ? dt_scope_phantom(f, r->kind, item)
                   : dt_scope_refuse(f, r->function, "%s(%s): '%s' is no body, and has no mass",
                                     r->function, item, item);
    }
    const int index = dt_weight_number(f->m, body);
    f->out_of_memory = index < 0;
    return index < 0 ? dt_unknown_symbol
                     : dt_scope_variable(r->kind, index, dimension_of(r, false));
}

static dt_symbol tie_symbol(dt_law_scope *f, const reading *r, const dt_reading *w)
{
    const char *item = w->item;
    detent_mechanism *m = f->m;
    const int row = dt_find_tie(m, item);
    if (row >= 0) {
        return dt_scope_variable(r->kind, row, dimension_of(r, false));
    }
    const dt_symbol none = dt_scope_phantom(f, r->kind, item);
    return none.kind != DT_SYMBOL_UNKNOWN ? none
           : m->loop_count > 0
               ? dt_scope_refuse(
                     f, r->function,
                     "%s(%s): there is no loop that is cut at '%s' (one is cut at '%s'), and no "
                     "such coupling",
                     r->function, item, item, m->joints[m->loops[0].joint].name)
               : dt_scope_refuse(
                     f, r->function,
                     "%s(%s): there is no loop, and no coupling '%s' that is not elastic",
                     r->function, item, item);
}

/* What an item that ties carries: a distance along itself, a cam along its follower, a slot to its point. `what`: in words. */
static dt_symbol carried_symbol(dt_law_scope *f, const reading *r, const char *item,
                                const char *what)
{
    const dt_item_list *list = NULL;
    const int index = dt_find_tying(f->m, (int)r->kind, item, &list);
    if (index < 0) {
        const dt_symbol none = dt_scope_phantom(f, r->kind, item);
        return none.kind != DT_SYMBOL_UNKNOWN
                   ? none
                   : dt_scope_refuse(f, r->function, "%s(%s): there is no %s '%s'", r->function,
                                     item, what, item);
    }
    return dt_scope_variable(r->kind, dt_item_row(list, index),
                             dimension_of(r, dt_added_turns(f->m, list, index)));
}

static dt_symbol rod_symbol(dt_law_scope *f, const reading *r, const dt_reading *w)
{
    return carried_symbol(f, r, w->item, "distance");
}

static dt_symbol contact_symbol(dt_law_scope *f, const reading *r, const dt_reading *w)
{
    return carried_symbol(f, r, w->item, "cam or slot");
}

static dt_symbol whole_symbol(dt_law_scope *f, const reading *r, const dt_reading *w)
{
    (void)f, (void)w;
    return dt_scope_variable(r->kind, 0, dimension_of(r, false));
}

static dt_symbol state_symbol(dt_law_scope *f, const reading *r, const dt_reading *w)
{
    const int state = dt_name_map_get(&f->m->state_names, w->item);
    return state < 0 ? dt_scope_phantom(f, r->kind, w->item) : dt_scope_state(f, state);
}

/* `before`: what it was before the instant, or `number` of them. */
static dt_symbol held_symbol(dt_law_scope *f, const reading *r, const dt_reading *w, bool before)
{
    const int sampled = dt_name_map_get(&f->m->sampled_names, w->item);
    return sampled < 0     ? dt_scope_phantom(f, r->kind, w->item)
           : w->number > 1 ? dt_scope_delay(f, sampled, w->number)
                           : dt_scope_sampled(f, sampled, before);
}

static dt_symbol sampled_symbol(dt_law_scope *f, const reading *r, const dt_reading *w)
{
    return held_symbol(f, r, w, false);
}

static dt_symbol previous_symbol(dt_law_scope *f, const reading *r, const dt_reading *w)
{
    return f->law->use == DT_USE_SAMPLE
               ? held_symbol(f, r, w, true)
               : dt_scope_refuse(f, r->function, "previous(%s) can be used only in sampled values",
                                 w->item);
}

static const struct {
    dt_symbol (*find)(dt_law_scope *f, const reading *r, const dt_reading *w);
    int items;
    const char *reason;
} subjects[SUBJECTS] = {
#define SUBJECT(subject, find, items, reason) \
    [SUBJECT_##subject] = {find##_symbol, (items), (reason)},
    SUBJECT_TABLE(SUBJECT)
#undef SUBJECT
};

/* A function that has no such component, or needs one. */
static dt_symbol refuse_component(dt_law_scope *f, const dt_reading *w)
{
    const char *components[READINGS], *given = w->component;
    char list[160] = "";
    size_t count = 0, used = 0;
    for (int i = 0; i < READINGS; i++) {
        if (readings[i].function && strcmp(readings[i].function, w->function) == 0 &&
            *readings[i].component) {
            components[count++] = readings[i].component;
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", count > 1 ? ", " : "",
                                     components[count - 1]);
        }
    }
    if (find_reading(w->function, "", "") && !find_reading(w->function, "item", "")) {
        return dt_scope_refuse(f, w->function,
                               "%s(%s): this is read of the mechanism as a whole: %s()",
                               w->function, w->item, w->function);
    }
    if (count == 0) {
        return at(DT_ARGUMENT_COMPONENT,
                  dt_scope_refuse(f, w->function, "%s(%s, %s): it has no components", w->function,
                                  w->item, given));
    }
    const char *nearest = *given ? dt_nearest(given, components, count) : NULL;
    return *given
               ? at(DT_ARGUMENT_COMPONENT,
                    dt_scope_refuse(f, w->function,
                                    "%s(%s, %s): there is no such component%s%s%s (there are %s)",
                                    w->function, w->item, given, nearest ? "; did you mean '" : "",
                                    nearest ? nearest : "", nearest ? "'?" : "", list))
               : dt_scope_refuse(f, w->function, "%s(%s) needs a component behind a comma: %s",
                                 w->function, w->item, list);
}

/* What is seen from somewhere. */
static dt_symbol refuse_view(dt_law_scope *f, const reading *r, const dt_reading *w)
{
    return r->subject == SUBJECT_FRAME
               ? at(DT_ARGUMENT_AXES,
                    dt_scope_refuse(f, r->function,
                                    "%s(%s, %s, %s, %s): axes are seen from one body alone",
                                    r->function, w->item, w->component, w->observer, w->axes))
               : at(DT_ARGUMENT_OBSERVER,
                    dt_scope_refuse(
                        f, r->function,
                        "%s(%s, %s, %s): only what is read of a body or a point is seen from "
                        "another one",
                        r->function, w->item, w->component, w->observer));
}

dt_symbol dt_scope_reading(void *context, const dt_reading *w)
{
    dt_law_scope *f = context;
    dt_use use = f->law->use;
    const char *function = w->function, *item = w->item;
    if (strlen(function) == 1 && strchr("xyz", *function)) {
        return at(DT_ARGUMENT_ITEM,
                  dt_scope_refuse(f, function, "a coordinate of a body is read as position(%s, %s)",
                                  item, function));
    }
    if (!dt_scope_is_function(function)) {
        return dt_unknown_symbol;
    }
    if (use < (strcmp(function, "sampled") == 0 ? DT_USE_GRAVITY : DT_USE_FORCE)) {
        return dt_scope_refuse(f, function, "%s() cannot be used in %s", function,
                               dt_use_text(use));
    }
    const reading *r = find_reading(function, item, w->component);
    if (!r) {
        return refuse_component(f, w);
    }
    if (r->outputs_only && use < DT_USE_OUTPUT && r->subject != SUBJECT_REST) {
        return dt_scope_refuse(f, r->function, "%s(%s%s%s) can be used only in outputs: %s",
                               function, item, *w->component ? ", " : "", w->component,
                               subjects[r->subject].reason);
    }
    if ((dt_variable_traits[r->kind] & DT_OF_COUPLINGS) && use < DT_USE_OUTPUT &&
        use != DT_USE_FRICTION && use != DT_USE_DRAG) {
        return dt_scope_refuse(f, r->function,
                               "%s(%s) can be used only in outputs and in friction: of a stiction, "
                               "its limits, and the "
                               "normal force of a friction law",
                               function, item);
    }
    if ((*w->observer && r->subject != SUBJECT_POINT && r->subject != SUBJECT_FRAME) ||
        (*w->axes && r->subject != SUBJECT_POINT)) {
        return refuse_view(f, r, w);
    }
    return subjects[r->subject].find(f, r, w);
}

const char *dt_scope_nearest(const dt_law_scope *f, const char *function, const char *item)
{
    const detent_mechanism *m = f->m;
    const reading *r = find_reading(function, item, "");
    const int items = r ? subjects[r->subject].items : 0;
    const int number = !r ? -1 : items > 0 ? items - 1 : kind_of_reading(m, r);
    if (number >= 0) {
        return dt_nearest_record(m->builder, &m->builder->items[number].list,
                                 dt_record_size(dt_item_kind_of(m->source, number)),
                                 offsetof(dt_item_head, name), item, NULL);
    }
    return dt_nearest_readable(m, item);
}
