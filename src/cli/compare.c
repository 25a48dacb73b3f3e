#include "compare.h"

#include "compare_parts.h"

#include "describe.h"
#include "help.h"
#include "interrupt.h"
#include "load.h"
#include "nearest.h"
#include "results.h"
#include "store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char reference_law[] = "stiction";

/* ---- joints ---- */

static void fail_memory(analysis_work *base)
{
    if (!base->status) {
        base->status = DETENT_ERROR_MEMORY;
        base->error = (detent_error){.status = DETENT_ERROR_MEMORY, .message = "out of memory"};
    }
}

/* Whether laws can be chosen for all of these joints: the file gives them friction. Memory that is out is kept as an error. */
static bool have_friction(compare_work *work, const size_t *joints, size_t count)
{
    cli_options options = work->options;
    detent_error ignored;
    detent_mechanism *m = NULL;
    for (size_t j = 0; j < count; j++) {
        work->choices[j] = (detent_law_choice){
            .size = sizeof(detent_law_choice),
            .primitive = detent_name(work->base.mechanism, DETENT_PRIMITIVE, joints[j]),
            .law = "none"};
    }
    options.choices = work->choice_list;
    options.choice_count = count;
    const detent_status status = load_mechanism(&options, &m, &ignored);
    detent_mechanism_destroy(m);
    if (status == DETENT_ERROR_MEMORY) {
        fail_memory(&work->base);
    }
    return status != DETENT_ERROR_ARGUMENT;
}

static bool is_friction_law(const detent_mechanism *m, const char *name)
{
    detent_kind_info kind = DETENT_INIT(detent_kind_info);
    for (size_t k = 0; detent_get_kind(k, &kind) == DETENT_OK; k++) {
        if (strcmp(kind.name, "friction laws") == 0) {
            return detent_find(m, kind.item, name) >= 0;
        }
    }
    return false;
}

/* All joints with stiction or a law; but stiction may also be there for a stop or the mesh of a coupling, and stays then. */
static void find_joints(compare_work *work)
{
    size_t kept = 0;
    for (size_t k = 0; k < work->base.info.primitives; k++) {
        detent_primitive_info p = DETENT_INIT(detent_primitive_info);
        detent_get_primitive(work->base.mechanism, k, &p);
        if (p.stiction >= 0 || is_friction_law(work->base.mechanism, p.name)) {
            work->joints[work->joint_count++] = k;
        }
    }
    if (have_friction(work, work->joints, work->joint_count)) {
        return;
    }
    for (size_t j = 0; j < work->joint_count; j++) {
        if (have_friction(work, &work->joints[j], 1)) {
            work->joints[kept++] = work->joints[j];
        }
    }
    work->joint_count = kept;
}

static void choose_joints(compare_work *work)
{
    const char *name;
    char *list = work->name_list;
    while (!work->base.status && (name = next_item(&list)) != NULL) {
        const ptrdiff_t index = detent_find(work->base.mechanism, DETENT_PRIMITIVE, name);
        if (index < 0) {
            analysis_unknown(&work->base, "joints", "joint", DETENT_PRIMITIVE, name);
        } else {
            work->joints[work->joint_count++] = (size_t)index;
        }
    }
    if (!work->name_list && !work->base.status) {
        find_joints(work);
    }
    if (work->joint_count == 0) {
        analysis_refuse(&work->base,
                        "no joint of the mechanism has friction: there is nothing to compare");
    }
}

/* The sizes at which laws are smooth, where neither the file nor the command line has any: a thousandth of the scale of the velocity, a
 * ten-thousandth of that of the position. */
static void choose_sizes(compare_work *work)
{
    analysis_work *base = &work->base;
    analysis_simulate(base);
    for (size_t j = 0; j < work->joint_count && !base->status; j++) {
        detent_primitive_info p = DETENT_INIT(detent_primitive_info);
        detent_scale scale = DETENT_INIT(detent_scale);
        detent_get_primitive(base->mechanism, work->joints[j], &p);
        base->status = detent_get_scale(base->simulation, work->joints[j], &scale, &base->error);
        const double own = p.velocity_threshold > 0 ? p.velocity_threshold : 1e-3 * scale.velocity;
        work->choices[j] = (detent_law_choice){
            .size = sizeof(detent_law_choice),
            .primitive = p.name,
            .velocity = isnan(work->options.velocity) ? own : work->options.velocity,
            .stretch = isnan(work->options.stretch) ? 1e-4 * scale.position : work->options.stretch,
            .keys = work->options.law_keys,
            .key_count = work->options.law_key_count};
    }
}

/* ---- laws ---- */

static const char *const integrators[] = {"ida", "erk", "auto", "euler", "rk4", "fixed", NULL};

/* Refuses a word that none of a list is, with the nearest one. */
static void refuse_word(compare_work *work, const char *what, const char *word,
                        const char *(*at)(size_t))
{
    const char *nearest = NULL;
    for (size_t k = 0; at(k); k++) {
        const bool nearer = !nearest || edit_distance(word, at(k)) < edit_distance(word, nearest);
        nearest = is_near(word, at(k)) && nearer ? at(k) : nearest;
    }
    analysis_refuse(&work->base, "option --laws: there is no %s '%s'%s%s%s", what, word,
                    nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

static const char *integrator_at(size_t k)
{
    return integrators[k];
}

static ptrdiff_t find_word(const char *word, const char *(*at)(size_t))
{
    size_t k = 0;
    while (at(k) && strcmp(at(k), word) != 0) {
        k++;
    }
    return at(k) ? (ptrdiff_t)k : -1;
}

static char *copy(const char *text)
{
    char *own = malloc(strlen(text) + 1);
    return own ? strcpy(own, text) : NULL;
}

/* LAW or LAW@INTEGRATOR. `text` is split in place. */
static void add_law(compare_work *work, char *text)
{
    law_run *run = &work->runs[work->run_count];
    *run = (law_run){.name = copy(text), .integrator = -1};
    work->run_count++;
    char *at = strchr(text, '@');
    if (!run->name) {
        fail_memory(&work->base);
        return;
    }
    if (at) {
        *at = '\0';
        run->integrator = (int)find_word(at + 1, integrator_at);
        if (run->integrator < 0) {
            refuse_word(work, "integrator", at + 1, integrator_at);
        }
    }
    const ptrdiff_t law = find_word(text, detent_friction_law);
    if (law < 0) {
        refuse_word(work, "friction law", text, detent_friction_law);
    } else {
        run->law = detent_friction_law((size_t)law);
    }
}

/* The reference is there, too. */
static void choose_laws(compare_work *work)
{
    char *list = work->law_list, *text, own[] = "stiction";
    const size_t room = 2 + (list ? strlen(list) : 0);
    size_t all = 0;
    while (detent_friction_law(all)) {
        all++;
    }
    work->runs = calloc(room + all, sizeof *work->runs);
    if (!work->runs) {
        fail_memory(&work->base);
        return;
    }
    while (!work->base.status && (text = next_item(&list)) != NULL) {
        add_law(work, text);
    }
    for (size_t k = 0; !work->law_list && k < all; k++) {
        char name[32];
        snprintf(name, sizeof name, "%s", detent_friction_law(k));
        add_law(work, name);
    }
    work->reference = 0;
    while (work->reference < work->run_count && !work->base.status &&
           strcmp(work->runs[work->reference].name, reference_law) != 0) {
        work->reference++;
    }
    if (!work->base.status && work->reference == work->run_count) {
        add_law(work, own);
    }
}

/* Laws that have no meaning without. */
static bool is_of_fixed_steps(const char *law)
{
    return strcmp(law, "karnopp") == 0 || strcmp(law, "borello") == 0;
}

static void choose_settings(const compare_work *work, law_run *run)
{
    const cli_options *o = &work->options;
    const detent_mechanism_info *info = &work->base.info;
    detent_settings *s = &run->settings;
    *s = work->base.settings;
    s->end = isnan(o->end) ? s->end : o->end;
    s->rtol = isnan(o->rtol) ? s->rtol : o->rtol;
    s->atol = isnan(o->atol) ? s->atol : o->atol;
    s->max_step = isnan(o->max_step) ? s->max_step : o->max_step;
    s->interval = !isnan(o->interval)       ? o->interval
                  : info->interval_is_given ? s->interval
                                            : (s->end - s->start) / 1000;
    if (run->integrator >= 0) {
        s->integrator = (detent_integrator)run->integrator;
    } else if (is_of_fixed_steps(run->law) && !has_fixed_step(s)) {
        s->integrator = DETENT_INTEGRATOR_EULER;
    }
    s->max_solves = s->integrator == DETENT_INTEGRATOR_FIXED ? s->max_solves : 0;
    s->step = !has_fixed_step(s) ? 0 : isnan(o->step) ? s->step : o->step;
}

/* ---- the command ---- */

static void check_options(compare_work *work)
{
    const cli_options *o = &work->options;
    const detent_settings *s = &work->base.settings;
    if (work->base.status) {
        return;
    }
    if (!isnan(o->end) && o->end <= s->start) {
        analysis_refuse(&work->base, "option --end: the run starts at %g s only", s->start);
    }
    if (o->records && !o->output) {
        analysis_refuse(&work->base, "option --record: --output is missing, the directory of the "
                                     "records");
    } else if (o->records) {
        work->base.status = store_available(&work->base.error);
        work->base.is_told = work->base.status != DETENT_OK;
    }
    if (o->signal && detent_find(work->base.mechanism, DETENT_OUTPUT, o->signal) < 0) {
        analysis_unknown(&work->base, "command", "output", DETENT_OUTPUT, o->signal);
    }
}

static void prepare(compare_work *work)
{
    analysis_work *base = &work->base;
    const cli_options *o = &work->options;
    if (base->status) {
        return;
    }
    const size_t room = base->info.primitives + 1 + (o->joints ? strlen(o->joints) : 0);
    work->joints = malloc(room * sizeof *work->joints);
    work->choices = malloc(room * sizeof *work->choices);
    work->choice_list = malloc(room * sizeof *work->choice_list);
    work->name_list = o->joints ? copy(o->joints) : NULL;
    work->law_list = o->laws ? copy(o->laws) : NULL;
    if (!work->joints || !work->choices || !work->choice_list || (o->joints && !work->name_list) ||
        (o->laws && !work->law_list)) {
        fail_memory(base);
        return;
    }
    for (size_t k = 0; k < room; k++) {
        work->choice_list[k] = &work->choices[k];
    }
    check_options(work);
    choose_laws(work);
    choose_joints(work);
    choose_sizes(work);
    if (!base->status && o->output) {
        base->status = results_make_directory(o->output, &base->error);
        base->is_told = base->status != DETENT_OK;
    }
}

static void run_all(compare_work *work)
{
    analysis_work *base = &work->base;
    size_t failed = 0;
    for (size_t k = 0; k < work->run_count && !base->status; k++) {
        law_run *run = &work->runs[k];
        choose_settings(work, run);
        if (has_fixed_step(&run->settings) && run->settings.step == 0) {
            run->status = DETENT_ERROR_ARGUMENT;
            run->error = (detent_error){.status = run->status};
            snprintf(run->error.message, sizeof run->error.message,
                     "option --step is missing: the length of the steps of %s",
                     integrator_name(&run->settings));
        } else {
            compare_run(work, run);
        }
        failed += run->status != DETENT_OK;
        const bool fatal = run->status == DETENT_INTERRUPTED ||
                           run->status == DETENT_ERROR_MEMORY || run->status == DETENT_ERROR_IO;
        if (fatal ||
            failed == work->run_count) { /* what all have in common is what the first one says */
            const law_run *told = fatal ? run : &work->runs[0];
            base->status = told->status;
            base->error = told->error;
            base->is_told = told->is_told;
        }
    }
    for (size_t k = 0; k < work->run_count && !base->status; k++) {
        compare_measure(work, &work->runs[k], &work->runs[work->reference]);
    }
    for (size_t j = 0; j < work->joint_count && !base->status && work->options.output; j++) {
        base->status = compare_plot(work, j);
        base->is_told = base->status != DETENT_OK;
    }
}

static void give_back(compare_work *work)
{
    for (size_t k = 0; k < work->run_count; k++) {
        law_run *run = &work->runs[k];
        free(run->name);
        free(run->time);
        free(run->position);
        free(run->command);
        free(run->of);
    }
    free(work->runs);
    free(work->joints);
    free(work->choices);
    free(work->choice_list);
    free(work->name_list);
    free(work->law_list);
    free(work->text);
}

int compare_command(const cli_options *options)
{
    compare_work work = {.options = *options};
    detent_error error;
    const detent_status status = load_text(&work.options, &work.text, &error);
    work.base = status ? (analysis_work){.options = options, .status = status, .error = error}
                       : analysis_load(&work.options);
    prepare(&work);
    run_all(&work);
    if (options->json) {
        compare_print_json(&work);
    } else if (!work.base.status) {
        compare_print_text(&work);
    }
    give_back(&work);
    return analysis_finish(&work.base);
}
