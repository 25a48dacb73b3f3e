/*
 * The search in words, one line a round: for `--trace` and for people who wonder why a joint let
 * go.
 */
#include "stiction/line.h"
#include "stiction/search.h"

#include <math.h>

static void tell(const dt_search *search, const dt_line *line)
{
    search->request->trace(search->request->trace_user, line->text);
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static const char *towards(int side)
{
    return side > 0 ? "forward" : "in reverse";
}

void dt_story_begin(const dt_search *search)
{
    dt_line line = {.length = 0};
    if (!search->request->trace) {
        return;
    }
    dt_line_add(&line, "search at t = %.9g s: %zu of %d stiction joint%s at rest",
                search->system->time, search->candidates, search->box.count,
                plural((size_t)search->box.count));
    if (search->candidates > 0) {
        dt_line_add(&line, ": ");
    }
    for (int k = 0; k < search->box.count; k++) {
        if (!search->candidate[k] || !dt_line_next(&line)) {
            continue;
        }
        const int decree = dt_search_decree(search, k);
        dt_line_add(&line, "%s", dt_search_name(search, k));
        if (decree != 0) {
            dt_line_add(&line, " (at its limit, %s by decree)", towards(decree));
        }
    }
    dt_line_close(&line);
    tell(search, &line);
}

void dt_story_round(const dt_search *search, size_t newly_released)
{
    const dt_friction_box *box = &search->box;
    dt_line line = {.length = 0};
    if (!search->request->trace) {
        return;
    }
    dt_line_add(&line, "  round %zu, %s in %zu solve%s so far: ", search->result->rounds,
                search->result->interior_points > 0 ? "active set and interior point"
                                                    : "active set",
                box->solves, plural(box->solves));
    if (newly_released == 0) {
        dt_line_add(&line, "nothing more gives way");
    }
    for (int k = 0; k < box->count && newly_released > 0; k++) {
        if (search->released[k] != DT_RELEASED_NOW || !dt_line_next(&line)) {
            continue;
        }
        if (box->kind[k] == DT_FRICTION_RIGID) {
            dt_line_add(&line, "%s is released by its test friction", dt_search_name(search, k));
        } else {
            dt_line_add(&line, "%s gives way %s at %g", dt_search_name(search, k),
                        towards(box->side[k]), box->f[k]);
        }
    }
    dt_line_close(&line);
    tell(search, &line);
}

/* The modes of the joints that were candidates, those that move or those that are locked. */
static void tell_modes(const dt_search *search, bool locked)
{
    dt_system *s = search->system;
    dt_line line = {.length = 0};
    double smallest = INFINITY;
    int nearest = -1;
    dt_line_add(&line, "%s", locked ? "  locked: " : "  moving: ");
    for (int k = 0; k < search->box.count; k++) {
        if (!search->candidate[k] || (s->mode[k] == DETENT_LOCKED) != locked) {
            continue;
        }
        const double margin = dt_stiction_margin(s, k);
        if (margin < smallest) {
            smallest = margin;
            nearest = k;
        }
        if (dt_line_next(&line)) {
            dt_line_add(&line, "%s (%s %g)", dt_search_name(search, k),
                        locked ? "margin" : "acceleration",
                        locked ? margin : s->a[search->box.freedom[k]]);
        }
    }
    const bool more = line.names > DT_LINE_NAMES;
    dt_line_close(&line);
    if (nearest >= 0) {
        if (more) {
            dt_line_add(&line, "; the smallest margin is that of %s: %g",
                        dt_search_name(search, nearest), smallest);
        }
        tell(search, &line);
    }
}

void dt_story_end(const dt_search *search)
{
    dt_line line = {.length = 0};
    if (!search->request->trace) {
        return;
    }
    tell_modes(search, false);
    tell_modes(search, true);
    dt_line_add(&line, "  verified after %zu round%s and %zu solves", search->result->rounds,
                plural(search->result->rounds), search->result->solves);
    tell(search, &line);
}
