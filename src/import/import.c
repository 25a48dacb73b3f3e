#include "import/import.h"

/* What is left of macros is refused: numbers of theirs would be missing. */
static detent_status refuse_macros(const dt_xml *root, detent_error *error)
{
    for (const dt_xml *at = root; at;) {
        if (strncmp(at->name, "xacro:", 6) == 0) {
            return dt_fail(
                error, DETENT_ERROR_MODEL, &at->where,
                "<%s> is a macro: xacro makes a URDF file of this one, which can be imported",
                at->name);
        }
        const dt_xml *next = at->first;
        while (!next && at && at != root) {
            next = at->next;
            at = next ? at : at->parent;
        }
        at = next;
    }
    return DETENT_OK;
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
    status = refuse_macros(root, error);
    if (status) {
        return status;
    }
    if (strcmp(root->name, "robot") == 0) {
        status = dt_read_urdf(root, wishes->base, robot, error);
    } else if (strcmp(root->name, "mujoco") == 0) {
        status = dt_read_mjcf(root, wishes->base, robot, error);
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
