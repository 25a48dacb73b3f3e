#include "assemble.h"

#include "analysis.h"
#include "number.h"
#include "output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 256 };

typedef struct assemble_work {
    analysis_work base;
    double *q, *v;
    detent_assembly assembly;
} assemble_work;

static const char *const priority_words[] = {"free", "preferred", "exact"};

/* ---- the values ---- */

static void solve(assemble_work *work)
{
    analysis_work *base = &work->base;
    if (!base->status && base->options->write && strcmp(base->options->file, "-") == 0) {
        analysis_refuse(base, "option --write needs a file: what it writes is a copy of it");
    }
    if (base->status) {
        return;
    }
    work->q = calloc(base->info.coordinates + 1, sizeof *work->q);
    work->v = calloc(base->info.freedoms + 1, sizeof *work->v);
    if (!work->q || !work->v) {
        base->status = DETENT_ERROR_MEMORY;
        base->error = (detent_error){.status = DETENT_ERROR_MEMORY, .message = "out of memory"};
        return;
    }
    work->assembly.size = sizeof work->assembly;
    base->status =
        detent_assemble(base->mechanism, NULL, work->q, work->v, &work->assembly, &base->error);
}

/* One coordinate or velocity of a primitive. */
typedef struct row {
    char name[NAME_SIZE];
    const char *unit, *priority; /* NULL: prescribed */
    double asked, assembled;
} row;

static row make_row(const assemble_work *work, const detent_primitive_info *p, size_t index,
                    int power, size_t component)
{
    const bool is_quaternion = power == 0 && p->coordinates == 4;
    const double *values = power == 0 ? work->q + p->first_coordinate : work->v + p->first_freedom;
    row r = {.unit = is_quaternion ? "" : freedom_unit(work->base.mechanism, index, power),
             .asked = power == 0 ? p->position[component] : p->velocity[component],
             .assembled = values[component],
             .priority =
                 p->prescribed
                     ? NULL
                     : priority_words[power == 0 ? p->position_priority : p->velocity_priority]};
    if (is_quaternion) {
        snprintf(r.name, sizeof r.name, "position(%s, %c)", p->name, "wxyz"[component]);
    } else {
        freedom_name(work->base.mechanism, power == 0 ? "position" : "velocity", index, component,
                     r.name, sizeof r.name);
    }
    return r;
}

/* Calls for every position (power 0) or velocity (1). */
static void each_row(const assemble_work *work, int power, void (*what)(void *user, const row *),
                     void *user)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    for (size_t i = 0; detent_get_primitive(work->base.mechanism, i, &p) == DETENT_OK; i++) {
        for (size_t c = 0; c < (power == 0 ? p.coordinates : p.freedoms); c++) {
            const row r = make_row(work, &p, i, power, c);
            what(user, &r);
        }
    }
}

/* ---- text ---- */

static void widen(void *width, const row *r)
{
    *(int *)width = column_width(*(int *)width, r->name);
}

static void print_row(void *width, const row *r)
{
    printf("  %-*s  %-9s %14.6g %14.6g %14.6g %s\n", *(int *)width, r->name,
           r->priority ? r->priority : "motion", r->asked, r->assembled, r->assembled - r->asked,
           r->unit);
}

static void print_text(const assemble_work *work)
{
    const detent_assembly *a = &work->assembly;
    const detent_mechanism *m = work->base.mechanism;
    int width = 0;
    each_row(work, 0, widen, &width);
    each_row(work, 1, widen, &width);
    printf("assembled at t = %g s: %zu iterations\n", work->base.settings.start, a->iterations);
    if (a->loop >= 0) {
        printf("the loop that '%s' closes is open most: %.3g m, %.3g rad\n",
               detent_name(m, DETENT_LOOP, (size_t)a->loop), a->gap, a->turn);
    }
    if (a->moved >= 0) {
        printf("'%s' moved most: %.6g %s\n", detent_name(m, DETENT_PRIMITIVE, (size_t)a->moved),
               a->change, freedom_unit(m, (size_t)a->moved, 0));
    }
    if (a->beyond >= 0) {
        detent_primitive_info p = DETENT_INIT(detent_primitive_info);
        detent_get_primitive(m, (size_t)a->beyond, &p);
        printf("'%s' is beyond its %s stop, at %.9g %s: no run starts here\n", p.name,
               a->side < 0 ? "lower" : "upper", p.stop[a->side > 0],
               freedom_unit(m, (size_t)a->beyond, 0));
    }
    printf("  %-*s  %-9s %14s %14s %14s\n", width, "", "priority", "asked for", "assembled",
           "change");
    each_row(work, 0, print_row, &width);
    each_row(work, 1, print_row, &width);
}

/* ---- JSON ---- */

static void json_item(void *user, const row *r)
{
    json_writer *json = user;
    json_object(json, NULL);
    json_text(json, "name", r->name);
    json_text(json, "unit", r->unit);
    json_text(json, "priority", r->priority ? r->priority : "motion");
    json_number(json, "asked", r->asked);
    json_number(json, "value", r->assembled);
    json_close(json);
}

static void print_json(const assemble_work *work)
{
    const detent_assembly *a = &work->assembly;
    const detent_mechanism *m = work->base.mechanism;
    json_writer json;
    if (!analysis_begin_json(&work->base, &json, work->base.settings.start)) {
        return;
    }
    json_count(&json, "iterations", a->iterations);
    json_object(&json, "residual");
    if (a->loop >= 0) {
        json_text(&json, "loop", detent_name(m, DETENT_LOOP, (size_t)a->loop));
    } else {
        json_null(&json, "loop");
    }
    json_number(&json, "gap", a->gap);
    json_number(&json, "turn", a->turn);
    json_close(&json);
    json_object(&json, "moved_most");
    if (a->moved >= 0) {
        json_text(&json, "joint", detent_name(m, DETENT_PRIMITIVE, (size_t)a->moved));
    } else {
        json_null(&json, "joint");
    }
    json_number(&json, "change", a->change);
    json_close(&json);
    if (a->beyond >= 0) {
        json_object(&json, "beyond_stop");
        json_text(&json, "joint", detent_name(m, DETENT_PRIMITIVE, (size_t)a->beyond));
        json_text(&json, "side", a->side < 0 ? "lower" : "upper");
        json_close(&json);
    }
    json_array(&json, "positions");
    each_row(work, 0, json_item, &json);
    json_close(&json);
    json_array(&json, "velocities");
    each_row(work, 1, json_item, &json);
    json_close(&json);
    analysis_end_json(&json);
}

/* ---- the file ---- */

static void fail_file(analysis_work *base, const char *path)
{
    base->status = errno == ENOMEM ? DETENT_ERROR_MEMORY : DETENT_ERROR_IO;
    base->error = (detent_error){.status = base->status};
    snprintf(base->error.message, sizeof base->error.message, "cannot read '%.200s': %s", path,
             strerror(errno));
}

/* The whole of a file; the caller's to free. NULL, with what went wrong. */
static char *read_whole(analysis_work *base, const char *path, size_t *length)
{
    FILE *stream = fopen(path, "rb");
    char *text = NULL;
    size_t capacity = (size_t)64 * 1024;
    bool good = stream && (text = malloc(capacity)) != NULL;
    *length = 0;
    while (good) {
        *length += fread(text + *length, 1, capacity - *length, stream);
        if (*length < capacity) {
            break;
        }
        capacity *= 2;
        char *longer = realloc(text, capacity);
        good = longer != NULL;
        text = longer ? longer : text;
    }
    if (!good || ferror(stream)) {
        fail_file(base, path);
        free(text);
        text = NULL;
    }
    if (stream) {
        fclose(stream);
    }
    return text;
}

static void write_list(FILE *stream, const double *values, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        fputs(k == 0 ? "[" : ", ", stream);
        write_number(stream, values[k]);
    }
    fputc(']', stream);
}

static void write_section(const assemble_work *work, FILE *stream)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    fputs("initial:\n", stream);
    for (size_t i = 0; detent_get_primitive(work->base.mechanism, i, &p) == DETENT_OK; i++) {
        const double *q = work->q + p.first_coordinate, *v = work->v + p.first_freedom;
        if (p.prescribed || p.freedoms == 0) {
            continue;
        }
        fprintf(stream, "  %s: {position: ", p.name);
        if (p.coordinates == 4) {
            fputs("{quaternion: ", stream);
            write_list(stream, q, 4);
            fputs("}, velocity: ", stream);
            write_list(stream, v, 3);
        } else {
            write_number(stream, q[0]);
            fputs(", velocity: ", stream);
            write_number(stream, v[0]);
        }
        fputs("}\n", stream);
    }
}

/* Whether there is a value to write: a section without any would be no mapping. */
static bool has_values(const assemble_work *work)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    bool any = false;
    for (size_t i = 0; detent_get_primitive(work->base.mechanism, i, &p) == DETENT_OK; i++) {
        any = any || (!p.prescribed && p.freedoms > 0);
    }
    return any;
}

/* The file's own text, but for the section `initial`. */
static void write_copy(assemble_work *work, const char *text, size_t length)
{
    analysis_work *base = &work->base;
    size_t begin = 0, end = 0;
    output_file file = {0};
    base->status = detent_find_initial_section(text, length, base->options->file, NULL, &begin,
                                               &end, &base->error);
    if (base->status) {
        return;
    }
    base->status = output_file_open(&file, base->options->write, "", &base->error);
    base->is_told = base->status != DETENT_OK; /* files that are written say themselves why not */
    if (base->status) {
        return;
    }
    fwrite(text, 1, begin, file.stream);
    if (begin > 0 && text[begin - 1] != '\n') {
        fputc('\n', file.stream);
    }
    if (has_values(work)) {
        write_section(work, file.stream);
    }
    fwrite(text + end, 1, length - end, file.stream);
    base->status = output_file_finish(&file, DETENT_OK, &base->error);
    base->is_told = base->is_told || base->status;
    output_file_release(&file);
}

static void write_file(assemble_work *work)
{
    size_t length;
    if (work->base.status || !work->base.options->write) {
        return;
    }
    char *text = read_whole(&work->base, work->base.options->file, &length);
    if (text) {
        write_copy(work, text, length);
        free(text);
    }
}

/* ---- branches ---- */

enum { MOST_BRANCHES = 1000 };

typedef struct branch_work {
    analysis_work base;
    detent_analysis *analysis;
    bool *kept;
    double *positions;
    detent_branches found;
} branch_work;

static void keep(branch_work *work, char *list)
{
    analysis_work *base = &work->base;
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    for (char *name; !base->status && (name = next_item(&list)) != NULL;) {
        const ptrdiff_t index = detent_find(base->mechanism, DETENT_PRIMITIVE, name);
        if (index < 0) {
            analysis_unknown(base, "keep", "joint", DETENT_PRIMITIVE, name);
            return;
        }
        detent_get_primitive(base->mechanism, (size_t)index, &p);
        for (size_t j = 0; j < p.freedoms; j++) {
            work->kept[p.first_freedom + j] = true;
        }
    }
}

static void find_branches(branch_work *work)
{
    analysis_work *base = &work->base;
    if (base->status) {
        return;
    }
    const char *names = base->options->driven ? base->options->driven : "";
    char *list = malloc(strlen(names) + 1);
    work->kept = calloc(base->info.freedoms + 1, sizeof *work->kept);
    work->positions = calloc(MOST_BRANCHES * (base->info.coordinates + 1), sizeof *work->positions);
    if (!list || !work->kept || !work->positions) {
        base->status = DETENT_ERROR_MEMORY;
        base->error = (detent_error){.status = DETENT_ERROR_MEMORY, .message = "out of memory"};
    } else {
        memcpy(list, names, strlen(names) + 1);
        if (names[0]) {
            keep(work, list);
        }
    }
    free(list);
    if (!base->status) {
        base->status = detent_analysis_create(base->mechanism, NULL, &work->analysis, &base->error);
    }
    if (!base->status) {
        work->found.size = sizeof work->found;
        base->status = detent_find_branches(work->analysis, work->kept, MOST_BRANCHES,
                                            work->positions, &work->found, &base->error);
    }
}

/* Calls for every coordinate, with its name and unit. */
static void each_coordinate(const detent_mechanism *m,
                            void (*what)(void *user, const char *name, const char *unit, size_t k),
                            void *user)
{
    char name[NAME_SIZE];
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    for (size_t i = 0; detent_get_primitive(m, i, &p) == DETENT_OK; i++) {
        for (size_t c = 0; c < p.coordinates; c++) {
            if (p.coordinates == 4) {
                snprintf(name, sizeof name, "position(%s, %c)", p.name, "wxyz"[c]);
            } else {
                freedom_name(m, "position", i, c, name, sizeof name);
            }
            what(user, name, p.coordinates == 4 ? "" : freedom_unit(m, i, 0),
                 p.first_coordinate + c);
        }
    }
}

static void print_coordinate(void *user, const char *name, const char *unit, size_t k)
{
    const branch_work *work = user;
    printf("  %-24s", name);
    for (size_t b = 0; b < work->found.count; b++) {
        printf(" %14.9g", work->positions[b * work->base.info.coordinates + k]);
    }
    printf(" %s\n", unit);
}

static void json_coordinate(void *user, const char *name, const char *unit, size_t k)
{
    (void)k;
    json_object(user, NULL);
    json_text(user, "name", name);
    json_text(user, "unit", unit);
    json_close(user);
}

static void print_branches(branch_work *work)
{
    const detent_branches *r = &work->found;
    json_writer json;
    if (!work->base.options->json) {
        printf(
            "%zu %s found by %zu random starts, the last new one by start %zu; the rarest one by "
            "%zu%s\n",
            r->count, r->count == 1 ? "assembly" : "assemblies", r->starts, r->last_new, r->rarest,
            r->is_full ? "; there are more" : "");
        each_coordinate(work->base.mechanism, print_coordinate, work);
        return;
    }
    if (analysis_begin_json(&work->base, &json, work->base.settings.start)) {
        json_count(&json, "starts", r->starts);
        json_count(&json, "closed", r->closed);
        json_count(&json, "last_new", r->last_new);
        json_count(&json, "rarest", r->rarest);
        json_bool(&json, "complete", !r->is_full);
        json_array(&json, "columns");
        each_coordinate(work->base.mechanism, json_coordinate, &json);
        json_close(&json);
        json_matrix(&json, "assemblies", work->positions, r->count, work->base.info.coordinates);
        analysis_end_json(&json);
    }
}

static int branches_command(const cli_options *options)
{
    branch_work work = {.base = analysis_load(options)};
    if (!work.base.status && options->write) {
        analysis_refuse(&work.base, "options --branches and --write exclude each other");
    }
    find_branches(&work);
    if (options->json || !work.base.status) {
        print_branches(&work);
    }
    detent_analysis_destroy(work.analysis);
    free(work.kept);
    free(work.positions);
    return analysis_finish(&work.base);
}

/* ---- the command ---- */

int assemble_command(const cli_options *options)
{
    if (options->branches) {
        return branches_command(options);
    }
    assemble_work work = {.base = analysis_load(options)};
    if (!work.base.status && options->driven) {
        analysis_refuse(&work.base, "option --keep goes with --branches");
    }
    solve(&work);
    write_file(&work);
    if (options->json) {
        print_json(&work);
    } else if (!work.base.status) {
        print_text(&work);
    }
    free(work.q);
    free(work.v);
    return analysis_finish(&work.base);
}
