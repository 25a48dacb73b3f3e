/** @file The changes of the last event as arrays, which the library hands out one by one. */
#ifndef SUPPORT_CHANGES_H
#define SUPPORT_CHANGES_H

#include "detent/detent.h"

/** The mode changes of the last event (detent_mode_change_count()). The array is this thread's until the next call; `count` may be NULL. */
const detent_mode_change *last_event(const detent_simulation *, size_t *count);
/** The same of states. */
const detent_state_change *last_state_changes(const detent_simulation *, size_t *count);

#endif
