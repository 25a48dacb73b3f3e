/* What the field of a key is made of: numbers and texts. */

#include "model/item.h"

/* How many numbers the field of a key is. */
static int count_numbers(const dt_key *key)
{
    switch (key->kind) {
    case DT_VALUE_NUMBER:
    case DT_VALUE_SIZE:
    case DT_VALUE_POSITIVE:
        return 1;
    case DT_VALUE_VECTOR:
    case DT_VALUE_SIZE_VECTOR:
        return 3;
    case DT_VALUE_ROTATION:
        return 4;
    case DT_VALUE_INERTIA:
    case DT_VALUE_ENDS: /* points */
        return 6;
    case DT_VALUE_END_FRAMES: /* and rotations behind them */
        return 6 + 8;
    case DT_VALUE_SIZES:
        return DT_MOST_SIZES;
    default:
        return 0;
    }
}

_Static_assert(offsetof(dt_end_frames, rotation) - offsetof(dt_end_frames, ends.point) ==
                   6 * sizeof(double),
               "points and rotations are one row of numbers");

int dt_key_numbers(const dt_key *key, const void *definition, const double **numbers)
{
    const void *field = (const char *)definition + key->offset;
    *numbers = dt_key_is_ends(key) ? ((const dt_ends *)field)->point[0] : field;
    return count_numbers(key);
}

bool dt_key_is_plain(const dt_key *key)
{
    return count_numbers(key) > 0 || dt_key_is_word(key) || key->kind == DT_VALUE_EXPRESSION ||
           key->kind == DT_VALUE_JOINT;
}

int dt_key_texts(const dt_key *key)
{
    switch (key->kind) {
    case DT_VALUE_TEXT:
    case DT_VALUE_EXPRESSION:
    case DT_VALUE_REFERENCE:
    case DT_VALUE_JOINT:
        return 1;
    case DT_VALUE_ENDS: /* bodies */
    case DT_VALUE_END_FRAMES:
        return 2;
    case DT_VALUE_EXPRESSIONS:
        return 3;
    default:
        return 0;
    }
}
