/* Bearings: friction that follows what a joint transmits, added to what its stiction has by itself.
 *
 *   joint that slides:   mu B            B = |A1| + |A2|: forces across the axis at the two ends of the guide (bearing_force())
 *   joint that turns:    mu (r B + c T)  r: radius of the journal; T: thrust, along the axis (thrust_force()); c: radius of its collar
 *
 * with the static mu in limits. How the ends share what is transmitted is in dynamics/bearing.h. */
#include "model/record.h"

#include <string.h>

static detent_status refuse(const detent_mechanism *m, const dt_stiction_record *record,
                            const char *why, detent_error *error)
{
    const dt_location where = dt_locate(m->builder, &record->origin, NULL, "bearing", -1);
    return dt_fail(error, DETENT_ERROR_MODEL, &where, "bearing of '%s': %s", record->def.primitive,
                   why);
}

const detent_bearing *dt_bearing_of(const detent_mechanism *m, int primitive)
{
    const int k = m->primitives[primitive].stiction;
    return k < 0 ? NULL
                 : DT_AT(DT_RECORDS(m->builder, stiction), dt_stiction_record, k)->def.bearing;
}

detent_status dt_bearing_take(detent_mechanism *m, void *item, detent_error *error)
{
    dt_stiction_record *record = item;
    detent_stiction_def *def = &record->def;
    if (!def->bearing) {
        return DETENT_OK;
    }
    detent_bearing *copy = dt_arena_one(&m->arena, sizeof *copy);
    if (!copy) {
        return dt_out_of_memory(error);
    }
    *copy = *def->bearing;
    def->bearing = copy;
    const bool alone = !def->kinetic && !def->static_limit && !def->forward && !def->reverse;
    if (alone && copy->coefficient > 0) {
        def->kinetic = def->static_limit = "0";
    }
    return DETENT_OK;
}

/* A size that is negative, or no number; NULL: none. */
static const char *bad_size(const detent_bearing *b)
{
    const struct {
        double value;
        const char *name;
    } sizes[] = {{b->coefficient, "its 'coefficient' is"},
                 {b->static_coefficient, "its 'static_coefficient' is"},
                 {b->length, "its 'length' is"},
                 {b->radius, "its 'radius' is"},
                 {b->collar, "its 'collar' is"}};
    const char *bad = NULL;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes && !bad; k++) {
        bad = sizes[k].value >= 0 && dt_is_finite(&sizes[k].value, 1) ? NULL : sizes[k].name;
    }
    return bad;
}

static const char *fault(const detent_stiction_def *def, bool rotational)
{
    const detent_bearing *b = def->bearing;
    return !dt_is_finite(&b->center, 1) ? "its 'center' is not a finite number"
           : b->fixed_to != DETENT_FIXED_TO_FOLLOWER && b->fixed_to != DETENT_FIXED_TO_BASE
               ? "it is fixed to 'follower' or 'base'"
           : rotational && b->radius == 0
               ? "in a joint that turns it needs the 'radius' at which it rubs"
           : !rotational && b->length == 0 ? "in a joint that slides it needs the 'length' from "
                                             "one end of the guide to the other"
           : !rotational && (b->radius > 0 || b->collar > 0)
               ? "'radius' and 'collar' are of joints that turn, and this one slides"
           : rotational && b->fixed_to == DETENT_FIXED_TO_BASE
               ? "'fixed_to' is of joints that slide: in one that turns it is the same"
           : b->length == 0 && b->center != 0
               ? "a 'center' is that of its 'length', and it has none"
           : b->static_coefficient > 0 && b->static_coefficient < b->coefficient
               ? "a static coefficient is at least the 'coefficient'"
           : b->static_coefficient > 0 && b->coefficient == 0
               ? "a 'static_coefficient' needs a 'coefficient' beside it"
               : NULL;
}

detent_status dt_bearing_check(const detent_mechanism *m, const dt_stiction_record *record,
                               bool rotational, detent_error *error)
{
    const detent_bearing *b = record->def.bearing;
    const char *size = b ? bad_size(b) : NULL,
               *why = b && !size ? fault(&record->def, rotational) : NULL;
    if (size) {
        const dt_location where = dt_locate(m->builder, &record->origin, NULL, "bearing", -1);
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "bearing of '%s': %s negative, or not a finite number",
                       record->def.primitive, size);
    }
    return why ? refuse(m, record, why, error) : DETENT_OK;
}

/* What a coefficient is multiplied with; NULL when memory is out. */
static const char *load(dt_arena *arena, const detent_bearing *b, const char *joint)
{
    return b->radius == 0
               ? dt_arena_printf(arena, "bearing_force(%s)", joint)
               : dt_arena_printf(arena,
                                 "(%.17g [m]*bearing_force(%s) + %.17g [m]*thrust_force(%s))",
                                 b->radius, joint, b->collar > 0 ? b->collar : b->radius, joint);
}

detent_status dt_bearing_add(detent_mechanism *m, int primitive, detent_stiction_def *def,
                             bool *any, detent_error *error)
{
    dt_arena *arena = &m->builder->arena;
    const detent_bearing *b = def->bearing;
    *any = b && b->coefficient > 0;
    if (!*any) {
        return DETENT_OK;
    }
    const double at_rest = b->static_coefficient > 0 ? b->static_coefficient : b->coefficient;
    const struct {
        const char **text, *sign;
        double coefficient;
    } laws[] = {{&def->kinetic, "+", b->coefficient},
                {&def->static_limit, "+", at_rest},
                {&def->forward, "-", at_rest},
                {&def->reverse, "+", at_rest}};
    const char *of = load(arena, b, m->primitives[primitive].name);
    for (size_t l = 0; l < sizeof laws / sizeof *laws && of; l++) {
        if (*laws[l].text) {
            const char *own = dt_law_part(m->builder, *laws[l].text);
            *laws[l].text = own ? dt_arena_printf(arena, "%s %s %.17g*%s", own, laws[l].sign,
                                                  laws[l].coefficient, of)
                                : NULL;
            of = *laws[l].text ? of : NULL;
        }
    }
    return of ? DETENT_OK : dt_out_of_memory(error);
}

/* ---- what is given ---- */

static const char *const fixed_words[] = {"follower", "base", NULL};

#define FIELD(name) offsetof(detent_bearing, name)
static const dt_key keys[] = {
    {"coefficient", DT_VALUE_SIZE, false, FIELD(coefficient), &dt_dimension_number, NULL},
    {"static_coefficient", DT_VALUE_SIZE, false, FIELD(static_coefficient), &dt_dimension_number,
     NULL},
    {"length", DT_VALUE_POSITIVE, false, FIELD(length), &dt_dimension_length, NULL},
    {"radius", DT_VALUE_POSITIVE, false, FIELD(radius), &dt_dimension_length, NULL},
    {"collar", DT_VALUE_POSITIVE, false, FIELD(collar), &dt_dimension_length, NULL},
    {"center", DT_VALUE_NUMBER, false, FIELD(center), &dt_dimension_length, NULL},
    {"fixed_to", DT_VALUE_CHOICE, false, FIELD(fixed_to), NULL, fixed_words},
    DT_KEYS_END,
};
#undef FIELD

const dt_inner dt_bearing_inner = {.table = {"bearing", keys}, .size = sizeof(detent_bearing)};
