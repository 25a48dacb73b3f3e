#include "kind.h"

#include <stdio.h>
#include <stdlib.h>

#define ROW(name) &sketch_##name,
const sketch_kind *const sketch_kinds[SKETCH_KINDS] = {SKETCH_KIND_TABLE(ROW)};
#undef ROW

/* Places follow each other in the order of the table; each is aligned for any type. */
static void *place(const unsigned char *all, size_t capacity, const sketch_kind *kind,
                   bool in_scene)
{
    size_t at = 0;
    for (int k = 0; k < SKETCH_KINDS; k++) {
        const size_t size = in_scene ? sketch_kinds[k]->scene_size : sketch_kinds[k]->size;
        const size_t end =
            at + (size + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
        if (end > capacity) {
            fprintf(stderr, "soak: kinds of items need more room than %zu bytes\n", capacity);
            exit(2);
        }
        if (sketch_kinds[k] == kind) {
            return (void *)(size_t)(all + at);
        }
        at = end;
    }
    return NULL;
}

void *sketch_own(const sketch *s, const sketch_kind *kind)
{
    return place(s->own, sizeof s->own, kind, false);
}

void *scene_own(const scene *sc, const sketch_kind *kind)
{
    return place(sc->own, sizeof sc->own, kind, true);
}
