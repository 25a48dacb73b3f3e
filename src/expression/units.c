#include "expression/units.h"
#include "base/arena.h"
#include "base/name_map.h"
#include "base/nearest.h"

#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <udunits2.h>

enum { BASES = 7, LENGTH_MAX = 120 };

typedef struct known_unit {
    bool is_valid;
    double factor, offset;
    dt_dimension dimension;
} known_unit;

struct dt_unit_system {
    dt_arena arena;
    ut_system *database;      /* NULL until the first unit */
    ut_unit *base[BASES + 1]; /* m kg s A K mol cd, then rad; owned by the database */
    dt_name_map names;        /* of the units seen so far, index of `known` */
    known_unit *known;
    size_t count, capacity;
};

/* udunits2 keeps a parser, a status and a message handler for the whole process. */
static pthread_mutex_t udunits_lock = PTHREAD_MUTEX_INITIALIZER;

dt_unit_system *dt_unit_system_create(const detent_allocator *allocator)
{
    dt_arena arena;
    dt_arena_init(&arena, allocator);
    dt_unit_system *system = dt_arena_alloc(&arena, 1, sizeof *system);
    if (!system) {
        dt_arena_free(&arena);
        return NULL;
    }
    system->arena = arena;
    dt_name_map_init(&system->names, &system->arena);
    return system;
}

void dt_unit_system_destroy(dt_unit_system *system)
{
    if (!system) {
        return;
    }
    if (system->database) {
        pthread_mutex_lock(&udunits_lock);
        for (int i = 0; i <= BASES; i++) {
            ut_free(system->base[i]);
        }
        ut_free_system(system->database);
        pthread_mutex_unlock(&udunits_lock);
    }
    dt_arena arena = system->arena; /* the system itself lives in it */
    dt_arena_free(&arena);
}

/* --- Spelling --------------------------------------------------------------------------------- */

static bool is_unit_letter(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '%' || (unsigned char)c >= 0x80;
}

static bool is_plausible_at(const char *unit, size_t length, size_t i)
{
    char before = i > 0 ? unit[i - 1] : '\0';
    char after = i + 1 < length ? unit[i + 1] : '\0';
    char c = unit[i];

    if (isdigit((unsigned char)c)) {
        if (i == 0) {
            return c == '1' && !isdigit((unsigned char)after);
        }
        return is_unit_letter(before) || isdigit((unsigned char)before) || before == '^' ||
               before == '-';
    }
    if (is_unit_letter(c)) {
        return !isdigit((unsigned char)before);
    }
    switch (c) {
    case '-':
        return (is_unit_letter(before) || before == '^') && isdigit((unsigned char)after);
    case '^':
        return (is_unit_letter(before) || before == ')') &&
               (isdigit((unsigned char)after) || after == '-');
    case '.':
        return i > 0 && is_unit_letter(after);
    case '*':
    case '/':
    case '(':
    case ')':
    case ' ':
    case '\t':
        return true;
    default:
        return false;
    }
}

/* Every byte beyond ASCII belongs to a character of UTF-8: udunits2 overlooks a stray one at the
 * end. */
static bool is_utf8(const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        unsigned char lead = (unsigned char)text[i++];
        size_t more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
        if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4 || more > length - i) {
            return false;
        }
        for (; more > 0; more--) {
            if (((unsigned char)text[i++] & 0xC0) != 0x80) {
                return false;
            }
        }
    }
    return true;
}

bool dt_unit_is_plausible(const char *unit, size_t length)
{
    bool has_letter = false;
    int open = 0; /* udunits2 reads "m)" as m */
    for (size_t i = 0; i < length; i++) {
        open += (unit[i] == '(') - (unit[i] == ')');
        if (open < 0 || !is_plausible_at(unit, length, i)) {
            return false;
        }
        has_letter |= is_unit_letter(unit[i]);
    }
    return has_letter && open == 0 && length <= LENGTH_MAX && is_utf8(unit, length);
}

/* --- udunits2, under the lock ----------------------------------------------------------------- */

/* Spellings that engineers use and the database lacks, or reads as something odd (mph as
 * milliphot). */
static void add_aliases(ut_system *database)
{
    static const char *const aliases[][2] = {{"deg", "degree"},      {"rev", "revolution"},
                                             {"Nm", "newton meter"}, {"mph", "mile/hour"},
                                             {"dyn", "dyne"},        {"rps", "revolution/second"}};
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        ut_unit *unit = ut_parse(database, aliases[i][1], UT_ASCII);
        if (unit) {
            ut_map_symbol_to_unit(aliases[i][0], UT_ASCII, unit);
            ut_free(unit);
        }
    }
}

static bool open_database(dt_unit_system *system)
{
    static const char *const names[] = {"meter",  "kilogram", "second",  "ampere",
                                        "kelvin", "mole",     "candela", "radian"};
    ut_system *database = ut_read_xml(NULL);
    bool is_complete = database != NULL;
    for (int i = 0; i <= BASES && database; i++) {
        system->base[i] = ut_get_unit_by_name(database, names[i]);
        is_complete = is_complete && system->base[i];
    }
    if (is_complete) {
        add_aliases(database);
        system->database = database;
        return true;
    }
    for (int i = 0; i <= BASES; i++) {
        ut_free(system->base[i]);
        system->base[i] = NULL;
    }
    ut_free_system(database);
    return false;
}

/* The exponents of a unit: m kg s A K mol cd, then rad. */
typedef struct exponents {
    const dt_unit_system *system;
    int of[BASES + 1];
} exponents;

static ut_status visit_basic(const ut_unit *unit, void *context)
{
    exponents *found = context;
    for (int i = 0; i <= BASES; i++) {
        if (ut_compare(unit, found->system->base[i]) == 0) {
            found->of[i]++;
            return UT_SUCCESS;
        }
    }
    return UT_MEANINGLESS; /* a basic unit that is not SI */
}

static ut_status visit_product(const ut_unit *unit, int count, const ut_unit *const *basics,
                               const int *powers, void *context)
{
    (void)unit;
    exponents *found = context;
    for (int k = 0; k < count; k++) {
        exponents one = {.system = found->system};
        if (visit_basic(basics[k], &one) != UT_SUCCESS) {
            return UT_MEANINGLESS;
        }
        for (int i = 0; i <= BASES; i++) {
            found->of[i] += one.of[i] * powers[k];
        }
    }
    return UT_SUCCESS;
}

static ut_status visit_galilean(const ut_unit *unit, double scale, const ut_unit *underlying,
                                double offset, void *context);

static ut_status visit_timestamp(const ut_unit *unit, const ut_unit *time, double origin,
                                 void *context)
{
    (void)unit, (void)time, (void)origin, (void)context;
    return UT_MEANINGLESS;
}

static ut_status visit_logarithmic(const ut_unit *unit, double base, const ut_unit *reference,
                                   void *context)
{
    (void)unit, (void)base, (void)reference, (void)context;
    return UT_MEANINGLESS;
}

static const ut_visitor visitor = {visit_basic, visit_product, visit_galilean, visit_timestamp,
                                   visit_logarithmic};

static ut_status visit_galilean(const ut_unit *unit, double scale, const ut_unit *underlying,
                                double offset, void *context)
{
    (void)unit, (void)scale, (void)offset;
    return ut_accept_visitor(underlying, &visitor, context);
}

/* The SI unit with these exponents; NULL if there is none. */
static ut_unit *si_unit(const dt_unit_system *system, const int exponents_of[BASES + 1])
{
    ut_unit *product = ut_get_dimensionless_unit_one(system->database);
    for (int i = 0; i <= BASES && product; i++) {
        ut_unit *power = ut_raise(system->base[i], exponents_of[i]);
        ut_unit *next = power ? ut_multiply(product, power) : NULL;
        ut_free(power);
        ut_free(product);
        product = next;
    }
    return product;
}

/* value_si = factor value + offset. The factor is read off at a distance where the offset rounds
 * away least. */
static void read_converter(cv_converter *converter, known_unit *result)
{
    result->offset = cv_convert_double(converter, 0);
    double far = result->offset == 0 ? 1 : 1048576;
    result->factor = (cv_convert_double(converter, far) - result->offset) / far;
    result->is_valid = isfinite(result->factor) && isfinite(result->offset) && result->factor != 0;
}

static void convert(const dt_unit_system *system, ut_unit *unit, known_unit *result)
{
    exponents found = {.system = system};
    if (ut_accept_visitor(unit, &visitor, &found) != UT_SUCCESS) {
        return;
    }
    for (int i = 0; i < BASES; i++) {
        if (found.of[i] > 127 || found.of[i] < -127) {
            return;
        }
        result->dimension.exponent[i] = (signed char)found.of[i];
    }
    result->dimension.known = true;
    result->dimension.angle = (signed char)(found.of[BASES] > 0 ? 1 : -(found.of[BASES] < 0));
    ut_unit *si = si_unit(system, found.of);
    cv_converter *converter = si ? ut_get_converter(unit, si) : NULL;
    if (converter) {
        read_converter(converter, result);
    }
    cv_free(converter);
    ut_free(si);
}

/* Fills `result`; it stays invalid if there is no such unit. False if the database cannot be read.
 */
static bool look_up(dt_unit_system *system, const char *name, known_unit *result)
{
    pthread_mutex_lock(&udunits_lock);
    ut_error_message_handler old = ut_set_error_message_handler(ut_ignore);
    bool is_open = system->database || open_database(system);
    ut_unit *unit = is_open ? ut_parse(system->database, name, UT_UTF8) : NULL;
    if (unit) {
        convert(system, unit, result);
        ut_free(unit);
    }
    ut_set_error_message_handler(old);
    pthread_mutex_unlock(&udunits_lock);
    return is_open;
}

/* --- What has been looked up is kept ---------------------------------------------------------- */

/* The entry of a unit, new if need be, or NULL with the reason in `status`. */
static const known_unit *remember(dt_unit_system *system, const char *unit, size_t length,
                                  detent_status *status)
{
    char name[LENGTH_MAX + 1];
    memcpy(name, unit, length);
    name[length] = '\0';
    int index = dt_name_map_get(&system->names, name);
    if (index >= 0) {
        return &system->known[index];
    }
    *status = DETENT_ERROR_MEMORY;
    if (system->count == system->capacity) {
        size_t capacity = system->capacity ? 2 * system->capacity : 8;
        known_unit *known =
            dt_arena_grow(&system->arena, system->known, system->capacity, capacity, sizeof *known);
        if (!known) {
            return NULL;
        }
        system->known = known;
        system->capacity = capacity;
    }
    known_unit *entry = &system->known[system->count];
    *entry = (known_unit){.is_valid = false};
    if (!look_up(system, name, entry)) {
        *status = DETENT_ERROR_IO;
        return NULL;
    }
    const char *copy = dt_arena_copy(&system->arena, name, length);
    if (!copy || dt_name_map_put(&system->names, copy, (int)system->count) != DETENT_OK) {
        return NULL;
    }
    system->count++;
    return entry;
}

static detent_status fail_unknown(const char *unit, size_t length, const dt_location *where,
                                  detent_error *error)
{
    static const char *const usual[] = {"degree",    "radian", "meter", "second", "newton",
                                        "rpm",       "lbf",    "inch",  "foot",   "rev",
                                        "deg",       "min",    "rad",   "kg",     "mm",
                                        "kilometer", "pound",  "hour",  "lbf*ft", "N*m"};
    char name[LENGTH_MAX + 1];
    length = length < LENGTH_MAX ? length : LENGTH_MAX;
    memcpy(name, unit, length);
    name[length] = '\0';
    const char *nearest =
        length > 1 ? dt_nearest(name, usual, sizeof usual / sizeof usual[0]) : NULL;
    if (nearest) {
        return dt_fail(error, DETENT_ERROR_MODEL, where,
                       "there is no unit '%s'; did you mean '%s'?", name, nearest);
    }
    return dt_fail(error, DETENT_ERROR_MODEL, where, "there is no unit '%s' with an SI equivalent",
                   name);
}

detent_status dt_unit_parse(dt_unit_system *system, const char *unit, size_t length,
                            const dt_location *where, double *factor, double *offset,
                            dt_dimension *dimension, detent_error *error)
{
    while (length > 0 && isspace((unsigned char)unit[0])) {
        unit++;
        length--;
    }
    while (length > 0 && isspace((unsigned char)unit[length - 1])) {
        length--;
    }
    if (length == 0) {
        return dt_fail(error, DETENT_ERROR_MODEL, where, "a unit is missing");
    }
    if (!dt_unit_is_plausible(unit, length)) {
        return fail_unknown(unit, length, where, error);
    }
    detent_status status = DETENT_OK;
    const known_unit *known = remember(system, unit, length, &status);
    if (!known) {
        return dt_fail(error, status, where,
                       status == DETENT_ERROR_IO ? "the database of units (udunits2) cannot be read"
                                                 : "out of memory");
    }
    if (!known->is_valid) {
        return fail_unknown(unit, length, where, error);
    }
    *factor = known->factor;
    *offset = known->offset;
    *dimension = known->dimension;
    return DETENT_OK;
}
