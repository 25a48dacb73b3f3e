/* The section `simulation`: read into settings, and written from them. */

#include "format/settings.h"

#include "format/written.h"

#include <stddef.h>

static const char *const solver_words[] = {"tree", "dense", NULL};
static const char *const integrator_words[] = {"ida", "erk", "auto", "euler", "rk4", "fixed", NULL};
static const char *const locked_joints_words[] = {"weld", "constrain", NULL};

/* What 'simulation' gives. */
typedef struct simulation_form {
    detent_settings settings;
    const dt_yaml_node *integrator;
} simulation_form;

#define SETTING(kind, key, dimension)                                                 \
    {                                                                                 \
#key, DT_VALUE_##kind, false, offsetof(detent_settings, key), dimension, NULL \
    }

static const dt_key simulation_keys[] = {
    SETTING(NUMBER, start, &dt_dimension_time),
    SETTING(NUMBER, end, &dt_dimension_time),
    SETTING(POSITIVE, interval, &dt_dimension_time),
    SETTING(POSITIVE, rtol, &dt_dimension_none),
    SETTING(POSITIVE, atol, &dt_dimension_none),
    SETTING(NUMBER, max_step, &dt_dimension_time),
    SETTING(POSITIVE, max_event_rate, NULL),
    {"linear_solver", DT_VALUE_CHOICE, false, offsetof(detent_settings, linear_solver), NULL,
     solver_words},
    {"integrator", DT_VALUE_NODE, false, offsetof(simulation_form, integrator), NULL, NULL},
    {"locked_joints", DT_VALUE_CHOICE, false, offsetof(detent_settings, locked_joints), NULL,
     locked_joints_words},
    DT_KEYS_END,
};
static const dt_table simulation_table = {"simulation", simulation_keys};

static const dt_key integrator_key = {"integrator", DT_VALUE_CHOICE,
                                      false,        offsetof(detent_settings, integrator),
                                      NULL,         integrator_words};

/* The integrator with what it has of its own. */
static const dt_key integrator_keys[] = {
    {"type", DT_VALUE_CHOICE, true, offsetof(detent_settings, integrator), NULL, integrator_words},
    SETTING(POSITIVE, step, &dt_dimension_time),
    SETTING(COUNT, max_solves, NULL),
    DT_KEYS_END,
};
static const dt_table integrator_table = {"choice of an integrator", integrator_keys};

/* A word, or a mapping of the word and its step. */
static detent_status read_integrator(dt_reader *reader, const dt_yaml_node *node,
                                     detent_settings *settings)
{
    return node->kind == DT_YAML_MAPPING
               ? dt_form_read(reader, node, &integrator_table, settings)
               : dt_value_read(reader, node, &integrator_key, &settings->integrator);
}

detent_status dt_read_settings(dt_reader *reader, const dt_yaml_node *node)
{
    simulation_form form = {0};
    const dt_origin origin = {node, NULL, 0};
    detent_status status = node ? dt_form_read(reader, node, &simulation_table, &form) : DETENT_OK;
    if (!status && form.integrator) {
        status = read_integrator(reader, form.integrator, &form.settings);
    }
    if (status) {
        return status;
    }
    detent_settings s = form.settings;
    if (reader->options && reader->options->atol > 0.0) {
        s.atol = reader->options->atol;
    }
    const dt_yaml_node *end = node ? dt_yaml_find(node, "end") : NULL;
    if (!status && end && s.end == 0.0 && s.start >= 0.0) {
        dt_location where = dt_node_place(reader, end);
        return dt_fail(reader->error, DETENT_ERROR_MODEL, &where, "end: must be after the start");
    }
    return status ? status : dt_builder_set_settings(reader->m, &s, &origin, reader->error);
}

/* ---- writing ---- */

static void write_setting(dt_entries *into, const dt_key *key, const detent_settings *settings)
{
    const dt_script_item none = {0};
    const dt_key alone[] = {*key, DT_KEYS_END};
    dt_write_keys(into, alone, settings, &none, NULL);
}

/* Those that are not the default, as the user gave them. */
void dt_write_settings(dt_entries *into, const detent_settings *settings)
{
    for (const dt_key *key = simulation_keys; key->name; key++) {
        dt_entries choice = dt_entries_new(into->w, DT_YAML_MAPPING);
        if (key->kind != DT_VALUE_NODE) {
            write_setting(into, key, settings);
        } else if (settings->step != 0) {
            for (const dt_key *own = integrator_keys; own->name; own++) {
                write_setting(&choice, own, settings);
            }
            dt_entries_hang(into, key->name, &choice, true);
        } else {
            write_setting(into, &integrator_key, settings);
        }
    }
}
