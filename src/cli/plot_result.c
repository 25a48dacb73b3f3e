#include "plot_result.h"

#include <stdlib.h>
#include <string.h>

char *plot_copy(const char *text)
{
    char *copy = text ? malloc(strlen(text) + 1) : NULL;
    if (copy) {
        memcpy(copy, text, strlen(text) + 1);
    }
    return copy;
}

/* Room for one more of a list that grows by doubling at powers of two. */
static void *grown(void *list, size_t count, size_t size)
{
    const bool is_full = (count & (count - 1)) == 0;
    return is_full ? realloc(list, (count > 0 ? 2 * count : 1) * size) : list;
}

bool plot_lane_add(plot_lane *lane, double time, detent_mode mode)
{
    if (lane->count > 0) {
        lane->bands[lane->count - 1].to = time;
        if (lane->bands[lane->count - 1].mode == mode) {
            return true;
        }
    }
    figure_band *longer = grown(lane->bands, lane->count, sizeof *longer);
    if (!longer) {
        return false;
    }
    lane->bands = longer;
    lane->bands[lane->count++] = (figure_band){time, time, mode};
    return true;
}

bool plot_result_add_event(plot_result *r, double time)
{
    double *longer = grown(r->events, r->event_count, sizeof *longer);
    if (longer) {
        r->events = longer;
        r->events[r->event_count++] = time;
    }
    return longer != NULL;
}

void plot_result_release(plot_result *r)
{
    for (size_t k = 0; k < r->count && r->series; k++) {
        free(r->series[k].name);
        free(r->series[k].unit);
        free(r->series[k].values);
    }
    for (size_t k = 0; k < r->lane_count && r->lanes; k++) {
        free(r->lanes[k].name);
        free(r->lanes[k].bands);
    }
    free(r->series);
    free(r->lanes);
    free(r->time);
    free(r->events);
    free(r->name);
    *r = (plot_result){0};
}
