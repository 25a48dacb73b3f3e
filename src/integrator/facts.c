/* What a simulation tells of its mechanism: mobility, scales, margins of meshes (simulation.h). */

#include "dynamics/closure.h"
#include "integrator/core.h"
#include "integrator/simulation.h"

void dt_simulation_mesh(const dt_simulation *sim, size_t index, detent_mesh *mesh)
{
    const dt_mesh *of = &sim->mechanism->meshes[index];
    *mesh = (detent_mesh){.coupling = sim->mechanism->transmissions[of->transmission].name,
                          .margin = sim->jam.margin[index]};
}

void dt_simulation_mobility(const dt_simulation *sim, detent_mobility *mobility)
{
    const dt_closure *closure = sim->system.closure;
    size_t freedoms = 0;
    for (int i = 0; i < sim->system.tree->node_count; i++) {
        freedoms +=
            dt_is_prescribed(&sim->system, i) ? 0 : (size_t)sim->system.tree->nodes[i].type->nv;
    }
    *mobility = (detent_mobility){.mobility = freedoms};
    if (closure) {
        mobility->mobility -= (size_t)closure->initial_count;
        mobility->redundant = (size_t)(closure->rows - closure->initial_count);
        mobility->branches_meet = closure->initial_meeting;
    }
}

void dt_simulation_scale(const dt_simulation *sim, size_t primitive, detent_scale *out)
{
    const dt_node *node = &sim->system.tree->nodes[primitive];
    const bool moves = node->type->nv > 0;
    *out = (detent_scale){
        .position = moves ? dt_scale_position(&sim->scale, sim->mechanism, (int)primitive) : 0,
        .velocity = moves ? dt_scale_velocity(&sim->scale, sim->mechanism, (int)primitive) : 0,
        .force = moves ? sim->scale.force[node->v] : 0,
        .energy = sim->scale.energy,
        .time = sim->scale.time};
}
