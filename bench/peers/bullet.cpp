/* Bullet 3.24, multibody (reduced coordinates, articulated-body algorithm) with the exact
 * pivoting solver of Dantzig; its default solver is iterative and lets friction fade along a
 * chain.
 *
 * Friction: a joint motor with wanted velocity 0 whose largest impulse is the friction times the
 * step. Settings: double precision; softness 0; no damping of its own (default 0.04), no largest
 * velocity (default 100 rad/s), no sleep; a collider on every link, without which Bullet gives a
 * link no friction, in a collision group of nobody. A step that Dantzig cannot solve would be
 * done by the iterative solver: that ends the run. Damping, which its links have none of: a torque
 * from the velocity before the step.
 *
 * Not done with it: friction that is larger at rest, or depends on load or velocity. */

#include "control.hpp"
#include "peer.hpp"

#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodyMLCPConstraintSolver.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <stdexcept>

namespace
{

btVector3 vector_of(const double v[3])
{
    return btVector3(v[0], v[1], v[2]);
}

/* Bullet wants each link's frame along the principal axes of its inertia. */
struct Link {
    btQuaternion turn; /* from the rod's frame to the link's */
    btVector3 inertia;

    explicit Link(const bench_rod &rod)
    {
        const double *i = rod.inertia;
        btMatrix3x3 tensor(i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2]), axes;
        axes.setIdentity();
        tensor.diagonalize(axes, 1e-14, 100);
        btQuaternion back;
        axes.getRotation(back);
        turn = back.inverse();
        inertia = btVector3(tensor[0][0], tensor[1][1], tensor[2][2]);
    }
};

std::unique_ptr<btMultiBody> build(const peer::Mechanism &mechanism)
{
    const int n = mechanism.n;
    std::vector<Link> links;
    auto body = std::make_unique<btMultiBody>(n, 1, btVector3(1, 1, 1), true, false);
    for (int i = 0; i < n; i++) {
        const bench_rod &rod = mechanism.rods[i + 1];
        const int parent = int(rod.parent) - 1;
        const btQuaternion parent_turn = parent < 0 ? btQuaternion(0, 0, 0, 1) : links[parent].turn;
        const btVector3 parent_middle =
            parent < 0 ? btVector3(0, 0, 0) : vector_of(mechanism.rods[rod.parent].end) / 2;
        links.emplace_back(rod);
        const btQuaternion &turn = links.back().turn;
        body->setupRevolute(i, rod.mass, links.back().inertia, parent, turn * parent_turn.inverse(),
                            quatRotate(turn, vector_of(rod.axis)),
                            quatRotate(parent_turn, vector_of(rod.at) - parent_middle),
                            quatRotate(turn, vector_of(rod.end) / 2), true);
    }
    body->finalizeMultiDof();
    for (int i = 0; i < n; i++) {
        body->setJointPos(i, mechanism.start[size_t(i)]);
    }
    body->setLinearDamping(0);
    body->setAngularDamping(0);
    body->setMaxCoordinateVelocity(1e30);
    body->setMaxAppliedImpulse(1e30);
    body->setCanSleep(false);
    return body;
}

struct Model {
    const peer::Workload &workload;
    double step_size;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btDantzigSolver dantzig;
    btMultiBodyMLCPConstraintSolver solver{&dantzig};
    btMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    btEmptyShape shape;
    std::unique_ptr<btMultiBody> body;
    std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders;
    std::vector<std::unique_ptr<btMultiBodyJointMotor>> motors;

    Model(const peer::Workload &w, double step) : workload(w), step_size(step), body(build(w))
    {
        world.setGravity(vector_of(w.gravity));
        world.getSolverInfo().m_globalCfm = 0;
        world.addMultiBody(body.get());
        for (int i = -1; i < w.n; i++) {
            colliders.push_back(std::make_unique<btMultiBodyLinkCollider>(body.get(), i));
            btMultiBodyLinkCollider *collider = colliders.back().get();
            collider->setCollisionShape(&shape);
            btTransform place;
            place.setIdentity();
            collider->setWorldTransform(place);
            world.addCollisionObject(collider, 0, 0);
            if (i < 0) {
                body->setBaseCollider(collider);
                continue;
            }
            body->getLink(i).m_collider = collider;
            motors.push_back(std::make_unique<btMultiBodyJointMotor>(
                body.get(), i, 0, 0, w.rods[i + 1].friction * step));
            motors.back()->finalizeMultiDof();
            world.addMultiBodyConstraint(motors.back().get());
        }
    }
    ~Model()
    {
        for (auto &motor : motors) {
            world.removeMultiBodyConstraint(motor.get());
        }
        for (auto &collider : colliders) {
            world.removeCollisionObject(collider.get());
        }
        world.removeMultiBody(body.get());
    }
    void step()
    {
        for (int i = 0; i < workload.n; i++) {
            if (workload.damping[size_t(i)] > 0) {
                body->addJointTorque(i, -workload.damping[size_t(i)] * body->getJointVel(i));
            }
        }
        world.stepSimulation(step_size, 0);
        if (solver.getNumFallbacks()) {
            throw std::runtime_error("Dantzig's solver gives up");
        }
    }
    std::vector<double> angles()
    {
        std::vector<double> q;
        for (int i = 0; i < workload.n; i++) {
            q.push_back(body->getJointPos(i));
        }
        return q;
    }
    std::vector<double> tip()
    {
        return peer::tip_of(workload, angles());
    }
};

struct Controlled : Model {
    using Model::Model;

    void step(const double *torques)
    {
        for (int i = 0; i < workload.n; i++) {
            body->addJointTorque(i, torques[i]);
        }
        Model::step();
    }
    void read(double *q, double *v)
    {
        for (int i = 0; i < workload.n; i++) {
            q[i] = body->getJointPos(i);
            v[i] = body->getJointVel(i);
        }
    }
};

/* Bullet adds the accelerations times a step, here 1 s, to the velocities. */
struct Dynamics {
    std::unique_ptr<btMultiBody> body;
    std::vector<double> q, v;
    btAlignedObjectArray<btScalar> scalars;
    btAlignedObjectArray<btVector3> vectors;
    btAlignedObjectArray<btMatrix3x3> matrices;

    explicit Dynamics(const peer::Mechanism &mechanism)
        : body(build(mechanism)), q(mechanism.n), v(mechanism.n)
    {
        bench_dynamics_state(q.size(), q.data(), v.data());
        for (int i = 0; i < mechanism.n; i++) {
            body->addLinkForce(i,
                               vector_of(mechanism.gravity) * mechanism.rods[size_t(i) + 1].mass);
        }
    }
    void evaluate()
    {
        for (size_t i = 0; i < q.size(); i++) {
            body->setJointPos(int(i), q[i]);
            body->setJointVel(int(i), v[i]);
        }
        body->computeAccelerationsArticulatedBodyAlgorithmMultiDof(1, scalars, vectors, matrices,
                                                                   false, false, false);
    }
    std::vector<double> accelerations()
    {
        std::vector<double> a(q.size());
        for (size_t i = 0; i < q.size(); i++) {
            a[i] = body->getJointVel(int(i)) - v[i];
        }
        return a;
    }
};

} // namespace

int main(int count, char **arguments)
{
    const peer::Options options = peer::read_options(count, arguments);
    peer::measure_fixed_step<Model>({"Bullet", "multibody, Dantzig"}, options);
    peer::measure_dynamics<Dynamics>({"Bullet", "articulated body"}, options);
    peer::measure_control<Controlled>({"Bullet", "multibody, Dantzig"}, options);
    return 0;
}
