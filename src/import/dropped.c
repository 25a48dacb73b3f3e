/* Lines about what a source has, and a mechanism file has no place for. */

#include "import/formats.h"

enum { MOST_NAMES = 64 };

typedef struct dropped_names {
    const dt_xml *first[MOST_NAMES];
    int times[MOST_NAMES];
    int count;
} dropped_names;

static bool is_in(const char *name, const char *const *list)
{
    while (*list && strcmp(*list, name) != 0) {
        list++;
    }
    return *list != NULL;
}

static void count_children(dropped_names *d, const dt_xml *of, const char *const *known)
{
    for (const dt_xml *e = of->first; e; e = e->next) {
        if (is_in(e->name, known)) {
            continue;
        }
        int k = 0;
        while (k < d->count && strcmp(d->first[k]->name, e->name) != 0) {
            k++;
        }
        if (k == d->count && k < MOST_NAMES) {
            d->first[d->count] = e;
            d->times[d->count++] = 0;
        }
        if (k < MOST_NAMES) {
            d->times[k]++;
        }
    }
}

bool dt_robot_note_dropped(dt_robot *robot, const dt_xml *root, const char *within,
                           const char *const *known)
{
    dropped_names d = {.count = 0};
    bool good = true;
    if (!within) {
        count_children(&d, root, known);
    }
    for (const dt_xml *e = within ? dt_xml_child(root, within) : NULL; e; e = dt_xml_again(e)) {
        count_children(&d, e, known);
    }
    for (int k = 0; k < d.count && good; k++) {
        good = dt_robot_note_at(robot, &d.first[k]->where, "<%s>%s%s%s is left out%s%.0d%s",
                                d.first[k]->name, within ? " of <" : "", within ? within : "",
                                within ? ">" : "", d.times[k] > 1 ? ", here and " : "",
                                d.times[k] - 1, d.times[k] > 1 ? " times more" : "");
    }
    return good;
}

bool dt_robot_note_attribute(dt_robot *robot, const dt_xml *root, const char *within,
                             const char *element, const char *attribute)
{
    const dt_xml *first = NULL;
    int times = 0;
    for (const dt_xml *e = dt_xml_child(root, within); e; e = dt_xml_again(e)) {
        const dt_xml *of = dt_xml_child(e, element);
        if (of && dt_xml_attribute(of, attribute)) {
            first = first ? first : of;
            times++;
        }
    }
    return times == 0 || dt_robot_note_at(robot, &first->where, "'%s' of <%s> is left out%s%.0d%s",
                                          attribute, element, times > 1 ? ", here and " : "",
                                          times - 1, times > 1 ? " times more" : "");
}
