#include "math/solid.h"

static const double pi = 3.14159265358979323846;

dt_solid dt_solid_sphere(const double *size)
{
    const double r = size[0], all = 0.4 * r * r;
    return (dt_solid){4.0 / 3 * pi * r * r * r, {all, all, all}};
}

dt_solid dt_solid_ellipsoid(const double *size)
{
    const double a = size[0] * size[0], b = size[1] * size[1], c = size[2] * size[2];
    return (dt_solid){4.0 / 3 * pi * size[0] * size[1] * size[2],
                      {(b + c) / 5, (a + c) / 5, (a + b) / 5}};
}

dt_solid dt_solid_box(const double *size)
{
    const double a = size[0] * size[0], b = size[1] * size[1], c = size[2] * size[2];
    return (dt_solid){8 * size[0] * size[1] * size[2], {(b + c) / 3, (a + c) / 3, (a + b) / 3}};
}

dt_solid dt_solid_cylinder(const double *size)
{
    const double r = size[0], h = size[1], across = r * r / 4 + h * h / 3;
    return (dt_solid){2 * pi * r * r * h, {across, across, r * r / 2}};
}

/* A cylinder with a half ball at each end, whose centre of mass is 3/8 r beyond it. */
dt_solid dt_solid_capsule(const double *size)
{
    const double r = size[0], h = size[1], middle = 2 * pi * r * r * h,
                 ends = 4.0 / 3 * pi * r * r * r, all = middle + ends;
    const double across =
                     middle * (r * r / 4 + h * h / 3) + ends * (0.4 * r * r + h * h + 0.75 * h * r),
                 along = middle * r * r / 2 + ends * 0.4 * r * r;
    return (dt_solid){all, {across / all, across / all, along / all}};
}
