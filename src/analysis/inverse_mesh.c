/*
 * Friction of meshes in inverse dynamics. Its laws tell what a coupling does from the force along one of its joints, less the actuation
 * that the file gives that joint (model/mesh.c):
 *
 *   L = force(J) + ... - T_J            force(J) = S'F + J a - f, the drive u_J included
 *
 * Drives take the place of actuation, so that `force` of those joints reads T_J - u_J beside (dt_system.beside). At rest the friction
 * f of a mesh is anything with lower(L) <= f <= upper(L), each linear in L on either side of L = 0. Where L does not follow f, as
 * where the first joint is driven, that is a box. It may follow the friction of other joints: each of them is at the limit
 * that holds against the motion that would begin, as in runs; that their self-stress could wedge a mesh faster is not counted on. Where
 * the first joint of a mesh is let go, it holds itself:
 *
 *   L = L0 + n f,   lower(L0 + n f) <= f <= upper(L0 + n f)
 *
 * are two linear inequalities on either side, and where the mesh locks itself they have no end.
 */
#include "analysis/inverse_parts.h"

#include "base/error.h"
#include "math/lapack.h"

#include <float.h>

enum { MOST_PASSES = 20, MOST_MOVING = 32, MOST_ROUNDS = 40 };

/* ---- what meshes are told from ---- */

static const char *mesh_name(const detent_mechanism *m, int stiction)
{
    int k = 0;
    while (k + 1 < m->mesh_count && m->meshes[k].stiction != stiction) {
        k++;
    }
    return m->transmissions[m->meshes[k].transmission].name;
}

static void mark_told(inverse *n, const dt_program *law)
{
    for (int i = 0; law && i < law->variable_count; i++) {
        if (dt_variable_is(law->variables[i], DT_OF_EFFORT)) {
            n->analysis->told[law->variables[i].index] = true;
        }
    }
}

/* Whether a law is the friction of a mesh. */
static bool is_of_mesh(const dt_system *s, const dt_law *law)
{
    for (int k = 0; k < s->mechanism->mesh_count; k++) {
        if (dt_law_is(law, DT_LAW_IS_RUBBING) &&
            (int)law->owner == s->mechanism->meshes[k].stiction) {
            return true;
        }
    }
    return false;
}

/* The joint that another law reads the force along, though a mesh is told from it; -1: none. */
static int find_reader(const inverse *n)
{
    const dt_system *s = n->system;
    for (int l = 0; l < s->law_count; l++) {
        const dt_program *law = s->law[l]->program;
        for (int i = 0; law && i < law->variable_count && !is_of_mesh(s, s->law[l]); i++) {
            if (dt_variable_is(law->variables[i], DT_OF_EFFORT) &&
                n->analysis->told[law->variables[i].index]) {
                return law->variables[i].index;
            }
        }
    }
    return -1;
}

detent_status dt_inverse_tell_meshes(inverse *n, detent_error *error)
{
    const detent_mechanism *m = n->system->mechanism;
    const size_t nodes = (size_t)n->system->tree->node_count;
    int reader = -1;
    memset(n->analysis->told, 0, nodes * sizeof *n->analysis->told);
    memset(n->analysis->beside, 0, nodes * sizeof *n->analysis->beside);
    for (int k = 0; k < m->mesh_count; k++) {
        const dt_stiction *stiction = &m->stictions[m->meshes[k].stiction];
        mark_told(n, stiction->friction->kinetic);
        mark_told(n, stiction->friction->magnitude);
        mark_told(n, stiction->friction->forward);
        mark_told(n, stiction->friction->reverse);
        reader = stiction->friction->reads_force ? stiction->primitive : reader;
    }
    reader = reader < 0 ? find_reader(n) : reader;
    return reader < 0 ? DETENT_OK
                      : dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                                "laws read the force along '%s', from which what a mesh transmits "
                                "is told: inverse dynamics does not tell these apart yet",
                                m->primitives[reader].name);
}

/* ---- at given frictions ---- */

/* Frictions f, multipliers and branches that agree with them. */
static void impose(inverse *n, double *a, const double *f)
{
    dt_system *s = n->system;
    bool settled = false;
    memcpy(s->f, f, (size_t)s->mechanism->stiction_count * sizeof *f);
    for (int pass = 0; pass < MOST_PASSES && !settled; pass++) {
        double multiplier = 0, beside = 0;
        dt_system_set_acceleration(s, a, s->f);
        dt_inverse_read_load(n);
        settled = dt_inverse_update_multipliers(n, &multiplier) <= 8 * DBL_EPSILON * multiplier;
        dt_system_set_acceleration(s, a, s->f);
        dt_inverse_read_load(n);
        dt_inverse_update_beside(n, &beside);
        settled = !dt_system_update_branches(s) && settled;
    }
}

static bool is_at_rest(const dt_system *s, int k)
{
    return s->mode[k] == DETENT_LOCKED;
}

static void read_limits(inverse *n)
{
    dt_system *s = n->system;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        if (is_at_rest(s, k)) {
            dt_system_static_limits(s, k, n->analysis->static_limits[k]);
        }
    }
}

static double size_of(const dt_system *s, int k)
{
    return s->scale->force[dt_inverse_freedom(s, k)];
}

/* All frictions zero but that of k. */
static void impose_one(inverse *n, double *a, int k, double f)
{
    memset(n->analysis->given_f, 0,
           (size_t)n->system->mechanism->stiction_count * sizeof *n->analysis->given_f);
    n->analysis->given_f[k] = f;
    impose(n, a, n->analysis->given_f);
}

/* ---- who follows whom ---- */

/* What stiction j at rest changes: marks in `by` (a bit a stiction) the meshes whose limits do, beside those without any friction. */
static unsigned long long find_followers(inverse *n, double *a, int j)
{
    static const double odd = 0.7310585786, nothing = 1e-10;
    dt_system *s = n->system;
    unsigned long long any = 0;
    impose_one(n, a, j, odd * size_of(s, j));
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        if (!is_at_rest(s, k) || !s->mechanism->stictions[k].friction->rubs) {
            continue;
        }
        const double *base = n->analysis->static_limits[k];
        double limits[2];
        dt_system_static_limits(s, k, limits);
        const double change = fmax(fabs(limits[0] - base[0]), fabs(limits[1] - base[1])),
                     size = fmax(size_of(s, k), fmax(fabs(limits[0]), limits[1]));
        any |= change > nothing * size ? 1ull << k : 0;
    }
    return any;
}

static int count_meshes(const detent_mechanism *m, int stiction)
{
    int count = 0;
    for (int k = 0; k < m->mesh_count; k++) {
        count += m->meshes[k].stiction == stiction;
    }
    return count;
}

static detent_status refuse(const inverse *n, int k, detent_error *error)
{
    const detent_mechanism *m = n->system->mechanism;
    return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                   "'%s' is at rest, and what the mesh of '%s' holds there follows from friction "
                   "that follows it in turn: which forces of these drives leave it there is not "
                   "told yet; drive '%s'",
                   m->primitives[m->stictions[k].primitive].name, mesh_name(m, k),
                   m->primitives[m->stictions[k].primitive].name);
}

/* Sorts out what `by[j]`, the followers of j, say. */
static detent_status sort_out(inverse *n, const unsigned long long *by, bool all_rest,
                              detent_error *error)
{
    const detent_mechanism *m = n->system->mechanism;
    int tangled = -1;
    bool followed = false;
    for (int j = 0; j < m->stiction_count; j++) {
        const unsigned long long others = by[j] & ~(1ull << j);
        if (by[j] >> j & 1) {
            tangled = n->wedged >= 0 || !all_rest || count_meshes(m, j) != 1 ? j : tangled;
            n->wedged = j;
        }
        for (int k = 0; k < j; k++) {
            tangled = (others >> k & 1) && (by[k] >> j & 1) ? j : tangled;
        }
        followed = followed || others != 0;
    }
    tangled = tangled < 0 && n->wedged >= 0 && followed ? n->wedged : tangled;
    return tangled < 0 ? DETENT_OK : refuse(n, tangled, error);
}

detent_status dt_inverse_look_at_meshes(inverse *n, double *a, detent_error *error)
{
    dt_system *s = n->system;
    const int ns = s->mechanism->stiction_count;
    unsigned long long by[64] = {0};
    bool any = false, all_rest = true;
    for (int k = 0; k < ns; k++) {
        any = any || (is_at_rest(s, k) && s->mechanism->stictions[k].friction->rubs);
        all_rest = all_rest && is_at_rest(s, k);
    }
    if (!any) {
        return DETENT_OK;
    }
    if (ns > 64) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "inverse dynamics at rest of more than 64 joints with stiction and meshes "
                       "that rub is not supported yet");
    }
    impose_one(n, a, 0, 0);
    read_limits(n);
    for (int j = 0; j < ns; j++) {
        by[j] = is_at_rest(s, j) ? find_followers(n, a, j) : 0;
    }
    impose_one(n, a, 0, 0);
    return sort_out(n, by, all_rest, error);
}

/* ---- joints that move ---- */

/* Kinetic friction of those that move at the frictions f. */
static void read_moving(inverse *n, double *a, const double *f, double *law)
{
    impose(n, a, f);
    for (int k = 0; k < n->system->mechanism->stiction_count; k++) {
        law[k] = dt_system_moving_friction(n->system, k);
    }
}

bool dt_inverse_solve_moving(inverse *n, double *a)
{
    static const double step = 1e-3, enough = 1e-13;
    dt_system *s = n->system;
    const int ns = s->mechanism->stiction_count, one = 1;
    double matrix[MOST_MOVING * MOST_MOVING], law[MOST_MOVING], moved[MOST_MOVING],
        change[MOST_MOVING], *f = n->analysis->given_f, *other = n->analysis->other_f;
    int pivots[MOST_MOVING], info = 0, close = 0;
    for (int k = 0; k < ns; k++) {
        if (ns > MOST_MOVING || is_at_rest(s, k)) {
            return false;
        }
        f[k] = 0; /* what there is without friction tells on which side a mesh bears */
    }
    memset(s->multiplier, 0, (size_t)dt_tie_rows(s->mechanism) * sizeof *s->multiplier);
    for (int round = 0; round < MOST_ROUNDS && info == 0; round++) {
        read_moving(n, a, f, law);
        for (int j = 0; j < ns; j++) {
            const double by = step * (size_of(s, j) + fabs(f[j]));
            memcpy(other, f, (size_t)ns * sizeof *f);
            other[j] += by;
            read_moving(n, a, other, moved);
            for (int k = 0; k < ns; k++) {
                matrix[j * ns + k] = (j == k) - (moved[k] - law[k]) / by;
            }
            change[j] = law[j] - f[j];
        }
        dgetrf_(&ns, &ns, matrix, &ns, pivots, &info);
        if (info == 0) {
            dgetrs_("N", &ns, &one, matrix, &ns, pivots, change, &ns, &info);
        }
        bool small = true;
        for (int k = 0; k < ns; k++) {
            f[k] += change[k];
            small = small && fabs(change[k]) <= enough * (size_of(s, k) + fabs(f[k]));
        }
        close = small ? close + 1 : 0;
        if (close == 2) {
            impose(n, a, f);
            return dt_lu_sign(matrix, pivots, ns) > 0; /* as without friction: it is stable */
        }
    }
    return false;
}

/* ---- a mesh that holds itself ---- */

/* x >= 0 from where to where; nowhere if to < from. */
typedef struct way {
    double from, to;
} way;

/* slope * x <= room as well. */
static void cut(way *of, double slope, double room, double size)
{
    static const double nothing = 1e-12;
    if (slope > nothing) {
        of->to = fmin(of->to, room / slope);
    } else if (slope < -nothing) {
        of->from = fmax(of->from, room / slope);
    } else if (room < -nothing * size) {
        of->to = -INFINITY;
    }
    of->from = of->from <= nothing * size ? 0 : of->from;
}

/* How far friction of k may go from `start`, where its mesh transmits nothing, to one side. */
static way find_way(inverse *n, double *a, int k, double start, int side, double size)
{
    double near[2], far[2];
    way of = {0, INFINITY};
    impose_one(n, a, k, start + side * size);
    dt_system_static_limits(n->system, k, near);
    impose_one(n, a, k, start + 2 * side * size);
    dt_system_static_limits(n->system, k, far);
    for (int end = 0; end < 2; end++) {
        const double slope = (far[end] - near[end]) / size, at = near[end] - slope * size;
        const int sign =
            end == 1 ? 1 : -1; /* sign * (start + side * x) <= sign * (at + slope * x) */
        cut(&of, sign * (side - slope), sign * (at - start), size);
    }
    return of;
}

/* What the mesh of stiction k transmits. */
static double transmitted(const inverse *n, int k)
{
    const dt_system *s = n->system;
    const detent_mechanism *m = s->mechanism;
    for (int mesh = 0; mesh < m->mesh_count; mesh++) {
        if (m->meshes[mesh].stiction == k) {
            return s->multiplier[dt_transmission_row(m, m->meshes[mesh].transmission)] *
                   m->transmissions[m->meshes[mesh].transmission].factor[0];
        }
    }
    return 0;
}

/* What others at rest take of the drive, with fixed limits. */
static void add_others(inverse *n, int k, double *low, double *high)
{
    const dt_system *s = n->system;
    for (int j = 0; j < s->mechanism->stiction_count; j++) {
        const double share = n->analysis->share[dt_inverse_freedom(s, j)];
        const double *limits = n->analysis->static_limits[j];
        if (j != k && share != 0) {
            *low -= share > 0 ? share * limits[1] : share * limits[0];
            *high -= share > 0 ? share * limits[0] : share * limits[1];
        }
    }
}

detent_status dt_inverse_wedged_interval(inverse *n, double *a, int i, int d, double *low,
                                         double *high, detent_error *error)
{
    dt_system *s = n->system;
    const int k = n->wedged;
    const double share = n->analysis->share[dt_inverse_freedom(s, k)], unit = size_of(s, k);
    impose_one(n, a, k, unit);
    const double loaded = transmitted(n, k);
    impose_one(n, a, k, 0);
    const double L0 = transmitted(n, k), drive = dt_inverse_drive(n, i, d);
    const double start = -L0 * unit / (loaded - L0), size = fmax(unit, fabs(start));
    read_limits(n);
    const way up = find_way(n, a, k, start, 1, size), down = find_way(n, a, k, start, -1, size);
    const bool goes[2] = {down.to >= down.from, up.to >= up.from};
    const char *name = s->mechanism->primitives[s->mechanism->stictions[k].primitive].name;
    if (!goes[0] && !goes[1]) {
        return dt_fail(
            error, DETENT_ERROR_SOLVER, NULL,
            "no force of the drive leaves '%s' at rest: the mesh of '%s' does not hold it", name,
            mesh_name(s->mechanism, k));
    }
    if (goes[0] && goes[1] && (up.from > 0 || down.from > 0)) {
        return dt_fail(error, DETENT_ERROR_SOLVER, NULL,
                       "'%s' rests with a force of the drive up to %.9g, or from %.9g on, and not "
                       "in between, where the mesh of '%s' transmits too little to hold it",
                       name, drive - share * (share > 0 ? start + up.from : start - down.from),
                       drive - share * (share > 0 ? start - down.from : start + up.from),
                       mesh_name(s->mechanism, k));
    }
    const double least = start - (goes[0] ? down.to : -up.from),
                 most = start + (goes[1] ? up.to : -down.from);
    *low = drive - (share > 0 ? share * most : share * least);
    *high = drive - (share > 0 ? share * least : share * most);
    add_others(n, k, low, high);
    return DETENT_OK;
}
