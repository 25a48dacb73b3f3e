/**
 * @file stable.h
 * Which of several solutions at the same modes (stable.c).
 */
#ifndef DT_STICTION_STABLE_H
#define DT_STICTION_STABLE_H

#include "stiction/search.h"

/**
 * The system has accelerations at its modes. Where these are not stable, and others are at the same modes, it has those
 * afterwards: true. Else it is as it was.
 */
bool dt_search_stabilize(dt_search *search);
/** Back to those from before. */
void dt_search_destabilize(dt_search *search);

#endif
