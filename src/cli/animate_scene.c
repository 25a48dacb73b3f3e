/*
 * Node 0 is the world, turned so that what gravity points away from is up (glTF: +y); its children are the ground, node 1, and the bodies, from 2 on, whose
 * translation and rotation are their poses. Shapes are children of bodies; a body without any is drawn as sticks between its joints and its centre of mass.
 */
#include "animate_scene.h"

#include "animate_poses.h"
#include "glb.h"
#include "message.h"
#include "shape_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BODY = 2 };

/* What hangs on a body: a shape, or sticks. */
typedef struct scene_part {
    size_t body; /* node */
    char *name;
    double point[3], rotation[4]; /* w x y z */
    double color[3];              /* linear */
    size_t points, normals, corners;
    int mode; /* of glTF: 1 lines, 3 a line strip, 4 triangles */
} scene_part;

typedef struct scene {
    const record_file *file;
    detent_mechanism *mechanism;
    glb_file glb;
    scene_part *parts;
    size_t count, bodies;
    size_t times, key_count;
    size_t *translation, *rotation; /* accessors, of bodies */
    double *poses;                  /* bodies x 7: of the first row */
    double up[4];                   /* rotation of the world, w x y z */
    bool failed;                    /* memory is out */
} scene;

/* ---- poses ---- */

static const record_part *part_named(const char *name)
{
    const record_part *part = record_parts;
    while (strcmp(part->name, name) != 0) {
        part++;
    }
    return part;
}

/* One body over all key frames, in a part of the record. False when memory is out. */
static bool gather(const scene *s, const record_part *part, const size_t *row, size_t body,
                   size_t components, double *values)
{
    const size_t width = record_file_width(s->file, part),
                 block = record_file_block(s->file, width);
    double *all = malloc(block * width * sizeof *all);
    size_t first = 0, held = 0;
    for (size_t k = 0; k < s->key_count && all; k++) {
        while (row[k] >= first + held) {
            first += held;
            held = s->file->rows - first < block ? s->file->rows - first : block;
            record_file_rows(s->file, part, first, held, all);
        }
        for (size_t c = 0; c < components; c++) {
            values[components * k + c] = all[(row[k] - first) * width + body * components + c];
        }
    }
    free(all);
    return all != NULL;
}

static bool add_poses(scene *s)
{
    const record_part *origin = part_named("origin"), *rotation = part_named("rotation");
    size_t *row = malloc(s->file->rows * sizeof *row);
    double *time = malloc(s->file->rows * sizeof *time), *values = NULL;
    bool good = row && time && animate_choose_rows(s->file, s->bodies, row, time, &s->key_count);
    values = good ? malloc((4 * s->key_count + 1) * sizeof *values) : NULL;
    good = values != NULL;
    if (good) {
        s->times = glb_floats(&s->glb, time, s->key_count, 1, 0, true);
    }
    for (size_t b = 0; b < s->bodies && good; b++) {
        if (!gather(s, origin, row, b, 3, values)) {
            good = false;
            break;
        }
        memcpy(s->poses + 7 * b, values, 3 * sizeof *values);
        s->translation[b] = glb_floats(&s->glb, values, s->key_count, 3, 0, false);
        good = gather(s, rotation, row, b, 4, values);
        memcpy(s->poses + 7 * b + 3, values, 4 * sizeof *values);
        animate_turn(values, s->key_count);
        s->rotation[b] = glb_floats(&s->glb, values, s->key_count, 4, 0, false);
    }
    free(row);
    free(time);
    free(values);
    return good;
}

/* The rotation that takes what is up, against gravity at the start, to +y. */
static void find_up(scene *s)
{
    double g[3] = {0, 0, 0};
    record_file_rows(s->file, part_named("gravity"), 0, 1, g);
    const double size = hypot(hypot(g[0], g[1]), g[2]);
    memcpy(s->up, (double[4]){1, 0, 0, 0}, sizeof s->up);
    if (!(size > 0) || !isfinite(size)) {
        return;
    }
    const double y[3] = {-g[0] / size, -g[1] / size, -g[2] / size};
    /* half way from y to (0, 1, 0): (1 + y.b, y x b), or half a turn about x */
    double q[4] = {1 + y[1], -y[2], 0, y[0]};
    const double length = hypot(hypot(q[0], q[1]), q[3]);
    if (q[0] < 1e-8) { /* the root of rounding: the axis is not known there */
        memcpy(q, (double[4]){0, 1, 0, 0}, sizeof q);
    }
    for (int c = 0; c < 4; c++) {
        s->up[c] = q[0] < 1e-8 ? q[c] : q[c] / length;
    }
}

/* ---- parts ---- */

static scene_part *add_part(scene *s, size_t body, const char *name, const char *color)
{
    scene_part *longer = realloc(s->parts, (s->count + 1) * sizeof *longer);
    char *copy = malloc(strlen(name) + 1);
    s->parts = longer ? longer : s->parts;
    if (!longer || !copy) {
        free(copy);
        s->failed = true;
        return NULL;
    }
    strcpy(copy, name);
    scene_part *part = &s->parts[s->count++];
    *part = (scene_part){.body = body, .name = copy, .rotation = {1, 0, 0, 0}};
    const unsigned long rgb = color && *color == '#' ? strtoul(color + 1, NULL, 16) : 0xb0b8c0;
    for (int c = 0; c < 3; c++) { /* of sRGB */
        const double value = (double)(rgb >> (16 - 8 * c) & 0xff) / 255;
        part->color[c] = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
    }
    return part;
}

static void add_shape(scene *s, size_t body, const detent_shape_def *shape)
{
    shape_mesh mesh;
    if (shape->type == DETENT_SHAPE_MESH) {
        return; /* its file is whoever's who has it */
    }
    scene_part *part = add_part(
        s, body, shape->name ? shape->name : detent_shape_word((size_t)shape->type), shape->color);
    if (!part) {
        return;
    }
    memcpy(part->point, shape->point, sizeof part->point);
    memcpy(part->rotation, shape->rotation, sizeof part->rotation);
    if (shape->type == DETENT_SHAPE_LINE) {
        part->mode = 3;
        part->points =
            glb_floats(&s->glb, shape->points, shape->point_count, 3, GLB_VERTICES, true);
        return;
    }
    part->mode = 4;
    if (!shape_mesh_make(&mesh, shape)) {
        s->failed = true;
    } else {
        part->points = glb_floats(&s->glb, mesh.points, mesh.count, 3, GLB_VERTICES, true);
        part->normals = glb_floats(&s->glb, mesh.normals, mesh.count, 3, GLB_VERTICES, false);
        part->corners = glb_indices(&s->glb, mesh.corners, mesh.corner_count);
    }
    shape_mesh_release(&mesh);
}

/* From the centre of mass to each joint, in the frame of the body. */
static void add_sticks(scene *s, size_t body)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    detent_body_info info = DETENT_INIT(detent_body_info);
    const size_t joints = detent_count(s->mechanism, DETENT_PRIMITIVE);
    double *ends = malloc((6 * joints + 1) * sizeof *ends),
           *places = malloc((3 * joints + 1) * sizeof *places);
    size_t count = 0;
    if (ends && places) {
        detent_get_body(s->mechanism, body, &info);
        record_file_rows(s->file, part_named("place"), 0, 1, places);
    } else {
        s->failed = true;
    }
    for (size_t i = 0; i < joints && !s->failed; i++) {
        detent_get_primitive(s->mechanism, i, &p);
        if (p.base != (ptrdiff_t)body && p.follower != (ptrdiff_t)body) {
            continue;
        }
        const double *pose = s->poses + 7 * body;
        double away[3];
        for (int c = 0; c < 3; c++) {
            away[c] = places[3 * i + (size_t)c] - pose[c];
        }
        memcpy(ends + 3 * count++, info.center_of_mass, sizeof info.center_of_mass);
        animate_turn_back(pose + 3, away, ends + 3 * count++);
    }
    scene_part *part =
        count > 0 && !s->failed ? add_part(s, body + FIRST_BODY, "sticks", NULL) : NULL;
    if (part) {
        part->mode = 1;
        part->points = glb_floats(&s->glb, ends, count, 3, GLB_VERTICES, true);
    }
    free(ends);
    free(places);
}

static void add_parts(scene *s)
{
    for (ptrdiff_t body = -1; body < (ptrdiff_t)s->bodies && !s->failed; body++) {
        const size_t before = s->count, shapes = detent_shape_count(s->mechanism, body);
        for (size_t i = 0; i < shapes; i++) {
            detent_shape_def shape = DETENT_INIT(detent_shape_def);
            detent_get_shape(s->mechanism, body, i, &shape);
            add_shape(s, (size_t)(body + FIRST_BODY), &shape);
        }
        if (s->count == before && body >= 0) {
            add_sticks(s, (size_t)body);
        }
    }
}

/* ---- the text ---- */

static void numbers(json_writer *json, const char *key, const double *values, size_t count)
{
    json_array(json, key);
    for (size_t k = 0; k < count; k++) {
        json_number(json, NULL, values[k]);
    }
    json_close(json);
}

static void write_pose(json_writer *json, const double point[3], const double q[4])
{
    const double x[4] = {q[1], q[2], q[3], q[0]};
    numbers(json, "translation", point, 3);
    numbers(json, "rotation", x, 4);
}

static void write_children(const scene *s, json_writer *json, size_t node)
{
    bool any = false;
    for (size_t k = 0; k < s->count; k++) {
        if (s->parts[k].body == node) {
            if (!any) {
                json_array(json, "children");
            }
            any = true;
            json_count(json, NULL, FIRST_BODY + s->bodies + k);
        }
    }
    if (any) {
        json_close(json);
    }
}

static void write_nodes(const scene *s, json_writer *json)
{
    static const double none[3] = {0};
    json_array(json, "nodes");
    json_object(json, NULL);
    json_text(json, "name", "world");
    write_pose(json, none, s->up);
    json_array(json, "children");
    for (size_t k = 1; k < FIRST_BODY + s->bodies; k++) {
        json_count(json, NULL, k);
    }
    json_close(json);
    json_close(json);
    for (size_t node = 1; node < FIRST_BODY + s->bodies; node++) {
        json_object(json, NULL);
        if (node == 1) {
            json_text(json, "name", "ground");
        } else {
            const double *pose = s->poses + 7 * (node - FIRST_BODY);
            json_text(json, "name", detent_name(s->mechanism, DETENT_BODY, node - FIRST_BODY));
            write_pose(json, pose, pose + 3);
        }
        write_children(s, json, node);
        json_close(json);
    }
    for (size_t k = 0; k < s->count; k++) {
        json_object(json, NULL);
        json_text(json, "name", s->parts[k].name);
        json_count(json, "mesh", k);
        write_pose(json, s->parts[k].point, s->parts[k].rotation);
        json_close(json);
    }
    json_close(json);
}

static void write_meshes(const scene *s, json_writer *json)
{
    json_array(json, "meshes");
    for (size_t k = 0; k < s->count; k++) {
        const scene_part *part = &s->parts[k];
        json_object(json, NULL);
        json_array(json, "primitives");
        json_object(json, NULL);
        json_object(json, "attributes");
        json_count(json, "POSITION", part->points);
        if (part->mode == 4) {
            json_count(json, "NORMAL", part->normals);
        }
        json_close(json);
        if (part->mode == 4) {
            json_count(json, "indices", part->corners);
        }
        json_count(json, "material", k);
        json_count(json, "mode", (size_t)part->mode);
        json_close(json);
        json_close(json);
        json_close(json);
    }
    json_close(json);
    json_array(json, "materials");
    for (size_t k = 0; k < s->count; k++) {
        const double *c = s->parts[k].color, rgba[] = {c[0], c[1], c[2], 1};
        json_object(json, NULL);
        json_object(json, "pbrMetallicRoughness");
        numbers(json, "baseColorFactor", rgba, 4);
        json_number(json, "metallicFactor", 0.1);
        json_number(json, "roughnessFactor", 0.7);
        json_close(json);
        json_close(json);
    }
    json_close(json);
}

static void write_animation(const scene *s, json_writer *json)
{
    json_array(json, "animations");
    json_object(json, NULL);
    json_text(json, "name", "run");
    json_array(json, "channels");
    for (size_t k = 0; k < 2 * s->bodies; k++) {
        json_object(json, NULL);
        json_count(json, "sampler", k);
        json_object(json, "target");
        json_count(json, "node", FIRST_BODY + k / 2);
        json_text(json, "path", k % 2 ? "rotation" : "translation");
        json_close(json);
        json_close(json);
    }
    json_close(json);
    json_array(json, "samplers");
    for (size_t k = 0; k < 2 * s->bodies; k++) {
        json_object(json, NULL);
        json_count(json, "input", s->times);
        json_count(json, "output", (k % 2 ? s->rotation : s->translation)[k / 2]);
        json_text(json, "interpolation", "LINEAR");
        json_close(json);
    }
    json_close(json);
    json_close(json);
    json_close(json);
}

static void write_text(scene *s, FILE *stream)
{
    char program[64];
    json_writer json = json_begin(stream, false);
    snprintf(program, sizeof program, "detent %s", detent_version());
    json_object(&json, NULL);
    json_object(&json, "asset");
    json_text(&json, "version", "2.0");
    json_text(&json, "generator", program);
    json_close(&json);
    json_count(&json, "scene", 0);
    json_array(&json, "scenes");
    json_object(&json, NULL);
    json_array(&json, "nodes");
    json_count(&json, NULL, 0);
    json_close(&json);
    json_close(&json);
    json_close(&json);
    write_nodes(s, &json);
    if (s->count > 0) {
        write_meshes(s, &json);
    }
    write_animation(s, &json);
    glb_describe(&s->glb, &json);
    json_close(&json);
}

/* ---- the whole ---- */

static detent_status write_scene(scene *s, FILE *stream, detent_error *error)
{
    char *text = NULL;
    size_t length = 0;
    FILE *json = s->failed ? NULL : open_memstream(&text, &length);
    bool good = json != NULL;
    if (good) {
        write_text(s, json);
        good = !ferror(json);
        good = fclose(json) == 0 && good;
    }
    const bool written = good && glb_write(&s->glb, stream, text, length);
    free(text);
    return written ? DETENT_OK
           : good && !s->glb.failed
               ? report(error, DETENT_ERROR_IO, "the animation of %s is longer than 4 GiB",
                        s->file->path)
               : report(error, DETENT_ERROR_MEMORY, "out of memory for the animation");
}

/* Whether the record has as many numbers as its mechanism asks for. */
static bool has_places(const scene *s)
{
    const size_t joints = detent_count(s->mechanism, DETENT_PRIMITIVE);
    return record_file_width(s->file, part_named("origin")) == 3 * s->bodies &&
           record_file_width(s->file, part_named("rotation")) == 4 * s->bodies &&
           record_file_width(s->file, part_named("place")) == 3 * joints &&
           record_file_width(s->file, part_named("gravity")) == 3;
}

static detent_status read_mechanism(scene *s, detent_error *error)
{
    detent_error why = {0};
    char *text = record_file_text(s->file, "mechanism", 0);
    if (store_failed(s->file->store)) {
        return report(error, DETENT_ERROR_MEMORY, "out of memory for the animation");
    }
    const detent_status status =
        text ? detent_mechanism_parse(text, strlen(text), s->file->path, NULL, &s->mechanism, &why)
             : DETENT_ERROR_MODEL;
    free(text);
    if (status) {
        return report(error, status == DETENT_ERROR_MEMORY ? status : DETENT_ERROR_IO,
                      "the mechanism in %s cannot be read: %s", s->file->path,
                      why.message[0] ? why.message : "it is one that no file can hold");
    }
    s->bodies = detent_count(s->mechanism, DETENT_BODY);
    return s->bodies > 0 && has_places(s)
               ? DETENT_OK
               : report(error, DETENT_ERROR_IO, "%s has no poses of bodies", s->file->path);
}

detent_status animate_scene_write(const record_file *file, FILE *stream, detent_error *error)
{
    scene s = {.file = file};
    detent_status status = read_mechanism(&s, error);
    if (!status) {
        glb_begin(&s.glb);
        s.translation = calloc(s.bodies, sizeof *s.translation);
        s.rotation = calloc(s.bodies, sizeof *s.rotation);
        s.poses = calloc(7 * s.bodies, sizeof *s.poses);
        s.failed = !s.translation || !s.rotation || !s.poses || !add_poses(&s);
        if (!s.failed) {
            find_up(&s);
            add_parts(&s);
        }
        status = write_scene(&s, stream, error);
        glb_release(&s.glb);
    }
    for (size_t k = 0; k < s.count; k++) {
        free(s.parts[k].name);
    }
    free(s.parts);
    free(s.translation);
    free(s.rotation);
    free(s.poses);
    detent_mechanism_destroy(s.mechanism);
    return status;
}
