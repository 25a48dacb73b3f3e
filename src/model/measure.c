#include "model/measure.h"

#include <stddef.h>

#define PLAIN(dimension, unit)      \
    {                               \
        {(dimension), (dimension)}, \
        {                           \
            (unit), (unit)          \
        }                           \
    }

/* along a joint */
static const dt_measure position = {{&dt_dimension_length, &dt_dimension_none}, {NULL, "rad"}};
static const dt_measure velocity = {{&dt_dimension_velocity, &dt_dimension_angular_velocity},
                                    {NULL, "rad/s"}};
static const dt_measure acceleration = {
    {&dt_dimension_acceleration, &dt_dimension_angular_acceleration}, {NULL, "rad/s2"}};
static const dt_measure effort = {{&dt_dimension_force, &dt_dimension_torque}, {NULL, NULL}};

/* others */
static const dt_measure force = PLAIN(&dt_dimension_force, NULL);
static const dt_measure torque = PLAIN(&dt_dimension_torque, NULL);
static const dt_measure length = PLAIN(&dt_dimension_length, NULL);
static const dt_measure speed = PLAIN(&dt_dimension_velocity, NULL);
static const dt_measure speeding = PLAIN(&dt_dimension_acceleration, NULL);
static const dt_measure angle = PLAIN(&dt_dimension_none, "rad");
static const dt_measure spin = PLAIN(&dt_dimension_angular_velocity, "rad/s");
static const dt_measure spinning = PLAIN(&dt_dimension_angular_acceleration, "rad/s2");
static const dt_measure energy = PLAIN(&dt_dimension_torque, "J");
static const dt_measure elapsed = PLAIN(&dt_dimension_time, NULL);
static const dt_measure number = PLAIN(&dt_dimension_none, NULL);

#define MEASURE_POSITION     &position
#define MEASURE_VELOCITY     &velocity
#define MEASURE_ACCELERATION &acceleration
#define MEASURE_EFFORT       &effort
#define MEASURE_FORCE        &force
#define MEASURE_TORQUE       &torque
#define MEASURE_LENGTH       &length
#define MEASURE_SPEED        &speed
#define MEASURE_SPEEDING     &speeding
#define MEASURE_ANGLE        &angle
#define MEASURE_SPIN         &spin
#define MEASURE_SPINNING     &spinning
#define MEASURE_ENERGY       &energy
#define MEASURE_NUMBER       &number
#define MEASURE_TIME         &elapsed
#define MEASURE_STATE        NULL
#define MEASURE_NONE         &number

const dt_measure *const dt_measures[DT_VARIABLE_KINDS] = {
#define MEASURE(kind, function, component, measure, subject, traits, family, part) \
    [DT_VARIABLE_##kind] = MEASURE_##measure,
    DT_VARIABLE_TABLE(MEASURE)
#undef MEASURE
};
