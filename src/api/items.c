/* The kinds of items, and what is asked about items of a finished mechanism. Of an unfinished one every question is answered as
 * if the mechanism were empty. */

#include "api/check.h"
#include "api/sized.h"
#include "dynamics/element.h"
#include "dynamics/friction_law.h"
#include "format/reader.h"
#include "model/builder.h"
#include "model/mechanism.h"

enum {
    LAST_NAMED = DETENT_FUNCTION
}; /* of detent_item; kinds that have no name there come behind */

/* The item numbers of kinds without a name follow from their order. */
static int item_of(int number)
{
    const dt_item_kind *kind = dt_item_kind_of(&dt_element_items, number);
    int item = LAST_NAMED;
    if (kind->named) {
        return kind->named - 1;
    }
    for (int k = DT_ITEM_KINDS; k <= number; k++) {
        const dt_item_kind *other = dt_item_kind_of(&dt_element_items, k);
        item += other && !other->named;
    }
    return item;
}

/* The number of a kind, or -1. */
static int number_of(detent_item item)
{
    for (int k = 0; k < dt_item_positions(&dt_element_items); k++) {
        if (dt_item_kind_of(&dt_element_items, k) && item_of(k) == (int)item) {
            return k;
        }
    }
    return -1;
}

detent_status detent_get_kind(size_t index, detent_kind_info *info)
{
    const int positions = dt_item_positions(&dt_element_items);
    for (int k = 0; k < positions; k++) {
        const int number = dt_item_number(&dt_element_items, k);
        const dt_item_kind *kind = dt_item_kind_of(&dt_element_items, number);
        if (kind && index-- == 0) {
            const char *title = kind->title ? kind->title : kind->plural;
            const detent_kind_info all = {.item = (detent_item)item_of(number),
                                          .name = kind->plural,
                                          .title = title,
                                          .listing = kind->listing ? kind->listing : title,
                                          .is_section = kind->is_section};
            return DT_GIVE(info, &all, "the place for the kind", NULL);
        }
    }
    return DETENT_ERROR_ARGUMENT;
}

const char *detent_friction_law(size_t index)
{
    size_t k = 0;
    while (k < index && dt_friction_words[k]) {
        k++;
    }
    return dt_friction_words[k];
}

size_t detent_count(const detent_mechanism *m, detent_item item)
{
    const int number = m && m->finished ? number_of(item) : -1;
    return number < 0 ? 0 : (size_t)dt_item_count(m, number);
}

const char *detent_name(const detent_mechanism *m, detent_item item, size_t index)
{
    return index < detent_count(m, item) ? dt_item_name(m, number_of(item), (int)index) : NULL;
}

const char *detent_unit(const detent_mechanism *m, detent_item item, size_t index)
{
    return index < detent_count(m, item) ? dt_item_unit(m, number_of(item), (int)index) : NULL;
}

ptrdiff_t detent_find(const detent_mechanism *m, detent_item item, const char *name)
{
    return name && detent_count(m, item) > 0 ? dt_item_find(m, number_of(item), name) : -1;
}

detent_status detent_add_item(detent_mechanism *mechanism, const char *section, const char *name,
                              const char *definition, detent_error *error)
{
    detent_status status = dt_require_open(mechanism, error);
    status = status ? status : dt_require(section, "the item's section", error);
    status = status ? status : dt_require(definition, "the item's definition", error);
    return status ? status : dt_read_item(mechanism, section, name, definition, error);
}
