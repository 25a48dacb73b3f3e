/*
 * Struts: a spring and a damper side by side on the line between points of two bodies (element_line.c).
 *
 *   tension   T = k (l - l0) + d l'
 *
 * Where the points meet there is no force where k r is all there is (l0 = 0, d = 0), otherwise no number.
 */
#include "dynamics/element.h"

/* ---- what is given ---- */

_Static_assert(offsetof(detent_spring_def, point) - offsetof(detent_spring_def, body) ==
                   offsetof(dt_ends, point),
               "bodies and points are ends");

#define FIELD(name) offsetof(detent_spring_def, name)
static const dt_key keys[] = {
    {"between", DT_VALUE_ENDS, true, FIELD(body), NULL, "end of a spring"},
    {"stiffness", DT_VALUE_SIZE, false, FIELD(stiffness), &dt_dimension_stiffness, NULL},
    {"rest", DT_VALUE_SIZE, false, FIELD(rest), &dt_dimension_length, NULL},
    {"damping", DT_VALUE_SIZE, false, FIELD(damping), &dt_dimension_damping, NULL},
    DT_KEYS_END,
};
#undef FIELD

static const dt_item_kind springs = {
    .what = "spring",
    .plural = "springs",
    .named = 1 + DETENT_SPRING,
    .is_section = true,
    .readings = {DT_VARIABLE_SPRING_LENGTH, DT_VARIABLE_SPRING_FORCE},
    .keys = keys,
    .size = sizeof(detent_spring_def)};

/* ---- the force ---- */

static void pull(const void *definition, double length, double rate, dt_pull *pull)
{
    const detent_spring_def *strut = definition;
    pull->tension = strut->stiffness * (length - strut->rest) + strut->damping * rate;
    pull->by_length = strut->stiffness;
    pull->by_rate = strut->damping;
}

static bool needs_direction(const void *definition)
{
    const detent_spring_def *strut = definition;
    return strut->rest != 0 || strut->damping != 0;
}

static double potential(const void *definition, double length)
{
    const detent_spring_def *strut = definition;
    const double stretch = length - strut->rest;
    return 0.5 * strut->stiffness * stretch * stretch;
}

static double loss(const void *definition, double length, double rate)
{
    const detent_spring_def *strut = definition;
    (void)length;
    return strut->damping != 0 ? strut->damping * rate * rate : 0;
}

enum { PART_LENGTH, PART_FORCE };

static double reading(const void *definition, double length, double rate, int part, double slope[2])
{
    dt_pull now;
    pull(definition, length, rate, &now);
    slope[0] = part == PART_LENGTH ? 1 : now.by_length;
    slope[1] = part == PART_LENGTH ? 0 : now.by_rate;
    return part == PART_LENGTH ? length : now.tension;
}

static const dt_line_force along = {.pull = pull,
                                    .needs_direction = needs_direction,
                                    .potential = potential,
                                    .loss = loss,
                                    .reading = reading};

const dt_element_kind dt_strut_element = {.item = &springs, .line = &along};
