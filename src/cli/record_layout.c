#include "record_layout.h"

#include <string.h>

const char *const record_dimension_names[RECORD_DIMENSIONS] = {
    [RECORD_TIME] = "time",
    [RECORD_EVENT] = "event",
    [RECORD_INSTANT] = "instant",
    [RECORD_STORY] = "story_character",
    [RECORD_BODY] = "body",
    [RECORD_JOINT] = "joint",
    [RECORD_COORDINATE] = "coordinate",
    [RECORD_FREEDOM] = "freedom",
    [RECORD_STICTION] = "stiction",
    [RECORD_STATE] = "state",
    [RECORD_INPUT] = "input",
    [RECORD_OUTPUT] = "output",
    [RECORD_HELD] = "held",
    [RECORD_XYZ] = "xyz",
    [RECORD_WXYZ] = "wxyz",
};

const char record_modes[] = "locked wait unlocked";
/* in the order of detent_cause */
const char record_causes[] = "initial limit stop threshold search switch input jam impact sample";

#define PER_ITEM(name, quantity, items, rate, title)                              \
    {                                                                             \
        name, quantity, items, RECORD_NONE, 0, 1, STORE_DOUBLE, NULL, rate, title \
    }
#define VECTOR(name, quantity, items, components, first, stride, unit, title)          \
    {                                                                                  \
        name, quantity, items, components, first, stride, STORE_DOUBLE, unit, 0, title \
    }
#define WORD(name, quantity, title)                                                  \
    {                                                                                \
        name, quantity, RECORD_STICTION, RECORD_NONE, 0, 1, STORE_BYTE, "", 0, title \
    }
#define ENERGY(name, which, title)                                                             \
    {                                                                                          \
        name, DETENT_ENERGIES, RECORD_NONE, RECORD_NONE, which, 1, STORE_DOUBLE, "J", 0, title \
    }

const record_part record_parts[RECORD_PARTS] = {
    PER_ITEM("position", DETENT_POSITIONS, RECORD_COORDINATE, 0, "positions of joints"),
    PER_ITEM("velocity", DETENT_VELOCITIES, RECORD_FREEDOM, 1, "velocities of joints"),
    PER_ITEM("acceleration", DETENT_ACCELERATIONS, RECORD_FREEDOM, 2, "accelerations of joints"),
    PER_ITEM("force", DETENT_FORCES, RECORD_FREEDOM, 3, "what acts along joints, but friction"),
    PER_ITEM("friction", DETENT_FRICTIONS, RECORD_STICTION, 0, "friction of joints"),
    {"limit_low", DETENT_LIMITS, RECORD_STICTION, RECORD_NONE, 0, 2, STORE_DOUBLE, NULL, 0,
     "lower limit of static friction"},
    {"limit_high", DETENT_LIMITS, RECORD_STICTION, RECORD_NONE, 1, 2, STORE_DOUBLE, NULL, 0,
     "upper limit of static friction"},
    {"margin", DETENT_MARGINS, RECORD_STICTION, RECORD_NONE, 0, 1, STORE_DOUBLE, "", 0,
     "distance of friction from its nearer limit where locked, else acceleration along the "
     "direction"},
    WORD("mode", DETENT_MODES, "mode of joints"),
    WORD("direction", DETENT_DIRECTIONS, "direction of joints that are not locked"),
    PER_ITEM("state_value", DETENT_STATES, RECORD_STATE, 0, "states"),
    VECTOR("input_value", DETENT_INPUTS, RECORD_INPUT, RECORD_NONE, 0, 1, "", "inputs"),
    VECTOR("held_value", DETENT_HELD, RECORD_HELD, RECORD_NONE, 0, 1, "",
           "sampled values as they are held, instants since which joints rest"),
    PER_ITEM("output_value", DETENT_OUTPUTS, RECORD_OUTPUT, 0, "outputs"),
    ENERGY("kinetic_energy", DETENT_ENERGY_KINETIC, "kinetic energy"),
    ENERGY("potential_energy", DETENT_ENERGY_POTENTIAL, "potential energy"),
    ENERGY("friction_work", DETENT_ENERGY_FRICTION_WORK, "work of friction so far"),
    ENERGY("damping_work", DETENT_ENERGY_DAMPING_WORK, "work of damping so far"),
    ENERGY("actuation_work", DETENT_ENERGY_ACTUATION_WORK, "work of actuation so far"),
    ENERGY("impact_loss", DETENT_ENERGY_IMPACT_LOSS, "energy lost at impacts so far"),
    VECTOR("gravity", DETENT_GRAVITY, RECORD_NONE, RECORD_XYZ, 0, 3, "m/s^2", "gravity"),
    VECTOR("origin", DETENT_POSES, RECORD_BODY, RECORD_XYZ, 0, 7, "m",
           "origins of bodies in the world"),
    VECTOR("rotation", DETENT_POSES, RECORD_BODY, RECORD_WXYZ, 3, 7, "1",
           "rotations of bodies, body to world"),
    VECTOR("place", DETENT_PLACES, RECORD_JOINT, RECORD_XYZ, 0, 3, "m",
           "origins of joint frames in the world"),
    VECTOR("axis", DETENT_AXES, RECORD_JOINT, RECORD_XYZ, 0, 3, "1", "axes of joints in the world"),
    VECTOR("reaction_force", DETENT_REACTIONS, RECORD_JOINT, RECORD_XYZ, 0, 6, "N",
           "forces of joints on their followers, world axes"),
    VECTOR("reaction_torque", DETENT_REACTIONS, RECORD_JOINT, RECORD_XYZ, 3, 6, "N m",
           "torques of joints on their followers, world axes, about the place of the joint"),
};

size_t record_count(const detent_mechanism *mechanism, record_dimension dimension)
{
    switch (dimension) {
    case RECORD_BODY:
        return detent_count(mechanism, DETENT_BODY);
    case RECORD_JOINT:
        return detent_count(mechanism, DETENT_PRIMITIVE);
    case RECORD_COORDINATE:
        return detent_quantity_length(mechanism, DETENT_POSITIONS);
    case RECORD_FREEDOM:
        return detent_quantity_length(mechanism, DETENT_VELOCITIES);
    case RECORD_STICTION:
        return detent_count(mechanism, DETENT_STICTION);
    case RECORD_STATE:
        return detent_count(mechanism, DETENT_STATE);
    case RECORD_INPUT:
        return detent_count(mechanism, DETENT_INPUT);
    case RECORD_OUTPUT:
        return detent_count(mechanism, DETENT_OUTPUT);
    case RECORD_HELD:
        return detent_quantity_length(mechanism, DETENT_HELD);
    case RECORD_XYZ:
        return 3;
    case RECORD_WXYZ:
        return 4;
    case RECORD_NONE:
        return 1;
    default:
        return 0;
    }
}

/* The primitive that a coordinate or a freedom is of. */
static size_t primitive_of(const detent_mechanism *mechanism, record_dimension dimension,
                           size_t index, detent_primitive_info *p)
{
    size_t low = 0, high = detent_count(mechanism, DETENT_PRIMITIVE);
    while (high - low > 1) { /* that of `low` begins at or before it */
        const size_t middle = low + (high - low) / 2;
        detent_get_primitive(mechanism, middle, p);
        const size_t first =
            dimension == RECORD_COORDINATE ? p->first_coordinate : p->first_freedom;
        *(first <= index ? &low : &high) = middle;
    }
    detent_get_primitive(mechanism, low, p);
    return low;
}

static const char *unit_of_freedom(bool is_length, int rate)
{
    static const char *const lengths[] = {"m", "m/s", "m/s^2", "N"}, *const angles[] = {
                                                                         "rad", "rad/s", "rad/s^2",
                                                                         "N m"};
    return (is_length ? lengths : angles)[rate];
}

const char *record_unit(const detent_mechanism *mechanism, record_dimension dimension, size_t index,
                        int rate)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    switch (dimension) {
    case RECORD_COORDINATE:
    case RECORD_FREEDOM: {
        const size_t primitive = primitive_of(mechanism, dimension, index, &p);
        const char *unit = detent_unit(mechanism, DETENT_PRIMITIVE, primitive);
        return dimension == RECORD_COORDINATE && p.coordinates > 1
                   ? "1"
                   : unit_of_freedom(strcmp(unit, "m") == 0, rate);
    }
    case RECORD_STICTION:
        return detent_unit(mechanism, DETENT_STICTION, index);
    case RECORD_STATE:
        return detent_unit(mechanism, DETENT_STATE, index);
    case RECORD_OUTPUT:
        return detent_unit(mechanism, DETENT_OUTPUT, index);
    default:
        return "";
    }
}

void record_flags(store *s, int id, const char *meanings)
{
    double values[16];
    size_t count = 1;
    for (const char *c = meanings; *c; c++) {
        count += *c == ' ';
    }
    for (size_t k = 0; k < count; k++) {
        values[k] = (double)k;
    }
    store_numbers(s, id, "flag_values", values, count);
    store_text(s, id, "flag_meanings", meanings);
}
