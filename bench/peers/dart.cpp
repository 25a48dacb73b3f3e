/* DART 6.12: articulated-body algorithm in reduced coordinates, Coulomb friction of joints as
 * part of a complementarity problem that Dantzig's exact pivoting solves. The second solver,
 * which DART falls back to, is iterative and lets friction fade along a chain: it is switched
 * off. Where Dantzig's solver fails DART ends the program, which is listed here as such. Softness
 * of friction: 1e-9, its default and the least that it takes.
 *
 * Not done with it: static above kinetic friction, friction that depends on the load. */

#include "peer.hpp"

#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/DegreeOfFreedom.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/simulation/World.hpp>

namespace
{

using namespace dart;

dynamics::SkeletonPtr build(const peer::Mechanism &mechanism)
{
    const dynamics::SkeletonPtr skeleton = dynamics::Skeleton::create("rods");
    std::vector<dynamics::BodyNode *> nodes(mechanism.n + 1, nullptr);
    for (int i = 1; i <= mechanism.n; i++) {
        const bench_rod &rod = mechanism.rods[i];
        dynamics::RevoluteJoint::Properties joint;
        joint.mName = "joint" + std::to_string(i);
        joint.mAxis = Eigen::Vector3d(rod.axis[0], rod.axis[1], rod.axis[2]);
        joint.mT_ParentBodyToJoint.translation() = Eigen::Vector3d(rod.at[0], rod.at[1], rod.at[2]);
        dynamics::BodyNode::Properties node;
        node.mName = "rod" + std::to_string(i);
        node.mInertia = dynamics::Inertia(
            rod.mass, Eigen::Vector3d(rod.end[0], rod.end[1], rod.end[2]) / 2,
            (Eigen::Matrix3d() << rod.inertia[0], rod.inertia[3], rod.inertia[4], rod.inertia[3],
             rod.inertia[1], rod.inertia[5], rod.inertia[4], rod.inertia[5], rod.inertia[2])
                .finished());
        nodes[i] = skeleton
                       ->createJointAndBodyNodePair<dynamics::RevoluteJoint>(nodes[rod.parent],
                                                                             joint, node)
                       .second;
        nodes[i]->getParentJoint()->setCoulombFriction(0, rod.friction);
    }
    return skeleton;
}

struct Model {
    const peer::Workload &workload;
    dynamics::SkeletonPtr skeleton;
    simulation::WorldPtr world;

    Model(const peer::Workload &w, double step)
        : workload(w), skeleton(build(w)), world(simulation::World::create("world"))
    {
        auto solver = std::make_unique<constraint::BoxedLcpConstraintSolver>(
            std::make_shared<constraint::DantzigBoxedLcpSolver>());
        solver->setSecondaryBoxedLcpSolver(nullptr);
        world->setConstraintSolver(std::move(solver));
        world->setGravity(Eigen::Vector3d(0, -peer::gravity, 0));
        world->setTimeStep(step);
        world->addSkeleton(skeleton);
    }
    void step()
    {
        world->step();
    }
    std::vector<double> angles()
    {
        const Eigen::VectorXd q = skeleton->getPositions();
        return std::vector<double>(q.data(), q.data() + q.size());
    }
    std::vector<double> tip()
    {
        return peer::tip_of(workload, angles());
    }
};

struct Dynamics {
    dynamics::SkeletonPtr skeleton;
    Eigen::VectorXd q, v;

    explicit Dynamics(const peer::Mechanism &mechanism)
        : skeleton(build(mechanism)), q(mechanism.n), v(mechanism.n)
    {
        Eigen::VectorXd given_q(q), given_v(v);
        bench_dynamics_state(size_t(mechanism.n), given_q.data(), given_v.data());
        for (int k = 0; k < mechanism.n; k++) {
            q[k] = given_q[rod_of(k)];
            v[k] = given_v[rod_of(k)];
        }
        skeleton->setGravity(Eigen::Vector3d(0, -peer::gravity, 0));
    }
    /* The rod, from 0, whose joint has DART's k-th freedom. */
    int rod_of(int k)
    {
        return std::atoi(skeleton->getDof(size_t(k))->getJoint()->getName().c_str() + 5) - 1;
    }
    void evaluate()
    {
        skeleton->setPositions(q);
        skeleton->setVelocities(v);
        skeleton->computeForwardDynamics();
    }
    std::vector<double> accelerations()
    {
        const Eigen::VectorXd all = skeleton->getAccelerations();
        std::vector<double> a(size_t(all.size()));
        for (int k = 0; k < all.size(); k++) {
            a[size_t(rod_of(k))] = all[k];
        }
        return a;
    }
};

} // namespace

int main(int count, char **arguments)
{
    const peer::Options options = peer::read_options(count, arguments);
    peer::measure_fixed_step<Model>({"DART", "Dantzig"}, options);
    peer::measure_dynamics<Dynamics>({"DART", "articulated body"}, options);
    return 0;
}
