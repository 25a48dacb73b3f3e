/* What drives joints: motors and servos, and what compiled models make of both (general). */

#include "import/mjcf.h"

#include <stdio.h>

/* The number that an attribute begins with, and more of them. */
static detent_status read_first(const dt_mjcf *m, const dt_xml *e, const char *attribute,
                                double *values, int count)
{
    enum { MOST = 16 };
    double read[MOST] = {0};
    int found = 0;
    const dt_xml *holder;
    detent_status status = dt_mjcf_holder(m, e, NULL, attribute, &holder);
    if (!status && holder) {
        status = dt_xml_numbers(holder, attribute, MOST, read, &found, m->error);
    }
    for (int k = 0; k < found && k < count; k++) {
        values[k] = read[k];
    }
    return status;
}

/* The force that its input makes, before the gear. `*is_taken`: it is one that can be told so. */
static detent_status read_law(const dt_mjcf *m, const dt_xml *e, dt_robot_actuator *a,
                              bool *is_taken)
{
    double kp = 1, kv = 0;
    const bool is_place = strcmp(e->name, "position") == 0,
               is_pace = strcmp(e->name, "velocity") == 0;
    *is_taken = true;
    if (is_place || is_pace) {
        kv = is_pace;
        detent_status status =
            is_place ? dt_mjcf_vector(m, e, NULL, "kp", 1, &kp, NULL) : DETENT_OK;
        status = status ? status : dt_mjcf_vector(m, e, NULL, "kv", 1, &kv, NULL);
        a->gain = is_place ? kp : kv;
        a->bias[1] = is_place ? -kp : 0;
        a->bias[2] = -kv;
        return status;
    }
    if (strcmp(e->name, "motor") == 0) {
        return DETENT_OK;
    }
    const char *gain, *bias, *activation;
    detent_status status = dt_mjcf_word(m, e, NULL, "gaintype", &gain);
    status = status ? status : dt_mjcf_word(m, e, NULL, "biastype", &bias);
    status = status ? status : dt_mjcf_word(m, e, NULL, "dyntype", &activation);
    status = status ? status : read_first(m, e, "gainprm", &a->gain, 1);
    if (status) {
        return status;
    }
    const bool is_affine = bias && strcmp(bias, "affine") == 0;
    *is_taken = strcmp(e->name, "general") == 0 && (!gain || strcmp(gain, "fixed") == 0) &&
                (!bias || is_affine || strcmp(bias, "none") == 0) &&
                (!activation || strcmp(activation, "none") == 0);
    return is_affine ? read_first(m, e, "biasprm", a->bias, 3) : DETENT_OK;
}

/* Of a force or a control: a range, and whether it limits. */
static detent_status read_limits(const dt_mjcf *m, const dt_xml *e, const char *attribute,
                                 const char *whether, dt_robot_limits *limits)
{
    double range[2] = {0};
    const char *limited;
    bool has_range;
    char words[64];
    detent_status status = dt_mjcf_vector(m, e, NULL, attribute, 2, range, &has_range);
    status = status ? status : dt_mjcf_word(m, e, NULL, whether, &limited);
    if (status) {
        return status;
    }
    const bool is_auto = !limited || strcmp(limited, "auto") == 0, is_empty = range[0] >= range[1];
    limits->is_there =
        is_auto ? has_range && m->limits_by_range && !is_empty : strcmp(limited, "true") == 0;
    limits->lower = range[0];
    limits->upper = range[1];
    snprintf(words, sizeof words, "its %s is empty", attribute);
    return limits->is_there && is_empty ? dt_mjcf_fail(m, e, words) : DETENT_OK;
}

static detent_status read_actuator(const dt_mjcf *m, const dt_xml *e, bool *is_taken)
{
    const char *of = dt_xml_attribute(e, "joint"), *name = dt_xml_attribute(e, "name");
    const int joint = of ? dt_name_map_get(&m->robot->joint_names, of) : -1;
    dt_robot_actuator law = {.gear = 1, .gain = 1};
    *is_taken = false;
    if (!of) {
        return DETENT_OK;
    }
    if (joint < 0) {
        return dt_fail(m->error, DETENT_ERROR_MODEL, &e->where, "there is no joint '%s'", of);
    }
    detent_status status = read_law(m, e, &law, is_taken);
    if (status || !*is_taken || m->robot->joints[joint].kind > DT_ROBOT_SLIDE) {
        *is_taken = false;
        return status;
    }
    status = read_first(m, e, "gear", &law.gear, 1);
    status = status ? status : read_limits(m, e, "forcerange", "forcelimited", &law.force);
    status = status ? status : read_limits(m, e, "ctrlrange", "ctrllimited", &law.control);
    if (status) {
        return status;
    }
    name = name ? name : dt_arena_printf(m->robot->arena, "%s_%s", of, e->name);
    dt_robot_actuator *a = name ? dt_robot_add_actuator(m->robot, name, joint, &e->where) : NULL;
    if (!a) {
        return dt_mjcf_no_memory(m);
    }
    law.name = a->name;
    law.where = a->where;
    law.joint = a->joint;
    law.next = a->next;
    *a = law;
    return DETENT_OK;
}

detent_status dt_mjcf_actuators(const dt_mjcf *m)
{
    detent_status status = DETENT_OK;
    for (const dt_xml *all = dt_xml_child(m->root, "actuator"); all && !status;
         all = dt_xml_again(all)) {
        for (const dt_xml *e = all->first; e && !status; e = e->next) {
            bool is_taken;
            status = read_actuator(m, e, &is_taken);
            if (!status && !is_taken &&
                !dt_robot_note_at(m->robot, &e->where,
                                  "<%.60s> of <actuator> is left out: taken are motor, position, "
                                  "velocity and general with fixed gain, no activation and affine "
                                  "bias, of joints that turn or slide",
                                  e->name)) {
                return dt_mjcf_no_memory(m);
            }
        }
    }
    return status;
}
