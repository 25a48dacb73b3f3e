#include "support_runs.h"
#include "support_changes.h"

#include <unistd.h>

void runs_must(detent_status status, const detent_error *error)
{
    if (status != DETENT_OK) {
        fail_msg("%s: %s:%d:%d: %s\n%s", detent_status_text(status), error->file, error->line,
                 error->column, error->message, error->detail);
    }
}

/* ---- mechanisms and simulations ---- */

enum { MOST_PARAMETERS = 16, MOST_TEXT = 64 };

typedef struct overrides {
    detent_parameter parameter[MOST_PARAMETERS];
    char name[MOST_PARAMETERS][MOST_TEXT];
    detent_load_options options;
} overrides;

static void read_overrides(const char *const set[], overrides *o)
{
    size_t count = 0;
    for (; set && set[count]; count++) {
        const char *equals = strchr(set[count], '=');
        assert_non_null(equals);
        assert_true(count < MOST_PARAMETERS && equals - set[count] < MOST_TEXT);
        snprintf(o->name[count], MOST_TEXT, "%.*s", (int)(equals - set[count]), set[count]);
        o->parameter[count] = (detent_parameter){o->name[count], equals + 1};
    }
    o->options = (detent_load_options){
        .size = sizeof(detent_load_options), .parameters = o->parameter, .parameter_count = count};
}

detent_mechanism *runs_load(const char *file, const char *const set[])
{
    char path[512];
    overrides o;
    detent_error error;
    detent_mechanism *mechanism = NULL;
    read_overrides(set, &o);
    snprintf(path, sizeof path, "%s/mechanisms/%s", DETENT_SOURCE_DIR, file);
    runs_must(detent_mechanism_load(path, &o.options, &mechanism, &error), &error);
    return mechanism;
}

detent_mechanism *runs_parse(const char *text, const char *const set[])
{
    overrides o;
    detent_error error;
    detent_mechanism *mechanism = NULL;
    read_overrides(set, &o);
    runs_must(
        detent_mechanism_parse(text, strlen(text), "inline.yaml", &o.options, &mechanism, &error),
        &error);
    return mechanism;
}

const char runs_rods_text[] =
    "detent: 1\n"
    "name: Two rods\n"
    "gravity: [0, -9.81, 0]\n"
    "parameters: {far: 0 m}\n"
    "bodies:\n"
    "  upper: {mass: 1 kg, center_of_mass: [0.5, 0, 0], inertia: [0, 1/12, 1/12]}\n"
    "  lower: {mass: 1 kg, center_of_mass: [0.5, 0, 0], inertia: [0, 1/12, 1/12]}\n"
    "joints:\n"
    "  shoulder: {type: revolute, base: ground, follower: upper, at: {base: [far, 0, far]}}\n"
    "  elbow: {type: revolute, base: upper, follower: lower, at: {base: [1, 0, 0]}}\n"
    "stiction:\n"
    "  shoulder: {velocity_threshold: 1e-6, kinetic: 1, static: 1}\n"
    "  elbow: {velocity_threshold: 1e-6, kinetic: 0.5, static: 0.5}\n"
    "simulation: {end: 20}\n";

/* A variant of the engine that all runs of a test are made with, unless they choose it themselves. */
static void take_variant(detent_settings *settings)
{
    const char *variant = getenv("DETENT_TEST_VARIANT");
    if (!variant) {
        return;
    }
    if (!strcmp(variant, "constrain")) {
        settings->locked_joints = DETENT_LOCKED_JOINTS_CONSTRAIN;
    } else if (!strcmp(variant, "dense")) {
        settings->linear_solver = DETENT_LINEAR_SOLVER_DENSE;
    } else {
        fail_msg("DETENT_TEST_VARIANT is neither constrain nor dense: %s", variant);
    }
}

detent_settings runs_settings(const detent_mechanism *mechanism, double rtol, double atol)
{
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(mechanism, &settings);
    take_variant(&settings);
    settings.rtol = rtol > 0 ? rtol : settings.rtol;
    settings.atol = atol > 0 ? atol : settings.atol;
    return settings;
}

detent_simulation *runs_start(const detent_mechanism *mechanism, const detent_settings *settings)
{
    detent_error error;
    detent_simulation *simulation = NULL;
    const detent_simulation_options options = {.size = sizeof options, .settings = settings};
    runs_must(detent_simulation_create(mechanism, &options, &simulation, &error), &error);
    return simulation;
}

void runs_end(detent_simulation *simulation, detent_mechanism *mechanism)
{
    detent_simulation_destroy(simulation);
    detent_mechanism_destroy(mechanism);
}

detent_analysis *runs_analyse(const detent_mechanism *m)
{
    detent_error error;
    detent_analysis *analysis = NULL;
    runs_must(detent_analysis_create(m, NULL, &analysis, &error), &error);
    return analysis;
}

void runs_advance(detent_simulation *simulation, double t)
{
    detent_error error;
    runs_must(detent_advance(simulation, t, false, &error), &error);
}

/* ---- reading by name ---- */

static double *read_vector(detent_simulation *simulation, detent_quantity quantity, size_t count)
{
    detent_error error;
    double *values = calloc(count + 1, sizeof *values);
    assert_non_null(values);
    runs_must(detent_read(simulation, quantity, values, count, &error), &error);
    return values;
}

static size_t find(const detent_mechanism *mechanism, detent_item item, const char *name)
{
    const ptrdiff_t index = detent_find(mechanism, item, name);
    if (index < 0) {
        fail_msg("there is no '%s'", name);
    }
    return (size_t)index;
}

static double read_one(detent_simulation *simulation, detent_quantity quantity, size_t count,
                       size_t index)
{
    double *values = read_vector(simulation, quantity, count), value = values[index];
    free(values);
    return value;
}

static detent_primitive_info find_primitive(const detent_mechanism *mechanism,
                                            const char *primitive)
{
    detent_primitive_info info = DETENT_INIT(detent_primitive_info);
    detent_get_primitive(mechanism, find(mechanism, DETENT_PRIMITIVE, primitive), &info);
    return info;
}

double runs_position(const detent_mechanism *mechanism, detent_simulation *simulation,
                     const char *primitive)
{
    detent_mechanism_info all = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(mechanism, &all);
    return read_one(simulation, DETENT_POSITIONS, all.coordinates,
                    find_primitive(mechanism, primitive).first_coordinate);
}

double runs_velocity(const detent_mechanism *mechanism, detent_simulation *simulation,
                     const char *primitive)
{
    detent_mechanism_info all = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(mechanism, &all);
    return read_one(simulation, DETENT_VELOCITIES, all.freedoms,
                    find_primitive(mechanism, primitive).first_freedom);
}

double runs_output(const detent_mechanism *mechanism, detent_simulation *simulation,
                   const char *output)
{
    detent_mechanism_info all = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(mechanism, &all);
    return read_one(simulation, DETENT_OUTPUTS, all.outputs,
                    find(mechanism, DETENT_OUTPUT, output));
}

detent_mode runs_mode(const detent_mechanism *mechanism, const detent_simulation *simulation,
                      const char *primitive)
{
    return detent_get_mode(simulation, find(mechanism, DETENT_STICTION, primitive), NULL);
}

double *runs_state(const detent_mechanism *mechanism, detent_simulation *simulation, size_t *count)
{
    detent_mechanism_info all = DETENT_INIT(detent_mechanism_info);
    detent_error error;
    detent_mechanism_get_info(mechanism, &all);
    *count = all.coordinates + all.freedoms;
    double *state = calloc(*count + 1, sizeof *state);
    assert_non_null(state);
    runs_must(detent_read(simulation, DETENT_POSITIONS, state, all.coordinates, &error), &error);
    runs_must(
        detent_read(simulation, DETENT_VELOCITIES, state + all.coordinates, all.freedoms, &error),
        &error);
    return state;
}

/* ---- the story of a run ---- */

static void append_last_event(const detent_simulation *simulation, runs_log *log)
{
    size_t count;
    const detent_mode_change *changes = last_event(simulation, &count);
    if (log->count + count > log->capacity) {
        log->capacity = 2 * (log->count + count) + 64;
        log->change = realloc(log->change, log->capacity * sizeof *log->change);
        assert_non_null(log->change);
    }
    if (count > 0) {
        memcpy(log->change + log->count, changes, count * sizeof *changes);
    }
    log->count += count;
}

void runs_record(detent_simulation *simulation, double end, runs_log *log)
{
    detent_error error;
    detent_status status;
    if (log->count == 0) { /* the first search, if nothing has been advanced yet */
        append_last_event(simulation, log);
    }
    while ((status = detent_advance(simulation, end, true, &error)) == DETENT_EVENT) {
        append_last_event(simulation, log);
    }
    runs_must(status, &error);
}

void runs_log_free(runs_log *log)
{
    free(log->change);
    *log = (runs_log){0};
}

bool runs_is_turn(const detent_mode_change *change)
{
    return !(change->from == DETENT_WAIT && change->to == DETENT_UNLOCKED &&
             change->from_direction == change->to_direction);
}

size_t runs_count_turns(const runs_log *log)
{
    size_t count = 0;
    double last = NAN;
    for (size_t k = 0; k < log->count; k++) {
        if (runs_is_turn(&log->change[k]) && log->change[k].time != last) {
            count++;
            last = log->change[k].time;
        }
    }
    return count;
}

double runs_time_of(const runs_log *log, size_t stiction, detent_mode to, size_t n)
{
    for (size_t k = 0; k < log->count; k++) {
        const detent_mode_change *c = &log->change[k];
        if (c->stiction == stiction && c->to == to && n-- == 0) {
            return c->time;
        }
    }
    return NAN;
}

/* ---- balances and errors ---- */

static double energy_gap(const detent_statistics *s)
{
    return s->kinetic_energy + s->potential_energy - s->initial_energy - s->friction_work -
           s->damping_work - s->actuation_work + s->impact_loss;
}

double runs_energy_gap(detent_simulation *simulation)
{
    detent_statistics s = DETENT_INIT(detent_statistics);
    detent_get_statistics(simulation, &s);
    return energy_gap(&s);
}

double runs_relative_energy_gap(detent_simulation *simulation)
{
    detent_statistics s = DETENT_INIT(detent_statistics);
    detent_get_statistics(simulation, &s);
    const double parts[] = {s.kinetic_energy, s.potential_energy - s.initial_energy,
                            s.friction_work,  s.damping_work,
                            s.actuation_work, s.impact_loss};
    double most = 0;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        most = fmax(most, fabs(parts[k]));
    }
    return most > 0 ? fabs(energy_gap(&s)) / most : 0;
}

double runs_residuals_per_step(detent_simulation *simulation)
{
    detent_statistics s = DETENT_INIT(detent_statistics);
    detent_get_statistics(simulation, &s);
    return (double)s.residuals / (double)s.steps;
}

double runs_slope(const double *x, const double *y, size_t count)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0, n = (double)count;
    for (size_t k = 0; k < count; k++) {
        const double u = log10(x[k]), v = log10(y[k]);
        sx += u, sy += v, sxx += u * u, sxy += u * v;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

void runs_say(runs_text *p, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    const size_t more = (size_t)vsnprintf(NULL, 0, format, list) + 1;
    if (p->room - p->length < more) {
        p->room = 2 * p->room + more;
        p->text = realloc(p->text, p->room);
        assert_non_null(p->text);
    }
    p->length += (size_t)vsnprintf(p->text + p->length, p->room - p->length, format, again);
    va_end(again);
    va_end(list);
}

bool runs_verbose(void)
{
    return getenv("DETENT_TEST_VERBOSE") != NULL;
}

void runs_near(const char *what, double value, double expected, double tolerance)
{
    if (runs_verbose()) {
        print_message("    %s: %.15g, error %.2g of %.2g\n", what, value, value - expected,
                      tolerance);
    }
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%s is %.15g, not %.15g: off by %.3g, allowed are %.3g", what, value, expected,
                 value - expected, tolerance);
    }
}

/* ---- reference numbers ---- */

const char *runs_reference(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/reference/%s", DETENT_REFERENCE_DIR, name);
    if (access(path, R_OK) != 0) {
        print_message("skipped: %s is not there\n", path);
        skip();
    }
    return path;
}

static char *read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = 0, capacity = 1 << 16, got;
    char *text = malloc(capacity);
    assert_non_null(text);
    while ((got = fread(text + length, 1, capacity - length - 1, file)) > 0) {
        length += got;
        if (capacity - length < 2) {
            capacity *= 2;
            text = realloc(text, capacity);
            assert_non_null(text);
        }
    }
    fclose(file);
    text[length] = '\0';
    return text;
}

static size_t count_columns(const char *line)
{
    size_t columns = 1;
    for (; *line && *line != '\n'; line++) {
        columns += *line == ',';
    }
    return columns;
}

/* The names in the first line, as many as there are; the numbers below say how many columns. */
static void read_names(const char *text, runs_table *table)
{
    const char *line_end = strchr(text, '\n');
    size_t column = 0, length = 0;
    assert_non_null(line_end);
    table->columns = count_columns(line_end + 1);
    table->name = calloc(table->columns, sizeof *table->name);
    assert_non_null(table->name);
    for (const char *c = text; c < line_end && column < table->columns; c++) {
        if (*c == ',') {
            column++;
            length = 0;
        } else if (!strchr("\"# \r", *c) && length + 1 < sizeof *table->name) {
            table->name[column][length++] = *c;
        }
    }
}

static void read_row(const char *path, const char *line, runs_table *table)
{
    double *value = table->value + table->rows++ * table->columns;
    for (size_t column = 0; column < table->columns; column++) {
        char *end;
        value[column] = strtod(line, &end);
        if (end == line || !strchr(column + 1 < table->columns ? "," : "\r\n", *end)) {
            fail_msg("%s: row %zu is not one of %zu numbers", path, table->rows, table->columns);
        }
        line = end + 1;
    }
}

runs_table runs_read_table(const char *path)
{
    runs_table table = {0};
    char *text = read_whole(path);
    size_t lines = 0;
    read_names(text, &table);
    for (const char *c = text; *c; c++) {
        lines += *c == '\n';
    }
    table.value = calloc((lines + 1) * table.columns, sizeof *table.value);
    assert_non_null(table.value);
    for (const char *line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
        read_row(path, line + 1, &table);
    }
    free(text);
    return table;
}

void runs_table_free(runs_table *table)
{
    free(table->name);
    free(table->value);
    *table = (runs_table){0};
}

size_t runs_column(const runs_table *table, const char *name)
{
    for (size_t column = 0; column < table->columns; column++) {
        if (strcmp(table->name[column], name) == 0) {
            return column;
        }
    }
    fail_msg("the table has no column '%s'", name);
    return 0;
}

double runs_at(const runs_table *table, size_t row, size_t column)
{
    assert_true(row < table->rows && column < table->columns);
    return table->value[row * table->columns + column];
}
