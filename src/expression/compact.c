/* From nodes of a graph to a program: keep the operations that the results need, number the registers, the slots and the
 * switches. The operations keep the order of the graph, in which operands come first. */

#include "expression/session.h"

static double constant_of(const dt_graph *graph, int node)
{
    double value = 0;
    dt_graph_is_constant(graph, node, &value);
    return value;
}

/* The operands of a bad node are constants, but for the numerator of a division by zero. */
static detent_status fail_bad(const dt_session *session, const dt_graph_node *node)
{
    const dt_operation *o = &node->operation;
    const dt_function *function = &dt_functions[o->code];
    double a = constant_of(&session->graph, o->operand[0]);
    double b = constant_of(&session->graph, o->operand[1]);
    size_t offset;
    const dt_source_text *source = dt_session_find(session, node->place, &offset);
    if (o->code == DT_OP_DIVIDE && b == 0) {
        return dt_source_fail(source, offset, session->error, DETENT_ERROR_MODEL,
                              "division by zero: not a finite number");
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
        for (int k = 0; k < dt_operand_count(o->code) && registers[i]; k++) {
            registers[o->operand[k]] = 1;
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
    int operation_count, variable_count, switch_count;
    bool depends_on_time;
} writer;

static unsigned char reads_of(dt_variable variable)
{
    return dt_variable_is(variable, DT_OF_TIME)     ? DT_READS_TIME
           : dt_variable_is(variable, DT_OF_INPUTS) ? 0
                                                    : DT_READS_STATE;
}

static void write_operation(writer *w, const dt_operation *node, const int *registers)
{
    dt_operation *o = &w->operations[w->operation_count];
    *o = (dt_operation){
        .code = node->code, .index = -1, .constant = node->constant, .curve = node->curve};
    unsigned char *reads = &w->reads[w->operation_count];
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
    };
    if (!w.operations || !w.variables || !w.switches || !w.reads) {
        return dt_session_out_of_memory(session);
    }
    for (int i = 0; i <= last; i++) {
        if (registers[i] >= 0) {
            write_operation(&w, &session->graph.nodes[i].operation, registers);
        }
    }
    program->operations = w.operations;
    program->variables = w.variables;
    program->switches = w.switches;
    program->reads = w.reads;
    program->depends_on_time = w.depends_on_time;
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
