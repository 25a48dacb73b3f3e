/* Programs that are made without parsing, and the value of any program. */

#include "expression/program.h"
#include "expression/operation.h"

#include <string.h>

dt_program *dt_program_constant(dt_arena *arena, double value)
{
    dt_program *program = dt_arena_one(arena, sizeof *program);
    dt_operation *operation = dt_arena_one(arena, sizeof *operation);
    static const unsigned char nothing[1];
    if (!program || !operation) {
        return NULL;
    }
    *operation = (dt_operation){.code = DT_OP_CONSTANT, .index = -1, .constant = value};
    *program = (dt_program){.is_constant = true,
                            .constant = value,
                            .operation_count = 1,
                            .operations = operation,
                            .reads = nothing,
                            .text = ""};
    return program;
}

static bool copy_call(dt_arena *arena, const dt_call **call)
{
    const size_t count = (size_t)(*call)->callback->argument_count;
    dt_call *own = dt_arena_one(arena, sizeof *own);
    int *operand = dt_arena_alloc(arena, count, sizeof *operand);
    if (!own || !operand) {
        return false;
    }
    memcpy(operand, (*call)->operand, count * sizeof *operand);
    *own = (dt_call){(*call)->callback, operand, (*call)->slope};
    *call = own;
    return true;
}

dt_program *dt_program_copy(dt_arena *arena, const dt_program *program)
{
    const size_t operations = (size_t)program->operation_count,
                 variables = (size_t)program->variable_count,
                 switches = (size_t)program->switch_count;
    dt_program *copy = dt_arena_one(arena, sizeof *copy);
    dt_operation *own = dt_arena_alloc(arena, operations, sizeof *own);
    dt_variable *read = dt_arena_alloc(arena, variables, sizeof *read);
    int *switched = dt_arena_alloc(arena, switches, sizeof *switched);
    unsigned char *reads = dt_arena_alloc(arena, operations, sizeof *reads);
    if (!copy || !own || !read || !switched || !reads) {
        return NULL;
    }
    for (size_t k = 0; k < operations; k++) {
        own[k] = program->operations[k];
        reads[k] = program->reads[k];
        if (own[k].code == DT_OP_CALL && !copy_call(arena, &own[k].call)) {
            return NULL;
        }
    }
    for (size_t k = 0; k < variables; k++) {
        read[k] = program->variables[k];
    }
    for (size_t k = 0; k < switches; k++) {
        switched[k] = program->switches[k];
    }
    *copy = *program;
    copy->operations = own;
    copy->variables = read;
    copy->switches = switched;
    copy->reads = reads;
    copy->text = "";
    return copy;
}

const dt_variable *dt_program_reading(const dt_program *program)
{
    const dt_operation *last =
        program->operation_count > 0 ? &program->operations[program->operation_count - 1] : NULL;
    return last && last->code == DT_OP_VARIABLE ? &program->variables[last->index] : NULL;
}

double dt_program_value(const dt_program *program, const double *slots, const dt_branch *state,
                        double *registers)
{
    if (program->is_constant) {
        return program->constant;
    }
    dt_program_evaluate(program, slots, state, registers);
    return registers[program->operation_count - 1];
}

bool dt_program_depends_on(const dt_program *program, int traits, double *marks)
{
    bool any = false;
    for (int i = 0; i < program->operation_count; i++) {
        marks[i] = i == program->operation_count - 1;
    }
    for (int i = program->operation_count - 1; i >= 0; i--) {
        const dt_operation *operation = &program->operations[i];
        const int *operands, count = dt_operation_operands(operation, &operands);
        for (int k = 0; marks[i] != 0 && k < count; k++) {
            marks[operands[k]] = 1;
        }
        any = any || (marks[i] != 0 && operation->code == DT_OP_VARIABLE &&
                      dt_variable_is(program->variables[operation->index], traits));
    }
    return any;
}

bool dt_program_reads(const dt_program *program, int traits)
{
    bool any = false;
    for (int k = 0; program && k < program->variable_count && !any; k++) {
        any = dt_variable_is(program->variables[k], traits);
    }
    return any;
}
