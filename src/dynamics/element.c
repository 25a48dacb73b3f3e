#include "dynamics/element.h"
#include "dynamics/arm.h"

#include "math/inertia.h"

/* Where a mechanism has the number of what items are. */
static const size_t counters[DT_ITEM_SETS] = {
    [DT_ITEMS_PRIMITIVES] = offsetof(detent_mechanism, primitive_count),
    [DT_ITEMS_STICTIONS] = offsetof(detent_mechanism, stiction_count),
    [DT_ITEMS_LOADS] = offsetof(detent_mechanism, load_count),
};

int dt_element_count(int k, const detent_mechanism *m)
{
    const dt_element_kind *kind = dt_elements[k];
    const size_t counter = counters[kind->items];
    return counter > 0   ? *(const int *)((const char *)m + counter)
           : kind->count ? kind->count(m)
                         : dt_added_items(m, k)->count;
}

static bool has_readings(int k)
{
    return dt_elements[k]->reading || (dt_elements[k]->line && dt_elements[k]->line->reading);
}

/* The element whose items a variable is read of, or -1. */
static int element_of(dt_variable variable)
{
    int found = -1;
    for (int k = 0; k < DT_ELEMENT_KINDS && found < 0; k++) {
        found = has_readings(k) && dt_item_is_read(dt_elements[k]->item, variable.kind) ? k : -1;
    }
    return found;
}

double dt_element_reading(const dt_system *s, dt_variable variable, int part)
{
    const int k = element_of(variable), item = variable.index;
    return k < 0                  ? 0
           : dt_elements[k]->line ? dt_line_reading(s, k, item, part)
                                  : dt_elements[k]->reading(s, item, part);
}

double dt_element_reading_change(const dt_tangent *t, const dt_system *s, dt_variable variable,
                                 int part)
{
    const int k = element_of(variable), item = variable.index;
    return k < 0                  ? 0
           : dt_elements[k]->line ? dt_line_reading_change(t, s, k, item, part)
                                  : dt_elements[k]->reading_change(t, s, item, part);
}

const dt_program *dt_element_program(int k, const detent_mechanism *m, int item, int law)
{
    const dt_element_kind *kind = dt_elements[k];
    const dt_item_list *list = kind->program ? NULL : dt_added_items(m, k);
    return list ? list->program[list->kind->law_count * item + law] : kind->program(m, item, law);
}

unsigned dt_elements_acting(const detent_mechanism *m)
{
    unsigned acting = 0;
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        const bool acts = !dt_elements[k]->acts || dt_elements[k]->acts(m);
        acting |= (unsigned)acts << k;
    }
    return acting;
}

/* Inertia of the body along a joint; what is lent to it (model/lend.h) is none. */
static double own_inertia(const dt_system *s, int i)
{
    const double *S = s->motion[i].S[0];
    double momentum[6];
    dt_inertia_apply(momentum, &s->motion[i].I, S);
    const double all = dt_dot6(momentum, S);
    if (!s->tree->lent) {
        return all;
    }
    dt_inertia lent;
    double r[3];
    dt_arm(s, i, r);
    dt_inertia_move(&lent, &s->tree->lent[i], s->motion[i].R, r);
    dt_inertia_apply(momentum, &lent, S);
    return all - fmax(0, dt_dot6(momentum, S));
}

/* Along a joint: the body alone counts, what hangs on it only adds to its inertia. */
static void effect_along(const dt_system *s, int i, dt_law_effect *effect)
{
    const int v = s->tree->nodes[i].v, k = s->mechanism->primitives[i].stiction;
    *effect =
        (dt_law_effect){.of = DT_EFFECT_ALONG,
                        .size = fabs(s->tau[v]) + fabs(s->Q[v]) + (k >= 0 ? fabs(s->f[k]) : 0),
                        .inertia = fmax(0, own_inertia(s, i) + s->tree->nodes[i].armature)};
}

void dt_law_effect_of(dt_system *s, const dt_law *law, dt_law_effect *effect)
{
    const dt_element_kind *kind = dt_law_kinds[law->role].element;
    if (kind->effect) {
        kind->effect(s, law, effect);
    } else {
        effect_along(s, dt_law_node(s, law), effect);
    }
}

int dt_law_node(const dt_system *s, const dt_law *law)
{
    const dt_law_kind *kind = &dt_law_kinds[law->role];
    if (kind->element->node) {
        return kind->element->node(s->mechanism, (int)law->owner);
    }
    const dt_item_list *list = dt_added_items(s->mechanism, kind->number);
    return list->joints > 0 ? list->joint[list->joints * (int)law->owner] : -1;
}
