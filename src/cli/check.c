#include "check.h"

#include "describe.h"
#include "help.h"
#include "load.h"
#include "message.h"
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 40 }; /* of each kind, in text; JSON lists all */

static const char *body_name(const detent_mechanism *mechanism, ptrdiff_t body)
{
    return body < 0 ? "ground" : detent_name(mechanism, DETENT_BODY, (size_t)body);
}

/* ---- text ---- */

static void print_count(const char *what, size_t count)
{
    printf("  %-20s %zu\n", what, count);
}

/* `otherwise`: what holds where the value is 0; NULL where it means 0. */
static void print_setting(const char *what, double value, const char *unit, const char *otherwise)
{
    printf("  %-20s ", what);
    if (value == 0 && otherwise) {
        puts(otherwise);
    } else {
        write_number(stdout, value);
        printf("%s\n", unit);
    }
}

static void print_settings(const detent_settings *s)
{
    puts("simulation");
    print_setting("start", s->start, " s", NULL);
    print_setting("end", s->end, " s", NULL);
    print_setting("interval", s->interval, " s", NULL);
    print_setting("rtol", s->rtol, "", NULL);
    print_setting("atol", s->atol, "", "from the mechanism");
    print_setting("max step", s->max_step, " s", "as the laws need");
    print_setting("max event rate", s->max_event_rate, " 1/s", "from the mechanism");
    printf("  %-20s %s\n", "integrator", integrator_name(s));
    if (s->step > 0) {
        print_setting("step", s->step, " s", NULL);
    }
    printf("  %-20s %s\n", "linear solver", linear_solver_name(s));
    printf("  %-20s %s\n", "locked joints", locked_joints_name(s));
}

/* " stiction, threshold 0.001 rad/s" */
static void print_stiction(const detent_primitive_info *p, const char *unit)
{
    printf("  stiction, %s ", p->locking == DETENT_LOCKING_BAND ? "band of" : "threshold");
    if (p->velocity_threshold > 0) {
        write_number(stdout, p->velocity_threshold);
        printf(" %s/s", unit);
    } else {
        fputs("from the mechanism", stdout);
    }
}

static void print_armature(const detent_primitive_info *p, const char *unit)
{
    fputs("  armature ", stdout);
    write_number(stdout, p->armature);
    fputs(strcmp(unit, "rad") == 0 ? " kg m^2" : " kg", stdout);
}

static void print_primitives(const detent_mechanism *mechanism, size_t count)
{
    puts("joints");
    for (size_t i = 0; i < count && i < LISTED; i++) {
        detent_primitive_info p = DETENT_INIT(detent_primitive_info);
        detent_get_primitive(mechanism, i, &p);
        printf("  %-20s %-10s ", p.name, p.type);
        write_plain(stdout, body_name(mechanism, p.base));
        fputs(" -> ", stdout);
        write_plain(stdout, body_name(mechanism, p.follower));
        if (p.stiction >= 0) {
            print_stiction(&p, detent_unit(mechanism, DETENT_PRIMITIVE, i));
        }
        if (p.armature != 0) {
            print_armature(&p, detent_unit(mechanism, DETENT_PRIMITIVE, i));
        }
        puts(p.prescribed ? "  prescribed" : "");
    }
    if (count > LISTED) {
        printf("  ... and %zu more\n", count - LISTED);
    }
}

static void print_names(const detent_mechanism *mechanism, const char *title, detent_item item,
                        size_t count)
{
    if (count == 0) {
        return;
    }
    puts(title);
    for (size_t i = 0; i < count && i < LISTED; i++) {
        const char *unit = detent_unit(mechanism, item, i);
        fputs("  ", stdout);
        write_plain(stdout, detent_name(mechanism, item, i));
        printf("%s%s%s\n", unit[0] ? " [" : "", unit, unit[0] ? "]" : "");
    }
    if (count > LISTED) {
        printf("  ... and %zu more\n", count - LISTED);
    }
}

/* Whether a kind has a list of its names: what joints have stands with them, and warnings are said before. */
static bool is_listed(detent_item item)
{
    return item != DETENT_BODY && item != DETENT_JOINT && item != DETENT_PRIMITIVE &&
           item != DETENT_STICTION && item != DETENT_WARNING;
}

/* Of a mechanism with loops; NULL of another one. */
static void print_mobility(const detent_mobility *mobility)
{
    if (!mobility) {
        return;
    }
    print_count("mobility", mobility->mobility);
    if (mobility->redundant > 0) {
        printf("  %-20s %zu: what loops transmit along them is not unique\n",
               "redundant conditions", mobility->redundant);
    }
    if (mobility->branches_meet) {
        printf("  %-20s %s\n", "branches of motion",
               "meet at the initial positions: it can move in fewer ways than the mobility says");
    }
}

/* What rubs, and whether it lets motions go on. */
static void print_meshes(const detent_mesh *meshes, size_t count)
{
    if (count > 0) {
        puts("friction of meshes");
    }
    for (size_t k = 0; k < count && k < LISTED; k++) {
        fputs("  ", stdout);
        write_plain(stdout, meshes[k].coupling);
        if (isnan(meshes[k].margin)) {
            puts(": A - |B| is not known");
            continue;
        }
        fputs(": A - |B| = ", stdout);
        write_number(stdout, meshes[k].margin);
        puts(meshes[k].margin > 0 ? ": one motion at any load"
                                  : ": two motions at some loads, of which the stable one is "
                                    "taken; none at others: there it jams");
    }
    if (count > LISTED) {
        printf("  ... and %zu more\n", count - LISTED);
    }
}

static void print_text(const cli_options *options, const detent_mechanism *mechanism,
                       const detent_mechanism_info *info, const detent_mobility *mobility,
                       const detent_mesh *meshes)
{
    write_plain(stdout, options->file);
    puts(": valid");
    if (info->name[0]) {
        write_plain(stdout, info->name);
        putchar('\n');
    }
    detent_kind_info kind = DETENT_INIT(detent_kind_info);
    for (size_t k = 0; detent_get_kind(k, &kind) == DETENT_OK; k++) {
        const size_t count = detent_count(mechanism, kind.item);
        /* functions are of programs, and no file has any */
        if (kind.item != DETENT_PRIMITIVE && (kind.item != DETENT_FUNCTION || count > 0)) {
            print_count(kind.title, count);
        }
        if (kind.item == DETENT_BODY && info->shapes > 0) {
            print_count("shapes", info->shapes);
        } else if (kind.item == DETENT_JOINT) {
            print_count("degrees of freedom", info->freedoms);
            print_mobility(mobility);
        } else if (kind.item == DETENT_STATE) {
            print_count("signals", info->signals);
        }
    }
    print_primitives(mechanism, info->primitives);
    for (size_t k = 0; detent_get_kind(k, &kind) == DETENT_OK; k++) {
        if (is_listed(kind.item)) {
            print_names(mechanism, kind.listing, kind.item, detent_count(mechanism, kind.item));
        }
    }
    print_meshes(meshes, info->meshes);
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(mechanism, &settings);
    print_settings(&settings);
}

/* ---- JSON ---- */

static void json_names(json_writer *json, const char *key, const detent_mechanism *mechanism,
                       detent_item item)
{
    const char *name;
    json_array(json, key);
    for (size_t i = 0; (name = detent_name(mechanism, item, i)) != NULL; i++) {
        json_text(json, NULL, name);
    }
    json_close(json);
}

static void json_primitives(json_writer *json, const detent_mechanism *mechanism)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    json_array(json, "primitives");
    for (size_t i = 0; detent_get_primitive(mechanism, i, &p) == DETENT_OK; i++) {
        json_object(json, NULL);
        json_text(json, "name", p.name);
        json_text(json, "type", p.type);
        json_text(json, "joint", detent_name(mechanism, DETENT_JOINT, p.joint));
        json_text(json, "base", body_name(mechanism, p.base));
        json_text(json, "follower", body_name(mechanism, p.follower));
        json_text(json, "unit", detent_unit(mechanism, DETENT_PRIMITIVE, i));
        json_count(json, "freedoms", p.freedoms);
        json_bool(json, "stiction", p.stiction >= 0);
        if (p.stiction >= 0) {
            json_text(json, "locking", p.locking == DETENT_LOCKING_BAND ? "band" : "crossing");
            json_given(json, "velocity_threshold", p.velocity_threshold);
        }
        json_bool(json, "prescribed", p.prescribed);
        json_number(json, "armature", p.armature);
        json_given(json, "nominal_position", p.nominal_position);
        json_given(json, "nominal_velocity", p.nominal_velocity);
        json_close(json);
    }
    json_close(json);
}

static void json_outputs(json_writer *json, const detent_mechanism *mechanism)
{
    const char *name;
    json_array(json, "outputs");
    for (size_t i = 0; (name = detent_name(mechanism, DETENT_OUTPUT, i)) != NULL; i++) {
        json_object(json, NULL);
        json_text(json, "name", name);
        json_text(json, "unit", detent_unit(mechanism, DETENT_OUTPUT, i));
        json_close(json);
    }
    json_close(json);
}

static void json_valid(json_writer *json, const detent_mechanism *mechanism,
                       const detent_mechanism_info *info)
{
    json_text(json, "name", info->name);
    json_count(json, "degrees_of_freedom", info->freedoms);
    json_count(json, "signals", info->signals);
    json_count(json, "shapes", info->shapes);
    detent_kind_info kind = DETENT_INIT(detent_kind_info);
    for (size_t k = 0; detent_get_kind(k, &kind) == DETENT_OK; k++) {
        if (kind.item == DETENT_PRIMITIVE) {
            json_primitives(json, mechanism);
        } else if (kind.item == DETENT_OUTPUT) {
            json_outputs(json, mechanism);
        } else {
            json_names(json, kind.name, mechanism, kind.item);
        }
    }
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(mechanism, &settings);
    json_settings(json, "simulation", &settings);
}

static void json_meshes(json_writer *json, const detent_mesh *meshes, size_t count)
{
    json_array(json, "meshes");
    for (size_t k = 0; k < count; k++) {
        json_object(json, NULL);
        json_text(json, "coupling", meshes[k].coupling);
        json_number(json, "margin", meshes[k].margin);
        json_close(json);
    }
    json_close(json);
}

static void json_assembly_warnings(json_writer *json, const detent_simulation *simulation)
{
    const char *text;
    json_array(json, "assembly_warnings");
    for (size_t i = 0; (text = detent_simulation_warning(simulation, i)) != NULL; i++) {
        json_text(json, NULL, text);
    }
    json_close(json);
}

/* The verdict and, by it, what was understood or what is wrong. `mobility`, `simulation`: NULL without loops. */
static void print_json(const cli_options *options, const detent_mechanism *mechanism,
                       const detent_simulation *simulation, const detent_mobility *mobility,
                       const detent_mesh *meshes, const detent_error *error, int exit_code)
{
    json_writer json = json_begin(stdout, true);
    json_object(&json, NULL);
    json_text(&json, "file", options->file);
    json_bool(&json, "valid", mechanism != NULL);
    json_count(&json, "exit_code", (size_t)exit_code);
    if (mechanism) {
        detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
        detent_mechanism_get_info(mechanism, &info);
        json_valid(&json, mechanism, &info);
        if (mobility) {
            json_count(&json, "mobility", mobility->mobility);
            json_count(&json, "redundant_conditions", mobility->redundant);
            json_bool(&json, "branches_meet", mobility->branches_meet);
        }
        json_meshes(&json, meshes, info.meshes);
        json_assembly_warnings(&json, simulation);
    } else {
        json_error(&json, "error", error);
    }
    json_close(&json);
    json_end(&json);
}

/* What is known only with loops closed: whether they can be, what may move, how meshes rub. Meshes and the simulation are the caller's to free. */
static detent_status close_loops(const detent_mechanism *mechanism, size_t mesh_count,
                                 detent_simulation **place, detent_mobility *mobility,
                                 detent_mesh **meshes, detent_error *error)
{
    detent_status status = detent_simulation_create(mechanism, NULL, place, error);
    detent_simulation *simulation = *place;
    status = status ? status : detent_get_mobility(simulation, mobility, error);
    *meshes = calloc(mesh_count + 1, sizeof **meshes);
    for (size_t k = 0; k < mesh_count && !status && *meshes; k++) {
        (*meshes)[k].size = sizeof(*meshes)[k];
        status = detent_get_mesh(simulation, k, &(*meshes)[k], error);
    }
    if (!*meshes && !status) {
        *error = (detent_error){.status = DETENT_ERROR_MEMORY, .message = "out of memory"};
        status = DETENT_ERROR_MEMORY;
    }
    return status;
}

int check_command(const cli_options *options)
{
    detent_mechanism *mechanism = NULL;
    detent_simulation *simulation = NULL;
    detent_error error = {0};
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mobility mobility = DETENT_INIT(detent_mobility);
    detent_mesh *meshes = NULL;
    detent_status status = load_mechanism(options, &mechanism, &error);
    detent_mechanism_get_info(mechanism, &info);
    if (!status && info.ties > 0) {
        status = close_loops(mechanism, info.meshes, &simulation, &mobility, &meshes, &error);
    }
    if (options->json) {
        print_json(options, status ? NULL : mechanism, simulation, info.ties ? &mobility : NULL,
                   meshes, &error, exit_code_of(status));
    }
    if (status) {
        print_library_error(&error);
    } else {
        if (!options->quiet) {
            print_warnings(options, mechanism);
            print_assembly_warnings(name_of_file(options), simulation);
        }
        if (!options->json && !options->quiet) {
            print_text(options, mechanism, &info, info.ties ? &mobility : NULL, meshes);
        }
    }
    free(meshes);
    detent_simulation_destroy(simulation);
    detent_mechanism_destroy(mechanism);
    return finish_stdout(status ? exit_code_of(status) : EXIT_DONE);
}
