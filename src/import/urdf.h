/**
 * @file urdf.h
 * What the files that read URDF share.
 */
#ifndef DT_IMPORT_URDF_H
#define DT_IMPORT_URDF_H

#include "import/formats.h"

/** What the links below `root`, which are bodies of the robot, look like. False: memory is out. urdf_shape.c */
bool dt_urdf_shapes(const dt_xml *root, dt_robot *robot);

#endif
