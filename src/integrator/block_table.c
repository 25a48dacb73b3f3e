/* The table of blocks. */
#include "integrator/blocks.h"

const dt_block_row *const dt_block_rows[DT_BLOCKS] = {
    [DT_BLOCK_POSITIONS] = &dt_block_positions, [DT_BLOCK_VELOCITIES] = &dt_block_velocities,
    [DT_BLOCK_FRICTION] = &dt_block_friction,   [DT_BLOCK_MULTIPLIERS] = &dt_block_multipliers,
    [DT_BLOCK_STATES] = &dt_block_states,       [DT_BLOCK_WORKS] = &dt_block_works};
