/**
 * @file source.h
 * What can end a smooth stretch, as a table of sources: root functions, and instants known in advance.
 * A row says how many root functions it has in the present core, evaluates them into its slice, and what
 * follows when one has fired. Where slices begin follows from the table, and is asked by source and item.
 *
 * An *item* is what two root functions belong to: a stiction, a switch, a joint that is not in the core. Items of a source
 * are counted in the core, but for marks (`fired`), which are by item of the system. -1: fell through zero;
 * 1: joined by a search.
 */
#ifndef DT_INTEGRATOR_SOURCE_H
#define DT_INTEGRATOR_SOURCE_H

#include "integrator/core.h"

/** A mark: fell through zero, or joined by a search. */
enum { DT_FELL = -1, DT_JOINED = 1 };

/** What an event starts from. */
typedef struct dt_occasion {
    bool search;         /**< something beyond a threshold happened */
    detent_cause others; /**< cause of changes that the search makes to joints that did not fire */
} dt_occasion;

/** When a value is from: the end of the last step (2) or of those before (1, 0), or the last evaluation. */
enum { DT_VALUE_LAST = 2, DT_VALUE_NOW };

/** Visits an item. */
typedef void dt_visit(dt_simulation *simulation, dt_source source, int item, void *user);

/** What a source is; NULL: it has nothing to do there. */
typedef struct dt_source_row {
    /* root functions */

    /** How many root functions there may ever be. */
    int (*most)(const dt_simulation *simulation);
    /** The core has been formed: how many root functions it has now; notes which items they are of. */
    int (*place)(dt_simulation *simulation);
    /** The core is at a consistent state, and about to be integrated: they are to start inside. */
    void (*restart)(dt_simulation *simulation);
    /** Their values at the readings of the core; false where a force is not finite. */
    bool (*evaluate)(dt_simulation *simulation, const double *y, double *g);
    /** The unknown that one is but for a factor and an offset, or -1. */
    int (*unknown)(const dt_simulation *simulation, dt_root root);
    /** Visits items whose roots may have come and gone in a step: those that are velocities, or others. */
    void (*each)(dt_simulation *simulation, bool velocities, dt_visit *visit, void *user);
    /** A value of one that is not watched by itself; NULL: each has a root function of its own. */
    double (*value)(const dt_simulation *simulation, dt_root root, int when);
    /** A step has ended, a new one or the same, at the last evaluation. */
    void (*note)(dt_simulation *simulation, bool new_step);
    /** What is no movement but noise. */
    double (*noise)(const dt_simulation *simulation, int item);
    /** One that fires early in the first step after a restart is looked for again in a shorter one. */
    bool doubtful;
    /** One may stand at zero at the very start, and leave it to the wrong side. */
    bool has_borders;
    /** None may be below zero at the end of a step: what Newton's method has left there, or a root that began at zero. */
    bool keeps_inside;

    /** Of one that the integrator tells of: whether it is noise, and nothing has fallen. NULL: never. */
    bool (*is_noise)(const dt_simulation *simulation, dt_root root);

    /* instants */

    /** The first one, s, or INFINITY; `stop`: where the next step ends at the latest. */
    double (*next)(dt_simulation *simulation, double *stop);

    /** Looks ahead anew from t; `all`: also of those that no input changes. Sets what holds then. */
    void (*renew)(dt_simulation *simulation, double t, bool all);
    /** Looks ahead anew from t, where what is recorded is right: a restored run begins. */
    void (*forget)(dt_simulation *simulation, double t);

    /* events */

    /** The state at an event, and the readings of the core, are there. */
    void (*arrive)(dt_simulation *simulation);
    /** Pairs in `fired`. */
    int (*pairs)(const dt_system *whole);
    /** The pair of an item. */
    int *(*fired)(const dt_simulation *simulation, int item);
    /** Marks what the integrator tells of its root functions; false where nobody is found. */
    bool (*report)(dt_simulation *simulation, const int *watched);
    /** Marks whose instant an event at t is; whether there is any. */
    bool (*due)(dt_simulation *simulation, double t);
    /** What follows for those that are marked. */
    void (*follow)(dt_simulation *simulation, dt_occasion *what);
    /** Those that are there at this very instant join. */
    void (*join)(dt_simulation *simulation);
    /** After a search: those of the system, or the core, that it has left on the wrong side join. */
    bool (*repair)(dt_simulation *simulation, dt_system *searched);
    /** Velocities have jumped: what follows from them. */
    void (*jump)(dt_simulation *simulation);
    /** The event has been handled. */
    void (*pass)(dt_simulation *simulation);

    /* who takes part in a storm */

    const char *noun;
    bool of_laws;     /**< each is a law, which its name is the text of */
    int longest_name; /**< it is cut off there */
    int (*participants)(const dt_simulation *simulation);
    const char *(*name)(const dt_simulation *simulation, int participant);
    /** Adds 1 for each that has taken part in the event just handled. */
    void (*count)(const dt_simulation *simulation, unsigned char *times);
} dt_source_row;

extern const dt_source_row dt_source_instant, dt_source_sample, dt_source_dead_time,
    dt_source_stiction, dt_source_stop, dt_source_jump, dt_source_switch;

/* ---- places ---- */

/** How many root functions are watched. */
static inline int dt_watched(const dt_simulation *s)
{
    return s->roots.first[DT_SOURCES];
}
/** How many root functions a source has. */
static inline int dt_source_length(const dt_simulation *s, dt_source source)
{
    return s->roots.first[source + 1] - s->roots.first[source];
}
/** Items of a source, each with two root functions. */
static inline int dt_source_items(const dt_simulation *s, dt_source source)
{
    return dt_source_length(s, source) / 2;
}
/** The slice of a source in the values of all root functions, by item. */
static inline double (*dt_source_values(const dt_simulation *s, dt_source source, double *g))[2]
{
    return (double(*)[2])(g + s->roots.first[source]);
}
/** One of those values. */
static inline double dt_root_value(const dt_simulation *s, dt_root root, const double *g)
{
    return g[s->roots.first[root.source] + 2 * root.item + root.which];
}
/** The pair of an item of the system: of a stiction, or a switch. */
static inline int *dt_fired(const dt_simulation *s, dt_source source, int item)
{
    return s->roots.fired[s->roots.pair[source] + item];
}
/** The pair of a switch of a law. */
static inline int *dt_fired_switch(const dt_simulation *s, const dt_law *law, int index)
{
    return dt_fired(s, DT_SOURCE_SWITCH, law->branch + index);
}
/** Whether a pair is marked. */
static inline bool dt_has_fired(const int fired[2])
{
    return fired[0] || fired[1];
}
/** The root function at a place among those that are watched. */
dt_root dt_source_root(const dt_simulation *simulation, int watched);

/** A root of stiction k of the system, in the core or not. */
dt_root dt_root_of_stiction(const dt_simulation *simulation, int k, int which);

/* ---- all sources ---- */

/** source_table.c: the table of sources, that of the reduction among them. */
void dt_sources_choose(dt_simulation *simulation);
/** False when memory is out. */
bool dt_sources_create(dt_arena *arena, dt_simulation *simulation);
/** As many root functions as may ever be watched. */
int dt_sources_most(const dt_simulation *simulation);
/** Which root functions there are from now on: the core is about to be integrated. */
void dt_sources_restart(dt_simulation *simulation);
/** Values of all of them, the core being at its readings. False where one is not finite. */
bool dt_sources_evaluate(dt_simulation *simulation, const double *y, double *g);
/** Visits all items whose roots are velocities, or all others. */
void dt_sources_visit(dt_simulation *simulation, bool velocities, dt_visit *visit, void *user);
/** Whether the last step ended at roots that are doubtful in the first step. */
bool dt_sources_are_doubtful(const dt_simulation *simulation);
/** Whether all roots at which the last step ended are noise. */
bool dt_sources_are_noise(const dt_simulation *simulation);

/**
 * Where the next step has to end at the latest: just before an instant, with the old branches, or
 * where none is known yet.
 */
double dt_sources_next(dt_simulation *simulation);
/** Up to when the old branches hold if there is an event at t: to just before, if it is an instant. */
double dt_sources_before(const dt_simulation *simulation, double t);
/** Whether the last step has ended just before an instant. */
bool dt_sources_reached(const dt_simulation *simulation);

/** Inputs have changed at t, or (`all`) anything: looks ahead anew. */
void dt_sources_renew(dt_simulation *simulation, double t, bool all);
/** A restored run begins at t. */
void dt_sources_forget(dt_simulation *simulation, double t);

void dt_sources_note(dt_simulation *simulation, bool new_step);
void dt_sources_arrive(dt_simulation *simulation);

/** Nothing is marked. */
void dt_sources_clear(dt_simulation *simulation);
/** Whether anybody is marked. */
bool dt_sources_are_marked(const dt_simulation *simulation);
/** Marks what the integrator tells; after dt_core_at() at the event. False where nobody is found. */
bool dt_sources_report(dt_simulation *simulation);
/** Marks whose instant an event at t is; whether there is any. Can be repeated until dt_sources_pass(). */
bool dt_sources_due(dt_simulation *simulation, double t);
void dt_sources_follow(dt_simulation *simulation, dt_occasion *what);
void dt_sources_join(dt_simulation *simulation);
/** Whether somebody has joined. */
bool dt_sources_repair(dt_simulation *simulation, dt_system *searched);
void dt_sources_jump(dt_simulation *simulation);
void dt_sources_pass(dt_simulation *simulation);

#endif
