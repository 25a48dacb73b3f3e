/* The table of sources: it alone knows the rows, which ask source.c. */
#include "integrator/source.h"

#include "integrator/core.h"

void dt_sources_choose(dt_simulation *sim)
{
    sim->source[DT_SOURCE_INSTANT] = &dt_source_instant;
    sim->source[DT_SOURCE_SAMPLE] = &dt_source_sample;
    sim->source[DT_SOURCE_DEAD_TIME] = &dt_source_dead_time;
    sim->source[DT_SOURCE_STICTION] = &dt_source_stiction;
    sim->source[DT_SOURCE_STOP] = &dt_source_stop;
    sim->source[DT_SOURCE_JUMP] = &dt_source_jump;
    sim->source[DT_SOURCE_SWITCH] = &dt_source_switch;
    sim->source[DT_SOURCE_REDUCED] = sim->reduction.way->source;
}
