/* Default classes: an attribute that an element does not have is that of its class, of the class around that, and so on. */

#include "import/mjcf.h"

/* The outermost one has a name that nobody needs, and may be there several times. */
static detent_status add_class(dt_mjcf *m, const dt_xml *element)
{
    const bool is_outermost = element->parent == m->root;
    const char *name = dt_xml_attribute(element, "class");
    if (!name && !is_outermost) {
        return dt_mjcf_fail(m, element, "a default within another one has a class");
    }
    if (!name || (is_outermost && dt_name_map_get(&m->classes, name) >= 0)) {
        return DETENT_OK;
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
        return dt_mjcf_fail(m, element, "a default of this class is there already");
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

/* Whether a default says it of such elements: what all actuators have, that of any actuator does. */
static bool is_of(const dt_xml *of, const dt_xml *element, const char *attribute)
{
    return dt_xml_attribute(of, attribute) &&
           (strcmp(of->name, element->name) == 0 || strcmp(attribute, "gear") == 0 ||
            strcmp(attribute, "forcerange") == 0 || strcmp(attribute, "forcelimited") == 0 ||
            strcmp(attribute, "ctrlrange") == 0 || strcmp(attribute, "ctrllimited") == 0);
}

/* The last one that does, in a class. */
static const dt_xml *told_in(const dt_xml *class, const dt_xml *element, const char *attribute)
{
    const dt_xml *last = NULL;
    for (const dt_xml *of = class->first; of; of = of->next) {
        last = is_of(of, element, attribute) ? of : last;
    }
    return last;
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
    const int index = name ? dt_name_map_get(&m->classes, name) : -1;
    if (name && index < 0 && strcmp(name, "main") != 0) {
        return dt_fail(m->error, DETENT_ERROR_MODEL, &element->where,
                       "there is no default class '%s'", name);
    }
    const dt_xml *class = index >= 0 ? m->defaults[index] : NULL;
    for (; class && class->parent != m->root && !*holder; class = class->parent) {
        *holder = told_in(class, element, attribute);
    }
    /* the outermost one may be written in parts */
    const bool was_found = *holder != NULL;
    for (class = dt_xml_child(m->root, "default"); class && !was_found;
         class = dt_xml_again(class)) {
        const dt_xml *told = told_in(class, element, attribute);
        *holder = told ? told : *holder;
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
