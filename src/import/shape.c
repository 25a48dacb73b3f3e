/* What bodies look like, whatever it was written in. */

#include "import/robot.h"

#include <math.h>
#include <stdio.h>

/* How many sizes each type has, in the order of detent_shape_type. */
static const int sizes[] = {3, 1, 2, 2, 3, 0, 0};

bool dt_robot_add_shape(dt_robot *robot, const dt_robot_shape *shape, const dt_location *where)
{
    bool good = shape->type != DETENT_SHAPE_MESH || (shape->file && *shape->file);
    for (int k = 0; k < sizes[shape->type]; k++) {
        good = good && shape->extent[k] > 0;
    }
    if (!good) {
        robot->shapeless_where = robot->shapeless++ == 0 ? *where : robot->shapeless_where;
        return true;
    }
    return dt_robot_keep_shape(robot, shape);
}

void dt_robot_color(const double *rgb, char color[DT_COLOR_SIZE])
{
    unsigned part[3];
    for (int k = 0; k < 3; k++) {
        part[k] = (unsigned)(255 * fmin(fmax(rgb[k], 0), 1) + 0.5) & 255;
    }
    snprintf(color, DT_COLOR_SIZE, "#%02x%02x%02x", part[0], part[1], part[2]);
}

bool dt_robot_note_shapeless(dt_robot *robot)
{
    char more[40] = "";
    if (robot->shapeless > 1) {
        snprintf(more, sizeof more, ", here and %d times more", robot->shapeless - 1);
    }
    return robot->shapeless == 0 || dt_robot_note_at(robot, &robot->shapeless_where,
                                                     "a shape without a size is left out%s", more);
}

bool dt_robot_hang_shapes(dt_robot *robot)
{
    int spare = 0;
    const size_t bodies = (size_t)robot->body_count + 1; /* the world first */
    bool *is_seen = dt_arena_alloc(robot->arena, bodies, sizeof *is_seen);
    robot->first_shape = -1;
    for (int k = 0; k < robot->body_count; k++) {
        robot->bodies[k].first_shape = -1;
    }
    for (int k = 0; k < robot->shape_count && is_seen; k++) {
        const dt_robot_shape *shape = &robot->shapes[k];
        is_seen[shape->body + 1] = is_seen[shape->body + 1] || !shape->is_spare;
    }
    for (int k = robot->shape_count - 1; k >= 0 && is_seen; k--) { /* the first of each is last */
        dt_robot_shape *shape = &robot->shapes[k];
        const dt_robot_body *body = shape->body >= 0 ? &robot->bodies[shape->body] : NULL;
        if (shape->is_spare && is_seen[shape->body + 1]) {
            spare++;
            continue;
        }
        if (body) {
            dt_frame_compose(&shape->frame, &body->on_carrier, &shape->frame);
        }
        int *first = body && body->carrier >= 0 ? &robot->bodies[body->carrier].first_shape
                                                : &robot->first_shape;
        shape->next = *first;
        *first = k;
    }
    return is_seen &&
           (spare == 0 || dt_robot_note_at(robot, NULL,
                                           "bodies do not touch: %d shapes of collisions are left "
                                           "out, where there are others to look at",
                                           spare));
}
