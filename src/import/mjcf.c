/*
 * MJCF: bodies within bodies, each with the joints that move it against the one around it. A body stands at its frame in the reference configuration;
 * its joints move it one after the other, so that the axis of each is moved by those before.
 */

#include "import/mjcf.h"

#include "math/vec3.h"

detent_status dt_mjcf_fail(const dt_mjcf *m, const dt_xml *at, const char *text)
{
    const char *name = dt_xml_attribute(at, "name");
    return dt_fail(m->error, DETENT_ERROR_MODEL, &at->where, "<%s>%s%s%s: %s", at->name,
                   name ? " '" : "", name ? name : "", name ? "'" : "", text);
}

detent_status dt_mjcf_no_memory(const dt_mjcf *m)
{
    return dt_fail(m->error, DETENT_ERROR_MEMORY, NULL, "out of memory");
}

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
    m->angle = is_word(c, "angle", "radian")   ? 1
               : is_word(c, "angle", "degree") ? 0.017453292519943295
                                               : m->angle;
    m->limits_by_range =
        dt_xml_attribute(c, "autolimits") ? is_word(c, "autolimits", "true") : m->limits_by_range;
    m->geoms_always = from_geoms ? strcmp(from_geoms, "true") == 0 : m->geoms_always;
    m->geoms_never = from_geoms ? strcmp(from_geoms, "false") == 0 : m->geoms_never;
    m->robot->balances = m->robot->balances || is_word(c, "balanceinertia", "true");
    detent_status status = read_euler(m, c);
    status = status ? status : dt_xml_vector(c, "boundmass", 1, &m->least_mass, m->error);
    status = status ? status : dt_xml_vector(c, "boundinertia", 1, &m->least_inertia, m->error);
    return status ? status : dt_xml_vector(c, "settotalmass", 1, &m->total_mass, m->error);
}

/* ---- joints ---- */

/* A joint's place and axis are given in a frame of its body. */
static void stand(dt_robot_joint *joint, const dt_frame *outer)
{
    double point[3], axis[3];
    dt_rotate(point, outer->R, joint->point);
    dt_rotate(axis, outer->R, joint->axis);
    for (int k = 0; k < 3; k++) {
        joint->point[k] = point[k] + outer->p[k];
        joint->axis[k] = axis[k];
    }
}

static detent_status read_range(const dt_mjcf *m, const dt_xml *element, const char *childclass,
                                double unit, dt_robot_joint *joint)
{
    double range[2] = {0};
    const char *limited;
    bool has_range;
    detent_status status = dt_mjcf_vector(m, element, childclass, "range", 2, range, &has_range);
    status = status ? status : dt_mjcf_word(m, element, childclass, "limited", &limited);
    if (status) {
        return status;
    }
    const bool is_auto = !limited || strcmp(limited, "auto") == 0;
    joint->is_limited = is_auto ? has_range && m->limits_by_range : strcmp(limited, "true") == 0;
    if (joint->is_limited && !(range[0] < range[1])) {
        return dt_mjcf_fail(m, element, "its range is empty");
    }
    joint->lower = range[0] * unit;
    joint->upper = range[1] * unit;
    return DETENT_OK;
}

static detent_status read_properties(const dt_mjcf *m, const dt_xml *element,
                                     const char *childclass, dt_robot_joint *joint)
{
    const double unit = joint->kind == DT_ROBOT_HINGE ? m->angle : 1;
    const struct {
        const char *attribute;
        int count;
        double *value;
    } numbers[] = {{"pos", 3, joint->point},          {"axis", 3, joint->axis},
                   {"damping", 1, &joint->damping},   {"frictionloss", 1, &joint->friction},
                   {"armature", 1, &joint->armature}, {"stiffness", 1, &joint->stiffness},
                   {"springref", 1, &joint->rest},    {"ref", 1, &joint->reference}};
    detent_status status = DETENT_OK;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers && !status; k++) {
        status = dt_mjcf_vector(m, element, childclass, numbers[k].attribute, numbers[k].count,
                                numbers[k].value, NULL);
    }
    joint->rest *= unit;
    joint->reference *= unit;
    if (!status && (joint->damping < 0 || joint->friction < 0 || joint->armature < 0)) {
        return dt_mjcf_fail(m, element, "damping, frictionloss and armature are not negative");
    }
    if (!status && dt_norm3(joint->axis) == 0) {
        return dt_mjcf_fail(m, element, "the axis is zero");
    }
    return status ? status : read_range(m, element, childclass, unit, joint);
}

/* What a ball or free joint may not have here. */
static bool simplify(const dt_mjcf *m, dt_robot_joint *joint)
{
    const bool is_ball = joint->kind == DT_ROBOT_BALL;
    const bool loses = joint->is_limited || joint->friction > 0 || joint->armature > 0 ||
                       joint->stiffness != 0 || (!is_ball && joint->damping > 0);
    joint->is_limited = false;
    joint->friction = joint->armature = joint->stiffness = joint->reference = 0;
    return !loses || dt_robot_note_at(m->robot, &joint->where,
                                      "joint '%s' is of three or six freedoms: of range, "
                                      "frictionloss, armature, stiffness%s it keeps none",
                                      joint->name, is_ball ? "" : " and damping");
}

static const char *own_name(const dt_mjcf *m, const dt_xml *element, const char *what, int number)
{
    const char *name = dt_xml_attribute(element, "name");
    return name ? name : dt_arena_printf(m->robot->arena, "%s %d", what, number);
}

static detent_status add_joint(dt_mjcf *m, const dt_xml *element, const char *childclass,
                               const dt_frame *outer)
{
    static const struct {
        const char *type;
        dt_robot_joint_kind kind;
    } types[] = {{"hinge", DT_ROBOT_HINGE},
                 {"slide", DT_ROBOT_SLIDE},
                 {"ball", DT_ROBOT_BALL},
                 {"free", DT_ROBOT_FREE}};
    const bool is_free = strcmp(element->name, "freejoint") == 0;
    const char *type = is_free ? "free" : NULL;
    detent_status status =
        is_free ? DETENT_OK : dt_mjcf_word(m, element, childclass, "type", &type);
    type = type ? type : "hinge";
    size_t k = 0;
    while (k < sizeof types / sizeof *types && strcmp(types[k].type, type) != 0) {
        k++;
    }
    if (status || k == sizeof types / sizeof *types) {
        return status ? status
                      : dt_mjcf_fail(m, element, "its type is one of hinge, slide, ball, free");
    }
    const bool is_base = types[k].kind == DT_ROBOT_FREE;
    if (is_base && m->base == DT_ROBOT_BASE_FIXED) {
        return DETENT_OK;
    }
    const char *name = own_name(m, element, "joint", m->robot->joint_count + 1);
    const int index =
        name ? dt_robot_add_joint(m->robot, name, types[k].kind, &element->where, m->error) : -1;
    if (index < 0) {
        return name ? m->error->status : dt_mjcf_no_memory(m);
    }
    dt_robot_joint *joint = &m->robot->joints[index];
    status = is_free ? DETENT_OK : read_properties(m, element, childclass, joint);
    if (is_base) {
        memset(joint->point, 0, sizeof joint->point);
    } else {
        stand(joint, outer);
    }
    if (!status && joint->kind > DT_ROBOT_SLIDE && !simplify(m, joint)) {
        return dt_mjcf_no_memory(m);
    }
    return status;
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
                                   dt_weight *weight)
{
    dt_weight own = {0};
    dt_frame frame;
    detent_status status = dt_mjcf_frame(m, element, NULL, &frame);
    status = status ? status : dt_xml_vector(element, "mass", 1, &own.mass, m->error);
    status = status ? status : dt_xml_vector(element, "diaginertia", 3, own.inertia, m->error);
    status = status ? status : dt_xml_vector(element, "fullinertia", 6, own.inertia, m->error);
    if (!status && own.mass < 0) {
        return dt_mjcf_fail(m, element, "the mass is negative");
    }
    if (!status && own.mass > 0) {
        dt_frame_compose(&frame, outer, &frame);
        dt_weight_add(weight, &own, &frame);
    }
    return status;
}

/* What a body has itself: its joints, and what it weighs, by <inertial> and by its geoms. */
static detent_status read_contents(dt_mjcf *m, const dt_xml *element, const mjcf_place *place,
                                   dt_weight *told, dt_weight *of_geoms, bool *is_told)
{
    detent_status status = DETENT_OK;
    for (const dt_xml *e = element->first; e && !status; e = e->next) {
        if (strcmp(e->name, "joint") == 0 || strcmp(e->name, "freejoint") == 0) {
            status = add_joint(m, e, place->childclass, &place->frame);
        } else if (strcmp(e->name, "inertial") == 0) {
            status = read_inertial(m, e, &place->frame, told);
            *is_told = true;
        } else if (strcmp(e->name, "geom") == 0 && !m->geoms_never) {
            status = dt_mjcf_geom(m, e, place->childclass, &place->frame, of_geoms);
        } else if (strcmp(e->name, "frame") == 0) {
            mjcf_place inner;
            status = enter(m, e, place, &inner);
            status = status ? status : read_contents(m, e, &inner, told, of_geoms, is_told);
        } else if (strcmp(e->name, "include") == 0 || strcmp(e->name, "replicate") == 0 ||
                   strcmp(e->name, "attach") == 0 || strcmp(e->name, "composite") == 0) {
            status =
                dt_mjcf_fail(m, e, "it is to be expanded first: save the compiled model as XML");
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

static void bound(const dt_mjcf *m, dt_weight *weight)
{
    weight->mass = fmax(weight->mass, m->least_mass);
    for (int k = 0; k < 3 && weight->mass > 0; k++) {
        weight->inertia[k] = fmax(weight->inertia[k], m->least_inertia);
    }
}

static detent_status add_body(dt_mjcf *m, const dt_xml *element, const mjcf_place *outer)
{
    mjcf_place in_parent, own = {.frame = dt_frame_none};
    dt_weight told = {0}, of_geoms = {0};
    bool is_told = false;
    detent_status status = enter(m, element, outer, &in_parent);
    const char *name = own_name(m, element, "unnamed body", ++m->unnamed);
    if (status || !name) {
        return status ? status : dt_mjcf_no_memory(m);
    }
    own.body = dt_robot_add_body(m->robot, name, outer->body, &element->where, m->error);
    if (own.body < 0) {
        return m->error->status;
    }
    own.childclass = in_parent.childclass;
    m->robot->bodies[own.body].frame = in_parent.frame;
    if (outer->body < 0 && m->base == DT_ROBOT_BASE_FLOATING &&
        !dt_xml_child(element, "freejoint")) {
        const char *base = dt_arena_printf(m->robot->arena, "%s base", name);
        if (!base ||
            dt_robot_add_joint(m->robot, base, DT_ROBOT_FREE, &element->where, m->error) < 0) {
            return base ? m->error->status : dt_mjcf_no_memory(m);
        }
    }
    status = read_contents(m, element, &own, &told, &of_geoms, &is_told);
    if (!status) {
        dt_weight *weight = &m->robot->bodies[own.body].own;
        *weight = is_told && !m->geoms_always ? told : of_geoms;
        bound(m, weight);
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
        dt_weight *w = &m->robot->bodies[k].own;
        w->mass *= m->total_mass / all;
        for (int c = 0; c < 6; c++) {
            w->inertia[c] *= m->total_mass / all;
        }
    }
}

static bool note_dropped(const dt_mjcf *m)
{
    static const char *const known[] = {"compiler", "default", "worldbody", "option",    "equality",
                                        "actuator", "size",    "visual",    "statistic", NULL};
    bool good = dt_robot_note_dropped(m->robot, m->root, NULL, known);
    for (const dt_xml *o = dt_xml_child(m->root, "option"); o && good; o = dt_xml_again(o)) {
        for (const char *const *a = o->attributes; *a && good; a += 2) {
            good = strcmp(a[0], "gravity") == 0 ||
                   dt_robot_note_at(m->robot, &o->where, "'%s' of <option> is left out", a[0]);
        }
    }
    return good && (m->meshes == 0 ||
                    dt_robot_note_at(m->robot, NULL,
                                     "%d geoms are meshes or the like, which are not read: they "
                                     "weigh nothing where a body has no <inertial>",
                                     m->meshes));
}

static detent_status read_world(dt_mjcf *m)
{
    mjcf_place world = {.body = -1, .frame = dt_frame_none};
    detent_status status = DETENT_OK;
    bool any = false;
    for (const dt_xml *w = dt_xml_child(m->root, "worldbody"); w && !status; w = dt_xml_again(w)) {
        world.childclass = dt_xml_attribute(w, "childclass");
        status = add_bodies(m, w, &world);
        any = true;
    }
    return status || any ? status : dt_mjcf_fail(m, m->root, "it has no <worldbody>");
}

detent_status dt_read_mjcf(const dt_xml *root, dt_robot_base base, dt_robot *robot,
                           detent_error *error)
{
    detent_error unwanted;
    dt_mjcf m = {.root = root,
                 .robot = robot,
                 .base = base,
                 .error = error ? error : &unwanted,
                 .angle = 0.017453292519943295,
                 .euler = "xyz",
                 .limits_by_range = true};
    const char *name = dt_xml_attribute(root, "model");
    detent_status status = DETENT_OK;
    robot->name = name ? name : robot->name;
    dt_name_map_init(&m.classes, robot->arena);
    for (const dt_xml *e = root->first; e && !status; e = e->next) {
        if (strcmp(e->name, "include") == 0) {
            status = dt_mjcf_fail(&m, e, "files are not included: save the compiled model as XML");
        } else if (strcmp(e->name, "compiler") == 0) {
            status = read_compiler(&m, e);
        } else if (strcmp(e->name, "option") == 0) {
            status = dt_xml_vector(e, "gravity", 3, robot->gravity, m.error);
        }
    }
    status = status ? status : dt_mjcf_read_defaults(&m);
    status = status ? status : read_world(&m);
    if (!status) {
        set_total_mass(&m);
        status = dt_mjcf_couplings(&m);
    }
    return status || note_dropped(&m) ? status : dt_mjcf_no_memory(&m);
}
