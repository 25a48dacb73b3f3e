/* DART 6.12: articulated-body algorithm in reduced coordinates, Coulomb friction of joints as
 * part of a complementarity problem that Dantzig's exact pivoting solves. The second solver,
 * which DART falls back to, is iterative and lets friction fade along a chain: it is switched
 * off. Where Dantzig's solver fails DART ends the program, which is listed here as such. Softness
 * of friction: 1e-9, its default and the least that it takes. Damping: a force from the velocity
 * before the step; the engine's own, which is implicit, is forty times as far off beside friction.
 *
 * Not done with it: friction that is larger at rest, or depends on load or velocity. */

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
        nodes[i]->getParentJoint()->setPosition(0, mechanism.start[size_t(i) - 1]);
    }
    return skeleton;
}

/* The rods, from 0, whose joints have DART's freedoms in their order. */
std::vector<size_t> rods_of(const dynamics::SkeletonPtr &skeleton)
{
    std::vector<size_t> rods;
    for (const dynamics::DegreeOfFreedom *freedom : skeleton->getDofs()) {
        rods.push_back(size_t(std::atoi(freedom->getJoint()->getName().c_str() + 5)) - 1);
    }
    return rods;
}

std::vector<double> by_rod(const Eigen::VectorXd &values, const std::vector<size_t> &rods)
{
    std::vector<double> sorted(rods.size());
    for (size_t k = 0; k < rods.size(); k++) {
        sorted[rods[k]] = values[Eigen::Index(k)];
    }
    return sorted;
}

Eigen::Vector3d gravity_of(const peer::Mechanism &m)
{
    return Eigen::Vector3d(m.gravity[0], m.gravity[1], m.gravity[2]);
}

struct Model {
    const peer::Workload &workload;
    dynamics::SkeletonPtr skeleton;
    simulation::WorldPtr world;
    std::vector<size_t> rods;

    Model(const peer::Workload &w, double step)
        : workload(w), skeleton(build(w)), world(simulation::World::create("world")),
          rods(rods_of(skeleton))
    {
        auto solver = std::make_unique<constraint::BoxedLcpConstraintSolver>(
            std::make_shared<constraint::DantzigBoxedLcpSolver>());
        solver->setSecondaryBoxedLcpSolver(nullptr);
        world->setConstraintSolver(std::move(solver));
        world->setGravity(gravity_of(w));
        world->setTimeStep(step);
        world->addSkeleton(skeleton);
    }
    void step()
    {
        for (size_t k = 0; k < rods.size(); k++) {
            if (workload.damping[rods[k]] > 0) {
                skeleton->setForce(k, -workload.damping[rods[k]] * skeleton->getVelocity(k));
            }
        }
        world->step();
    }
    std::vector<double> angles()
    {
        return by_rod(skeleton->getPositions(), rods);
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
        const std::vector<size_t> rods = rods_of(skeleton);
        std::vector<double> given_q(rods.size()), given_v(rods.size());
        bench_dynamics_state(rods.size(), given_q.data(), given_v.data());
        for (size_t k = 0; k < rods.size(); k++) {
            q[Eigen::Index(k)] = given_q[rods[k]];
            v[Eigen::Index(k)] = given_v[rods[k]];
        }
        skeleton->setGravity(gravity_of(mechanism));
    }
    void evaluate()
    {
        skeleton->setPositions(q);
        skeleton->setVelocities(v);
        skeleton->computeForwardDynamics();
    }
    std::vector<double> accelerations()
    {
        return by_rod(skeleton->getAccelerations(), rods_of(skeleton));
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
