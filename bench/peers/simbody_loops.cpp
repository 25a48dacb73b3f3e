/* Simbody 3.7, closed loops: a tree of pins, and constraints that keep points in planes, no row of
 * them redundant (a ball joint would have one too many in the plane). Gears are couplers of coordinates.
 *
 * Settings: RungeKuttaMersonIntegrator, and RungeKutta3Integrator, which is the cheaper one at loose
 * errors (four-bar: half the time at 4e-6 rad, twice at 1e-8). Feldberg's lies between them. Tolerance of
 * the constraints: Simbody's choice, a tenth of the accuracy (a hundredth, the accuracy itself, and
 * projecting after every step are no cheaper at equal error); no interpolation, the stepper stops at the
 * end alone. Optimised build.
 *
 * Not done with it: friction in the pins of loops. A freedom that holds would be locked, and locks of one
 * loop are redundant with its rows. */

#include "loops.hpp"

#include <Simbody.h>

using namespace SimTK;

namespace
{

Vec3 flat(const double v[2])
{
    return Vec3(v[0], v[1], 0);
}

/* The force on a point, LoopDrive. */
class Push : public Force::Custom::Implementation
{
  public:
    Push(const MobilizedBody &its_body, const peer::LoopDrive &its_drive)
        : body(its_body), point(flat(its_drive.point)), drive(its_drive)
    {
    }
    void calcForce(const State &state, Vector_<SpatialVec> &forces, Vector_<Vec3> &,
                   Vector &) const override
    {
        const double v = body.findStationVelocityInGround(state, point)[0];
        body.applyForceToBodyPoint(state, point, Vec3(drive.drive - drive.damping * v, 0, 0),
                                   forces);
    }
    Real calcPotentialEnergy(const State &) const override
    {
        return 0;
    }

  private:
    const MobilizedBody body;
    const Vec3 point;
    const peer::LoopDrive drive;
};

struct Model {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    std::vector<MobilizedBody> bodies;

    explicit Model(const peer::Loop &loop)
    {
        Force::UniformGravity(forces, matter, Vec3(0, -loop.gravity, 0));
        bodies.push_back(matter.updGround());
        for (size_t i = 1; i < loop.bodies.size(); i++) {
            add(loop.bodies[i]);
        }
        for (const peer::LoopRow &row : loop.rows) {
            Constraint::PointInPlane(bodies[size_t(row.plane)], UnitVec3(flat(row.normal)),
                                     row.height, bodies[size_t(row.body)], flat(row.point));
        }
        for (const peer::LoopRatio &gear : loop.gears) {
            mesh(gear);
        }
        MobilizedBody &driven = bodies[size_t(loop.drive.body)];
        if (loop.drive.is_torque) {
            Force::MobilityConstantForce(forces, driven, 0, loop.drive.drive);
            Force::MobilityLinearDamper(forces, driven, 0, loop.drive.damping);
        } else {
            Force::Custom(forces, new Push(driven, loop.drive));
        }
    }
    void add(const peer::LoopBody &body)
    {
        const Vec3 middle(body.middle, 0, 0);
        const Inertia about_middle(body.inertia[0], body.inertia[1], body.inertia[1]);
        const MassProperties properties(body.mass, middle,
                                        about_middle.shiftFromMassCenter(-middle, body.mass));
        bodies.push_back(MobilizedBody::Pin(bodies[size_t(body.parent)], Transform(flat(body.at)),
                                            Body::Rigid(properties), Transform()));
    }
    /* angle - factor * angle of the other = 0 */
    void mesh(const peer::LoopRatio &gear)
    {
        const Vector factors(Vec3(1, -gear.factor, 0));
        const std::vector<MobilizedBodyIndex> wheels = {
            bodies[size_t(gear.body)].getMobilizedBodyIndex(),
            bodies[size_t(gear.other)].getMobilizedBodyIndex()};
        Constraint::CoordinateCoupler(matter, new Function::Linear(factors), wheels,
                                      std::vector<MobilizerQIndex>(2, MobilizerQIndex(0)));
    }
    State begin(const peer::Loop &loop)
    {
        State state = system.realizeTopology();
        system.realizeModel(state);
        for (size_t i = 1; i < bodies.size(); i++) {
            bodies[i].setOneQ(state, 0, loop.bodies[i].start);
        }
        return state;
    }
};

/* One run: the angle of its end, and its times. */
template <class Integrator>
std::vector<double> run(const peer::Loop &loop, double accuracy, double &setup, double &spent)
{
    const double begin = bench_cpu_time();
    Model model(loop);
    const State state = model.begin(loop);
    Integrator integrator(model.system);
    integrator.setAccuracy(accuracy);
    TimeStepper stepper(model.system, integrator);
    stepper.initialize(state);
    const double ready = bench_cpu_time();
    stepper.stepTo(loop.end);
    setup = ready - begin;
    spent = bench_cpu_time() - ready;
    return {model.bodies[1].getOneQ(stepper.getState(), 0)};
}

/* All loops, at accuracies 1e-3 ... 10^-most. */
template <class Integrator>
void measure(const peer::Line &line, const peer::Options &options, int most)
{
    peer::print_lacks(line, options,
                      {{"sticky-four-bar", "has no friction in joints; ours here knows no loops"}});
    peer::Ladder ladder(line, options.limit);
    std::vector<double> accuracies;
    for (int k = 3; k <= most; k++) {
        accuracies.push_back(std::pow(10.0, -k));
    }
    for (const peer::Loop &loop : peer::loops(options, false)) {
        ladder.climb(
            loop, "accuracy", accuracies, 1.5, [&](const peer::Line &own, double accuracy) {
                peer::print_medians(own, loop, accuracy, [&](double &setup, double &spent) {
                    return run<Integrator>(loop, accuracy, setup, spent);
                });
            });
    }
}

} // namespace

int main(int count, char **arguments)
{
    const peer::Options options = peer::read_options(count, arguments);
    measure<RungeKuttaMersonIntegrator>({"Simbody", "constraints, Merson"}, options, 10);
    measure<RungeKutta3Integrator>({"Simbody", "constraints, third order"}, options, 8);
    return 0;
}
