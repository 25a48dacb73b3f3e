/**
 * @file write.h
 * What the files that write a mechanism file share.
 */
#ifndef DT_IMPORT_WRITE_H
#define DT_IMPORT_WRITE_H

#include "import/robot.h"
#include "import/text.h"

/** The end of a line, with what the source calls the item, where that is not its name here. */
void dt_put_other_name(dt_growing_text *out, const char *name, const char *id);

/** Whether a frame is another one than that which it is in. */
bool dt_is_somewhere(const dt_frame *f);

/** A frame in a body: a point, or one with a rotation. */
void dt_put_frame(dt_growing_text *out, const dt_frame *f);

/** `at` of a joint, where one of the two is not the body's own frame. */
void dt_put_ends(dt_growing_text *out, const dt_frame *base, const dt_frame *follower);

/** The body of the file that this one is part of, -1 or where it stands on the ground: `ground`. */
const char *dt_carrier_id(const dt_robot *robot, int body);

/** `shape` of a body, or of the ground: from the first one on; -1: it has none. write_shape.c */
void dt_put_shapes(dt_growing_text *out, const dt_robot *robot, int first);

/** The force of all that drives a joint, as a formula. */
void dt_put_drive(dt_growing_text *out, const dt_robot *robot, const dt_robot_joint *joint);

/** The joint of that index, which moves `body`. */
void dt_put_joint(dt_growing_text *out, const dt_robot *robot, const dt_robot_body *body, int at);

#endif
