/* The workload `control` (bench/control.h) by engines of fixed steps. An engine brings a type
 *
 *     struct Controlled {
 *         Controlled(const peer::Workload &, double step);    // set-up
 *         void step(const double *torques);                   // sets them, and one step
 *         void read(double *q, double *v);                    // of all joints, joint 1 first
 *     };
 */
#ifndef BENCH_PEERS_CONTROL_HPP
#define BENCH_PEERS_CONTROL_HPP

#include "../control.h"
#include "peer.hpp"

#include <memory>

namespace peer
{

template <class Controlled> struct ControlLoop {
    Controlled arm;
    int steps; /* in a period */

    ControlLoop(const Workload &w, double step)
        : arm(w, step), steps(int(std::lround(BENCH_CONTROL_PERIOD / step)))
    {
    }
    bench_control_figures run(bool longer)
    {
        bench_control_figures figures;
        const bench_controlled controlled = {
            this,
            [](void *self, const double *torques) {
                ControlLoop &loop = *static_cast<ControlLoop *>(self);
                for (int k = 0; k < loop.steps; k++) {
                    loop.arm.step(torques);
                }
                return true;
            },
            [](void *self, double *q, double *v) {
                static_cast<ControlLoop *>(self)->arm.read(q, v);
                return true;
            }};
        bench_control_run(&controlled, longer, &figures);
        return figures;
    }
};

/* Medians of nine runs; the last one holds for long, with steps of a whole period. */
template <class Controlled>
void print_control(const Line &line, const Workload &w, double step, bool longer)
{
    constexpr int repeats = 9;
    std::vector<double> setups, moving, holding;
    bench_control_figures figures = {};
    for (int k = 0; k < repeats; k++) {
        const double begin = bench_cpu_time();
        const auto loop = std::make_unique<ControlLoop<Controlled>>(w, step);
        setups.push_back(bench_cpu_time() - begin);
        figures = loop->run(longer && k == repeats - 1);
        moving.push_back(figures.moving);
        holding.push_back(figures.holding);
    }
    const double setup = bench_median(setups.data(), repeats);
    line.result("control-moving", w.n, step, setup, bench_median(moving.data(), repeats),
                {figures.path, figures.path + BENCH_CONTROL_VALUES});
    line.result("control-holding", w.n, step, setup, bench_median(holding.data(), repeats),
                {figures.held, figures.held + BENCH_CONTROL_JOINTS});
    if (longer) {
        line.result("control-creep", w.n, step, setup, figures.holding, {figures.creep});
    }
}

/* With one step in a period, and with ten. */
template <class Controlled> void measure_control(const Line &line, const Options &options)
{
    if (!options.only.empty() && options.only != "control") {
        return;
    }
    const Workload w = arm();
    for (double step : {BENCH_CONTROL_PERIOD, BENCH_CONTROL_PERIOD / 10}) {
        std::string why;
        double spent;
        const bool longer = step == BENCH_CONTROL_PERIOD;
        const Outcome outcome =
            in_child(line, 3 * options.limit, why, spent,
                     [&](const Line &own) { print_control<Controlled>(own, w, step, longer); });
        if (outcome != Outcome::done) {
            line.reason("control-moving", w.n, "step " + text_of(step) + ": " + why);
        }
    }
}

} // namespace peer

#endif
