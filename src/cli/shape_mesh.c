/*
 * A surface of revolution about z: a profile of points (r, z) with normals (nr, nz), from the lower end of the axis to the upper one, is
 * turned; where the surface has an edge the profile has its point twice. A box has its six sides.
 */
#include "shape_mesh.h"

#include <math.h>
#include <stdlib.h>

enum { AROUND = 32, HALF = 8, MOST_RINGS = 2 * HALF + 4 };

typedef struct ring {
    double r, z, nr, nz;
} ring;

static bool take(shape_mesh *m, size_t count, size_t corners)
{
    *m = (shape_mesh){.points = malloc(3 * count * sizeof *m->points),
                      .normals = malloc(3 * count * sizeof *m->normals),
                      .corners = malloc(corners * sizeof *m->corners)};
    return m->points && m->normals && m->corners;
}

static void add_vertex(shape_mesh *m, const double point[3], const double normal[3])
{
    for (int c = 0; c < 3; c++) {
        m->points[3 * m->count + (size_t)c] = point[c];
        m->normals[3 * m->count + (size_t)c] = normal[c];
    }
    m->count++;
}

static void add_triangle(shape_mesh *m, size_t a, size_t b, size_t c)
{
    m->corners[m->corner_count++] = (unsigned)a;
    m->corners[m->corner_count++] = (unsigned)b;
    m->corners[m->corner_count++] = (unsigned)c;
}

static bool turn(shape_mesh *m, const ring *rings, size_t count)
{
    if (!take(m, count * (AROUND + 1), 6 * (count - 1) * AROUND)) {
        return false;
    }
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i <= AROUND; i++) {
            const double angle = 2 * acos(-1.0) * (double)(i % AROUND) / AROUND, x = cos(angle),
                         y = sin(angle);
            const double point[] = {rings[k].r * x, rings[k].r * y, rings[k].z},
                         normal[] = {rings[k].nr * x, rings[k].nr * y, rings[k].nz};
            add_vertex(m, point, normal);
        }
    }
    for (size_t k = 0; k + 1 < count; k++) {
        const bool is_edge = rings[k].r == rings[k + 1].r && rings[k].z == rings[k + 1].z;
        for (size_t i = 0; i < AROUND && !is_edge; i++) {
            const size_t low = k * (AROUND + 1) + i, high = low + AROUND + 1;
            if (rings[k].r > 0) {
                add_triangle(m, low, low + 1, high);
            }
            if (rings[k + 1].r > 0) {
                add_triangle(m, low + 1, high + 1, high);
            }
        }
    }
    return true;
}

/* Half a circle, or the lower and the upper quarter `apart` from each other. */
static size_t round_profile(double radius, double apart, ring *rings)
{
    size_t count = 0;
    for (int half = 0; half < 2; half++) {
        for (int k = half > 0 && apart == 0; k <= HALF; k++) {
            const double angle = acos(-1.0) / 2 * ((double)k / HALF - 1 + half), z = sin(angle);
            const bool is_pole = (half == 0 && k == 0) || (half == 1 && k == HALF);
            const double r = is_pole ? 0 : cos(angle);
            rings[count++] = (ring){radius * r, radius * z + (half - 0.5) * apart, r, z};
        }
    }
    return count;
}

static bool make_cylinder(shape_mesh *m, double radius, double length)
{
    const double z = length / 2;
    const ring rings[] = {{0, -z, 0, -1},    {radius, -z, 0, -1}, {radius, -z, 1, 0},
                          {radius, z, 1, 0}, {radius, z, 0, 1},   {0, z, 0, 1}};
    return turn(m, rings, sizeof rings / sizeof *rings);
}

static bool make_box(shape_mesh *m, const double edge[3])
{
    if (!take(m, 24, 36)) {
        return false;
    }
    for (int side = 0; side < 6; side++) {
        const int axis = side / 2, next = (axis + 1) % 3, last = (axis + 2) % 3;
        const double sign = side % 2 ? 1 : -1;
        const size_t first = m->count;
        for (int corner = 0; corner < 4; corner++) {
            double point[3], normal[3] = {0};
            const double u = corner == 1 || corner == 2 ? 1 : -1, v = corner > 1 ? 1 : -1;
            point[axis] = sign * edge[axis] / 2;
            point[next] = sign * u * edge[next] / 2; /* turned about for the other side */
            point[last] = v * edge[last] / 2;
            normal[axis] = sign;
            add_vertex(m, point, normal);
        }
        add_triangle(m, first, first + 1, first + 2);
        add_triangle(m, first, first + 2, first + 3);
    }
    return true;
}

/* A ball whose axes are stretched; normals the other way round. */
static bool make_ellipsoid(shape_mesh *m, const double axis[3])
{
    ring rings[MOST_RINGS];
    if (!turn(m, rings, round_profile(1, 0, rings))) {
        return false;
    }
    for (size_t i = 0; i < m->count; i++) {
        double *point = m->points + 3 * i, *normal = m->normals + 3 * i, length = 0;
        for (int c = 0; c < 3; c++) {
            point[c] *= axis[c];
            normal[c] /= axis[c];
            length = hypot(length, normal[c]);
        }
        for (int c = 0; c < 3; c++) {
            normal[c] /= length;
        }
    }
    return true;
}

bool shape_mesh_make(shape_mesh *m, const detent_shape_def *shape)
{
    ring rings[MOST_RINGS];
    const double *size = shape->extent;
    *m = (shape_mesh){0};
    switch (shape->type) {
    case DETENT_SHAPE_BOX:
        return make_box(m, size);
    case DETENT_SHAPE_SPHERE:
        return turn(m, rings, round_profile(size[0], 0, rings));
    case DETENT_SHAPE_CYLINDER:
        return make_cylinder(m, size[0], size[1]);
    case DETENT_SHAPE_CAPSULE:
        return turn(m, rings, round_profile(size[0], size[1], rings));
    case DETENT_SHAPE_ELLIPSOID:
        return make_ellipsoid(m, size);
    default:
        return true;
    }
}

void shape_mesh_release(shape_mesh *m)
{
    free(m->points);
    free(m->normals);
    free(m->corners);
    *m = (shape_mesh){0};
}
