/**
 * @file closure_still.h
 * What stands still because all that could move it is locked: the other joints of a loop that one locked joint holds.
 *
 * A *tie* reads the freedoms of its *span*: of a loop or a rod those between its ends, of a transmission its joints. Where its active
 * rows are as many as the freedoms of its span that may move, these follow from them alone: they do not move, and no other tie
 * can move them. So others may follow, tie by tie; and what is then left of ties that read freedoms in common stands still if
 * all of their active rows together are as many as all of their freedoms. That is so in every pose, whatever the entries of G are.
 *
 * Velocities and accelerations of such freedoms are exactly 0, and coordinates stay as they are, to the last bit. Eliminations that
 * solve for everything at once would leave rounding in them, and steps would add it up.
 */
#ifndef DT_DYNAMICS_CLOSURE_STILL_H
#define DT_DYNAMICS_CLOSURE_STILL_H

#include "dynamics/system.h"

typedef struct dt_still_tie {
    int row, rows;  /**< its rows: row ... row + rows - 1 */
    int first, end; /**< its span: node[first] ... node[end - 1] */
    int active;     /**< of its rows */
    int moving;     /**< freedoms of its span that are not known to stand still */
    bool is_driven; /**< some joint of its span moves, though it is held */
    bool stands;    /**< nothing of its span moves */
} dt_still_tie;

typedef struct dt_still {
    int tie_count;
    dt_still_tie *tie;
    int *node;             /**< of all spans */
    int tied_count, *tied; /**< the same, each once: bodies that conditions read */
    /** node_count: spans that have nodes in common are one; known by one of its nodes */
    int *cluster;
    int *cluster_of_row;  /**< rows; -1: of a span that has no nodes */
    int *node_of;         /**< nv: whose freedom it is */
    double *fastest;      /**< node_count: work space, by clusters */
    double *open;         /**< node_count: by how much clusters are open, as of dt_still_errors() */
    unsigned char *rest;  /**< node_count: a dt_still_rest */
    int *group, *surplus; /**< node_count: of what is left when tie by tie nothing more follows */
    bool any;             /**< something stands still that no lock of its own holds */
} dt_still;

typedef enum dt_still_rest {
    DT_STILL_MOVES,  /**< it may */
    DT_STILL_LOCKED, /**< it is at rest by itself */
    DT_STILL_HELD    /**< it stands still by others */
} dt_still_rest;

/** NULL into *still where there is nothing that ties. False when memory is out. */
bool dt_still_create(dt_arena *arena, const dt_system *system, dt_still **still);

/** Finds them, at the choice of rows that there is now. */
void dt_still_find(dt_system *system);

/** Whether some tie reads the freedoms of a node. */
bool dt_still_reads(const dt_still *still, int node);

/** Whether the freedoms of a node stand still by others. */
static inline bool dt_still_holds(const dt_still *still, int node)
{
    return still->any && still->rest[node] == DT_STILL_HELD;
}

/**
 * By how much ties are open at most, as dt_closure_error() has it: those whose span stands still, and (returned) all others. Notes it of each
 * cluster.
 */
double dt_still_errors(const dt_system *system, double *still);

/** Whether what some loop, or another tie, reads sets out from rest. */
typedef enum dt_still_start {
    DT_STILL_STARTS_NOTHING,
    DT_STILL_STARTS,
    DT_STILL_STARTS_BESIDE_LOCKS /**< a joint of it is locked */
} dt_still_start;
dt_still_start dt_still_sets_out(const dt_system *system);
/** Whether what a tie reads is at rest, and stays so by the forces that there are, though what is locked of it does not hold all of it. */
bool dt_still_waits(const dt_system *system, const dt_still_tie *tie);
/**
 * Whether nothing is asked of them: residuals of ties that stand still, of locked joints in them (r_f), and of coordinates (r_q; NULL
 * at the level of accelerations) are exactly 0. Then their changes are, too.
 */
bool dt_still_is_exact(const dt_system *system, const double *r_q, const double *r_f,
                       const double *r_m);
/** Sets their numbers to 0: changes of velocities or accelerations, and of coordinates (d_q may be NULL). */
void dt_still_clear(const dt_system *system, double *d_q, double *d_v);

#endif
