/* Lines about what a source has, and a mechanism file has no place for. */

#include "import/formats.h"

#include <stdio.h>

enum { MOST_KINDS = 64 };

/* What is left out: an element, or an attribute of one, by their names. */
typedef struct dropped_kind {
    const dt_xml *first;
    const char *attribute; /* NULL: the element */
    int times;
} dropped_kind;

typedef struct dropped_kinds {
    dropped_kind kind[MOST_KINDS];
    int count;
    const dt_xml *beyond; /* the first of those that there was no room for */
} dropped_kinds;

static bool is_same_parent(const dt_xml *a, const dt_xml *b)
{
    return strcmp(a->parent ? a->parent->name : "", b->parent ? b->parent->name : "") == 0;
}

static void drop(dropped_kinds *d, const dt_xml *element, const char *attribute)
{
    for (int k = 0; k < d->count; k++) {
        const dropped_kind *kind = &d->kind[k];
        const bool both = (attribute != NULL) == (kind->attribute != NULL);
        if (both && strcmp(kind->first->name, element->name) == 0 &&
            (attribute ? strcmp(attribute, kind->attribute) == 0
                       : is_same_parent(kind->first, element))) {
            d->kind[k].times++;
            return;
        }
    }
    if (d->count == MOST_KINDS) {
        d->beyond = d->beyond ? d->beyond : element;
        return;
    }
    d->kind[d->count++] = (dropped_kind){element, attribute, 1};
}

/* Whether a word is in a list of words with blanks between them. */
static bool is_among(const char *word, const char *words)
{
    const size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length) {
        const char after = at[length];
        if ((at == words || at[-1] == ' ') && (after == '\0' || after == ' ')) {
            return true;
        }
    }
    return false;
}

static const dt_known_element *find(const dt_known_element *known, const char *name)
{
    while (known->name && strcmp(known->name, name) != 0) {
        known++;
    }
    return known->name ? known : NULL;
}

/* An element and its attributes; whether what is below is to be looked at. */
static bool look(dropped_kinds *d, const dt_xml *at, const dt_known_element *known)
{
    const dt_known_element *row = find(known, at->name);
    const dt_known_element *parent = at->parent ? find(known, at->parent->name) : NULL;
    if (!row) {
        if (!(parent && parent->is_silent)) {
            drop(d, at, NULL);
        }
        return false;
    }
    for (const char *const *a = at->attributes; *a && row->attributes; a += 2) {
        if (!is_among(a[0], row->attributes) && strncmp(a[0], "xmlns", 5) != 0) {
            drop(d, at, a[0]);
        }
    }
    return row->attributes != NULL;
}

static bool tell(dt_robot *robot, const dropped_kind *kind)
{
    char more[40] = "";
    if (kind->times > 1) {
        snprintf(more, sizeof more,
                 kind->times == 2 ? ", here and once more" : ", here and %d times more",
                 kind->times - 1);
    }
    const dt_xml *e = kind->first;
    return kind->attribute
               ? dt_robot_note_at(robot, &e->where, "'%.100s' of <%.100s> is left out%s",
                                  kind->attribute, e->name, more)
               : dt_robot_note_at(robot, &e->where, "<%.100s> of <%.100s> is left out%s", e->name,
                                  e->parent ? e->parent->name : "", more);
}

bool dt_robot_note_dropped(dt_robot *robot, const dt_xml *root, const dt_known_element *known)
{
    dropped_kinds d = {.count = 0};
    for (const dt_xml *at = root; at;) {
        const dt_xml *next = look(&d, at, known) ? at->first : NULL;
        while (!next && at != root) {
            next = at->next;
            at = next ? at : at->parent;
        }
        at = next;
    }
    bool good = true;
    for (int k = 0; k < d.count && good; k++) {
        good = tell(robot, &d.kind[k]);
    }
    return good && (!d.beyond || dt_robot_note_at(robot, &d.beyond->where,
                                                  "more kinds of elements and attributes are left "
                                                  "out, the first of them here"));
}
