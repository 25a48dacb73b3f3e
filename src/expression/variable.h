/**
 * @file variable.h
 * What an expression can read. A variable is a kind and an index; the layers above give it a value.
 */
#ifndef DT_EXPRESSION_VARIABLE_H
#define DT_EXPRESSION_VARIABLE_H

typedef enum dt_variable_kind {
    DT_VARIABLE_TIME,     /**< t; index 0 */
    DT_VARIABLE_INPUT,    /**< a named external signal; index of the input */
    DT_VARIABLE_POSITION, /**< of a scalar primitive; the index is the primitive, as below */
    DT_VARIABLE_VELOCITY,
    DT_VARIABLE_ACCELERATION,
    DT_VARIABLE_FRICTION,         /**< friction force of the primitive's stiction */
    DT_VARIABLE_FORCE,            /**< nonfrictional force along the primitive */
    DT_VARIABLE_REACTION_FORCE,   /**< norm of the reaction force */
    DT_VARIABLE_REACTION_TORQUE,  /**< norm, about the origin of the follower's joint frame */
    DT_VARIABLE_REACTION_FORCE_X, /**< component in the follower's joint frame; then _Y, _Z */
    DT_VARIABLE_REACTION_FORCE_Y,
    DT_VARIABLE_REACTION_FORCE_Z,
    DT_VARIABLE_REACTION_TORQUE_X,
    DT_VARIABLE_REACTION_TORQUE_Y,
    DT_VARIABLE_REACTION_TORQUE_Z,
    DT_VARIABLE_NORMAL_FORCE, /**< norm of the reaction force normal to the primitive's axis */
    DT_VARIABLE_DIRECTION,    /**< `dir`: of the friction's mode, -1, 0, +1; piecewise constant */
    DT_VARIABLE_MODE,         /**< 0 locked, 1 wait, 2 unlocked; piecewise constant; outputs only */
    DT_VARIABLE_BODY_X,       /**< world position of a body's origin; outputs only; then _Y, _Z */
    DT_VARIABLE_BODY_Y,
    DT_VARIABLE_BODY_Z,
    DT_VARIABLE_KINDS
} dt_variable_kind;

typedef struct dt_variable {
    dt_variable_kind kind;
    int index;
} dt_variable;

#endif
