/* Numbers and quantities. */

#include "base/text.h"
#include "expression/parser.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* number * unit in SI. */
static detent_status convert(dt_session *session, const dt_source_text *source, double number,
                             size_t unit, size_t length, size_t offset, dt_operand *result)
{
    double factor, shift;
    dt_dimension dimension;
    if (!session->units) {
        return dt_source_fail(source, unit, session->error, DETENT_ERROR_MODEL,
                              "no unit is allowed here");
    }
    detent_status status = dt_unit_parse(session->units, source->text + unit, length, NULL, &factor,
                                         &shift, &dimension, session->error);
    if (status == DETENT_ERROR_MEMORY) {
        return dt_session_out_of_memory(session);
    }
    if (status) {
        const char *message = session->error ? session->error->message : "";
        return dt_source_fail(source, unit, session->error, status, "%s", message);
    }
    double value = number * factor + shift;
    if (!isfinite(value)) {
        return dt_source_fail(source, offset, session->error, DETENT_ERROR_MODEL,
                              "this quantity is too large");
    }
    return dt_session_constant(session, source, value, &dimension, offset, result);
}

detent_status dt_parser_number(dt_parser *parser, dt_operand *result)
{
    dt_token number = *dt_parser_token(parser);
    dt_token unit = dt_parser_token(parser)[1];
    const char *text = parser->source->text;
    parser->next++;
    if (unit.kind != DT_TOKEN_UNIT) {
        return dt_session_constant(parser->session, parser->source, number.value,
                                   &dt_dimension_unknown, number.offset, result);
    }
    parser->next++;
    if (dt_parser_token(parser)->kind == DT_TOKEN_CARET) {
        return dt_source_fail(
            parser->source, dt_parser_token(parser)->offset, parser->session->error,
            DETENT_ERROR_SYNTAX,
            "is the number raised, or its unit? Write (2 m)^2 for the one, 2 [m^2] for the other");
    }
    bool is_bare_t = unit.length == 1 && text[unit.offset] == 't' && text[unit.offset - 1] != '[';
    if (is_bare_t) {
        return dt_source_fail(parser->source, unit.offset, parser->session->error,
                              DETENT_ERROR_SYNTAX,
                              "for a multiple of the time write 2*t, for tonnes 2 [t]");
    }
    return convert(parser->session, parser->source, number.value, unit.offset, unit.length,
                   number.offset, result);
}

static size_t skip_blanks(const char *text, size_t i)
{
    return i + strspn(text + i, " \t\r\n");
}

/* "5 s-2": a name, a minus, digits and nothing more, or an expression that goes on. It reads as a
 * difference, too. */
static bool is_difference(const char *unit, size_t length)
{
    size_t i = 0;
    while (i < length && isalpha((unsigned char)unit[i])) {
        i++;
    }
    return i > 0 && i + 1 < length && unit[i] == '-' && isdigit((unsigned char)unit[i + 1]);
}

/* Whether a unit names `t`: that is the time first of all; tonnes are written [t]. */
static bool names_time(const char *unit, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool starts = i == 0 || !(isalnum((unsigned char)unit[i - 1]) || unit[i - 1] == '_');
        bool ends = i + 1 == length || !(isalpha((unsigned char)unit[i + 1]) || unit[i + 1] == '_');
        if (unit[i] == 't' && starts && ends) {
            return true;
        }
    }
    return false;
}

/* A text of the form NUMBER UNIT, with an optional sign. */
typedef struct quantity {
    size_t start, unit, end; /* of its sign or number, its unit, behind that */
    double value;            /* of the number, with its sign */
    bool is_signed, is_difference;
    double shift; /* of the unit */
} quantity;

/* `*is`: whether a text is one. What is no unit may still be an expression, and if not the parser says why. */
static detent_status find_quantity(dt_unit_system *units, const char *text, size_t length,
                                   quantity *of, bool *is)
{
    const size_t start = skip_blanks(text, 0);
    const bool is_signed = text[start] == '-' || text[start] == '+';
    const size_t number = is_signed ? skip_blanks(text, start + 1) : start,
                 digits = dt_lexer_number_length(text + number),
                 unit = skip_blanks(text, number + digits);
    size_t end = length;
    double value, factor, shift;
    dt_dimension dimension;
    *is = false;
    while (end > unit && strchr(" \t\r\n", text[end - 1])) {
        end--;
    }
    if (digits == 0 || !units || !dt_unit_is_plausible(text + unit, end - unit) ||
        names_time(text + unit, end - unit) || !dt_parse_number(text + number, digits, &value)) {
        return DETENT_OK;
    }
    const detent_status status =
        dt_unit_parse(units, text + unit, end - unit, NULL, &factor, &shift, &dimension, NULL);
    *is = status == DETENT_OK;
    *of = (quantity){.start = start,
                     .unit = unit,
                     .end = end,
                     .value = text[start] == '-' ? -value : value,
                     .is_signed = is_signed,
                     .is_difference = is_difference(text + unit, end - unit),
                     .shift = *is ? shift : 0};
    return status == DETENT_ERROR_MEMORY ? status : DETENT_OK;
}

detent_status dt_parser_quantity(dt_session *session, const dt_source_text *source,
                                 bool *is_quantity, dt_operand *result)
{
    quantity of;
    if (find_quantity(session->units, source->text, source->length, &of, is_quantity)) {
        return dt_session_out_of_memory(session);
    }
    if (*is_quantity && of.is_difference) {
        return dt_source_fail(
            source, of.unit, session->error, DETENT_ERROR_SYNTAX,
            "is this a unit or a difference? Write s^-2 for the one, '5 s - 2' for the other");
    }
    return *is_quantity
               ? convert(session, source, of.value, of.unit, of.end - of.unit, of.start, result)
               : DETENT_OK;
}

const char *dt_expression_part(dt_arena *arena, const char *text, dt_unit_system *units)
{
    quantity of;
    bool is;
    if (find_quantity(units, text, strlen(text), &of, &is)) {
        return NULL;
    }
    const bool stays = !is || of.is_difference || (of.is_signed && of.shift != 0);
    return stays ? text
                 : dt_arena_printf(arena, "%.*s[%.*s]", (int)of.unit, text, (int)(of.end - of.unit),
                                   text + of.unit);
}
