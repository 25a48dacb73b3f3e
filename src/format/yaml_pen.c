/* A text from a tree, by libyaml's emitter, which knows what needs quotes. */

#include "format/yaml.h"

#include <string.h>
#include <yaml.h>

enum { LINE_WIDTH = 100 };

struct dt_yaml_pen {
    yaml_emitter_t emitter;
    bool (*take)(void *user, const char *bytes, size_t count);
    void *user;
    bool ok;
};

static int hand_on(void *pen, unsigned char *bytes, size_t count)
{
    const dt_yaml_pen *to = pen;
    return to->take(to->user, (const char *)bytes, count);
}

/* `made`: whether there is an event; the emitter takes it. */
static void emit(dt_yaml_pen *pen, yaml_event_t *event, int made)
{
    if (made && !pen->ok) {
        yaml_event_delete(event);
    }
    pen->ok = pen->ok && made && yaml_emitter_emit(&pen->emitter, event);
}

static void emit_scalar(dt_yaml_pen *pen, const char *text, yaml_scalar_style_t style)
{
    yaml_event_t event;
    emit(pen, &event,
         yaml_scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)text,
                                      (int)strlen(text), 1, 1, style));
}

static void open_as(dt_yaml_pen *pen, const char *key, dt_yaml_kind kind, bool line)
{
    yaml_event_t event;
    if (key) {
        emit_scalar(pen, key,
                    strcmp(key, "<<") == 0 ? YAML_DOUBLE_QUOTED_SCALAR_STYLE
                                           : YAML_ANY_SCALAR_STYLE);
    }
    if (kind == DT_YAML_MAPPING) {
        emit(pen, &event,
             yaml_mapping_start_event_initialize(
                 &event, NULL, NULL, 1, line ? YAML_FLOW_MAPPING_STYLE : YAML_BLOCK_MAPPING_STYLE));
    } else if (kind == DT_YAML_SEQUENCE) {
        emit(pen, &event,
             yaml_sequence_start_event_initialize(&event, NULL, NULL, 1,
                                                  line ? YAML_FLOW_SEQUENCE_STYLE
                                                       : YAML_BLOCK_SEQUENCE_STYLE));
    }
}

dt_yaml_pen *dt_yaml_pen_begin(dt_arena *arena, bool (*take)(void *user, const char *bytes, size_t),
                               void *user)
{
    dt_yaml_pen *pen = dt_arena_one(arena, sizeof *pen);
    yaml_event_t event;
    if (!pen || !yaml_emitter_initialize(&pen->emitter)) {
        return NULL;
    }
    pen->take = take;
    pen->user = user;
    pen->ok = true;
    yaml_emitter_set_output(&pen->emitter, hand_on, pen);
    yaml_emitter_set_unicode(&pen->emitter, 1);
    yaml_emitter_set_width(&pen->emitter, LINE_WIDTH);
    emit(pen, &event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
    emit(pen, &event, yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1));
    open_as(pen, NULL, DT_YAML_MAPPING, false);
    return pen;
}

void dt_yaml_pen_open(dt_yaml_pen *pen, const char *key, dt_yaml_kind kind)
{
    open_as(pen, key, kind, false);
}

void dt_yaml_pen_put(dt_yaml_pen *pen, const dt_yaml_node *node)
{
    open_as(pen, node->key, node->kind, node->line > 0);
    if (node->kind == DT_YAML_SCALAR) {
        emit_scalar(pen, node->text,
                    node->style == DT_YAML_PLAIN ? YAML_ANY_SCALAR_STYLE
                                                 : YAML_DOUBLE_QUOTED_SCALAR_STYLE);
        return;
    }
    for (const dt_yaml_node *child = node->first; child; child = child->next) {
        dt_yaml_pen_put(pen, child); /* nesting is that of a definition */
    }
    dt_yaml_pen_close(pen, node->kind);
}

void dt_yaml_pen_close(dt_yaml_pen *pen, dt_yaml_kind kind)
{
    yaml_event_t event;
    emit(pen, &event,
         kind == DT_YAML_MAPPING ? yaml_mapping_end_event_initialize(&event)
                                 : yaml_sequence_end_event_initialize(&event));
}

bool dt_yaml_pen_end(dt_yaml_pen *pen)
{
    yaml_event_t event;
    dt_yaml_pen_close(pen, DT_YAML_MAPPING);
    emit(pen, &event, yaml_document_end_event_initialize(&event, 1));
    emit(pen, &event, yaml_stream_end_event_initialize(&event));
    yaml_emitter_delete(&pen->emitter);
    return pen->ok;
}
