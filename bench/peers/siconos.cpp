/* Siconos 4.5 (kernel and numerics), TimeStepping with the scheme of Moreau and Jean (theta =
 * 1/2): a relay law in every joint, solved exactly by Lemke's pivoting. It is a toolbox for
 * nonsmooth dynamics and leaves the equations of motion to the user; here they are Lagrange's in
 * absolute angles with a full mass matrix, c_ij cos(a_i - a_j), as its own examples have them.
 *
 * Friction: y = the friction times the joint's angle, a relay between -1 and 1 (times the step:
 * it bounds impulses) on the velocity of y. Siconos lets an interaction act only while its gap y
 * <= 0, hence a large negative constant in y. Settings: Newton's iteration to 1e-10 in every
 * step; y is scaled to the inertia of a rod; Lemke's tolerance is 1e-7: at 1e-10 it fails in
 * some steps of the hold test, and a looser one changes no result.
 *
 * Not done with it: friction that is larger at rest, or depends on load or velocity. Forward
 * dynamics: the user's. */

#include "peer.hpp"

#include <Interaction.hpp>
#include <LagrangianDS.hpp>
#include <LagrangianLinearTIR.hpp>
#include <MoreauJeanOSI.hpp>
#include <NonSmoothDynamicalSystem.hpp>
#include <Relay.hpp>
#include <RelayNSL.hpp>
#include <SiconosVector.hpp>
#include <SimpleMatrix.hpp>
#include <SolverOptions.h>
#include <TimeDiscretisation.hpp>
#include <TimeStepping.hpp>
#include <relay_cst.h>

#include <stdexcept>

namespace
{

class Rods : public LagrangianDS
{
  public:
    Rods(const peer::Mechanism &mechanism, SP::SiconosVector angles, SP::SiconosVector velocities)
        : LagrangianDS(angles, velocities), n(unsigned(mechanism.n)), c(n * n), weight(n)
    {
        const double m = mechanism.rods[1].mass, l = mechanism.rods[1].end[0];
        for (unsigned i = 0; i < n; i++) {
            for (unsigned j = 0; j < n; j++) {
                const unsigned beyond = n - 1 - std::max(i, j);
                c[i * n + j] = m * l * l * (beyond + (i == j ? 1.0 / 3 : 0.5));
            }
            weight[i] = -mechanism.gravity[1] * m * l * (n - 1 - i + 0.5);
        }
        _mass.reset(new SimpleMatrix(n, n));
        _fGyr.reset(new SiconosVector(n));
        _forces.reset(new SiconosVector(n));
    }
    void computeMass() override
    {
        computeMass(_q[0]);
    }
    void computeMass(SP::SiconosVector q) override
    {
        double *mass = _mass->getArray();
        update(*q);
        for (unsigned i = 0; i < n; i++) {
            for (unsigned j = 0; j < n; j++) {
                mass[i * n + j] = c[i * n + j] * (cosine[i] * cosine[j] + sine[i] * sine[j]);
            }
        }
    }
    void computeFGyr() override
    {
        computeFGyr(_q[0], _q[1]);
    }
    void computeFGyr(SP::SiconosVector q, SP::SiconosVector v) override
    {
        update(*q);
        for (unsigned i = 0; i < n; i++) {
            double sum = weight[i] * cosine[i];
            for (unsigned j = 0; j < n; j++) {
                sum +=
                    c[i * n + j] * (sine[i] * cosine[j] - cosine[i] * sine[j]) * (*v)(j) * (*v)(j);
            }
            _fGyr->setValue(i, sum);
        }
    }
    void computeForces(double, SP::SiconosVector q, SP::SiconosVector v) override
    {
        computeFGyr(q, v);
        *_forces = *_fGyr;
        *_forces *= -1;
    }
    /* Newton's iteration does without. */
    void computeJacobianqForces(double) override {}
    void computeJacobianvForces(double) override {}

  private:
    void update(const SiconosVector &q)
    {
        cosine.resize(n);
        sine.resize(n);
        for (unsigned i = 0; i < n; i++) {
            cosine[i] = std::cos(q(i));
            sine[i] = std::sin(q(i));
        }
    }
    unsigned n;
    std::vector<double> c, weight, cosine, sine;
};

void check(int info, Simulation *)
{
    if (info) {
        throw std::runtime_error("Lemke's solver fails");
    }
}

struct Model {
    const peer::Workload &workload;
    std::shared_ptr<Rods> rods;
    SP::TimeStepping stepping;

    Model(const peer::Workload &w, double step) : workload(w)
    {
        const unsigned n = unsigned(w.n);
        const SP::SiconosVector q(new SiconosVector(n)), v(new SiconosVector(n));
        rods = std::make_shared<Rods>(w, q, v);
        const SP::NonSmoothDynamicalSystem system(
            new NonSmoothDynamicalSystem(0, w.end + 2 * step));
        system->insertDynamicalSystem(rods);

        const double scale = std::sqrt(w.rods[1].mass) * w.rods[1].end[0];
        const SP::SimpleMatrix joints(new SimpleMatrix(n, n));
        const SP::SiconosVector gap(new SiconosVector(n));
        for (unsigned i = 0; i < n; i++) {
            const double factor = scale * w.rods[i + 1].friction;
            joints->setValue(i, i, factor);
            if (i) {
                joints->setValue(i, i - 1, -factor);
            }
            gap->setValue(i, -1e6);
        }
        const SP::NonSmoothLaw relay(new RelayNSL(n, -step / scale, step / scale));
        const SP::Relation relation(new LagrangianLinearTIR(joints, gap));
        const SP::Interaction interaction(new Interaction(relay, relation));
        system->link(interaction, rods);

        const SP::OneStepIntegrator scheme(new MoreauJeanOSI(0.5));
        const SP::OneStepNSProblem problem(new Relay(SICONOS_RELAY_LEMKE));
        problem->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
        problem->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-7;
        stepping.reset(new TimeStepping(
            system, SP::TimeDiscretisation(new TimeDiscretisation(0, step)), scheme, problem));
        stepping->setNewtonTolerance(1e-10);
        stepping->setNewtonMaxIteration(50);
        stepping->setCheckSolverFunction(check);
    }
    void step()
    {
        stepping->computeOneStep();
        stepping->nextStep();
    }
    std::vector<double> angles()
    {
        std::vector<double> relative;
        for (int i = 0; i < workload.n; i++) {
            relative.push_back((*rods->q())(i) - (i ? (*rods->q())(i - 1) : 0.0));
        }
        return relative;
    }
    std::vector<double> tip()
    {
        return peer::tip_of(workload, angles());
    }
};

} // namespace

int main(int count, char **arguments)
{
    const peer::Options options = peer::read_options(count, arguments);
    const char *const why = "leaves the equations of motion to the user; here they are those of "
                            "plane chains";
    peer::measure_fixed_step<Model>({"Siconos", "Moreau-Jean, Lemke"}, options,
                                    peer::constant_friction({{"tree", why}, {"arm", why}}));
    return 0;
}
