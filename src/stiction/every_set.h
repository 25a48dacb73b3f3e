/**
 * @file every_set.h
 * Every set of sides, before a search says that there is no state: where friction follows the reactions that it causes nothing less
 * will do. Parts of a mechanism that no force ties are tried each by itself: three joints in either of two take 27 + 27 sets, not 729.
 */
#ifndef DT_STICTION_EVERY_SET_H
#define DT_STICTION_EVERY_SET_H

#include "stiction/search.h"

/**
 * Tries every set of sides of the open boxes (coupled.h), from several starts, with boxes that follow: true at the first that agrees,
 * which is left in the box. Parts with too many joints at rest for that are not tried.
 */
bool dt_every_set_settle(dt_search *search);

#endif
