/**
 * @file spring_step.h
 * A spring of a friction law as a curve of the way x that its joint goes without turning round. With its stretch z and Z that at which it slips,
 *
 *   dz/dx = b^a,    b = 1 - z sign(x) / Z
 *
 * (Dahl), whose solution has, with r = |x| / Z and b0 of the start,
 *
 *   a = 0 (Maxwell-slip)     b = max(0, b0 - r)
 *   a = 1 (LuGre with g/k)   b = b0 exp(-r)
 *   a > 1                    b = b0 (1 + (a - 1) r b0^(a - 1))^(-1/(a - 1))
 *
 * never beyond Z, and growing with x throughout. A spring that is beyond Z, since that has become less, stays while the joint goes on.
 */
#ifndef DT_DYNAMICS_SPRING_STEP_H
#define DT_DYNAMICS_SPRING_STEP_H

/** z after the way x, and dz/dx there. `exponent`: a, 0 or at least 1. */
double dt_spring_after(double z, double x, double most, double exponent, double *slope);

/**
 * Where a spring beyond Z has come to in a time in which its joint goes the way x, which falls back where a = 1 and x leads further; other
 * springs are where they were.
 */
double dt_spring_relaxed(double z, double x, double most, double exponent);

#endif
