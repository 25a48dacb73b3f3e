/* The same mechanism by time stepping: it comes to its end, and keeps what holds at every instant of such a run, if not to a tolerance. */
#include "court.h"

#include <math.h>
#include <string.h>

bool court_steps(court *c)
{
    static const record_variant stepping = {"fixed", DETENT_INTEGRATOR_FIXED,
                                            DETENT_LOCKED_JOINTS_WELD, DETENT_LINEAR_SOLVER_TREE};
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
    return well;
}
