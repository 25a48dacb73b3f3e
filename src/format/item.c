/* One item from a text of its own: what stands behind its name in a file. */

#include "base/nearest.h"
#include "format/along.h"
#include "format/locate.h"
#include "format/reader.h"
#include "format/sections.h"
#include "model/mechanism.h"

#include <string.h>

/* `along`: room for one that is a key of primitives in files. */
static const dt_section *find_section(dt_reader *reader, const char *name, dt_section *along)
{
    const char *names[64];
    size_t count = 0;
    for (int k = 0; k < reader->section_count; k++) {
        const dt_section *section = &reader->sections[k];
        if (strcmp(section->kind->plural, name) == 0) {
            return section;
        }
        if (count < sizeof names / sizeof *names) {
            names[count++] = section->kind->plural;
        }
    }
    if (dt_along_section(reader, name, along)) {
        return along;
    }
    const char *nearest = dt_nearest(name, names, count);
    dt_fail(reader->error, DETENT_ERROR_ARGUMENT, NULL,
            nearest ? "there is no section '%s'; did you mean '%s'?" : "there is no section '%s'",
            name, nearest);
    return NULL;
}

static detent_status read_item(dt_reader *reader, const char *section_name, const char *name)
{
    detent_status status = dt_sections_list(reader);
    dt_section along;
    const dt_section *section = status ? NULL : find_section(reader, section_name, &along);
    if (!section) {
        return status ? status : DETENT_ERROR_ARGUMENT;
    }
    if (!name && !section->kind->is_list) {
        return dt_fail(reader->error, DETENT_ERROR_ARGUMENT, NULL, "the %s's name is NULL",
                       section->kind->what);
    }
    status = dt_yaml_parse(&reader->arena, reader->text, reader->length, reader->file,
                           &reader->root, reader->error);
    dt_yaml_node *item = status ? NULL : dt_arena_one(&reader->arena, sizeof *item);
    if (!item) {
        return status ? status : dt_fail_memory(reader);
    }
    *item = *reader->root;
    item->key = section->kind->is_list ? NULL : name;
    item->key_line = item->line;
    item->key_column = item->column;
    reader->origin = (dt_origin){item, NULL, 0};
    return section->read(reader, section, item, name);
}

detent_status dt_read_item(detent_mechanism *m, const char *section, const char *name,
                           const char *text, detent_error *error)
{
    detent_error ignored;
    dt_reader reader = {.m = m,
                        .text = text,
                        .file = name ? name : section,
                        .length = strlen(text),
                        .error = error ? error : &ignored};
    dt_error_detail(reader.error, "%s", "");
    dt_arena_init(&reader.arena, &m->arena.allocator);
    const detent_status status = read_item(&reader, section, name);
    if (status) {
        dt_reader_explain(&reader);
    }
    dt_arena_free(&reader.arena);
    return status;
}
