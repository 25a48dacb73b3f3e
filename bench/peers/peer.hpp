/* What the programs of bench/peers share: workloads, runs in a child process with a limit of time,
 * and lines of bench/peer.h. An engine of fixed steps brings a type
 *
 *     struct Model {
 *         Model(const peer::Workload &, double step);   // set-up
 *         void step();
 *         std::vector<double> angles();                 // of all joints
 *         std::vector<double> tip();                    // x, y; only asked for in chains
 *     };
 *
 * and one for peer::measure_dynamics():
 *
 *     struct Dynamics {
 *         explicit Dynamics(const peer::Mechanism &);
 *         void evaluate();                              // state -> accelerations, nothing kept
 *         std::vector<double> accelerations();
 *     };
 */
#ifndef BENCH_PEERS_PEER_HPP
#define BENCH_PEERS_PEER_HPP

#include "../clock.h"
#include "mechanisms.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace peer
{

struct Options {
    int most = 100;    /* no larger size of a workload */
    double limit = 20; /* CPU seconds of one run */
    int size = 0;      /* only this size; 0: all */
    std::string only;  /* a workload, "dynamics" or "control"; empty: all */
};

inline Options read_options(int count, char **arguments)
{
    Options options;
    for (int k = 1; k + 1 < count; k += 2) {
        if (!std::strcmp(arguments[k], "--most")) {
            options.most = std::atoi(arguments[k + 1]);
        } else if (!std::strcmp(arguments[k], "--n")) {
            options.size = std::atoi(arguments[k + 1]);
            options.most = std::max(options.most, options.size);
        } else if (!std::strcmp(arguments[k], "--limit")) {
            options.limit = std::atof(arguments[k + 1]);
        } else if (!std::strcmp(arguments[k], "--workload")) {
            options.only = arguments[k + 1];
        }
    }
    return options;
}

/* What an engine has no means for. */
struct Lack {
    const char *workload, *why;
};

/* By workload, sizes ascending: a setting that is out of time in one size is not tried in larger
 * ones. Sizes are those of detent-bench; "usual": the largest unasked. */
inline std::vector<Workload> workloads(const Options &options, const std::vector<Lack> &lacks)
{
    std::vector<Workload> all;
    const auto add = [&](int usual, const std::vector<int> &sizes,
                         const std::function<Workload(int)> &make) {
        for (int n : sizes) {
            if (n <= options.most && (n <= usual || options.most > 100 || n == options.size)) {
                all.push_back(make(n));
            }
        }
    };
    const std::vector<int> sizes = {10, 30, 100, 300, 1000};
    all.push_back(pendulum());
    add(100, sizes, [](int n) { return chain("chain", n, 1, 1, true); });
    add(30, sizes, [](int n) { return chain("loose-chain", n, 0.1, 1, true); });
    add(300, sizes, [](int n) { return chain("hold", n, 5, 10, false); });
    add(30, sizes, sticky_chain);
    add(100, {5, 10, 30, 100, 300, 1000}, train);
    add(30, sizes, tree);
    all.push_back(arm());

    std::vector<Workload> wanted;
    for (Workload &w : all) {
        const bool is_lacking = std::any_of(
            lacks.begin(), lacks.end(), [&](const Lack &lack) { return w.name == lack.workload; });
        if ((options.only.empty() || options.only == w.name) && !is_lacking &&
            (!options.size || options.size == w.n)) {
            wanted.push_back(std::move(w));
        }
    }
    return wanted;
}

inline std::string text_of(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

/* ---- lines of bench/peer.h ---- */

struct Line {
    std::string engine, setting;
    FILE *out = stdout;

    void reason(const std::string &workload, int n, const std::string &why) const
    {
        std::fprintf(out, "%s\t%s\t%s\t%d\t-\t%s\n", engine.c_str(), setting.c_str(),
                     workload.c_str(), n, why.c_str());
        std::fflush(out);
    }
    void result(const std::string &workload, int n, double dial, double setup, double spent,
                const std::vector<double> &values) const
    {
        std::fprintf(out, "%s\t%s\t%s\t%d\t%g\t%.6g\t%.6g\t%zu", engine.c_str(), setting.c_str(),
                     workload.c_str(), n, dial, setup, spent, values.size());
        for (double value : values) {
            std::fprintf(out, "\t%.16g", value);
        }
        std::fprintf(out, "\n");
        std::fflush(out);
    }
};

/* Lists what the engine has no means for, in all sizes, if all workloads are asked for. */
inline void print_lacks(const Line &line, const Options &options, const std::vector<Lack> &lacks)
{
    for (const Lack &lack : lacks) {
        if (options.only.empty()) {
            line.reason(lack.workload, 0, lack.why);
        }
    }
}

/* What no engine has whose friction in joints is one number; and more that this one lacks. */
inline std::vector<Lack> constant_friction(std::vector<Lack> more = {})
{
    const char *const load = "has no friction of joints that depends on their load";
    std::vector<Lack> lacks = {
        {"sticky-chain", "has no static friction above the kinetic one in joints"},
        {"load-chain", load},
        {"bearing-chain", load},
        {"train", "has no friction of joints that depends on velocity, or is larger at rest"},
    };
    lacks.insert(lacks.end(), more.begin(), more.end());
    return lacks;
}

/* ---- children ---- */

enum class Outcome { done, out_of_time, failed };

/* Waits for the end of a child, and kills it after that much CPU time, or where it does nothing for
 * long. The limit is kept from here and not by setrlimit, under which the clock of the child would
 * go in ticks of the kernel. */
inline bool wait_for(pid_t child, double limit, int &status, double &spent)
{
    const timespec pause = {0, 2000000};
    clockid_t clock;
    const bool has_clock = !clock_getcpuclockid(child, &clock);
    bool in_time = true;
    for (double waited = 0; waitpid(child, &status, WNOHANG) == 0; waited += 2e-3) {
        timespec used = {};
        if (has_clock && !clock_gettime(clock, &used)) {
            spent = double(used.tv_sec) + 1e-9 * double(used.tv_nsec);
        }
        if (in_time && (spent > limit || waited > 10 * limit + 10)) {
            in_time = false;
            kill(child, SIGKILL);
        }
        nanosleep(&pause, nullptr);
    }
    return in_time;
}

/* Runs `work` in a child process with that much CPU time. What the engine prints by itself is
 * dropped; `work` gets a Line that reaches the real output. `why` and `spent` are set. */
inline Outcome in_child(const Line &line, double limit, std::string &why, double &spent,
                        const std::function<void(const Line &)> &work)
{
    std::fflush(stdout);
    int ends[2];
    const int piped = pipe(ends);
    const pid_t child = piped ? -1 : fork();
    if (child == 0) {
        close(ends[0]);
        const rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        Line own = line;
        own.out = fdopen(dup(STDOUT_FILENO), "w");
        if (!std::getenv("BENCH_PEER_LOUD") &&
            (!std::freopen("/dev/null", "w", stdout) || !std::freopen("/dev/null", "w", stderr))) {
            _exit(1);
        }
        try {
            work(own);
        } catch (const std::exception &exception) {
            const std::string text = exception.what();
            const bool told = write(ends[1], text.data(), text.size()) >= 0;
            _exit(told ? 2 : 1);
        } catch (...) {
            _exit(1);
        }
        std::fflush(own.out);
        _exit(0); /* no destructors: some engines fail there */
    }
    if (child < 0) {
        why = "no child process";
        return Outcome::failed;
    }
    close(ends[1]);
    int status = 0;
    const bool in_time = wait_for(child, limit, status, spent);
    char text[100];
    const ssize_t length = read(ends[0], text, sizeof text);
    close(ends[0]);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return Outcome::done;
    }
    if (!in_time) {
        why = "takes more than " + text_of(limit) + " s";
        return Outcome::out_of_time;
    }
    why = WIFSIGNALED(status)
              ? std::string("the engine ends the program: ") + strsignal(WTERMSIG(status))
          : length > 0 ? std::string(text, length)
                       : std::string("the engine ends the program");
    for (char &c : why) {
        c = c < ' ' ? ' ' : c;
    }
    return Outcome::failed;
}

/* ---- runs ---- */

/* All dials of one setting in one workload, from the cheapest; each costs about `factor` times the
 * one before it. `run` does one run and prints its line. Of the work only name and n count here. */
class Ladder
{
  public:
    Ladder(Line where, double most) : line(std::move(where)), limit(most) {}

    template <class Work>
    void climb(const Work &w, const char *dial_name, const std::vector<double> &dials,
               double factor, const std::function<void(const Line &, double)> &run)
    {
        if (w.name != last) {
            stuck = 0;
            last = w.name;
        }
        if (stuck) {
            line.reason(w.name, w.n,
                        "not tried: out of time with " + std::to_string(stuck) + " already");
            return;
        }
        double spent = 0;
        for (size_t k = 0; k < dials.size(); k++) {
            std::string why;
            const std::string which = std::string(dial_name) + " " + text_of(dials[k]) + ": ";
            if (k && spent * factor > 1.2 * limit) {
                line.reason(w.name, w.n, which + "would take more than " + text_of(limit) + " s");
                return;
            }
            const Outcome outcome =
                in_child(line, limit, why, spent, [&](const Line &own) { run(own, dials[k]); });
            if (outcome == Outcome::out_of_time) {
                line.reason(w.name, w.n, which + why);
                stuck = k ? stuck : w.n;
                return;
            }
            if (outcome == Outcome::failed) {
                line.reason(w.name, w.n, which + why);
            }
        }
    }

  private:
    Line line;
    double limit;
    int stuck = 0; /* the size in which the cheapest dial was out of time */
    std::string last;
};

/* Repeats a run until 0.1 s are spent, at most 15 times, and prints the medians. `once` returns the
 * values of the end and sets the two times. */
template <class Work>
void print_medians(const Line &line, const Work &w, double dial,
                   const std::function<std::vector<double>(double &setup, double &spent)> &once)
{
    std::vector<double> setups, spents, values;
    double all = 0;
    do {
        double setup = 0, spent = 0;
        values = once(setup, spent);
        setups.push_back(setup);
        spents.push_back(spent);
        all += setup + spent;
    } while (all < 0.1 && setups.size() < 15);
    for (double value : values) {
        if (!std::isfinite(value)) {
            line.reason(w.name, w.n, "step " + text_of(dial) + ": the motion blows up");
            return;
        }
    }
    line.result(w.name, w.n, dial, bench_median(setups.data(), setups.size()),
                bench_median(spents.data(), spents.size()), values);
}

inline std::vector<double> tip_of(const Mechanism &mechanism, const std::vector<double> &angles)
{
    double angle = 0, x = 0, y = 0;
    for (int i = 0; i < mechanism.n; i++) {
        angle += angles[i];
        x += mechanism.rods[i + 1].end[0] * std::cos(angle);
        y += mechanism.rods[i + 1].end[0] * std::sin(angle);
    }
    return {x, y};
}

/* Every workload with steps of 1e-3 s, 1e-4 s, 1e-5 s, as far as the limit of time allows. The hold
 * test is easier and ten times as long: 1e-2 s and 1e-3 s. */
template <class Model>
void measure_fixed_step(const Line &line, const Options &options,
                        const std::vector<Lack> &lacks = constant_friction())
{
    Ladder ladder(line, options.limit);
    print_lacks(line, options, lacks);
    for (const Workload &w : workloads(options, lacks)) {
        const std::vector<double> steps = w.name == "hold" ? std::vector<double>{1e-2, 1e-3}
                                                           : std::vector<double>{1e-3, 1e-4, 1e-5};
        ladder.climb(w, "step", steps, 10, [&](const Line &own, double step) {
            print_medians(own, w, step, [&](double &setup, double &spent) {
                const long count = std::lround(w.end / step);
                const double begin = bench_cpu_time();
                Model model(w, step);
                const double ready = bench_cpu_time();
                for (long k = 0; k < count; k++) {
                    model.step();
                }
                setup = ready - begin;
                spent = bench_cpu_time() - ready;
                return w.by_tip ? model.tip() : model.angles();
            });
        });
    }
}

/* Forward dynamics, CPU seconds of one evaluation, in chains and trees, and of the arm. */
template <class Dynamics> void measure_dynamics(const Line &line, const Options &options)
{
    if (!options.only.empty() && options.only != "dynamics" && options.only != "control") {
        return;
    }
    const auto measure = [&](const char *name, int n, const Mechanism &m) {
        std::string why;
        double spent;
        const Outcome outcome = in_child(line, options.limit, why, spent, [&](const Line &own) {
            const double begin = bench_cpu_time();
            Dynamics dynamics(m);
            const double setup = bench_cpu_time() - begin;
            const double each = bench_per_call(
                [](void *it) { static_cast<Dynamics *>(it)->evaluate(); }, &dynamics);
            own.result(name, n, 0, setup, each, dynamics.accelerations());
        });
        if (outcome != Outcome::done) {
            line.reason(name, n, why);
        }
    };
    for (const char *name : {"dynamics-chain", "dynamics-tree"}) {
        for (int n : {7, 30, 100, 1000}) {
            if (options.only == "control") {
                continue;
            }
            Mechanism m(n);
            if (!std::strcmp(name, "dynamics-tree")) {
                bench_tree_rods(m.rods.data(), n);
            } else {
                bench_chain_rods(m.rods.data(), n, 1.0 / n, 1.0 / n, 0);
            }
            bench_thicken_rods(m.rods.data(), n);
            measure(name, n, m);
        }
    }
    Mechanism of_arm = arm();
    of_arm.damping.assign(of_arm.damping.size(), 0);
    measure("dynamics-arm", of_arm.n, of_arm);
}

} // namespace peer

#endif
