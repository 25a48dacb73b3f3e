/**
 * @file kinematics.h
 * `detent kinematics`.
 */
#ifndef CLI_KINEMATICS_H
#define CLI_KINEMATICS_H

#include "options.h"

int kinematics_command(const cli_options *);

#endif
