/* One run as the page reads it. */
#include "report_parts.h"

#include "report_column.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double *report_part(const report_run *run, const char *name)
{
    for (int k = 0; k < RECORD_PARTS; k++) {
        if (strcmp(record_parts[k].name, name) == 0) {
            return run->values[k];
        }
    }
    return NULL;
}

static void text_and_free(json_writer *json, const char *key, char *text)
{
    json_text(json, key, text ? text : "");
    free(text);
}

static void numbers(json_writer *json, const char *key, const double *values, size_t count)
{
    json_array(json, key);
    for (size_t k = 0; k < count; k++) {
        json_number(json, NULL, values[k]);
    }
    json_close(json);
}

/* ---- settings and counters ---- */

/* The attributes of a variable. */
static void attributes(json_writer *json, const char *key, const record_file *file,
                       const char *variable, bool with_zeros)
{
    char name[80];
    const int id = store_find(file->store, variable);
    if (id < 0) {
        return;
    }
    json_array(json, key);
    for (int k = 0; store_attribute_name(file->store, id, k, name, sizeof name); k++) {
        char *value = store_get_attribute(file->store, id, name);
        /* a setting of 0 was not given: the mechanism decides */
        if (value && strcmp(name, "long_name") != 0 && (with_zeros || strcmp(value, "0") != 0)) {
            json_array(json, NULL);
            json_text(json, NULL, name);
            json_text(json, NULL, value);
            json_close(json);
        }
        free(value);
    }
    json_close(json);
}

static void describe(json_writer *json, const report_run *run)
{
    store *s = run->file.store;
    json_text(json, "name", run->name);
    text_and_free(json, "title", store_get_attribute(s, -1, "title"));
    text_and_free(json, "program", store_get_attribute(s, -1, "source"));
    text_and_free(json, "file", store_get_attribute(s, -1, "mechanism_file"));
    text_and_free(json, "fingerprint", store_get_attribute(s, -1, "mechanism_fingerprint"));
    text_and_free(json, "source", record_file_text(&run->file, "mechanism", 0));
    attributes(json, "settings", &run->file, "settings", false);
    attributes(json, "counters", &run->file, "counters", true);
    text_and_free(json, "outcome", store_get_attribute(s, -1, "outcome"));
}

/* ---- the scene ---- */

/* Against gravity at the start; z where there is none. */
static void write_up(json_writer *json, const report_run *run)
{
    const double *g = report_part(run, "gravity");
    double up[3] = {0, 0, 1};
    const double length = g ? hypot(hypot(g[0], g[1]), g[2]) : 0;
    for (int k = 0; k < 3 && length > 0; k++) {
        up[k] = -g[k] / length;
    }
    numbers(json, "up", up, 3);
}

typedef struct box {
    double low[3], high[3];
} box;

static void widen(box *b, const double *points, size_t count)
{
    for (size_t i = 0; i < 3 * count && points; i++) {
        b->low[i % 3] = fmin(b->low[i % 3], points[i]);
        b->high[i % 3] = fmax(b->high[i % 3], points[i]);
    }
}

/* r + R(q) c. */
static void center_of(const double origin[3], const double q[4], const double c[3], double at[3])
{
    const double *u = q + 1, turn[3] = {u[1] * c[2] - u[2] * c[1] + q[0] * c[0],
                                        u[2] * c[0] - u[0] * c[2] + q[0] * c[1],
                                        u[0] * c[1] - u[1] * c[0] + q[0] * c[2]};
    at[0] = origin[0] + c[0] + 2 * (u[1] * turn[2] - u[2] * turn[1]);
    at[1] = origin[1] + c[1] + 2 * (u[2] * turn[0] - u[0] * turn[2]);
    at[2] = origin[2] + c[2] + 2 * (u[0] * turn[1] - u[1] * turn[0]);
}

/* The diagonal of the box that places of joints and centres of mass are in, over the first `rows`. */
static double size_over(const report_run *run, const double *centers, size_t rows)
{
    box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    const double *origin = report_part(run, "origin"), *rotation = report_part(run, "rotation");
    const size_t bodies = run->file.count[RECORD_BODY];
    widen(&b, report_part(run, "place"), rows * run->file.count[RECORD_JOINT]);
    for (size_t i = 0; i < rows * bodies && origin && rotation; i++) {
        double at[3];
        center_of(origin + 3 * i, rotation + 4 * i, centers + 3 * (i % bodies), at);
        widen(&b, at, 1);
    }
    return hypot(hypot(b.high[0] - b.low[0], b.high[1] - b.low[1]), b.high[2] - b.low[2]);
}

/* At the start; of one body that slides, its way. */
static double size_of(const report_run *run, const double *centers)
{
    const double size = size_over(run, centers, 1),
                 whole = size > 0 ? size : size_over(run, centers, run->kept);
    return isfinite(whole) && whole > 0 ? whole : 1;
}

/* Origins and rotations side by side. */
static bool write_pose(json_writer *json, const report_run *run, size_t body)
{
    const size_t bodies = run->file.count[RECORD_BODY];
    const double *origin = report_part(run, "origin"), *rotation = report_part(run, "rotation");
    double *pose = origin && rotation ? malloc(run->kept * 7 * sizeof *pose) : NULL;
    for (size_t i = 0; i < run->kept && pose; i++) {
        memcpy(pose + 7 * i, origin + (i * bodies + body) * 3, 3 * sizeof *pose);
        memcpy(pose + 7 * i + 3, rotation + (i * bodies + body) * 4, 4 * sizeof *pose);
    }
    const report_table table = {pose, run->kept, 7, 7};
    const bool good = pose && report_column_or_one(json, "pose", &table);
    free(pose);
    return good;
}

static bool write_ground(json_writer *json, const report_run *run)
{
    static const double rest[7] = {0, 0, 0, 1, 0, 0, 0};
    const report_table table = {rest, 1, 7, 7};
    json_object(json, NULL);
    json_text(json, "name", "ground");
    const bool good = report_column(json, "pose", REPORT_FLOAT, &table);
    report_write_shapes(json, run, -1);
    json_close(json);
    return good;
}

/* In the frames of the bodies; 0 where the record has none. NULL when memory is out. */
static double *read_centers(const record_file *file)
{
    const size_t count = file->count[RECORD_BODY], start[2] = {0, 0}, length[2] = {count, 3};
    double *centers = calloc(3 * count + 1, sizeof *centers);
    const int id = store_find(file->store, "body_center");
    if (centers && id >= 0 && !store_get(file->store, id, start, length, centers)) {
        memset(centers, 0, 3 * count * sizeof *centers);
    }
    return centers;
}

static bool write_bodies(json_writer *json, const report_run *run)
{
    const record_file *file = &run->file;
    const size_t count = file->count[RECORD_BODY];
    double *centers = read_centers(file);
    bool good = centers != NULL;
    if (good) {
        json_number(json, "size", size_of(run, centers));
    }
    json_array(json, "bodies");
    good = good && write_ground(json, run);
    for (size_t b = 0; b < count && good; b++) {
        json_object(json, NULL);
        text_and_free(json, "name", record_file_text(file, "body", b));
        numbers(json, "center", centers + 3 * b, 3);
        good = write_pose(json, run, b);
        report_write_shapes(json, run, (ptrdiff_t)b);
        json_close(json);
    }
    json_close(json);
    free(centers);
    return good;
}

/* ---- joints ---- */

/* Item `index` of a part, in single precision. */
static bool write_part(json_writer *json, const report_run *run, const char *key, const char *name,
                       size_t index, size_t items, size_t width, bool or_one)
{
    const double *values = report_part(run, name);
    if (!values) {
        return true;
    }
    const report_table table = {values + index * width, run->kept, width, items * width};
    return or_one ? report_column_or_one(json, key, &table)
                  : report_column(json, key, REPORT_FLOAT, &table);
}

/* 0 locked, 1 and -1 unlocked, 2 and -2 wait. */
static bool write_mode(json_writer *json, const report_run *run, size_t stiction)
{
    const size_t items = run->file.count[RECORD_STICTION];
    const double *mode = report_part(run, "mode"), *way = report_part(run, "direction");
    double *code = mode && way ? malloc(run->kept * sizeof *code) : NULL;
    for (size_t i = 0; i < run->kept && code; i++) {
        const double sign = way[i * items + stiction] < 0 ? -1 : 1,
                     own = mode[i * items + stiction];
        code[i] = own == DETENT_LOCKED ? 0 : own == DETENT_WAIT ? 2 * sign : sign;
    }
    const report_table table = {code, run->kept, 1, 1};
    const bool good = code && report_column(json, "mode", REPORT_BYTE, &table);
    free(code);
    return good;
}

static bool write_stiction(json_writer *json, const report_run *run, size_t k)
{
    const size_t items = run->file.count[RECORD_STICTION];
    return write_part(json, run, "friction", "friction", k, items, 1, false) &&
           write_part(json, run, "limit_low", "limit_low", k, items, 1, false) &&
           write_part(json, run, "limit_high", "limit_high", k, items, 1, false) &&
           write_mode(json, run, k);
}

static bool write_motion(json_writer *json, const report_run *run, size_t joint)
{
    const record_file *file = &run->file;
    const double q = record_file_number(file, "joint_coordinate", joint, -1),
                 v = record_file_number(file, "joint_freedom", joint, -1);
    const size_t nq = file->count[RECORD_COORDINATE], nv = file->count[RECORD_FREEDOM];
    return write_part(json, run, "position", "position", (size_t)q, nq, 1, false) &&
           write_part(json, run, "velocity", "velocity", (size_t)v, nv, 1, false) &&
           write_part(json, run, "acceleration", "acceleration", (size_t)v, nv, 1, false);
}

static bool write_joint(json_writer *json, const report_run *run, size_t i)
{
    const record_file *file = &run->file;
    const size_t items = file->count[RECORD_JOINT];
    const double stiction = record_file_number(file, "joint_stiction", i, -1);
    char *type = record_file_text(file, "joint_type", i);
    const bool is_scalar =
        type && (strcmp(type, "revolute") == 0 || strcmp(type, "prismatic") == 0);
    text_and_free(json, "name", record_file_text(file, "joint", i));
    text_and_free(json, "type", type);
    /* bodies of the page begin with the ground */
    json_count(json, "base", (size_t)(record_file_number(file, "joint_base", i, -1) + 1));
    json_count(json, "follower", (size_t)(record_file_number(file, "joint_follower", i, -1) + 1));
    json_bool(json, "closes_loop", record_file_number(file, "joint_closes_loop", i, 0) > 0);
    json_bool(json, "stiction", stiction >= 0);
    return write_part(json, run, "place", "place", i, items, 3, true) &&
           write_part(json, run, "axis", "axis", i, items, 3, true) &&
           (!is_scalar || write_motion(json, run, i)) &&
           (stiction < 0 || write_stiction(json, run, (size_t)stiction)) &&
           write_part(json, run, "reaction_force", "reaction_force", i, items, 3, false) &&
           write_part(json, run, "reaction_torque", "reaction_torque", i, items, 3, false);
}

static bool write_joints(json_writer *json, const report_run *run)
{
    bool good = true;
    json_array(json, "joints");
    for (size_t i = 0; i < run->file.count[RECORD_JOINT] && good; i++) {
        json_object(json, NULL);
        good = write_joint(json, run, i);
        json_close(json);
    }
    json_close(json);
    return good;
}

/* ---- outputs and energy ---- */

static bool write_values(json_writer *json, const report_run *run, record_dimension dimension,
                         const char *part, const char *head)
{
    const record_file *file = &run->file;
    const size_t count = file->count[dimension];
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        char unit[32];
        char *own = record_file_text(file, record_dimension_names[dimension], i);
        const size_t room = strlen(head) + (own ? strlen(own) : 0) + 1;
        char *name = malloc(room);
        good = own && name;
        if (good) {
            snprintf(name, room, "%s%s", head, own);
            snprintf(unit, sizeof unit, "%s_unit", record_dimension_names[dimension]);
            json_object(json, NULL);
            json_text(json, "name", name);
            text_and_free(json, "unit", record_file_text(file, unit, i));
            good = write_part(json, run, "value", part, i, count, 1, false);
            json_close(json);
        }
        free(own);
        free(name);
    }
    return good;
}

static bool write_outputs(json_writer *json, const report_run *run)
{
    json_array(json, "outputs");
    const bool good = write_values(json, run, RECORD_OUTPUT, "output_value", "") &&
                      write_values(json, run, RECORD_STATE, "state_value", "state ") &&
                      write_values(json, run, RECORD_INPUT, "input_value", "input ");
    json_close(json);
    return good;
}

static double initial_energy(const report_run *run)
{
    const int id = store_find(run->file.store, "counters");
    char *text = id < 0 ? NULL : store_get_attribute(run->file.store, id, "initial_energy");
    const double *kinetic = report_part(run, "kinetic_energy"),
                 *potential = report_part(run, "potential_energy");
    const double value = text ? strtod(text, NULL) : kinetic[0] + potential[0];
    free(text);
    return value;
}

static bool write_energy(json_writer *json, const report_run *run)
{
    static const char *const parts[] = {"kinetic_energy", "potential_energy", "friction_work",
                                        "damping_work",   "actuation_work",   "impact_loss"};
    const double *p[6];
    for (int k = 0; k < 6; k++) {
        p[k] = report_part(run, parts[k]);
        if (!p[k]) {
            return true; /* nothing to tell */
        }
    }
    double *sums = malloc(2 * run->kept * sizeof *sums);
    if (!sums) {
        return false;
    }
    const double start = initial_energy(run);
    for (size_t i = 0; i < run->kept; i++) {
        sums[2 * i] = p[5][i] - p[2][i] - p[3][i];
        sums[2 * i + 1] = p[0][i] + p[1][i] - start - p[4][i] + sums[2 * i];
    }
    const struct {
        const char *key;
        report_table table;
    } columns[] = {{"kinetic", {p[0], run->kept, 1, 1}},
                   {"potential", {p[1], run->kept, 1, 1}},
                   {"work_in", {p[4], run->kept, 1, 1}},
                   {"dissipated", {sums, run->kept, 1, 2}},
                   {"error", {sums + 1, run->kept, 1, 2}}};
    bool good = true;
    json_object(json, "energy");
    for (size_t k = 0; k < sizeof columns / sizeof *columns && good; k++) {
        good = report_column(json, columns[k].key, REPORT_FLOAT, &columns[k].table);
    }
    json_close(json);
    free(sums);
    return good;
}

bool report_write_run(json_writer *json, const report_run *run, double most)
{
    report_thinned thinned = {0};
    const report_table time = {run->time, run->kept, 1, 1};
    json_object(json, NULL);
    describe(json, run);
    bool good = report_column(json, "time", REPORT_DOUBLE, &time);
    write_up(json, run);
    good = good && write_bodies(json, run) && write_joints(json, run) && write_outputs(json, run) &&
           write_energy(json, run) && report_write_events(json, run, most, &thinned);
    json_object(json, "thinned");
    json_count(json, "rows", run->file.rows);
    json_count(json, "kept", run->kept);
    json_count(json, "events", thinned.events);
    json_count(json, "events_kept", thinned.events_kept);
    json_count(json, "stories", thinned.stories);
    json_count(json, "stories_kept", thinned.stories_kept);
    json_close(json);
    json_close(json);
    return good;
}
