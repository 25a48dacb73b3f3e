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

detent_status dt_parser_quantity(dt_session *session, const dt_source_text *source,
                                 bool *is_quantity, dt_operand *result)
{
    const char *text = source->text;
    size_t start = skip_blanks(text, 0);
    size_t sign = text[start] == '-' || text[start] == '+';
    size_t number = sign ? skip_blanks(text, start + 1) : start;
    size_t length = dt_lexer_number_length(text + number);
    size_t unit = skip_blanks(text, number + length);
    size_t end = source->length;
    double value, factor, shift;
    dt_dimension dimension;

    *is_quantity = false;
    while (end > unit && strchr(" \t\r\n", text[end - 1])) {
        end--;
    }
    if (length == 0 || !session->units || !dt_unit_is_plausible(text + unit, end - unit) ||
        names_time(text + unit, end - unit) || !dt_parse_number(text + number, length, &value)) {
        return DETENT_OK;
    }
    /* What is no unit may still be an expression, and if not the parser says why. */
    detent_status status = dt_unit_parse(session->units, text + unit, end - unit, NULL, &factor,
                                         &shift, &dimension, NULL);
    if (status == DETENT_ERROR_MEMORY) {
        return dt_session_out_of_memory(session);
    }
    if (status) {
        return DETENT_OK;
    }
    *is_quantity = true;
    if (is_difference(text + unit, end - unit)) {
        return dt_source_fail(
            source, unit, session->error, DETENT_ERROR_SYNTAX,
            "is this a unit or a difference? Write s^-2 for the one, '5 s - 2' for the other");
    }
    return convert(session, source, text[start] == '-' ? -value : value, unit, end - unit, start,
                   result);
}
