#include "math/inertia.h"

#include "math/rotation.h"

void dt_inertia_shift(dt_inertia *I, const double p[3])
{
    const double m = I->m, *h = I->h, hp = dt_dot3(h, p), pp = dt_dot3(p, p);
    for (int k = 0; k < 3; k++) {
        I->J[k] += 2 * (hp - h[k] * p[k]) + m * (pp - p[k] * p[k]);
    }
    I->J[3] -= h[0] * p[1] + p[0] * h[1] + m * p[0] * p[1];
    I->J[4] -= h[0] * p[2] + p[0] * h[2] + m * p[0] * p[2];
    I->J[5] -= h[1] * p[2] + p[1] * h[2] + m * p[1] * p[2];
    for (int k = 0; k < 3; k++) {
        I->h[k] += m * p[k];
    }
}

void dt_inertia_move(dt_inertia *out, const dt_inertia *I, const double R[9], const double p[3])
{
    dt_inertia turned = {.m = I->m};
    dt_rotate(turned.h, R, I->h);
    dt_rotate_tensor(turned.J, R, I->J);
    dt_inertia_shift(&turned, p);
    *out = turned;
}

void dt_inertia_move_back(dt_inertia *out, const dt_inertia *I, const double R[9],
                          const double p[3])
{
    const double back[9] = {R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]};
    const double minus[3] = {-p[0], -p[1], -p[2]};
    dt_inertia shifted = *I;
    dt_inertia_shift(&shifted, minus);
    out->m = shifted.m;
    dt_rotate(out->h, back, shifted.h);
    dt_rotate_tensor(out->J, back, shifted.J);
}

void dt_inertia_add(dt_inertia *sum, double factor, const dt_inertia *I)
{
    sum->m += factor * I->m;
    for (int k = 0; k < 3; k++) {
        sum->h[k] += factor * I->h[k];
    }
    for (int k = 0; k < 6; k++) {
        sum->J[k] += factor * I->J[k];
    }
}
