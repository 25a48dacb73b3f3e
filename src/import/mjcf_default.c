/* Default classes: an attribute that an element does not have is that of its class, of the class around that, and so on. */

#include "import/mjcf.h"

static detent_status add_class(dt_mjcf *m, const dt_xml *element)
{
    const bool outermost = strcmp(element->parent->name, "default") != 0;
    const char *name = dt_xml_attribute(element, "class");
    name = name ? name : outermost ? "main" : NULL;
    if (!name) {
        return dt_mjcf_fail(m, element, "a default within another one has a class");
    }
    if (m->class_count == m->class_room) {
        const int wider = m->class_room ? 2 * m->class_room : 16;
        const dt_xml **defaults = dt_arena_grow(m->robot->arena, m->defaults, (size_t)m->class_room,
                                                (size_t)wider, sizeof *defaults);
        if (!defaults) {
            return dt_mjcf_no_memory(m);
        }
        m->defaults = defaults;
        m->class_room = wider;
    }
    if (dt_name_map_get(&m->classes, name) >= 0) {
        return dt_mjcf_fail(m, element, "this class is there already");
    }
    m->defaults[m->class_count] = element;
    return dt_name_map_put(&m->classes, name, m->class_count++) ? dt_mjcf_no_memory(m) : DETENT_OK;
}

detent_status dt_mjcf_read_defaults(dt_mjcf *m)
{
    detent_status status = DETENT_OK;
    for (const dt_xml *e = dt_xml_child(m->root, "default"); e && !status; e = dt_xml_again(e)) {
        /* all elements below, each before what is in it */
        for (const dt_xml *at = e; at && !status;) {
            if (strcmp(at->name, "default") == 0) {
                status = add_class(m, at);
            }
            const dt_xml *next = at->first;
            while (!next && at != e) {
                next = at->next;
                at = next ? at : at->parent;
            }
            at = next;
        }
    }
    return status;
}

detent_status dt_mjcf_holder(const dt_mjcf *m, const dt_xml *element, const char *childclass,
                             const char *attribute, const dt_xml **holder)
{
    const char *own = dt_xml_attribute(element, "class"), *name = own ? own : childclass;
    *holder = element;
    if (dt_xml_attribute(element, attribute)) {
        return DETENT_OK;
    }
    *holder = NULL;
    const int index = dt_name_map_get(&m->classes, name ? name : "main");
    if (index < 0) {
        return name ? dt_fail(m->error, DETENT_ERROR_MODEL, &element->where,
                              "there is no default class '%s'", name)
                    : DETENT_OK;
    }
    for (const dt_xml *d = m->defaults[index]; d && strcmp(d->name, "default") == 0 && !*holder;
         d = d->parent) {
        const dt_xml *of = dt_xml_child(d, element->name);
        *holder = of && dt_xml_attribute(of, attribute) ? of : NULL;
    }
    return DETENT_OK;
}

detent_status dt_mjcf_vector(const dt_mjcf *m, const dt_xml *element, const char *childclass,
                             const char *attribute, int count, double *values, bool *found)
{
    const dt_xml *holder;
    const detent_status status = dt_mjcf_holder(m, element, childclass, attribute, &holder);
    if (found) {
        *found = !status && holder;
    }
    return status || !holder ? status : dt_xml_vector(holder, attribute, count, values, m->error);
}

detent_status dt_mjcf_word(const dt_mjcf *m, const dt_xml *element, const char *childclass,
                           const char *attribute, const char **word)
{
    const dt_xml *holder;
    const detent_status status = dt_mjcf_holder(m, element, childclass, attribute, &holder);
    *word = !status && holder ? dt_xml_attribute(holder, attribute) : NULL;
    return status;
}
