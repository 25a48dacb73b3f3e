/**
 * @file line_force.h
 * A force along the line between two places of two bodies: a kind of it is a scalar law of the length and its rate
 * (dt_element_kind.line); geometry, wrenches, slopes and powers are those of all of them (element_line.c).
 */
#ifndef DT_DYNAMICS_LINE_FORCE_H
#define DT_DYNAMICS_LINE_FORCE_H

/** The tension T(l, l') at a length (m) and its rate (m/s), with its slopes. */
typedef struct dt_pull {
    double tension;   /**< N; positive: the ends are drawn together */
    double by_length; /**< N/m */
    double by_rate;   /**< N s/m */
} dt_pull;

/** A kind: functions of an item's definition. */
typedef struct dt_line_force {
    void (*pull)(const void *definition, double length, double rate, dt_pull *pull);
    /**
     * Whether there is no force without a direction. False: where the ends meet, the force is by_length times what there
     * is between them, and nothing is undefined. NULL: there is none.
     */
    bool (*needs_direction)(const void *definition);
    double (*potential)(const void *definition, double length); /**< J; NULL: none */
    /** The power that is lost, W, part of T l'; NULL: none. */
    double (*loss)(const void *definition, double length, double rate);
    /**
     * What outputs read of it (dt_item_kind.readings), by the part of the variable, with its slopes by length and rate; NULL: nothing.
     */
    double (*reading)(const void *definition, double length, double rate, int part,
                      double slope[2]);
} dt_line_force;

#endif
