/**
 * @file function.h
 * One table describes every operation and function of the language: name, arguments, value,
 * derivatives, switch kind and dimension rule. Nothing else in this layer knows a function by name
 * or a derivative by heart.
 */
#ifndef DT_EXPRESSION_FUNCTION_H
#define DT_EXPRESSION_FUNCTION_H

#include "expression/branch.h"
#include "expression/series.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum dt_opcode {
    /* Structure: read by the evaluators themselves. */
    DT_OP_CONSTANT,
    DT_OP_VARIABLE,
    DT_OP_SELECT,
    /* Smooth operators. */
    DT_OP_NEGATE,
    DT_OP_ADD,
    DT_OP_SUBTRACT,
    DT_OP_MULTIPLY,
    DT_OP_DIVIDE,
    DT_OP_POWER,
    /* Comparisons and logic; the value is 0 or 1. */
    DT_OP_LESS,
    DT_OP_LESS_EQUAL,
    DT_OP_GREATER,
    DT_OP_GREATER_EQUAL,
    DT_OP_EQUAL,
    DT_OP_NOT_EQUAL,
    DT_OP_AND,
    DT_OP_OR,
    DT_OP_NOT,
    /* Smooth functions. */
    DT_OP_SIN,
    DT_OP_COS,
    DT_OP_TAN,
    DT_OP_ASIN,
    DT_OP_ACOS,
    DT_OP_ATAN,
    DT_OP_ATAN2,
    DT_OP_SINH,
    DT_OP_COSH,
    DT_OP_TANH,
    DT_OP_EXP,
    DT_OP_LOG,
    DT_OP_LOG10,
    DT_OP_SQRT,
    DT_OP_CBRT,
    DT_OP_HYPOT,
    /* Functions with discontinuities. */
    DT_OP_ABS,
    DT_OP_SIGN,
    DT_OP_MIN,
    DT_OP_MAX,
    DT_OP_FLOOR,
    /* A number from 0 to 1, by chance, of two integers: of `noise`. */
    DT_OP_HASH,
    /* What no text can say: dt_stops in program.h. */
    DT_OP_STOPPED,
    /* A table (curve.h): the group of an argument, the value from arguments and the number of their groups. */
    DT_OP_SEGMENT,
    DT_OP_TABLE,
    DT_OP_TABLE2,
    /* A function of the program (callback.h), of any number of operands: dt_operation_operands(). */
    DT_OP_CALL,
    /* Functions made of the others. */
    DT_OP_CEIL,
    DT_OP_ROUND,
    DT_OP_MOD,
    DT_OP_CLAMP,
    DT_OP_SATURATE,
    DT_OP_DEADBAND,
    DT_OP_RAMP,
    DT_OP_PULSE,
    DT_OP_CHIRP,
    DT_OP_NOISE,
    DT_OPCODES
} dt_opcode;

typedef enum dt_function_kind {
    DT_FUNCTION_STRUCTURE, /**< constant, variable, select, call */
    DT_FUNCTION_SMOOTH,    /**< has slope and curvature */
    DT_FUNCTION_LOGIC,     /**< piecewise constant without a switch of its own: logic, equality */
    DT_FUNCTION_TWO_WAY,   /**< switches on the sign of a - b (of a, with one argument) */
    DT_FUNCTION_INTEGER,   /**< switches at every integer a; SEGMENT: at the borders of its curve */
    DT_FUNCTION_STOP, /**< of a rate a and what is left to a stop b: -1 at the stop while a < 0, else 1 */
    DT_FUNCTION_COMPOSITE /**< replaced by other operations while parsing */
} dt_function_kind;

typedef enum dt_dimension_rule {
    DT_DIMENSION_RULE_SAME,    /**< arguments agree, the result is theirs */
    DT_DIMENSION_RULE_COMPARE, /**< arguments agree, the result is a plain number */
    DT_DIMENSION_RULE_NUMBER,  /**< arguments are plain numbers (or a time), the result is one */
    DT_DIMENSION_RULE_PRODUCT,
    DT_DIMENSION_RULE_QUOTIENT,
    DT_DIMENSION_RULE_POWER,
    DT_DIMENSION_RULE_ROOT2, /**< square root */
    DT_DIMENSION_RULE_ROOT3, /**< cubic root */
    DT_DIMENSION_RULE_SHARE, /**< two that agree, then a plain number; the result is one */
    DT_DIMENSION_RULE_SELECT /**< a plain number, then two that agree */
} dt_dimension_rule;

struct dt_graph;

/** Functions of two arguments ignore the second where they have one argument only. */
typedef struct dt_function {
    const char *name;                 /**< as it is written */
    bool is_callable;                 /**< name(arguments); an operator otherwise */
    int min_arguments, max_arguments; /**< INT_MAX: any number, combined two by two from the left */
    dt_function_kind kind;
    dt_dimension_rule dimension;
    /** SMOOTH, LOGIC */
    double (*value)(double a, double b);
    /** SMOOTH, and, or, not: first[0] = df/da, first[1] = df/db */
    void (*slope)(double a, double b, double value, double first[2]);
    /** SMOOTH: second[0] = d2f/da2, second[1] = d2f/da db, second[2] = d2f/db2 */
    void (*curvature)(double a, double b, double value, double second[3]);
    /** SMOOTH: value and derivatives over an interval of t */
    dt_series_rule *series;
    /** TWO_WAY, STOP: -1 or +1 (sign: also 0); INTEGER: the integer, or DT_BRANCH_LIVE */
    int (*branch)(double a, double b);
    /** TWO_WAY, INTEGER: the value jumps at the border */
    bool jumps;
    /** TWO_WAY, INTEGER: the value on a branch */
    double (*on_branch)(int branch, double a, double b);
    void (*branch_slope)(int branch, double first[2]);
    /** COMPOSITE: the node that stands for it, or -1 */
    int (*build)(struct dt_graph *graph, const int *arguments, size_t place);
} dt_function;

extern const dt_function dt_functions[DT_OPCODES];

/** The callable function of this name, or DT_OPCODES. */
dt_opcode dt_function_find(const char *name);

/** The callable function with the nearest name, or NULL. */
const char *dt_function_nearest(const char *name);

#endif
