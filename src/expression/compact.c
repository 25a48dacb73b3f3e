/* From nodes of a graph to a program: keep the operations that the results need, number the registers, the slots and the
 * switches. The operations keep the order of the graph, in which operands come first. */

#include "expression/demand.h"
#include "expression/session.h"

#include <math.h>

static double constant_of(const dt_graph *graph, int node)
{
    double value = 0;
    dt_graph_is_constant(graph, node, &value);
    return value;
}

/* A call of constants, whose value is in the node. */
static detent_status fail_call(const dt_session *session, const dt_graph_node *node,
                               const dt_source_text *source, size_t offset)
{
    dt_call_failure failure = {.callback = node->operation.call->callback};
    char words[DT_CALL_WORDS];
    if (!dt_call_is_failed(node->operation.constant, &failure)) {
        failure.fault = DT_CALL_VALUE;
    }
    dt_call_tell(&failure, words);
    return dt_source_fail(source, offset, session->error, DETENT_ERROR_FUNCTION, "%s", words);
}

/* A function made of others, with a constant argument that is none for it. */
static detent_status fail_demand(const dt_session *session, const dt_operation *o,
                                 const dt_source_text *source, size_t offset)
{
    double values[DT_DEMAND_ARGUMENTS] = {NAN, NAN, NAN};
    const char *wanted = "";
    for (int k = 0; k < dt_functions[o->code].max_arguments; k++) {
        dt_graph_is_constant(&session->graph, o->operand[k], &values[k]);
    }
    const int argument = dt_demand_broken(o->code, values, &wanted);
    return dt_source_fail(source, offset, session->error, DETENT_ERROR_MODEL,
                          "argument %d of %s() is to be %s, not %g", argument + 1,
                          dt_functions[o->code].name, wanted, values[argument]);
}

/* The operands of a bad node are constants, but for the numerator of a division by zero. */
static detent_status fail_bad(const dt_session *session, const dt_graph_node *node)
{
    const dt_operation *o = &node->operation;
    const dt_function *function = &dt_functions[o->code];
    size_t offset;
    const dt_source_text *source = dt_session_find(session, node->place, &offset);
    if (o->code == DT_OP_CALL) {
        return fail_call(session, node, source, offset);
    }
    double a = constant_of(&session->graph, o->operand[0]);
    double b = constant_of(&session->graph, o->operand[1]);
    if (o->code == DT_OP_DIVIDE && b == 0) {
        return dt_source_fail(source, offset, session->error, DETENT_ERROR_MODEL,
                              "division by zero: not a finite number");
    }
    if (function->kind == DT_FUNCTION_COMPOSITE) {
        return fail_demand(session, o, source, offset);
    }
    if (!function->is_callable) {
        return dt_source_fail(source, offset, session->error, DETENT_ERROR_MODEL,
                              "%g %s %g is not a finite number", a, function->name, b);
    }
    if (function->max_arguments > 1) {
        return dt_source_fail(source, offset, session->error, DETENT_ERROR_MODEL,
                              "%s(%g, %g) is not a finite number", function->name, a, b);
    }
    return dt_source_fail(source, offset, session->error, DETENT_ERROR_MODEL,
                          "%s(%g) is not a finite number", function->name, a);
}

/* Register of every node that the results need, which are marked by 1, -1 for the others; sizes of the program. `last` is
 * the last result. */
static detent_status number_nodes(const dt_session *session, int last, int *registers,
                                  dt_program *program)
{
    const dt_graph *graph = &session->graph;
    for (int i = last; i >= 0; i--) {
        const dt_operation *o = &graph->nodes[i].operation;
        if (registers[i] && graph->nodes[i].is_bad) {
            return fail_bad(session, &graph->nodes[i]);
        }
        const int *operands, count = dt_operation_operands(o, &operands);
        for (int k = 0; k < count && registers[i]; k++) {
            registers[operands[k]] = 1;
        }
    }
    for (int i = 0; i <= last; i++) {
        const dt_operation *o = &graph->nodes[i].operation;
        if (!registers[i]) {
            registers[i] = -1;
            continue;
        }
        registers[i] = program->operation_count++;
        program->variable_count += o->code == DT_OP_VARIABLE;
        program->switch_count += dt_functions[o->code].branch && o->index >= 0;
    }
    return DETENT_OK;
}

/* Where the parts of a program that is being written go. */
typedef struct writer {
    dt_operation *operations;
    dt_variable *variables;
    int *switches;
    unsigned char *reads;
    int operation_count, variable_count, switch_count, slope_count;
    bool depends_on_time, has_calls;
    dt_arena *arena; /* of calls */
    bool out_of_memory;
} writer;

static unsigned char reads_of(dt_variable variable)
{
    return dt_variable_is(variable, DT_OF_TIME)     ? DT_READS_TIME
           : dt_variable_is(variable, DT_OF_INPUTS) ? 0
                                                    : DT_READS_STATE;
}

/* A call with its operands as registers. When its value goes with t nobody knows how, as with the state. */
static void write_call(writer *w, const dt_call *of, const int *registers, dt_operation *o,
                       unsigned char *reads)
{
    const int count = of->callback->argument_count;
    dt_call *call = dt_arena_alloc(w->arena, 1, sizeof *call);
    int *operand = dt_arena_alloc(w->arena, (size_t)count, sizeof *operand);
    w->has_calls = true;
    if (!call || !operand) {
        w->out_of_memory = true;
        return;
    }
    for (int k = 0; k < count; k++) {
        operand[k] = registers[of->operand[k]];
        *reads |= w->reads[operand[k]];
    }
    *reads |= *reads & DT_READS_TIME ? DT_READS_STATE : 0;
    *call = (dt_call){of->callback, operand, w->slope_count};
    w->slope_count += count;
    *o = (dt_operation){.code = DT_OP_CALL, .index = -1, .call = call};
}

static void write_operation(writer *w, const dt_operation *node, const int *registers)
{
    dt_operation *o = &w->operations[w->operation_count];
    unsigned char *reads = &w->reads[w->operation_count];
    if (node->code == DT_OP_CALL) {
        write_call(w, node->call, registers, o, reads);
        w->operation_count++;
        return;
    }
    *o = (dt_operation){
        .code = node->code, .index = -1, .constant = node->constant, .curve = node->curve};
    for (int k = 0; k < dt_operand_count(node->code); k++) {
        o->operand[k] = registers[node->operand[k]];
        *reads |= w->reads[o->operand[k]];
    }
    if (node->code == DT_OP_VARIABLE) {
        dt_variable variable = {(dt_variable_kind)node->operand[0], node->operand[1]};
        w->variables[w->variable_count] = variable;
        w->depends_on_time |= dt_variable_is(variable, DT_OF_TIME);
        *reads = reads_of(variable);
        o->index = w->variable_count++;
    } else if (dt_functions[node->code].branch && node->index >= 0) {
        w->switches[w->switch_count] = w->operation_count;
        o->index = w->switch_count++;
    }
    w->operation_count++;
}

detent_status dt_session_write(dt_session *session, int last, int *registers, dt_arena *arena,
                               dt_program *program)
{
    detent_status status = number_nodes(session, last, registers, program);
    if (status) {
        return status;
    }
    writer w = {
        .operations = dt_arena_alloc(arena, (size_t)program->operation_count, sizeof *w.operations),
        .variables = dt_arena_alloc(arena, (size_t)program->variable_count, sizeof *w.variables),
        .switches = dt_arena_alloc(arena, (size_t)program->switch_count, sizeof *w.switches),
        .reads = dt_arena_alloc(arena, (size_t)program->operation_count, sizeof *w.reads),
        .arena = arena,
    };
    if (!w.operations || !w.variables || !w.switches || !w.reads) {
        return dt_session_out_of_memory(session);
    }
    for (int i = 0; i <= last; i++) {
        if (registers[i] >= 0) {
            write_operation(&w, &session->graph.nodes[i].operation, registers);
        }
    }
    if (w.out_of_memory) {
        return dt_session_out_of_memory(session);
    }
    program->operations = w.operations;
    program->variables = w.variables;
    program->switches = w.switches;
    program->reads = w.reads;
    program->depends_on_time = w.depends_on_time;
    program->has_calls = w.has_calls;
    program->slope_count = w.slope_count;
    return DETENT_OK;
}

detent_status dt_session_program(dt_session *session, int root, dt_arena *arena,
                                 dt_program *program)
{
    int *registers = dt_arena_alloc(session->scratch, (size_t)root + 1, sizeof *registers);
    if (!registers) {
        return dt_session_out_of_memory(session);
    }
    registers[root] = 1;
    const detent_status status = dt_session_write(session, root, registers, arena, program);
    program->is_constant = program->variable_count == 0;
    program->constant = program->is_constant ? constant_of(&session->graph, root) : 0;
    return status;
}
