/**
 * @file variable_table.h
 * Everything that an expression can read, a row each; whoever has to do with all of them walks this table.
 *
 *   ROW(KIND, function, component, measure, subject, traits, family, part)
 *
 * function, component: how it is read, as in function(item, component); NULL: by a name of its own (t, dir, an input).
 * measure, subject: unit, and what can be asked for it (model/scope.c). traits: variable.h. family, part: by which
 * functions it is evaluated (dynamics/readings.c, slope.c, tangent.c), and which part of what they give it is.
 */
#ifndef DT_EXPRESSION_VARIABLE_TABLE_H
#define DT_EXPRESSION_VARIABLE_TABLE_H

/* clang-format off */
#define DT_VARIABLE_TABLE(ROW) \
    ROW(TIME,                NULL,                  NULL,    NONE,         NOTHING,  DT_VARIABLE_IS_TIME,        time,          0) \
    ROW(INPUT,               NULL,                  NULL,    NONE,         NOTHING,  DT_VARIABLE_IS_INPUT,       input,         0) \
    ROW(POSITION,            "position",            "",      POSITION,     SCALAR,   DT_VARIABLE_IS_POSITION,    position,      0) \
    ROW(VELOCITY,            "velocity",            "",      VELOCITY,     SCALAR,   DT_VARIABLE_IS_VELOCITY,    velocity,      0) \
    ROW(ACCELERATION,        "acceleration",        "",      ACCELERATION, SCALAR,   DT_VARIABLE_IS_ACCELERATION,acceleration,  0) \
    ROW(FRICTION,            "friction",            "",      EFFORT,       STICTION, DT_VARIABLE_IS_FRICTION,    friction,      0) \
    ROW(FORCE,               "force",               "",      EFFORT,       SCALAR,   DT_VARIABLE_IS_EFFORT,      force,         0) \
    ROW(REACTION_FORCE,      "reaction_force",      "",      FORCE,        ANY,      DT_VARIABLE_IS_REACTION,    reaction_norm, 0) \
    ROW(REACTION_TORQUE,     "reaction_torque",     "",      TORQUE,       ANY,      DT_VARIABLE_IS_TORQUE,      reaction_norm, 1) \
    ROW(REACTION_FORCE_X,    "reaction_force",      "x",     FORCE,        ANY,      DT_VARIABLE_IS_REACTION,    reaction_part, 0) \
    ROW(REACTION_FORCE_Y,    "reaction_force",      "y",     FORCE,        ANY,      DT_VARIABLE_IS_REACTION,    reaction_part, 1) \
    ROW(REACTION_FORCE_Z,    "reaction_force",      "z",     FORCE,        ANY,      DT_VARIABLE_IS_REACTION,    reaction_part, 2) \
    ROW(REACTION_TORQUE_X,   "reaction_torque",     "x",     TORQUE,       ANY,      DT_VARIABLE_IS_TORQUE,      reaction_part, 3) \
    ROW(REACTION_TORQUE_Y,   "reaction_torque",     "y",     TORQUE,       ANY,      DT_VARIABLE_IS_TORQUE,      reaction_part, 4) \
    ROW(REACTION_TORQUE_Z,   "reaction_torque",     "z",     TORQUE,       ANY,      DT_VARIABLE_IS_TORQUE,      reaction_part, 5) \
    ROW(NORMAL_FORCE,        "normal_force",        "",      FORCE,        SCALAR,   DT_VARIABLE_IS_REACTION,    normal_force,  0) \
    ROW(DIRECTION,           NULL,                  NULL,    NONE,         NOTHING,  DT_VARIABLE_IS_DIRECTION,   direction,     0) \
    ROW(MODE,                "mode",                "",      NONE,         STICTION, DT_VARIABLE_IS_MODE,        mode,          0) \
    ROW(POINT_X,             "position",            "x",     LENGTH,       POINT,    DT_VARIABLE_IS_POSE,        point,         0) \
    ROW(POINT_Y,             "position",            "y",     LENGTH,       POINT,    DT_VARIABLE_IS_POSE,        point,         1) \
    ROW(POINT_Z,             "position",            "z",     LENGTH,       POINT,    DT_VARIABLE_IS_POSE,        point,         2) \
    ROW(STATE,               "state",               "",      STATE,        STATE,    DT_VARIABLE_IS_STATE,       state,         0) \
    ROW(SAMPLED,             "sampled",             "",      STATE,        SAMPLED,  DT_VARIABLE_IS_INPUT,       input,         0) \
    ROW(PREVIOUS,            "previous",            "",      STATE,        PREVIOUS, DT_VARIABLE_IS_PREVIOUS,    input,         0) \
    ROW(TENSION,             "tension",             "",      FORCE,        ROD,      DT_VARIABLE_IS_TENSION,     tension,       0) \
    ROW(COUPLING_FORCE,      "coupling_force",      "",      EFFORT,       COUPLING, DT_VARIABLE_IS_MULTIPLIER,  multiplier,    0) \
    ROW(STOP_FORCE,          "stop_force",          "",      EFFORT,       STICTION, DT_VARIABLE_IS_TENSION,     friction,      1) \
    ROW(POINT_VELOCITY_X,    "velocity",            "x",     SPEED,        POINT,    DT_VARIABLE_IS_POSE,        point,         3) \
    ROW(POINT_VELOCITY_Y,    "velocity",            "y",     SPEED,        POINT,    DT_VARIABLE_IS_POSE,        point,         4) \
    ROW(POINT_VELOCITY_Z,    "velocity",            "z",     SPEED,        POINT,    DT_VARIABLE_IS_POSE,        point,         5) \
    ROW(POINT_ACCELERATION_X,"acceleration",        "x",     SPEEDING,     POINT,    DT_VARIABLE_IS_PUSHED,      point,         6) \
    ROW(POINT_ACCELERATION_Y,"acceleration",        "y",     SPEEDING,     POINT,    DT_VARIABLE_IS_PUSHED,      point,         7) \
    ROW(POINT_ACCELERATION_Z,"acceleration",        "z",     SPEEDING,     POINT,    DT_VARIABLE_IS_PUSHED,      point,         8) \
    ROW(SPIN_X,              "angular_velocity",    "x",     SPIN,         POINT,    DT_VARIABLE_IS_POSE,        point,         9) \
    ROW(SPIN_Y,              "angular_velocity",    "y",     SPIN,         POINT,    DT_VARIABLE_IS_POSE,        point,         10) \
    ROW(SPIN_Z,              "angular_velocity",    "z",     SPIN,         POINT,    DT_VARIABLE_IS_POSE,        point,         11) \
    ROW(SPINNING_X,          "angular_acceleration","x",     SPINNING,     POINT,    DT_VARIABLE_IS_PUSHED,      point,         12) \
    ROW(SPINNING_Y,          "angular_acceleration","y",     SPINNING,     POINT,    DT_VARIABLE_IS_PUSHED,      point,         13) \
    ROW(SPINNING_Z,          "angular_acceleration","z",     SPINNING,     POINT,    DT_VARIABLE_IS_PUSHED,      point,         14) \
    ROW(ROTATION_XX,         "rotation",            "xx",    NUMBER,       FRAME,    DT_VARIABLE_IS_POSE,        rotation,      0) \
    ROW(ROTATION_XY,         "rotation",            "xy",    NUMBER,       FRAME,    DT_VARIABLE_IS_POSE,        rotation,      1) \
    ROW(ROTATION_XZ,         "rotation",            "xz",    NUMBER,       FRAME,    DT_VARIABLE_IS_POSE,        rotation,      2) \
    ROW(ROTATION_YX,         "rotation",            "yx",    NUMBER,       FRAME,    DT_VARIABLE_IS_POSE,        rotation,      3) \
    ROW(ROTATION_YY,         "rotation",            "yy",    NUMBER,       FRAME,    DT_VARIABLE_IS_POSE,        rotation,      4) \
    ROW(ROTATION_YZ,         "rotation",            "yz",    NUMBER,       FRAME,    DT_VARIABLE_IS_POSE,        rotation,      5) \
    ROW(ROTATION_ZX,         "rotation",            "zx",    NUMBER,       FRAME,    DT_VARIABLE_IS_POSE,        rotation,      6) \
    ROW(ROTATION_ZY,         "rotation",            "zy",    NUMBER,       FRAME,    DT_VARIABLE_IS_POSE,        rotation,      7) \
    ROW(ROTATION_ZZ,         "rotation",            "zz",    NUMBER,       FRAME,    DT_VARIABLE_IS_POSE,        rotation,      8) \
    ROW(ROLL,                "rpy",                 "roll",  ANGLE,        FRAME,    DT_VARIABLE_IS_POSE,        rpy,           0) \
    ROW(PITCH,               "rpy",                 "pitch", ANGLE,        FRAME,    DT_VARIABLE_IS_POSE,        rpy,           1) \
    ROW(YAW,                 "rpy",                 "yaw",   ANGLE,        FRAME,    DT_VARIABLE_IS_POSE,        rpy,           2) \
    ROW(QUATERNION_W,        "quaternion",          "w",     NUMBER,       FRAME,    DT_VARIABLE_IS_POSE,        quaternion,    0) \
    ROW(QUATERNION_X,        "quaternion",          "x",     NUMBER,       FRAME,    DT_VARIABLE_IS_POSE,        quaternion,    1) \
    ROW(QUATERNION_Y,        "quaternion",          "y",     NUMBER,       FRAME,    DT_VARIABLE_IS_POSE,        quaternion,    2) \
    ROW(QUATERNION_Z,        "quaternion",          "z",     NUMBER,       FRAME,    DT_VARIABLE_IS_POSE,        quaternion,    3) \
    ROW(KINETIC,             "kinetic_energy",      "",      ENERGY,       WHOLE,    DT_VARIABLE_IS_TOTAL,       kinetic,       0) \
    ROW(POTENTIAL,           "potential_energy",    "",      ENERGY,       WHOLE,    DT_VARIABLE_IS_TOTAL,       potential,     0) \
    ROW(BODY_KINETIC,        "kinetic_energy",      "",      ENERGY,       MASS,     DT_VARIABLE_IS_POSE,        body_kinetic,  0) \
    ROW(BODY_POTENTIAL,      "potential_energy",    "",      ENERGY,       MASS,     DT_VARIABLE_IS_POSE,        body_potential,0) \
    ROW(FRICTION_WORK,       "friction_work",       "",      ENERGY,       WHOLE,    DT_VARIABLE_IS_ACCOUNT,     account,       0) \
    ROW(DAMPING_WORK,        "damping_work",        "",      ENERGY,       WHOLE,    DT_VARIABLE_IS_ACCOUNT,     account,       1) \
    ROW(ACTUATION_WORK,      "actuation_work",      "",      ENERGY,       WHOLE,    DT_VARIABLE_IS_ACCOUNT,     account,       2) \
    ROW(IMPACT_LOSS,         "impact_loss",         "",      ENERGY,       WHOLE,    DT_VARIABLE_IS_ACCOUNT,     account,       3) \
    ROW(OPEN,                "constraint_error",    "",      LENGTH,       WHOLE,    DT_VARIABLE_IS_TOTAL,       open,          0) \
    ROW(TIE_OPEN,            "constraint_error",    "",      LENGTH,       TIE,      DT_VARIABLE_IS_POSE,        tie_open,      0) \
    ROW(BUSHING_FORCE,       "bushing_force",       "",      FORCE,        ITEM,     DT_VARIABLE_IS_ITEM,        item,          6) \
    ROW(BUSHING_FORCE_X,     "bushing_force",       "x",     FORCE,        ITEM,     DT_VARIABLE_IS_ITEM,        item,          0) \
    ROW(BUSHING_FORCE_Y,     "bushing_force",       "y",     FORCE,        ITEM,     DT_VARIABLE_IS_ITEM,        item,          1) \
    ROW(BUSHING_FORCE_Z,     "bushing_force",       "z",     FORCE,        ITEM,     DT_VARIABLE_IS_ITEM,        item,          2) \
    ROW(BUSHING_TORQUE,      "bushing_torque",      "",      TORQUE,       ITEM,     DT_VARIABLE_IS_ITEM,        item,          7) \
    ROW(BUSHING_TORQUE_X,    "bushing_torque",      "x",     TORQUE,       ITEM,     DT_VARIABLE_IS_ITEM,        item,          3) \
    ROW(BUSHING_TORQUE_Y,    "bushing_torque",      "y",     TORQUE,       ITEM,     DT_VARIABLE_IS_ITEM,        item,          4) \
    ROW(BUSHING_TORQUE_Z,    "bushing_torque",      "z",     TORQUE,       ITEM,     DT_VARIABLE_IS_ITEM,        item,          5) \
    ROW(BEARING_FORCE,       "bearing_force",       "",      FORCE,        BEARING,  DT_VARIABLE_IS_BEARING,     bearing,       0) \
    ROW(THRUST_FORCE,        "thrust_force",        "",      FORCE,        SCALAR,   DT_VARIABLE_IS_REACTION,    bearing,       1) \
    ROW(CONTACT_FORCE,       "contact_force",       "",      EFFORT,       CONTACT,  DT_VARIABLE_IS_MULTIPLIER,  multiplier,    0) \
    ROW(REST_TIME,           "rest_time",           "",      TIME,         REST,     DT_VARIABLE_IS_REST,        rest_time,     0) \
    ROW(DELAYED,             "delay",               "",      STATE,        NOTHING,  DT_VARIABLE_IS_DELAYED,     delayed,       0) \
    ROW(SPRING_LENGTH,       "spring_length",       "",      LENGTH,       ITEM,     DT_VARIABLE_IS_ITEM,        item,          0) \
    ROW(SPRING_FORCE,        "spring_force",        "",      FORCE,        ITEM,     DT_VARIABLE_IS_ITEM,        item,          1)
/* clang-format on */

#endif
