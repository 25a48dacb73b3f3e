/**
 * @file formats.h
 * What reads robots.
 */
#ifndef DT_IMPORT_FORMATS_H
#define DT_IMPORT_FORMATS_H

#include "import/robot.h"

/** Where the first bodies stand. */
typedef enum dt_robot_base {
    DT_ROBOT_BASE_AS_IS,   /**< as the source says: URDF fixed, MJCF by its joints */
    DT_ROBOT_BASE_FIXED,   /**< on the ground */
    DT_ROBOT_BASE_FLOATING /**< each on a free joint */
} dt_robot_base;

/**
 * Unified Robot Description Format: http://wiki.ros.org/urdf/XML. `root` is its element `robot`; it and the robot live in one arena. Errors:
 * DETENT_ERROR_MODEL with the place, DETENT_ERROR_MEMORY.
 */
detent_status dt_read_urdf(const dt_xml *root, dt_robot_base base, dt_robot *robot,
                           detent_error *error);

/**
 * MuJoCo's format: https://mujoco.readthedocs.io/en/stable/XMLreference.html. `root` is its element `mujoco`. Joints start as `keyframe` says,
 * where it is not NULL. Errors as above.
 */
detent_status dt_read_mjcf(const dt_xml *root, dt_robot_base base, const char *keyframe,
                           dt_robot *robot, detent_error *error);

/** An element of a format; a row without a name ends a table of them. */
typedef struct dt_known_element {
    const char *name;
    const char *
        attributes; /**< those that are taken, or say nothing of the motion, with blanks between them; NULL: nothing below is asked for */
    bool is_silent; /**< nothing is said of elements in it that are not in the table */
} dt_known_element;

/**
 * Notes what is not taken: elements below `root` and attributes that are not in the table. A line for each kind of them, with how many there
 * are and where the first is. False: memory is out.
 */
bool dt_robot_note_dropped(dt_robot *robot, const dt_xml *root, const dt_known_element *known);

#endif
