#include "range.h"

#include "analysis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct range_work {
    analysis_work base;
    detent_analysis *analysis;
    size_t driven;
    detent_range range;
    detent_joint_range *joints;
} range_work;

static const char *const end_words[] = {[DETENT_RANGE_INTERVAL] = "end of the interval",
                                        [DETENT_RANGE_DEAD_CENTRE] = "dead centre",
                                        [DETENT_RANGE_SINGULAR] = "singular position",
                                        [DETENT_RANGE_UNENDED] = "not followed any farther",
                                        [DETENT_RANGE_STOP] = "stop"};
static const char *const end_keys[] = {[DETENT_RANGE_INTERVAL] = "interval",
                                       [DETENT_RANGE_DEAD_CENTRE] = "dead_centre",
                                       [DETENT_RANGE_SINGULAR] = "singular",
                                       [DETENT_RANGE_UNENDED] = "unended",
                                       [DETENT_RANGE_STOP] = "stop"};

static void choose_driven(range_work *work)
{
    analysis_work *base = &work->base;
    const char *name = base->options->driven;
    if (base->status) {
        return;
    }
    if (!name) {
        analysis_refuse(base, "option --driven NAME is missing: which joint moves the others");
        return;
    }
    const ptrdiff_t index = detent_find(base->mechanism, DETENT_PRIMITIVE, name);
    if (index < 0) {
        analysis_unknown(base, "driven", "joint", DETENT_PRIMITIVE, name);
        return;
    }
    work->driven = (size_t)index;
}

static void solve(range_work *work)
{
    analysis_work *base = &work->base;
    if (base->status) {
        return;
    }
    work->joints = calloc(base->info.primitives + 1, sizeof *work->joints);
    if (!work->joints) {
        base->status = DETENT_ERROR_MEMORY;
        base->error = (detent_error){.status = DETENT_ERROR_MEMORY, .message = "out of memory"};
        return;
    }
    base->status = detent_analysis_create(base->mechanism, NULL, &work->analysis, &base->error);
    if (!base->status) {
        work->range.size = sizeof work->range;
        base->status = detent_find_range(work->analysis, work->driven, base->options->from,
                                         base->options->to, &work->range, &base->error);
    }
    for (size_t i = 0; i < base->info.primitives && !base->status; i++) {
        work->joints[i] = (detent_joint_range)DETENT_INIT(detent_joint_range);
        detent_get_joint_range(work->analysis, i, &work->joints[i]);
    }
}

/* ---- output ---- */

enum { END_SIZE = 300 };

static const char *side_word(int side)
{
    return side < 0 ? "lower" : "upper";
}

/* What ended the way: of a stop whose it is, and which. */
static const char *end_text(const detent_mechanism *m, detent_range_end end, ptrdiff_t stop,
                            int side, char text[END_SIZE])
{
    if (end == DETENT_RANGE_STOP) {
        snprintf(text, END_SIZE, "%s %s of '%s'", side_word(side), end_words[end],
                 detent_name(m, DETENT_PRIMITIVE, (size_t)stop));
    } else {
        snprintf(text, END_SIZE, "%s", end_words[end]);
    }
    return text;
}

static const double degrees = 57.29577951308232;

static void print_text(const range_work *work)
{
    const detent_mechanism *m = work->base.mechanism;
    const detent_range *r = &work->range;
    const char *name = detent_name(m, DETENT_PRIMITIVE, work->driven),
               *unit = freedom_unit(m, work->driven, 0);
    int width = 5;
    printf("'%s' driven from %.9g %s\n", name, r->start, unit);
    if (r->turns) {
        const double turns = rint((r->high - r->low) / 6.283185307179586);
        if (turns > 1) {
            printf("it turns all the way round: after %g turns all is where it was\n", turns);
        } else {
            puts("it turns all the way round");
        }
    } else {
        char low[END_SIZE], high[END_SIZE];
        printf("to %.9g %s (%s) and %.9g %s (%s)\n", r->low, unit,
               end_text(m, r->low_end, r->low_stop, r->low_side, low), r->high, unit,
               end_text(m, r->high_end, r->high_stop, r->high_side, high));
    }
    for (size_t i = 0; i < work->base.info.primitives; i++) {
        width = column_width(width, detent_name(m, DETENT_PRIMITIVE, i));
    }
    printf("  %-*s %14s %14s %14s %14s\n", width, "", "lowest", "at", "highest", "at");
    for (size_t i = 0; i < work->base.info.primitives; i++) {
        const detent_joint_range *j = &work->joints[i];
        if (!isnan(j->low)) {
            printf("  %-*s %14.9g %14.9g %14.9g %14.9g %s\n", width,
                   detent_name(m, DETENT_PRIMITIVE, i), j->low, j->low_at, j->high, j->high_at,
                   freedom_unit(m, i, 0));
        }
    }
    printf("ratios dq/dq(%s)\n", name);
    for (size_t i = 0; i < work->base.info.primitives; i++) {
        const detent_joint_range *j = &work->joints[i];
        if (!isnan(j->ratio_low)) {
            printf("  %-*s %14.6g %14.6g %14.6g %14.6g %s/%s\n", width,
                   detent_name(m, DETENT_PRIMITIVE, i), j->ratio_low, j->ratio_low_at,
                   j->ratio_high, j->ratio_high_at, freedom_unit(m, i, 0), unit);
        }
    }
    printf("mechanical advantage, force by force along %s\n", name);
    for (size_t i = 0; i < work->base.info.primitives; i++) {
        const detent_joint_range *j = &work->joints[i];
        if (!isnan(j->advantage_low) && i != work->driven) {
            printf("  %-*s %14.6g %14.6g %14.6g %14.6g %s/%s\n", width,
                   detent_name(m, DETENT_PRIMITIVE, i), j->advantage_low, j->advantage_low_at,
                   j->advantage_high, j->advantage_high_at, effort_unit(m, i),
                   effort_unit(m, work->driven));
        }
    }
    puts("transmission angle");
    for (size_t i = 0; i < work->base.info.primitives; i++) {
        const detent_joint_range *j = &work->joints[i];
        if (!isnan(j->transmission_low)) {
            printf("  %-*s %14.6g %14.6g %14.6g %14.6g deg\n", width,
                   detent_name(m, DETENT_PRIMITIVE, i), degrees * j->transmission_low,
                   j->transmission_low_at, degrees * j->transmission_high, j->transmission_high_at);
        }
    }
}

/* Infinity has no text in JSON: the value is null, and which way it goes is in the key. */
static void json_extreme(json_writer *json, const char *key, double value, double at)
{
    json_object(json, key);
    json_number(json, "value", value);
    json_bool(json, "unbounded", isinf(value));
    json_number(json, "at", at);
    json_close(json);
}

static void json_joint(const range_work *work, json_writer *json, size_t i)
{
    const detent_joint_range *j = &work->joints[i];
    json_object(json, NULL);
    json_text(json, "joint", detent_name(work->base.mechanism, DETENT_PRIMITIVE, i));
    json_text(json, "unit", freedom_unit(work->base.mechanism, i, 0));
    json_extreme(json, "low", j->low, j->low_at);
    json_extreme(json, "high", j->high, j->high_at);
    json_extreme(json, "ratio_low", j->ratio_low, j->ratio_low_at);
    json_extreme(json, "ratio_high", j->ratio_high, j->ratio_high_at);
    json_extreme(json, "advantage_low", j->advantage_low, j->advantage_low_at);
    json_extreme(json, "advantage_high", j->advantage_high, j->advantage_high_at);
    json_extreme(json, "transmission_low", j->transmission_low, j->transmission_low_at);
    json_extreme(json, "transmission_high", j->transmission_high, j->transmission_high_at);
    json_close(json);
}

static void json_end_of_way(const range_work *work, json_writer *json, bool high)
{
    const detent_range *r = &work->range;
    const detent_range_end end = high ? r->high_end : r->low_end;
    json_object(json, high ? "high" : "low");
    json_number(json, "value", high ? r->high : r->low);
    json_text(json, "end", end_keys[end]);
    if (end == DETENT_RANGE_STOP) {
        json_object(json, "stop");
        json_text(json, "joint",
                  detent_name(work->base.mechanism, DETENT_PRIMITIVE,
                              (size_t)(high ? r->high_stop : r->low_stop)));
        json_text(json, "side", side_word(high ? r->high_side : r->low_side));
        json_close(json);
    }
    json_close(json);
}

static void print_json(const range_work *work)
{
    const detent_range *r = &work->range;
    json_writer json;
    if (!analysis_begin_json(&work->base, &json, work->base.settings.start)) {
        return;
    }
    json_text(&json, "driven", detent_name(work->base.mechanism, DETENT_PRIMITIVE, work->driven));
    json_text(&json, "unit", freedom_unit(work->base.mechanism, work->driven, 0));
    json_number(&json, "start", r->start);
    json_bool(&json, "turns", r->turns);
    json_end_of_way(work, &json, false);
    json_end_of_way(work, &json, true);
    json_count(&json, "points", r->points);
    json_array(&json, "joints");
    for (size_t i = 0; i < work->base.info.primitives; i++) {
        if (!isnan(work->joints[i].low)) {
            json_joint(work, &json, i);
        }
    }
    json_close(&json);
    analysis_end_json(&json);
}

int range_command(const cli_options *options)
{
    range_work work = {.base = analysis_load(options)};
    choose_driven(&work);
    solve(&work);
    if (options->json) {
        print_json(&work);
    } else if (!work.base.status) {
        print_text(&work);
    }
    detent_analysis_destroy(work.analysis);
    free(work.joints);
    return analysis_finish(&work.base);
}
