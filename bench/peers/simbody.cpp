/* Simbody 3.7, with events. It has no joint friction of its own; what it has is
 * exact locks of joints, their forces, and an event-driven time stepper. On
 * these the friction is written here: a joint that holds is locked
 * (MobilizedBody::lock, at the level of positions) and its witness is its
 * distance from the limit; a joint that slips feels a force, and its witness is
 * its velocity. mode_search.hpp finds the modes after an event.
 *
 * Friction is one force element and one subsystem for all joints: one of each for every joint
 * costs up to a sixth more (chain of 100). What is left, in the chain of 300: two fifths of the
 * time go into states between steps, where events are looked for, three tenths into steps, a
 * tenth into the search for modes; copying States is a fifth of all.
 *
 * Settings: RungeKuttaMersonIntegrator, Simbody's usual choice where nothing is stiff (Feldberg's
 * and the one of third order are no faster); accuracy as given; events located as the accuracy
 * asks, in Simbody's window of 0.1 of that (10 times as wide: 5 % cheaper, less accurate; a tenth:
 * 5 % dearer, little more accurate). Optimised build (Debian's libraries, -O3 here).
 *
 * Not done with it: friction that depends on the load (it would be this file's
 * work, not Simbody's). */

#include "mode_search.hpp"
#include "peer.hpp"

#include <Simbody.h>

#include <stdexcept>

using namespace SimTK;

namespace
{

/* Hangs rod i on its joint; Simbody's pins turn about the z axis of their
 * frames. */
MobilizedBody add_rod(MobilizedBody &parent, const bench_rod &rod)
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

/* A block of the train slides along x. */
MobilizedBody add_block(MobilizedBody &ground, const bench_rod &block)
{
    const MassProperties properties(block.mass, Vec3(0), Inertia(block.inertia[0]));
    return MobilizedBody::Slider(ground, Transform(Vec3(block.at[0], 0, 0)),
                                 Body::Rigid(properties), Transform());
}

/* Bodies and gravity; bodies[0] is the ground. */
struct Rods {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    std::vector<MobilizedBody> bodies;

    explicit Rods(const peer::Mechanism &m, bool slide = false)
    {
        if (m.gravity[1] != 0 || m.gravity[2] != 0) {
            Force::UniformGravity(forces, matter, Vec3(m.gravity[0], m.gravity[1], m.gravity[2]));
        }
        bodies.push_back(matter.updGround());
        for (size_t i = 1; i < m.rods.size(); i++) {
            MobilizedBody &parent = bodies[m.rods[i].parent];
            bodies.push_back(slide ? add_block(parent, m.rods[i]) : add_rod(parent, m.rods[i]));
        }
    }
};

/* Modes are kept here and not in the State: they change at events only, where
 * nothing goes back. */
class Friction : public peer::ModeSearch
{
  public:
    Friction(const peer::Workload &w, Rods &its_rods);

    /* Once the State is made: all hold. */
    void begin(State &state);
    void witness(const State &state, Vector &values) const;
    void handle(State &state, const std::vector<size_t> &fired);

    Vector positions(const State &state) const
    {
        Vector q(int(joints.size()));
        for (size_t i = 0; i < joints.size(); i++) {
            q[int(i)] = state.getQ()[place[i]];
        }
        return q;
    }
    /* Friction of joints that slip, damping, and the springs of the train. */
    void add_forces(const State &state, Vector &forces) const;

  protected:
    void set_mode(peer::FrictionJoint &joint, int mode) override;
    void solve() override;

  private:
    Rods &rods;
    bool is_train;
    std::vector<double> damping, start;
    bool has_damping;
    std::vector<int> place; /* of a joint among the coordinates */
    State *state_now = nullptr;
    Vector lock_forces;

    double slipping(const State &state, size_t i) const
    {
        const peer::FrictionJoint &joint = joints[i];
        return joint.limit *
               (is_train ? peer::train_law::weakening(joint.mode * state.getU()[place[i]]) : 1);
    }
    void add_springs(const State &state, Vector &forces) const;
};

class FrictionForce : public Force::Custom::Implementation
{
  public:
    explicit FrictionForce(const Friction &its_friction) : friction(its_friction) {}
    void calcForce(const State &state, Vector_<SpatialVec> &, Vector_<Vec3> &,
                   Vector &mobility) const override
    {
        friction.add_forces(state, mobility);
    }
    Real calcPotentialEnergy(const State &) const override
    {
        return 0;
    }

  private:
    const Friction &friction;
};

/* The witnesses of all joints, and their events, those of one instant together.
 */
class Events : public Subsystem::Guts
{
  public:
    explicit Events(Friction &its_friction) : friction(its_friction) {}

    Guts *cloneImpl() const override
    {
        return new Events(friction);
    }
    int realizeSubsystemModelImpl(State &state) const override
    {
        ids.clear();
        for (size_t i = 0; i < friction.joints.size(); i++) {
            EventId id;
            EventTriggerByStageIndex index;
            createTriggeredEvent(state, id, index, Stage::Acceleration);
            ids.push_back(id);
        }
        return 0;
    }
    int realizeSubsystemAccelerationImpl(const State &state) const override
    {
        friction.witness(state, updEventTriggersByStage(state, Stage::Acceleration));
        return 0;
    }
    void calcEventTriggerInfoImpl(const State &, Array_<EventTriggerInfo> &infos) const override
    {
        infos.clear();
        for (EventId id : ids) {
            EventTriggerInfo info(id);
            info.setTriggerOnRisingSignTransition(false);
            info.setTriggerOnFallingSignTransition(true);
            infos.push_back(info);
        }
    }
    void handleEventsImpl(State &state, Event::Cause, const Array_<EventId> &fired,
                          const HandleEventsOptions &, HandleEventsResults &results) const override
    {
        std::vector<size_t> joints;
        for (EventId id : fired) {
            joints.push_back(size_t(std::find(ids.begin(), ids.end(), id) - ids.begin()));
        }
        friction.handle(state, joints);
        results.setExitStatus(HandleEventsResults::Succeeded);
    }

  private:
    Friction &friction;
    mutable std::vector<EventId> ids; /* by joint */
};

class EventSubsystem : public Subsystem
{
  public:
    EventSubsystem(MultibodySystem &system, Friction &friction)
    {
        adoptSubsystemGuts(new Events(friction));
        system.adoptSubsystem(*this);
    }
};

Friction::Friction(const peer::Workload &w, Rods &its_rods)
    : rods(its_rods), is_train(w.name == "train"), damping(w.damping), start(w.start),
      has_damping(std::any_of(damping.begin(), damping.end(), [](double c) { return c > 0; })),
      place(size_t(w.n))
{
    joints.resize(size_t(w.n));
    for (size_t i = 0; i < joints.size(); i++) {
        joints[i].kinetic = w.rods[i + 1].friction;
        joints[i].sticking = w.rods[i + 1].friction * w.rods[i + 1].sticking;
    }
    Force::Custom(rods.forces, new FrictionForce(*this));
}

void Friction::begin(State &state)
{
    state_now = &state;
    for (size_t i = 0; i < joints.size(); i++) {
        place[i] = int(rods.bodies[i + 1].getFirstUIndex(state));
        state.updQ()[place[i]] = start[i];
    }
    for (peer::FrictionJoint &joint : joints) {
        set_mode(joint, 0);
    }
    settle();
}

void Friction::set_mode(peer::FrictionJoint &joint, int mode)
{
    MobilizedBody &body = rods.bodies[size_t(&joint - joints.data()) + 1];
    if (mode && body.isLocked(*state_now)) {
        body.unlock(*state_now);
    } else if (!mode && !body.isLocked(*state_now)) {
        body.lock(*state_now);
    } else {
        state_now->invalidateAll(Stage::Dynamics);
    }
    joint.mode = mode;
}

/* Simbody's multipliers stand on the other side of the equation. */
void Friction::solve()
{
    rods.system.realize(*state_now, Stage::Acceleration);
    rods.matter.findMotionForces(*state_now, lock_forces);
    const Vector &accelerations = state_now->getUDot();
    for (size_t i = 0; i < joints.size(); i++) {
        joints[i].acceleration = accelerations[place[i]];
        joints[i].force = -lock_forces[place[i]];
    }
}

void Friction::add_forces(const State &state, Vector &forces) const
{
    for (size_t i = 0; i < joints.size(); i++) {
        if (joints[i].mode) {
            forces[place[i]] -= joints[i].mode * slipping(state, i);
        }
        if (has_damping) {
            forces[place[i]] -= damping[i] * state.getU()[place[i]];
        }
    }
    if (is_train) {
        add_springs(state, forces);
    }
}

void Friction::add_springs(const State &state, Vector &forces) const
{
    using namespace peer::train_law;
    const Vector &q = state.getQ();
    for (size_t i = 0; i < joints.size(); i++) {
        forces[place[i]] += pull * (speed * state.getTime() - q[place[i]]);
        if (i) {
            const double pulled = coupling * (q[place[i - 1]] - q[place[i]]);
            forces[place[i]] += pulled;
            forces[place[i - 1]] -= pulled;
        }
    }
}

/* A witness that starts at zero is not seen to fall: a joint that breaks away
 * and is back within the first step would go on backwards. Hence the hairs. */
void Friction::witness(const State &state, Vector &values) const
{
    const Vector &held = rods.matter.getMotionMultipliers(state);
    const Vector &velocities = state.getU();
    int number = 0;
    for (size_t i = 0; i < joints.size(); i++) {
        const peer::FrictionJoint &joint = joints[i];
        values[int(i)] = joint.mode ? joint.mode * velocities[place[i]] + 1e-12
                                    : joint.limit * (1 + 2e-10) - std::abs(held[number++]);
    }
}

void Friction::handle(State &state, const std::vector<size_t> &fired)
{
    state_now = &state;
    rods.system.realize(state, Stage::Acceleration);
    rods.matter.findMotionForces(state, lock_forces);
    for (peer::FrictionJoint &joint : joints) {
        joint.rest = joint.mode == 0;
    }
    for (size_t i : fired) {
        if (joints[i].mode) {
            state.updU()[place[i]] = 0;
            joints[i].rest = true;
            set_mode(joints[i], 0);
        } else {
            joints[i].decreed = true;
            set_mode(joints[i], lock_forces[place[i]] > 0 ? 1 : -1);
        }
    }
    settle();
}

/* One run: the values of its end, and its times. */
std::vector<double> run(const peer::Workload &w, double accuracy, double &setup, double &spent)
{
    const double begin = bench_cpu_time();
    Rods rods(w, w.name == "train");
    Friction friction(w, rods);
    EventSubsystem events(rods.system, friction);
    State state = rods.system.realizeTopology();
    rods.system.realizeModel(state);
    friction.begin(state);
    RungeKuttaMersonIntegrator integrator(rods.system);
    integrator.setAccuracy(accuracy);
    TimeStepper stepper(rods.system, integrator);
    stepper.initialize(state);
    const double ready = bench_cpu_time();
    stepper.stepTo(w.end);
    setup = ready - begin;
    spent = bench_cpu_time() - ready;
    const Vector q = friction.positions(stepper.getState());
    const std::vector<double> values(&q[0], &q[0] + q.size());
    return w.by_tip ? peer::tip_of(w, values) : values;
}

/* All stages from positions to accelerations, as a time step has them. */
struct Dynamics : Rods {
    State state;
    Vector q, v;

    explicit Dynamics(const peer::Mechanism &mechanism)
        : Rods(mechanism), q(mechanism.n), v(mechanism.n)
    {
        state = system.realizeTopology();
        system.realizeModel(state);
        std::vector<double> given_q(bodies.size()), given_v(bodies.size());
        bench_dynamics_state(size_t(mechanism.n), given_q.data(), given_v.data());
        for (size_t i = 0; i < size_t(mechanism.n); i++) {
            bodies[i + 1].setOneQ(state, 0, given_q[i]);
            bodies[i + 1].setOneU(state, 0, given_v[i]);
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
    const char *const load = "has no friction in joints; ours here does not depend on their load";
    const std::vector<peer::Lack> lacks = {{"load-chain", load}, {"bearing-chain", load}};
    peer::Ladder ladder(line, options.limit);
    peer::print_lacks(line, options, lacks);
    for (const peer::Workload &w : peer::workloads(options, lacks)) {
        std::vector<double> accuracies;
        for (int k = w.n > 300 ? 3 : 4; k <= (w.n > 10 ? 8 : 10); k++) {
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
