#include "dynamics/sight.h"

#include "dynamics/element.h"
#include "model/view.h"

static const double zero3[3];

/* A frame and its motion in the world. */
typedef struct body_frame {
    double R[9], p[3], v[3], a[3]; /**< axes, origin and its motion */
    double w[3], alpha[3];         /**< of the body */
} body_frame;

/* How it changes; `x` is its turn. */
typedef struct frame_change {
    double x[3], p[3], v[3], a[3];
    double w[3], alpha[3];
} frame_change;

static void add_cross(double out[3], double sign, const double a[3], const double b[3])
{
    double cross[3];
    dt_cross3(cross, a, b);
    for (int k = 0; k < 3; k++) {
        out[k] += sign * cross[k];
    }
}

/* From the origin that spatial vectors of its part are taken about. */
static void arm_of(const dt_system *s, int node, const double p[3], double r[3])
{
    const double *origin = s->reference[s->tree->nodes[node].part].origin;
    for (int k = 0; k < 3; k++) {
        r[k] = p[k] - origin[k];
    }
}

/*
 * A point of a node at p: v = V_v + w x r, a = A_v + g + alpha x r + w x v; A is that beside gravity. `accelerated`: that is
 * known, and wanted.
 */
static void move_point(const dt_system *s, int node, bool accelerated, body_frame *f)
{
    const double *V = s->motion[node].V;
    double r[3];
    arm_of(s, node, f->p, r);
    for (int k = 0; k < 3; k++) {
        f->w[k] = V[k];
        f->v[k] = V[3 + k];
    }
    add_cross(f->v, 1, V, r);
    if (accelerated) {
        const double *A = s->A[node];
        for (int k = 0; k < 3; k++) {
            f->alpha[k] = A[k];
            f->a[k] = A[3 + k] + s->gravity[k];
        }
        add_cross(f->a, 1, A, r);
        add_cross(f->a, 1, V, f->v);
    }
}

static void find_frame(const dt_system *s, int number, bool accelerated, body_frame *f)
{
    const double *R, *p;
    const int node = dt_frame_node(s->mechanism, number, &R, &p);
    memset(f, 0, sizeof *f);
    if (node < 0) {
        memcpy(f->R, R, sizeof f->R);
        memcpy(f->p, p, sizeof f->p);
        return;
    }
    dt_mul33(f->R, s->motion[node].R, R);
    dt_motion_point(&s->motion[node], p, f->p);
    move_point(s, node, accelerated, f);
}

/* dp = x_w x r + x_v,  dv = dV_v + dw x r + w x dp,  da = dA_v + dg + dalpha x r + alpha x dp + dw x v + w x dv */
static void change_point(const dt_tangent *t, const dt_system *s, int node, const body_frame *f,
                         frame_change *d)
{
    const double *x = t->x[node], *dV = t->dV[node], *dA = t->dA[node];
    double r[3];
    arm_of(s, node, f->p, r);
    for (int k = 0; k < 3; k++) {
        d->x[k] = x[k];
        d->p[k] = x[3 + k];
        d->w[k] = dV[k];
        d->v[k] = dV[3 + k];
        d->alpha[k] = dA[k];
        d->a[k] = dA[3 + k] + t->dgravity[k];
    }
    add_cross(d->p, 1, x, r);
    add_cross(d->v, 1, dV, r);
    add_cross(d->v, 1, f->w, d->p);
    add_cross(d->a, 1, dA, r);
    add_cross(d->a, 1, f->alpha, d->p);
    add_cross(d->a, 1, dV, f->v);
    add_cross(d->a, 1, f->w, d->v);
}

static void change_frame(const dt_tangent *t, const dt_system *s, int number, const body_frame *f,
                         frame_change *d)
{
    const double *R, *p;
    const int node = dt_frame_node(s->mechanism, number, &R, &p);
    memset(d, 0, sizeof *d);
    if (node >= 0) {
        change_point(t, s, node, f, d);
    }
}

static void subtract(double out[3], const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = a[k] - b[k];
    }
}

/* ---- vectors ---- */

static void relative_velocity(const body_frame *f, const body_frame *o, const double d[3],
                              double e[3])
{
    subtract(e, f->v, o->v);
    add_cross(e, -1, o->w, d);
}

static void relative_acceleration(const body_frame *f, const body_frame *o, const double d[3],
                                  double out[3])
{
    double e[3], turned[3];
    relative_velocity(f, o, d, e);
    dt_cross3(turned, o->w, d);
    subtract(out, f->a, o->a);
    add_cross(out, -1, o->alpha, d);
    add_cross(out, -1, o->w, turned);
    add_cross(out, -2, o->w, e);
}

/* What two frames see of each other: d, u, and e where it is asked for. */
typedef struct apart {
    double d[3], u[3], e[3];
} apart;

typedef void (*seen_of)(const body_frame *f, const body_frame *o, const apart *is, double out[3]);

static void see_position(const body_frame *f, const body_frame *o, const apart *is, double out[3])
{
    (void)f, (void)o;
    memcpy(out, is->d, sizeof is->d);
}

static void see_velocity(const body_frame *f, const body_frame *o, const apart *is, double out[3])
{
    relative_velocity(f, o, is->d, out);
}

static void see_acceleration(const body_frame *f, const body_frame *o, const apart *is,
                             double out[3])
{
    relative_acceleration(f, o, is->d, out);
}

static void see_spin(const body_frame *f, const body_frame *o, const apart *is, double out[3])
{
    (void)f, (void)o;
    memcpy(out, is->u, sizeof is->u);
}

static void see_spinning(const body_frame *f, const body_frame *o, const apart *is, double out[3])
{
    subtract(out, f->alpha, o->alpha);
    add_cross(out, -1, o->w, is->u);
}

/* The products of the lines above, each changed in turn. */
typedef struct change_of_sight {
    const frame_change *f, *o;
    apart by;
} change_of_sight;

typedef void (*change_of)(const body_frame *o, const apart *is, const change_of_sight *d,
                          double out[3]);

static void change_position(const body_frame *o, const apart *is, const change_of_sight *d,
                            double out[3])
{
    (void)o, (void)is;
    memcpy(out, d->by.d, sizeof d->by.d);
}

static void change_velocity(const body_frame *o, const apart *is, const change_of_sight *d,
                            double out[3])
{
    (void)o, (void)is;
    memcpy(out, d->by.e, sizeof d->by.e);
}

static void change_acceleration(const body_frame *o, const apart *is, const change_of_sight *d,
                                double out[3])
{
    double turned[3], dturned[3];
    dt_cross3(turned, o->w, is->d);
    dt_cross3(dturned, d->o->w, is->d);
    add_cross(dturned, 1, o->w, d->by.d);
    subtract(out, d->f->a, d->o->a);
    add_cross(out, -1, d->o->alpha, is->d);
    add_cross(out, -1, o->alpha, d->by.d);
    add_cross(out, -1, d->o->w, turned);
    add_cross(out, -1, o->w, dturned);
    add_cross(out, -2, d->o->w, is->e);
    add_cross(out, -2, o->w, d->by.e);
}

static void change_spin(const body_frame *o, const apart *is, const change_of_sight *d,
                        double out[3])
{
    (void)o, (void)is;
    memcpy(out, d->by.u, sizeof d->by.u);
}

static void change_spinning(const body_frame *o, const apart *is, const change_of_sight *d,
                            double out[3])
{
    subtract(out, d->f->alpha, d->o->alpha);
    add_cross(out, -1, d->o->w, is->u);
    add_cross(out, -1, o->w, d->by.u);
}

static const struct {
    seen_of see;
    change_of change;
    bool accelerated; /* A must be known */
} sights[] = {
    [DT_SIGHT_POSITION] = {see_position, change_position, false},
    [DT_SIGHT_VELOCITY] = {see_velocity, change_velocity, false},
    [DT_SIGHT_ACCELERATION] = {see_acceleration, change_acceleration, true},
    [DT_SIGHT_SPIN] = {see_spin, change_spin, false},
    [DT_SIGHT_SPINNING] = {see_spinning, change_spinning, true},
};

/* The vector in the world. */
static void see(const body_frame *f, const body_frame *o, dt_sight sight, double out[3])
{
    apart is;
    subtract(is.d, f->p, o->p);
    subtract(is.u, f->w, o->w);
    sights[sight].see(f, o, &is, out);
}

double dt_sight_component(const dt_system *s, int number, dt_sight sight, int axis)
{
    const dt_view *view = &s->mechanism->views[number];
    body_frame f, o, along;
    double seen[3];
    find_frame(s, view->of, sights[sight].accelerated, &f);
    find_frame(s, view->observer, sights[sight].accelerated, &o);
    see(&f, &o, sight, seen);
    if (view->axes < 0) {
        return seen[axis];
    }
    find_frame(s, view->axes, false, &along);
    return along.R[axis] * seen[0] + along.R[3 + axis] * seen[1] + along.R[6 + axis] * seen[2];
}

static void see_change(const body_frame *f, const body_frame *o, const frame_change *df,
                       const frame_change *d_o, dt_sight sight, double out[3])
{
    change_of_sight change = {.f = df, .o = d_o};
    apart is;
    subtract(is.d, f->p, o->p);
    subtract(change.by.d, df->p, d_o->p);
    subtract(is.u, f->w, o->w);
    subtract(change.by.u, df->w, d_o->w);
    relative_velocity(f, o, is.d, is.e);
    subtract(change.by.e, df->v, d_o->v);
    add_cross(change.by.e, -1, d_o->w, is.d);
    add_cross(change.by.e, -1, o->w, change.by.d);
    sights[sight].change(o, &is, &change, out);
}

double dt_sight_component_change(const dt_tangent *t, const dt_system *s, int number,
                                 dt_sight sight, int axis)
{
    const dt_view *view = &s->mechanism->views[number];
    body_frame f, o, along;
    frame_change df, d_o, dalong;
    double seen[3], change[3];
    find_frame(s, view->of, true, &f);
    find_frame(s, view->observer, true, &o);
    find_frame(s, view->axes, true, &along);
    change_frame(t, s, view->of, &f, &df);
    change_frame(t, s, view->observer, &o, &d_o);
    change_frame(t, s, view->axes, &along, &dalong);
    see(&f, &o, sight, seen);
    see_change(&f, &o, &df, &d_o, sight, change);
    add_cross(change, -1, dalong.x, seen); /* the axes turn */
    return along.R[axis] * change[0] + along.R[3 + axis] * change[1] +
           along.R[6 + axis] * change[2];
}

/* ---- orientation ---- */

static double column_dot(const double A[9], int i, const double B[9], int j)
{
    return A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
}

void dt_sight_rotation(const dt_system *s, int number, double R[9])
{
    const dt_view *view = &s->mechanism->views[number];
    body_frame f, o;
    find_frame(s, view->of, false, &f);
    find_frame(s, view->observer, false, &o);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            R[3 * r + c] = column_dot(o.R, r, f.R, c);
        }
    }
}

/* dR = R_o' ((x - x_o) x) R_frame */
void dt_sight_rotation_change(const dt_tangent *t, const dt_system *s, int number, double dR[9])
{
    const dt_view *view = &s->mechanism->views[number];
    body_frame f, o;
    frame_change df, d_o;
    double turn[3], turned[9];
    find_frame(s, view->of, false, &f);
    find_frame(s, view->observer, false, &o);
    change_frame(t, s, view->of, &f, &df);
    change_frame(t, s, view->observer, &o, &d_o);
    subtract(turn, df.x, d_o.x);
    for (int c = 0; c < 3; c++) {
        const double axis[3] = {f.R[c], f.R[3 + c], f.R[6 + c]};
        double moved[3];
        dt_cross3(moved, turn, axis);
        for (int r = 0; r < 3; r++) {
            turned[3 * r + c] = moved[r];
        }
    }
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            dR[3 * r + c] = column_dot(o.R, r, turned, c);
        }
    }
}

/* ---- energies of one body ---- */

static void find_center(const dt_system *s, const dt_weight *weight, body_frame *f)
{
    memset(f, 0, sizeof *f);
    if (weight->node >= 0) {
        memcpy(f->R, s->motion[weight->node].R, sizeof f->R);
        dt_motion_point(&s->motion[weight->node], weight->com, f->p);
        move_point(s, weight->node, false, f);
    }
}

/* J w in the node's axes. */
static void spin_of(const dt_weight *weight, const double w[3], double out[3])
{
    const double *J = weight->inertia;
    out[0] = J[0] * w[0] + J[3] * w[1] + J[4] * w[2];
    out[1] = J[3] * w[0] + J[1] * w[1] + J[5] * w[2];
    out[2] = J[4] * w[0] + J[5] * w[1] + J[2] * w[2];
}

double dt_weight_kinetic(const dt_system *s, const dt_weight *weight)
{
    body_frame f;
    double w[3], Jw[3];
    find_center(s, weight, &f);
    dt_rotate_back(w, f.R, f.w);
    spin_of(weight, w, Jw);
    return 0.5 * weight->mass * dt_dot3(f.v, f.v) + 0.5 * dt_dot3(w, Jw);
}

double dt_weight_kinetic_change(const dt_tangent *t, const dt_system *s, const dt_weight *weight)
{
    body_frame f;
    frame_change d = {.x = {0}};
    double w[3], dw[3], Jw[3], turned[3];
    if (weight->node < 0) {
        return 0;
    }
    find_center(s, weight, &f);
    change_point(t, s, weight->node, &f, &d);
    memcpy(turned, d.w, sizeof turned);
    add_cross(turned, -1, d.x, f.w); /* in axes that turn with the body */
    dt_rotate_back(w, f.R, f.w);
    dt_rotate_back(dw, f.R, turned);
    spin_of(weight, w, Jw);
    return weight->mass * dt_dot3(f.v, d.v) + dt_dot3(dw, Jw);
}

/* The field where it does not change. */
static const double *steady_field(const dt_system *s)
{
    const dt_program *const *g = s->mechanism->gravity;
    return g[0]->is_constant && g[1]->is_constant && g[2]->is_constant ? s->gravity : zero3;
}

double dt_weight_potential(const dt_system *s, const dt_weight *weight)
{
    body_frame f;
    find_center(s, weight, &f);
    return -weight->mass * dt_dot3(steady_field(s), f.p);
}

double dt_weight_potential_change(const dt_tangent *t, const dt_system *s, const dt_weight *weight)
{
    body_frame f;
    frame_change d = {.x = {0}};
    if (weight->node < 0) {
        return 0;
    }
    find_center(s, weight, &f);
    change_point(t, s, weight->node, &f, &d);
    return -weight->mass * dt_dot3(steady_field(s), d.p);
}
