/**
 * @file shape.h
 * Shapes of bodies, for looking at only: what they are, in files and in the finished mechanism. A body of a density weighs what its
 * shapes do.
 */
#ifndef DT_MODEL_SHAPE_H
#define DT_MODEL_SHAPE_H

#include "math/mass.h"
#include "math/solid.h"
#include "model/builder.h"

/** A shape of the finished mechanism, all of it in the memory of that. */
typedef struct dt_shape {
    detent_shape_def def; /**< color: #rrggbb; body: NULL, it is */
    int body;             /**< -1: the ground */
} dt_shape;

/** A type of shapes: what detent_shape_type says. */
typedef struct dt_shape_type {
    const char *word;
    int extents; /**< of detent_shape_def.extent */
    const char
        *part[3];    /**< what each is called in a file; NULL: they are a list, or the only one */
    double share[3]; /**< of each, what `solid` asks for: radii whole, lengths half */
    dt_solid (*solid)(const double *size); /**< NULL: it has no volume */
} dt_shape_type;

enum { DT_SHAPE_TYPES = DETENT_SHAPE_MESH + 1 };
extern const dt_shape_type dt_shape_types[DT_SHAPE_TYPES];

/** The keys of one in a file: DT_SHAPE_TYPES of which it has one, by their numbers, and then those of all. The points of a line have none. */
extern const dt_key dt_shape_keys[];

/** Whether `mass` was told: what a shape weighs in its body's frame. False: it has no volume. */
bool dt_shape_mass(const detent_shape_def *shape, double density, dt_mass *mass);

/** Adds one: what is wrong with it is told with its place, where `origin` has one. */
detent_status dt_builder_add_shape(detent_mechanism *, const detent_shape_def *, const dt_origin *,
                                   detent_error *);

/** Of a finished mechanism: the first shape of a body, or of the first body behind it that has one. */
int dt_shape_first(const detent_mechanism *, int body);

#endif
