/*
 * Stops: where the way of a joint ends. A rigid one is a condition, and what it does is a part of the friction of its joint (model/stop.c,
 * integrator/source_stop.c). A compliant one pushes back what has gone e beyond it:
 *
 *   F = max(0, k e + d e')   against it,   0 where e <= 0
 */
#include "dynamics/push.h"

static const char *const side_words[] = {"lower", "upper", NULL};

#define FIELD(name) offsetof(detent_stop_def, name)
static const dt_key keys[] = {
    {"joint", DT_VALUE_JOINT, true, FIELD(joint), NULL, NULL},
    {"side", DT_VALUE_CHOICE, true, FIELD(side), NULL, side_words},
    {"at", DT_VALUE_NUMBER, true, FIELD(at), DT_OF_ITS_JOINT(POSITION), NULL},
    {"restitution", DT_VALUE_SIZE, false, FIELD(restitution), &dt_dimension_none, NULL},
    {"stiffness", DT_VALUE_POSITIVE, false, FIELD(stiffness), DT_OF_ITS_JOINT(STIFFNESS), NULL},
    {"damping", DT_VALUE_SIZE, false, FIELD(damping), DT_OF_ITS_JOINT(DAMPING), NULL},
    DT_KEYS_END,
};
#undef FIELD

static const dt_item_law laws[] = {{"stiffness", DT_USE_FORCE, NULL}};

static const char *text(dt_arena *arena, const void *definition, int law, const char *own)
{
    const detent_stop_def *stop = definition;
    const int sign = stop->side == DETENT_LOWER ? 1 : -1;
    (void)law, (void)own;
    if (stop->stiffness == 0) {
        return "0";
    }
    return dt_arena_printf(arena,
                           "if(%d*(%.17g - position(%s)) > 0, %d*max(0, %.17g*%d*(%.17g - "
                           "position(%s)) - %.17g*%d*velocity(%s)), 0)",
                           sign, stop->at, stop->joint, sign, stop->stiffness, sign, stop->at,
                           stop->joint, stop->damping, sign, stop->joint);
}

static const dt_item_kind stops = {.what = "stop",
                                   .plural = "stops",
                                   .is_section = true,
                                   .joint_key = "stops",
                                   .parts = side_words,
                                   .bounds = true,
                                   .keys = keys,
                                   .size = sizeof(detent_stop_def),
                                   .laws = laws,
                                   .law_count = 1,
                                   .text = text};

static const dt_law_role roles[] = {DT_LAW_STOP};

const dt_element_kind dt_stop_element = {.items = DT_ITEMS_OWN,
                                         .item = &stops,
                                         .law_count = 1,
                                         .role = roles,
                                         .prepare = dt_push_prepare,
                                         .inject = dt_push_inject,
                                         .measure = dt_push_measure};
