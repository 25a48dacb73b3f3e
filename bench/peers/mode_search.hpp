/* The search for modes at rest: which joints hold and which begin to slip, for an engine that has
 * locks but no friction. The engine solves the equations of motion for given modes; the accelerations
 * sought minimise
 *
 *     1/2 a'Ma - Q'a + sum limit_i |a_i|      over the joints i at rest; all others have constant friction
 *
 * 1. At once: what is wrong is turned over, all of it, a few times. That settles nearly every event.
 * 2. One by one, which always ends: all joints at rest hold, then the joint furthest beyond its limit
 *    is released. Where a released joint would turn back on the way to the new accelerations, the
 *    way is followed as far as the first one stops; that one holds again. Each stretch makes the sum
 *    above smaller (Lawson and Hanson's method for least squares, with signs).
 *
 * Where static friction is above the kinetic one the rule is: search with static limits, give those
 * that move their kinetic one, search again, until no more are released. */
#ifndef BENCH_PEERS_MODE_SEARCH_HPP
#define BENCH_PEERS_MODE_SEARCH_HPP

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace peer
{

struct FrictionJoint {
    double kinetic = 0, sticking = 0; /* friction that slips, and the most that holds */
    int mode = 0;                     /* 0: holds; +1, -1: slips that way */
    double limit = 0;                 /* one of the two above: in force */
    bool rest = true;                 /* its velocity is 0: the search may change its mode */
    bool decreed = false;             /* its release is an event, and no matter of search */
    double acceleration = 0;          /* of the last solution */
    double force = 0;                 /* and what holds it, where it holds */
};

class ModeSearch
{
  public:
    virtual ~ModeSearch() = default;

    std::vector<FrictionJoint> joints;

    /* Finds the modes of the joints at rest; decrees are spent. The last solution is that of the modes found. */
    void settle()
    {
        for (FrictionJoint &joint : joints) {
            joint.limit = joint.rest && !joint.decreed ? joint.sticking : joint.kinetic;
        }
        do {
            if (!search_at_once()) {
                search_one_by_one();
            }
        } while (release_the_moving());
        for (FrictionJoint &joint : joints) {
            joint.decreed = false;
            joint.limit = joint.mode ? joint.kinetic : joint.sticking;
        }
    }

  protected:
    /* Tells the engine the mode of a joint. */
    virtual void set_mode(FrictionJoint &joint, int mode) = 0;
    /* Sets the accelerations of all joints, and the forces of those that hold. */
    virtual void solve() = 0;

  private:
    static constexpr double force_tolerance = 1e-10, acceleration_tolerance = 1e-9;

    std::vector<double> reached; /* accelerations on the way of search_one_by_one */
    std::vector<bool> tied;      /* at the limit within rounding: holds */

    static bool is_free(const FrictionJoint &joint)
    {
        return joint.rest && !joint.decreed;
    }
    static double excess(const FrictionJoint &joint)
    {
        return std::abs(joint.force) - joint.limit * (1 + force_tolerance);
    }
    double least_acceleration() const
    {
        double scale = 0;
        for (const FrictionJoint &joint : joints) {
            scale = std::max(scale, std::abs(joint.acceleration));
        }
        return -acceleration_tolerance * scale;
    }

    bool search_at_once()
    {
        const int patience = 4;
        size_t best = joints.size() + 1;
        std::vector<FrictionJoint *> wrong;
        for (int round = 0, fails = 0; fails < patience && round < 50; round++) {
            solve();
            const double least = least_acceleration();
            wrong.clear();
            for (FrictionJoint &joint : joints) {
                if (is_free(joint) &&
                    (joint.mode ? joint.mode * joint.acceleration < least : excess(joint) > 0)) {
                    wrong.push_back(&joint);
                }
            }
            if (wrong.empty()) {
                return true;
            }
            fails += wrong.size() >= best;
            best = std::min(best, wrong.size());
            for (FrictionJoint *joint : wrong) {
                set_mode(*joint, joint->mode ? 0 : joint->force > 0 ? -1 : 1);
            }
        }
        return false;
    }

    void search_one_by_one()
    {
        for (FrictionJoint &joint : joints) {
            if (is_free(joint) && joint.mode) {
                set_mode(joint, 0);
            }
        }
        reached.assign(joints.size(), 0);
        tied.assign(joints.size(), false);
        solve();
        for (size_t round = 0; round < 20 * joints.size() + 100; round++) {
            const size_t worst = furthest_beyond();
            if (worst == joints.size()) {
                return;
            }
            set_mode(joints[worst], joints[worst].force > 0 ? -1 : 1);
            descend(worst);
        }
        throw std::runtime_error("the search for modes does not end");
    }

    /* The joint that holds more than it can; their number if none does. */
    size_t furthest_beyond() const
    {
        size_t worst = joints.size();
        double most = 0;
        for (size_t i = 0; i < joints.size(); i++) {
            const FrictionJoint &joint = joints[i];
            if (is_free(joint) && !joint.mode && !tied[i] && excess(joint) / joint.limit > most) {
                most = excess(joint) / joint.limit;
                worst = i;
            }
        }
        return worst;
    }

    /* Goes to the accelerations that belong to the modes; joints that would turn back hold. */
    void descend(size_t released)
    {
        bool moved = false;
        for (solve(); !go(moved); solve()) {
        }
        if (moved || joints[released].mode) {
            tied.assign(joints.size(), false);
        } else {
            tied[released] = true;
        }
    }

    /* All the way: true. Else to the point where the first one stops. */
    bool go(bool &moved)
    {
        const double least = least_acceleration();
        std::vector<double> part(joints.size(), 1);
        for (size_t i = 0; i < joints.size(); i++) {
            const FrictionJoint &joint = joints[i];
            if (is_free(joint) && joint.mode && joint.mode * joint.acceleration < least) {
                part[i] = std::max(0.0, reached[i] / (reached[i] - joint.acceleration));
            }
        }
        const double first = *std::min_element(part.begin(), part.end());
        for (size_t i = 0; i < joints.size(); i++) {
            reached[i] += first * (joints[i].acceleration - reached[i]);
            if (part[i] < 1 && part[i] <= first * (1 + 1e-9)) {
                reached[i] = 0;
                set_mode(joints[i], 0);
            }
        }
        moved = moved || (first > 0 && first < 1);
        return first >= 1;
    }

    bool release_the_moving()
    {
        bool any = false;
        for (FrictionJoint &joint : joints) {
            if (is_free(joint) && joint.mode && joint.limit > joint.kinetic) {
                joint.limit = joint.kinetic;
                set_mode(joint, joint.mode);
                any = true;
            }
        }
        return any;
    }
};

} // namespace peer

#endif
