/**
 * @file blocks.h
 * The vector of unknowns, y, as a table of blocks, one a row and a file: block_*.c. Stepping knows no
 * other unknowns: offsets, lengths, weights, residuals, rates and what is saved follow from the table.
 *
 * The functions of a row work on its own part of the vectors, the core being at t, y, y' with all its
 * readings where nothing else is said. `y` and the like are whole vectors (dt_block_in(), dt_block_of());
 * rows are asked in their order, so that one may use what those before it have written.
 */
#ifndef DT_INTEGRATOR_BLOCKS_H
#define DT_INTEGRATOR_BLOCKS_H

#include "integrator/simulation.h"

/** Blocks, in the order in which they are in y: coordinates, velocities, friction forces, multipliers of loops,
 * states, works. */
typedef enum dt_block {
    DT_BLOCK_POSITIONS,
    DT_BLOCK_VELOCITIES,
    DT_BLOCK_FRICTION,
    DT_BLOCK_MULTIPLIERS,
    DT_BLOCK_STATES,
    DT_BLOCK_WORKS,
    DT_BLOCKS
} dt_block;

/** Where the blocks of the present core begin; the last one is the length of y. */
typedef struct dt_blocks {
    int offset[DT_BLOCKS + 1];
} dt_blocks;

/** What one block is. */
typedef struct dt_block_row {
    const char *name;
    /** How many unknowns a system has of it. */
    int (*length)(const dt_system *system);
    /** How many of those in the core the root mean square of errors is taken over; NULL: none. */
    int (*tested)(const dt_simulation *simulation);
    /** scale / what the error test allows, where y is. */
    void (*weigh)(const dt_simulation *simulation, double scale, const double *y, double *weights);
    /** Algebraic: its derivative does not occur, and it is out of the error test. */
    bool algebraic;
    /** Sets those to 0 that are algebraic though the others are not; NULL: none. */
    void (*identify)(const dt_simulation *simulation, double *id);
    /** From y to the core, what is read of it beside q and v: before its readings are set. NULL: nothing. */
    void (*enter)(dt_simulation *simulation, const double *y);
    /** To the core, what it has of it h after y at the rate in y', before its readings are set. NULL: nothing. */
    void (*ahead)(dt_simulation *simulation, const double *y, const double *yp, double h);
    /** The core's present state, to y; before its readings are there. */
    void (*state)(const dt_simulation *simulation, double *y);
    /** y' at the core's state, accelerations and friction. */
    void (*rate)(dt_simulation *simulation, double *yp);
    /** r = F(t, y, y'), of which the derivatives are in newton.h. False where it is not finite. */
    bool (*residual)(dt_simulation *simulation, const double *y, const double *yp, double *r);
    /**
     * Its part of a Newton step, from that of the rows before it: for what follows without feeding
     * back. NULL: it is solved with the others, by dt_newton_solve().
     */
    void (*follow)(const dt_simulation *simulation, double *r, double c);
    /** Takes over from y what the readings of a system do not hold; NULL: nothing. */
    void (*read)(dt_simulation *simulation, const double *y);
    /** What of it is saved with the simulation, as long as it is in the whole system. */
    double *(*saved)(dt_simulation *simulation);
} dt_block_row;

extern const dt_block_row dt_block_positions, dt_block_velocities, dt_block_friction,
    dt_block_multipliers, dt_block_states, dt_block_works;

/** block_table.c: all of them. */
extern const dt_block_row *const dt_block_rows[DT_BLOCKS];

/** The length of y for a system. */
int dt_blocks_length(const dt_system *system);
/** The core has been formed: where its blocks are from now on. */
void dt_blocks_place(dt_simulation *simulation);
/** The core's state, accelerations and friction, to y and y'. */
void dt_blocks_start(dt_simulation *simulation, double *y, double *yp);
/** y' alone. */
void dt_blocks_rate(dt_simulation *simulation, double *yp);
/** The core to the state in y at t: what its laws and elements read beside q and v, then dt_system_set_state(). */
void dt_blocks_enter(dt_simulation *simulation, double t, const double *y);
/** Of that, what is neither coordinates nor velocities. */
void dt_blocks_take(dt_simulation *simulation, const double *y);
/** The same in a step: where loops close, other coordinates may become dependent ones (closure.h). */
void dt_blocks_step(dt_simulation *simulation, double t, const double *y);
/** The core to the state in y h later, at the rates in y'; `t`: when that is. */
void dt_blocks_move_on(dt_simulation *simulation, double t, double h);
/** Copies what blocks have in the whole system to `kept`, as long as y for it, or (`back`) from there. */
void dt_blocks_keep(dt_simulation *simulation, double *kept, bool back);
/** What is not in the readings of a system, from y. */
void dt_blocks_read(dt_simulation *simulation, const double *y);

#endif
