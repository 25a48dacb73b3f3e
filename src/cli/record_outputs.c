#include "record_outputs.h"

#include "message.h"
#include "record_text.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a moment is made of, and what is held against the record. */
enum {
    POSITION,
    VELOCITY,
    STATE,
    INPUT,
    HELD,
    MODE,
    DIRECTION,
    ACCELERATION,
    FORCE,
    FRICTION,
    FRICTION_WORK,
    DAMPING_WORK,
    ACTUATION_WORK,
    IMPACT_LOSS
};

static const char *const names[MOMENT_PARTS] = {
    [POSITION] = "position",
    [VELOCITY] = "velocity",
    [STATE] = "state_value",
    [INPUT] = "input_value",
    [HELD] = "held_value",
    [MODE] = "mode",
    [DIRECTION] = "direction",
    [ACCELERATION] = "acceleration",
    [FORCE] = "force",
    [FRICTION] = "friction",
    [FRICTION_WORK] = "friction_work",
    [DAMPING_WORK] = "damping_work",
    [ACTUATION_WORK] = "actuation_work",
    [IMPACT_LOSS] = "impact_loss",
};

static bool is_of_forces(int part)
{
    return part == ACCELERATION || part == FORCE || part == FRICTION;
}

static bool is_checked(int part)
{
    return is_of_forces(part) || part == POSITION || part == VELOCITY || part == STATE;
}

static const record_part *part_of(int k)
{
    const record_part *part = record_parts;
    while (strcmp(part->name, names[k]) != 0) {
        part++;
    }
    return part;
}

static detent_status out_of_memory(detent_error *error)
{
    return report(error, DETENT_ERROR_MEMORY, "out of memory");
}

/* ---- set-up ---- */

static detent_status refuse_width(const record_outputs *r, int k, size_t wanted,
                                  detent_error *error)
{
    if (k == HELD) {
        return report(error, DETENT_ERROR_IO,
                      "%s has %zu of %zu sampled values and times at rest: it is of an earlier "
                      "detent, or rest_time() is read of a joint of which the run did not know it",
                      r->file.path, r->width[k], wanted);
    }
    return report(error, DETENT_ERROR_IO, "%s has %zu numbers of %s a row, its mechanism %zu",
                  r->file.path, r->width[k], names[k], wanted);
}

static detent_status take_widths(record_outputs *r, detent_error *error)
{
    size_t all = 0, longest = detent_count(r->mechanism, DETENT_OUTPUT);
    for (int k = 0; k < MOMENT_PARTS; k++) {
        const record_part *part = part_of(k);
        const size_t wanted = part->quantity == DETENT_ENERGIES
                                  ? 1
                                  : detent_quantity_length(r->mechanism, part->quantity);
        r->width[k] = record_file_width(&r->file, part);
        if (r->width[k] != wanted) {
            return refuse_width(r, k, wanted, error);
        }
        all += wanted;
        longest = longest > wanted ? longest : wanted;
    }
    r->block = record_file_block(&r->file, all) + 2; /* with those at both sides of a row */
    r->times = malloc(r->block * sizeof *r->times);
    r->sides = malloc(r->block * sizeof *r->sides);
    r->read = malloc((longest + 1) * sizeof *r->read);
    bool good = r->times && r->sides && r->read;
    for (int k = 0; k < MOMENT_PARTS; k++) {
        r->values[k] = malloc((r->block * r->width[k] + 1) * sizeof(double));
        r->middle[k] = calloc(r->width[k] + 1, sizeof(double));
        r->largest[k] = is_checked(k) ? calloc(r->width[k] + 1, sizeof(double)) : NULL;
        good = good && r->values[k] && r->middle[k] && (r->largest[k] || !is_checked(k));
    }
    return good ? DETENT_OK : out_of_memory(error);
}

/* The largest magnitudes of what is held against the record. */
static void measure(record_outputs *r)
{
    for (int k = 0; k < MOMENT_PARTS; k++) {
        const size_t width = r->width[k];
        for (size_t first = 0; first < r->file.rows && r->largest[k] && width > 0;
             first += r->block) {
            const size_t left = r->file.rows - first, rows = left < r->block ? left : r->block;
            record_file_rows(&r->file, part_of(k), first, rows, r->values[k]);
            for (size_t i = 0; i < rows * width; i++) {
                r->largest[k][i % width] = fmax(r->largest[k][i % width], fabs(r->values[k][i]));
            }
        }
    }
}

/* And what is ordinary there: a number that is nothing but rounding is not held to its digits. */
static void add_scales(record_outputs *r)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    detent_scale scale = DETENT_INIT(detent_scale);
    for (size_t i = 0; detent_get_primitive(r->mechanism, i, &p) == DETENT_OK; i++) {
        detent_get_scale(r->simulation, i, &scale, NULL);
        for (size_t j = p.first_coordinate; j < p.first_coordinate + p.coordinates; j++) {
            r->largest[POSITION][j] += p.coordinates > 1 ? 1 : scale.position;
        }
        for (size_t j = p.first_freedom; j < p.first_freedom + p.freedoms; j++) {
            r->largest[VELOCITY][j] += scale.velocity;
            r->largest[ACCELERATION][j] += scale.velocity / scale.time;
            r->largest[FORCE][j] += scale.force;
        }
        if (p.stiction >= 0) {
            r->largest[FRICTION][p.stiction] += scale.force;
        }
    }
}

/* Any integrator will do where nothing is integrated, but none with fixed steps; joints that are locked have their forces, too. */
static detent_status make_simulation(record_outputs *r, detent_error *error)
{
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_error why = {0};
    detent_mechanism_get_settings(r->mechanism, &settings);
    const double rtol = record_text_setting(&r->file, "rtol", settings.rtol);
    if (store_failed(r->file.store)) {
        return out_of_memory(error);
    }
    settings.integrator = DETENT_INTEGRATOR_IDA;
    settings.step = settings.max_solves = 0;
    settings.linear_solver = DETENT_LINEAR_SOLVER_TREE;
    settings.locked_joints = DETENT_LOCKED_JOINTS_CONSTRAIN;
    r->tolerance = fmax(rtol, sqrt(DBL_EPSILON)); /* half the digits are left to conditioning */
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    const detent_status status =
        detent_simulation_create(r->mechanism, &options, &r->simulation, &why);
    return status ? report(error, status, "%s: %s", r->file.path, why.message) : DETENT_OK;
}

detent_status record_outputs_open(record_outputs *r, const char *path,
                                  const char *const *expressions, size_t count, detent_error *error)
{
    *r = (record_outputs){0};
    detent_status status = record_file_open(&r->file, path, error);
    status = status ? status
                    : record_text_load(&r->file, expressions, count, &r->mechanism, &r->output,
                                       &r->count, error);
    status = status ? status : take_widths(r, error);
    status = status ? status : make_simulation(r, error);
    for (size_t i = 0; i < r->count && !status; i++) {
        r->follows_forces =
            r->follows_forces || detent_output_follows_forces(r->simulation, r->output[i]);
    }
    if (!status) {
        measure(r);
        add_scales(r);
    }
    return status;
}

void record_outputs_close(record_outputs *r)
{
    detent_simulation_destroy(r->simulation);
    detent_mechanism_destroy(r->mechanism);
    if (r->file.store) {
        record_file_close(&r->file);
    }
    for (int k = 0; k < MOMENT_PARTS; k++) {
        free(r->values[k]);
        free(r->middle[k]);
        free(r->largest[k]);
    }
    free(r->output);
    free(r->times);
    free(r->sides);
    free(r->read);
    *r = (record_outputs){0};
}

const char *record_outputs_name(const record_outputs *r, size_t index)
{
    return detent_name(r->mechanism, DETENT_OUTPUT, r->output[index]);
}

const char *record_outputs_unit(const record_outputs *r, size_t index)
{
    return detent_unit(r->mechanism, DETENT_OUTPUT, r->output[index]);
}

/* ---- moments ---- */

/* Has the next row in memory, and those before and behind it. */
static void bring(record_outputs *r)
{
    const size_t end = r->next + 2 < r->file.rows ? r->next + 2 : r->file.rows;
    if (r->held > 0 && end <= r->first + r->held) {
        return;
    }
    r->first = r->next > 0 ? r->next - 1 : 0;
    const size_t left = r->file.rows - r->first;
    r->held = left < r->block ? left : r->block;
    record_file_rows(&r->file, NULL, r->first, r->held, r->times);
    record_file_sides(&r->file, r->first, r->held, r->sides);
    for (int k = 0; k < MOMENT_PARTS; k++) {
        if (r->width[k] > 0) {
            record_file_rows(&r->file, part_of(k), r->first, r->held, r->values[k]);
        }
    }
}

static const double *row_of(const record_outputs *r, int k, size_t row)
{
    return r->values[k] + (row - r->first) * r->width[k];
}

static detent_status recall(record_outputs *r, double time, const double *const part[MOMENT_PARTS],
                            bool keep, detent_error *error)
{
    const double energies[] = {[DETENT_ENERGY_FRICTION_WORK] = *part[FRICTION_WORK],
                               [DETENT_ENERGY_DAMPING_WORK] = *part[DAMPING_WORK],
                               [DETENT_ENERGY_ACTUATION_WORK] = *part[ACTUATION_WORK],
                               [DETENT_ENERGY_IMPACT_LOSS] = *part[IMPACT_LOSS]};
    const detent_moment moment = {.size = sizeof moment,
                                  .time = time,
                                  .positions = part[POSITION],
                                  .velocities = part[VELOCITY],
                                  .states = part[STATE],
                                  .inputs = part[INPUT],
                                  .held = part[HELD],
                                  .modes = part[MODE],
                                  .directions = part[DIRECTION],
                                  .accelerations = part[ACCELERATION],
                                  .frictions = part[FRICTION],
                                  .energies = energies,
                                  .keep_branches = keep};
    return detent_recall(r->simulation, &moment, error);
}

static detent_status recall_row(record_outputs *r, size_t row, bool keep, detent_error *error)
{
    const double *part[MOMENT_PARTS];
    for (int k = 0; k < MOMENT_PARTS; k++) {
        part[k] = row_of(r, k, row);
    }
    /* just before an event that comes at a known time t itself has not come yet */
    const double time = r->times[row - r->first];
    return recall(r, r->sides[row - r->first] < 0 ? nextafter(time, -INFINITY) : time, part, keep,
                  error);
}

/* Halfway between a row and the one behind it, in the modes of the first. */
static detent_status recall_middle(record_outputs *r, size_t row, detent_error *error)
{
    const double *part[MOMENT_PARTS];
    for (int k = 0; k < MOMENT_PARTS; k++) {
        const double *now = row_of(r, k, row), *later = row_of(r, k, row + 1);
        const bool varies = k == POSITION || k == VELOCITY || k == STATE;
        for (size_t i = 0; i < r->width[k]; i++) {
            r->middle[k][i] = varies ? now[i] + (later[i] - now[i]) / 2 : now[i];
        }
        part[k] = r->middle[k];
    }
    const double *t = r->times + (row - r->first);
    return recall(r, t[0] + (t[1] - t[0]) / 2, part, false, error);
}

/* ---- what the record says, too ---- */

/* Whether all that is read agrees with the row; else of which quantity it does not. */
static bool agrees(record_outputs *r, size_t row, const char **what)
{
    for (int k = 0; k < MOMENT_PARTS; k++) {
        const double *recorded = row_of(r, k, row);
        if (!is_checked(k) || (is_of_forces(k) && !r->follows_forces) || r->width[k] == 0) {
            continue;
        }
        *what = names[k];
        if (detent_read(r->simulation, part_of(k)->quantity, r->read, r->width[k], NULL)) {
            return false;
        }
        for (size_t i = 0; i < r->width[k]; i++) {
            if (!(fabs(r->read[i] - recorded[i]) <= r->tolerance * r->largest[k][i])) {
                return false;
            }
        }
    }
    return true;
}

/* The branches of laws in the stretch without events that begins or ends at a row; where they cannot be had those of the simulation stay. */
static void find_branches(record_outputs *r, size_t row)
{
    const double side = r->sides[row - r->first];
    const bool begins = side > 0 || row == 0;
    if (begins && row + 1 < r->file.rows) {
        recall_middle(r, row, NULL);
    } else if (!begins) {
        recall_middle(r, row - 1, NULL);
    }
}

/* Where the branches of laws come from. */
typedef enum branch_source {
    BRANCHES_OF_ROW,     /* what it calls for */
    BRANCHES_OF_STRETCH, /* what the stretch beside it calls for */
    BRANCHES_AS_BEFORE   /* those of the row before */
} branch_source;

enum { ATTEMPTS = 3 };

/*
 * The row, with the branches of laws that it had. Those are what it calls for itself, but at events, where it lies on a border, those of the stretch beside
 * it; where that is not what the record says, as in a row at the very instant of an event that is still to come, another way may be.
 */
static detent_status put_back(record_outputs *r, size_t row, detent_error *error)
{
    static const branch_source before[ATTEMPTS] = {BRANCHES_AS_BEFORE, BRANCHES_OF_STRETCH,
                                                   BRANCHES_OF_ROW},
                               after[ATTEMPTS] = {BRANCHES_OF_STRETCH, BRANCHES_OF_ROW,
                                                  BRANCHES_AS_BEFORE},
                               within[ATTEMPTS] = {BRANCHES_OF_ROW, BRANCHES_OF_STRETCH,
                                                   BRANCHES_OF_ROW};
    const double side = r->sides[row - r->first];
    const branch_source *source = side < 0 ? before : side > 0 || row == 0 ? after : within;
    const char *what = "";
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (source[attempt] == BRANCHES_OF_STRETCH) {
            find_branches(r, row);
        }
        const detent_status status = recall_row(r, row, source[attempt] != BRANCHES_OF_ROW, error);
        if (!status && agrees(r, row, &what)) {
            return DETENT_OK;
        }
        if (status && attempt == ATTEMPTS - 1) {
            return status;
        }
    }
    snprintf(error->message, sizeof error->message,
             "at t = %.9g s the record has another %s than follows from what is in it: the outputs "
             "cannot be had afterwards",
             r->times[row - r->first], what);
    return error->status = DETENT_ERROR_NUMERIC;
}

detent_status record_outputs_next(record_outputs *r, double *time, int *side, double *values,
                                  detent_error *error)
{
    bring(r);
    detent_error why = {0};
    const size_t all = detent_count(r->mechanism, DETENT_OUTPUT);
    detent_status status = put_back(r, r->next, &why);
    status = status ? status : detent_read(r->simulation, DETENT_OUTPUTS, r->read, all, &why);
    if (status) {
        return report(error, status, "%s: %s", r->file.path, why.message);
    }
    *time = r->times[r->next - r->first];
    *side = (int)r->sides[r->next - r->first];
    for (size_t i = 0; i < r->count; i++) {
        values[i] = r->read[r->output[i]];
    }
    r->next++;
    return DETENT_OK;
}
