/* Shapes of bodies, added and told. */

#include "model/shape.h"

#include "api/check.h"
#include "api/sized.h"
#include "model/mechanism.h"

#include <math.h>

detent_status detent_add_shape(detent_mechanism *mechanism, const detent_shape_def *given,
                               detent_error *error)
{
    detent_shape_def shape;
    detent_status status = dt_require_open(mechanism, error);
    status = status ? status : DT_TAKE(&shape, given, "the shape's definition", error);
    return status ? status : dt_builder_add_shape(mechanism, &shape, NULL, error);
}

size_t detent_shape_count(const detent_mechanism *m, ptrdiff_t body)
{
    const bool is_there = m && m->finished && body >= -1 && body < m->body_count;
    return is_there ? (size_t)(dt_shape_first(m, (int)body + 1) - dt_shape_first(m, (int)body)) : 0;
}

/* A quaternion of length one; zero stands for no turn. */
static void normalize(double q[4])
{
    double largest = 0, length = 0;
    for (int k = 0; k < 4; k++) {
        largest = fmax(largest, fabs(q[k]));
    }
    for (int k = 0; k < 4 && largest > 0; k++) {
        q[k] /= largest;
        length += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++) {
        q[k] = largest > 0 ? q[k] / sqrt(length) : k == 0;
    }
}

detent_status detent_get_shape(const detent_mechanism *m, ptrdiff_t body, size_t index,
                               detent_shape_def *shape)
{
    if (index >= detent_shape_count(m, body)) {
        return DETENT_ERROR_ARGUMENT;
    }
    detent_shape_def all = m->shapes[dt_shape_first(m, (int)body) + (int)index].def;
    all.body = body < 0 ? "ground" : m->bodies[body].name;
    normalize(all.rotation);
    return DT_GIVE(shape, &all, "the place for the shape", NULL);
}

const char *detent_shape_word(size_t type)
{
    return type < DT_SHAPE_TYPES ? dt_shape_types[type].word : NULL;
}
