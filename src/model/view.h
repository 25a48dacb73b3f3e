/**
 * @file view.h
 * Frames that outputs read: those of bodies and of points, the world's; who is seen from whom. They act on nothing.
 *
 * A *frame* is a number: -1 the ground, whose frame is the world's; a body; behind all bodies, a point.
 */
#ifndef DT_MODEL_VIEW_H
#define DT_MODEL_VIEW_H

#include "model/mechanism.h"

enum { DT_NO_FRAME = -2 };

/** point.c: the frame called `name`, or DT_NO_FRAME. */
int dt_frame_find(const detent_mechanism *, const char *name);

/** The node that carries a frame, -1: the ground; its axes and its origin in the frame of that. */
int dt_frame_node(const detent_mechanism *, int frame, const double **R, const double **p);

/** While a mechanism is built: the view or the weight that there is, or a new one. -1 when memory is out. */
int dt_view_number(detent_mechanism *, const dt_view *view);
int dt_weight_number(detent_mechanism *, int body);

#endif
