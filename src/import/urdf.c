/*
 * URDF: links, each with a frame; joints, each from a parent link to a child link, whose frame is that of the joint. Where the joint's position is
 * zero the child stands at its `origin` in the parent, and its axis is in the child's frame.
 */

#include "import/urdf.h"

#include "math/rotation.h"
#include "math/vec3.h"

typedef struct urdf_link {
    const dt_xml *element;
    const char *name;
    const dt_xml *joint;   /* whose child it is */
    int first_child, next; /* among the children of a link, in the order of the file */
    int last_child;
    int body; /* -1: not yet */
} urdf_link;

typedef struct urdf {
    const dt_xml *root;
    dt_robot *robot;
    dt_robot_base base;
    urdf_link *links;
    int link_count;
    dt_name_map names;
    int *queue; /* links, parents before children */
    detent_error *error;
} urdf;

static detent_status fail(const urdf *u, const dt_xml *at, const char *text)
{
    return dt_fail(u->error, DETENT_ERROR_MODEL, &at->where, "<%s>: %s", at->name, text);
}

static detent_status no_memory(const urdf *u)
{
    return dt_fail(u->error, DETENT_ERROR_MEMORY, NULL, "out of memory");
}

/* ---- values ---- */

/* The frame of an `origin` below an element; none: it stands where that does. */
static detent_status read_origin(const urdf *u, const dt_xml *element, dt_frame *frame)
{
    const dt_xml *origin = dt_xml_child(element, "origin");
    double rpy[3] = {0}, q[4];
    *frame = dt_frame_none;
    detent_status status = DETENT_OK;
    if (origin) {
        status = dt_xml_vector(origin, "xyz", 3, frame->p, u->error);
        if (!status) {
            status = dt_xml_vector(origin, "rpy", 3, rpy, u->error);
        }
        if (rpy[0] != 0 || rpy[1] != 0 || rpy[2] != 0) {
            dt_quaternion_from_rpy(q, rpy);
            dt_rotation_from_quaternion(frame->R, q);
        }
    }
    return status;
}

/* One number of an element that may be missing (NULL), or its attribute. */
static detent_status read_number(const urdf *u, const dt_xml *element, const char *attribute,
                                 double *value)
{
    return element ? dt_xml_vector(element, attribute, 1, value, u->error) : DETENT_OK;
}

static detent_status read_inertial(const urdf *u, const dt_xml *link, dt_mass *weight)
{
    static const char *const entries[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    const dt_xml *inertial = dt_xml_child(link, "inertial");
    dt_frame frame;
    dt_mass own = {0};
    detent_status status = DETENT_OK;
    if (!inertial) {
        return DETENT_OK;
    }
    status = read_origin(u, inertial, &frame);
    status = status ? status : read_number(u, dt_xml_child(inertial, "mass"), "value", &own.mass);
    for (int k = 0; k < 6 && !status; k++) {
        status = read_number(u, dt_xml_child(inertial, "inertia"), entries[k], &own.inertia[k]);
    }
    if (!status && own.mass < 0) {
        return fail(u, inertial, "the mass is negative");
    }
    if (!status &&
        own.mass == 0) { /* a link without mass has no inertia either: some write 0 and some 1 */
        bool any = false;
        for (int k = 0; k < 6; k++) {
            any = any || own.inertia[k] != 0;
        }
        return any && !dt_robot_note_at(u->robot, &inertial->where,
                                        "link '%s' has an inertia and no mass: it gets none",
                                        dt_xml_attribute(link, "name"))
                   ? no_memory(u)
                   : DETENT_OK;
    }
    if (!status) {
        dt_mass_add(weight, &own, frame.R, frame.p);
        if (!dt_xml_child(inertial, "inertia") &&
            !dt_robot_note_at(u->robot, &inertial->where,
                              "link '%s' has a mass and no <inertia>: it is a point",
                              dt_xml_attribute(link, "name"))) {
            return no_memory(u);
        }
    }
    return status;
}

/* ---- the tree ---- */

static detent_status find_links(urdf *u)
{
    int room = 0;
    for (const dt_xml *l = dt_xml_child(u->root, "link"); l; l = dt_xml_again(l)) {
        room++;
    }
    if (room == 0) {
        return fail(u, u->root, "a robot has at least one <link>");
    }
    u->links = dt_arena_alloc(u->robot->arena, (size_t)room, sizeof *u->links);
    u->queue = dt_arena_alloc(u->robot->arena, (size_t)room, sizeof *u->queue);
    if (!u->links || !u->queue) {
        return no_memory(u);
    }
    for (const dt_xml *l = dt_xml_child(u->root, "link"); l; l = dt_xml_again(l)) {
        const char *name = dt_xml_attribute(l, "name");
        if (!name) {
            return fail(u, l, "a link has a name");
        }
        const int twin = dt_name_map_get(&u->names, name);
        if (twin >= 0) {
            return dt_fail(u->error, DETENT_ERROR_MODEL, &l->where,
                           "link '%s' is there already, in line %d", name,
                           u->links[twin].element->where.line);
        }
        if (dt_name_map_put(&u->names, name, u->link_count)) {
            return no_memory(u);
        }
        u->links[u->link_count++] = (urdf_link){.element = l,
                                                .name = name,
                                                .first_child = -1,
                                                .last_child = -1,
                                                .next = -1,
                                                .body = -1};
    }
    return DETENT_OK;
}

/* The link that a child of a joint names. */
static detent_status find_end(const urdf *u, const dt_xml *joint, const char *end, int *link)
{
    const dt_xml *element = dt_xml_child(joint, end);
    const char *name = element ? dt_xml_attribute(element, "link") : NULL;
    if (!name) {
        return dt_fail(u->error, DETENT_ERROR_MODEL, &joint->where,
                       "a joint has a <%s link=\"...\"/>", end);
    }
    *link = dt_name_map_get(&u->names, name);
    return *link >= 0 ? DETENT_OK
                      : dt_fail(u->error, DETENT_ERROR_MODEL, &element->where,
                                "there is no link '%s'", name);
}

static detent_status hang_links(urdf *u)
{
    for (const dt_xml *j = dt_xml_child(u->root, "joint"); j; j = dt_xml_again(j)) {
        int parent, child;
        detent_status status = find_end(u, j, "parent", &parent);
        status = status ? status : find_end(u, j, "child", &child);
        if (status) {
            return status;
        }
        urdf_link *of = &u->links[child], *on = &u->links[parent];
        if (of->joint) {
            return dt_fail(u->error, DETENT_ERROR_MODEL, &j->where,
                           "link '%s' is the child of two joints, the other one in line %d: a "
                           "robot of this format is a tree",
                           of->name, of->joint->where.line);
        }
        of->joint = j;
        if (on->last_child >= 0) {
            u->links[on->last_child].next = child;
        } else {
            on->first_child = child;
        }
        on->last_child = child;
    }
    return DETENT_OK;
}

/* ---- joints ---- */

static detent_status read_axis(const urdf *u, const dt_xml *element, double axis[3])
{
    const dt_xml *at = dt_xml_child(element, "axis");
    axis[0] = 1; /* where nothing is said */
    axis[1] = axis[2] = 0;
    const detent_status status = at ? dt_xml_vector(at, "xyz", 3, axis, u->error) : DETENT_OK;
    if (!status && axis[0] == 0 && axis[1] == 0 && axis[2] == 0) {
        return fail(u, at, "the axis is zero");
    }
    return status;
}

/* What it says beside its place: limits, friction, and what it says that is not taken. */
static detent_status read_properties(const urdf *u, const dt_xml *element, dt_robot_joint *joint,
                                     bool is_limited)
{
    const dt_xml *limit = dt_xml_child(element, "limit"),
                 *dynamics = dt_xml_child(element, "dynamics");
    detent_status status = read_number(u, limit, "lower", &joint->lower);
    status = status ? status : read_number(u, limit, "upper", &joint->upper);
    status = status ? status : read_number(u, dynamics, "damping", &joint->damping);
    status = status ? status : read_number(u, dynamics, "friction", &joint->friction);
    if (status) {
        return status;
    }
    if (joint->damping < 0 || joint->friction < 0) {
        return fail(u, dynamics, "damping and friction are not negative");
    }
    if (is_limited && limit && joint->lower > joint->upper) {
        return fail(u, limit, "the lower limit is above the upper one");
    }
    joint->is_limited = is_limited && limit && joint->lower < joint->upper;
    if (is_limited && !joint->is_limited &&
        !dt_robot_note_at(u->robot, &element->where,
                          "joint '%s' has no limits, or both are the same: it has no stops",
                          joint->name)) {
        return no_memory(u);
    }
    return DETENT_OK;
}

/* A joint in a plane: two slides across its axis, then a turn about it. */
static detent_status add_planar(const urdf *u, const dt_xml *element, const char *name)
{
    double axis[3];
    const detent_status status = read_axis(u, element, axis);
    if (status) {
        return status;
    }
    const int least = fabs(axis[0]) <= fabs(axis[1]) ? (fabs(axis[0]) <= fabs(axis[2]) ? 0 : 2)
                                                     : (fabs(axis[1]) <= fabs(axis[2]) ? 1 : 2);
    double across[3][3] = {{0}}, unit[3] = {0};
    unit[least] = 1;
    dt_cross3(across[0], axis, unit);
    dt_cross3(across[1], axis, across[0]);
    memcpy(across[2], axis, sizeof across[2]);
    for (int k = 0; k < 3; k++) {
        static const char *const suffix[3] = {"x", "y", "turn"};
        const char *own = dt_arena_printf(u->robot->arena, "%s_%s", name, suffix[k]);
        const int joint =
            own ? dt_robot_add_joint(u->robot, own, k < 2 ? DT_ROBOT_SLIDE : DT_ROBOT_HINGE,
                                     &element->where, u->error)
                : -1;
        if (joint < 0) {
            return own ? u->error->status : no_memory(u);
        }
        memcpy(u->robot->joints[joint].axis, across[k], sizeof across[k]);
    }
    const bool loses = dt_xml_child(element, "limit") || dt_xml_child(element, "dynamics") ||
                       dt_xml_child(element, "mimic");
    return loses && !dt_robot_note_at(u->robot, &element->where,
                                      "joint '%s' is planar: <limit>, <dynamics> and <mimic> of "
                                      "it are left out",
                                      name)
               ? no_memory(u)
               : DETENT_OK;
}

static detent_status add_joint(const urdf *u, const dt_xml *element, const char *name,
                               dt_robot_joint_kind kind, bool has_limits)
{
    const int index = dt_robot_add_joint(u->robot, name, kind, &element->where, u->error);
    if (index < 0) {
        return u->error->status;
    }
    dt_robot_joint *joint = &u->robot->joints[index];
    const detent_status status =
        kind <= DT_ROBOT_SLIDE ? read_axis(u, element, joint->axis) : DETENT_OK;
    return status ? status : read_properties(u, element, joint, has_limits);
}

static detent_status read_joint(const urdf *u, const dt_xml *element)
{
    static const struct {
        const char *type;
        dt_robot_joint_kind kind;
        bool has_limits;
    } types[] = {{"revolute", DT_ROBOT_HINGE, true},
                 {"continuous", DT_ROBOT_HINGE, false},
                 {"prismatic", DT_ROBOT_SLIDE, true},
                 {"floating", DT_ROBOT_FREE, false},
                 {"spherical", DT_ROBOT_BALL, false}};
    const char *type = dt_xml_attribute(element, "type"), *name = dt_xml_attribute(element, "name");
    if (!type || !name) {
        return fail(u, element, "a joint has a name and a type");
    }
    if (strcmp(type, "fixed") == 0) {
        return DETENT_OK;
    }
    if (strcmp(type, "planar") == 0) {
        return add_planar(u, element, name);
    }
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        if (strcmp(type, types[k].type) == 0) {
            return add_joint(u, element, name, types[k].kind, types[k].has_limits);
        }
    }
    return dt_fail(u->error, DETENT_ERROR_MODEL, &element->where,
                   "joint '%s' has the type '%s': one of revolute, continuous, prismatic, fixed, "
                   "floating, planar was expected",
                   name, type);
}

static detent_status add_body(urdf *u, int index, int parent)
{
    urdf_link *link = &u->links[index];
    link->body = dt_robot_add_body(u->robot, link->name, parent, &link->element->where, u->error);
    if (link->body < 0) {
        return u->error->status;
    }
    dt_robot_body *body = &u->robot->bodies[link->body];
    detent_status status = read_inertial(u, link->element, &body->own);
    if (link->joint) {
        const char *type = dt_xml_attribute(link->joint, "type");
        const bool is_base =
            u->base == DT_ROBOT_BASE_FIXED && parent == 0 && type && strcmp(type, "floating") == 0;
        status = status ? status : read_origin(u, link->joint, &body->frame);
        status = status || is_base ? status : read_joint(u, link->joint);
    }
    return status;
}

/* From the root on, a link and then its children; who is not reached goes round in a circle. */
static detent_status build(urdf *u)
{
    int root = -1, count = 0;
    for (int k = 0; k < u->link_count; k++) {
        if (!u->links[k].joint) {
            if (root >= 0) {
                return dt_fail(
                    u->error, DETENT_ERROR_MODEL, &u->links[k].element->where,
                    "link '%s' is no child of a joint, and neither is '%s': a robot has one root",
                    u->links[k].name, u->links[root].name);
            }
            root = k;
        }
    }
    if (root < 0) {
        return fail(u, u->root, "each link is the child of a joint: they go round in a circle");
    }
    detent_status status = add_body(u, root, -1);
    if (!status && u->base == DT_ROBOT_BASE_FLOATING) {
        const int joint = dt_robot_add_joint(u->robot, NULL, DT_ROBOT_FREE,
                                             &u->links[root].element->where, u->error);
        if (joint < 0) {
            return u->error->status;
        }
        u->robot->joints[joint].name = "base";
    }
    u->queue[count++] = root;
    for (int k = 0; k < count && !status; k++) {
        const urdf_link *link = &u->links[u->queue[k]];
        for (int c = link->first_child; c >= 0 && !status; c = u->links[c].next) {
            status = add_body(u, c, link->body);
            u->queue[count++] = c;
        }
    }
    for (int k = 0; k < u->link_count && !status; k++) {
        if (u->links[k].body < 0) {
            return dt_fail(u->error, DETENT_ERROR_MODEL, &u->links[k].element->where,
                           "link '%s' hangs in a circle of joints", u->links[k].name);
        }
    }
    return status;
}

/* ---- what joints do together ---- */

static detent_status read_mimic(const urdf *u, const dt_xml *element)
{
    const dt_xml *mimic = dt_xml_child(element, "mimic");
    const char *name = dt_xml_attribute(element, "name");
    const int own = name && mimic ? dt_name_map_get(&u->robot->joint_names, name) : -1;
    if (own < 0) { /* a fixed joint */
        return DETENT_OK;
    }
    const char *of = dt_xml_attribute(mimic, "joint");
    const int other = of ? dt_name_map_get(&u->robot->joint_names, of) : -1;
    if (other < 0) {
        return dt_fail(u->error, DETENT_ERROR_MODEL, &mimic->where,
                       "joint '%s' mimics '%s', which is no joint that moves", name, of ? of : "");
    }
    dt_robot_joint *joint = &u->robot->joints[own];
    if (joint->kind > DT_ROBOT_SLIDE || u->robot->joints[other].kind > DT_ROBOT_SLIDE) {
        return fail(u, mimic, "only joints that turn or slide mimic each other");
    }
    joint->multiplier = 1;
    detent_status status = read_number(u, mimic, "multiplier", &joint->multiplier);
    status = status ? status : read_number(u, mimic, "offset", &joint->offset);
    if (!status && joint->multiplier == 0) {
        return fail(u, mimic, "the multiplier is zero: a joint that stands still is of type fixed");
    }
    joint->follows = other;
    joint->follows_where = mimic->where;
    return status;
}

/* A transmission has its joints driven by inputs. */
static detent_status read_transmission(const urdf *u, const dt_xml *element)
{
    for (const dt_xml *j = dt_xml_child(element, "joint"); j; j = dt_xml_again(j)) {
        const char *name = dt_xml_attribute(j, "name");
        const int joint = name ? dt_name_map_get(&u->robot->joint_names, name) : -1;
        if (joint < 0) {
            if (!dt_robot_note_at(u->robot, &j->where,
                                  "a transmission names '%s', which is no joint that moves",
                                  name ? name : "")) {
                return no_memory(u);
            }
            continue;
        }
        const char *input = dt_arena_printf(u->robot->arena, "%s_effort", name);
        if (u->robot->joints[joint].actuator < 0 &&
            u->robot->joints[joint].kind <= DT_ROBOT_SLIDE &&
            (!input || !dt_robot_add_actuator(u->robot, input, joint, &j->where))) {
            return no_memory(u);
        }
    }
    return DETENT_OK;
}

static detent_status read_rest(const urdf *u)
{
    detent_status status = DETENT_OK;
    for (const dt_xml *j = dt_xml_child(u->root, "joint"); j && !status; j = dt_xml_again(j)) {
        status = read_mimic(u, j);
    }
    for (const dt_xml *t = dt_xml_child(u->root, "transmission"); t && !status;
         t = dt_xml_again(t)) {
        status = read_transmission(u, t);
    }
    return status;
}

/* ---- the whole ---- */

static bool note_dropped(const urdf *u)
{
    static const dt_known_element known[] = {{"robot", "name version", false},
                                             {"link", "name", false},
                                             {"inertial", "", false},
                                             {"origin", "xyz rpy", false},
                                             {"mass", "value", false},
                                             {"inertia", "ixx iyy izz ixy ixz iyz", false},
                                             {"joint", "name type", false},
                                             {"parent", "link", false},
                                             {"child", "link", false},
                                             {"axis", "xyz", false},
                                             {"limit", "lower upper", false},
                                             {"dynamics", "damping friction", false},
                                             {"mimic", "joint multiplier offset", false},
                                             {"transmission", NULL, false},
                                             {"visual", "name", false},
                                             {"geometry", "", false},
                                             {"box", "size", false},
                                             {"sphere", "radius", false},
                                             {"cylinder", "radius length", false},
                                             {"capsule", "radius length", false},
                                             {"mesh", "filename", false},
                                             {"material", "name", false},
                                             {"color", "rgba", false},
                                             {"collision", "name", false},
                                             {NULL, NULL, false}};
    return dt_robot_note_dropped(u->robot, u->root, known);
}

detent_status dt_read_urdf(const dt_xml *root, dt_robot_base base, dt_robot *robot,
                           detent_error *error)
{
    detent_error unwanted;
    urdf u = {.root = root, .robot = robot, .base = base, .error = error ? error : &unwanted};
    const char *name = dt_xml_attribute(root, "name");
    robot->name = name ? name : robot->name;
    dt_name_map_init(&u.names, robot->arena);
    detent_status status = find_links(&u);
    status = status ? status : hang_links(&u);
    status = status ? status : build(&u);
    status = status ? status : read_rest(&u);
    return status || (dt_urdf_shapes(root, robot) && note_dropped(&u)) ? status : no_memory(&u);
}
