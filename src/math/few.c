#include "math/few.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* As in minimax.c: a width beside what there is; a limit of zero; what rounding leaves of numbers about one; what is no pivot. */
static const double least_width = 1e-9, least_limit = 1e-14, nothing = 1e-12, small = 1e-10;
static const double vanishing = 1e-290;

bool dt_few_create(dt_arena *arena, int lines, int forces, dt_few *few)
{
    const size_t k = (size_t)lines, n = (size_t)forces + 1;
#define TAKE(member, size) \
    ((few->member = dt_arena_alloc(arena, (size), sizeof *few->member)) != NULL)
    return TAKE(tableau, k * n) && TAKE(bound, n) && TAKE(value, n) && TAKE(basic, k) &&
           TAKE(beside, n) && TAKE(width, n) && TAKE(floor, n) && TAKE(motion, n) &&
           TAKE(matrix, k * k) && TAKE(z, k) && TAKE(step, n) && TAKE(at, n);
#undef TAKE
}

/* ---- measures ---- */

/* How far x_j goes where it upsets the force that it moves most, beside what that is. */
static double most_of(const dt_few_problem *p, int j)
{
    const double *column = p->R + (size_t)j * (size_t)p->lines, *own = p->limits[p->lines + j];
    double most = (own[1] - own[0]) / p->w[p->lines + j];
    for (int i = 0; i < p->lines; i++) {
        const double room = fabs(p->rest[i]) + p->limits[i][1] - p->limits[i][0];
        most = column[i] != 0 ? fmin(most, room / fabs(column[i])) : most;
    }
    return most;
}

/* The measure of each force, and what counts as a limit of zero. */
static void measure(dt_few *few, const dt_few_problem *p)
{
    double *size = few->width;
    for (int i = 0; i < p->lines; i++) {
        size[i] = fabs(p->rest[i]);
    }
    for (int j = 0; j < p->columns; j++) {
        const double *column = p->R + (size_t)j * (size_t)p->lines, most = most_of(p, j);
        for (int i = 0; i < p->lines; i++) {
            size[i] = column[i] != 0 ? fmax(size[i], fabs(column[i]) * most) : size[i];
        }
        size[p->lines + j] = p->w[p->lines + j] * most;
    }
    for (int i = 0; i < p->lines + p->columns; i++) {
        const double of = size[i], half = 0.5 * (p->limits[i][1] - p->limits[i][0]);
        few->width[i] = fmax(half, least_width * of);
        few->width[i] = few->width[i] > 0 ? few->width[i] : 1;
        few->floor[i] = least_limit * (of > 0 ? fmin(few->width[i], of) : few->width[i]);
    }
}

/* The largest of the numbers r, each by its measure. */
static double largest(const dt_few *few, const dt_few_problem *p)
{
    double most = 0;
    for (int i = 0; i < p->lines; i++) {
        most = fmax(most, fabs(p->rest[i]) / few->width[i]);
    }
    return most;
}

/* ---- the largest share ---- */

/* Unknowns are the forces g by their measures, and s, by number the last one; it is all that is to grow. */
typedef struct few_simplex {
    dt_few *few;
    int lines, others; /**< basic unknowns, and those beside */
    int goal;          /**< s */
    int goal_line;     /**< where it is basic; -1: it is not */
} few_simplex;

static double *line_of(const few_simplex *p, int line)
{
    return p->few->tableau + (size_t)line * (size_t)p->others;
}

static void fill(dt_few *few, const dt_few_problem *p, double unit, few_simplex *simplex)
{
    *simplex = (few_simplex){.few = few,
                             .lines = p->lines,
                             .others = p->columns + 1,
                             .goal = p->lines + p->columns,
                             .goal_line = -1};
    for (int i = 0; i < p->lines; i++) {
        double *line = line_of(simplex, i);
        for (int j = 0; j < p->columns; j++) {
            line[j] = p->R[(size_t)j * (size_t)p->lines + (size_t)i] *
                      (few->width[p->lines + j] / p->w[p->lines + j]) / few->width[i];
        }
        line[p->columns] = p->rest[i] / few->width[i] / unit;
        few->basic[i] = i;
    }
    for (int j = 0; j <= p->columns; j++) {
        few->beside[j] = p->lines + j;
    }
    for (int i = 0; i < simplex->goal; i++) {
        few->bound[i][0] = fmin(p->limits[i][0], -few->floor[i]) / few->width[i];
        few->bound[i][1] = fmax(p->limits[i][1], few->floor[i]) / few->width[i];
    }
    few->bound[simplex->goal][0] = 0;
    few->bound[simplex->goal][1] = INFINITY;
    memset(few->value, 0, (size_t)(simplex->goal + 1) * sizeof *few->value);
}

/* The way in which an unknown beside the basis adds to s: +1, -1; 0: neither does. */
static int gain(const few_simplex *p, int j)
{
    const dt_few *few = p->few;
    const int unknown = few->beside[j];
    const double rate = p->goal_line < 0 ? unknown == p->goal : line_of(p, p->goal_line)[j];
    return rate > nothing && few->value[unknown] < few->bound[unknown][1]    ? 1
           : rate < -nothing && few->value[unknown] > few->bound[unknown][0] ? -1
                                                                             : 0;
}

/* How far an unknown goes that way, and the line that stops it; -1: its own bound does. By `index`: of equals the first unknown. */
static double room(const few_simplex *p, int j, int way, bool index, int *line)
{
    const dt_few *few = p->few;
    const int unknown = few->beside[j];
    double least = fabs(few->bound[unknown][way > 0] - few->value[unknown]);
    *line = -1;
    for (int i = 0; i < p->lines; i++) {
        const double rate = way * line_of(p, i)[j];
        const int own = few->basic[i];
        if (!(fabs(rate) > small)) {
            continue;
        }
        const double left = fmax((few->bound[own][rate > 0] - few->value[own]) / rate, 0);
        const bool better = *line >= 0 && (index ? own < few->basic[*line]
                                                 : fabs(rate) > fabs(line_of(p, *line)[j]));
        if (left < least * (1 - nothing) || (left <= least * (1 + nothing) && better)) {
            least = fmin(left, least);
            *line = i;
        }
    }
    return least;
}

/* Moves an unknown that is beside the basis, and all that follow from it. */
static void move(const few_simplex *p, int j, double by)
{
    dt_few *few = p->few;
    few->value[few->beside[j]] += by;
    for (int i = 0; i < p->lines; i++) {
        few->value[few->basic[i]] += line_of(p, i)[j] * by;
    }
}

/* An unknown changes places with that of a line. */
static void exchange(few_simplex *p, int j, int line)
{
    dt_few *few = p->few;
    double *own = line_of(p, line);
    const double by = 1 / own[j];
    const int entering = few->beside[j];
    for (int k = 0; k < p->others; k++) {
        own[k] *= -by;
    }
    own[j] = by;
    for (int i = 0; i < p->lines; i++) {
        double *other = line_of(p, i);
        const double factor = other[j];
        if (i == line || factor == 0) {
            continue;
        }
        other[j] = 0;
        for (int k = 0; k < p->others; k++) {
            other[k] += factor * own[k];
        }
    }
    few->beside[j] = few->basic[line];
    few->basic[line] = entering;
    p->goal_line = entering == p->goal ? line : p->goal_line;
}

/* One unknown goes as far as it can; it, or the one that stops it, is exactly at its bound then. */
static void advance(few_simplex *p, int j, int way, bool index)
{
    dt_few *few = p->few;
    int line;
    const double by = room(p, j, way, index, &line);
    const int stopped = line < 0 ? few->beside[j] : few->basic[line];
    const bool upper = line < 0 ? way > 0 : way * line_of(p, line)[j] > 0;
    move(p, j, way * by);
    few->value[stopped] = few->bound[stopped][upper];
    if (line >= 0) {
        exchange(p, j, line);
    }
}

static void ascend(few_simplex *p)
{
    const int quick = 10 * (p->lines + p->others), most = 10 * quick;
    int since = 0;
    for (int round = 0, j = 0; round < most && since < p->others; j = (j + 1) % p->others) {
        const bool index = round >= quick; /* it may be going in circles */
        const int way = gain(p, j);
        since++;
        if (way != 0) {
            advance(p, j, way, index);
            since = 0;
            round++;
            j = index ? -1 : j;
        }
    }
}

/* What forces weigh in s, those at their limits; what is nothing beside the largest, by the measures, is rounding. */
static void find_motion(const few_simplex *p)
{
    dt_few *few = p->few;
    double most = 0;
    memset(few->motion, 0, (size_t)p->goal * sizeof *few->motion);
    const double *weight = p->goal_line < 0 ? NULL : line_of(p, p->goal_line);
    for (int j = 0; j < p->others && weight; j++) {
        most = fmax(most, fabs(weight[j]));
    }
    for (int j = 0; j < p->others && weight; j++) {
        const int i = few->beside[j];
        if (i != p->goal && fabs(weight[j]) > least_width * most) {
            few->motion[i] = weight[j] / few->value[p->goal] / few->width[i];
        }
    }
}

double dt_few_minimax(dt_few *few, const dt_few_problem *p, double *x)
{
    few_simplex simplex;
    measure(few, p);
    const double unit = largest(few, p);
    if (!(unit > vanishing)) {
        memset(x, 0, (size_t)p->columns * sizeof *x);
        memset(few->motion, 0, (size_t)(p->lines + p->columns) * sizeof *few->motion);
        return 0;
    }
    fill(few, p, unit, &simplex);
    ascend(&simplex);
    find_motion(&simplex);
    const double share = unit / few->value[simplex.goal];
    for (int j = 0; j < p->columns; j++) {
        const int i = p->lines + j;
        x[j] = share * few->value[i] * (few->width[i] / p->w[i]);
    }
    return share;
}
