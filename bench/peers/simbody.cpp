/* Simbody 3.7, with events. It has no joint friction of its own; what it has is exact locks of
 * joints, their forces, and an event-driven time stepper. On these the friction is written here:
 * a joint that holds is locked (MobilizedBody::lock, at the level of positions) and its witness
 * is its distance from the limit; a joint that slips feels a constant torque, and its witness is
 * its velocity. At an event the modes are searched by changing what is wrong, all at once, then
 * by least index.
 *
 * Settings: RungeKuttaMersonIntegrator, Simbody's usual choice where nothing is stiff; accuracy
 * as given; events located as the accuracy asks (a window of 1e-8 of that instead of 0.1 changes
 * no error by more than 1 %). Optimised build (Debian's libraries, -O3 here).
 *
 * Not done with it: static above kinetic friction, friction that depends on the load (both would
 * be this file's work, not Simbody's), the train, trees and the arm (not written yet). */

#include "peer.hpp"

#include <Simbody.h>

#include <stdexcept>

using namespace SimTK;

namespace
{

struct Joint {
    MobilizedBody::Pin body;
    Force::MobilityConstantForce torque;
    double limit = 0;
    int mode = 0;  /* 0: holds; +1, -1: slips that way */
    int place = 0; /* of its force among those of the locked joints */
    bool rest = true, decreed = false;
};

/* Force of the lock on the joint: Simbody's multipliers stand on the other side of the equation. */
constexpr double lock_sign = -1;

struct Chain {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    std::vector<Joint> joints;
    int events = 0;

    explicit Chain(const peer::Workload &w);

    double friction(const State &state, const Joint &joint) const
    {
        return lock_sign * matter.getMotionMultipliers(state)[joint.place];
    }
    void apply(State &state, Joint &joint, int mode)
    {
        joint.mode = mode;
        joint.torque.setForce(state, -mode * joint.limit);
        if (mode) {
            joint.body.unlock(state);
        } else {
            joint.body.lock(state);
        }
    }
    void solve(State &state)
    {
        int place = 0;
        for (Joint &joint : joints) {
            joint.place = joint.mode ? -1 : place++;
        }
        system.realize(state, Stage::Acceleration);
    }
    bool wrong(const State &state, const Joint &joint, double scale) const
    {
        if (!joint.rest || joint.decreed) {
            return false;
        }
        return joint.mode ? joint.mode * joint.body.getOneUDot(state, 0) < -1e-9 * scale
                          : std::abs(friction(state, joint)) > joint.limit * (1 + 1e-10);
    }
    void settle(State &state);
};

class Witness : public TriggeredEventHandler
{
  public:
    Witness(Chain &owner, int number)
        : TriggeredEventHandler(Stage::Acceleration), chain(owner), index(number)
    {
        getTriggerInfo().setTriggerOnRisingSignTransition(false);
        getTriggerInfo().setTriggerOnFallingSignTransition(true);
    }
    Real getValue(const State &state) const override
    {
        const Joint &joint = chain.joints[index];
        /* A witness that starts at zero is not seen to fall: a joint that breaks away and is back
         * within the first step would go on backwards. Hence the hair. */
        return joint.mode ? joint.mode * joint.body.getOneU(state, 0) + 1e-12
                          : joint.limit * (1 + 2e-10) - std::abs(chain.friction(state, joint));
    }
    void handleEvent(State &state, Real, bool &) const override
    {
        Joint &joint = chain.joints[index];
        chain.system.realize(state, Stage::Acceleration);
        chain.events++;
        if (joint.mode && joint.mode * joint.body.getOneU(state, 0) > 0) {
            return; /* an event of the same instant has settled this one */
        }
        if (joint.mode) {
            joint.body.setOneU(state, 0, 0);
            joint.rest = true;
            chain.apply(state, joint, 0);
        } else {
            joint.decreed = true;
            chain.apply(state, joint, chain.friction(state, joint) > 0 ? -1 : 1);
        }
        chain.settle(state);
        joint.decreed = false;
    }

  private:
    Chain &chain;
    int index;
};

/* Hangs rod i on its joint; Simbody's pins turn about the z axis of their frames. */
MobilizedBody::Pin add_rod(MobilizedBody &parent, const bench_rod &rod)
{
    const Vec3 middle = Vec3(rod.end[0], rod.end[1], rod.end[2]) / 2;
    const double *i = rod.inertia;
    const Inertia about_middle(Vec3(i[0], i[1], i[2]), Vec3(i[3], i[4], i[5]));
    const MassProperties properties(rod.mass, middle,
                                    about_middle.shiftFromMassCenter(-middle, rod.mass));
    const Vec3 axis(rod.axis[0], rod.axis[1], rod.axis[2]);
    const Rotation turn = axis[2] == 1 ? Rotation() : Rotation(UnitVec3(axis), ZAxis);
    return MobilizedBody::Pin(parent, Transform(turn, Vec3(rod.at[0], rod.at[1], rod.at[2])),
                              Body::Rigid(properties), Transform(turn, Vec3(0)));
}

Chain::Chain(const peer::Workload &w)
{
    Force::UniformGravity(forces, matter, Vec3(0, -9.81, 0));
    for (int i = 0; i < w.n; i++) {
        Joint joint;
        MobilizedBody &parent = i ? static_cast<MobilizedBody &>(joints.back().body)
                                  : static_cast<MobilizedBody &>(matter.updGround());
        joint.body = add_rod(parent, w.rods[i + 1]);
        joint.limit = w.rods[i + 1].friction;
        joint.torque = Force::MobilityConstantForce(forces, joint.body, 0, 0.0);
        joints.push_back(joint);
        system.addEventHandler(new Witness(*this, i));
    }
}

void Chain::settle(State &state)
{
    size_t best = joints.size() + 1;
    int patience = 10;
    for (Joint &joint : joints) {
        joint.rest = joint.mode == 0 || joint.decreed;
    }
    for (int round = 0; round < 20000; round++) {
        double scale = 0;
        std::vector<std::pair<Joint *, int>> changes;
        solve(state);
        for (Joint &joint : joints) {
            scale = std::max(scale, std::abs(joint.body.getOneUDot(state, 0)));
        }
        for (Joint &joint : joints) {
            if (wrong(state, joint, scale)) {
                changes.push_back({&joint, joint.mode ? 0 : friction(state, joint) > 0 ? -1 : 1});
            }
        }
        if (changes.empty()) {
            return;
        }
        if (changes.size() < best) {
            best = changes.size();
            patience = 10;
        } else if (patience) {
            patience--;
        }
        if (!patience) {
            changes.resize(1);
        }
        for (const auto &change : changes) {
            apply(state, *change.first, change.second);
        }
    }
    throw std::runtime_error("the search for modes goes in circles");
}

/* One run: the values of its end, and its times. */
std::vector<double> run(const peer::Workload &w, double accuracy, double &setup, double &spent)
{
    const double begin = bench_cpu_time();
    Chain chain(w);
    State state = chain.system.realizeTopology();
    chain.system.realizeModel(state);
    for (Joint &joint : chain.joints) {
        chain.apply(state, joint, 0);
    }
    chain.settle(state);
    RungeKuttaMersonIntegrator integrator(chain.system);
    integrator.setAccuracy(accuracy);
    TimeStepper stepper(chain.system, integrator);
    stepper.initialize(state);
    const double ready = bench_cpu_time();
    stepper.stepTo(w.end);
    setup = ready - begin;
    spent = bench_cpu_time() - ready;
    const State &last = stepper.getState();
    chain.system.realize(last, Stage::Position);
    std::vector<double> angles;
    for (const Joint &joint : chain.joints) {
        angles.push_back(joint.body.getAngle(last));
    }
    return w.by_tip ? peer::tip_of(w, angles) : angles;
}

/* All stages from positions to accelerations, as a time step has them. */
struct Dynamics {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    std::vector<MobilizedBody> bodies;
    State state;
    Vector q, v;

    explicit Dynamics(const peer::Mechanism &mechanism) : q(mechanism.n), v(mechanism.n)
    {
        Force::UniformGravity(forces, matter, Vec3(0, -9.81, 0));
        bodies.push_back(matter.updGround());
        for (int i = 1; i <= mechanism.n; i++) {
            const bench_rod &rod = mechanism.rods[size_t(i)];
            bodies.push_back(add_rod(bodies[rod.parent], rod));
        }
        state = system.realizeTopology();
        system.realizeModel(state);
        std::vector<double> given_q(bodies.size()), given_v(bodies.size());
        bench_dynamics_state(size_t(mechanism.n), given_q.data(), given_v.data());
        for (int i = 0; i < mechanism.n; i++) {
            bodies[size_t(i) + 1].setOneQ(state, 0, given_q[size_t(i)]);
            bodies[size_t(i) + 1].setOneU(state, 0, given_v[size_t(i)]);
        }
        q = state.getQ();
        v = state.getU();
    }
    void evaluate()
    {
        state.updQ() = q;
        state.updU() = v;
        system.realize(state, Stage::Acceleration);
    }
    std::vector<double> accelerations()
    {
        std::vector<double> a;
        for (size_t i = 1; i < bodies.size(); i++) {
            a.push_back(bodies[i].getOneUDot(state, 0));
        }
        return a;
    }
};

} // namespace

int main(int count, char **arguments)
{
    const peer::Options options = peer::read_options(count, arguments);
    const peer::Line line = {"Simbody", "with events"};
    peer::Ladder ladder(line, options.limit);
    const char *const why = "not written for it";
    const std::vector<peer::Lack> lacks = peer::constant_friction({{"tree", why}, {"arm", why}});
    peer::print_lacks(line, options, lacks);
    for (const peer::Workload &w : peer::workloads(options, lacks)) {
        std::vector<double> accuracies;
        for (int k = 4; k <= (w.n > 10 ? 8 : 10); k++) {
            accuracies.push_back(std::pow(10.0, -k));
        }
        if (w.name == "hold") {
            accuracies.resize(2); /* nothing moves: they are all the same */
        }
        ladder.climb(w, "accuracy", accuracies, 1.5, [&](const peer::Line &own, double accuracy) {
            peer::print_medians(own, w, accuracy, [&](double &setup, double &spent) {
                return run(w, accuracy, setup, spent);
            });
        });
    }
    peer::measure_dynamics<Dynamics>({"Simbody", "articulated body"}, options);
    return 0;
}
