/* What is the same in all rows of a record: the mechanism, names, units, places, settings. */
#include "record_describe.h"

#include "describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT_NAME_SIZE = 32 };

/* A variable along one dimension. */
static int add_list(store *s, const int *dimension, record_dimension along, store_type type,
                    const char *name, const char *title)
{
    const store_shape shape = {type, 1, {dimension[along]}, {0}, false};
    const int id = store_variable(s, name, &shape);
    store_text(s, id, "long_name", title);
    return id;
}

static void put_name(store *s, int variable, size_t index, const char *name)
{
    const size_t one = 1;
    store_put_strings(s, variable, &index, &one, &name);
}

/* ---- names ---- */

/* "ball w": of a primitive with several coordinates. */
static void name_components(store *s, int variable, const detent_mechanism *mechanism,
                            bool coordinates)
{
    char name[512];
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    for (size_t i = 0; detent_get_primitive(mechanism, i, &p) == DETENT_OK; i++) {
        const size_t first = coordinates ? p.first_coordinate : p.first_freedom,
                     count = coordinates ? p.coordinates : p.freedoms;
        for (size_t k = 0; k < count; k++) {
            snprintf(name, sizeof name, count > 1 ? "%s %c" : "%s", p.name,
                     (count == 4 ? "wxyz" : "xyz")[k]);
            put_name(s, variable, first + k, name);
        }
    }
}

static void name_items(store *s, int variable, const detent_mechanism *mechanism, detent_item item)
{
    const char *name;
    for (size_t i = 0; (name = detent_name(mechanism, item, i)) != NULL; i++) {
        put_name(s, variable, i, name);
    }
}

static void name_axes(store *s, int variable, const char *const *names, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        put_name(s, variable, k, names[k]);
    }
}

/* Sampled values by their names; what is behind them are instants. */
static void name_held(store *s, int variable, const detent_mechanism *mechanism)
{
    const size_t count = record_count(mechanism, RECORD_HELD);
    for (size_t i = 0; i < count; i++) {
        const char *name = detent_name(mechanism, DETENT_SAMPLED, i);
        put_name(s, variable, i, name ? name : "rest");
    }
}

static void put_names(store *s, int variable, const detent_mechanism *mechanism,
                      record_dimension dimension)
{
    static const char *const wxyz[] = {"w", "x", "y", "z"};
    static const detent_item items[RECORD_DIMENSIONS] = {
        [RECORD_BODY] = DETENT_BODY,   [RECORD_JOINT] = DETENT_PRIMITIVE,
        [RECORD_STATE] = DETENT_STATE, [RECORD_STICTION] = DETENT_STICTION,
        [RECORD_INPUT] = DETENT_INPUT, [RECORD_OUTPUT] = DETENT_OUTPUT};
    switch (dimension) {
    case RECORD_COORDINATE:
    case RECORD_FREEDOM:
        name_components(s, variable, mechanism, dimension == RECORD_COORDINATE);
        break;
    case RECORD_XYZ:
        name_axes(s, variable, wxyz + 1, 3);
        break;
    case RECORD_WXYZ:
        name_axes(s, variable, wxyz, 4);
        break;
    case RECORD_HELD:
        name_held(s, variable, mechanism);
        break;
    default:
        name_items(s, variable, mechanism, items[dimension]);
    }
}

static void put_units(store *s, const detent_mechanism *mechanism, const int *dimension,
                      record_dimension along)
{
    static const char *const of[RECORD_DIMENSIONS] = {[RECORD_COORDINATE] = "of positions",
                                                      [RECORD_FREEDOM] = "of velocities",
                                                      [RECORD_STICTION] = "of frictions",
                                                      [RECORD_STATE] = "of states",
                                                      [RECORD_OUTPUT] = "of outputs"};
    if (!of[along]) {
        return;
    }
    char name[UNIT_NAME_SIZE], title[UNIT_NAME_SIZE];
    snprintf(name, sizeof name, "%s_unit", record_dimension_names[along]);
    snprintf(title, sizeof title, "units %s", of[along]);
    const int variable = add_list(s, dimension, along, STORE_STRING, name, title);
    const size_t count = record_count(mechanism, along);
    for (size_t i = 0; i < count; i++) {
        put_name(s, variable, i, record_unit(mechanism, along, i, along == RECORD_FREEDOM));
    }
}

static void add_dimensions(store *s, const detent_mechanism *mechanism, int *dimension)
{
    for (int d = 0; d < RECORD_DIMENSIONS; d++) {
        const bool grows =
            d == RECORD_TIME || d == RECORD_EVENT || d == RECORD_INSTANT || d == RECORD_STORY;
        const size_t count = record_count(mechanism, (record_dimension)d);
        const char *name = record_dimension_names[d];
        dimension[d] = grows || count > 0 ? store_dimension(s, name, count) : -1;
        if (!grows && count > 0) {
            const int names =
                add_list(s, dimension, (record_dimension)d, STORE_STRING, name,
                         d == RECORD_XYZ || d == RECORD_WXYZ ? "components" : "names");
            put_names(s, names, mechanism, (record_dimension)d);
            put_units(s, mechanism, dimension, (record_dimension)d);
        }
    }
}

/* ---- joints and bodies ---- */

static void put_number(store *s, int variable, size_t index, double value)
{
    const size_t one = 1;
    store_put(s, variable, &index, &one, &value);
}

static void describe_joints(store *s, const detent_mechanism *mechanism, const int *dimension)
{
    static const struct {
        const char *name, *title;
    } lists[] = {
        {"joint_base", "index of the body that it stands on; -1: the ground"},
        {"joint_follower", "index of the body that it moves; -1: the ground"},
        {"joint_stiction", "index among joints with stiction; -1: none"},
        {"joint_coordinate", "first index of its positions; -1: none"},
        {"joint_freedom", "first index of its velocities; -1: none"},
        {"joint_closes_loop", "1 where a loop is cut at its joint, else 0"},
    };
    enum { LISTS = sizeof lists / sizeof *lists };
    int id[LISTS];
    const size_t count = record_count(mechanism, RECORD_JOINT);
    if (count == 0) {
        return;
    }
    const int type = add_list(s, dimension, RECORD_JOINT, STORE_STRING, "joint_type",
                              "revolute, prismatic, spherical or weld");
    for (int k = 0; k < LISTS; k++) {
        id[k] = add_list(s, dimension, RECORD_JOINT, STORE_INT, lists[k].name, lists[k].title);
    }
    for (size_t i = 0; i < count; i++) {
        detent_primitive_info p = DETENT_INIT(detent_primitive_info);
        detent_get_primitive(mechanism, i, &p);
        const char *joint = detent_name(mechanism, DETENT_JOINT, p.joint);
        const double values[LISTS] = {(double)p.base,
                                      (double)p.follower,
                                      (double)p.stiction,
                                      p.coordinates > 0 ? (double)p.first_coordinate : -1,
                                      p.freedoms > 0 ? (double)p.first_freedom : -1,
                                      detent_find(mechanism, DETENT_LOOP, joint) >= 0};
        put_name(s, type, i, p.type);
        for (int k = 0; k < LISTS; k++) {
            put_number(s, id[k], i, values[k]);
        }
    }
}

static void describe_bodies(store *s, const detent_mechanism *mechanism, const int *dimension)
{
    const size_t count = record_count(mechanism, RECORD_BODY);
    if (count == 0) {
        return;
    }
    const store_shape vectors = {
        STORE_DOUBLE, 2, {dimension[RECORD_BODY], dimension[RECORD_XYZ]}, {0}, false};
    const int mass =
                  add_list(s, dimension, RECORD_BODY, STORE_DOUBLE, "body_mass", "mass of bodies"),
              center = store_variable(s, "body_center", &vectors);
    store_text(s, mass, "units", "kg");
    store_text(s, center, "units", "m");
    store_text(s, center, "long_name", "centres of mass, in the frames of bodies");
    for (size_t i = 0; i < count; i++) {
        detent_body_info body = DETENT_INIT(detent_body_info);
        detent_get_body(mechanism, i, &body);
        const size_t start[2] = {i, 0}, length[2] = {1, 3};
        put_number(s, mass, i, body.mass);
        store_put(s, center, start, length, body.center_of_mass);
    }
}

/* ---- the file as a whole ---- */

static void put_single(store *s, const char *name, const char *title, const char *text)
{
    const store_shape shape = {STORE_STRING, 0, {0}, {0}, false};
    const int id = store_variable(s, name, &shape);
    store_text(s, id, "long_name", title);
    store_put_strings(s, id, NULL, NULL, &text);
}

/* False when memory is out. */
static bool put_mechanism(store *s, const detent_mechanism *mechanism)
{
    size_t length = 0;
    detent_status status = detent_mechanism_text(mechanism, NULL, 0, &length, NULL);
    char *text = status ? NULL : malloc(length + 1);
    if (status || !text) { /* there are mechanisms that no file can hold */
        return status && status != DETENT_ERROR_MEMORY;
    }
    status = detent_mechanism_text(mechanism, text, length + 1, &length, NULL);
    if (!status) {
        put_single(s, "mechanism", "the mechanism as a file (detent write)", text);
    }
    free(text);
    return status != DETENT_ERROR_MEMORY;
}

static void put_settings(store *s, const detent_settings *settings)
{
    const store_shape shape = {STORE_BYTE, 0, {0}, {0}, false};
    const int id = store_variable(s, "settings", &shape);
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"start", settings->start},
                   {"end", settings->end},
                   {"interval", settings->interval},
                   {"rtol", settings->rtol},
                   {"atol", settings->atol},
                   {"max_step", settings->max_step},
                   {"step", settings->step},
                   {"max_solves", settings->max_solves},
                   {"max_event_rate", settings->max_event_rate}};
    store_text(s, id, "long_name", "settings of the run: its attributes; 0: by the mechanism");
    store_text(s, id, "integrator", integrator_name(settings));
    store_text(s, id, "linear_solver", linear_solver_name(settings));
    store_text(s, id, "locked_joints", locked_joints_name(settings));
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        store_number(s, id, numbers[k].name, numbers[k].value);
    }
}

bool record_describe(store *s, const record_source *source, int dimension[RECORD_DIMENSIONS])
{
    char text[64];
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(source->mechanism, &info);
    store_text(s, -1, "Conventions", "CF-1.8");
    store_text(s, -1, "title", info.name);
    snprintf(text, sizeof text, "detent %s", detent_version());
    store_text(s, -1, "source", text);
    store_number(s, -1, "detent_record", RECORD_FORMAT);
    store_text(s, -1, "mechanism_file", source->file);
    snprintf(text, sizeof text, "%016llx", info.fingerprint);
    store_text(s, -1, "mechanism_fingerprint", text);
    store_text(s, -1, "outcome", "unfinished");
    add_dimensions(s, source->mechanism, dimension);
    describe_joints(s, source->mechanism, dimension);
    describe_bodies(s, source->mechanism, dimension);
    put_settings(s, source->settings);
    return put_mechanism(s, source->mechanism);
}
