#include "support_closed_chain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const chain_joint[CHAIN_JOINTS] = {"shaft", "pin", "wrist", "foot"};

/* ---- the pose ---- */

/** Places of joints and centres, and angles. */
typedef struct pose {
    double angle[CHAIN_BODIES], joint[CHAIN_JOINTS][2], centre[CHAIN_BODIES][2];
} pose;

bool chain_closes(const closed_chain *chain, double angle[CHAIN_BODIES])
{
    const double x = chain->length[0] * cos(chain->angle), y = chain->length[0] * sin(chain->angle);
    angle[0] = chain->angle;
    if (chain->slides) {
        angle[1] = asin(-y / chain->length[1]);
        angle[2] = 0;
        return fabs(y) < 0.95 * chain->length[1];
    }
    const double X = chain->foot - x, d = hypot(X, y), l = chain->length[1], r = chain->length[2];
    const double cosine = (l * l + d * d - r * r) / (2 * l * d);
    angle[1] = atan2(-y, X) + acos(cosine);
    angle[2] = atan2(y + l * sin(angle[1]), x + l * cos(angle[1]) - chain->foot);
    return fabs(cosine) < 0.95;
}

static pose find_pose(const closed_chain *chain)
{
    pose p = {.joint = {{0}}};
    chain_closes(chain, p.angle);
    for (int b = 0; b < 2; b++) {
        p.joint[b + 1][0] = p.joint[b][0] + chain->length[b] * cos(p.angle[b]);
        p.joint[b + 1][1] = p.joint[b][1] + chain->length[b] * sin(p.angle[b]);
    }
    p.joint[3][0] = chain->slides ? p.joint[2][0] : chain->foot;
    p.joint[3][1] = chain->slides ? p.joint[2][1] : 0;
    for (int b = 0; b < CHAIN_BODIES; b++) {
        const double *from = b < 2 ? p.joint[b] : p.joint[3], c = cos(p.angle[b]),
                     s = sin(p.angle[b]);
        p.centre[b][0] = from[0] + c * chain->centre[b][0] - s * chain->centre[b][1];
        p.centre[b][1] = from[1] + s * chain->centre[b][0] + c * chain->centre[b][1];
    }
    return p;
}

/* ---- one elimination ---- */

enum { MOTIONS = 3 * CHAIN_BODIES, FORCES = 2 * CHAIN_JOINTS, UNKNOWNS = MOTIONS + FORCES + 1 };

typedef double matrix[UNKNOWNS][UNKNOWNS + 1];

/** Solves n equations; the right-hand side is the last column, and then the solution. */
static void eliminate(matrix A, int n)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int r = k + 1; r < n; r++) {
            best = fabs(A[r][k]) > fabs(A[best][k]) ? r : best;
        }
        for (int c = k; c <= n; c++) {
            const double x = A[k][c];
            A[k][c] = A[best][c];
            A[best][c] = x;
        }
        for (int r = 0; r < n; r++) {
            const double factor = r == k ? 0 : A[r][k] / A[k][k];
            for (int c = k; c <= n && factor != 0; c++) {
                A[r][c] -= factor * A[k][c];
            }
        }
    }
    for (int k = 0; k < n; k++) {
        A[k][n] /= A[k][k];
    }
}

/** How joint j moves the later body beside the earlier one: rows r (2 of it) of motions, and what is left of them at speed w. */
static void joint_rows(const closed_chain *chain, const pose *p, int j, const double *w,
                       double row[2][MOTIONS], double rest[2])
{
    memset(row, 0, 2 * sizeof *row);
    rest[0] = rest[1] = 0;
    for (int end = 0; end < 2;
         end++) { /* earlier body j-1, later body j; outside of 0 .. 2 the ground */
        const int b = end ? j : j - 1;
        const double sign = end ? 1 : -1;
        if (b < 0 || b >= CHAIN_BODIES) {
            continue;
        }
        const double r[2] = {p->joint[j][0] - p->centre[b][0], p->joint[j][1] - p->centre[b][1]};
        if (chain->slides && j == 3) { /* neither up nor round */
            row[0][3 * b + 1] = sign;
            row[0][3 * b + 2] = sign * r[0];
            row[1][3 * b + 2] = sign;
            continue;
        }
        row[0][3 * b] = row[1][3 * b + 1] = sign;
        row[0][3 * b + 2] = -sign * r[1];
        row[1][3 * b + 2] = sign * r[0];
        for (int k = 0; k < 2; k++) {
            rest[k] -= sign * w[b] * w[b] * r[k];
        }
    }
}

/** Motions of the three bodies where the crank turns at 1. */
static void unit_motion(const closed_chain *chain, const pose *p, double motion[MOTIONS])
{
    static const double still[CHAIN_BODIES] = {0};
    matrix A = {{0}};
    for (int j = 0; j < CHAIN_JOINTS; j++) {
        double row[2][MOTIONS], rest[2];
        joint_rows(chain, p, j, still, row, rest);
        memcpy(A[2 * j], row[0], sizeof row[0]);
        memcpy(A[2 * j + 1], row[1], sizeof row[1]);
    }
    A[MOTIONS - 1][2] = A[MOTIONS - 1][MOTIONS] = 1;
    eliminate(A, MOTIONS);
    for (int k = 0; k < MOTIONS; k++) {
        motion[k] = A[k][MOTIONS];
    }
}

/** The speed of joint j in a motion. */
static double speed_of(const closed_chain *chain, int j, const double motion[MOTIONS])
{
    const int later = j < CHAIN_BODIES ? j : -1, earlier = j - 1;
    if (chain->slides && j == 3) {
        return -motion[6]; /* of the ground beside the block */
    }
    return (later >= 0 ? motion[3 * later + 2] : 0) - (earlier >= 0 ? motion[3 * earlier + 2] : 0);
}

/**
 * Accelerations and forces where the friction of joints is given; with `torque` the crank has no acceleration, and that is the torque
 * which it takes.
 */
static void solve(const closed_chain *chain, const pose *p, const double motion[MOTIONS],
                  const double friction[CHAIN_JOINTS], double *torque, chain_state *state)
{
    const int n = MOTIONS + FORCES + (torque != NULL);
    double w[CHAIN_BODIES];
    matrix A = {{0}};
    for (int b = 0; b < CHAIN_BODIES; b++) {
        w[b] = chain->speed * motion[3 * b + 2];
        A[3 * b][3 * b] = A[3 * b + 1][3 * b + 1] = chain->mass[b];
        A[3 * b + 2][3 * b + 2] = chain->inertia[b];
        A[3 * b + 1][n] = -chain->mass[b] * chain->gravity;
    }
    A[2][n] = torque ? 0 : chain->torque;
    for (int j = 0; j < CHAIN_JOINTS; j++) {
        double row[2][MOTIONS], rest[2];
        joint_rows(chain, p, j, w, row, rest);
        for (int k = 0; k < 2; k++) {
            A[MOTIONS + 2 * j + k][n] = -rest[k];
            for (int m = 0; m < MOTIONS; m++) {
                A[MOTIONS + 2 * j + k][m] = row[k][m];
                A[m][MOTIONS + 2 * j + k] = -row[k][m]; /* forces on the later body */
            }
        }
        for (int end = 0; end < 2; end++) {
            const int b = end ? j : j - 1;
            if (b >= 0 && b < CHAIN_BODIES) {
                /* the slide pushes along x at its own place, where the block's pin is */
                const bool slide = chain->slides && j == 3;
                const double f = (end ? 1 : -1) * friction[j];
                A[3 * b][n] += slide ? f : 0;
                A[3 * b + 2][n] += slide ? -(p->joint[3][1] - p->centre[b][1]) * f : f;
            }
        }
    }
    if (torque) {
        A[2][n - 1] = -1;
        A[n - 1][2] = 1;
    }
    eliminate(A, n);
    state->acceleration = A[2][n];
    for (int j = 0; j < CHAIN_JOINTS; j++) {
        const double *F[2] = {&A[MOTIONS + 2 * j][n], &A[MOTIONS + 2 * j + 1][n]};
        state->carried[j] = chain->slides && j == 3 ? fabs(*F[0]) : hypot(*F[0], *F[1]);
    }
    if (torque) {
        *torque = A[n - 1][n];
    }
}

/* ---- friction ---- */

static chain_state repeat(const closed_chain *chain, int side, double factor, double *torque)
{
    chain_state state = {.settles = false};
    double motion[MOTIONS], change = 1;
    const pose p = find_pose(chain);
    unit_motion(chain, &p, motion);
    for (int k = 0; k < 400 && change > 1e-15; k++) {
        double most = 1e-300;
        change = 0;
        solve(chain, &p, motion, state.friction, torque, &state);
        for (int j = 0; j < CHAIN_JOINTS; j++) {
            state.ratio[j] = speed_of(chain, j, motion);
            const double f = -side * (state.ratio[j] > 0 ? 1 : -1) * factor * chain->kinetic[j] *
                             state.carried[j];
            most = fmax(most, fabs(f));
            change = fmax(change, fabs(f - state.friction[j]));
            state.friction[j] = f;
        }
        change /= most;
    }
    solve(chain, &p, motion, state.friction, torque, &state);
    state.settles = change < 1e-13;
    return state;
}

chain_state chain_moves(const closed_chain *chain, int side, double factor)
{
    return repeat(chain, side, factor, NULL);
}

double chain_breaks(const closed_chain *chain, int side, chain_state *state)
{
    double torque = 0;
    *state = repeat(chain, side, chain->ratio, &torque);
    return torque;
}

/** The same share of all limits, with which the crank does not accelerate. */
static void share(const closed_chain *chain, const pose *p, const double motion[MOTIONS],
                  const double limit[CHAIN_JOINTS], double friction[CHAIN_JOINTS])
{
    static const double none[CHAIN_JOINTS] = {0};
    double way[CHAIN_JOINTS];
    chain_state free, moved;
    solve(chain, p, motion, none, NULL, &free);
    for (int j = 0; j < CHAIN_JOINTS; j++) {
        way[j] = speed_of(chain, j, motion) > 0 ? -limit[j] : limit[j];
    }
    solve(chain, p, motion, way, NULL, &moved);
    for (int j = 0; j < CHAIN_JOINTS; j++) {
        friction[j] = free.acceleration / (free.acceleration - moved.acceleration) * way[j];
    }
}

chain_state chain_rests(const closed_chain *chain)
{
    chain_state state = {.settles = false};
    double motion[MOTIONS], change = 1;
    closed_chain still = *chain;
    still.speed = 0;
    const pose p = find_pose(&still);
    unit_motion(&still, &p, motion);
    for (int k = 0; k < 400 && change > 1e-14; k++) {
        double limit[CHAIN_JOINTS], before[CHAIN_JOINTS];
        memcpy(before, state.friction, sizeof before);
        solve(&still, &p, motion, state.friction, NULL, &state);
        for (int j = 0; j < CHAIN_JOINTS; j++) {
            limit[j] = chain->ratio * chain->kinetic[j] * state.carried[j];
        }
        share(&still, &p, motion, limit, state.friction);
        change = 0;
        for (int j = 0; j < CHAIN_JOINTS; j++) {
            state.ratio[j] = speed_of(chain, j, motion);
            change = fmax(change, fabs(state.friction[j] - before[j]) / (limit[j] + 1e-300));
        }
    }
    solve(&still, &p, motion, state.friction, NULL, &state);
    state.settles = change < 1e-12;
    return state;
}

/* ---- files ---- */

static const char *const body[] = {"ground", "crank", "coupler", "rocker", "ground"};

/** Where joint j is on the body before and the one behind it in the ring, in their frames. */
static void places(const closed_chain *chain, int j, double offset, double at[2][3])
{
    memset(at, 0, 2 * sizeof *at);
    if (j == 1 || j == 2) {
        at[0][0] = chain->length[j - 1];
        at[0][2] = offset;
    }
    if (j == 2) {
        at[1][0] = chain->slides ? 0 : chain->length[2];
    }
    if (j == 3) {
        at[1][0] = chain->slides ? 0 : chain->foot;
        at[1][2] = 2 * offset;
    }
}

static int write_joint(char *text, size_t size, const closed_chain *chain, int j, int cut,
                       double offset, int *sign)
{
    const bool back = j > cut || (j == 3 && cut == 3); /* from the ground's other end */
    const bool slide = chain->slides && j == 3;
    double at[2][3], angle[CHAIN_BODIES];
    places(chain, j, offset, at);
    chain_closes(chain, angle);
    /* Of a block. */
    const double x = chain->length[0] * cos(angle[0]) + chain->length[1] * cos(angle[1]);
    const double turn = (j < 3 ? angle[j] : 0) - (j > 0 ? angle[j - 1] : 0),
                 position = slide ? -x : turn;
    *sign = back ? -1 : 1;
    return snprintf(
        text, size,
        "  %s: {type: %s, base: %s, follower: %s, at: {base: [%.17g, 0, %.17g], follower: "
        "[%.17g, 0, %.17g]}, initial: {position: %.17g, velocity: %.17g%s}%s}\n",
        chain_joint[j], slide ? "prismatic, axis: [1, 0, 0]" : "revolute", body[back ? j + 1 : j],
        body[back ? j : j + 1], at[back][0], at[back][2], at[!back][0], at[!back][2],
        *sign * position, j == 0 ? *sign * chain->speed : 0, j == 0 ? ", priority: exact" : "",
        j == cut ? ", closes: true" : "");
}

void chain_write(char *text, size_t size, const closed_chain *chain, int cut, int first,
                 bool turned, double offset, double across, const char *torque, const char *more,
                 int sign[CHAIN_JOINTS])
{
    size_t n = (size_t)snprintf(text, size, "detent: 1\ngravity: [0, %.17g, %.17g]\nbodies:\n",
                                -chain->gravity, -across);
    for (int b = 0; b < CHAIN_BODIES; b++) {
        n += (size_t)snprintf(text + n, size - n,
                              "  %s: {mass: %.17g, center_of_mass: [%.17g, %.17g, 0], inertia: "
                              "[%.17g, %.17g, %.17g]}\n",
                              body[b + 1], chain->mass[b], chain->centre[b][0], chain->centre[b][1],
                              0.7 * chain->inertia[b], 0.8 * chain->inertia[b], chain->inertia[b]);
    }
    n += (size_t)snprintf(text + n, size - n, "joints:\n");
    for (int k = 0; k < CHAIN_JOINTS; k++) {
        const int j = (turned ? first + CHAIN_JOINTS - k : first + k) % CHAIN_JOINTS;
        n += (size_t)write_joint(text + n, size - n, chain, j, cut, offset, &sign[j]);
    }
    n += (size_t)snprintf(text + n, size - n, "stiction:\n");
    for (int k = 0; k < CHAIN_JOINTS; k++) {
        const int j = (first + k) % CHAIN_JOINTS;
        const bool slide = chain->slides && j == 3;
        for (int s = 0; s < 2; s++) {
            n += (size_t)snprintf(
                text + n, size - n, "%s%s%s: \"%.17g %s*%s(%s)\"%s", s ? ", " : "  ",
                s ? "" : chain_joint[j], s ? "static" : ": {kinetic",
                (s ? chain->ratio : 1) * chain->kinetic[j], slide ? "" : "[m]",
                slide ? "normal_force" : "reaction_force", chain_joint[j], s ? "}\n" : "");
        }
    }
    n += (size_t)snprintf(text + n, size - n, "loads:\n  turn: {body: crank, torque: [0, 0, %s]}\n",
                          torque);
    snprintf(text + n, size - n, "%s", more);
}
