/* Mechanisms with closed loops as numbers, for every engine the same. They move in the plane x-y.
 *
 * A tree of bodies on pins about z, and what closes its loops: rows, each of which keeps a point of a
 * body in a plane of another one. Two of them make a pin, one alone a pin on a rail; none is redundant
 * in the plane. */
#ifndef BENCH_PEERS_LOOPS_HPP
#define BENCH_PEERS_LOOPS_HPP

#include "peer.hpp"

namespace peer
{

/* A frame has its origin on the body's pin; the centre of mass lies on its x axis. */
struct LoopBody {
    int parent;          /* 0: the ground */
    double at[2];        /* of its pin in the parent's frame, m */
    double middle;       /* of mass, m */
    double mass;         /* kg */
    double inertia[2];   /* about x, and about y and z, through the centre of mass */
    double start;        /* angle to the parent's frame, rad */
    double friction = 0; /* of its pin, N m */
};

/* normal . (point of `body`, seen from `plane`) = height */
struct LoopRow {
    int plane;
    double normal[2], height;
    int body;
    double point[2];
};

/* The angle of `body` changes by that factor times the change of the other one's. */
struct LoopRatio {
    int body, other;
    double factor;
};

/* What drives it: a torque on the pin of `body`, or a force along x of the world on a point of it,
 *   drive - damping * velocity. */
struct LoopDrive {
    int body = 0;
    bool is_torque = false;
    double point[2] = {0, 0}, drive = 0, damping = 0;
    double rate = 0; /* rad/s: where it is one, the drive is drive sin(rate t) */

    double at(double t) const
    {
        return rate > 0 ? drive * std::sin(rate * t) : drive;
    }
};

/* One freedom; the angle of body 1 is compared. */
struct Loop {
    std::string name;
    int n = 1;      /* stages */
    double end = 1; /* s */
    double gravity = 9.81;
    std::vector<LoopBody> bodies; /* from 1; bodies[0] is the ground */
    std::vector<LoopRow> rows;
    std::vector<LoopRatio> gears;
    /* In engines that know no point in a plane: what single rows come to once other loops are closed. */
    std::vector<LoopRatio> ratios;
    LoopDrive drive;
};

/* Point `along` of body's x axis becomes a pin on the x axis of `plane`, at `height`. */
inline void pin(Loop &loop, int plane, double height, int body, double along)
{
    loop.rows.push_back({plane, {1, 0}, height, body, {along, 0}});
    loop.rows.push_back({plane, {0, 1}, 0, body, {along, 0}});
}

/* As bench/workload.c states it. */
inline Loop four_bar()
{
    constexpr double crank = 0.3, coupler = 0.8, rocker = 0.6, base = 0.9, start = 0.9;
    const double x = base - crank * std::cos(start), y = -crank * std::sin(start);
    const double square = x * x + y * y;
    const double between = std::acos((square + coupler * coupler - rocker * rocker) /
                                     (2 * std::sqrt(square) * coupler));
    const double b = std::atan2(y, x) + between;
    const double c = std::atan2(coupler * std::sin(b) - y, coupler * std::cos(b) - x);
    Loop loop;
    loop.name = "four-bar";
    loop.end = 10;
    loop.bodies = {{},
                   {0, {0, 0}, crank / 2, 0.6, {1e-4, 5e-3}, start},
                   {1, {crank, 0}, coupler / 2, 1.2, {2e-4, 0.06}, b - start},
                   {0, {base, 0}, rocker / 2, 1, {2e-4, 0.03}, c}};
    pin(loop, 3, rocker, 2, coupler);
    loop.drive = {1, true, {0, 0}, 8, 1};
    return loop;
}

/* With friction in three pins: not in the one that closes the loop, where engines may have none. */
inline Loop sticky_four_bar()
{
    Loop loop = four_bar();
    loop.name = "sticky-four-bar";
    loop.end = 6;
    loop.drive.rate = 2;
    loop.bodies[1].friction = 1.5;
    loop.bodies[2].friction = 0.8;
    loop.bodies[3].friction = 1.2;
    return loop;
}

/* mechanisms/scissor_lift.yaml, its z here y: bodies 2 k - 1 and 2 k are the bars of stage k, the last one
 * is the platform. */
inline Loop scissor(int n)
{
    constexpr double length = 1, mass = 2, load = 50, angle = 0.5, pi = 3.14159265358979323846;
    const LoopBody up = {0, {0, 0}, length / 2, mass, {0.01, mass / 12}, angle};
    const LoopBody down = {0, {length / 2, 0}, 0, mass, {0.01, mass / 12}, pi - 2 * angle};
    Loop loop;
    loop.name = "scissor";
    loop.n = n;
    loop.end = n <= 10 ? 0.5 : 3;
    loop.bodies = {{}};
    loop.rows.push_back({0, {0, 1}, 0, 2, {-length / 2, 0}}); /* the foot on the ground */
    for (int k = 1; k <= n; k++) {
        loop.bodies.push_back(up);
        loop.bodies.push_back(down);
        loop.bodies.back().parent = 2 * k - 1;
        if (k > 1) {
            LoopBody &left = loop.bodies[size_t(2 * k - 1)];
            left.parent = 2 * k - 2;
            left.at[0] = length / 2;
            left.start = 2 * angle - pi;
            pin(loop, 2 * k - 3, length, 2 * k, -length / 2);
        }
    }
    loop.bodies.push_back({2 * n, {length / 2, 0}, 0, load, {1, 1}, angle - pi});
    loop.rows.push_back({2 * n + 1, {0, 1}, 0, 2 * n - 1, {length, 0}}); /* the roller */
    loop.ratios = {{2, 1, -2}, {2 * n + 1, 1, 1}};
    const double balance = (n * load + n * n * mass) * loop.gravity / std::tan(angle);
    loop.drive = {2, false, {-length / 2, 0}, -1.05 * balance, 200.0 * n * n};
    return loop;
}

/* As bench/workload.c states it. */
inline Loop geared(int n)
{
    const auto radius = [](int i) { return 1 + 0.2 * std::sin(i); };
    Loop loop;
    loop.name = "geared";
    loop.n = n;
    loop.end = 10;
    loop.bodies = {{}};
    for (int i = 1; i <= n; i++) {
        loop.bodies.push_back({0, {double(i), 0}, 0.02, 1, {5e-3, 5e-3}, 0});
        if (i > 1) {
            loop.gears.push_back({i, i - 1, -radius(i - 1) / radius(i)});
        }
    }
    loop.drive = {1, true, {0, 0}, 0.3 * n, 0.1 * n};
    return loop;
}

/* `with_friction`: those too that have some. */
inline std::vector<Loop> loops(const Options &options, bool with_friction)
{
    std::vector<Loop> all = {four_bar()}, wanted;
    if (with_friction) {
        all.push_back(sticky_four_bar());
    }
    for (int n : {1, 10, 30, 100}) {
        all.push_back(scissor(n));
    }
    for (int n : {2, 10, 30, 100}) {
        all.push_back(geared(n));
    }
    for (Loop &loop : all) {
        if ((options.only.empty() || options.only == loop.name) && loop.n <= options.most &&
            (!options.size || options.size == loop.n)) {
            wanted.push_back(std::move(loop));
        }
    }
    return wanted;
}

} // namespace peer

#endif
