#include "model/primitive_key.h"

#include <stddef.h>
#include <string.h>

/* as detent_priority */
static const char *const priority_words[] = {"free", "preferred", "exact", NULL};

/* as detent_way */
static const char *const way_words[] = {"both", "forward", "backward", NULL};

#define FIELD(name)           .offset = offsetof(detent_primitive_def, name)
#define OF(quantity_of)       .quantity = DT_QUANTITY_##quantity_of
#define TO(where, type, name) .place = DT_IN_##where, .member = offsetof(type, name)
#define IN(of, key)           .group = of, .name = key, .path = of "." key
#define ALONE(key)            .name = key, .path = key
#define NO_BALL               .spherical = DT_VALUE_UNSUPPORTED
#define NO_STATE              .none_of_weld = "a weld has no position and no velocity"

const dt_primitive_key dt_primitive_keys[] = {
    {IN("initial", "position"), FIELD(position), OF(POSITION), .scalar = DT_VALUE_NUMBER,
     .spherical = DT_VALUE_ROTATION, .count = 4, NO_STATE},
    {IN("initial", "velocity"), FIELD(velocity), OF(VELOCITY), .scalar = DT_VALUE_NUMBER,
     .spherical = DT_VALUE_VECTOR, .count = 3, NO_STATE},
    {IN("initial", "priority"), FIELD(position_priority), .scalar = DT_VALUE_CHOICE,
     .spherical = DT_VALUE_CHOICE, .extra = priority_words},
    {IN("initial", "velocity_priority"), FIELD(velocity_priority), .scalar = DT_VALUE_CHOICE,
     .spherical = DT_VALUE_CHOICE, .extra = priority_words},
    {IN("spring", "stiffness"), FIELD(stiffness), OF(STIFFNESS), .scalar = DT_VALUE_SIZE, NO_BALL,
     .required = true, .count = 1, TO(PRIMITIVE, dt_primitive, stiffness), .word = "stiffness"},
    {IN("spring", "rest"), FIELD(rest), OF(POSITION), .scalar = DT_VALUE_NUMBER, NO_BALL,
     .count = 1, TO(PRIMITIVE, dt_primitive, rest)},
    {ALONE("damping"), FIELD(damping), OF(DAMPING), .scalar = DT_VALUE_SIZE,
     .spherical = DT_VALUE_SIZE, .count = 1, TO(PRIMITIVE, dt_primitive, damping),
     .word = "damping"},
    {ALONE("armature"), FIELD(armature), OF(INERTIA), .scalar = DT_VALUE_NUMBER, NO_BALL,
     .count = 1, TO(NODE, dt_node, armature)},
    {IN("nominal", "position"), FIELD(nominal_position), OF(POSITION), .scalar = DT_VALUE_POSITIVE,
     NO_BALL, .count = 1, .place = DT_IN_COLUMN, .word = "nominal position",
     .none_of_ball = "the position of a spherical primitive is a rotation: it has no size",
     .none_of_weld = "a weld has no position"},
    {IN("nominal", "velocity"), FIELD(nominal_velocity), OF(VELOCITY), .scalar = DT_VALUE_POSITIVE,
     .spherical = DT_VALUE_POSITIVE, .count = 1, .place = DT_IN_COLUMN, .word = "nominal velocity",
     .none_of_weld = "a weld has no velocity"},
    {ALONE("force"), FIELD(force), OF(EFFORT), .scalar = DT_VALUE_EXPRESSION, NO_BALL,
     TO(PRIMITIVE, dt_primitive, force), .use = DT_USE_FORCE},
    {ALONE("motion"), FIELD(motion), OF(POSITION), .scalar = DT_VALUE_EXPRESSION, NO_BALL,
     TO(PRIMITIVE, dt_primitive, motion), .use = DT_USE_MOTION},
    {ALONE("speed"), FIELD(speed), OF(VELOCITY), .scalar = DT_VALUE_EXPRESSION, NO_BALL,
     TO(PRIMITIVE, dt_primitive, motion), .use = DT_USE_MOTION},
    {ALONE("moves"), FIELD(moves), .scalar = DT_VALUE_CHOICE, .spherical = DT_VALUE_UNSUPPORTED,
     .extra = way_words},
    {0},
};

_Static_assert(sizeof dt_primitive_keys / sizeof *dt_primitive_keys <= DT_MOST_PRIMITIVE_KEYS,
               "there is a column for each");

#define MEMBER(kind, name)                                                              \
    {                                                                                   \
#name, DT_VALUE_##kind, false, offsetof(detent_primitive_def, name), NULL, NULL \
    }
static const dt_key fields[] = {MEMBER(VECTOR, axis),
                                MEMBER(ROTATION, position),
                                MEMBER(VECTOR, velocity),
                                MEMBER(CHOICE, position_priority),
                                MEMBER(CHOICE, velocity_priority),
                                MEMBER(NUMBER, stiffness),
                                MEMBER(NUMBER, rest),
                                MEMBER(NUMBER, damping),
                                MEMBER(NUMBER, armature),
                                MEMBER(NUMBER, nominal_position),
                                MEMBER(NUMBER, nominal_velocity),
                                MEMBER(EXPRESSION, force),
                                MEMBER(EXPRESSION, motion),
                                MEMBER(EXPRESSION, speed),
                                MEMBER(CHOICE, moves),
                                MEMBER(TRUTH, position_is_given),
                                DT_KEYS_END};
#undef MEMBER
const dt_inner dt_primitive_inner = {.table = {"primitive", fields},
                                     .size = sizeof(detent_primitive_def)};

const dt_dimension dt_joint_dimensions[DT_QUANTITIES] = {{0}}; /* of none is anything known */
const dt_dimension dt_loaded_dimensions[DT_QUANTITIES] = {{0}};
const dt_dimension dt_item_dimension = {0};

dt_quantity dt_key_quantity(const dt_key *key, bool *per_load)
{
    int quantity = DT_QUANTITIES - 1;
    while (quantity > 0 && key->dimension != &dt_joint_dimensions[quantity] &&
           key->dimension != &dt_loaded_dimensions[quantity]) {
        quantity--;
    }
    *per_load = key->dimension == &dt_loaded_dimensions[quantity];
    return (dt_quantity)quantity;
}

const dt_dimension *dt_quantity_dimension(dt_quantity quantity, bool rotational)
{
    static const dt_dimension *const of[][2] = {
        [DT_QUANTITY_NONE] = {NULL, NULL},
        [DT_QUANTITY_POSITION] = {&dt_dimension_length, &dt_dimension_none},
        [DT_QUANTITY_VELOCITY] = {&dt_dimension_velocity, &dt_dimension_angular_velocity},
        [DT_QUANTITY_STIFFNESS] = {&dt_dimension_stiffness, &dt_dimension_rotational_stiffness},
        [DT_QUANTITY_DAMPING] = {&dt_dimension_damping, &dt_dimension_rotational_damping},
        [DT_QUANTITY_INERTIA] = {&dt_dimension_mass, &dt_dimension_inertia},
        [DT_QUANTITY_EFFORT] = {&dt_dimension_force, &dt_dimension_torque}};
    return of[quantity][rotational];
}

const char *dt_primitive_group_title(const char *group, bool spherical)
{
    return strcmp(group, "initial") == 0   ? "initial state"
           : strcmp(group, "nominal") != 0 ? group
           : spherical                     ? "spherical primitive's nominal scale"
                                           : "nominal scale";
}

bool dt_primitive_is_given(const dt_primitive_key *key, const detent_primitive_def *def)
{
    const void *field = dt_primitive_field(key, def);
    bool any = false;
    if (dt_primitive_is_text(key)) {
        return *(const char *const *)field != NULL;
    }
    for (int k = 0; k < key->count && !any; k++) {
        any = ((const double *)field)[k] != 0.0;
    }
    return any;
}

double dt_primitive_number(const detent_mechanism *m, size_t field, int primitive)
{
    int k = 0;
    while (m->column && dt_primitive_keys[k].offset != field) {
        k++;
    }
    return m->column && m->column[k] ? m->column[k][primitive] : 0;
}
