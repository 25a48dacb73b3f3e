#include "dynamics/state_slopes.h"

#include "dynamics/scale.h"
#include "math/lapack.h"

static const dt_program *derivative_of(const dt_system *s, int k)
{
    return s->mechanism->states[k].derivative;
}

/* ---- set-up ---- */

/* Numbers the groups by their first states and lists their members; returns how many there are. */
static int list_groups(const dt_system *s, dt_state_slopes *ss)
{
    int groups = 0;
    for (int k = 0; k < ss->count; k++) {
        const int first = s->mechanism->states[k].group;
        ss->group[k] = first == k ? groups++ : ss->group[first];
        ss->first[ss->group[k] + 1]++;
    }
    for (int g = 0; g < groups; g++) {
        ss->first[g + 1] += ss->first[g];
    }
    for (int k = 0; k < ss->count; k++) { /* `start` counts the members so far */
        const int g = ss->group[k];
        ss->place[k] = (int)ss->start[g]++;
        ss->member[ss->first[g] + ss->place[k]] = k;
    }
    return groups;
}

static bool create_slopes(dt_arena *arena, const dt_system *s, dt_state_slopes *ss)
{
    for (int k = 0; k < ss->count; k++) {
        ss->slope[k] =
            dt_arena_alloc(arena, (size_t)derivative_of(s, k)->variable_count, sizeof **ss->slope);
        if (!ss->slope[k]) {
            return false;
        }
    }
    return true;
}

bool dt_state_slopes_create(dt_arena *arena, const dt_system *s, dt_state_slopes *ss)
{
    const size_t count = (size_t)s->mechanism->state_count;
    size_t entries = 0;
    *ss = (dt_state_slopes){.count = (int)count};
    if (count == 0) {
        return true;
    }
#define TAKE(member, count) \
    ((ss->member = dt_arena_alloc(arena, (count), sizeof *ss->member)) != NULL)
    if (!TAKE(group, count) || !TAKE(place, count) || !TAKE(first, count + 1) ||
        !TAKE(member, count) || !TAKE(start, count) || !TAKE(pivots, count) || !TAKE(unit, count) ||
        !TAKE(slope, count) || !TAKE(y, count) || !TAKE(touched, count) || !TAKE(stamp, count) ||
        !create_slopes(arena, s, ss)) {
        return false;
    }
    const int groups = list_groups(s, ss);
    for (int g = 0; g < groups; g++) {
        const size_t size = (size_t)(ss->first[g + 1] - ss->first[g]);
        ss->start[g] = entries;
        entries += size * size;
    }
    return TAKE(matrix, entries);
#undef TAKE
}

/* ---- use ---- */

static int size_of(const dt_state_slopes *ss, int g)
{
    return ss->first[g + 1] - ss->first[g];
}

/* Rows and columns are measured by the sizes of their states, so that pivots compare. */
static void put_in_units(dt_state_slopes *ss, const dt_system *s, int g)
{
    const int size = size_of(ss, g), first = ss->first[g];
    double *matrix = ss->matrix + ss->start[g];
    for (int k = 0; k < size; k++) {
        const double unit =
            s->state_size ? dt_power_below(s->state_size[ss->member[first + k]]) : 1;
        for (int j = 0; j < size; j++) {
            matrix[j * size + k] /= unit;
            matrix[k * size + j] *= unit;
        }
        ss->unit[first + k] = unit;
    }
}

/* C of a group, and its factors. */
static bool factor_group(dt_state_slopes *ss, const dt_system *s, int g, double c)
{
    const int size = size_of(ss, g);
    double *matrix = ss->matrix + ss->start[g];
    int info = 0;
    memset(matrix, 0, (size_t)size * (size_t)size * sizeof *matrix);
    for (int row = 0; row < size; row++) {
        const int k = ss->member[ss->first[g] + row];
        const dt_program *p = derivative_of(s, k);
        matrix[row * (size + 1)] = c;
        for (int j = 0; j < p->variable_count; j++) {
            if (dt_variable_is(p->variables[j], DT_OF_STATES)) {
                matrix[ss->place[p->variables[j].index] * size + row] -= ss->slope[k][j];
            }
        }
    }
    if (size == 1) {
        return matrix[0] != 0 && isfinite(matrix[0]);
    }
    put_in_units(ss, s, g);
    dgetrf_(&size, &size, matrix, &size, ss->pivots + ss->first[g], &info);
    return info == 0;
}

bool dt_state_slopes_factor(dt_state_slopes *ss, dt_system *s, double c)
{
    bool ok = true;
    for (int k = 0; k < ss->count; k++) {
        if (dt_law_is_constant(dt_rate_law(s, k))) {
            continue;
        }
        dt_law_gradient(s, dt_rate_law(s, k), 0, ss->slope[k]);
        if (ss->given && ss->given[k]) {
            memset(ss->slope[k], 0,
                   (size_t)derivative_of(s, k)->variable_count * sizeof **ss->slope);
        }
    }
    for (int k = 0; k < ss->count; k++) {
        if (ss->place[k] == 0) {
            ok = factor_group(ss, s, ss->group[k], c) && ok;
        }
    }
    return ok;
}

int dt_state_slopes_list(dt_state_slopes *ss, const dt_program *p)
{
    int count = 0;
    ss->stamps++;
    for (int j = 0; ss->count > 0 && j < p->variable_count; j++) {
        if (!dt_variable_is(p->variables[j], DT_OF_STATES)) {
            continue;
        }
        const int g = ss->group[p->variables[j].index];
        for (int k = ss->first[g]; ss->stamp[g] != ss->stamps && k < ss->first[g + 1]; k++) {
            ss->touched[count++] = ss->member[k];
        }
        ss->stamp[g] = ss->stamps;
    }
    return count;
}

/* Solves with C, or its transpose, of a group: x has its members one after the other. */
static void solve_group(const dt_state_slopes *ss, int g, bool transposed, double *x)
{
    const int size = size_of(ss, g), one = 1;
    const double *matrix = ss->matrix + ss->start[g], *unit = ss->unit + ss->first[g];
    int info = 0;
    if (size == 1) {
        x[0] /= matrix[0];
        return;
    }
    for (int k = 0; k < size; k++) {
        x[k] *= transposed ? unit[k] : 1 / unit[k];
    }
    dgetrs_(transposed ? "T" : "N", &size, &one, matrix, &size, ss->pivots + ss->first[g], x, &size,
            &info);
    for (int k = 0; k < size; k++) {
        x[k] *= transposed ? 1 / unit[k] : unit[k];
    }
}

void dt_state_slopes_adjoint(dt_state_slopes *ss, const dt_program *p, const double *gradient)
{
    double *x = ss->y; /* by place in `member` */
    for (int j = 0; j < p->variable_count; j++) {
        if (dt_variable_is(p->variables[j], DT_OF_STATES)) {
            const int g = ss->group[p->variables[j].index];
            memset(x + ss->first[g], 0, (size_t)size_of(ss, g) * sizeof *x);
        }
    }
    for (int j = 0; j < p->variable_count; j++) {
        if (dt_variable_is(p->variables[j], DT_OF_STATES)) {
            const int k = p->variables[j].index;
            x[ss->first[ss->group[k]] + ss->place[k]] += gradient[j];
        }
    }
    ss->stamps++;
    for (int j = 0; j < p->variable_count; j++) {
        if (dt_variable_is(p->variables[j], DT_OF_STATES)) {
            const int g = ss->group[p->variables[j].index];
            if (ss->stamp[g] != ss->stamps) {
                solve_group(ss, g, true, x + ss->first[g]);
            }
            ss->stamp[g] = ss->stamps;
        }
    }
}

void dt_state_slopes_solve(dt_state_slopes *ss, double *r)
{
    for (int k = 0; k < ss->count; k++) {
        if (ss->place[k] != 0) {
            continue;
        }
        const int g = ss->group[k], size = size_of(ss, g);
        double *x = ss->y + ss->first[g];
        for (int j = 0; j < size; j++) {
            x[j] = r[ss->member[ss->first[g] + j]];
        }
        solve_group(ss, g, false, x);
        for (int j = 0; j < size; j++) {
            r[ss->member[ss->first[g] + j]] = x[j];
        }
    }
}

/* The slope of the derivative of state k by state j. */
static double slope_by(const dt_state_slopes *ss, const dt_system *s, int k, int j)
{
    const dt_program *p = derivative_of(s, k);
    double slope = 0;
    for (int n = 0; n < p->variable_count; n++) {
        if (dt_variable_is(p->variables[n], DT_OF_STATES) && p->variables[n].index == j) {
            slope += ss->slope[k][n];
        }
    }
    return slope;
}

double dt_state_slopes_fastest(const dt_state_slopes *ss, const dt_system *s)
{
    double most = 0;
    for (int k = 0; k < ss->count; k++) {
        const dt_program *p = derivative_of(s, k);
        for (int n = 0; n < p->variable_count; n++) {
            const int j = p->variables[n].index;
            if (dt_variable_is(p->variables[n], DT_OF_STATES)) {
                const double rate = j == k
                                        ? -ss->slope[k][n]
                                        : sqrt(fmax(0, -ss->slope[k][n] * slope_by(ss, s, j, k)));
                most = fmax(most, rate);
            }
        }
    }
    return most;
}
