/* All variants against each other: see judge.h. */
#include "judge.h"

#include "court.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Distances are in tolerances of one run, which is about what its error is. */
static const double near_enough = 100;
static const double as_sensitive = 30;
static const double tight = 0.01;
static const double much_longer = 6; /* for a run that does not seem to get on */
const double trial_sizes[TRIAL_CHANGED] = {1, 10, 10, 100};

bool court_say(court *c, verdict_kind kind, const char *variant, const char *format, ...)
{
    verdict *v = c->v;
    v->kind = kind;
    if (variant != v->variant) {
        snprintf(v->variant, sizeof v->variant, "%s", variant);
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(v->words, sizeof v->words, format, arguments);
    va_end(arguments);
    return false;
}

void court_run(court *c, const detent_mechanism *mechanism, const record_variant *variant,
               double tighter, const record_script *script, record *r)
{
    snprintf(c->v->variant, sizeof c->v->variant, "%s%s%s", variant->name,
             tighter < 1 ? " tight" : "",
             script->blind          ? " blind"
             : script->stirred      ? " stirred"
             : script->cloned       ? " cloned"
             : script->restored > 0 ? " restored"
                                    : "");
    child_start_clock(script->seconds);
    record_run(mechanism, variant, tighter, script, r);
    c->v->runs++;
    c->v->slow = c->v->slow || r->slow;
}

/*
 * How a run stood at its end. The engine orders primitives along the branches of the tree; here they stand in the order
 * of the file.
 */
double verdict_state(const verdict *v, const char *name, double otherwise)
{
    for (size_t k = 0; v && k < v->states; k++) {
        if (strcmp(v->state_name[k], name) == 0) {
            return v->z[k];
        }
    }
    return otherwise;
}

static void keep_state(court *c, const record *r)
{
    verdict *v = c->v;
    const size_t nq = r->coordinates, nv = r->freedoms, size = nq + 3 * nv;
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    v->time = r->time;
    v->coordinates = v->freedoms = 0;
    if (!r->stands || size > VERDICT_STATE) {
        return;
    }
    detent_mechanism_get_info(c->mechanism, &info);
    v->states = r->states;
    for (size_t k = 0; k < r->states; k++) {
        snprintf(v->state_name[k], sizeof v->state_name[k], "%s",
                 detent_name(c->mechanism, DETENT_STATE, k));
        v->z[k] = r->z[k];
    }
    for (size_t k = 0; k < r->outputs; k++, v->states++) {
        snprintf(v->state_name[v->states], sizeof *v->state_name, "%s",
                 detent_name(c->mechanism, DETENT_OUTPUT, k));
        v->z[v->states] = r->output[k];
    }
    for (size_t joint = 0; joint < info.joints; joint++) {
        for (size_t i = 0; i < info.primitives; i++) {
            detent_primitive_info p = DETENT_INIT(detent_primitive_info);
            detent_get_primitive(c->mechanism, i, &p);
            if (p.joint != joint) {
                continue;
            }
            for (size_t k = 0; k < p.coordinates; k++) {
                v->state[v->coordinates++] = r->end[p.first_coordinate + k];
            }
            for (size_t k = 0; k < p.freedoms; k++, v->freedoms++) {
                for (size_t what = 0; what < 3; what++) {
                    v->state[nq + what * nv + (size_t)v->freedoms] =
                        r->end[nq + what * nv + p.first_freedom + k];
                }
            }
        }
    }
}

/* A run that did not get on gets much more time: what gets on then was slow. One that stands needs no other proof. */
static void run_longer(court *c, const record_variant *variant, double tighter, record *r)
{
    record_script script = c->trial->script;
    script.seconds *= much_longer;
    record_free(r);
    court_run(c, c->mechanism, variant, tighter, &script, r);
}

bool court_checks(court *c, const record *r)
{
    keep_state(c, r);
    if (r->hangs) {
        return court_say(c, VERDICT_HANG, c->v->variant,
                         "the run stands at t = %.9g of %g after %g s", r->time, c->settings.end,
                         c->trial->script.seconds);
    }
    if (r->status < 0) {
        return court_say(c, VERDICT_ABORT, c->v->variant, "%s: %s", detent_status_text(r->status),
                         r->message);
    }
    if (r->status == DETENT_EVENT_STORM) {
        return court_say(c, VERDICT_STORM, c->v->variant, "%s", r->message);
    }
    if (r->breach[0]) {
        return court_say(c, VERDICT_BREACH, c->v->variant, "%s", r->breach);
    }
    return true;
}

/* How many slow runs were cut short before a time: they do not say what is there. */
static int count_cut(const court *c, double time)
{
    int count = 0;
    for (int k = 0; k < VARIANTS; k++) {
        count += c->record[k].slow && c->record[k].time < time;
    }
    return count;
}

static bool run_variants(court *c)
{
    int none = 0, last = 0;
    for (int k = 0; k < VARIANTS; k++) {
        court_run(c, c->mechanism, &variants[k], 1, &c->trial->script, &c->record[k]);
        if (c->record[k].hangs) {
            run_longer(c, &variants[k], 1, &c->record[k]);
        }
        if (!court_checks(c, &c->record[k])) {
            return false;
        }
        if (c->record[k].status == DETENT_NO_CONSISTENT_STATE) {
            none++;
            last = k;
        }
    }
    if (none > 0) {
        const int cut = count_cut(c, c->record[last].time);
        keep_state(c, &c->record[last]);
        return court_say(c, none + cut == VARIANTS ? VERDICT_NONE : VERDICT_NONE_OF_SOME,
                         variants[last].name, "%s", c->record[last].message);
    }
    return true;
}

static bool run_reference(court *c)
{
    court_run(c, c->mechanism, &variants[3], tight, &c->trial->script, &c->reference);
    if (c->reference.hangs) {
        run_longer(c, &variants[3], tight, &c->reference);
    }
    if (!court_checks(c, &c->reference)) {
        return false;
    }
    if (c->reference.status == DETENT_NO_CONSISTENT_STATE) {
        return court_say(c, VERDICT_NONE_OF_SOME, c->v->variant, "%s", c->reference.message);
    }
    return true;
}

/* How far small changes of the mechanism take the reference. */
static void run_changed(court *c)
{
    const verdict kept = *c->v;
    c->knows_changed = true;
    for (int k = 0; k < TRIAL_CHANGED && c->trial->changed[k]; k++) {
        detent_mechanism *other = NULL;
        detent_error error;
        const char *text = c->trial->changed[k];
        record r;
        if (detent_mechanism_parse(text, strlen(text), c->trial->name, NULL, &other, &error) !=
            DETENT_OK) {
            continue;
        }
        court_run(c, other, &variants[3], tight, &c->trial->script, &r);
        distance_of(&c->reference, &r, &c->settings, &c->changed[k]);
        if (r.status != DETENT_OK && c->changed[k].count > 0) {
            /* one that cannot go on is as far away as can be from then on */
            const size_t count = c->changed[k].count;
            c->changed[k].value[count - 1] = (double)INFINITY;
            c->changed[k].time[count - 1] = isnan(r.time) ? 0 : r.time;
        }
        record_free(&r);
        detent_mechanism_destroy(other);
    }
    const int runs = c->v->runs;
    *c->v = kept;
    c->v->runs = runs;
}

double court_sensitivity(court *c, double time)
{
    double most = 0;
    if (!c->knows_changed) {
        run_changed(c);
    }
    const double later = time + 0.02 * (c->settings.end - c->settings.start);
    for (int k = 0; k < TRIAL_CHANGED; k++) {
        most = fmax(most, distance_at(&c->changed[k], later) / fmin(trial_sizes[k], 10));
    }
    return most;
}

/* The first step at which the distance is more than the mechanism explains; `count` if there is none. */
static size_t unexplained(court *c, const distance *d)
{
    size_t k = 0;
    for (; k < d->count; k++) {
        if (d->value[k] > near_enough &&
            d->value[k] > as_sensitive * court_sensitivity(c, d->time[k])) {
            break;
        }
        if (d->value[k] > near_enough) {
            c->v->sensitive = true;
        } else {
            c->v->worst = fmax(c->v->worst, d->value[k]);
        }
    }
    return k;
}

/*
 * Bounces of restitution 1 have no end of their own where friction is viscous near rest; a run ends them where its tolerance tells nothing of
 * them, and says so. Friction that follows reactions is another in bounces and at rest, however low they are, so that what comes after
 * depends on when. With tolerances alike runs still agree: that remains asked for.
 */
static bool is_told(const court *c, const record *r)
{
    static const char *const carried[] = {"reaction_", "normal_force", "thrust_force", "bearing"};
    bool follows = false;
    for (size_t n = 0; n < sizeof carried / sizeof *carried; n++) {
        follows = follows || strstr(c->trial->text, carried[n]);
    }
    return follows && c->reference.statistics.endless > 0 && r->statistics.endless > 0;
}

static bool compare(court *c, const record *r, const record_variant *variant,
                    const record_script *script, verdict_kind kind)
{
    distance d;
    distance_of(&c->reference, r, &c->settings, &d);
    const size_t k = unexplained(c, &d);
    bool agrees = k == d.count;
    if (!agrees) {
        record again;
        distance closer;
        court_run(c, c->mechanism, variant, tight, script, &again);
        distance_of(&c->reference, &again, &c->settings, &closer);
        const bool converges =
            again.status == DETENT_OK && !again.hangs && unexplained(c, &closer) == closer.count;
        agrees = converges && is_told(c, r);
        c->v->sensitive = c->v->sensitive || agrees;
        if (!agrees) {
            court_say(c, converges && kind == VERDICT_DISAGREE ? VERDICT_INACCURATE : kind,
                      variant->name, "%s; %.3g tolerances, of which one makes %.3g",
                      distance_words(&d, k), d.value[k], court_sensitivity(c, d.time[k]));
        }
        record_free(&again);
        distance_free(&closer);
    }
    distance_free(&d);
    return agrees;
}

static bool compare_variants(court *c)
{
    for (int k = 0; k < VARIANTS; k++) {
        if (!compare(c, &c->record[k], &variants[k], &c->trial->script, VERDICT_DISAGREE)) {
            return false;
        }
    }
    return true;
}

static bool compare_restored(court *c)
{
    const int k = (int)(c->trial->salt / VARIANTS % VARIANTS);
    record_script script = c->trial->script;
    script.restored = c->settings.start + (c->settings.end - c->settings.start) *
                                              (0.1 + 0.8 * (c->trial->salt % 1000) / 1000);
    record r;
    court_run(c, c->mechanism, &variants[k], 1, &script, &r);
    bool well = court_checks(c, &r);
    if (well && r.status != DETENT_OK) {
        well = court_say(c, VERDICT_RESTORE, variants[k].name, "%s", r.message);
    }
    well = well && compare(c, &r, &variants[k], &script, VERDICT_RESTORE) &&
           court_same_clone(c, &variants[k], &script, &r);
    record_free(&r);
    return well;
}

static void load(court *c)
{
    const trial *t = c->trial;
    detent_error error;
    snprintf(c->v->variant, sizeof c->v->variant, "load");
    if (detent_mechanism_parse(t->text, strlen(t->text), t->name, NULL, &c->mechanism, &error) !=
        DETENT_OK) {
        court_say(c, VERDICT_REFUSED, "load", "%d:%d: %s", error.line, error.column, error.message);
        c->mechanism = NULL;
        return;
    }
    detent_settings own = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(c->mechanism, &own);
    c->settings = own;
}

void judge(const trial *t, verdict *v)
{
    court *c = calloc(1, sizeof *c);
    if (!c) {
        abort();
    }
    *v = (verdict){.kind = VERDICT_FINE};
    c->trial = t;
    c->v = v;
    load(c);
    if (c->mechanism && run_variants(c) && run_reference(c) && compare_variants(c) &&
        court_same_runs(c) && compare_restored(c) && (!t->steps || court_steps(c))) {
        v->variant[0] = '\0';
    }
    for (int k = 0; k < VARIANTS; k++) {
        record_free(&c->record[k]);
    }
    for (int k = 0; k < TRIAL_CHANGED; k++) {
        distance_free(&c->changed[k]);
    }
    record_free(&c->reference);
    detent_mechanism_destroy(c->mechanism);
    free(c);
}

/* ---- words ---- */

const char *verdict_name(verdict_kind kind)
{
    static const char *const names[VERDICT_KINDS] = {"fine",
                                                     "refused",
                                                     "no consistent state, proved",
                                                     "no consistent state, NOT PROVED",
                                                     "no consistent state in some variants",
                                                     "abort",
                                                     "event storm",
                                                     "invariant breached",
                                                     "disagreement",
                                                     "inaccuracy",
                                                     "reading changes the run",
                                                     "restored run differs",
                                                     "what changes nothing changes the run",
                                                     "written and read, the run differs",
                                                     "accelerations are wrong",
                                                     "hang",
                                                     "crash"};
    return names[kind];
}

/* Numbers and what stands in quotes differ from case to case; the distance of two runs is all numbers. */
void verdict_class(const verdict *v, char *text, size_t capacity)
{
    size_t length = (size_t)snprintf(text, capacity, "%s: ", verdict_name(v->kind));
    if (v->kind == VERDICT_BREACH) {
        snprintf(text + length, capacity - length, "%.*s", (int)strcspn(v->words, ":"), v->words);
        return;
    }
    if (v->kind == VERDICT_DISAGREE || v->kind == VERDICT_INACCURATE ||
        v->kind == VERDICT_READING || v->kind == VERDICT_RESTORE || v->kind == VERDICT_DYNAMICS ||
        v->kind == VERDICT_STIRRED || v->kind == VERDICT_WRITTEN || v->kind == VERDICT_HANG) {
        text[length > 2 ? length - 2 : 0] = '\0';
        return;
    }
    bool quoted = false;
    for (const char *w = v->words; *w && length + 1 < capacity; w++) {
        if (*w == '\'') {
            quoted = !quoted;
        } else if (!quoted && !strchr("0123456789.+-", *w)) {
            text[length++] = *w;
        }
    }
    text[length] = '\0';
}

bool verdict_same(const verdict *a, const verdict *b)
{
    char x[160], y[160];
    verdict_class(a, x, sizeof x);
    verdict_class(b, y, sizeof y);
    x[90] = y[90] = '\0';
    return a->kind == b->kind && strcmp(x, y) == 0;
}
