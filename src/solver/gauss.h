/**
 * @file gauss.h
 * Collocation at Gauss's nodes: the polynomial through the rates at these, and where it is farthest from them.
 * Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I, II.7.
 */
#ifndef DT_SOLVER_GAUSS_H
#define DT_SOLVER_GAUSS_H

enum {
    DT_GAUSS_PIECE = 8, /* stages of a piece at most */
    DT_GAUSS_MOST = 2 * DT_GAUSS_PIECE
};

/** Of a step that is [-1/2, 1/2], in one piece or in two. */
typedef struct dt_gauss {
    int stages;                        /**< of all pieces, each of which has as many */
    int pieces;                        /**< 1 or 2 */
    double cut;                        /**< where the second one begins */
    double node[DT_GAUSS_MOST];        /**< ascending */
    double between[DT_GAUSS_MOST + 1]; /**< -1/2, half-way between nodes, the cut, 1/2 */
    /** Lagrange's polynomials of the nodes, by powers, in a piece that is [-1/2, 1/2] */
    double basis[DT_GAUSS_MOST][DT_GAUSS_PIECE];
} dt_gauss;

/** 2, 3, 4 or 8 stages, in one piece. */
void dt_gauss_form(dt_gauss *gauss, int stages);
/** 2, 3, 4 or 8 stages on either side of the cut, inside the step: for a rate that has a kink there. */
void dt_gauss_form_two(dt_gauss *gauss, int stages, double cut);
/** The value of Lagrange's polynomial of node i at x. */
double dt_gauss_value(const dt_gauss *gauss, int i, double x);
/** How far x is from the nearest node. */
double dt_gauss_distance(const dt_gauss *gauss, double x);
/** Its integral from -1/2 to x. */
double dt_gauss_integral(const dt_gauss *gauss, int i, double x);

#endif
