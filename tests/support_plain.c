#include "support_plain.h"

void plain_step(double *y, size_t n, double t, double dt, plain_rate rate, const void *user)
{
    static const double part[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double k[PLAIN_MOST] = {0}, stage[PLAIN_MOST], sum[PLAIN_MOST] = {0};
    for (int s = 0; s < 4; s++) {
        for (size_t i = 0; i < n; i++) {
            stage[i] = y[i] + part[s] * dt * k[i];
        }
        rate(t + part[s] * dt, stage, k, user);
        for (size_t i = 0; i < n; i++) {
            sum[i] += weight[s] * k[i];
        }
    }
    for (size_t i = 0; i < n; i++) {
        y[i] += dt * sum[i];
    }
}
