/**
 * @file support_story.h
 * Mechanisms whose run is known: every variant has the events and the numbers of that.
 */
#ifndef SUPPORT_STORY_H
#define SUPPORT_STORY_H

#include "support_variants.h"

/** A record of one variant, to be ended by over(). */
typedef struct story {
    variant v;
    detent_mechanism *mechanism;
    detent_simulation *simulation;
    runs_log log;
} story;

story tell(const char *text, variant v, double end);
void over(story *s);
/** Relative: time of the n-th change of a stiction to a mode. */
void must_happen(const story *s, size_t stiction, detent_mode to, size_t n, double at);
void must_be(const story *s, const char *output, double value, double tolerance);

#define EVERY_VARIANT(v)                                                    \
    for (size_t k_ = variant_first(); k_ < VARIANTS; k_ = variant_next(k_)) \
        for (variant v = variant_at(k_), *once_ = &v; once_; once_ = NULL)

#endif
