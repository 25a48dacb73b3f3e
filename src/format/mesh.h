/**
 * @file mesh.h
 * The friction of the mesh of a gear, a rack or a screw.
 */
#ifndef DETENT_FORMAT_MESH_H
#define DETENT_FORMAT_MESH_H

#include "format/form.h"

/**
 * Reads the node of `friction` of a coupling into the losses of its definition.
 * @param number the coupling's: a ratio, a radius [m] or a pitch [m per turn], not 0.
 * @param is_screw whether a thread's lead may be told by its radius.
 * @param def has its name; gets loss_driving, loss_driven and what they are at rest.
 */
detent_status dt_read_mesh_friction(dt_reader *, const dt_yaml_node *node, double number,
                                    bool is_screw, detent_coupling_def *def);

#endif
