#include "analysis/linearize.h"

#include "analysis/eigen.h"
#include "analysis/states.h"
#include "base/error.h"
#include "dynamics/bad_law.h"
#include "dynamics/failed_call.h"
#include "dynamics/self_stress.h"

/* What is being filled. */
typedef struct model {
    dt_system *system;
    dt_variation variation;
    int states, inputs, outputs;
    dt_linear_state *state;
    detent_linear_state *described;
    size_t *output;
    double *A, *B, *C, *D, *value, *size;
    detent_eigenvalue *eigenvalue;
    double (*shape)[2];
    double *slots, *registers, *gradient; /**< work space of outputs */
    dt_call_failure failed; /**< of the first output that calls a function without a value */
    size_t failing;
} model;

/* Work space for the longest of the outputs. */
static bool take_work(dt_arena *arena, model *m)
{
    size_t registers = 1, slots = 1;
    for (int k = 0; k < m->outputs; k++) {
        const dt_program *program = m->system->mechanism->outputs[m->output[k]].program;
        const size_t own = DT_PROGRAM_REGISTERS(program);
        registers = own > registers ? own : registers;
        slots = (size_t)program->variable_count > slots ? (size_t)program->variable_count : slots;
    }
    m->registers = dt_arena_alloc(arena, registers, sizeof *m->registers);
    m->slots = dt_arena_alloc(arena, slots, sizeof *m->slots);
    m->gradient = dt_arena_alloc(arena, slots, sizeof *m->gradient);
    return m->registers && m->slots && m->gradient;
}

static bool take(dt_arena *arena, model *m, const size_t *output)
{
    const size_t n = (size_t)m->states, p = (size_t)m->inputs, r = (size_t)m->outputs;
#define TAKE(member, count) \
    ((m->member = dt_arena_alloc(arena, (count), sizeof *m->member)) != NULL)
    if (!(TAKE(state, n) && TAKE(described, n) && TAKE(output, r) && TAKE(A, n * n) &&
          TAKE(B, n * p) && TAKE(C, r * n) && TAKE(D, r * p) && TAKE(value, r) && TAKE(size, n) &&
          TAKE(eigenvalue, n) && TAKE(shape, n * n))) {
        return false;
    }
#undef TAKE
    if (r > 0) {
        memcpy(m->output, output, r * sizeof *output);
    }
    return take_work(arena, m);
}

/* Column `column` of a matrix for the states and of one for the outputs, `width` columns each. */
static void fill_column(model *m, int column, int width, double *states, double *outputs)
{
    dt_variation *n = &m->variation;
    dt_variation_solve(n);
    for (int i = 0; i < m->states; i++) {
        states[i * width + column] = dt_state_rate_change(&m->state[i], n);
    }
    for (int k = 0; k < m->outputs; k++) {
        const dt_program *program = m->system->mechanism->outputs[m->output[k]].program;
        outputs[k * width + column] =
            dt_variation_program(n, program, m->slots, m->registers, m->gradient);
    }
}

static void fill(model *m)
{
    for (int j = 0; j < m->states; j++) {
        dt_state_vary(&m->state[j], &m->variation);
        fill_column(m, j, m->states, m->A, m->C);
    }
    for (int j = 0; j < m->inputs; j++) {
        dt_variation_clear(&m->variation);
        m->variation.newton.tangent.di[j] = 1;
        fill_column(m, j, m->inputs, m->B, m->D);
    }
    dt_variation_clear(&m->variation);
}

/* Where the model holds. */
static void describe(model *m)
{
    dt_system *s = m->system;
    for (int i = 0; i < m->states; i++) {
        const dt_linear_state *state = &m->state[i];
        const bool own = state->kind == DETENT_STATE_OWN;
        m->size[i] = dt_state_size(state, s);
        m->described[i] = (detent_linear_state){
            .kind = state->kind,
            .primitive = (size_t)state->node,
            .component = own ? 0 : (size_t)(state->freedom - s->tree->nodes[state->node].v),
            .value = dt_state_value(state, s),
            .rate = dt_state_rate(state, s)};
    }
    for (int k = 0; k < m->outputs; k++) {
        const dt_program *program = s->mechanism->outputs[m->output[k]].program;
        for (int j = 0; j < program->variable_count; j++) {
            m->slots[j] = dt_system_variable(s, program->variables[j], -1);
        }
        m->value[k] = dt_program_value(program, m->slots, NULL, m->registers);
        if (!m->failed.callback) {
            m->failing = m->output[k];
            dt_program_failed_call(program, m->registers, m->value[k], &m->failed);
        }
    }
}

/* How redundant conditions and locked joints share what they carry has values, but no slopes here: outputs that follow it are refused. */
static detent_status check_outputs(model *m, detent_error *error)
{
    dt_system *s = m->system;
    for (int k = 0; k < m->outputs; k++) {
        const dt_output *output = &s->mechanism->outputs[m->output[k]];
        const dt_program *program = output->program;
        for (int j = 0; j < program->variable_count; j++) {
            m->slots[j] = dt_system_variable(s, program->variables[j], -1);
        }
        dt_program_gradient(program, m->slots, NULL, m->registers, m->gradient);
        if (dt_self_stress_is_told(s, program, m->gradient)) {
            return dt_fail(error, DETENT_ERROR_MODEL, NULL,
                           "the linear model of an output ('%s') that follows how redundant "
                           "conditions, or locked joints, of loops and couplings share what they "
                           "carry is not supported yet: ask for the other outputs alone",
                           output->text);
        }
    }
    return DETENT_OK;
}

static int position_count(const model *m)
{
    int count = 0;
    while (count < m->states && m->state[count].kind == DETENT_STATE_POSITION) {
        count++;
    }
    return count;
}

/* No element may be infinite or undefined: a law may have no slope where the state is. */
static detent_status check(const model *m, detent_error *error)
{
    if (m->failed.callback) {
        return dt_fail_output_call(m->system, m->failing, &m->failed, error);
    }
    const struct {
        const double *values;
        int count;
    } all[] = {{m->A, m->states * m->states},
               {m->B, m->states * m->inputs},
               {m->C, m->outputs * m->states},
               {m->D, m->outputs * m->inputs}};
    double sum = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        for (int i = 0; i < all[k].count; i++) {
            sum += 0 * all[k].values[i];
        }
    }
    return sum == 0 ? DETENT_OK
                    : dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                              "at t = %.9g s a derivative is not finite: a law has no slope there",
                              m->system->time);
}

detent_status dt_linearize(dt_arena *arena, dt_system *system, const size_t *output,
                           size_t output_count, detent_linearization *out, detent_error *error)
{
    const dt_law *law = dt_self_stress_reader(system);
    if (law) {
        return dt_fail(error, DETENT_ERROR_MODEL, NULL,
                       "the linear model of a loop is not supported yet where a law ('%s') follows "
                       "what its redundant conditions carry, as here out of its plane",
                       dt_law_owner(system, law));
    }
    model m = {
        .system = system, .inputs = system->mechanism->input_count, .outputs = (int)output_count};
    detent_status status = dt_variation_create(arena, system, &m.variation, error);
    status = status ? status : dt_variation_factor(&m.variation, error);
    if (status) {
        return status;
    }
    m.states = dt_states_list(system, NULL);
    if (!take(arena, &m, output)) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for a linear model");
    }
    dt_states_list(system, m.state);
    status = check_outputs(&m, error);
    if (status) {
        return status;
    }
    fill(&m);
    describe(&m);
    status = check(&m, error);
    if (!status) {
        status = dt_eigen(arena, m.states, m.A, m.size, position_count(&m), m.eigenvalue, m.shape,
                          error);
    }
    *out = (detent_linearization){.time = system->time,
                                  .states = (size_t)m.states,
                                  .inputs = (size_t)m.inputs,
                                  .outputs = output_count,
                                  .state = m.described,
                                  .output = m.output,
                                  .A = m.A,
                                  .B = m.B,
                                  .C = m.C,
                                  .D = m.D,
                                  .output_value = m.value,
                                  .eigenvalue = m.eigenvalue,
                                  .shape = m.shape[0]};
    return status;
}
