/* What geoms look like. Of a body that has geoms of the groups that MuJoCo shows where nothing else is said, those; else all. */

#include "import/mjcf.h"

enum { LAST_SHOWN = 2 }; /* group */

/* ---- what geoms name ---- */

/* The name of a mesh, or of its file without path and ending; "": it has neither. NULL: memory is out. */
static const char *name_of(dt_arena *arena, const dt_xml *asset)
{
    const char *name = dt_xml_attribute(asset, "name"), *file = dt_xml_attribute(asset, "file");
    if (name || !file) {
        return name ? name : "";
    }
    const char *slash = strrchr(file, '/'), *start = slash ? slash + 1 : file,
               *dot = strrchr(start, '.');
    return dt_arena_copy(arena, start, dot ? (size_t)(dot - start) : strlen(start));
}

static bool add_asset(dt_mjcf *m, dt_name_map *names, const dt_xml *asset)
{
    const char *name = name_of(m->robot->arena, asset);
    m->assets[m->asset_count++] = asset;
    return name &&
           (!*name || dt_name_map_put(names, name, m->asset_count - 1) != DETENT_ERROR_MEMORY);
}

bool dt_mjcf_read_assets(dt_mjcf *m)
{
    size_t room = 0;
    bool good = true;
    dt_name_map_init(&m->materials, m->robot->arena);
    dt_name_map_init(&m->mesh_names, m->robot->arena);
    for (const dt_xml *a = dt_xml_child(m->root, "asset"); a; a = dt_xml_again(a)) {
        for (const dt_xml *e = a->first; e; e = e->next) {
            room++;
        }
    }
    m->assets = dt_arena_alloc(m->robot->arena, room, sizeof *m->assets);
    for (const dt_xml *c = dt_xml_child(m->root, "compiler"); c; c = dt_xml_again(c)) {
        const char *meshes = dt_xml_attribute(c, "meshdir"), *all = dt_xml_attribute(c, "assetdir");
        m->mesh_folder = meshes ? meshes : all ? all : m->mesh_folder;
    }
    for (const dt_xml *a = dt_xml_child(m->root, "asset"); a && m->assets; a = dt_xml_again(a)) {
        for (const dt_xml *e = a->first; e && good; e = e->next) {
            good = strcmp(e->name, "material") == 0 ? add_asset(m, &m->materials, e)
                   : strcmp(e->name, "mesh") == 0   ? add_asset(m, &m->mesh_names, e)
                                                    : true;
        }
    }
    return good && m->assets;
}

static const dt_xml *find_asset(const dt_mjcf *m, const dt_name_map *names, const char *name)
{
    const int index = name ? dt_name_map_get(names, name) : -1;
    return index >= 0 ? m->assets[index] : NULL;
}

/* The file of a mesh; what has none goes by its name. NULL: memory is out. */
static const char *mesh_file(const dt_mjcf *m, const char *mesh)
{
    const dt_xml *asset = find_asset(m, &m->mesh_names, mesh);
    const char *file = asset ? dt_xml_attribute(asset, "file") : NULL, *folder = m->mesh_folder;
    const bool is_below = file && *file != '/' && folder && *folder;
    return is_below ? dt_arena_printf(m->robot->arena, "%s%s%s", folder,
                                      folder[strlen(folder) - 1] == '/' ? "" : "/", file)
           : file   ? file
                    : mesh;
}

/* ---- geoms ---- */

/* What says of what colour it is; `*alpha` is 0 where nobody sees it. */
static bool read_color(const dt_mjcf *m, const dt_xml *geom, const char *childclass,
                       char color[DT_COLOR_SIZE], double *alpha)
{
    double rgba[4] = {0, 0, 0, 1};
    bool found = false;
    const char *material = NULL;
    detent_status status = dt_mjcf_vector(m, geom, childclass, "rgba", 4, rgba, &found);
    status = status ? status : dt_mjcf_word(m, geom, childclass, "material", &material);
    const dt_xml *asset = status || found ? NULL : find_asset(m, &m->materials, material);
    status = asset ? dt_mjcf_vector(m, asset, NULL, "rgba", 4, rgba, &found) : status;
    if (!status && found) {
        dt_robot_color(rgba, color);
    }
    *alpha = rgba[3];
    return !status;
}

/* Sizes as a shape has them: radii, and whole lengths. */
static void set_extent(dt_robot_shape *shape, const dt_mjcf_solid *solid, const double size[3])
{
    shape->type = solid->shape;
    for (int k = 0; k < solid->sizes; k++) {
        const bool is_half =
            solid->shape == DETENT_SHAPE_BOX || (k == 1 && solid->shape != DETENT_SHAPE_ELLIPSOID);
        shape->extent[k] = is_half ? 2 * size[k] : size[k];
    }
}

bool dt_mjcf_shape(dt_mjcf *m, const dt_xml *geom, const char *childclass, const dt_frame *outer,
                   int body)
{
    detent_error unwanted;
    dt_mjcf lenient = *m; /* looks refuse no robot: whatever cannot be read has no size */
    const dt_mjcf_solid *solid = NULL;
    const char *mesh = NULL;
    double size[3] = {0}, group = 0, alpha = 1;
    dt_robot_shape shape = {.body = body, .type = DETENT_SHAPE_MESH, .frame = dt_frame_none};
    lenient.error = &unwanted;
    m->geoms++;
    shape.name = dt_xml_attribute(geom, "name");
    bool good = !dt_mjcf_solid_of(&lenient, geom, childclass, &solid, size, &shape.frame) &&
                !dt_mjcf_word(&lenient, geom, childclass, "mesh", &mesh) &&
                !dt_mjcf_vector(&lenient, geom, childclass, "group", 1, &group, NULL) &&
                read_color(&lenient, geom, childclass, shape.color, &alpha);
    if (good && (alpha == 0 || (!solid && !mesh))) {
        m->unseen++;
        return true;
    }
    if (good && solid) {
        set_extent(&shape, solid, size);
    } else if (good) {
        good = !dt_mjcf_frame(&lenient, geom, childclass, &shape.frame);
        shape.file = mesh_file(m, mesh);
        if (!shape.file) {
            return false;
        }
    }
    shape.file = good ? shape.file : NULL;
    shape.is_spare = group > LAST_SHOWN;
    dt_frame_compose(&shape.frame, outer, &shape.frame);
    return dt_robot_add_shape(m->robot, &shape, &geom->where);
}
