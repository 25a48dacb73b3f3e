/* ODE 0.16, dWorldStep: Dantzig's exact pivoting, not the iterative dWorldQuickStep, whose
 * friction fades along a chain. Bodies in absolute coordinates, held together by constraints.
 *
 * Friction: the motor of the hinge with wanted velocity 0 and the friction as its largest torque.
 * Settings: double precision (Debian's), no softness (CFM 0; the default 1e-10 is no faster), ERP
 * 0.2 (default) against drift, no damping of its own, no disabling of slow bodies; optimised
 * build. Damping of joints: a second motor, as soft (CFM) as that asks for.
 *
 * Not done with it: friction that is larger at rest, or depends on load or velocity. Forward
 * dynamics: it has none in joint coordinates. */

#include "control.hpp"
#include "peer.hpp"

#include <ode/ode.h>

namespace
{

/* Where a body is: the rotation of its frame, row by row, and its origin. */
struct Pose {
    dMatrix3 turn = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    double origin[3] = {};

    void place_of(const double local[3], double at[3]) const
    {
        for (int k = 0; k < 3; k++) {
            at[k] = origin[k];
            for (int j = 0; j < 3; j++) {
                at[k] += turn[4 * k + j] * local[j];
            }
        }
    }
    /* Of a rod that hangs here, its joint turned by that angle. */
    Pose next(const bench_rod &rod, double angle) const
    {
        Pose pose;
        dMatrix3 own;
        dRFromAxisAndAngle(own, rod.axis[0], rod.axis[1], rod.axis[2], angle);
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < 3; j++) {
                pose.turn[4 * k + j] = turn[4 * k] * own[j] + turn[4 * k + 1] * own[4 + j] +
                                       turn[4 * k + 2] * own[8 + j];
            }
        }
        place_of(rod.at, pose.origin);
        return pose;
    }
    /* A body of ODE has its origin in the centre of mass. */
    void give(dBodyID body, const bench_rod &rod) const
    {
        const double middle[3] = {rod.end[0] / 2, rod.end[1] / 2, rod.end[2] / 2};
        double at[3];
        place_of(middle, at);
        dBodySetPosition(body, at[0], at[1], at[2]);
        dBodySetRotation(body, turn);
    }
};

struct Model {
    const peer::Workload &workload;
    double step_size;
    dWorldID world;
    std::vector<dBodyID> bodies{nullptr}; /* from 1 */
    std::vector<dJointID> hinges;
    std::vector<double> turned; /* angles of the hinges, of which ODE knows no whole turns */
    int steps = 0;

    Model(const peer::Workload &w, double step)
        : workload(w), step_size(step), world(dWorldCreate())
    {
        dWorldSetGravity(world, w.gravity[0], w.gravity[1], w.gravity[2]);
        dWorldSetCFM(world, 0);
        dWorldSetAutoDisableFlag(world, 0);
        std::vector<Pose> straight(1), begin(1); /* angles count from the straight ones */
        for (size_t i = 1; i <= size_t(w.n); i++) {
            const bench_rod &rod = w.rods[i];
            straight.push_back(straight[rod.parent].next(rod, 0));
            begin.push_back(begin[rod.parent].next(rod, w.start[i - 1]));
            add(rod, straight.back());
            if (w.damping[i - 1] > 0) {
                add_damper(rod, w.damping[i - 1]);
            }
        }
        for (size_t i = 1; i <= size_t(w.n); i++) {
            begin[i].give(bodies[i], w.rods[i]);
        }
        turned = w.start;
    }
    void add(const bench_rod &rod, const Pose &pose)
    {
        dMass mass;
        dMassSetParameters(&mass, rod.mass, 0, 0, 0, rod.inertia[0], rod.inertia[1], rod.inertia[2],
                           rod.inertia[3], rod.inertia[4], rod.inertia[5]);
        const dBodyID body = dBodyCreate(world);
        dBodySetMass(body, &mass);
        pose.give(body, rod);
        const dJointID hinge = dJointCreateHinge(world, nullptr);
        dJointAttach(hinge, body, bodies[rod.parent]);
        dJointSetHingeAnchor(hinge, pose.origin[0], pose.origin[1], pose.origin[2]);
        dJointSetHingeAxis(hinge, rod.axis[0], rod.axis[1], rod.axis[2]);
        dJointSetHingeParam(hinge, dParamVel, 0);
        dJointSetHingeParam(hinge, dParamFMax, rod.friction);
        bodies.push_back(body);
        hinges.push_back(hinge);
    }
    /* A motor that is as soft as the damping, about the same axis. */
    void add_damper(const bench_rod &rod, double damping)
    {
        const dJointID motor = dJointCreateAMotor(world, nullptr);
        dJointAttach(motor, bodies.back(), bodies[rod.parent]);
        dJointSetAMotorNumAxes(motor, 1);
        dJointSetAMotorAxis(motor, 0, 1, rod.axis[0], rod.axis[1], rod.axis[2]);
        dJointSetAMotorParam(motor, dParamVel, 0);
        dJointSetAMotorParam(motor, dParamFMax, dInfinity);
        dJointSetAMotorParam(motor, dParamCFM, 1 / damping);
    }
    ~Model()
    {
        dWorldDestroy(world);
    }
    void step()
    {
        dWorldStep(world, step_size);
        if (++steps % 16 == 0) {
            count_turns();
        }
    }
    void count_turns()
    {
        for (size_t i = 0; i < hinges.size(); i++) {
            turned[i] += std::remainder(dJointGetHingeAngle(hinges[i]) - turned[i], 2 * M_PI);
        }
    }
    std::vector<double> angles()
    {
        count_turns();
        return turned;
    }
    std::vector<double> tip()
    {
        dVector3 at;
        dBodyGetRelPointPos(bodies.back(), workload.rods.back().end[0] / 2, 0, 0, at);
        return {at[0], at[1]};
    }
};

struct Controlled : Model {
    using Model::Model;

    void step(const double *torques)
    {
        for (size_t i = 0; i < hinges.size(); i++) {
            dJointAddHingeTorque(hinges[i], torques[i]);
        }
        Model::step();
    }
    void read(double *q, double *v)
    {
        count_turns();
        for (size_t i = 0; i < hinges.size(); i++) {
            q[i] = turned[i];
            v[i] = dJointGetHingeAngleRate(hinges[i]);
        }
    }
};

} // namespace

int main(int count, char **arguments)
{
    const peer::Options options = peer::read_options(count, arguments);
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    peer::measure_fixed_step<Model>({"ODE", "dWorldStep"}, options);
    peer::measure_control<Controlled>({"ODE", "dWorldStep"}, options);
    return 0;
}
