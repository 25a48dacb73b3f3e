/**
 * @file variable_table.h
 * Everything that an expression can read, a row each; whoever has to do with all of them walks this table.
 *
 *   ROW(KIND, function, component, measure, subject, traits, family, part)
 *
 * function, component: how it is read, as in function(item).component; NULL: by a name of its own (t, dir, an input).
 * measure, subject: unit, and what can be asked for it (model/scope.c). traits: variable.h. family, part: by which
 * functions it is evaluated (dynamics/readings.c, slope.c, tangent.c), and which part of what they give it is.
 */
#ifndef DT_EXPRESSION_VARIABLE_TABLE_H
#define DT_EXPRESSION_VARIABLE_TABLE_H

/* clang-format off */
#define DT_VARIABLE_TABLE(ROW) \
    ROW(TIME,              NULL,              NULL, NONE,         NOTHING,  DT_VARIABLE_IS_GIVEN,      time,         0) \
    ROW(INPUT,             NULL,              NULL, NONE,         NOTHING,  DT_VARIABLE_IS_GIVEN,      input,        0) \
    ROW(POSITION,          "position",        "",   POSITION,     SCALAR,   DT_VARIABLE_IS_COORDINATE, position,     0) \
    ROW(VELOCITY,          "velocity",        "",   VELOCITY,     SCALAR,   DT_VARIABLE_IS_COORDINATE, velocity,     0) \
    ROW(ACCELERATION,      "acceleration",    "",   ACCELERATION, SCALAR,   DT_VARIABLE_IS_ACCELERATION, acceleration, 0) \
    ROW(FRICTION,          "friction",        "",   EFFORT,       STICTION, DT_VARIABLE_IS_FRICTION,   friction,     0) \
    ROW(FORCE,             "force",           "",   EFFORT,       SCALAR,   DT_VARIABLE_IS_REACTION,   force,        0) \
    ROW(REACTION_FORCE,    "reaction_force",  "",   FORCE,        ANY,      DT_VARIABLE_IS_REACTION,   reaction_norm,  0) \
    ROW(REACTION_TORQUE,   "reaction_torque", "",   TORQUE,       ANY,      DT_VARIABLE_IS_TORQUE,     reaction_norm,  1) \
    ROW(REACTION_FORCE_X,  "reaction_force",  "x",  FORCE,        ANY,      DT_VARIABLE_IS_REACTION,   reaction_part,  0) \
    ROW(REACTION_FORCE_Y,  "reaction_force",  "y",  FORCE,        ANY,      DT_VARIABLE_IS_REACTION,   reaction_part,  1) \
    ROW(REACTION_FORCE_Z,  "reaction_force",  "z",  FORCE,        ANY,      DT_VARIABLE_IS_REACTION,   reaction_part,  2) \
    ROW(REACTION_TORQUE_X, "reaction_torque", "x",  TORQUE,       ANY,      DT_VARIABLE_IS_TORQUE,     reaction_part,  3) \
    ROW(REACTION_TORQUE_Y, "reaction_torque", "y",  TORQUE,       ANY,      DT_VARIABLE_IS_TORQUE,     reaction_part,  4) \
    ROW(REACTION_TORQUE_Z, "reaction_torque", "z",  TORQUE,       ANY,      DT_VARIABLE_IS_TORQUE,     reaction_part,  5) \
    ROW(NORMAL_FORCE,      "normal_force",    "",   FORCE,        SCALAR,   DT_VARIABLE_IS_REACTION,   normal_force, 0) \
    ROW(DIRECTION,         NULL,              NULL, NONE,         NOTHING,  DT_VARIABLE_IS_DIRECTION,  direction,    0) \
    ROW(MODE,              "mode",            "",   NONE,         STICTION, DT_VARIABLE_IS_MODE,       mode,         0) \
    ROW(BODY_X,            "position",        "x",  LENGTH,       BODY,     DT_VARIABLE_IS_POSE,       body,         0) \
    ROW(BODY_Y,            "position",        "y",  LENGTH,       BODY,     DT_VARIABLE_IS_POSE,       body,         1) \
    ROW(BODY_Z,            "position",        "z",  LENGTH,       BODY,     DT_VARIABLE_IS_POSE,       body,         2) \
    ROW(STATE,             "state",           "",   STATE,        STATE,    DT_VARIABLE_IS_STATE,      state,        0) \
    ROW(TENSION,           "tension",         "",   FORCE,        ROD,      DT_VARIABLE_IS_TENSION,    tension,      0) \
    ROW(COUPLING_FORCE,    "coupling_force",  "",   EFFORT,       COUPLING, DT_VARIABLE_IS_TENSION,    coupling_force, 0)
/* clang-format on */

#endif
