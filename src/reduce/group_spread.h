/**
 * @file group_spread.h
 * How far the forces inside welded groups can be from what they are (dynamics/spread.h).
 */
#ifndef DT_REDUCE_GROUP_SPREAD_H
#define DT_REDUCE_GROUP_SPREAD_H

#include "dynamics/spread.h"
#include "reduce/welding.h"

/** Of the wrenches of the bundles (welding.h), `bundle_count` of them, after dt_spread_sweep() of the welded system. */
void dt_spread_bundles(const dt_welding *welding, const dt_spread *spread, double (*bundle)[6]);

/** Of the motion (a, alpha) of the group of node c of the welded system, or of the ground (-1). */
void dt_spread_group(const dt_welding *welding, const dt_spread *spread, int c, double motion[6]);

#endif
