#include "model/stock.h"

#include "math/inertia.h"
#include "math/rotation.h"
#include "math/vec3.h"

#include <float.h>
#include <string.h>

/* A moment of inertia that is less than this part of the largest, or of what it is the difference of, is none. */
#define NOTHING 1e-12

/* What all lenders of a body take together, and what it hands on together. With e what a body takes and is handed on, all
 * bodies have sum e <= sum I + LEFT sum e, and lenders take LENT sum e <= LENT / (1 - LEFT) = 1/2 of what moves. */
#define LENT 0.25
#define LEFT 0.5

void dt_node_inertia(const dt_node *node, dt_inertia *I)
{
    *I = (dt_inertia){.m = node->body->mass};
    memcpy(I->J, node->body->inertia, sizeof I->J);
    dt_inertia_shift(I, node->body->com);
}

void dt_initial_pose(const detent_mechanism *m, const dt_node *node, double R[9], double p[3])
{
    double joint_R[9], joint_p[3];
    node->type->pose(node->frame->axis, m->position + node->q, joint_R, joint_p);
    dt_mul33(R, node->frame->R, joint_R);
    dt_rotate(p, node->frame->R, joint_p);
    for (int k = 0; k < 3; k++) {
        p[k] += node->frame->p[k];
    }
}

static const dt_joint *joint_of(const detent_mechanism *m, int node)
{
    return &m->joints[m->primitives[node].joint];
}

int dt_stock_base(const detent_mechanism *m, const dt_stock *stock, int last)
{
    const int parent = m->tree.nodes[joint_of(m, last)->first_primitive].parent;
    return parent < 0 ? -1 : stock[parent].root;
}

/* ---- roots ---- */

static void place(const detent_mechanism *m, dt_stock *stock, int i)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const dt_node *node = &m->tree.nodes[i];
    dt_stock *own = &stock[i];
    const dt_stock *before = node->parent < 0 ? NULL : &stock[node->parent];
    double R[9], p[3];
    dt_initial_pose(m, node, R, p);
    if (node->type->nv > 0) {
        own->root = i;
        memcpy(own->R, identity, sizeof identity);
    } else {
        own->root = before ? before->root : -1;
        memcpy(own->R, R, sizeof R);
        memcpy(own->p, p, sizeof p);
        if (before) {
            dt_mul33(own->R, before->R, R);
            dt_rotate(own->p, before->R, p);
            for (int k = 0; k < 3; k++) {
                own->p[k] += before->p[k];
            }
        }
    }
    dt_reach_extend(&own->reach, before ? &before->reach : NULL, node,
                    m->primitives[i].motion != NULL, R, p);
}

dt_stock *dt_stock_create(detent_mechanism *m, dt_arena *arena)
{
    const int n = m->tree.node_count;
    dt_stock *stock = dt_arena_alloc(arena, (size_t)n, sizeof *stock);
    for (int i = 0; stock && i < n; i++) {
        place(m, stock, i);
    }
    for (int i = 0; stock && i < n; i++) {
        dt_inertia own;
        dt_node_inertia(&m->tree.nodes[i], &own);
        dt_inertia_move(&own, &own, stock[i].R, stock[i].p);
        if (stock[i].root >= 0) {
            dt_inertia_add(&stock[stock[i].root].I, 1, &own);
        }
    }
    return stock;
}

/* ---- forms of order 3 ---- */

/* y' J^-1 y; INFINITY where J, of moments of this `size`, leaves y without any. */
static double inverse_form(const double J[6], double size, const double y[3])
{
    double A[3][3] = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
    double b[3] = {y[0], y[1], y[2]}, sum = 0;
    bool done[3] = {false, false, false};
    for (int step = 0; step < 3; step++) {
        int p = -1;
        for (int k = 0; k < 3; k++) {
            p = !done[k] && (p < 0 || A[k][k] > A[p][p]) ? k : p;
        }
        if (!(A[p][p] > NOTHING * size)) {
            double rest = 0;
            for (int k = 0; k < 3; k++) {
                rest += done[k] ? 0 : b[k] * b[k];
            }
            return rest > DBL_EPSILON * dt_dot3(y, y) ? INFINITY : sum;
        }
        sum += b[p] * b[p] / A[p][p];
        done[p] = true;
        for (int r = 0; r < 3; r++) {
            const double factor = done[r] ? 0 : A[r][p] / A[p][p];
            b[r] -= factor * b[p];
            for (int c = 0; c < 3; c++) {
                A[r][c] -= factor * A[p][c];
            }
        }
    }
    return sum;
}

static double form(const double J[6], const double y[3])
{
    return J[0] * y[0] * y[0] + J[1] * y[1] * y[1] + J[2] * y[2] * y[2] +
           2 * (J[3] * y[0] * y[1] + J[4] * y[0] * y[2] + J[5] * y[1] * y[2]);
}

static double trace(const double J[6])
{
    return J[0] + J[1] + J[2];
}

/* ---- what a body can spare ---- */

/* Where turns and translations of a root are apart, and its inertia of rotation about there; returns what that is measured by. */
static double centre_of(const dt_stock *root, double centre[3], double J[6])
{
    dt_inertia I = root->I;
    double minus[3];
    for (int k = 0; k < 3; k++) {
        centre[k] = root->reach.slides == 0 ? root->reach.centre[k] : I.m > 0 ? I.h[k] / I.m : 0;
        minus[k] = -centre[k];
    }
    dt_inertia_shift(&I, minus);
    memcpy(J, I.J, sizeof I.J);
    return fmax(trace(J), trace(root->I.J));
}

/* About one axis: J^-1 of what is turned with an arm across the axis, of this square; length: of the whole arm. */
static double turned_form(const double J[6], double size, const double axis[3], double square,
                          double length)
{
    const double moment = form(J, axis);
    if (square <= DBL_EPSILON * length) {
        return 0;
    }
    return moment > NOTHING * size ? square / moment : INFINITY;
}

/* The trace of W at a point of a root. */
static double mobility(const dt_stock *root, const double point[3])
{
    const dt_reach *reach = &root->reach;
    double centre[3], J[6], s[3], across[3];
    const double size = centre_of(root, centre, J);
    for (int k = 0; k < 3; k++) {
        s[k] = point[k] - centre[k];
    }
    double sum = reach->slides == 0 ? 0 : root->I.m > 0 ? 1 / root->I.m : INFINITY;
    if (reach->turns == 1) {
        dt_cross3(across, reach->axis, s);
        sum += turned_form(J, size, reach->axis, dt_dot3(across, across), dt_dot3(s, s));
    }
    for (int k = 0; k < 3 && reach->turns == 3; k++) {
        const double unit[3] = {k == 0, k == 1, k == 2};
        dt_cross3(across, s, unit);
        sum += inverse_form(J, size, across);
    }
    return sum;
}

/* The trace of J^-1 for the turns of a root. */
static double turning_mobility(const dt_stock *root)
{
    const dt_reach *reach = &root->reach;
    double centre[3], J[6], sum = 0;
    const double size = centre_of(root, centre, J);
    if (reach->turns == 1) {
        sum = turned_form(J, size, reach->axis, 1, 1);
    }
    for (int k = 0; k < 3 && reach->turns == 3; k++) {
        const double unit[3] = {k == 0, k == 1, k == 2};
        sum += inverse_form(J, size, unit);
    }
    return sum;
}

/* ---- what a joint lets through ---- */

/* What the primitives of a joint leave, from its base to its last node. */
typedef struct passage {
    bool slides, turns;           /* freely */
    bool is_moved, is_turned;     /* by a motion */
    bool has_axis, is_about_axis; /* free turns are about one direction */
    double axis[3];               /* of these, in the last node */
    double R[9], p[3];            /* base's joint frame in the root */
    double follower[9];           /* the last node's axes in it, where nothing turns */
} passage;

static void pass(const detent_mechanism *m, int i, passage *way)
{
    const dt_node *node = &m->tree.nodes[i];
    if (node->type->nv == 0) {
        return;
    }
    if (m->primitives[i].motion) {
        way->is_moved = way->is_moved || !node->type->rotational;
        way->is_turned = way->is_turned || node->type->rotational;
    } else if (node->type->nv > 1) {
        way->turns = true;
        way->is_about_axis = false;
    } else if (!node->type->rotational) {
        way->slides = true;
    } else {
        way->is_about_axis =
            way->is_about_axis && (!way->has_axis || dt_is_parallel(node->frame->axis, way->axis));
        way->turns = way->has_axis = true;
        memcpy(way->axis, node->frame->axis, sizeof way->axis);
    }
}

static passage passage_of(const detent_mechanism *m, const dt_stock *stock, int last)
{
    passage way = {.is_about_axis = true};
    const int first = joint_of(m, last)->first_primitive;
    const dt_node *node = &m->tree.nodes[first];
    memcpy(way.R, node->frame->R, sizeof way.R);
    memcpy(way.p, node->frame->p, sizeof way.p);
    if (node->parent >= 0) {
        const dt_stock *parent = &stock[node->parent];
        dt_mul33(way.R, parent->R, node->frame->R);
        dt_rotate(way.p, parent->R, node->frame->p);
        for (int k = 0; k < 3; k++) {
            way.p[k] += parent->p[k];
        }
    }
    memcpy(way.follower, way.R, sizeof way.R);
    for (int i = first; i <= last; i++) {
        double R[9], p[3], all[9];
        pass(m, i, &way);
        if (i > first) {
            dt_initial_pose(m, &m->tree.nodes[i], R, p);
        } else {
            node->type->pose(node->frame->axis, m->position + node->q, R, p);
        }
        dt_mul33(all, way.follower, R);
        memcpy(way.follower, all, sizeof all);
    }
    return way;
}

/* ---- giving ---- */

static double part_of(double w, double mobility)
{
    return mobility > 0 ? w / mobility : INFINITY;
}

static void isotropic(double shape[6])
{
    static const double one[6] = {1, 1, 1, 0, 0, 0};
    memcpy(shape, one, sizeof one);
}

/* The moments that a follower can have which `root` (NULL: the ground) carries, and their shape. */
static void spare_moment(const dt_stock *root, const passage *way, double w, dt_spare *spare)
{
    const bool is_free = !root || root->reach.turns == 0;
    spare->moment = 0;
    isotropic(spare->shape);
    if (way->turns && (!way->is_about_axis || (way->is_turned && !is_free))) {
        return;
    }
    if (way->turns || way->is_turned || is_free) {
        spare->moment = is_free ? INFINITY : part_of(w, turning_mobility(root));
        if (way->turns && way->is_turned) {
            spare->moment = 0; /* the axis is not where it was */
        }
        const double *a = way->axis;
        for (int k = 0; k < 3 && way->turns; k++) {
            spare->shape[k] -= a[k] * a[k];
        }
        if (way->turns) {
            spare->shape[3] = -a[0] * a[1];
            spare->shape[4] = -a[0] * a[2];
            spare->shape[5] = -a[1] * a[2];
        }
        return;
    }
    double centre[3], J[6], back[9];
    const double all = centre_of(root, centre, J);
    for (int k = 0; k < 9; k++) {
        back[k] = way->follower[3 * (k % 3) + k / 3];
    }
    dt_rotate_tensor(J, back, J);
    const double size = 0.5 * trace(J);
    if (size > NOTHING * all) {
        for (int k = 0; k < 6; k++) {
            spare->shape[k] = J[k] / size;
        }
        spare->moment = w * size;
    }
}

/* By the joint that ends at `last`, of the part w of what its base has. */
static void spare_part(const detent_mechanism *m, const dt_stock *stock, int last, double w,
                       dt_spare *spare)
{
    const int base = dt_stock_base(m, stock, last);
    const dt_stock *root = base < 0 || dt_reach_is_fixed(&stock[base].reach) ? NULL : &stock[base];
    const passage way = passage_of(m, stock, last);
    const bool holds_point = !way.slides && (!way.is_moved || !root);
    spare_moment(root, &way, w, spare);
    const double part = holds_point && spare->moment > 0 ? 0.5 : 1;
    spare->moment *= part;
    spare->mass = !holds_point ? 0 : !root ? INFINITY : part_of(part * w, mobility(root, way.p));
}

void dt_stock_spare(const detent_mechanism *m, const dt_stock *stock, int last, dt_spare *spare)
{
    const int base = dt_stock_base(m, stock, last);
    spare_part(m, stock, last, base < 0 ? 1 : LENT / stock[base].lenders, spare);
}

/* ---- handing on ---- */

static bool ends_joint(const detent_mechanism *m, int i)
{
    const dt_joint *joint = joint_of(m, i);
    return i == joint->first_primitive + joint->primitive_count - 1;
}

void dt_stock_ask(const detent_mechanism *m, dt_stock *stock, int last)
{
    int base = dt_stock_base(m, stock, last);
    if (base < 0) {
        return;
    }
    stock[base].lenders++;
    while (base >= 0 && !stock[base].is_asked) {
        stock[base].is_asked = true;
        const int before = dt_stock_base(m, stock, base);
        if (before >= 0) {
            stock[before].heirs++;
        }
        base = before;
    }
}

void dt_stock_hand_on(const detent_mechanism *m, dt_stock *stock)
{
    for (int i = 0; i < m->tree.node_count; i++) {
        if (!stock[i].is_asked || !ends_joint(m, i)) {
            continue;
        }
        const int base = dt_stock_base(m, stock, i);
        if (base < 0 || dt_reach_is_fixed(&stock[base].reach)) {
            continue; /* what stands on the ground has its group from there */
        }
        dt_spare spare;
        dt_inertia more = {0};
        spare_part(m, stock, i, LEFT / stock[base].heirs, &spare);
        more.m = isfinite(spare.mass) ? spare.mass : 0;
        for (int k = 0; k < 6 && isfinite(spare.moment); k++) {
            more.J[k] = spare.moment * spare.shape[k];
        }
        dt_inertia_add(&stock[i].I, 1, &more);
    }
}
