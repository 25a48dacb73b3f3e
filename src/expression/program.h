/**
 * @file program.h
 * Expressions as immutable programs: parsed once, evaluated anywhere with caller-owned registers.
 *
 * A program reads *slots*: the values of its distinct variables, in the order of `variables`.
 * Signals and parameters are already folded in (one hash-consed graph per program, so that shared
 * subexpressions are computed once), constants are propagated.
 *
 * Discontinuities (comparisons, if through its condition, abs, sign, min, max, mod, floor, ceil,
 * round) are *switches*. With a switch state the program follows the branch recorded there, and is
 * smooth; without (NULL) it follows the actual values. Every switch contributes root functions that
 * are positive while the recorded branch is right, so that an integrator can stop where a branch
 * changes:
 *   two-way switch (a < b, abs, sign, min, max):  +(lhs - rhs) or -(lhs - rhs) by the recorded side
 *   integer switch (floor, ceil, round, mod):     x - k and k + 1 - x for the recorded integer k
 *   sliding switch (branch.h):                    the weights of the upper and of the lower branch
 * so each switch has two root values; a two-way switch sets the second to 1 (never fires). Where
 * the live value is a tie, a root is zero: it must leave zero upwards, or the branch is wrong. At x
 * = 0 sign(x) is 0, a branch of its own with the roots x and -x, of which either way out makes one
 * negative. No root is NaN or infinite: one without a value is 1, an infinite one +-1e300.
 *
 * Not watched (no root), and always decided on the actual values: switches on what changes at
 * events only (dir, mode, comparisons, integer parts and what is made of them), == and != (meant
 * for such values; on continuous ones they hold for an instant at most), and an integer switch
 * beyond +-2^30. A condition that is no comparison, if(x, a, b), means x != 0. Both sides of an if
 * are evaluated, but the one not selected has no influence on value and derivatives, be it infinite
 * or NaN.
 *
 * A partial derivative that is infinite or undefined where the function is finite counts as zero:
 * sqrt(x) at 0, hypot(x, y) and atan2(y, x) at the origin, x^y at x = 0.
 */
#ifndef DT_EXPRESSION_PROGRAM_H
#define DT_EXPRESSION_PROGRAM_H

#include "base/arena.h"
#include "base/error.h"
#include "detent/detent.h"
#include "expression/branch.h"
#include "expression/callback.h"
#include "expression/series.h"
#include "expression/units.h"
#include "expression/variable.h"

/** What an operation depends on, a sum of: */
enum {
    DT_READS_TIME = 1,
    DT_READS_STATE = 2 /**< anything else but inputs, or t in a way of which nothing is known */
};

typedef struct dt_program {
    int variable_count;           /**< slots */
    const dt_variable *variables; /**< variable_count */
    int operation_count;          /**< registers needed: one an operation */
    int switch_count;
    int slope_count;      /**< arguments of all calls */
    bool is_constant;     /**< no variable at all; the value is `constant` */
    bool depends_on_time; /**< reads t explicitly */
    bool has_calls;       /**< of functions of the program that uses the library (callback.h) */
    double constant;
    dt_dimension dimension; /**< of the value, if known */
    const struct dt_operation *operations;
    const int *switches;        /**< switch_count: the operation of each switch */
    const unsigned char *reads; /**< operation_count: what it depends on, DT_READS_... */
    const char *text;           /**< the source, for messages */
} dt_program;

/**
 * Registers that any of the calls below may need: value needs the first `operation_count`, the
 * others up to 3 times that, and the gradient the derivatives of calls.
 */
#define DT_PROGRAM_REGISTERS(program) \
    (3 * (size_t)(program)->operation_count + (size_t)(program)->slope_count)

/**
 * Whether the value depends on a variable that has one of `traits` (variable.h). Programs that were parsed together list the variables
 * of all, so the list does not tell. `marks`: operation_count, work space.
 */
bool dt_program_depends_on(const dt_program *program, int traits, double *marks);

/** A copy, without its text, in memory of its own; NULL when memory is out. */
dt_program *dt_program_copy(dt_arena *arena, const dt_program *program);

/** How names are resolved while parsing. */
typedef enum dt_symbol_kind {
    DT_SYMBOL_UNKNOWN,
    DT_SYMBOL_CONSTANT,
    DT_SYMBOL_VARIABLE,
    DT_SYMBOL_EXPRESSION
} dt_symbol_kind;

/** Texts of a reading. */
typedef enum dt_argument {
    DT_ARGUMENT_ITEM,
    DT_ARGUMENT_COMPONENT,
    DT_ARGUMENT_OBSERVER,
    DT_ARGUMENT_AXES,
    DT_ARGUMENTS,
    DT_ARGUMENT_FUNCTION = DT_ARGUMENTS /**< none of them */
} dt_argument;

typedef struct dt_symbol {
    dt_symbol_kind kind;
    double value;           /**< CONSTANT */
    dt_dimension dimension; /**< CONSTANT, VARIABLE */
    dt_variable variable;   /**< VARIABLE */
    bool is_since;          /**< VARIABLE: the symbol is t less it */
    const char *text;  /**< EXPRESSION: source of the signal, parsed in place, in the same scope */
    dt_location where; /**< EXPRESSION: where that source stands */
    /** UNKNOWN, of a reading: which of its texts is at fault; of a name: FUNCTION where it is refused */
    dt_argument argument;
} dt_symbol;

/** The largest number that a reading counts with. */
enum { DT_NUMBER_MAX = 1000000 };

/** A reading as it is written, every index evaluated: function(item, component, observer, axes). "": not there. */
typedef struct dt_reading {
    const char *function;  /**< "position" */
    const char *item;      /**< "elbow", "wrist.r2", "link[17]" */
    const char *component; /**< "x", "yaw" */
    const char *observer;  /**< whom it is seen from */
    const char *axes;      /**< along whose axes */
    int number; /**< of one that counts (dt_reading_counts()): how many; 1 where it is not there */
} dt_reading;

/** What delay() asks for: a value of `time` seconds ago, or of before the start. */
typedef struct dt_delayed {
    const dt_program *program; /**< of the value now; in memory that does not last */
    double time;               /**< s, > 0 */
    bool has_before;           /**< else it was before the start what it is at the start */
    double before;
} dt_delayed;

/**
 * The scope of an expression. `name` resolves a plain identifier (t, parameter, signal, input, dir,
 * index). `reading` resolves a reading of an item such as position(wrist.r2), position(link[i-1]),
 * reaction_force(elbow, x). Both return DT_SYMBOL_UNKNOWN where there is no such thing; `suggest` then may
 * name the nearest known name (NULL if none), for `function` "" in the case of a plain identifier, else of an item.
 */
typedef struct dt_scope {
    void *context;
    dt_symbol (*name)(void *context, const char *identifier);
    dt_symbol (*reading)(void *context, const dt_reading *reading);
    const char *(*suggest)(void *context, const char *function, const char *identifier);
    /** The table of that name, or NULL; may be NULL. */
    const struct dt_curve *(*table)(void *context, const char *name);
    /** The variable that stands for a value of before; may be NULL. UNKNOWN: it cannot be read here. */
    dt_symbol (*delay)(void *context, const dt_delayed *delayed);
    /** The function of that name, or NULL, and then in `nearest`, if not NULL, the nearest name of one, or NULL; may be NULL. */
    const dt_callback *(*callback)(void *context, const char *name, const char **nearest);
    bool is_bent; /**< second derivatives are asked for: a call of what varies is an error */
} dt_scope;

/**
 * Parses `text` that stands at `where` (file, line, column of its first character; `where` may be
 * NULL). A whole text of the form NUMBER UNIT ("30 deg", "5 lbf*ft") is a quantity. `expected` is
 * the dimension that the value must have where the program knows its own (NULL: any); numbers
 * without unit fit anything. Angles are without dimension. Errors: DETENT_ERROR_SYNTAX (not an
 * expression), DETENT_ERROR_MODEL (unknown name, unit mismatch, signal loop, nesting or size beyond
 * the bound), DETENT_ERROR_MEMORY; the message names the place file:line:column, the detail holds
 * the source line and a caret.
 */
detent_status dt_program_parse(dt_arena *arena, const char *text, const dt_location *where,
                               const dt_scope *scope, dt_unit_system *units,
                               const dt_dimension *expected, dt_program **program,
                               detent_error *error);

/**
 * An expression as it may stand in another one, in parentheses: that of a whole text NUMBER UNIT has its unit in brackets, "5 [N m]", in
 * `arena`; others are themselves. NULL: memory is out.
 */
const char *dt_expression_part(dt_arena *arena, const char *text, dt_unit_system *units);

/** A text and where it stands. */
typedef struct dt_text {
    const char *text;
    dt_location where;
} dt_text;

/**
 * Parses texts, of any dimension, that are evaluated together: errors as above. The time and memory that it takes grow as
 * their number, however they use each other as signals. The programs (`count`) share one list of operations, of which each
 * is the part from the front up to its own result; dt_program_value() of the longest leaves those of all in the registers,
 * each at its `operation_count` - 1.
 */
detent_status dt_program_parse_together(dt_arena *arena, const dt_text *texts, size_t count,
                                        const dt_scope *scope, dt_unit_system *units,
                                        dt_program *programs, detent_error *error);

/** Stops of a variable whose rate a program is: there it is 0 as long as it points outward. */
typedef struct dt_stops {
    dt_variable variable;
    double low, high; /**< -INFINITY, INFINITY: none */
} dt_stops;

/** dt_program_parse() of such a rate. Whether the variable is at a stop is the branch of a switch: dt_program_stop(). */
detent_status dt_program_parse_rate(dt_arena *arena, const char *text, const dt_location *where,
                                    const dt_scope *scope, dt_unit_system *units,
                                    const dt_dimension *expected, const dt_stops *stops,
                                    dt_program **program, detent_error *error);

/** The switch of its n-th stop (0: the lower one, where there is one), -1 at the stop, else 1; -1: there is none. */
int dt_program_stop(const dt_program *program, int n);

/** The variable that a program is, if it is nothing but one; else NULL. */
const dt_variable *dt_program_reading(const dt_program *program);

/** A program that is the constant `value`. NULL when memory is out. */
dt_program *dt_program_constant(dt_arena *arena, double value);

/**
 * Value. `slots`: variable_count values; `state`: switch_count recorded branches or NULL;
 * `registers`: see above.
 */
double dt_program_value(const dt_program *program, const double *slots, const dt_branch *state,
                        double *registers);

/**
 * Whether `value`, which the program (or one that was parsed together with it) came to just now in these registers, is none because a call
 * failed, and which.
 */
bool dt_program_failed_call(const dt_program *program, const double *registers, double value,
                            dt_call_failure *failure);

/**
 * Value and exact gradient with respect to every slot (reverse mode). Piecewise constant parts
 * count as constant.
 */
double dt_program_gradient(const dt_program *program, const double *slots, const dt_branch *state,
                           double *registers, double *gradient);

/**
 * How far a switch is above its border (an integer switch: above 0), as in branch.h, and the gradient
 * of that.
 */
double dt_program_switch_gradient(const dt_program *program, int index, const double *slots,
                                  const dt_branch *state, double *registers, double *gradient);

/** Whether a program, which may be NULL, reads a variable with one of the traits (variable.h). */
bool dt_program_reads(const dt_program *program, int traits);

/** Whether the value of a switch jumps at its border: it may slide there. */
bool dt_program_jumps(const dt_program *program, int index);

/** Whether it is an integer switch, with a border at every integer. */
bool dt_program_is_integer(const dt_program *program, int index);

/** Value, first and second derivative with respect to t of a program that reads only t. */
void dt_program_time_jet(const dt_program *program, double time, const dt_branch *state,
                         double *registers, double jet[3]);

/**
 * Enclosures of every operation while t runs through an interval, with their derivatives with respect
 * to t up to `order`: `registers` takes operation_count series (series.h), the last one that of the
 * value. `slots`: variable_count series. `timed`: only the operations that depend on nothing but t
 * and inputs; slots of other variables are not read.
 */
void dt_program_enclose(const dt_program *program, const dt_series *slots, const dt_branch *state,
                        int order, bool timed, dt_series *registers);

/** How a value goes with time, what is held being constant. */
typedef enum dt_pace {
    DT_PACE_CONSTANT,
    DT_PACE_STEADY, /**< at a constant rate */
    DT_PACE_ANY
} dt_pace;

/**
 * How the value goes, on branches that are held, where the variables go like `variables`
 * (variable_count). `operations`: operation_count, of each.
 */
dt_pace dt_program_pace(const dt_program *program, const dt_pace *variables, dt_pace *operations);

/** Whether, by what that says of operations, there is a call that goes with time: nobody knows how. */
bool dt_program_calls_go(const dt_program *program, const dt_pace *operations);

/** Whether a switch depends on t and inputs alone: when it changes can be known in advance. */
bool dt_program_is_timed(const dt_program *program, int index);

/** Enclosures of the two roots of a switch on a branch, from the registers of dt_program_enclose(). */
void dt_program_enclose_roots(const dt_program *program, int index, int branch, int order,
                              const dt_series *registers, dt_series roots[2]);

/** The branches that the actual values call for (evaluated live), into `state` (switch_count). */
void dt_program_update_switches(const dt_program *program, const double *slots, dt_branch *state,
                                double *registers);

/**
 * The same, but the branches with `keep[i]` (NULL: none) stay as they are recorded, and the other
 * switches follow from them: after an event flip the switch whose root fired, keep it, settle the
 * others. A comparison that reads mod(t, 15) is then right at once, though t may still be an ulp
 * short of the end of the period.
 */
void dt_program_settle_switches(const dt_program *program, const double *slots, const bool *keep,
                                dt_branch *state, double *registers);

/** Root functions of every switch, 2 * switch_count values, see the head of this file. */
void dt_program_roots(const dt_program *program, const double *slots, const dt_branch *state,
                      double *registers, double *roots);

/**
 * The branch on the other side of the root `which` (0 or 1) of switch `index`, for a switch whose
 * root has just fired: the caller records it by decree, since the values may still be an ulp on the
 * old side.
 */
dt_branch dt_program_flipped(const dt_program *program, int index, int which, dt_branch branch);

#endif
