/* What bodies look like, in the mechanism file. */

#include "import/write.h"

static void put_sizes(dt_growing_text *out, const dt_robot_shape *shape)
{
    static const char *const words[] = {"box", "sphere", "cylinder", "capsule", "ellipsoid"};
    switch (shape->type) {
    case DETENT_SHAPE_MESH:
        dt_put(out, "mesh: ");
        dt_put_quoted(out, shape->file);
        return;
    case DETENT_SHAPE_SPHERE:
        dt_put(out, "sphere: ");
        dt_put_number(out, shape->extent[0]);
        return;
    case DETENT_SHAPE_CYLINDER:
    case DETENT_SHAPE_CAPSULE:
        dt_put_all(out, words[shape->type], ": {radius: ", NULL);
        dt_put_number(out, shape->extent[0]);
        dt_put(out, ", length: ");
        dt_put_number(out, shape->extent[1]);
        dt_put(out, "}");
        return;
    default:
        dt_put_all(out, words[shape->type], ": ", NULL);
        dt_put_row(out, shape->extent, 3);
    }
}

void dt_put_shapes(dt_growing_text *out, const dt_robot *robot, int first)
{
    dt_put(out, first >= 0 ? "    shape:\n" : "");
    for (int k = first; k >= 0; k = robot->shapes[k].next) {
        const dt_robot_shape *shape = &robot->shapes[k];
        dt_put(out, "    - {");
        put_sizes(out, shape);
        if (dt_is_somewhere(&shape->frame)) {
            dt_put(out, ", at: ");
            dt_put_frame(out, &shape->frame);
        }
        if (*shape->color) {
            dt_put_all(out, ", color: '", shape->color, "'", NULL);
        }
        if (shape->name) {
            dt_put(out, ", name: ");
            dt_put_quoted(out, shape->name);
        }
        dt_put(out, "}\n");
    }
}
