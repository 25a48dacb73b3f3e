/**
 * @file compare_parts.h
 * What the files of detent compare share: its runs, what was measured of them.
 */
#ifndef CLI_COMPARE_PARTS_H
#define CLI_COMPARE_PARTS_H

#include "analysis.h"
#include "results.h"

/** What became of a joint in a run; NAN: it is not known, or has not been. */
typedef struct joint_measures {
    double end; /**< position at the end, m or rad */
    /** From when on the position was that, to the last bit; NAN: it did not rest for the last tenth. */
    double rest_since;
    double creep;     /**< mean velocity over the last tenth of the run */
    double swing;     /**< the largest speed there */
    double first;     /**< when it had moved */
    double command;   /**< how much the command had changed by then */
    double delay;     /**< how much later than the reference that was */
    double apart;     /**< how far it was from the reference at most */
    size_t reversals; /**< of its velocity */
} joint_measures;

/** A run with a law. */
typedef struct law_run {
    char *name;      /**< LAW or LAW@INTEGRATOR, as it was asked for */
    const char *law; /**< of the library */
    int integrator;  /**< or -1: that of the command line or the file */
    detent_status status;
    detent_error error;
    bool is_told; /**< that has been printed */
    detent_settings settings;
    detent_statistics statistics;
    double cpu;       /**< s, of the run without anybody who looks at it */
    double balance;   /**< energy that no work accounts for, over the largest part of the balance */
    size_t rows;      /**< instants of the grid: start + k interval, and the end */
    double *time;     /**< rows */
    double *position; /**< joints of rows each */
    double *command;  /**< rows, or NULL */
    joint_measures *of; /**< joints */
} law_run;

typedef struct compare_work {
    analysis_work base; /**< the mechanism as it is in the file */
    cli_options options;
    char *text; /**< of standard input */
    char *name_list, *law_list;
    size_t *joints; /**< primitives */
    size_t joint_count;
    law_run *runs;
    size_t run_count, reference;
    detent_law_choice *choices;            /**< a joint each */
    const detent_law_choice **choice_list; /**< all of them */
} compare_work;

/** compare_run.c: makes a run, and measures it alone. What goes wrong is in the run. */
void compare_run(compare_work *, law_run *);
/** What is told from it and the reference; those that failed are passed over. */
void compare_measure(const compare_work *, law_run *, const law_run *reference);

/** compare_print.c */
void compare_print_text(const compare_work *);
void compare_print_json(const compare_work *);

/** compare_plot.c: NAME.JOINT.svg in a directory. */
detent_status compare_plot(compare_work *, size_t joint);
/** What names of results begin with, the caller's to free; NULL: nobody wants any, or memory is out. */
static inline char *compare_base(const compare_work *work)
{
    return work->options.output ? results_base_in(work->options.output, work->options.file) : NULL;
}

#endif
