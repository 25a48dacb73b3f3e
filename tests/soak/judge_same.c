/* Runs that are the same to the last bit: see court.h. */
#include "court.h"

#include <stdlib.h>
#include <string.h>

/* Two runs of a variant end at the same bits; `what` the second one is. One that was cut short ends somewhere. */
static bool ends_alike(court *c, const record *a, const record *b, verdict_kind kind,
                       const char *name, const char *what)
{
    if (a->slow || b->slow) {
        return true;
    }
    if (a->status != b->status) {
        return court_say(c, kind, name, "%s: %s", what,
                         b->status == DETENT_OK ? "it comes to its end" : b->message);
    }
    const double *x = a->sample + (size_t)(a->samples - 1) * a->row,
                 *y = b->sample + (size_t)(b->samples - 1) * b->row;
    for (size_t j = 0; j < a->row; j++) {
        if (memcmp(&x[j], &y[j], sizeof *x) != 0) {
            return court_say(c, kind, name,
                             "number %zu of the state at the end is %.17g; %s: %.17g", j, x[j],
                             what, y[j]);
        }
    }
    return true;
}

static bool compare_blind(court *c, const record *seen, const record_variant *variant,
                          record *blind)
{
    record_script script = c->trial->script;
    script.blind = true;
    court_run(c, c->mechanism, variant, 1, &script, blind);
    return ends_alike(c, seen, blind, VERDICT_READING, variant->name, "where nobody looks");
}

static bool compare_stirred(court *c, const record *seen, const record_variant *variant)
{
    record_script script = c->trial->script;
    record r;
    script.stirred = true;
    court_run(c, c->mechanism, variant, 1, &script, &r);
    const bool same = ends_alike(c, seen, &r, VERDICT_STIRRED, variant->name,
                                 "where much is done that changes nothing");
    record_free(&r);
    return same;
}

static bool compare_written(court *c, const record *blind, const record_variant *variant)
{
    detent_mechanism *again = NULL;
    detent_error error = {0};
    size_t length = 0;
    char *text = NULL;
    bool same = detent_mechanism_text(c->mechanism, NULL, 0, &length, &error) == DETENT_OK;
    text = same ? malloc(length + 1) : NULL;
    same = text &&
           detent_mechanism_text(c->mechanism, text, length + 1, &length, &error) == DETENT_OK &&
           detent_mechanism_parse(text, length, "written", NULL, &again, &error) == DETENT_OK;
    if (same) {
        record_script script = c->trial->script;
        record r;
        script.blind = true;
        court_run(c, again, variant, 1, &script, &r);
        same = ends_alike(c, blind, &r, VERDICT_WRITTEN, variant->name, "written and read again");
        record_free(&r);
    } else {
        court_say(c, VERDICT_WRITTEN, variant->name, "written: %s", error.message);
    }
    detent_mechanism_destroy(again);
    free(text);
    return same;
}

bool court_same_runs(court *c)
{
    const int k = (int)(c->trial->salt % VARIANTS);
    const record *seen = &c->record[k];
    record blind;
    if (seen->slow) {
        return true;
    }
    const bool same = compare_blind(c, seen, &variants[k], &blind) &&
                      compare_stirred(c, seen, &variants[k]) &&
                      compare_written(c, &blind, &variants[k]);
    record_free(&blind);
    return same;
}

bool court_same_clone(court *c, const record_variant *variant, const record_script *script,
                      const record *restored)
{
    record_script other = *script;
    record r;
    other.cloned = true;
    court_run(c, c->mechanism, variant, 1, &other, &r);
    const bool same = ends_alike(c, restored, &r, VERDICT_RESTORE, variant->name, "of a clone");
    record_free(&r);
    return same;
}
