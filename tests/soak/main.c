/*
 * soak [MINUTES] [SEED] [OPTION]...: random mechanisms, every variant against every other. soak FILE...: the same with
 * mechanisms that are given.
 */
#include "chance.h"
#include "impacts.h"
#include "judge.h"
#include "prove.h"
#include "report.h"
#include "shrink.h"
#include "support_written.h"
#include "vary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

typedef struct options {
    double minutes, seconds, budget;
    uint64_t seed;
    long first, most; /* numbers of mechanisms */
    long impacts;
    const char *folder, *wishes;
    bool show, written;
    int files;
    char **file;
} options;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define WISH(name, since, words) "  from " #since " on: " words " (" #name ")\n"
#define WISHES                   SKETCH_WISH_TABLE(WISH)

/* clang-format off */
static const char help[] =
    "usage: soak [MINUTES] [SEED] [OPTION]...\n"
    "       soak FILE...\n"
    "Runs random mechanisms in every variant of the engine, compares them, and cuts down what fails.\n"
    "What mechanisms have follows from the seed:\n"
    WISHES
    "Options:\n"
    "  --out FOLDER      where mechanisms that fail are written (build/soak)\n"
    "  --first N         start with the N-th mechanism of the seed\n"
    "  --count N         try N mechanisms, however long that takes\n"
    "  --wishes LIST     what mechanisms have, whatever the seed: names as above, with commas between\n"
    "  --run-time S      CPU time after which a run is cut short, or hangs if it does not get on (10)\n"
    "  --shrink-time S   time to cut down a failure (30)\n"
    "  --impacts N       make N impacts of random mechanisms at random states instead of runs\n"
    "  --show            print the mechanisms instead of running them\n"
    "  --written         write them as files and read these instead of running them\n"
    "Exits with 1 if anything failed.\n";
/* clang-format on */

static void read_option(options *o, const char *name, const char *value)
{
    if (strcmp(name, "--out") == 0) {
        o->folder = value;
    } else if (strcmp(name, "--first") == 0) {
        o->first = atol(value);
    } else if (strcmp(name, "--count") == 0) {
        o->most = atol(value);
    } else if (strcmp(name, "--impacts") == 0) {
        o->impacts = atol(value);
    } else if (strcmp(name, "--wishes") == 0) {
        o->wishes = value;
    } else if (strcmp(name, "--run-time") == 0) {
        o->seconds = atof(value);
    } else if (strcmp(name, "--shrink-time") == 0) {
        o->budget = atof(value);
    } else {
        fprintf(stderr, "unknown option %s\n%s", name, help);
        exit(2);
    }
}

static options read_options(int count, char **words)
{
    options o = {
        .minutes = 1, .seed = 1, .seconds = 10, .budget = 30, .most = -1, .folder = "build/soak"};
    int numbers = 0;
    o.file = words;
    for (int k = 1; k < count; k++) {
        char *end;
        if (strcmp(words[k], "--help") == 0) {
            fputs(help, stdout);
            exit(0);
        } else if (strcmp(words[k], "--show") == 0) {
            o.show = true;
        } else if (strcmp(words[k], "--written") == 0) {
            o.written = true;
        } else if (words[k][0] == '-') {
            read_option(&o, words[k], k + 1 < count ? words[k + 1] : "");
            k++;
        } else {
            const double number = strtod(words[k], &end);
            if (*end) {
                o.file[o.files++] = words[k];
            } else if (numbers++ == 0) {
                o.minutes = number;
            } else {
                o.seed = strtoull(words[k], NULL, 10);
            }
        }
    }
    return o;
}

/* ---- files ---- */

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    if (!file || !text) {
        perror(path);
        exit(2);
    }
    const size_t length = fread(text, 1, (1 << 20) - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

/* Lines "# input u TIME VALUE" say what is done during the run. */
static void read_script(const char *text, record_script *s)
{
    for (const char *at = text; (at = strstr(at, "# input u ")) && s->inputs < RECORD_INPUTS;) {
        char *end;
        s->input_time[s->inputs] = strtod(at + 10, &end);
        s->input_value[s->inputs++] = strtod(end, NULL);
        at = end;
    }
}

/* What shows how sensitive it is: changes in units of its own tolerance. */
static void make_changed(trial *t, char *changed[TRIAL_CHANGED])
{
    enum { LONGEST = 1 << 21 };
    detent_mechanism *m = NULL;
    if (detent_mechanism_parse(t->text, strlen(t->text), t->name, NULL, &m, NULL) != DETENT_OK) {
        return;
    }
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(m, &settings);
    for (int k = 0; k < TRIAL_CHANGED; k++) {
        changed[k] = malloc(LONGEST);
        if (!changed[k]) {
            perror(t->name);
            exit(2);
        }
        vary(t->text, (uint64_t)k + 1, trial_sizes[k] * settings.rtol, changed[k], LONGEST);
        t->changed[k] = changed[k];
    }
    detent_mechanism_destroy(m);
}

static int judge_files(const options *o)
{
    int failures = 0;
    for (int k = 0; k < o->files; k++) {
        char *text = read_file(o->file[k]), *changed[TRIAL_CHANGED] = {NULL};
        trial t = {.name = o->file[k], .text = text, .steps = true};
        verdict v;
        read_script(text, &t.script);
        make_changed(&t, changed);
        judge_in_child(&t, o->seconds, &v);
        printf("%s: %s", o->file[k], verdict_name(v.kind));
        if (v.kind == VERDICT_FINE) {
            printf(", %d runs\n", v.runs);
        } else {
            printf(" (%s): %s\n", v.variant, v.words);
        }
        failures += report_is_failure(&v);
        for (int n = 0; n < TRIAL_CHANGED; n++) {
            free(changed[n]);
        }
        free(text);
    }
    return failures > 0;
}

/* ---- random mechanisms ---- */

static uint64_t mix(uint64_t seed, uint64_t number)
{
    chance c = {seed * 1000003u + number};
    return chance_bits(&c);
}

static void show(const sketch *s)
{
    static char text[SKETCH_TEXT];
    sketch_write(s, 0, 0, text, sizeof text);
    puts(text);
}

/* Whether the mechanism is the same when it has been written as a file and read again; one that is refused is no matter here. */
static bool is_written(const sketch *s, long number)
{
    static char text[SKETCH_TEXT];
    detent_mechanism *m = NULL;
    sketch_write(s, 0, 0, text, sizeof text);
    if (detent_mechanism_parse(text, strlen(text), "sketch", NULL, &m, NULL) != DETENT_OK) {
        return true;
    }
    const char *difference = written_differs(m, NULL);
    if (difference) {
        printf("number %ld: %s\n", number, difference);
    }
    detent_mechanism_destroy(m);
    return !difference;
}

/* No consistent state is believed where there is a proof. */
static void seek_proof(const sketch *s, verdict *v)
{
    char words[256] = "";
    if (v->kind != VERDICT_NONE && v->kind != VERDICT_NONE_OF_SOME && v->kind != VERDICT_ABORT) {
        return;
    }
    if ((v->kind == VERDICT_NONE &&
         (prove_unbound(s, v) || prove_dead_end(s, v) || prove_driven(s, v) ||
          prove_structure(s, v) || prove_fold(s, v))) ||
        (v->kind != VERDICT_NONE_OF_SOME && prove_meeting(s, v))) {
        v->kind = VERDICT_PROVED;
        return;
    }
    const proof after = prove_after(s, v, words, sizeof words),
                found = after == PROOF_NOT_POSSIBLE ? prove(s, v, words, sizeof words) : after;
    /* an error where no set of modes has accelerations is that: a gimbal in its singular position */
    if ((v->kind == VERDICT_NONE || v->kind == VERDICT_ABORT) && found == PROOF_NONE_EXISTS) {
        v->kind = VERDICT_PROVED;
    }
    const size_t length = strlen(v->words);
    snprintf(v->words + length, sizeof v->words - length, " [%s%s]",
             found == PROOF_NOT_POSSIBLE ? "not tried: " : "", words);
}

static sketch_wishes wishes_of(const options *o)
{
    sketch_wishes wishes = sketch_wishes_of(o->seed);
    if (o->wishes && !sketch_wishes_named(o->wishes, &wishes)) {
        fprintf(stderr, "no such wish in %s\n%s", o->wishes, help);
        exit(2);
    }
    return wishes;
}

static int soak(const options *o)
{
    const sketch_wishes wishes = wishes_of(o);
    static report r;
    static sketch s;
    const double until = now() + 60 * o->minutes;
    long failures = 0, written = 0;
    r.folder = o->folder;
    r.seed = o->seed;
    mkdir("build", 0777);
    mkdir(o->folder, 0777);
    for (long n = o->first; o->most >= 0 ? n < o->first + o->most : now() < until; n++) {
        verdict v;
        const uint64_t own = mix(o->seed, (uint64_t)n);
        sketch_generate(&s, own, wishes);
        if (o->show || o->written) {
            failures += o->written && !is_written(&s, n);
            written += o->written;
            if (o->show) {
                show(&s);
            }
            continue;
        }
        shrink_judge(&s, (unsigned)own & 0xffffff, o->seconds, &v);
        seek_proof(&s, &v);
        report_count(&r, &v);
        if (report_is_failure(&v)) {
            const long before = report_class(&r, &v);
            if (before < 3 && v.kind != VERDICT_REFUSED) { /* three of a class will do */
                shrink(&s, (unsigned)own & 0xffffff, o->seconds, o->budget, &v);
                report_write(&r, &s, (uint64_t)n, &v);
            } else if (v.kind == VERDICT_REFUSED) {
                report_write(&r, &s, (uint64_t)n, &v);
            }
        }
    }
    if (o->written) {
        printf("%ld mechanisms written and read, %ld of them differ\n", written, failures);
        return failures > 0;
    }
    return report_print(&r) > 0;
}

int main(int count, char **words)
{
    const options o = read_options(count, words);
    if (o.impacts > 0) {
        mkdir(o.folder, 0777);
        return impacts_try(o.seed, o.first, o.impacts, o.folder) > 0;
    }
    return o.files > 0 ? judge_files(&o) : soak(&o);
}
