/* Joints of MJCF: each moves its body against what the joints before it have made of the place where the body stands. */

#include "import/mjcf.h"

#include "math/vec3.h"

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
    const bool is_auto = !limited || strcmp(limited, "auto") == 0, is_empty = range[0] >= range[1];
    joint->is_limited =
        is_auto ? has_range && m->limits_by_range && !is_empty : strcmp(limited, "true") == 0;
    if (joint->is_limited && is_empty) {
        return dt_mjcf_fail(m, element, "its range is empty");
    }
    if (is_auto && range[0] > range[1] &&
        !dt_robot_note_at(m->robot, &element->where,
                          "the range of joint '%s' is empty: it has no stops", joint->name)) {
        return dt_mjcf_no_memory(m);
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
    if (!status && (joint->damping < 0 || joint->friction < 0 || joint->armature < 0 ||
                    joint->stiffness < 0)) {
        return dt_mjcf_fail(m, element,
                            "damping, frictionloss, armature and stiffness are not negative");
    }
    if (!status && dt_norm3(joint->axis) == 0) {
        return dt_mjcf_fail(m, element, "the axis is zero");
    }
    return status ? status : read_range(m, element, childclass, unit, joint);
}

detent_status dt_mjcf_joint(dt_mjcf *m, const dt_xml *element, const char *childclass,
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
    const dt_robot_body *body = &m->robot->bodies[m->robot->body_count - 1];
    if (is_base && body->parent >= 0) {
        return dt_mjcf_fail(m, element, "a free joint is one of a body of the world");
    }
    static const int places[] = {1, 1, 4, 7};
    const int place = m->places;
    m->places += places[types[k].kind];
    if (is_base && m->base == DT_ROBOT_BASE_FIXED) {
        return DETENT_OK;
    }
    if (body->joint_count > 0 &&
        (is_base || m->robot->joints[body->first_joint].kind == DT_ROBOT_FREE)) {
        return dt_mjcf_fail(m, element, "a free joint is the only one of its body");
    }
    const char *name = dt_xml_attribute(element, "name");
    const int index = dt_robot_add_joint(m->robot, name, types[k].kind, &element->where, m->error);
    if (index < 0) {
        return m->error->status;
    }
    dt_robot_joint *joint = &m->robot->joints[index];
    joint->place = place;
    if (!name) { /* it goes by its body */
        joint->name = dt_arena_printf(m->robot->arena, "%s joint", body->name);
        if (!joint->name) {
            return dt_mjcf_no_memory(m);
        }
    }
    status = is_free ? DETENT_OK : read_properties(m, element, childclass, joint);
    if (is_base) {
        memset(joint->point, 0, sizeof joint->point);
    } else {
        stand(joint, outer);
    }
    return status;
}
