/*
 * MJCF: bodies within bodies, each with the joints that move it against the one around it. A body stands at its frame in the reference configuration;
 * its joints move it one after the other, so that the axis of each is moved by those before.
 */

#include "import/mjcf.h"

#include "math/vec3.h"

/* ---- how the file is meant ---- */

static bool is_word(const dt_xml *element, const char *attribute, const char *word)
{
    const char *value = dt_xml_attribute(element, attribute);
    return value && strcmp(value, word) == 0;
}

static detent_status read_euler(dt_mjcf *m, const dt_xml *compiler)
{
    const char *order = dt_xml_attribute(compiler, "eulerseq");
    bool good = !order || strlen(order) == 3;
    for (int k = 0; k < 3 && order && good; k++) {
        good = strchr("xyzXYZ", order[k]) != NULL;
        m->euler[k] = order[k];
    }
    return good ? DETENT_OK : dt_mjcf_fail(m, compiler, "eulerseq has three of x, y, z, X, Y, Z");
}

static detent_status read_compiler(dt_mjcf *m, const dt_xml *c)
{
    const char *from_geoms = dt_xml_attribute(c, "inertiafromgeom");
    if (is_word(c, "coordinate", "global")) {
        return dt_mjcf_fail(m, c,
                            "global coordinates are of old files; save it anew with local ones");
    }
    if (dt_xml_attribute(c, "angle")) {
        const bool is_degree = is_word(c, "angle", "degree");
        if (!is_degree && !is_word(c, "angle", "radian")) {
            return dt_mjcf_fail(m, c, "its angle is one of radian, degree");
        }
        m->angle = is_degree ? 0.017453292519943295 : 1;
    }
    m->limits_by_range =
        dt_xml_attribute(c, "autolimits") ? is_word(c, "autolimits", "true") : m->limits_by_range;
    m->geoms_always = from_geoms ? strcmp(from_geoms, "true") == 0 : m->geoms_always;
    m->geoms_never = from_geoms ? strcmp(from_geoms, "false") == 0 : m->geoms_never;
    m->robot->balances = m->robot->balances || is_word(c, "balanceinertia", "true");
    detent_status status = read_euler(m, c);
    status = status ? status : dt_xml_vector(c, "inertiagrouprange", 2, m->groups, m->error);
    status = status ? status : dt_xml_vector(c, "boundmass", 1, &m->least_mass, m->error);
    status = status ? status : dt_xml_vector(c, "boundinertia", 1, &m->least_inertia, m->error);
    return status ? status : dt_xml_vector(c, "settotalmass", 1, &m->total_mass, m->error);
}

/* ---- bodies ---- */

/* Where the contents of a body stand: in its frame, or in one or several <frame>s in it. */
typedef struct mjcf_place {
    int body; /* -1: the world */
    dt_frame frame;
    const char *childclass;
} mjcf_place;

static detent_status enter(const dt_mjcf *m, const dt_xml *element, const mjcf_place *outer,
                           mjcf_place *inner)
{
    const char *childclass = dt_xml_attribute(element, "childclass");
    *inner = *outer;
    inner->childclass = childclass ? childclass : outer->childclass;
    const detent_status status = dt_mjcf_frame(m, element, NULL, &inner->frame);
    dt_frame_compose(&inner->frame, &outer->frame, &inner->frame);
    return status;
}

static detent_status read_inertial(const dt_mjcf *m, const dt_xml *element, const dt_frame *outer,
                                   dt_mass *weight)
{
    dt_mass own = {0};
    dt_frame frame;
    detent_status status = dt_mjcf_frame(m, element, NULL, &frame);
    status = status ? status : dt_xml_vector(element, "mass", 1, &own.mass, m->error);
    status = status ? status : dt_xml_vector(element, "diaginertia", 3, own.inertia, m->error);
    status = status ? status : dt_xml_vector(element, "fullinertia", 6, own.inertia, m->error);
    if (!status && own.mass < 0) {
        return dt_mjcf_fail(m, element, "the mass is negative");
    }
    if (!status && !dt_xml_attribute(element, "diaginertia") &&
        !dt_xml_attribute(element, "fullinertia")) {
        return dt_mjcf_fail(m, element, "a diaginertia or fullinertia was expected");
    }
    if (!status && own.mass > 0) {
        dt_frame_compose(&frame, outer, &frame);
        dt_mass_add(weight, &own, frame.R, frame.p);
    }
    return status;
}

/* What a body has itself: its joints, and what it weighs, by <inertial> and by its geoms. */
static detent_status read_contents(dt_mjcf *m, const dt_xml *element, const mjcf_place *place,
                                   dt_mass *told, dt_mass *of_geoms, bool *is_told)
{
    detent_status status = DETENT_OK;
    for (const dt_xml *e = element->first; e && !status; e = e->next) {
        if (strcmp(e->name, "joint") == 0 || strcmp(e->name, "freejoint") == 0) {
            status = dt_mjcf_joint(m, e, place->childclass, &place->frame);
        } else if (strcmp(e->name, "inertial") == 0) {
            status = read_inertial(m, e, &place->frame, told);
            *is_told = true;
        } else if (strcmp(e->name, "geom") == 0) {
            status = m->geoms_never
                         ? DETENT_OK
                         : dt_mjcf_geom(m, e, place->childclass, &place->frame, of_geoms);
            if (!status && !dt_mjcf_shape(m, e, place->childclass, &place->frame, place->body)) {
                status = dt_mjcf_no_memory(m);
            }
        } else if (strcmp(e->name, "frame") == 0) {
            mjcf_place inner;
            status = enter(m, e, place, &inner);
            status = status ? status : read_contents(m, e, &inner, told, of_geoms, is_told);
        }
    }
    return status;
}

static detent_status add_body(dt_mjcf *m, const dt_xml *element, const mjcf_place *outer);

static detent_status add_bodies(dt_mjcf *m, const dt_xml *element, const mjcf_place *place)
{
    detent_status status = DETENT_OK;
    for (const dt_xml *e = element->first; e && !status; e = e->next) {
        if (strcmp(e->name, "body") == 0) {
            status = add_body(m, e, place);
        } else if (strcmp(e->name, "frame") == 0) {
            mjcf_place inner;
            status = enter(m, e, place, &inner);
            status = status ? status : add_bodies(m, e, &inner);
        }
    }
    return status;
}

/* Whether it has joints of its own, in a <frame> or not. */
static bool has_joints(const dt_xml *element)
{
    for (const dt_xml *e = element->first; e; e = e->next) {
        if (strcmp(e->name, "joint") == 0 || strcmp(e->name, "freejoint") == 0 ||
            (strcmp(e->name, "frame") == 0 && has_joints(e))) {
            return true;
        }
    }
    return false;
}

static detent_status add_body(dt_mjcf *m, const dt_xml *element, const mjcf_place *outer)
{
    mjcf_place in_parent, own = {.frame = dt_frame_none};
    dt_mass told = {0}, of_geoms = {0};
    bool is_told = false;
    detent_status status = enter(m, element, outer, &in_parent);
    if (status) {
        return status;
    }
    own.body = dt_robot_add_body(m->robot, dt_xml_attribute(element, "name"), outer->body,
                                 &element->where, m->error);
    if (own.body < 0) {
        return m->error->status;
    }
    own.childclass = in_parent.childclass;
    m->robot->bodies[own.body].frame = in_parent.frame;
    if (outer->body < 0 && m->base == DT_ROBOT_BASE_FLOATING && !has_joints(element)) {
        const int base =
            dt_robot_add_joint(m->robot, NULL, DT_ROBOT_FREE, &element->where, m->error);
        if (base < 0) {
            return m->error->status;
        }
        m->robot->joints[base].name = "base";
    }
    status = read_contents(m, element, &own, &told, &of_geoms, &is_told);
    if (!status) {
        dt_mass *weight = &m->robot->bodies[own.body].own;
        *weight = is_told && !m->geoms_always ? told : of_geoms;
        dt_robot_weight_bound(weight, m->least_mass, m->least_inertia);
        status = add_bodies(m, element, &own);
    }
    return status;
}

/* ---- the whole ---- */

static void set_total_mass(dt_mjcf *m)
{
    double all = 0;
    for (int k = 0; k < m->robot->body_count; k++) {
        all += m->robot->bodies[k].own.mass;
    }
    for (int k = 0; k < m->robot->body_count && m->total_mass > 0 && all > 0; k++) {
        dt_mass *w = &m->robot->bodies[k].own;
        w->mass *= m->total_mass / all;
        for (int c = 0; c < 6; c++) {
            w->inertia[c] *= m->total_mass / all;
        }
    }
}

#define PLACE "pos quat axisangle xyaxes zaxis euler "
#define SOFT  "solref solimp user group name class "
#define DRIVE SOFT "joint gear forcerange forcelimited ctrlrange ctrllimited "

static bool note_dropped(const dt_mjcf *m)
{
    static const dt_known_element all[] = {
        {"keyframe", "", false}, /* these two where one is asked for */
        {"key", "name qpos", false},
        {"mujoco", "model", false},
        {"compiler",
         "angle eulerseq autolimits coordinate inertiafromgeom balanceinertia boundmass "
         "boundinertia "
         "settotalmass inertiagrouprange meshdir texturedir assetdir strippath discardvisual "
         "convexhull fusestatic usethread exactmeshinertia alignfree saveinertial fitaabb",
         false},
        {"option", "gravity timestep integrator solver iterations tolerance", false},
        {"flag", "gravity", false},
        {"size", NULL, false},
        {"visual", NULL, false},
        {"asset", "", false},
        {"material", "name class rgba", false},
        {"mesh", "name class file content_type maxhullvert inertia", false},
        {"statistic", NULL, false},
        {"default", "class", true},
        {"worldbody", "childclass", false},
        {"body", PLACE "name childclass user", false},
        {"frame", PLACE "name childclass", false},
        {"inertial", PLACE "mass diaginertia fullinertia", false},
        {"freejoint", "name group align", false},
        {"joint",
         PLACE SOFT "type axis ref range limited margin damping frictionloss armature stiffness "
                    "springref solreflimit solimplimit solreffriction solimpfriction joint1 joint2 "
                    "polycoef active",
         false},
        {"geom",
         PLACE SOFT "type size fromto mass density mesh hfield material rgba contype conaffinity "
                    "condim friction margin gap solmix priority fitscale",
         false},
        {"actuator", "", true},
        {"motor", DRIVE, false},
        {"position", DRIVE "kp kv", false},
        {"velocity", DRIVE "kv", false},
        {"general", DRIVE "gainprm biasprm gaintype biastype dyntype", false},
        {"tendon", "", true},
        {"equality", "", true},
        {"connect", SOFT "body1 body2 anchor active", false},
        {"weld", SOFT "body1 body2 relpose active torquescale", false},
        {NULL, NULL, false}};
    return dt_robot_note_dropped(m->robot, m->root, m->keyframe ? all : all + 2) &&
           (m->geoms == 0 ||
            dt_robot_note_at(m->robot, NULL,
                             "bodies do not touch: %d geoms are there to be looked at, if at all",
                             m->geoms)) &&
           (m->unseen == 0 ||
            dt_robot_note_at(m->robot, NULL,
                             "%d of the geoms are left out: planes, height fields and what is "
                             "transparent",
                             m->unseen)) &&
           (m->meshes == 0 ||
            dt_robot_note_at(m->robot, NULL,
                             "%d of the geoms are meshes or the like, which are not read: they "
                             "weigh nothing where a body has no <inertial>",
                             m->meshes));
}

/* Geoms of the world are what the ground looks like. */
static detent_status read_scene(dt_mjcf *m, const dt_xml *element, const mjcf_place *place)
{
    detent_status status = DETENT_OK;
    for (const dt_xml *e = element->first; e && !status; e = e->next) {
        if (strcmp(e->name, "geom") == 0 &&
            !dt_mjcf_shape(m, e, place->childclass, &place->frame, -1)) {
            status = dt_mjcf_no_memory(m);
        } else if (strcmp(e->name, "frame") == 0) {
            mjcf_place inner;
            status = enter(m, e, place, &inner);
            status = status ? status : read_scene(m, e, &inner);
        }
    }
    return status;
}

static detent_status read_world(dt_mjcf *m)
{
    mjcf_place world = {.body = -1, .frame = dt_frame_none};
    detent_status status = DETENT_OK;
    bool any = false;
    for (const dt_xml *w = dt_xml_child(m->root, "worldbody"); w && !status; w = dt_xml_again(w)) {
        world.childclass = dt_xml_attribute(w, "childclass");
        status = read_scene(m, w, &world);
        status = status ? status : add_bodies(m, w, &world);
        any = true;
    }
    return status || any ? status : dt_mjcf_fail(m, m->root, "it has no <worldbody>");
}

detent_status dt_read_mjcf(const dt_xml *root, dt_robot_base base, const char *keyframe,
                           dt_robot *robot, detent_error *error)
{
    detent_error unwanted;
    dt_mjcf m = {.root = root,
                 .robot = robot,
                 .base = base,
                 .keyframe = keyframe,
                 .error = error ? error : &unwanted,
                 .angle = 0.017453292519943295,
                 .euler = "xyz",
                 .groups = {0, 5},
                 .limits_by_range = true};
    double gravity[3] = {0, 0, -9.81};
    bool is_weightless = false;
    const char *name = dt_xml_attribute(root, "model");
    detent_status status = DETENT_OK;
    robot->name = name ? name : robot->name;
    memset(robot->gravity, 0, sizeof robot->gravity);
    dt_name_map_init(&m.classes, robot->arena);
    for (const dt_xml *e = root->first; e && !status; e = e->next) {
        if (strcmp(e->name, "compiler") == 0) {
            status = read_compiler(&m, e);
        } else if (strcmp(e->name, "option") == 0) {
            status = dt_xml_vector(e, "gravity", 3, gravity, m.error);
            for (const dt_xml *f = dt_xml_child(e, "flag"); f; f = dt_xml_again(f)) {
                is_weightless = is_weightless || is_word(f, "gravity", "disable");
            }
        }
    }
    if (!is_weightless) {
        memcpy(robot->gravity, gravity, sizeof gravity);
    }
    status = status ? status : dt_mjcf_read_defaults(&m);
    status = status || dt_mjcf_read_assets(&m) ? status : dt_mjcf_no_memory(&m);
    status = status ? status : read_world(&m);
    if (!status) {
        set_total_mass(&m);
        status = dt_mjcf_actuators(&m);
        status = status ? status : dt_mjcf_couplings(&m);
        status = status ? status : dt_mjcf_keyframe(&m);
    }
    return status || note_dropped(&m) ? status : dt_mjcf_no_memory(&m);
}
