/* MuJoCo 2.2.2. Friction is its `frictionloss`: a constraint that is softened on purpose, so that
 * what it holds creeps. Two settings:
 *   default  as MuJoCo comes
 *   hardest  impedance 0.9999 (its largest) at once, time constant of two steps (its smallest)
 * Both with Newton's solver to 1e-8 (default; tolerance 0 changes no result and costs up to 30
 * times as much) and Euler's method (default; RK4 costs four times as much and is less accurate
 * in chains). Its `noslip` iterations make the hold hold no better and cost more than smaller
 * steps.
 *
 * The model is text, as MuJoCo's interface has it. Its parser nests some hundred elements deep,
 * so a chain comes in pieces of 50 bodies, each included by the one before it. Rows of friction
 * beyond `njmax` would be dropped with a mere warning: njmax is the number of joints and some
 * more, warnings end the run, and the rows are counted in every step. No contacts.
 *
 * Not done with it: friction that is larger at rest, or depends on load or velocity. */

#include "control.hpp"
#include "peer.hpp"

#include <mujoco/mujoco.h>

#include <stdexcept>

namespace
{

constexpr int piece_size = 50;

std::string format(const char *pattern, const double *v)
{
    char text[256];
    std::snprintf(text, sizeof text, pattern, v[0], v[1], v[2]);
    return text;
}

/* Writes the bodies of a tree as nested elements, cut into files where they nest too deep. */
struct Writer {
    const peer::Mechanism &mechanism;
    const std::string joint;
    std::vector<std::vector<int>> children;
    std::vector<std::string> pieces;
    std::vector<size_t> order; /* rods, from 0, as MuJoCo numbers them: depth first */

    Writer(const peer::Mechanism &m, std::string attributes)
        : mechanism(m), joint(std::move(attributes)), children(m.n + 1)
    {
        for (int i = 1; i <= m.n; i++) {
            children[m.rods[i].parent].push_back(i);
        }
    }

    std::string write_all()
    {
        std::string out;
        for (int i : children[0]) {
            write(i, 0, out);
        }
        return out;
    }

    void write(int i, int depth, std::string &out)
    {
        if (depth == piece_size) {
            std::string piece = "<mujocoinclude>";
            write(i, 0, piece);
            out += "<include file=\"piece" + std::to_string(pieces.size()) + ".xml\"/>";
            pieces.push_back(piece + "</mujocoinclude>");
            return;
        }
        order.push_back(size_t(i) - 1);
        const bench_rod &rod = mechanism.rods[i];
        const double middle[3] = {rod.end[0] / 2, rod.end[1] / 2, rod.end[2] / 2};
        char text[64];
        out += format("<body pos=\"%.17g %.17g %.17g\">", rod.at);
        out += format("<inertial pos=\"%.17g %.17g %.17g\"", middle);
        std::snprintf(text, sizeof text, " mass=\"%.17g\"", rod.mass);
        out += text + format(" fullinertia=\"%.17g %.17g %.17g", rod.inertia);
        out += format(" %.17g %.17g %.17g\"/>", rod.inertia + 3);
        out += format("<joint axis=\"%.17g %.17g %.17g\"", rod.axis);
        std::snprintf(text, sizeof text, " frictionloss=\"%.17g\"", rod.friction);
        out += text + joint;
        std::snprintf(text, sizeof text, " damping=\"%.17g\"", mechanism.damping[size_t(i) - 1]);
        out += text + std::string("/>");
        for (int child : children[i]) {
            write(child, depth + 1, out);
        }
        out += "</body>";
    }
};

void stop(const char *message)
{
    throw std::runtime_error(message);
}

struct Handle {
    mjModel *m = nullptr;
    mjData *d = nullptr;
    std::vector<size_t> order; /* the rods, from 0, of its coordinates */

    Handle(const peer::Mechanism &mechanism, const std::string &option, const std::string &joint)
    {
        mju_user_error = stop;
        mju_user_warning = stop;
        const int n = mechanism.n;
        Writer writer(mechanism, joint);
        const std::string text =
            "<mujoco><compiler angle=\"radian\" boundmass=\"0\"/><size njmax=\"" +
            std::to_string(n + 50) + "\" nstack=\"" +
            std::to_string(6 * (n + 60) * (n + 60) + 200000) + "\"/>" + option + "<worldbody>" +
            writer.write_all() + "</worldbody></mujoco>";
        std::vector<char> error(1000);
        mjVFS *files = new mjVFS;
        mj_defaultVFS(files);
        add(files, "model.xml", text);
        for (size_t k = 0; k < writer.pieces.size(); k++) {
            add(files, "piece" + std::to_string(k) + ".xml", writer.pieces[k]);
        }
        m = mj_loadXML("model.xml", files, error.data(), int(error.size()));
        mj_deleteVFS(files);
        delete files;
        if (!m) {
            throw std::runtime_error(error.data());
        }
        if (m->nv != n) {
            throw std::runtime_error("the model has lost joints");
        }
        d = mj_makeData(m);
        order = writer.order;
        for (size_t k = 0; k < order.size(); k++) {
            d->qpos[k] = mechanism.start[order[k]];
        }
    }
    std::vector<double> by_rod(const mjtNum *values) const
    {
        std::vector<double> sorted(order.size());
        for (size_t k = 0; k < order.size(); k++) {
            sorted[order[k]] = values[k];
        }
        return sorted;
    }
    ~Handle()
    {
        mj_deleteData(d);
        mj_deleteModel(m);
    }
    static void add(mjVFS *files, const std::string &name, const std::string &text)
    {
        if (mj_makeEmptyFileVFS(files, name.c_str(), int(text.size()))) {
            throw std::runtime_error("its virtual file system is full");
        }
        std::memcpy(files->filedata[mj_findFileVFS(files, name.c_str())], text.data(), text.size());
    }
};

std::string option_of(const peer::Mechanism &mechanism, double step)
{
    return format("<option gravity=\"%g %g %g\"", mechanism.gravity) + " timestep=\"" +
           peer::text_of(step) + "\"><flag contact=\"disable\"/></option>";
}

template <bool hardest> struct Model {
    const peer::Workload &workload;
    Handle handle;

    Model(const peer::Workload &w, double step)
        : workload(w),
          handle(w, option_of(w, step),
                 hardest ? " solimpfriction=\"0.9999 0.9999 0.001\" solreffriction=\"" +
                               peer::text_of(2 * step) + " 1\""
                         : "")
    {
    }
    void step()
    {
        mj_step(handle.m, handle.d);
        if (handle.d->nefc != workload.n) {
            throw std::runtime_error("rows of friction are lost");
        }
    }
    std::vector<double> angles()
    {
        return handle.by_rod(handle.d->qpos);
    }
    std::vector<double> tip()
    {
        return peer::tip_of(workload, angles());
    }
};

template <bool hardest> struct Controlled : Model<hardest> {
    using Model<hardest>::handle;

    Controlled(const peer::Workload &w, double step) : Model<hardest>(w, step)
    {
        for (size_t k = 0; k < handle.order.size(); k++) {
            if (handle.order[k] != k) {
                throw std::runtime_error("the joints are in another order");
            }
        }
    }
    void step(const double *torques)
    {
        std::memcpy(handle.d->qfrc_applied, torques, handle.order.size() * sizeof *torques);
        Model<hardest>::step();
    }
    void read(double *q, double *v)
    {
        std::memcpy(q, handle.d->qpos, handle.order.size() * sizeof *q);
        std::memcpy(v, handle.d->qvel, handle.order.size() * sizeof *v);
    }
};

/* The parts of mj_forward that forward dynamics are made of: composite rigid bodies, a sparse
 * factorisation, Newton-Euler for the bias. */
struct Dynamics {
    Handle handle;
    std::vector<double> q, v, force;

    explicit Dynamics(const peer::Mechanism &mechanism)
        : handle(mechanism, option_of(mechanism, 1e-3), ""), q(mechanism.n), v(mechanism.n),
          force(mechanism.n)
    {
        std::vector<double> q_given(q), v_given(v);
        bench_dynamics_state(q.size(), q_given.data(), v_given.data());
        for (size_t k = 0; k < q.size(); k++) {
            q[k] = q_given[handle.order[k]];
            v[k] = v_given[handle.order[k]];
        }
    }
    void evaluate()
    {
        mjModel *m = handle.m;
        mjData *d = handle.d;
        std::memcpy(d->qpos, q.data(), q.size() * sizeof q[0]);
        std::memcpy(d->qvel, v.data(), v.size() * sizeof v[0]);
        mj_kinematics(m, d);
        mj_comPos(m, d);
        mj_crb(m, d);
        mj_factorM(m, d);
        mj_comVel(m, d);
        mj_rne(m, d, 0, d->qfrc_bias);
        for (size_t k = 0; k < q.size(); k++) {
            force[k] = -d->qfrc_bias[k];
        }
        mj_solveM(m, d, d->qacc, force.data(), 1);
    }
    std::vector<double> accelerations()
    {
        return handle.by_rod(handle.d->qacc);
    }
};

/* All of mj_forward, friction off: its sensors, passive forces and constraints, of which there are none, too. */
struct Forward : Dynamics {
    explicit Forward(const peer::Mechanism &mechanism) : Dynamics(without_friction(mechanism)) {}
    static peer::Mechanism without_friction(peer::Mechanism mechanism)
    {
        for (bench_rod &rod : mechanism.rods) {
            rod.friction = 0;
        }
        return mechanism;
    }
    void evaluate()
    {
        std::memcpy(handle.d->qpos, q.data(), q.size() * sizeof q[0]);
        std::memcpy(handle.d->qvel, v.data(), v.size() * sizeof v[0]);
        mj_forward(handle.m, handle.d);
    }
};

} // namespace

int main(int count, char **arguments)
{
    const peer::Options options = peer::read_options(count, arguments);
    peer::measure_fixed_step<Model<false>>({"MuJoCo", "default"}, options);
    peer::measure_fixed_step<Model<true>>({"MuJoCo", "hardest"}, options);
    peer::measure_dynamics<Dynamics>({"MuJoCo", "CRB, factorisation, RNE"}, options);
    peer::measure_dynamics<Forward>({"MuJoCo", "mj_forward"}, options);
    peer::measure_control<Controlled<false>>({"MuJoCo", "default"}, options);
    peer::measure_control<Controlled<true>>({"MuJoCo", "hardest"}, options);
    return 0;
}
