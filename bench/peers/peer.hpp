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
#include "../rods.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

constexpr double gravity = 9.81;

struct Mechanism {
    int n;
    std::vector<bench_rod> rods; /* from 1; rods[0] is the ground */
};

struct Workload : Mechanism {
    std::string name;
    double end;  /* s */
    bool by_tip; /* the tip is compared, else all angles */
};

struct Options {
    int most = 100;    /* no larger size of a workload */
    double limit = 20; /* CPU seconds of one run */
    std::string only;  /* a workload, or "dynamics"; empty: all */
};

inline Options read_options(int count, char **arguments)
{
    Options options;
    for (int k = 1; k + 1 < count; k += 2) {
        if (!std::strcmp(arguments[k], "--most")) {
            options.most = std::atoi(arguments[k + 1]);
        } else if (!std::strcmp(arguments[k], "--limit")) {
            options.limit = std::atof(arguments[k + 1]);
        } else if (!std::strcmp(arguments[k], "--workload")) {
            options.only = arguments[k + 1];
        }
    }
    return options;
}

/* In the plane nothing turns about a rod's own axis, but many engines want some inertia there. */
inline void shape_chain(Workload &w, double length, double mass, double friction)
{
    bench_chain_rods(w.rods.data(), w.n, length, mass, friction);
    for (bench_rod &rod : w.rods) {
        rod.inertia[0] = 0.01 * rod.inertia[2];
    }
}

inline Workload chain(const char *name, int n, double friction, double end, bool by_tip)
{
    Workload w;
    w.name = name;
    w.n = n;
    w.end = end;
    w.by_tip = by_tip;
    w.rods.resize(n + 1);
    shape_chain(w, 1.0 / n, 1.0 / n, friction);
    return w;
}

/* By workload, sizes ascending: a setting that is out of time in one size is not tried in larger
 * ones. */
inline std::vector<Workload> workloads(const Options &options)
{
    const int most = options.most;
    std::vector<Workload> all;
    Workload pendulum = chain("pendulum", 2, 1, 20, false);
    shape_chain(pendulum, 1, 1, 1);
    pendulum.rods[2].friction = 0.5;
    all.push_back(pendulum);
    for (int n : {10, 30, 100, 300, 1000}) {
        if (n <= most) {
            all.push_back(chain("chain", n, 1, 1, true));
        }
    }
    for (int n : {10, 30, 100, 300, 1000}) {
        if (n <= most && (n <= 30 || most > 100)) { /* as many as detent-bench does unasked */
            all.push_back(chain("loose-chain", n, 0.1, 1, true));
        }
    }
    for (int n : {10, 30, 100, 300, 1000}) {
        if (n <= most) {
            all.push_back(chain("hold", n, 5, 10, false));
        }
    }
    std::vector<Workload> wanted;
    for (Workload &w : all) {
        if (options.only.empty() || options.only == w.name) {
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

/* Which workloads an engine has no means for; n = 0 stands for all sizes. */
inline void cannot(const Line &line)
{
    line.reason("sticky-chain", 0, "has no static friction above the kinetic one in joints");
    line.reason("load-chain", 0, "has no friction of joints that depends on their load");
    line.reason("bearing-chain", 0, "has no friction of joints that depends on their load");
    for (const char *name : {"train", "tree", "arm"}) {
        line.reason(name, 0, "not written for it");
    }
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
 * one before it. `run` does one run and prints its line. */
class Ladder
{
  public:
    Ladder(Line where, double most) : line(std::move(where)), limit(most) {}

    void climb(const Workload &w, const char *dial_name, const std::vector<double> &dials,
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
inline void
print_medians(const Line &line, const Workload &w, double dial,
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
template <class Model> void measure_fixed_step(const Line &line, const Options &options)
{
    Ladder ladder(line, options.limit);
    if (options.only.empty()) {
        cannot(line);
    }
    for (const Workload &w : workloads(options)) {
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

/* Forward dynamics, CPU seconds of one evaluation, in chains and trees. */
template <class Dynamics> void measure_dynamics(const Line &line, const Options &options)
{
    if (!options.only.empty() && options.only != "dynamics") {
        return;
    }
    for (const char *name : {"dynamics-chain", "dynamics-tree"}) {
        for (int n : {7, 30, 100, 1000}) {
            std::string why;
            double spent;
            const Outcome outcome = in_child(line, options.limit, why, spent, [&](const Line &own) {
                Mechanism m = {n, std::vector<bench_rod>(n + 1)};
                if (!std::strcmp(name, "dynamics-tree")) {
                    bench_tree_rods(m.rods.data(), n);
                } else {
                    bench_chain_rods(m.rods.data(), n, 1.0 / n, 1.0 / n, 0);
                }
                bench_thicken_rods(m.rods.data(), n);
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
        }
    }
}

} // namespace peer

#endif
