#include "format/law_choice.h"

#include "model/joint_type.h"
#include "model/mechanism.h"

#include <math.h>
#include <string.h>

/* ---- which ---- */

/* The law that was chosen for a primitive; NULL: none was. */
static const detent_law_choice *find_choice(dt_reader *reader, const char *primitive)
{
    const detent_load_options *options = reader->options;
    for (size_t k = 0; options && k < options->law_count && reader->law_taken; k++) {
        if (strcmp(options->laws[k]->primitive, primitive) == 0) {
            reader->law_taken[k] = true;
            return options->laws[k];
        }
    }
    return NULL;
}

/* Room to note who was found. */
static detent_status prepare(dt_reader *reader)
{
    const detent_load_options *options = reader->options;
    if (options && options->law_count > 0 && !reader->law_taken) {
        reader->law_taken =
            dt_arena_alloc(&reader->arena, options->law_count, sizeof *reader->law_taken);
        return reader->law_taken ? DETENT_OK : dt_fail_memory(reader);
    }
    return DETENT_OK;
}

/* What is wrong is the caller's: an argument, not a place of the file. */
static detent_status fail_choice(dt_reader *reader, const detent_law_choice *choice)
{
    detent_error *error = reader->error;
    char message[sizeof error->message];
    memcpy(message, error->message, sizeof message);
    return error->status == DETENT_ERROR_MEMORY
               ? error->status
               : dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "friction law '%s' of joint '%s': %s",
                         choice->law, choice->primitive, message);
}

/* ---- what the caller gives, as the mapping that would stand in a file ---- */

static const char *word_key(const dt_item_kind *kind)
{
    const dt_key *key = kind->keys;
    while (key->kind != DT_VALUE_CHOICE) {
        key++;
    }
    return key->name;
}

static dt_yaml_node *add_node(dt_reader *reader, dt_yaml_node *mapping, dt_yaml_node *last,
                              const char *key, const char *text)
{
    const dt_yaml_node *value;
    dt_yaml_node *node = dt_arena_one(&reader->arena, sizeof *node);
    if (!node || dt_yaml_parse(&reader->arena, text, strlen(text), key, &value, reader->error)) {
        return NULL;
    }
    *node = *value;
    node->key = key;
    node->next = NULL;
    *(last ? &last->next : &mapping->first) = node;
    mapping->count++;
    return node;
}

static const dt_yaml_node *mapping_of(dt_reader *reader, const dt_item_kind *kind,
                                      const detent_law_choice *choice)
{
    dt_yaml_node *mapping = dt_arena_one(&reader->arena, sizeof *mapping), *last = NULL;
    dt_fail(reader->error, DETENT_ERROR_MEMORY, NULL, "out of memory");
    if (mapping) {
        *mapping = (dt_yaml_node){.kind = DT_YAML_MAPPING};
        last = add_node(reader, mapping, NULL, word_key(kind), choice->law);
    }
    for (size_t k = 0; k < choice->key_count && last; k++) {
        if (dt_yaml_find(mapping, choice->keys[k].name)) {
            dt_fail(reader->error, DETENT_ERROR_ARGUMENT, NULL, "the key '%s' is given twice",
                    choice->keys[k].name);
            return NULL;
        }
        last = add_node(reader, mapping, last, choice->keys[k].name, choice->keys[k].value);
    }
    return last ? mapping : NULL;
}

/* ---- a law ---- */

/* A normal force would make coefficients of numbers that are forces in the file. */
static bool adds_load(const dt_item_kind *kind, const dt_yaml_node *own, const dt_yaml_node *over)
{
    return kind->load && dt_yaml_find(over, kind->load) && !dt_yaml_find(own, kind->load);
}

/* Changes the definition that is there, which the item `own` (with its load) has filled, and adds it. */
static detent_status choose(dt_reader *reader, const dt_section *section, const dt_yaml_node *own,
                            const detent_law_choice *choice, double velocity)
{
    const char *name = choice->primitive;
    const dt_yaml_node *over = mapping_of(reader, section->kind, choice);
    detent_status status =
        over ? dt_section_fill_over(reader, section, own, over, name) : reader->error->status;
    if (status) {
        return fail_choice(reader, choice);
    }
    const char *why =
        adds_load(section->kind, own, over)
            ? "its friction has no load in the file: a 'normal_force' would make coefficients of "
              "its "
              "forces"
            : section->kind->complete(reader->definition,
                                      choice->velocity > 0 ? choice->velocity : velocity,
                                      choice->stretch);
    if (why) {
        dt_fail(reader->error, DETENT_ERROR_MODEL, NULL, "%s", why);
        return fail_choice(reader, choice);
    }
    return dt_builder_add(reader->m, section->number, reader->definition, &reader->origin,
                          reader->error);
}

detent_status dt_law_choice_read(dt_reader *reader, const dt_section *section,
                                 const dt_yaml_node *item, const char *primitive)
{
    detent_status status = prepare(reader);
    const detent_law_choice *choice = status ? NULL : find_choice(reader, primitive);
    if (status || !choice) {
        return status ? status : dt_section_read_keys(reader, section, item, primitive);
    }
    status = dt_section_fill(reader, section, item, primitive);
    return status ? status : choose(reader, section, item, choice, 0);
}

/* ---- stiction ---- */

/* The value of a text that is a constant; NAN: it is none, or is not given. Fails where memory is out. */
static detent_status find_constant(dt_reader *reader, const char *text, double *value)
{
    const dt_location nowhere = {NULL, 0, 0};
    detent_error ignored;
    dt_constant constant = {.value = NAN};
    const detent_status status = text ? dt_builder_constant(reader->m, text, &nowhere, NULL,
                                                            &reader->origin, &constant, &ignored)
                                      : DETENT_OK;
    *value = status ? NAN : constant.value;
    return status == DETENT_ERROR_MEMORY ? dt_fail_memory(reader) : DETENT_OK;
}

/* The one limit of both directions; NAN: it is not known. */
static detent_status find_limit(dt_reader *reader, const detent_stiction_def *def, double *limit)
{
    double forward, reverse;
    if (def->static_limit) {
        return find_constant(reader, def->static_limit, limit);
    }
    detent_status status = find_constant(reader, def->forward, &forward);
    status = status ? status : find_constant(reader, def->reverse, &reverse);
    if (!status && !(forward == -reverse)) {
        status = dt_fail(reader->error, DETENT_ERROR_MODEL, NULL,
                         "its static limits differ from one direction to the other, or are no "
                         "constants");
    }
    *limit = status ? NAN : reverse;
    return status;
}

/* What stiction has that no law has. */
static detent_status refuse_surplus(dt_reader *reader, const detent_stiction_def *def)
{
    const char *surplus = def->test && strcmp(def->test, "computed") != 0
                              ? "its stiction has a test friction of its own"
                          : !def->kinetic ? "its stiction has no 'kinetic' friction"
                                          : NULL;
    return surplus ? dt_fail(reader->error, DETENT_ERROR_MODEL, NULL, "%s", surplus) : DETENT_OK;
}

/* Its friction. One that is no constant is a load, which rubs with the coefficient 1. */
static detent_status measure(dt_reader *reader, const detent_stiction_def *def,
                             dt_dry_friction *friction)
{
    *friction = (dt_dry_friction){0};
    detent_status status = refuse_surplus(reader, def);
    status = status ? status : find_limit(reader, def, &friction->limit);
    status = status ? status : find_constant(reader, def->kinetic, &friction->kinetic);
    if (status || !isnan(friction->kinetic)) {
        return status;
    }
    const dt_primitive_type *type = dt_builder_primitive_type(reader->m, def->primitive);
    const bool turns = type && type->rotational;
    *friction = (dt_dry_friction){
        .kinetic = 1,
        .limit = NAN,
        .radius = turns,
        .load = dt_arena_printf(&reader->arena, turns ? "(%s)/(1 [m])" : "(%s)", def->kinetic)};
    return friction->load ? DETENT_OK : dt_fail_memory(reader);
}

/* A mapping that says of an item only whether it has a load. */
static const dt_yaml_node *item_with_load(dt_reader *reader, const dt_section *section,
                                          const char *load)
{
    dt_yaml_node *item = dt_arena_one(&reader->arena, sizeof *item);
    if (item) {
        *item = (dt_yaml_node){.kind = DT_YAML_MAPPING};
    }
    return !item || (load && !add_node(reader, item, NULL, section->kind->load, "0")) ? NULL : item;
}

/* Where items stand that rub and can be taken over. */
static dt_section find_section(const dt_reader *reader)
{
    const dt_item_source *source = reader->m->source;
    int number = DT_ITEM_KINDS;
    while (!dt_item_kind_of(source, number) || !dt_item_kind_of(source, number)->take_over) {
        number++;
    }
    return (dt_section){
        .kind = dt_item_kind_of(source, number), .number = number, .read = dt_section_read_keys};
}

/* Stiction that becomes a law. */
static detent_status convert(dt_reader *reader, const detent_law_choice *choice,
                             const detent_stiction_def *def)
{
    const dt_section section = find_section(reader);
    dt_dry_friction friction;
    if (measure(reader, def, &friction)) {
        return fail_choice(reader, choice);
    }
    const dt_yaml_node *item = item_with_load(reader, &section, friction.load);
    const bool kept =
        !def->external || dt_builder_set_force(reader->m, def->primitive, def->external);
    if (!item || !kept) {
        return dt_fail_memory(reader);
    }
    memset(reader->definition, 0, section.kind->size);
    ((dt_item_head *)reader->definition)->name = def->primitive;
    section.kind->take_over(reader->definition, &friction);
    return choose(reader, &section, item, choice, def->velocity_threshold);
}

detent_status dt_law_choice_read_stiction(dt_reader *reader, const dt_section *section,
                                          const dt_yaml_node *item, const char *primitive)
{
    detent_status status = prepare(reader);
    const detent_law_choice *choice = status ? NULL : find_choice(reader, primitive);
    const bool stays =
        choice && strcmp(choice->law, section->kind->what) == 0 && choice->key_count == 0;
    if (status || !choice || stays) {
        return status ? status : dt_section_read_keys(reader, section, item, primitive);
    }
    status = dt_section_fill(reader, section, item, primitive);
    const detent_stiction_def def = *(const detent_stiction_def *)reader->definition;
    return status ? status : convert(reader, choice, &def);
}

detent_status dt_law_choices_check(dt_reader *reader)
{
    const detent_load_options *options = reader->options;
    detent_status status = prepare(reader);
    for (size_t k = 0; options && k < options->law_count && !status; k++) {
        const char *name = options->laws[k]->primitive;
        if (!reader->law_taken[k]) {
            status =
                dt_fail(reader->error, DETENT_ERROR_ARGUMENT, NULL,
                        "friction law '%s': the file gives no friction to a joint '%s', or two "
                        "laws are chosen for it",
                        options->laws[k]->law, name);
        }
    }
    return status;
}
