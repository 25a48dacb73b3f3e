#include "import/import.h"

/* What a program has to expand first: without it something would be missing. */
static detent_status refuse(const dt_xml *at, bool is_mjcf, detent_error *error)
{
    static const char *const of_mjcf[] = {"include", "replicate", "attach", "composite",
                                          "flexcomp"};
    if (strncmp(at->name, "xacro:", 6) == 0) {
        return dt_fail(
            error, DETENT_ERROR_MODEL, &at->where,
            "<%s> is a macro: xacro makes a URDF file of this one, which can be imported",
            at->name);
    }
    for (size_t k = 0; k < sizeof of_mjcf / sizeof *of_mjcf && is_mjcf; k++) {
        if (strcmp(at->name, of_mjcf[k]) == 0) {
            return dt_fail(error, DETENT_ERROR_MODEL, &at->where,
                           "<%s> is to be expanded first: MuJoCo's 'compile' saves the whole model "
                           "as one XML file, which can be imported",
                           at->name);
        }
    }
    return DETENT_OK;
}

static detent_status refuse_all(const dt_xml *root, detent_error *error)
{
    const bool is_mjcf = strcmp(root->name, "mujoco") == 0;
    detent_status status = DETENT_OK;
    for (const dt_xml *at = root; at && !status;) {
        status = refuse(at, is_mjcf, error);
        const dt_xml *next = at->first;
        while (!next && at != root) {
            next = at->next;
            at = next ? at : at->parent;
        }
        at = next;
    }
    return status;
}

detent_status dt_import(dt_arena *arena, const char *file, const char *text, size_t length,
                        const dt_import_wishes *wishes, dt_robot *robot, const char **out,
                        size_t *out_length, detent_error *error)
{
    const dt_xml *root;
    detent_status status = dt_xml_read(arena, file, text, length, &root, error);
    if (status) {
        return status;
    }
    dt_robot_init(robot, arena);
    robot->balances = wishes->balances;
    status = refuse_all(root, error);
    if (status) {
        return status;
    }
    if (strcmp(root->name, "robot") == 0) {
        status = wishes->keyframe ? dt_fail(error, DETENT_ERROR_MODEL, &root->where,
                                            "a URDF file has no keyframe '%s'", wishes->keyframe)
                                  : dt_read_urdf(root, wishes->base, robot, error);
    } else if (strcmp(root->name, "mujoco") == 0) {
        status = dt_read_mjcf(root, wishes->base, wishes->keyframe, robot, error);
    } else {
        status =
            dt_fail(error, DETENT_ERROR_MODEL, &root->where,
                    "<%s> is no robot: the root <robot> (URDF) or <mujoco> (MJCF) was expected",
                    root->name);
    }
    status = status ? status : dt_robot_finish(robot, wishes->without, error);
    *out = status ? NULL : dt_robot_write(robot, file, out_length);
    return status || *out ? status : dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
}
