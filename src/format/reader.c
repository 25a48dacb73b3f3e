/* A mechanism file from its first key to the finished mechanism. Sections are read in an order of their own, whatever their
 * order in the file: parameters come before the numbers that use them, joints before their stiction. */

#include "format/reader.h"

#include "base/nearest.h"
#include "format/chain.h"
#include "format/form.h"
#include "format/initial.h"
#include "format/law_choice.h"
#include "format/locate.h"
#include "format/sections.h"
#include "format/settings.h"
#include "model/mechanism.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct file_form {
    int version;
    const char *name, *description;
    const dt_yaml_node *gravity, *parameters, *inputs, *signals, *simulation, *chain, *initial;
} file_form;

#define NODE(key, field)                                                  \
    {                                                                     \
        key, DT_VALUE_NODE, false, offsetof(file_form, field), NULL, NULL \
    }

static const dt_key file_keys[] = {
    {"detent", DT_VALUE_COUNT, true, offsetof(file_form, version), NULL, NULL},
    {"name", DT_VALUE_TEXT, false, offsetof(file_form, name), NULL, NULL},
    {"description", DT_VALUE_TEXT, false, offsetof(file_form, description), NULL, NULL},
    {"gravity", DT_VALUE_NODE, true, offsetof(file_form, gravity), NULL, NULL},
    NODE("parameters", parameters),
    NODE("inputs", inputs),
    NODE("signals", signals),
    NODE("simulation", simulation),
    NODE("chain", chain),
    NODE("initial", initial),
    {"loops", DT_VALUE_UNSUPPORTED, false, 0, NULL,
     "a loop is closed by a joint, in 'joints', whose follower has a way to the ground already"},
    DT_KEYS_END,
};

static detent_status read_gravity(dt_reader *reader, const dt_yaml_node *node)
{
    static const dt_key key = {"gravity", DT_VALUE_EXPRESSIONS, true, 0, NULL, NULL};
    const char *gravity[3];
    const dt_origin origin = {node, NULL, 0};
    detent_status status = dt_value_read(reader, node, &key, gravity);
    return status ? status : dt_builder_set_gravity(reader->m, gravity, &origin, reader->error);
}

/* --- Parameters, inputs, signals ---------------------------------------------------------------------------- */

/* The value that takes the place of the file's; the last one counts. */
static const char *find_override(const dt_reader *reader, const char *name)
{
    const detent_load_options *options = reader->options;
    for (size_t i = options ? options->parameter_count : 0; i > 0; i--) {
        if (options->parameters[i - 1].name && strcmp(options->parameters[i - 1].name, name) == 0) {
            return options->parameters[i - 1].value;
        }
    }
    return NULL;
}

/* A name that is unknown only because its parameter comes later. */
static detent_status explain_order(dt_reader *reader, const dt_yaml_node *node,
                                   detent_status status)
{
    char name[128];
    detent_error *error = reader->error;
    const dt_yaml_node *parameters = dt_yaml_find(reader->root, "parameters");
    if (status == DETENT_ERROR_MODEL &&
        sscanf(error->message, "there is no '%127[^']'", name) == 1 &&
        dt_yaml_find(parameters, name)) {
        snprintf(error->message, sizeof error->message,
                 "'%s' comes before '%s', so it cannot use it: a parameter uses those above it",
                 node->key, name);
    }
    return status;
}

/* The value is the caller's: an argument that is wrong, not a file. The place in the value stays. */
static detent_status fail_override(dt_reader *reader, const dt_yaml_node *node, const char *value)
{
    detent_error *error = reader->error;
    char detail[sizeof error->detail];
    memcpy(detail, error->detail, sizeof detail);
    bool shown = strlen(value) <= 100; /* the reason must not be cut off */
    dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "value %s%s%sof parameter '%s': %s",
            shown ? "'" : "", shown ? value : "", shown ? "' " : "", node->key, error->message);
    dt_error_detail(error, "%s", *value ? detail : "");
    return DETENT_ERROR_ARGUMENT;
}

/* Adds a parameter, to the mechanism or as one that belongs to each simulation. */
static detent_status add_parameter(dt_reader *reader, const char *name, const char *value,
                                   const dt_dimension *expected, const dt_origin *origin)
{
    const detent_load_options *options = reader->options;
    bool tunable = false;
    for (size_t i = 0; options && i < options->tunable_count; i++) {
        tunable = tunable || strcmp(options->tunable[i], name) == 0;
    }
    return tunable
               ? dt_builder_add_tunable(reader->m, name, value, expected, origin, reader->error)
               : dt_builder_add_parameter(reader->m, name, value, expected, origin, reader->error);
}

/* The file's own value must be good even where another takes its place; it says which dimension that must have. */
static detent_status read_parameter(dt_reader *reader, const dt_yaml_node *node)
{
    const dt_origin origin = {node, NULL, 0};
    dt_location where = dt_node_place(reader, node);
    dt_constant constant = {0};
    const char *override = find_override(reader, node->key);
    detent_status status = dt_require_scalar(reader, node, "a number or a constant expression");
    if (!status && override) {
        status = dt_builder_constant(reader->m, node->text, &where, NULL, NULL, &constant,
                                     reader->error);
    }
    if (status) {
        return status;
    }
    if (!override) {
        status = add_parameter(reader, node->key, node->text, NULL, &origin);
        return explain_order(reader, node, status);
    }
    if (dt_yaml_is_not_finite(override)) {
        dt_fail(reader->error, DETENT_ERROR_MODEL, NULL, "a finite number is expected");
        return fail_override(reader, node, override);
    }
    const dt_origin nowhere = {NULL, NULL, 0};
    status = add_parameter(reader, node->key, override,
                           constant.dimension.known ? &constant.dimension : NULL, &nowhere);
    return status == DETENT_ERROR_MODEL || status == DETENT_ERROR_SYNTAX
               ? fail_override(reader, node, override)
               : status;
}

/* A name in the options must be that of a parameter. */
static detent_status check_name(dt_reader *reader, const dt_yaml_node *parameters, const char *name)
{
    const bool mapping = parameters && parameters->kind == DT_YAML_MAPPING;
    if (mapping && dt_yaml_find(parameters, name)) {
        return DETENT_OK;
    }
    size_t count = 0;
    const char **names =
        dt_arena_alloc(&reader->arena, mapping ? (size_t)parameters->count : 0, sizeof *names);
    for (const dt_yaml_node *child = mapping && names ? parameters->first : NULL; child;
         child = child->next) {
        names[count++] = child->key;
    }
    const char *nearest = names ? dt_nearest(name, names, count) : NULL;
    return dt_fail(reader->error, DETENT_ERROR_ARGUMENT, NULL,
                   nearest ? "%s has no parameter '%s'; did you mean '%s'?"
                           : "%s has no parameter '%s'",
                   reader->file, name, nearest);
}

static detent_status check_options(dt_reader *reader, const dt_yaml_node *parameters)
{
    const detent_load_options *options = reader->options;
    detent_status status = DETENT_OK;
    for (size_t i = 0; options && i < options->parameter_count && !status; i++) {
        const char *name = options->parameters[i].name;
        if (!name || !options->parameters[i].value) {
            return dt_fail(reader->error, DETENT_ERROR_ARGUMENT, NULL,
                           "a parameter to set needs a name and a value");
        }
        status = check_name(reader, parameters, name);
    }
    for (size_t i = 0; options && i < options->tunable_count && !status; i++) {
        status = options->tunable[i] ? check_name(reader, parameters, options->tunable[i])
                                     : dt_fail(reader->error, DETENT_ERROR_ARGUMENT, NULL,
                                               "a tunable parameter needs a name");
    }
    return status;
}

static detent_status read_parameters(dt_reader *reader, const dt_yaml_node *node)
{
    detent_status status =
        node ? dt_require_mapping(reader, node, "a mapping from names to numbers") : DETENT_OK;
    if (!status) {
        status = check_options(reader, node);
    }
    for (const dt_yaml_node *child = node ? node->first : NULL; child && !status;
         child = child->next) {
        status = read_parameter(reader, child);
    }
    return status;
}

static detent_status read_input(dt_reader *reader, const dt_yaml_node *node)
{
    const dt_origin origin = {node, NULL, 0};
    dt_location where = dt_node_place(reader, node);
    dt_constant constant = {0};
    detent_status status = dt_require_scalar(reader, node, "a number: the initial value");
    if (!status) {
        status = dt_builder_constant(reader->m, node->text, &where, NULL, NULL, &constant,
                                     reader->error);
    }
    return status ? status
                  : dt_builder_add_input(reader->m, node->key, constant.value, &constant.dimension,
                                         &origin, reader->error);
}

static detent_status read_signal(dt_reader *reader, const dt_yaml_node *node)
{
    const dt_origin origin = {node, NULL, 0};
    detent_status status = dt_require_scalar(reader, node, "an expression");
    return status ? status
                  : dt_builder_add_signal(reader->m, node->key, node->text, &origin, reader->error);
}

static detent_status read_each(dt_reader *reader, const dt_yaml_node *node, const char *expected,
                               detent_status (*read)(dt_reader *, const dt_yaml_node *))
{
    detent_status status = node ? dt_require_mapping(reader, node, expected) : DETENT_OK;
    for (const dt_yaml_node *child = node ? node->first : NULL; child && !status;
         child = child->next) {
        status = read(reader, child);
    }
    return status;
}

/* --- The whole ---------------------------------------------------------------------------------------------- */

static detent_status read_section(dt_reader *reader, const dt_yaml_node *items,
                                  const dt_section *section)
{
    if (!items) {
        return DETENT_OK;
    }
    detent_status status = dt_section_require(reader, section, items);
    for (const dt_yaml_node *item = items->first; item && !status; item = item->next) {
        const char *name = NULL;
        reader->origin = (dt_origin){item, NULL, 0};
        if (!section->kind->is_list) {
            status = dt_resolve_reference(reader, item->key, dt_key_place(reader, item), &name);
        }
        status = status ? status : section->read(reader, section, item, name);
    }
    reader->origin = (dt_origin){NULL, NULL, 0};
    return status;
}

static detent_status read_sections(dt_reader *reader, const file_form *form)
{
    dt_chain *chains = NULL;
    int count = 0;
    detent_status status = dt_chain_read(reader, form->chain, &chains, &count);
    for (int s = 0; s < reader->section_count && !status; s++) {
        const dt_section *section = &reader->sections[s];
        const dt_yaml_node *own = dt_yaml_find(reader->root, section->kind->plural);
        size_t items = own ? (size_t)own->count : 0;
        for (int k = 0; k < count; k++) {
            items += dt_chain_count(&chains[k], section);
        }
        status = dt_builder_expect(reader->m, section->number, items, reader->error);
        status = status ? status : read_section(reader, own, section);
        for (int k = 0; k < count && !status; k++) {
            status = dt_chain_read_section(reader, &chains[k], section);
        }
    }
    return status;
}

/* The last part of a path without its ending. */
static const char *default_name(dt_reader *reader)
{
    const char *slash = strrchr(reader->file, '/'), *start = slash ? slash + 1 : reader->file;
    const char *dot = strrchr(start, '.');
    return dt_arena_copy(&reader->arena, start,
                         dot && dot > start ? (size_t)(dot - start) : strlen(start));
}

/* Functions of the program come first: parameters may call them. */
static detent_status add_functions(dt_reader *reader)
{
    const detent_load_options *options = reader->options;
    detent_status status = DETENT_OK;
    for (size_t i = 0; options && i < options->function_count && !status; i++) {
        status =
            dt_builder_add(reader->m, DT_ITEM_function, options->functions[i], NULL, reader->error);
    }
    return status;
}

static detent_status read_file(dt_reader *reader)
{
    file_form form = {0};
    dt_error_detail(reader->error, "%s", "");
    if (reader->root->kind != DT_YAML_MAPPING) {
        dt_location where = dt_node_place(reader, reader->root);
        return dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                       "a mechanism file is a mapping that starts 'detent: 1'");
    }
    dt_table table;
    detent_status status = dt_sections_list(reader);
    if (!status && !dt_sections_table(reader, "mechanism file", file_keys, &table)) {
        status = dt_fail_memory(reader);
    }
    status = status ? status : dt_form_read(reader, reader->root, &table, &form);
    if (status) {
        return status;
    }
    if (form.version != 1) {
        dt_location where = dt_node_place(reader, dt_yaml_find(reader->root, "detent"));
        return dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                       "format version %d is not known; this is 'detent: 1'", form.version);
    }
    const char *name = form.name ? form.name : default_name(reader);
    status = name ? dt_builder_set_name(reader->m, name, reader->error) : dt_fail_memory(reader);
    if (!status && form.description) {
        status = dt_builder_set_description(reader->m, form.description, reader->error);
    }
    status = status ? status : add_functions(reader);
    if (!status) {
        status = read_parameters(reader, form.parameters);
    }
    if (!status) {
        status =
            read_each(reader, form.inputs, "a mapping from names to initial values", read_input);
    }
    if (!status) {
        status =
            read_each(reader, form.signals, "a mapping from names to expressions", read_signal);
    }
    if (!status) {
        status = dt_read_settings(reader, form.simulation);
    }
    if (!status) {
        status = read_gravity(reader, form.gravity);
    }
    if (!status) {
        status = read_sections(reader, &form);
    }
    if (!status) {
        status = dt_read_initial(reader, form.initial);
    }
    status = status ? status : dt_law_choices_check(reader);
    if (!status && reader->m->body_count == 0) {
        dt_location where = dt_node_place(reader, reader->root);
        return dt_fail(reader->error, DETENT_ERROR_MODEL, &where, "the mechanism has no body");
    }
    return status ? status : dt_builder_finish(reader->m, reader->error);
}

static detent_status read_text(dt_reader *reader, const dt_item_source *source,
                               const detent_allocator *allocator, detent_mechanism **mechanism)
{
    const dt_locator locator = {reader, dt_reader_locate};
    detent_status status = dt_yaml_parse(&reader->arena, reader->text, reader->length, reader->file,
                                         &reader->root, reader->error);
    if (!status) {
        status = dt_mechanism_new(reader->file, source, allocator, &reader->m, reader->error);
    }
    if (status) {
        return status;
    }
    dt_builder_set_locator(reader->m, &locator);
    status = read_file(reader);
    if (status) {
        dt_mechanism_delete(reader->m);
        return status;
    }
    *mechanism = reader->m;
    return DETENT_OK;
}

detent_status dt_read_mechanism(const char *text, size_t length, const char *name,
                                const dt_item_source *source, const detent_load_options *options,
                                detent_mechanism **mechanism, detent_error *error)
{
    detent_error ignored;
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* a byte order mark has no width */
        text += 3;
        length -= 3;
    }
    dt_reader reader = {.text = text,
                        .file = name ? name : "mechanism",
                        .length = length,
                        .options = options,
                        .error = error ? error : &ignored};
    const detent_allocator *allocator = options ? options->allocator : NULL;
    *mechanism = NULL;
    dt_arena_init(&reader.arena, allocator);
    detent_status status = read_text(&reader, source, allocator, mechanism);
    if (status) {
        dt_reader_explain(&reader);
    }
    dt_arena_free(&reader.arena);
    return status;
}
