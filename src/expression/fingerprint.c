/* What a program computes, as a hash: its operations and what they read. The source text stays out of it, since signals
 * and parameters are folded in. */

#include "expression/fingerprint.h"

#include "expression/operation.h"

static void add_curve(dt_hash *hash, const dt_curve *curve)
{
    size_t size = 1;
    for (int k = 0; k < curve->axes; k++) {
        size *= (size_t)curve->axis[k].count;
        dt_hash_integer(hash, curve->axis[k].count);
        dt_hash_numbers(hash, curve->axis[k].at, (size_t)curve->axis[k].count);
    }
    dt_hash_integer(hash, curve->outside);
    dt_hash_integer(hash, curve->slope[0] != NULL);
    dt_hash_numbers(hash, curve->value, size);
    for (int k = 0; k < curve->axes && curve->slope[k]; k++) {
        dt_hash_numbers(hash, curve->slope[k], size);
    }
}

/* A function has nothing but its name to be told by. */
static void add_call(dt_hash *hash, const dt_call *call)
{
    dt_hash_text(hash, call->callback->name);
    dt_hash_integer(hash, call->callback->argument_count);
    for (int k = 0; k < call->callback->argument_count; k++) {
        dt_hash_integer(hash, call->operand[k]);
    }
}

static void add_operation(dt_hash *hash, const dt_operation *operation)
{
    dt_hash_integer(hash, operation->code);
    if (operation->code == DT_OP_CALL) {
        add_call(hash, operation->call);
        return;
    }
    for (int k = 0; k < 3; k++) {
        dt_hash_integer(hash, operation->operand[k]);
    }
    dt_hash_integer(hash, operation->index);
    dt_hash_numbers(hash, &operation->constant, 1);
    if (operation->curve) {
        add_curve(hash, operation->curve);
    }
}

void dt_program_fingerprint(const dt_program *program, dt_hash *hash)
{
    dt_hash_integer(hash, program != NULL);
    if (!program) {
        return;
    }
    dt_hash_integer(hash, program->variable_count);
    for (int k = 0; k < program->variable_count; k++) {
        dt_hash_integer(hash, program->variables[k].kind);
        dt_hash_integer(hash, program->variables[k].index);
    }
    dt_hash_integer(hash, program->is_constant);
    if (program->is_constant) {
        dt_hash_numbers(hash, &program->constant, 1);
        return;
    }
    dt_hash_integer(hash, program->operation_count);
    for (int k = 0; k < program->operation_count; k++) {
        add_operation(hash, &program->operations[k]);
    }
}
