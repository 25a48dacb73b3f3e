/**
 * @file animate_scene.h
 * The scene of a record: nodes, meshes, materials, how nodes move.
 */
#ifndef CLI_ANIMATE_SCENE_H
#define CLI_ANIMATE_SCENE_H

#include "record_file.h"

#include <stdio.h>

/** Writes a record as a binary glTF file. An error is reported. */
detent_status animate_scene_write(const record_file *, FILE *, detent_error *);

#endif
