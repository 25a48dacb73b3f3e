/* Symbols that the scope of a law gives to the parser, or refuses. */
#include "model/scope_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const dt_symbol dt_unknown_symbol = {.kind = DT_SYMBOL_UNKNOWN};

dt_symbol dt_scope_refuse(dt_law_scope *f, const char *name, const char *format, ...)
{
    va_list arguments;
    snprintf(f->refused, sizeof f->refused, "%s", name);
    va_start(arguments, format);
    vsnprintf(f->reason, sizeof f->reason, format, arguments);
    va_end(arguments);
    return (dt_symbol){.kind = DT_SYMBOL_UNKNOWN, .argument = DT_ARGUMENT_FUNCTION};
}

const char *dt_use_text(dt_use use)
{
    static const char *const texts[] = {"a constant",
                                        "a curve",
                                        "a motion",
                                        "gravity",
                                        "a force",
                                        "a derivative",
                                        "the friction of a law",
                                        "a friction or limit",
                                        "an output expression",
                                        "a sampled value",
                                        "a signal"};
    return texts[use];
}

dt_symbol dt_scope_variable(dt_variable_kind kind, int index, dt_dimension dimension)
{
    return (dt_symbol){
        .kind = DT_SYMBOL_VARIABLE, .variable = {kind, index}, .dimension = dimension};
}

dt_symbol dt_scope_state(const dt_law_scope *f, int index)
{
    const dt_state_record *record = DT_AT(DT_RECORDS(f->m->builder, state), dt_state_record, index);
    return dt_scope_variable(DT_VARIABLE_STATE, index, record->dimension);
}

dt_symbol dt_scope_sampled(const dt_law_scope *f, int index, bool before)
{
    const dt_sampled_record *record =
        DT_AT(DT_RECORDS(f->m->builder, sampled), dt_sampled_record, index);
    const int place = f->m->input_count + (before ? f->m->sampled_count : 0) + index;
    return dt_scope_variable(DT_VARIABLE_INPUT, place, record->def.dimension);
}

dt_symbol dt_scope_phantom(const dt_law_scope *f, dt_variable_kind kind, const char *item)
{
    return !f->strict && strchr(item, '[')
               ? dt_scope_variable(kind, DT_PHANTOM, dt_dimension_unknown)
               : dt_unknown_symbol;
}
