#include "dynamics/element.h"

#define ROW(name) &dt_##name##_element,
const dt_element_kind *const dt_elements[DT_ELEMENT_KINDS] = {DT_ELEMENT_TABLE(ROW)};
#undef ROW

static const dt_item_kind *item_of(int k)
{
    return dt_elements[k]->item;
}

const dt_item_source dt_element_items = {DT_ELEMENT_KINDS, item_of};

#define ALONG_STICTION DT_LAW_IS_ALONG | DT_LAW_IS_RUBBING

const dt_law_kind dt_law_kinds[DT_LAW_ROLES] = {
    [DT_LAW_GRAVITY] = {&dt_gravity_element, 0},
    [DT_LAW_MOTION] = {&dt_motion_element, DT_LAW_IS_ALONG},
    [DT_LAW_LOAD] = {&dt_load_element, DT_LAW_IS_DRIVE | DT_LAW_IS_ANSWER},
    [DT_LAW_FORCE] = {&dt_actuation_element,
                      DT_LAW_IS_ALONG | DT_LAW_IS_DIRECTED | DT_LAW_IS_DRIVE | DT_LAW_IS_ANSWER},
    [DT_LAW_KINETIC] = {&dt_friction_element, ALONG_STICTION | DT_LAW_IS_BOUND | DT_LAW_IS_ANSWER},
    [DT_LAW_MAGNITUDE] = {&dt_friction_element, ALONG_STICTION | DT_LAW_IS_BOUND | DT_LAW_IS_LIMIT},
    [DT_LAW_FORWARD] = {&dt_friction_element, ALONG_STICTION | DT_LAW_IS_BOUND | DT_LAW_IS_LIMIT},
    [DT_LAW_REVERSE] = {&dt_friction_element, ALONG_STICTION | DT_LAW_IS_BOUND | DT_LAW_IS_LIMIT},
    [DT_LAW_TEST] = {&dt_friction_element, ALONG_STICTION | DT_LAW_IS_TEST},
    [DT_LAW_RATE] = {&dt_state_element, 0}};
#undef ALONG_STICTION

int dt_items_count(const detent_mechanism *m, dt_items items)
{
    const int count[DT_ITEM_SETS] = {[DT_ITEMS_AXES] = 3,
                                     [DT_ITEMS_PRIMITIVES] = m->primitive_count,
                                     [DT_ITEMS_STICTIONS] = m->stiction_count,
                                     [DT_ITEMS_LOADS] = m->load_count,
                                     [DT_ITEMS_STRUTS] = dt_added_items(m, DT_ELEMENT_strut)->count,
                                     [DT_ITEMS_LOOPS] = m->loop_count,
                                     [DT_ITEMS_TRANSMISSIONS] = m->transmission_count,
                                     [DT_ITEMS_STATES] = m->state_count};
    return count[items];
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

int dt_law_node(const dt_system *s, const dt_law *law)
{
    return dt_law_kinds[law->role].element->node(s->mechanism, (int)law->owner);
}
