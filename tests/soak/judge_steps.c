/*
 * The same mechanism by time stepping: it comes to its end, keeps what holds at every instant of such a run, and comes nearer to the tight run of the others as its
 * steps become shorter.
 */
#include "court.h"

#include <math.h>
#include <string.h>

static const record_variant stepping = {"fixed", DETENT_INTEGRATOR_FIXED, DETENT_LOCKED_JOINTS_WELD,
                                        DETENT_LINEAR_SOLVER_TREE};

static double range_of(const record *r, size_t coordinate)
{
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (int k = 0; k < r->samples; k++) {
        const double x = r->sample[(size_t)k * r->row + coordinate];
        low = fmin(low, x);
        high = fmax(high, x);
    }
    return high - low;
}

/* Where a run is farthest from the reference, beside how far the coordinate goes, or a twentieth of how far others do. */
typedef struct miss {
    double most, time;
    size_t coordinate;
} miss;

static miss find_miss(const record *of, const record *r)
{
    static const double little = 0.05;
    miss m = {0};
    double farthest = 0;
    for (size_t j = 0; j < of->coordinates; j++) {
        farthest = fmax(farthest, range_of(of, j) / of->nothing[j]);
    }
    for (size_t j = 0; j < of->coordinates; j++) {
        const double far = fmax(range_of(of, j), little * farthest * of->nothing[j]);
        for (int k = 0; k < of->samples && k < r->samples && far > 0; k++) {
            const double off =
                fabs(of->sample[(size_t)k * of->row + j] - r->sample[(size_t)k * r->row + j]) / far;
            m = off > m.most ? (miss){off, of->sample_time[k], j} : m;
        }
    }
    return m;
}

/*
 * A step misses by something of its own length, a thousand tolerances and more: what is sensitive to so much tells nothing. What is not has to come nearer with a
 * tenth of the step.
 */
static bool converges(court *c)
{
    static const double coarse = 0.005, share = 0.01;
    miss last = {0};
    double step = 0.1;
    for (int k = 0; k < 2; k++, step *= 0.1) {
        record r;
        court_run(c, c->mechanism, &stepping, step, &c->trial->script, &r);
        const bool compares = r.status == DETENT_OK && !r.slow && !r.hangs && !r.breach[0];
        const miss now = compares ? find_miss(&c->reference, &r) : (miss){0};
        record_free(&r);
        if (now.most < coarse || (k > 0 && now.most < 0.5 * last.most)) {
            return true;
        }
        last = now;
        if (k == 0 && now.most < share * court_sensitivity(c, now.time)) {
            c->v->sensitive = true;
            return true;
        }
    }
    return court_say(
        c, VERDICT_INACCURATE, stepping.name,
        "coordinate %zu at %g is off by %.3g of its way with steps of a ten thousandth "
        "of the time, and no nearer with a tenth of that",
        last.coordinate, last.time, last.most);
}

bool court_steps(court *c)
{
    record r;
    court_run(c, c->mechanism, &stepping, 1, &c->trial->script, &r);
    if (strstr(r.message, "take steps shorter")) {
        record_free(&r);
        court_run(c, c->mechanism, &stepping, 0.1, &c->trial->script, &r);
    }
    /* some laws it refuses, and what is too stiff for a step that is given has no state to go on from */
    const bool refused = isnan(r.time), ends = r.status == DETENT_NO_CONSISTENT_STATE;
    const bool well = refused || ends || court_checks(c, &r);
    record_free(&r);
    return well && (refused || ends || converges(c));
}
