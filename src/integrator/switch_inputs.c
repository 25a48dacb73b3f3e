/*
 * Inputs jump from outside, and with them what laws compare, past any number of borders at once: no root has fallen
 * through zero. Switches whose roots the new inputs have moved to zero or below are set where the values are, those in front of
 * them first, until none is left: on a border, where a counter or a relay often is to the last bit, that is the side that the comparison tells. A switch that inputs do not move stays as recorded, be it by decree an ulp beyond its
 * border. Those known in advance have been set before (instants.c). One that slides leaves its border where the new inputs have moved that away.
 */
#include "integrator/branches.h"
#include "integrator/core.h"
#include "integrator/instants.h"
#include "integrator/source.h"

static bool reads_inputs(const dt_program *p)
{
    return p->switch_count > 0 && dt_program_reads(p, DT_OF_INPUTS);
}

/* Marks those that inputs have made wrong in `keep`, as not to be kept; false where there is none. */
static bool find_wrong(dt_simulation *sim, const dt_law *law)
{
    double(*now)[2] = sim->roots.values, (*before)[2] = sim->branches.before + law->branch;
    bool any = false;
    dt_law_roots(&sim->system, law, &now[0][0]);
    for (int j = 0; j < law->program->switch_count; j++) {
        const bool moved = now[j][0] != before[j][0] || now[j][1] != before[j][1],
                   wrong = now[j][0] <= 0 || now[j][1] <= 0;
        sim->roots.keep[j] = !moved || !wrong || dt_instants_is_known(law, j);
        any = any || !sim->roots.keep[j];
    }
    return any;
}

void dt_branches_take_inputs(dt_simulation *sim, const double *inputs, double t)
{
    dt_system *s = &sim->system;
    for (int l = 0; l < s->law_count; l++) {
        if (reads_inputs(s->law[l]->program)) {
            dt_law_roots(s, s->law[l], &sim->branches.before[s->law[l]->branch][0]);
        }
    }
    memcpy(s->inputs, inputs, (size_t)dt_given_count(sim->mechanism) * sizeof *inputs);
    dt_sources_renew(sim, t, false);
    for (int l = 0; l < s->law_count; l++) {
        const dt_law *law = s->law[l];
        for (int k = reads_inputs(law->program) ? law->program->switch_count : 0;
             k > 0 && find_wrong(sim, law); k--) {
            dt_law_settle(s, law, sim->roots.keep);
        }
    }
}
