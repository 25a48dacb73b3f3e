/* ODE 0.16, dWorldStep: Dantzig's exact pivoting, not the iterative dWorldQuickStep, whose
 * friction fades along a chain. Bodies in absolute coordinates, held together by constraints.
 *
 * Friction: the motor of the hinge with wanted velocity 0 and the friction as its largest torque.
 * Settings: double precision (Debian's), no softness (CFM 0; the default 1e-10 is no faster), ERP
 * 0.2 (default) against drift, no damping, no disabling of slow bodies; optimised build.
 *
 * Not done with it: static above kinetic friction, friction that depends on the load. Forward
 * dynamics: it has none in joint coordinates. */

#include "peer.hpp"

#include <ode/ode.h>

namespace
{

struct Model {
    int n;
    double length, step_size;
    dWorldID world;
    std::vector<dBodyID> bodies;
    std::vector<dJointID> hinges;

    Model(const peer::Workload &w, double step)
        : n(w.n), length(w.rods[1].end[0]), step_size(step), world(dWorldCreate())
    {
        dWorldSetGravity(world, 0, -peer::gravity, 0);
        dWorldSetCFM(world, 0);
        dWorldSetAutoDisableFlag(world, 0);
        for (int i = 0; i < n; i++) {
            const bench_rod &rod = w.rods[i + 1];
            dMass mass;
            dMassSetParameters(&mass, rod.mass, 0, 0, 0, rod.inertia[0], rod.inertia[1],
                               rod.inertia[2], 0, 0, 0);
            const dBodyID body = dBodyCreate(world);
            dBodySetMass(body, &mass);
            dBodySetPosition(body, (i + 0.5) * length, 0, 0);
            const dJointID hinge = dJointCreateHinge(world, nullptr);
            dJointAttach(hinge, body, i ? bodies.back() : nullptr);
            dJointSetHingeAnchor(hinge, i * length, 0, 0);
            dJointSetHingeAxis(hinge, 0, 0, 1);
            dJointSetHingeParam(hinge, dParamVel, 0);
            dJointSetHingeParam(hinge, dParamFMax, rod.friction);
            bodies.push_back(body);
            hinges.push_back(hinge);
        }
    }
    ~Model()
    {
        dWorldDestroy(world);
    }
    void step()
    {
        dWorldStep(world, step_size);
    }
    std::vector<double> angles()
    {
        std::vector<double> q;
        for (dJointID hinge : hinges) {
            q.push_back(dJointGetHingeAngle(hinge));
        }
        return q;
    }
    std::vector<double> tip()
    {
        dVector3 at;
        dBodyGetRelPointPos(bodies.back(), length / 2, 0, 0, at);
        return {at[0], at[1]};
    }
};

} // namespace

int main(int count, char **arguments)
{
    const peer::Options options = peer::read_options(count, arguments);
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    peer::measure_fixed_step<Model>({"ODE", "dWorldStep"}, options);
    return 0;
}
