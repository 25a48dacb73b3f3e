/*
 * Which solution, where friction that follows the reactions it causes has several at the same modes.
 *
 * Let friction be a moment late, F' = (FK(F) - F) / T with T to nothing: it comes to rest only where the determinant of the
 * equations of motion has the sign that it has without friction. Other solutions are left at once, however near they
 * are. So where a solution has the other sign, friction is let come from none in this way, some way and then by Newton's
 * method. What that finds is the solution that grows out of no friction, if there is one.
 */
#include "stiction/stable.h"

static const double share = 0.5;   /* of the way to its law that friction goes in a sweep */
static const int most_sweeps = 64; /* doubled from none */

/* The sign of the determinant; 0 where it says nothing. */
static int sign_of(dt_search *search)
{
    return dt_newton_sign_now(search->newton, search->system, NULL);
}

/* That of the same equations without friction that follows anything: of conditions that tie joints it may be either. */
static int sign_without(dt_search *search)
{
    dt_system *s = search->system;
    for (int k = 0; k < search->box.count; k++) {
        search->pin[k] = s->mode[k] == DETENT_LOCKED ? NAN : s->f[k];
    }
    s->pinned = search->pin;
    const int sign = sign_of(search);
    s->pinned = NULL;
    return sign;
}

static bool is_stable(dt_search *search)
{
    const int sign = sign_of(search);
    return sign == 0 || (search->system->closure ? sign * sign_without(search) >= 0 : sign > 0);
}

/* Accelerations with frictions as they are pinned. */
static bool solve_pinned(dt_search *search)
{
    search->system->pinned = search->pin;
    const detent_status status = dt_search_accelerations(search, NULL);
    search->system->pinned = NULL;
    return status == DETENT_OK && dt_system_is_finite(search->system);
}

/* Friction of all joints that move is none. */
static bool begin(dt_search *search)
{
    const dt_system *s = search->system;
    for (int k = 0; k < search->box.count; k++) {
        search->pin[k] = s->mode[k] == DETENT_LOCKED ? NAN : 0;
    }
    return solve_pinned(search);
}

static bool sweep(dt_search *search)
{
    dt_system *s = search->system;
    for (int k = 0; k < search->box.count; k++) {
        if (s->mode[k] != DETENT_LOCKED) {
            const int side = s->direction[k];
            const double law = -side * dt_system_kinetic(s, k, side);
            search->pin[k] += share * (law - search->pin[k]);
        }
    }
    return solve_pinned(search);
}

/* Newton's method from friction that has come `sweeps` times a share of its way from none. */
static bool finds_stable(dt_search *search, int sweeps)
{
    bool ok = begin(search);
    for (int k = 0; k < sweeps && ok; k++) {
        ok = sweep(search);
    }
    return ok && dt_search_accelerations(search, NULL) == DETENT_OK &&
           dt_system_is_finite(search->system) && is_stable(search);
}

void dt_search_destabilize(dt_search *search)
{
    dt_system_set_acceleration(search->system, search->a_before, search->f_before);
    dt_search_accelerations(search, NULL);
}

bool dt_search_stabilize(dt_search *search)
{
    const dt_system *s = search->system;
    const bool follows = search->limits_couple && !dt_newton_is_explicit(search->newton);
    if (!follows || search->request->accelerations || is_stable(search)) {
        return false;
    }
    memcpy(search->a_before, s->a, (size_t)s->tree->nv * sizeof *s->a);
    memcpy(search->f_before, s->f, (size_t)search->box.count * sizeof *s->f);
    bool found = false;
    for (int sweeps = 0; sweeps <= most_sweeps && !found; sweeps = sweeps > 0 ? 2 * sweeps : 1) {
        found = finds_stable(search, sweeps);
    }
    if (!found) {
        dt_search_destabilize(search);
    }
    return found;
}
