#include "dynamics/element.h"
#include "dynamics/arm.h"

#include "math/inertia.h"

#define ROW(name) &dt_##name##_element,
const dt_element_kind *const dt_elements[DT_ELEMENT_KINDS] = {DT_ELEMENT_TABLE(ROW)};
#undef ROW

static const dt_item_kind *item_of(int k)
{
    return dt_elements[k]->item;
}

const dt_item_source dt_element_items = {DT_ELEMENT_KINDS, item_of};

const dt_law dt_no_law = {0};

#define ROW(role, element, traits) \
    [DT_LAW_##role] = {&dt_##element##_element, DT_ELEMENT_##element, traits},
const dt_law_kind dt_law_kinds[DT_LAW_ROLES] = {DT_LAW_TABLE(ROW)};
#undef ROW

#define ROW(role, element, traits)                                                  \
    _Static_assert(!((traits)&DT_LAW_IS_PUSH) ||                                    \
                       (((traits)&DT_LAW_IS_ALONG) && ((traits)&DT_LAW_IS_ANSWER)), \
                   "a force along a joint is in the equation of motion");
DT_LAW_TABLE(ROW)
#undef ROW

_Static_assert((int)DT_LAW_ROLES <= 1 << 5, "more roles than dt_law.role can tell");

int dt_element_count(int k, const detent_mechanism *m)
{
    const dt_element_kind *kind = dt_elements[k];
    switch (kind->items) {
    case DT_ITEMS_PRIMITIVES:
        return m->primitive_count;
    case DT_ITEMS_STICTIONS:
        return m->stiction_count;
    case DT_ITEMS_LOADS:
        return m->load_count;
    default:
        return kind->count ? kind->count(m) : dt_added_items(m, k)->count;
    }
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

/** Inertia of the body along a joint; what is lent to it (model/lend.h) is none. */
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

/** Along a joint: the body alone counts, what hangs on it only adds to its inertia. */
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
