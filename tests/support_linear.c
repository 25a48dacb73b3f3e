#include "support_linear.h"

#include <stdio.h>
#include <stdlib.h>

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) {
        fputs("out of memory for a test\n", stderr);
        abort();
    }
    return memory;
}

static void fill(linear_model *m)
{
    detent_linear_info info = DETENT_INIT(detent_linear_info);
    detent_linearization_get_info(m->own, &info);
    m->time = info.time;
    m->states = info.states;
    m->inputs = info.inputs;
    m->outputs = info.outputs;
    m->output = info.output;
    m->A = info.A;
    m->B = info.B;
    m->C = info.C;
    m->D = info.D;
    m->output_value = info.output_value;
    m->shape = (const double(*)[2])info.shape;
    m->state = take(m->states, sizeof *m->state);
    m->eigenvalue = take(m->states, sizeof *m->eigenvalue);
    for (size_t k = 0; k < m->states; k++) {
        m->state[k].size = sizeof m->state[k];
        m->eigenvalue[k].size = sizeof m->eigenvalue[k];
        detent_linearization_get_state(m->own, k, &m->state[k]);
        detent_linearization_get_eigenvalue(m->own, k, &m->eigenvalue[k]);
    }
}

detent_status linear_model_make(detent_simulation *simulation,
                                const detent_linearize_options *options, linear_model **model,
                                detent_error *error)
{
    detent_linearization *own = NULL;
    const detent_status status = detent_linearize(simulation, options, &own, error);
    *model = NULL;
    if (!status) {
        *model = take(1, sizeof **model);
        (*model)->own = own;
        fill(*model);
    }
    return status;
}

void linear_model_free(linear_model *model)
{
    if (model) {
        detent_linearization_destroy(model->own);
        free(model->state);
        free(model->eigenvalue);
        free(model);
    }
}
