#include "dynamics/closure_local.h"

#include "dynamics/closure_parts.h"

#include <stdlib.h>

/* By how much a freedom that later ties read has to be larger, to be preferred. */
static const double shared = 0.1;
/* The same of freedoms that are to be independent. */
static const double seldom = 1e-6;

double dt_closure_local_entry(const dt_closure_local *local, int row, int freedom)
{
    const dt_tie *tie = &local->tie[local->row_tie[row]];
    int low = tie->first, high = tie->end;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (local->freedom[middle] < freedom) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < tie->end && local->freedom[low] == freedom
               ? local->G[tie->block + (size_t)(low - tie->first) * (size_t)tie->rows +
                          (size_t)(row - tie->row)]
               : 0;
}

void dt_closure_local_update(dt_system *s)
{
    const dt_closure *c = s->closure;
    const dt_closure_local *local = c->local;
    for (int t = 0; t < local->tie_count; t++) {
        const dt_tie *tie = &local->tie[t];
        double *entry = local->G + tie->block;
        for (int k = tie->first; k < tie->end; k++) {
            const int v = local->freedom[k], node = local->node[v];
            const double *S = s->motion[node].S[v - s->tree->nodes[node].v];
            for (int r = 0; r < tie->rows; r++) {
                *entry++ = tie->rows == 1
                               ? local->sign[k]
                               : local->sign[k] * dt_closure_along(s, c->wrench[tie->row + r], S);
            }
        }
    }
}

/* ---- choice ---- */

/* One tie in the elimination: its rows in the work space, and which of them are left. */
typedef struct dt_front {
    dt_system *s;
    const dt_tie *tie;
    const dt_cluster *cluster;
    double *rows[6];
    int from[6], to[6];
    bool done[6];
} dt_front;

/* Loads the weighted rows of a tie into their places; returns the largest entry, be it of who is held. */
static double load_rows(dt_front *front, double length, int at)
{
    const dt_closure *c = front->s->closure;
    const dt_closure_local *local = c->local;
    const dt_tie *tie = front->tie;
    double most = 0;
    for (int r = 0; r < tie->rows; r++) {
        const double weight = dt_closure_row_weight(front->s, tie->row + r, length);
        double *row = local->reduced + (size_t)(at + r) * (size_t)front->cluster->columns;
        front->rows[r] = row;
        front->from[r] = front->cluster->columns;
        front->to[r] = -1;
        front->done[r] = false;
        for (int k = tie->first; k < tie->end; k++) {
            const int v = local->freedom[k], column = local->column[v];
            const dt_node *node = &front->s->tree->nodes[local->node[v]];
            const double entry =
                weight * dt_closure_weight(node, length) *
                local->G[tie->block + (size_t)(k - tie->first) * (size_t)tie->rows + (size_t)r];
            most = fmax(most, fabs(entry));
            if (c->held[local->node[v]]) {
                continue;
            }
            row[column] = entry;
            front->from[r] = column < front->from[r] ? column : front->from[r];
            front->to[r] = column > front->to[r] ? column : front->to[r];
        }
    }
    return most;
}

/* row r -= factor times another one, which has entries from `from` to `to`. */
static void subtract(dt_front *front, int r, double factor, const double *other, int from, int to)
{
    for (int k = from; k <= to; k++) {
        front->rows[r][k] -= factor * other[k];
    }
    front->from[r] = from < front->from[r] ? from : front->from[r];
    front->to[r] = to > front->to[r] ? to : front->to[r];
}

/* Rows of a tie lose what earlier pivots say of them, in the order of these. */
static void reduce_rows(dt_front *front)
{
    const dt_closure_local *local = front->s->closure->local;
    const dt_cluster *cluster = front->cluster;
    for (int p = cluster->start; p < cluster->start + cluster->count; p++) {
        const int column = local->column[local->pivot_freedom[p]], at = local->slot_row[p];
        const double *pivot = local->reduced + (size_t)at * (size_t)cluster->columns;
        for (int r = 0; r < front->tie->rows; r++) {
            if (column >= front->from[r] && column <= front->to[r] && front->rows[r][column] != 0) {
                subtract(front, r, front->rows[r][column] / pivot[column], pivot, local->from[at],
                         local->to[at]);
                front->rows[r][column] = 0;
            }
        }
    }
}

/* The next pivot of the rows that are left: false where nothing is. */
static bool find_pivot(const dt_front *front, double least, int *row, int *column)
{
    const dt_closure *c = front->s->closure;
    const dt_closure_local *local = c->local;
    double most = 0;
    for (int r = 0; r < front->tie->rows; r++) {
        for (int k = front->from[r]; k <= front->to[r] && !front->done[r]; k++) {
            const double size = fabs(front->rows[r][k]);
            const int v = local->column_freedom[front->cluster->column + k];
            const double score = size * (local->last[v] > front->tie->at ? shared : 1) *
                                 (c->kept[v] ? seldom : 1) * dt_closure_preference(v) *
                                 dt_closure_preference(r);
            if (size > least && score > most) {
                most = score;
                *row = r;
                *column = k;
            }
        }
    }
    return most > 0;
}

/* Eliminates the rows of one tie among themselves. */
static void take_pivots(dt_front *front, dt_cluster *cluster, double least, int at)
{
    const dt_closure_local *local = front->s->closure->local;
    int row = 0, column = 0;
    while (find_pivot(front, least, &row, &column)) {
        const int p = cluster->start + cluster->count++;
        front->done[row] = true;
        local->pivot_row[p] = front->tie->row + row;
        local->pivot_freedom[p] = local->column_freedom[cluster->column + column];
        local->slot_row[p] = at + row; /* until all are known */
        local->from[at + row] = front->from[row];
        local->to[at + row] = front->to[row];
        for (int r = 0; r < front->tie->rows; r++) {
            if (!front->done[r] && front->rows[r][column] != 0) {
                subtract(front, r, front->rows[r][column] / front->rows[row][column],
                         front->rows[row], front->from[row], front->to[row]);
                front->rows[r][column] = 0;
            }
        }
    }
}

static void choose_cluster(dt_system *s, dt_cluster *cluster, double length)
{
    const dt_closure_local *local = s->closure->local;
    dt_front front = {.s = s, .cluster = cluster};
    double most = 0;
    cluster->count = 0;
    cluster->best = 0;
    for (int k = cluster->first, at = 0; k < cluster->end; k++) {
        front.tie = &local->tie[local->order[k]];
        most = fmax(most, load_rows(&front, length, at));
        at += front.tie->rows;
    }
    for (int k = cluster->first, at = 0; k < cluster->end; k++) {
        front.tie = &local->tie[local->order[k]];
        load_rows(&front, length, at);
        reduce_rows(&front);
        take_pivots(&front, cluster, dt_closure_least_pivot(most), at);
        for (int r = 0; r < front.tie->rows; r++, at++) {
            local->low[at] = front.from[r];
            local->high[at] = front.to[r];
        }
    }
    for (int at = 0; at < cluster->row_count; at++) { /* nothing is left for the next one */
        for (int k = local->low[at]; k <= local->high[at]; k++) {
            local->reduced[(size_t)at * (size_t)cluster->columns + (size_t)k] = 0;
        }
    }
}

/*
 * The width of the band of the present choice. It is wider than the ties tell where a row has left nothing but freedoms of
 * earlier ties.
 */
static void measure_spread(const dt_closure *c, dt_cluster *cluster)
{
    const dt_closure_local *local = c->local;
    cluster->spread = 0;
    for (int p = 0; p < cluster->count; p++) {
        const dt_tie *tie = &local->tie[local->row_tie[local->pivot_row[cluster->start + p]]];
        for (int k = tie->first; k < tie->end; k++) {
            const int v = local->freedom[k];
            const int apart = c->dependent[v] ? abs(local->place[v] - p) : 0;
            cluster->spread = apart > cluster->spread ? apart : cluster->spread;
        }
    }
}

/* closure->row and ->freedom, and where they are among the pivots. */
static void list_choice(dt_system *s)
{
    dt_closure *c = s->closure;
    const dt_closure_local *local = c->local;
    memset(c->active, 0, (size_t)c->rows * sizeof *c->active);
    memset(c->dependent, 0, (size_t)s->tree->nv * sizeof *c->dependent);
    c->count = 0;
    for (int l = 0; l < local->cluster_count; l++) {
        const dt_cluster *cluster = &local->cluster[l];
        for (int p = cluster->start; p < cluster->start + cluster->count; p++) {
            c->active[local->pivot_row[p]] = true;
            c->dependent[local->pivot_freedom[p]] = true;
            local->place[local->pivot_freedom[p]] = p - cluster->start;
        }
    }
    for (int r = 0; r < c->rows; r++) {
        if (c->active[r]) {
            local->from[r] = c->count; /* where it is listed */
            c->row[c->count++] = r;
        }
    }
    for (int v = 0, k = 0; v < s->tree->nv; v++) {
        if (c->dependent[v]) {
            local->column[v] = k; /* restored below */
            c->freedom[k++] = v;
        }
    }
    for (int l = 0; l < local->cluster_count; l++) {
        const dt_cluster *cluster = &local->cluster[l];
        for (int p = cluster->start; p < cluster->start + cluster->count; p++) {
            local->slot_row[p] = local->from[local->pivot_row[p]];
            local->slot_freedom[p] = local->column[local->pivot_freedom[p]];
        }
        for (int k = 0; k < cluster->columns; k++) {
            local->column[local->column_freedom[cluster->column + k]] = k;
        }
        measure_spread(c, &local->cluster[l]);
    }
}

void dt_closure_local_choose(dt_system *s, double length, bool all)
{
    const dt_closure_local *local = s->closure->local;
    for (int l = 0; l < local->cluster_count; l++) {
        if (all || local->cluster[l].best < 0) {
            choose_cluster(s, &local->cluster[l], length);
        }
    }
    list_choice(s);
}

/* ---- solution ---- */

/* An empty matrix for the present choice; false where it has no room. */
static bool begin_band(dt_cluster *cluster, int width)
{
    dt_band *band = &cluster->band;
    band->n = cluster->count;
    band->width = width < cluster->count ? width : cluster->count - 1;
    band->stride = 3 * band->width + 1;
    const size_t size = (size_t)band->n * (size_t)band->stride;
    if (size > cluster->room) {
        band->n = 0;
        return false;
    }
    memset(band->data, 0, size * sizeof *band->data);
    return true;
}

/* Fills the band of a cluster: `weight` is NULL, or that of each freedom. */
typedef void (*filling)(const dt_system *s, dt_cluster *cluster, const double *weight);

/* Fills and factors a matrix for every cluster. False where one is singular or has no room. */
static bool factor_clusters(dt_system *s, bool normal, filling fill, const double *weight)
{
    const dt_closure_local *local = s->closure->local;
    bool ok = true;
    for (int l = 0; l < local->cluster_count; l++) {
        dt_cluster *cluster = &local->cluster[l];
        if (cluster->count == 0) {
            continue;
        }
        if (!begin_band(cluster, normal ? cluster->width : cluster->spread)) {
            ok = false;
            continue;
        }
        fill(s, cluster, weight);
        ok = dt_band_factor(&cluster->band) && ok;
    }
    return ok;
}

static void fill_choice(const dt_system *s, dt_cluster *cluster, const double *weight)
{
    const dt_closure *c = s->closure;
    const dt_closure_local *local = c->local;
    (void)weight;
    for (int p = 0; p < cluster->count; p++) {
        const int row = local->pivot_row[cluster->start + p];
        const dt_tie *tie = &local->tie[local->row_tie[row]];
        for (int k = tie->first; k < tie->end; k++) {
            const int v = local->freedom[k];
            if (c->dependent[v]) {
                *dt_band_entry(&cluster->band, p, local->place[v]) =
                    c->row_unit[row] * c->freedom_unit[v] *
                    local->G[tie->block + (size_t)(k - tie->first) * (size_t)tie->rows +
                             (size_t)(row - tie->row)];
            }
        }
    }
}

bool dt_closure_local_factor(dt_system *s)
{
    return factor_clusters(s, false, fill_choice, NULL);
}

/* An entry of G W^2 G'. */
static double normal_entry(const dt_closure_local *local, int row, int other, const double *weight)
{
    const dt_tie *tie = &local->tie[local->row_tie[row]];
    double sum = 0;
    for (int k = tie->first; k < tie->end; k++) {
        const int v = local->freedom[k];
        const double w = weight[v];
        sum += w == 0 ? 0
                      : w * w * dt_closure_local_entry(local, row, v) *
                            dt_closure_local_entry(local, other, v);
    }
    return sum;
}

static void fill_normal(const dt_system *s, dt_cluster *cluster, const double *weight)
{
    const dt_closure_local *local = s->closure->local;
    const int *rows = local->pivot_row + cluster->start;
    const double *unit = s->closure->row_unit;
    for (int a = 0; a < cluster->count; a++) {
        const int low = a < cluster->band.width ? 0 : a - cluster->band.width;
        for (int b = low; b <= a + cluster->band.width && b < cluster->count; b++) {
            *dt_band_entry(&cluster->band, a, b) =
                unit[rows[a]] * unit[rows[b]] * normal_entry(local, rows[a], rows[b], weight);
        }
    }
}

bool dt_closure_local_normal(dt_system *s, const double *weight)
{
    return factor_clusters(s, true, fill_normal, weight);
}

/* The largest entry of all rows of a cluster, for all freedoms that may move, in their units. */
static double largest_entry(const dt_system *s, const dt_cluster *cluster)
{
    const dt_closure *c = s->closure;
    const dt_closure_local *local = c->local;
    double most = 0;
    for (int at = cluster->first; at < cluster->end; at++) {
        const dt_tie *tie = &local->tie[local->order[at]];
        const double *entry = local->G + tie->block, *unit = c->row_unit + tie->row;
        for (int k = tie->first; k < tie->end; k++) {
            const int v = local->freedom[k];
            for (int r = 0; r < tie->rows; r++, entry++) {
                const double size = fabs(unit[r] * c->freedom_unit[v] * *entry);
                most = c->held[local->node[v]] ? most : fmax(most, size);
            }
        }
    }
    return most;
}

bool dt_closure_local_worn(dt_system *s, bool marks)
{
    const dt_closure_local *local = s->closure->local;
    bool any = false;
    s->closure->pivot = 1;
    for (int l = 0; l < local->cluster_count; l++) {
        dt_cluster *cluster = &local->cluster[l];
        const dt_band *band = &cluster->band;
        const double most = largest_entry(s, cluster);
        double least = INFINITY;
        for (int k = 0; k < band->n; k++) {
            least =
                fmin(least,
                     fabs(band->data[(size_t)k * (size_t)band->stride + 2 * (size_t)band->width]));
        }
        const double now = band->n > 0 && most > 0 ? least / most : 1;
        if (now < s->closure->pivot) {
            s->closure->pivot = now;
            s->closure->weakest = local->slot_freedom[cluster->start];
        }
        if (cluster->best == 0) {
            cluster->best = now; /* the first time after a choice */
        } else if (marks && dt_closure_is_worn(now, cluster->best)) {
            cluster->best = -1;
            any = true;
        }
    }
    return any;
}

int dt_closure_local_side(const dt_closure_local *local)
{
    int side = 1;
    for (int l = 0; l < local->cluster_count; l++) {
        side *= dt_band_sign(&local->cluster[l].band);
    }
    return side;
}

void dt_closure_local_solve(const dt_closure_local *local, double *x, bool of_rows)
{
    for (int l = 0; l < local->cluster_count; l++) {
        const dt_cluster *cluster = &local->cluster[l];
        for (int p = cluster->start; p < cluster->start + cluster->count; p++) {
            local->x[p] = x[local->slot_row[p]];
        }
        if (cluster->count > 0 && cluster->band.n > 0) {
            dt_band_solve(&cluster->band, local->x + cluster->start);
        }
    }
    for (int l = 0; l < local->cluster_count; l++) {
        const dt_cluster *cluster = &local->cluster[l];
        for (int p = cluster->start; p < cluster->start + cluster->count; p++) {
            x[of_rows ? local->slot_row[p] : local->slot_freedom[p]] = local->x[p];
        }
    }
}

void dt_closure_local_product(const dt_system *s, const double *v, bool all, double *x)
{
    const dt_closure *c = s->closure;
    const dt_closure_local *local = c->local;
    for (int i = 0; i < c->count; i++) {
        const dt_tie *tie = &local->tie[local->row_tie[c->row[i]]];
        const double *entry = local->G + tie->block + (c->row[i] - tie->row);
        x[i] = 0;
        for (int k = tie->first; k < tie->end; k++, entry += tie->rows) {
            const int freedom = local->freedom[k];
            x[i] += !all && c->dependent[freedom] ? 0 : *entry * v[freedom];
        }
    }
}

void dt_closure_local_back(const dt_system *s, const double *x, double *v)
{
    const dt_closure *c = s->closure;
    const dt_closure_local *local = c->local;
    memset(v, 0, (size_t)s->tree->nv * sizeof *v);
    for (int i = 0; i < c->count; i++) {
        const dt_tie *tie = &local->tie[local->row_tie[c->row[i]]];
        const double *entry = local->G + tie->block + (c->row[i] - tie->row);
        for (int k = tie->first; k < tie->end; k++, entry += tie->rows) {
            v[local->freedom[k]] += *entry * x[i];
        }
    }
}
