/* MuJoCo 2.2.2, closed loops: pins are `connect`, rails and gears are ratios of angles (`joint`), all equality
 * constraints, which MuJoCo softens on purpose.
 *
 * Settings:
 *   default       as MuJoCo comes: the loops give way (four-bar: 0.2 rad at every step)
 *   hardest       impedance 0.9999 (its largest) at once, time constant of two steps (its smallest)
 *   hardest, RK4  the same with Runge and Kutta's method: four times as dear a step, and where nothing
 *                 sticks far more accurate (four-bar, step of 1 ms: 5e-5 rad for 2e-2)
 * All with Newton's solver to 1e-8. Warnings end the run: rows beyond njmax would be lost.
 *
 * A pose of the model closes its loops: angles count from the start. The tree comes in pieces, as in
 * mujoco.cpp. */

#include "loops.hpp"

#include <mujoco/mujoco.h>

#include <stdexcept>

namespace
{

constexpr int piece_size = 50;

template <class... Numbers> std::string format(const char *pattern, Numbers... numbers)
{
    char text[256];
    std::snprintf(text, sizeof text, pattern, numbers...);
    return text;
}

void stop(const char *message)
{
    throw std::runtime_error(message);
}

/* The model as text, and the pieces that it includes. */
struct Writer {
    const peer::Loop &loop;
    const std::string softness, friction_softness; /* attributes */
    std::vector<std::string> pieces;

    std::string body_start(int i) const
    {
        const peer::LoopBody &b = loop.bodies[size_t(i)];
        const double damping =
            loop.drive.is_torque && loop.drive.body == i ? loop.drive.damping : 0;
        return format("<body name=\"b%d\" pos=\"%.17g %.17g 0\" euler=\"0 0 %.17g\">", i, b.at[0],
                      b.at[1], b.start) +
               format("<inertial pos=\"%.17g 0 0\" mass=\"%.17g\" diaginertia=\"%.17g %.17g "
                      "%.17g\"/>",
                      b.middle, b.mass, b.inertia[0], b.inertia[1], b.inertia[1]) +
               format("<joint name=\"j%d\" axis=\"0 0 1\" damping=\"%.17g\" frictionloss=\"%.17g\"",
                      i, damping, b.friction) +
               friction_softness + "/>";
    }
    void write(int i, int depth, std::string &out)
    {
        if (depth == piece_size) {
            std::string piece = "<mujocoinclude>";
            write(i, 0, piece);
            out += format("<include file=\"piece%zu.xml\"/>", pieces.size());
            pieces.push_back(piece + "</mujocoinclude>");
            return;
        }
        out += body_start(i);
        write_children(i, depth + 1, out);
        out += "</body>";
    }
    void write_children(int parent, int depth, std::string &out)
    {
        for (size_t i = 1; i < loop.bodies.size(); i++) {
            if (loop.bodies[i].parent == parent) {
                write(int(i), depth, out);
            }
        }
    }
    /* Pins are pairs of rows, of which the first is along x of the other body. */
    std::string equalities() const
    {
        std::string out;
        for (const peer::LoopRow &row : loop.rows) {
            if (row.normal[0] == 1) {
                out += format("<connect body1=\"b%d\" body2=\"b%d\" anchor=\"%.17g 0 0\"", row.body,
                              row.plane, row.point[0]) +
                       softness + "/>";
            }
        }
        for (const auto *ratios : {&loop.gears, &loop.ratios}) {
            for (const peer::LoopRatio &ratio : *ratios) {
                out += format("<joint joint1=\"j%d\" joint2=\"j%d\" polycoef=\"0 %.17g 0 0 0\"",
                              ratio.body, ratio.other, ratio.factor) +
                       softness + "/>";
            }
        }
        return out;
    }
    std::string write_all(const std::string &option)
    {
        const size_t rows = 10 * loop.bodies.size() + 50;
        std::string tree;
        write_children(0, 0, tree);
        return "<mujoco><compiler angle=\"radian\" boundmass=\"0\"/>" +
               format("<size njmax=\"%zu\" nstack=\"%zu\"/>", rows, 6 * rows * rows + 200000) +
               option + "<worldbody>" + tree + "</worldbody><equality>" + equalities() +
               "</equality></mujoco>";
    }
};

void add_file(mjVFS *files, const std::string &name, const std::string &text)
{
    if (mj_makeEmptyFileVFS(files, name.c_str(), int(text.size()))) {
        throw std::runtime_error("its virtual file system is full");
    }
    std::memcpy(files->filedata[mj_findFileVFS(files, name.c_str())], text.data(), text.size());
}

mjModel *load(Writer writer, const std::string &option)
{
    std::vector<char> error(1000);
    mjVFS *files = new mjVFS;
    mj_defaultVFS(files);
    add_file(files, "model.xml", writer.write_all(option));
    for (size_t k = 0; k < writer.pieces.size(); k++) {
        add_file(files, "piece" + std::to_string(k) + ".xml", writer.pieces[k]);
    }
    mjModel *m = mj_loadXML("model.xml", files, error.data(), int(error.size()));
    mj_deleteVFS(files);
    delete files;
    if (!m) {
        throw std::runtime_error(error.data());
    }
    return m;
}

/* The drive of the run of the moment, for MuJoCo's callback; a run has a process of its own. */
const peer::LoopDrive *drive_now;
int driven_body, driven_freedom;

void add_drive(const mjModel *m, mjData *d)
{
    const peer::LoopDrive &drive = *drive_now;
    if (drive.is_torque) { /* its damping is the joint's own */
        d->qfrc_passive[driven_freedom] += drive.at(d->time);
        return;
    }
    const mjtNum local[3] = {drive.point[0], drive.point[1], 0};
    mjtNum point[3], velocity = 0;
    mju_rotVecMat(point, local, d->xmat + 9 * driven_body);
    mju_addTo3(point, d->xpos + 3 * driven_body);
    mjMARKSTACK;
    mjtNum *along = mj_stackAlloc(d, 3 * m->nv); /* x: its first nv */
    mj_jac(m, d, along, nullptr, point, driven_body);
    for (int k = 0; k < m->nv; k++) {
        velocity += along[k] * d->qvel[k];
    }
    for (int k = 0; k < m->nv; k++) {
        d->qfrc_passive[k] += along[k] * (drive.at(d->time) - drive.damping * velocity);
    }
    mjFREESTACK;
}

std::string option_of(const peer::Loop &loop, const char *integrator, double step)
{
    return format("<option gravity=\"0 %.17g 0\" timestep=\"%g\" integrator=\"%s\">", -loop.gravity,
                  step, integrator) +
           "<flag contact=\"disable\"/></option>";
}

struct Setting {
    const char *name, *integrator;
    bool is_hard;

    /* Of equalities (suffix "") or of friction. */
    std::string softness(double step, const char *suffix) const
    {
        return is_hard ? format(" solimp%s=\"0.9999 0.9999 0.001\" solref%s=\"%g 1\"", suffix,
                                suffix, 2 * step)
                       : "";
    }
};

std::vector<double> run(const peer::Loop &loop, const Setting &setting, double step, double &setup,
                        double &spent)
{
    const double begin = bench_cpu_time();
    mju_user_error = stop;
    mju_user_warning = stop;
    mjModel *m = load({loop, setting.softness(step, ""), setting.softness(step, "friction"), {}},
                      option_of(loop, setting.integrator, step));
    mjData *d = mj_makeData(m);
    drive_now = &loop.drive;
    driven_body = mj_name2id(m, mjOBJ_BODY, format("b%d", loop.drive.body).c_str());
    driven_freedom = m->body_dofadr[driven_body];
    const int first = m->body_dofadr[mj_name2id(m, mjOBJ_BODY, "b1")];
    mjcb_passive = add_drive;
    const double ready = bench_cpu_time();
    for (long k = std::lround(loop.end / step); k > 0; k--) {
        mj_step(m, d);
    }
    setup = ready - begin;
    spent = bench_cpu_time() - ready;
    const double angle = loop.bodies[1].start + d->qpos[first];
    mjcb_passive = nullptr;
    mj_deleteData(d);
    mj_deleteModel(m);
    return {angle};
}

void measure(const Setting &setting, const peer::Options &options)
{
    const peer::Line line = {"MuJoCo", setting.name};
    peer::Ladder ladder(line, options.limit);
    for (const peer::Loop &loop : peer::loops(options, true)) {
        ladder.climb(loop, "step", {1e-3, 1e-4, 1e-5}, 10, [&](const peer::Line &own, double step) {
            peer::print_medians(own, loop, step, [&](double &setup, double &spent) {
                return run(loop, setting, step, setup, spent);
            });
        });
    }
}

} // namespace

int main(int count, char **arguments)
{
    const peer::Options options = peer::read_options(count, arguments);
    measure({"default", "Euler", false}, options);
    measure({"hardest", "Euler", true}, options);
    measure({"hardest, RK4", "RK4", true}, options);
    return 0;
}
