/**
 * @file shape_mesh.h
 * Shapes of bodies as triangles.
 */
#ifndef CLI_SHAPE_MESH_H
#define CLI_SHAPE_MESH_H

#include "detent/detent.h"

typedef struct shape_mesh {
    double *points, *normals; /**< count x 3, m */
    size_t count;
    unsigned *corners; /**< three a triangle, counterclockwise from outside */
    size_t corner_count;
} shape_mesh;

/** In the shape's own frame; of a line or a mesh, which have no volume here, nothing. False when memory is out. */
bool shape_mesh_make(shape_mesh *, const detent_shape_def *);
void shape_mesh_release(shape_mesh *);

#endif
