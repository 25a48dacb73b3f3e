/* Laws and constants from their texts: what many items say in the same words is parsed once. */

#include "base/text.h"
#include "model/scope.h"

#include <string.h>

/* Every law has its own copy of the signals that it uses, so that a short file could ask for any amount of memory.
 * What stands in the law itself cannot: it is bounded by the file and by the number of items. */
static detent_status count_folded(dt_builder *b, const dt_law_record *law,
                                  const dt_program *program, detent_error *error)
{
    const size_t own = strlen(law->text), all = (size_t)program->operation_count;
    b->folded += all > own ? all - own : 0;
    return b->folded <= DT_MOST_FOLDED
               ? DETENT_OK
               : dt_fail(error, DETENT_ERROR_MODEL, &law->where,
                         "too much from signals: with this one, the laws have more than the %d "
                         "operations allowed that stand in signals",
                         DT_MOST_FOLDED);
}

/* --- Laws that are shared ------------------------------------------------------------------------ */

/* A program that came out constant, for all laws with its text in the same place of a definition. */
typedef struct shared_law {
    dt_use use;
    const dt_dimension *expected;
    dt_program *program;
} shared_law;

static shared_law as_shared(const dt_law_record *law, dt_program *program)
{
    return (shared_law){law->use, law->expected, program};
}

/* NULL: there is none yet. */
static dt_program *find_shared(const dt_builder *b, const dt_law_record *law)
{
    int known = dt_name_map_get(&b->law_texts, law->text);
    if (known < 0) {
        return NULL;
    }
    const shared_law wanted = as_shared(law, NULL),
                     *shared = DT_AT(b->shared_laws, shared_law, known);
    return shared->use == wanted.use && shared->expected == wanted.expected ? shared->program
                                                                            : NULL;
}

/* The first law with a text is the one that is remembered. */
static bool share(dt_builder *b, const dt_law_record *law, dt_program *program)
{
    if (dt_name_map_get(&b->law_texts, law->text) >= 0) {
        return true;
    }
    shared_law *place = dt_list_add(&b->arena, &b->shared_laws, sizeof *place);
    const char *copy = place ? dt_arena_copy(&b->arena, law->text, strlen(law->text)) : NULL;
    if (!copy) {
        return false;
    }
    *place = as_shared(law, program);
    return dt_name_map_put(&b->law_texts, copy, b->shared_laws.count - 1) == DETENT_OK;
}

detent_status dt_parse_law(detent_mechanism *m, dt_arena *arena, const dt_law_record *law,
                           dt_program **program, detent_error *error)
{
    bool used_index = false, shareable = arena == &m->arena && !law->stops;
    *program = shareable ? find_shared(m->builder, law) : NULL;
    if (*program) {
        return DETENT_OK;
    }
    detent_status status = dt_scope_parse(m, arena, law, program, &used_index, error);
    if (status || !shareable) {
        return status;
    }
    if (!used_index && (*program)->is_constant && !share(m->builder, law, *program)) {
        return dt_out_of_memory(error);
    }
    return count_folded(m->builder, law, *program, error);
}

/* --- Constants ---------------------------------------------------------------------------------- */

static detent_status evaluate(detent_mechanism *m, const dt_law_record *law, dt_constant *constant,
                              bool *used_index, detent_error *error)
{
    dt_program *program = NULL;
    dt_arena arena;
    dt_arena_init(&arena, &m->arena.allocator);
    detent_status status = dt_scope_parse(m, &arena, law, &program, used_index, error);
    if (!status) {
        constant->value = program->constant;
        constant->dimension = program->dimension;
        if (!program->is_constant) { /* the parser knows t by itself */
            status =
                dt_fail(error, DETENT_ERROR_MODEL, &law->where, "t cannot be used in a constant");
        } else if (!(program->constant - program->constant == 0.0)) {
            status = dt_fail(error, DETENT_ERROR_MODEL, &law->where, "'%s' is not a finite number",
                             law->text);
        }
    }
    dt_arena_free(&arena);
    return status;
}

/* Remembers the value of a text. Parameters never change, so it stays what it is. */
static detent_status remember(dt_builder *b, const char *text, const dt_constant *constant,
                              detent_error *error)
{
    dt_constant *place = dt_list_add(&b->arena, &b->constants, sizeof *place);
    const char *copy = place ? dt_arena_copy(&b->arena, text, strlen(text)) : NULL;
    if (!copy) {
        return dt_out_of_memory(error);
    }
    *place = *constant;
    return dt_name_map_put(&b->constant_texts, copy, b->constants.count - 1) == DETENT_ERROR_MEMORY
               ? dt_out_of_memory(error)
               : DETENT_OK;
}

detent_status dt_builder_constant(detent_mechanism *m, const char *text, const dt_location *where,
                                  const dt_dimension *expected, const dt_origin *origin,
                                  dt_constant *constant, detent_error *error)
{
    dt_builder *b = m->builder;
    bool used_index = false;
    if (dt_parse_number(text, strlen(text), &constant->value)) {
        constant->dimension = dt_dimension_unknown;
        return DETENT_OK;
    }
    int known = dt_name_map_get(&b->constant_texts, text);
    if (known >= 0) {
        *constant = *DT_AT(b->constants, dt_constant, known);
        if (!expected || dt_dimension_fits(expected, &constant->dimension)) {
            return DETENT_OK;
        }
    }
    const dt_law_record law = {.text = text,
                               .use = DT_USE_CONSTANT,
                               .primitive = -1,
                               .expected = expected,
                               .where = where ? *where : (dt_location){NULL, 0, 0},
                               .origin = origin};
    detent_status status = evaluate(m, &law, constant, &used_index, error);
    return status || used_index || known >= 0 ? status : remember(b, text, constant, error);
}
