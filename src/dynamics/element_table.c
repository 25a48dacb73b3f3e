/* The tables of elements and of the roles of their laws: element_table.h. */
#include "dynamics/element.h"

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
