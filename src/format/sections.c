/* The sections of a file. Most kinds of items are read by their keys and nothing else (keys.c); the others have a reader: bodies body.c, joints
 * joint.c, couplings coupling.c, outputs here. */

#include "format/sections.h"

#include "format/body.h"
#include "format/coupling.h"
#include "format/joint.h"
#include "format/label.h"
#include "format/law_choice.h"
#include "format/table.h"
#include "model/mechanism.h"

/* --- Outputs ------------------------------------------------------------------------------------------------ */

/* An expression, or {label: expression}; in copy 17 of a chain it is label[17]. */
static detent_status read_output(dt_reader *reader, const dt_section *section,
                                 const dt_yaml_node *item, const char *name)
{
    (void)name;
    const dt_yaml_node *expression = item;
    const char *label = NULL;
    if (item->kind == DT_YAML_MAPPING && item->count == 1) {
        expression = item->first;
        label = expression->key;
    }
    if (expression->kind != DT_YAML_SCALAR || !*expression->text) {
        return dt_fail_kind(reader, expression,
                            "an expression, or a mapping from one label to an expression");
    }
    reader->origin.item = expression;
    detent_status torn = dt_require_whole(reader, expression);
    if (torn) {
        return torn;
    }
    detent_status status = label ? dt_label_number(reader, label, &label)
                                 : dt_label_copy(reader, expression->text, &label);
    if (status) {
        return status;
    }
    const dt_output_definition output = {.expression = expression->text, .label = label};
    return dt_builder_add(reader->m, section->number, &output, &reader->origin, reader->error);
}

/* --- All of them ------------------------------------------------------------------------------------------------ */

typedef detent_status (*section_reader)(dt_reader *, const dt_section *, const dt_yaml_node *,
                                        const char *);

/* What is not read by its keys alone. */
static const section_reader readers[DT_ITEM_KINDS] = {
    [DT_ITEM_table] = dt_read_table,       [DT_ITEM_body] = dt_read_body,
    [DT_ITEM_joint] = dt_read_joint,       [DT_ITEM_stiction] = dt_law_choice_read_stiction,
    [DT_ITEM_coupling] = dt_read_coupling, [DT_ITEM_output] = read_output};

detent_status dt_sections_list(dt_reader *reader)
{
    const dt_item_source *source = reader->m->source;
    const int positions = dt_item_positions(source);
    size_t largest = 0;
    reader->sections = dt_arena_alloc(&reader->arena, (size_t)positions, sizeof *reader->sections);
    for (int k = 0; k < positions && reader->sections; k++) {
        const int number = dt_item_number(source, k);
        const dt_item_kind *kind = dt_item_kind_of(source, number);
        largest = kind && kind->size > largest ? kind->size : largest;
        if (!kind || !kind->is_section) {
            continue;
        }
        const section_reader own = number < DT_ITEM_KINDS ? readers[number] : NULL;
        reader->sections[reader->section_count++] =
            (dt_section){.kind = kind, .number = number, .read = own ? own : dt_section_read_keys};
    }
    reader->definition = reader->sections ? dt_arena_one(&reader->arena, largest) : NULL;
    return reader->definition ? DETENT_OK : dt_fail_memory(reader);
}

bool dt_sections_table(dt_reader *reader, const char *what, const dt_key *keys, dt_table *table)
{
    size_t count = 0;
    while (keys[count].name) {
        count++;
    }
    dt_key *all =
        dt_arena_alloc(&reader->arena, count + (size_t)reader->section_count + 1, sizeof *all);
    for (size_t k = 0; k < count && all; k++) {
        all[k] = keys[k];
    }
    for (int k = 0; k < reader->section_count && all; k++) {
        all[count++] =
            (dt_key){.name = reader->sections[k].kind->plural, .kind = DT_VALUE_ELSEWHERE};
    }
    *table = (dt_table){what, all};
    return all != NULL;
}

detent_status dt_section_require(dt_reader *reader, const dt_section *section,
                                 const dt_yaml_node *items)
{
    return items->kind == (section->kind->is_list ? DT_YAML_SEQUENCE : DT_YAML_MAPPING)
               ? DETENT_OK
               : dt_fail_kind(reader, items,
                              section->kind->is_list ? "a list" : "a mapping from names");
}
