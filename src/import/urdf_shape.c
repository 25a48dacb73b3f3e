/* What links look like: their visuals, and where they have none, what they collide with. */

#include "import/urdf.h"

#include "math/rotation.h"

/* Whatever cannot be read is a shape without a size: looks never refuse a robot. */
static bool read(const dt_xml *element, const char *attribute, int count, double *values)
{
    detent_error unwanted;
    return !element || !dt_xml_vector(element, attribute, count, values, &unwanted);
}

static const struct {
    const char *word;
    detent_shape_type type;
    const char *sizes[2]; /* attributes; one of three numbers, or one or two of one */
    int count;            /* of numbers in each */
} geometries[] = {{"box", DETENT_SHAPE_BOX, {"size", NULL}, 3},
                  {"sphere", DETENT_SHAPE_SPHERE, {"radius", NULL}, 1},
                  {"cylinder", DETENT_SHAPE_CYLINDER, {"radius", "length"}, 1},
                  {"capsule", DETENT_SHAPE_CAPSULE, {"radius", "length"}, 1}};

static bool read_geometry(const dt_xml *geometry, dt_robot_shape *shape)
{
    const dt_xml *mesh = geometry ? dt_xml_child(geometry, "mesh") : NULL;
    bool good = true;
    shape->type = DETENT_SHAPE_MESH; /* without a file it is none */
    shape->file = mesh ? dt_xml_attribute(mesh, "filename") : NULL;
    for (size_t k = 0; geometry && k < sizeof geometries / sizeof *geometries; k++) {
        const dt_xml *own = dt_xml_child(geometry, geometries[k].word);
        if (own) {
            shape->type = geometries[k].type;
        }
        for (int n = 0; own && n < 2 && geometries[k].sizes[n]; n++) {
            good =
                good && read(own, geometries[k].sizes[n], geometries[k].count, &shape->extent[n]);
        }
    }
    return good;
}

static bool read_place(const dt_xml *element, dt_frame *frame)
{
    const dt_xml *origin = dt_xml_child(element, "origin");
    double rpy[3] = {0}, q[4];
    *frame = dt_frame_none;
    const bool good = read(origin, "xyz", 3, frame->p) && read(origin, "rpy", 3, rpy);
    if (good && (rpy[0] != 0 || rpy[1] != 0 || rpy[2] != 0)) {
        dt_quaternion_from_rpy(q, rpy);
        dt_rotation_from_quaternion(frame->R, q);
    }
    return good;
}

/* ---- colours ---- */

/* Materials by their names: those of the robot, and those that a visual has told. */
typedef struct palette {
    dt_name_map names;
    char (*colors)[DT_COLOR_SIZE];
    int count;
} palette;

static bool read_color(const dt_xml *material, char color[DT_COLOR_SIZE])
{
    const dt_xml *own = material ? dt_xml_child(material, "color") : NULL;
    double rgba[4];
    const bool good = own && dt_xml_attribute(own, "rgba") && read(own, "rgba", 4, rgba);
    if (good) {
        dt_robot_color(rgba, color);
    }
    return good;
}

/* The first one of a name that has a colour. False: memory is out. */
static bool add_material(palette *all, const dt_xml *material)
{
    const char *name = material ? dt_xml_attribute(material, "name") : NULL;
    return !name || dt_name_map_get(&all->names, name) >= 0 ||
           !read_color(material, all->colors[all->count]) ||
           dt_name_map_put(&all->names, name, all->count++) == DETENT_OK;
}

static bool mix(palette *all, dt_arena *arena, const dt_xml *root)
{
    size_t room = 1;
    for (const dt_xml *e = root->first; e; e = e->next) {
        room++;
        for (const dt_xml *v = dt_xml_child(e, "visual"); v; v = dt_xml_again(v)) {
            room++;
        }
    }
    dt_name_map_init(&all->names, arena);
    all->colors = dt_arena_alloc(arena, room, sizeof *all->colors);
    bool good = all->colors != NULL;
    for (const dt_xml *m = dt_xml_child(root, "material"); m && good; m = dt_xml_again(m)) {
        good = add_material(all, m);
    }
    for (const dt_xml *l = dt_xml_child(root, "link"); l && good; l = dt_xml_again(l)) {
        for (const dt_xml *v = dt_xml_child(l, "visual"); v && good; v = dt_xml_again(v)) {
            good = add_material(all, dt_xml_child(v, "material"));
        }
    }
    return good;
}

static void find_color(const palette *all, const dt_xml *material, char color[DT_COLOR_SIZE])
{
    const char *name = material ? dt_xml_attribute(material, "name") : NULL;
    const int known = name ? dt_name_map_get(&all->names, name) : -1;
    if (!read_color(material, color) && known >= 0) {
        memcpy(color, all->colors[known], DT_COLOR_SIZE);
    }
}

/* ---- links ---- */

/* `kind`: the elements that are meant. */
static bool add_shapes(dt_robot *robot, const palette *all, const dt_xml *link, const char *kind,
                       bool is_spare)
{
    const int body = dt_name_map_get(&robot->body_names, dt_xml_attribute(link, "name"));
    bool good = true;
    for (const dt_xml *e = dt_xml_child(link, kind); e && good; e = dt_xml_again(e)) {
        dt_robot_shape shape = {
            .body = body, .name = dt_xml_attribute(e, "name"), .is_spare = is_spare};
        if (!read_geometry(dt_xml_child(e, "geometry"), &shape) || !read_place(e, &shape.frame)) {
            shape.type = DETENT_SHAPE_MESH;
            shape.file = NULL;
        }
        find_color(all, dt_xml_child(e, "material"), shape.color);
        good = dt_robot_add_shape(robot, &shape, &e->where);
    }
    return good;
}

bool dt_urdf_shapes(const dt_xml *root, dt_robot *robot)
{
    palette all = {.count = 0};
    bool good = mix(&all, robot->arena, root);
    for (const dt_xml *l = dt_xml_child(root, "link"); l && good; l = dt_xml_again(l)) {
        good = add_shapes(robot, &all, l, "visual", false) &&
               add_shapes(robot, &all, l, "collision", true);
    }
    return good;
}
