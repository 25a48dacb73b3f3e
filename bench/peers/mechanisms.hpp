/* The mechanisms of the workloads as numbers, for every engine the same. */
#ifndef BENCH_PEERS_MECHANISMS_HPP
#define BENCH_PEERS_MECHANISMS_HPP

#include "../rods.h"

#include <cmath>
#include <string>
#include <vector>

namespace peer
{

/* Rods on hinges, or, in the train, blocks on slides. */
struct Mechanism {
    int n = 0;
    std::vector<bench_rod> rods;       /* from 1; rods[0] is the ground */
    std::vector<double> start;         /* positions of the joints, from 0 */
    std::vector<double> damping;       /* of the joints, N m s, from 0 */
    double gravity[3] = {0, -9.81, 0}; /* m/s^2 */

    explicit Mechanism(int count = 0)
        : n(count), rods(size_t(count) + 1), start(size_t(count)), damping(size_t(count))
    {
    }
};

struct Workload : Mechanism {
    std::string name;
    double end = 1;      /* s */
    bool by_tip = false; /* the tip is compared, else all positions of joints */

    Workload(const char *its_name, int count) : Mechanism(count), name(its_name) {}
};

/* In the plane nothing turns about a rod's own axis, but many engines want some inertia there. */
inline void shape_chain(Workload &w, double length, double mass, double friction)
{
    bench_chain_rods(w.rods.data(), size_t(w.n), length, mass, friction);
    for (bench_rod &rod : w.rods) {
        rod.inertia[0] = 0.01 * rod.inertia[2];
    }
}

inline Workload pendulum()
{
    Workload w("pendulum", 2);
    w.end = 20;
    shape_chain(w, 1, 1, 1);
    w.rods[2].friction = 0.5;
    return w;
}

inline Workload chain(const char *name, int n, double friction, double end, bool by_tip)
{
    Workload w(name, n);
    w.end = end;
    w.by_tip = by_tip;
    shape_chain(w, 1.0 / n, 1.0 / n, friction);
    return w;
}

inline Workload sticky_chain(int n)
{
    Workload w = chain("sticky-chain", n, 0.2, 1, true);
    for (bench_rod &rod : w.rods) {
        rod.sticking = 1.5;
    }
    return w;
}

inline Workload tree(int n)
{
    Workload w("tree", n);
    bench_tree_rods(w.rods.data(), size_t(n));
    return w;
}

/* ---- the arm: mechanisms/z1_arm.yaml ---- */

struct ArmLink {
    double mass, center[3], inertia[6]; /* about the centre of mass */
    double at[3];                       /* of its joint in the frame of the link before it */
    double axis[3], start, damping, friction;
};

constexpr ArmLink arm_links[] = {
    {0.67332551,
     {2.47e-06, -0.00025198, 0.02317169},
     {0.00128328, 0.00071931, 0.00083936, -6e-08, -4e-07, 5e-07},
     {0, 0, 0.0585},
     {0, 0, 1},
     0,
     1,
     1},
    {1.19132258,
     {-0.11012601, 0.00240029, 0.00158266},
     {0.00102138, 0.02429457, 0.02466114, 0.00062358, 5.13e-06, -2.1e-06},
     {0, 0, 0.045},
     {0, 1, 0},
     2,
     2,
     2},
    {0.83940874,
     {0.10609208, -0.00541815, 0.03476383},
     {0.00108061, 0.00954238, 0.00886621, -8.669e-05, -0.00208102, -1.332e-05},
     {-0.35, 0, 0},
     {0, 1, 0},
     -1.5,
     1,
     1},
    {0.56404563,
     {0.04366681, 0.00364738, -0.00170192},
     {0.00031576, 0.00092996, 0.00097912, 8.13e-05, 4.091e-05, -5.96e-06},
     {0.218, 0, 0.057},
     {0, 1, 0},
     0.5,
     1,
     1},
    {0.38938492,
     {0.03121533, 0, 0.00646316},
     {0.00017605, 0.00055896, 0.0005386, 4e-07, 5.689e-05, -1.3e-07},
     {0.07, 0, 0},
     {0, 0, 1},
     0.5,
     1,
     1},
    {0.28875807,
     {0.0241569, -0.00017355, -0.00143876},
     {0.00018328, 0.0001475, 0.0001468, 1.22e-06, 5.4e-07, 8e-08},
     {0.0492, 0, 0},
     {1, 0, 0},
     0.3,
     1,
     1},
};

/* Both parts of the gripper, welded to the last link; `at` in its frame. */
constexpr ArmLink arm_gripper[] = {
    {0.52603655,
     {0.04764427, -0.00035819, -0.00249162},
     {0.00038683, 0.00068614, 0.00066293, -3.59e-06, 7.662e-05, 2.09e-06},
     {0.051, 0, 0},
     {},
     0,
     0,
     0},
    {0.27621302,
     {0.01320633, 0.00476708, 0.00380534},
     {0.00017716, 0.00026787, 0.00035728, 1.683e-05, -1.786e-05, 2.62e-06},
     {0.1, 0, 0},
     {},
     0,
     0,
     0},
};

/* Adds the inertia of a mass at r. */
inline void add_point(double inertia[6], double mass, const double r[3])
{
    const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    for (int k = 0; k < 3; k++) {
        inertia[k] += mass * (square - r[k] * r[k]);
    }
    inertia[3] -= mass * r[0] * r[1];
    inertia[4] -= mass * r[0] * r[2];
    inertia[5] -= mass * r[1] * r[2];
}

/* Makes one body of the rod and a part that is welded to it. A rod's centre of mass is half its end. */
inline void weld(bench_rod &rod, const ArmLink &part)
{
    double center[3], offset[3];
    const double mass = rod.mass + part.mass;
    for (int k = 0; k < 3; k++) {
        center[k] = (rod.mass * rod.end[k] / 2 + part.mass * (part.at[k] + part.center[k])) / mass;
        offset[k] = rod.end[k] / 2 - center[k];
    }
    add_point(rod.inertia, rod.mass, offset);
    for (int k = 0; k < 3; k++) {
        offset[k] = part.at[k] + part.center[k] - center[k];
        rod.end[k] = 2 * center[k];
    }
    add_point(rod.inertia, part.mass, offset);
    for (int k = 0; k < 6; k++) {
        rod.inertia[k] += part.inertia[k];
    }
    rod.mass = mass;
}

inline Workload arm()
{
    Workload w("arm", 6);
    w.end = 2;
    w.gravity[1] = 0;
    w.gravity[2] = -9.81;
    for (size_t i = 0; i < 6; i++) {
        const ArmLink &link = arm_links[i];
        bench_rod &rod = w.rods[i + 1];
        rod = {};
        rod.parent = i;
        rod.mass = link.mass;
        rod.friction = link.friction;
        rod.sticking = 1;
        w.start[i] = link.start;
        w.damping[i] = link.damping;
        for (int k = 0; k < 3; k++) {
            rod.at[k] = link.at[k];
            rod.axis[k] = link.axis[k];
            rod.end[k] = 2 * link.center[k];
        }
        for (int k = 0; k < 6; k++) {
            rod.inertia[k] = link.inertia[k];
        }
    }
    weld(w.rods[6], arm_gripper[0]);
    weld(w.rods[6], arm_gripper[1]);
    return w;
}

/* ---- the train: mechanisms/burridge_knopoff.yaml ---- */

namespace train_law
{
constexpr double pull = 1, coupling = 9; /* N/m: of the soft springs and between blocks */
constexpr double speed = 0.01;           /* m/s, of the soft springs' far ends */
constexpr double sigma = 0.01, alpha = 2.5;

/* Kinetic friction over that at speed 0; the static one is 1 N. */
inline double weakening(double speed_of_block)
{
    return 1 / (1 + 2 * alpha * speed_of_block / (1 - sigma));
}
} // namespace train_law

inline Workload train(int n)
{
    static const double five[] = {-0.9, -0.92, -0.87, -0.91, -0.885};
    Workload w("train", n);
    w.end = n <= 10 ? 60 : 20;
    for (double &g : w.gravity) {
        g = 0;
    }
    for (int i = 1; i <= n; i++) {
        bench_rod &block = w.rods[size_t(i)];
        block = {};
        block.at[0] = i;
        block.axis[0] = 1;
        block.mass = 1;
        block.inertia[0] = block.inertia[1] = block.inertia[2] = 1; /* does not turn */
        block.friction = 1 - train_law::sigma;
        block.sticking = 1 / block.friction;
        w.start[size_t(i) - 1] = n == 5 ? five[i - 1] : -0.9 + 0.01 * std::sin(12.9898 * i);
    }
    return w;
}

} // namespace peer

#endif
