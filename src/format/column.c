/* Columns of numbers with their places: what a table is read into, from lists and files. */
#include "format/table.h"

detent_status dt_column_make(dt_reader *reader, int count, dt_column *column)
{
    *column = (dt_column){.dimension = dt_dimension_unknown};
    column->value = dt_arena_alloc(&reader->arena, (size_t)count, sizeof *column->value);
    column->place = dt_arena_alloc(&reader->arena, (size_t)count, sizeof *column->place);
    return column->value && column->place ? DETENT_OK : dt_fail_memory(reader);
}
