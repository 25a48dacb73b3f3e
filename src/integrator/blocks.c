/* Where blocks are in y, and what is asked of all of them. */
#include "integrator/blocks.h"

#include "dynamics/closure.h"
#include "integrator/core.h"

int dt_blocks_length(const dt_system *s)
{
    int length = 0;
    for (int b = 0; b < DT_BLOCKS; b++) {
        length += dt_block_rows[b]->length(s);
    }
    return length;
}

void dt_blocks_place(dt_simulation *sim)
{
    int *offset = sim->blocks.offset;
    for (int b = 0; b < DT_BLOCKS; b++) {
        offset[b + 1] = offset[b] + dt_block_rows[b]->length(sim->core);
    }
}

void dt_blocks_start(dt_simulation *sim, double *y, double *yp)
{
    for (int b = 0; b < DT_BLOCKS; b++) {
        dt_block_rows[b]->state(sim, y);
    }
    dt_blocks_rate(sim, yp);
}

void dt_blocks_rate(dt_simulation *sim, double *yp)
{
    for (int b = 0; b < DT_BLOCKS; b++) {
        dt_block_rows[b]->rate(sim, yp);
    }
}

void dt_blocks_take(dt_simulation *sim, const double *y)
{
    for (int b = 0; b < DT_BLOCKS; b++) {
        if (dt_block_rows[b]->enter) {
            dt_block_rows[b]->enter(sim, y);
        }
    }
}

void dt_blocks_enter(dt_simulation *sim, double t, const double *y)
{
    dt_blocks_take(sim, y);
    dt_closure *closure = sim->core->closure;
    if (closure) {
        closure->is_guess = !(sim->fresh && t == sim->now);
    }
    dt_system_set_state(sim->core, t, dt_q_of(sim, y), dt_v_of(sim, y));
    dt_closure_put_off(sim->core);
    if (closure) {
        closure->is_guess = false;
    }
}

void dt_blocks_move_on(dt_simulation *sim, double t, double h)
{
    for (int b = 0; b < DT_BLOCKS; b++) {
        if (dt_block_rows[b]->ahead) {
            dt_block_rows[b]->ahead(sim, sim->y, sim->yp, h);
        }
    }
    dt_system_set_state(sim->core, t, sim->core->q, sim->core->v);
}

void dt_blocks_step(dt_simulation *sim, double t, const double *y)
{
    dt_closure *closure = sim->core->closure;
    if (closure) {
        closure->is_stepping = true;
    }
    dt_blocks_enter(sim, t, y);
    if (closure) {
        closure->is_stepping = false;
    }
}

void dt_blocks_keep(dt_simulation *sim, double *kept, bool back)
{
    for (int b = 0; b < DT_BLOCKS; b++) {
        const dt_block_row *row = dt_block_rows[b];
        const size_t length = (size_t)row->length(&sim->system);
        double *live = row->saved(sim);
        if (!row->read) {
            memcpy(back ? live : kept, back ? kept : live, length * sizeof *kept);
        }
        kept += length;
    }
}

void dt_blocks_read(dt_simulation *sim, const double *y)
{
    for (int b = 0; b < DT_BLOCKS; b++) {
        if (dt_block_rows[b]->read) {
            dt_block_rows[b]->read(sim, y);
        }
    }
}
