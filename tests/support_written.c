#include "support_written.h"

#include "model/mechanism.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *written_text(const detent_mechanism *m, detent_error *error)
{
    size_t length = 0;
    if (detent_mechanism_text(m, NULL, 0, &length, error)) {
        return NULL;
    }
    char *text = malloc(length + 1);
    if (text && detent_mechanism_text(m, text, length + 1, &length, error)) {
        free(text);
        text = NULL;
    }
    return text;
}

/* Whether all items of a kind have the same names and units. */
static bool same_items(const detent_mechanism *a, const detent_mechanism *b, detent_item item)
{
    bool same = detent_count(a, item) == detent_count(b, item);
    for (size_t k = 0; k < detent_count(a, item) && same; k++) {
        same = strcmp(detent_name(a, item, k), detent_name(b, item, k)) == 0 &&
               strcmp(detent_unit(a, item, k), detent_unit(b, item, k)) == 0;
    }
    return same;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* To the last bit. */
static bool same_shape(const detent_shape_def *a, const detent_shape_def *b)
{
    return a->type == b->type && memcmp(a->extent, b->extent, sizeof a->extent) == 0 &&
           memcmp(a->point, b->point, sizeof a->point) == 0 &&
           memcmp(a->rotation, b->rotation, sizeof a->rotation) == 0 &&
           a->point_count == b->point_count &&
           (a->point_count == 0 ||
            memcmp(a->points, b->points, 3 * a->point_count * sizeof *a->points) == 0) &&
           same_text(a->mesh, b->mesh) && same_text(a->color, b->color) &&
           same_text(a->name, b->name) && same_text(a->body, b->body);
}

static bool same_shapes(const detent_mechanism *a, const detent_mechanism *b)
{
    bool same = true;
    for (ptrdiff_t body = -1; body < (ptrdiff_t)detent_count(a, DETENT_BODY) && same; body++) {
        const size_t count = detent_shape_count(a, body);
        same = count == detent_shape_count(b, body);
        for (size_t k = 0; k < count && same; k++) {
            detent_shape_def of[2] = {DETENT_INIT(detent_shape_def), DETENT_INIT(detent_shape_def)};
            same = !detent_get_shape(a, body, k, &of[0]) && !detent_get_shape(b, body, k, &of[1]) &&
                   same_shape(&of[0], &of[1]);
        }
    }
    return same;
}

static const char *compare(const detent_mechanism *a, const detent_mechanism *b)
{
    detent_kind_info kind = DETENT_INIT(detent_kind_info);
    for (size_t k = 0; detent_get_kind(k, &kind) == DETENT_OK; k++) {
        if (kind.item != DETENT_WARNING && !same_items(a, b, kind.item)) {
            return kind.name;
        }
    }
    return strcmp(a->name, b->name) != 0                                 ? "its name"
           : memcmp(&a->settings, &b->settings, sizeof a->settings) != 0 ? "its settings"
           : a->interval_is_given != b->interval_is_given                ? "its interval"
           : a->fingerprint != b->fingerprint                            ? "its fingerprint"
           : !same_shapes(a, b)                                          ? "its shapes"
                                                                         : NULL;
}

const char *written_differs(const detent_mechanism *m, detent_mechanism **again)
{
    static char why[1024];
    detent_error error = {0};
    detent_mechanism *own = NULL;
    char *text = written_text(m, &error), *once_more = NULL;
    const char *difference = NULL;
    if (!text) {
        snprintf(why, sizeof why, "cannot be written: %.256s", error.message);
        return why;
    }
    if (detent_mechanism_parse(text, strlen(text), "written", NULL, &own, &error)) {
        snprintf(why, sizeof why, "cannot be read: %d:%d: %.256s\n%.512s", error.line, error.column,
                 error.message, error.detail);
        difference = why;
    } else {
        difference = compare(m, own);
        once_more = written_text(own, &error);
        difference = difference                                   ? difference
                     : !once_more || strcmp(once_more, text) != 0 ? "the second text"
                                                                  : NULL;
    }
    free(text);
    free(once_more);
    if (again && !difference) {
        *again = own;
    } else {
        detent_mechanism_destroy(own);
    }
    return difference;
}
