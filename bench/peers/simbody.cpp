/* Simbody 3.7, with events. It has no joint friction of its own; what it has is exact locks of joints,
 * their forces, and an event-driven time stepper. On these the friction is written here: a joint that
 * holds is locked (MobilizedBody::lock, at the level of positions) and its witness is its distance from
 * the limit; a joint that slips feels a constant torque, and its witness is its velocity. At an event
 * the modes are searched by changing what is wrong, all at once, then by least index.
 *
 * Settings: RungeKuttaMersonIntegrator, Simbody's usual choice where nothing is stiff; accuracy as given;
 * events located as the accuracy asks (a window of 1e-8 of that instead of 0.1 changes no error by
 * more than 1 %). Optimised build (Debian's libraries, -O3 here).
 *
 * Not done with it: static above kinetic friction, friction that depends on the load (both would be
 * this file's work, not Simbody's), the train, trees and the arm (not written yet). */

#include <Simbody.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

using namespace SimTK;

namespace
{

struct Workload {
    std::string name;
    int n;
    double end, length, mass;
    std::vector<double> limit;
};

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

    explicit Chain(const Workload &w);

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

Chain::Chain(const Workload &w)
{
    Force::UniformGravity(forces, matter, Vec3(0, -9.81, 0));
    const double third = w.mass * w.length * w.length / 3;
    const Body::Rigid rod(
        MassProperties(w.mass, Vec3(w.length / 2, 0, 0), Inertia(1e-9 * third, third, third)));
    for (int i = 0; i < w.n; i++) {
        Joint joint;
        MobilizedBody &parent = i ? static_cast<MobilizedBody &>(joints.back().body)
                                  : static_cast<MobilizedBody &>(matter.updGround());
        joint.body =
            MobilizedBody::Pin(parent, Transform(Vec3(i ? w.length : 0, 0, 0)), rod, Transform());
        joint.limit = w.limit[i];
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

double cpu()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/* Prints the line of one run; returns its CPU time. */
double run(const Workload &w, double accuracy)
{
    const double begin = cpu();
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
    const double ready = cpu();
    stepper.stepTo(w.end);
    const double spent = cpu() - ready;
    const State &last = stepper.getState();
    std::printf("Simbody\twith events\t%s\t%d\t%g\t%.6g\t%.6g", w.name.c_str(), w.n, accuracy,
                ready - begin, spent);
    chain.system.realize(last, Stage::Position);
    if (w.name == "chain" || w.name == "loose-chain") {
        const Vec3 tip =
            chain.joints.back().body.findStationLocationInGround(last, Vec3(w.length, 0, 0));
        std::printf("\t2\t%.16g\t%.16g\n", tip[0], tip[1]);
    } else {
        std::printf("\t%d", w.n);
        for (const Joint &joint : chain.joints) {
            std::printf("\t%.16g", joint.body.getAngle(last));
        }
        std::printf("\n");
    }
    std::fflush(stdout);
    return spent;
}

Workload rods(const char *name, int n, double friction, double end)
{
    return {name, n, end, 1.0 / n, 1.0 / n, std::vector<double>(n, friction)};
}

} // namespace

/* peer-simbody [most n]: looser accuracies only where a run takes seconds. */
int main(int count, char **arguments)
{
    const int most = count > 1 ? std::atoi(arguments[1]) : 100;
    std::vector<Workload> workloads = {{"pendulum", 2, 20, 1, 1, {1, 0.5}}};
    for (int n : {10, 30, 100, 300}) {
        workloads.push_back(rods("chain", n, 1, 1));
        workloads.push_back(rods("hold", n, 5, 10));
        if (n <= 30) {
            workloads.push_back(rods("loose-chain", n, 0.1, 1));
        }
    }
    for (const Workload &w : workloads) {
        for (double accuracy = 1e-4; w.n <= most && accuracy > (w.n > 10 ? 0.5e-8 : 0.5e-10);
             accuracy *= 0.1) {
            try {
                if (run(w, accuracy) > 3) {
                    break;
                }
            } catch (const std::exception &) {
                std::printf("Simbody\twith events\t%s\t%d\t-\tno modes found at accuracy %g\n",
                            w.name.c_str(), w.n, accuracy);
            }
        }
    }
    return 0;
}
