/**
 * @file cam.h
 * Cams: the position of one joint is a function of that of another one.
 *
 *   g = q_f - h(q_c) = 0      G v = v_f - h' v_c      row  a_f - h' a_c - h'' v_c^2 = 0
 *   multiplier m              acts with m along the follower f, with -h' m along the cam c; no work
 *   their changes             of the row  da_f - h' da_c - (h'' a_c + h''' v_c^2) dq_c - 2 h'' v_c dv_c
 *                             of the force on the cam  -h' dm - h'' m dq_c
 *
 * h is a program of one variable; its third derivative comes from a series at a point (series.h).
 */
#ifndef DT_DYNAMICS_CAM_H
#define DT_DYNAMICS_CAM_H

#include "dynamics/element.h"

enum { DT_CAM_FOLLOWER, DT_CAM_CAM, DT_CAM_JOINTS };

/** One at a pose and velocities. */
typedef struct dt_cam {
    int row, node[DT_CAM_JOINTS], v[DT_CAM_JOINTS];
    double factor[DT_CAM_JOINTS]; /**< of G: 1, -h' */
    double h, bend;               /**< value, h'' */
    double speed;                 /**< v_c */
} dt_cam;

static inline const dt_item_list *dt_cam_items(const detent_mechanism *m)
{
    return dt_added_items(m, DT_ELEMENT_cam);
}

void dt_cam_measure(const dt_system *system, int item, dt_cam *of);
/** h'''. */
double dt_cam_jerk(const dt_system *system, int item);
/** What of the change of its row is by those of q_c and v_c. */
double dt_cam_row_change(const dt_system *system, int item, const dt_cam *of, double dq, double dv);

#endif
