/* Programs that are made without parsing, and the value of any program. */

#include "expression/program.h"
#include "expression/operation.h"

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

enum { SLOT_TIME, SLOT_POSITION, SLOT_VELOCITY, SLOT_DIRECTION, SLOT_REACTION, CALLBACK_SLOTS };

dt_program *dt_program_callback(dt_arena *arena, detent_callback callback, void *user,
                                int primitive)
{
    dt_program *program = dt_arena_one(arena, sizeof *program);
    dt_variable *variables = dt_arena_alloc(arena, CALLBACK_SLOTS, sizeof *variables);
    if (!program || !variables) {
        return NULL;
    }
    variables[SLOT_TIME] = (dt_variable){DT_VARIABLE_TIME, 0};
    variables[SLOT_POSITION] = (dt_variable){DT_VARIABLE_POSITION, primitive};
    variables[SLOT_VELOCITY] = (dt_variable){DT_VARIABLE_VELOCITY, primitive};
    variables[SLOT_DIRECTION] = (dt_variable){DT_VARIABLE_DIRECTION, primitive};
    variables[SLOT_REACTION] = (dt_variable){DT_VARIABLE_REACTION_FORCE, primitive};
    *program = (dt_program){.variable_count = CALLBACK_SLOTS,
                            .variables = variables,
                            .depends_on_time = true,
                            .text = "(callback)",
                            .callback = callback,
                            .user = user};
    return program;
}

double dt_program_call(const dt_program *program, const double *slots, double *slope)
{
    double partial[3] = {0};
    detent_callback_arguments arguments = {.time = slots[SLOT_TIME],
                                           .position = slots[SLOT_POSITION],
                                           .velocity = slots[SLOT_VELOCITY],
                                           .direction = slots[SLOT_DIRECTION],
                                           .reaction_force = slots[SLOT_REACTION]};
    double value = program->callback(program->user, &arguments, partial);
    slope[SLOT_TIME] = slope[SLOT_DIRECTION] = 0;
    slope[SLOT_POSITION] = partial[0];
    slope[SLOT_VELOCITY] = partial[1];
    slope[SLOT_REACTION] = partial[2];
    return value;
}

double dt_program_value(const dt_program *program, const double *slots, const dt_branch *state,
                        double *registers)
{
    if (program->is_constant) {
        return program->constant;
    }
    if (program->callback) {
        double slope[CALLBACK_SLOTS];
        return dt_program_call(program, slots, slope);
    }
    dt_program_evaluate(program, slots, state, registers);
    return registers[program->operation_count - 1];
}

static int operand_count(const dt_operation *operation)
{
    const dt_function *function = &dt_functions[operation->code];
    return operation->code == DT_OP_CONSTANT || operation->code == DT_OP_VARIABLE ? 0
           : operation->code == DT_OP_SELECT                                      ? 3
           : function->max_arguments > 1                                          ? 2
                                                                                  : 1;
}

bool dt_program_depends_on(const dt_program *program, int traits, double *marks)
{
    bool any = false;
    if (program->callback) {
        return true;
    }
    for (int i = 0; i < program->operation_count; i++) {
        marks[i] = i == program->operation_count - 1;
    }
    for (int i = program->operation_count - 1; i >= 0; i--) {
        const dt_operation *operation = &program->operations[i];
        for (int k = 0; marks[i] != 0 && k < operand_count(operation); k++) {
            marks[operation->operand[k]] = 1;
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
