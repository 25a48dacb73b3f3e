/* The value of every function with its derivatives, and the table that names them.
 * v is the value: it saves the evaluation of what the derivative shares with it. */

#include "expression/function.h"
#include "base/nearest.h"
#include "expression/composite.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define UNUSED(x) (void)(x)

/* --- Functions of one argument: value, first and second derivative ---------------------------- */

#define UNARY(name, value_of_x, first_of_xv, second_of_xv)                       \
    static double name##_value(double x, double b)                               \
    {                                                                            \
        UNUSED(b);                                                               \
        return value_of_x;                                                       \
    }                                                                            \
    static void name##_slope(double x, double b, double v, double first[2])      \
    {                                                                            \
        UNUSED(x), UNUSED(b), UNUSED(v);                                         \
        first[0] = first_of_xv;                                                  \
        first[1] = 0;                                                            \
    }                                                                            \
    static void name##_curvature(double x, double b, double v, double second[3]) \
    {                                                                            \
        UNUSED(x), UNUSED(b), UNUSED(v);                                         \
        second[0] = second_of_xv;                                                \
        second[1] = second[2] = 0;                                               \
    }

static const double ln10 = 2.30258509299404568402;

UNARY(negate, -x, -1, 0)
UNARY(sin, sin(x), cos(x), -v)
UNARY(cos, cos(x), -sin(x), -v)
UNARY(tan, tan(x), 1 + v * v, 2 * v * (1 + v * v))
UNARY(asin, asin(x), 1 / sqrt((1 - x) * (1 + x)), x / pow((1 - x) * (1 + x), 1.5))
UNARY(acos, acos(x), -1 / sqrt((1 - x) * (1 + x)), -x / pow((1 - x) * (1 + x), 1.5))
UNARY(atan, atan(x), 1 / (1 + x * x), -2 * x / ((1 + x * x) * (1 + x * x)))
UNARY(sinh, sinh(x), cosh(x), v)
UNARY(cosh, cosh(x), sinh(x), v)
UNARY(tanh, tanh(x), (1 - v) * (1 + v), -2 * v * (1 - v) * (1 + v))
UNARY(exp, exp(x), v, v)
UNARY(log, log(x), 1 / x, -1 / (x * x))
UNARY(log10, log10(x), 1 / (x * ln10), -1 / (x * x * ln10))
UNARY(sqrt, sqrt(x), 0.5 / v, -0.25 / (v * x))
UNARY(cbrt, cbrt(x), v / (3 * x), -2 * v / (9 * x * x))

/* --- Functions of two arguments --------------------------------------------------------------- */

#define BINARY(name, value_of_ab, first_a, first_b, second_aa, second_ab, second_bb) \
    static double name##_value(double a, double b)                                   \
    {                                                                                \
        return value_of_ab;                                                          \
    }                                                                                \
    static void name##_slope(double a, double b, double v, double first[2])          \
    {                                                                                \
        UNUSED(a), UNUSED(b), UNUSED(v);                                             \
        first[0] = first_a;                                                          \
        first[1] = first_b;                                                          \
    }                                                                                \
    static void name##_curvature(double a, double b, double v, double second[3])     \
    {                                                                                \
        UNUSED(a), UNUSED(b), UNUSED(v);                                             \
        second[0] = second_aa;                                                       \
        second[1] = second_ab;                                                       \
        second[2] = second_bb;                                                       \
    }

BINARY(add, a + b, 1, 1, 0, 0, 0)
BINARY(subtract, a - b, 1, -1, 0, 0, 0)
BINARY(multiply, (a * b), b, a, 0, 1, 0)
BINARY(divide, a / b, 1 / b, -v / b, 0, -1 / (b * b), 2 * v / (b * b))
BINARY(power, pow(a, b), pow(a, b - 1) * b, log(a) * v, pow(a, b - 2) * b * (b - 1),
       pow(a, b - 1) * (1 + b * log(a)), log(a) * log(a) * v)

/* Zero has no sign here: what is left of 0 - x or x + 0 after simplification must not decide
 * between 0 and pi. The derivatives of atan2(a, b): with r = hypot(a, b), df/da = b / r^2, df/db =
 * -a / r^2. */
BINARY(atan2, atan2(a + 0.0, b + 0.0), b / hypot(a, b) / hypot(a, b),
       -a / hypot(a, b) / hypot(a, b), -2 * a * b / pow(hypot(a, b), 4),
       (a - b) * (a + b) / pow(hypot(a, b), 4), 2 * a * b / pow(hypot(a, b), 4))
BINARY(hypot, hypot(a, b), a / v, b / v, pow(b, 2) / pow(v, 3), -a *b / pow(v, 3),
       pow(a, 2) / pow(v, 3))

/* --- Logic; equality is decided on the actual values ------------------------------------------ */

static double equal_value(double a, double b)
{
    return a == b;
}

static double not_equal_value(double a, double b)
{
    return a != b;
}

/* Operands are 0 or 1, or weights between them: then the values are those of one branch or the
 * other of a switch that slides, mixed like these. */

static double and_value(double a, double b)
{
    return a * b;
}

static void and_slope(double a, double b, double value, double first[2])
{
    UNUSED(value);
    first[0] = b;
    first[1] = a;
}

static double or_value(double a, double b)
{
    return a + b - a * b;
}

static void or_slope(double a, double b, double value, double first[2])
{
    UNUSED(value);
    first[0] = 1 - b;
    first[1] = 1 - a;
}

static double not_value(double a, double b)
{
    UNUSED(b);
    return 1 - a;
}

static void not_slope(double a, double b, double value, double first[2])
{
    UNUSED(a), UNUSED(b), UNUSED(value);
    first[0] = -1;
    first[1] = 0;
}

/* --- Two-way switches ------------------------------------------------------------------------- */

/* The branch is the sign of a - b; where both are equal it is the one that gives the right value
 * there. A value that is not a number is passed on by abs, sign, min and max, and compares as
 * false. */

static int less_branch(double a, double b)
{
    return a < b ? -1 : 1;
}

static int less_equal_branch(double a, double b)
{
    return a <= b ? -1 : 1;
}

static double less_on(int branch, double a, double b)
{
    UNUSED(a), UNUSED(b);
    return branch < 0;
}

static void flat_slope(int branch, double first[2])
{
    UNUSED(branch);
    first[0] = first[1] = 0;
}

static int abs_branch(double a, double b)
{
    UNUSED(b);
    return a < 0 ? -1 : 1;
}

static double abs_on(int branch, double a, double b)
{
    UNUSED(b);
    return branch * a;
}

static void abs_slope(int branch, double first[2])
{
    first[0] = branch;
    first[1] = 0;
}

static int sign_branch(double a, double b)
{
    UNUSED(b);
    return isnan(a) ? DT_BRANCH_LIVE : (a > 0) - (a < 0);
}

static double sign_on(int branch, double a, double b)
{
    UNUSED(b);
    return branch == DT_BRANCH_LIVE ? (isnan(a) ? a : (a > 0) - (a < 0)) : branch;
}

static int min_branch(double a, double b)
{
    return a < b || isnan(a) ? -1 : 1;
}

static double min_on(int branch, double a, double b)
{
    return branch < 0 ? a : b;
}

static void min_slope(int branch, double first[2])
{
    first[0] = branch < 0;
    first[1] = branch >= 0;
}

static int max_branch(double a, double b)
{
    return a > b || isnan(a) ? 1 : -1;
}

static double max_on(int branch, double a, double b)
{
    return branch < 0 ? b : a;
}

static void max_slope(int branch, double first[2])
{
    first[0] = branch >= 0;
    first[1] = branch < 0;
}

/* --- Integer switch --------------------------------------------------------------------------- */

static int floor_branch(double a, double b)
{
    UNUSED(b);
    double k = floor(a);
    return fabs(k) < DT_BRANCH_MAX ? (int)k : DT_BRANCH_LIVE;
}

static double floor_on(int branch, double a, double b)
{
    UNUSED(b);
    return branch == DT_BRANCH_LIVE ? floor(a) : branch;
}

/* --- Chance ----------------------------------------------------------------------------------- */

/* The bits of an integer, well mixed: the steps of splitmix64 (G. L. Steele et al., OOPSLA 2014). */
static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

static double hash_value(double a, double b)
{
    if (!(fabs(a) < 0x1p62 && fabs(b) < 0x1p62)) {
        return NAN;
    }
    const uint64_t bits = mix(mix((uint64_t)(int64_t)b) ^ (uint64_t)(int64_t)a);
    return (double)(bits >> 11) * 0x1p-53;
}

/* --- A rate that a stop may hold --------------------------------------------------------------- */

static int stopped_branch(double a, double b)
{
    return b <= 0 && a < 0 ? -1 : 1;
}

static double stopped_on(int branch, double a, double b)
{
    UNUSED(b);
    return branch < 0 ? 0 : a;
}

static void stopped_slope(int branch, double first[2])
{
    first[0] = branch >= 0;
    first[1] = 0;
}

/* --- The table -------------------------------------------------------------------------------- */

#define SMOOTH(f)                                                       \
    .kind = DT_FUNCTION_SMOOTH, .value = f##_value, .slope = f##_slope, \
    .curvature = f##_curvature, .series = dt_series_##f
#define LOGIC(f) .kind = DT_FUNCTION_LOGIC, .value = f##_value
#define TWO_WAY(branch_of, on, slope_on)                                   \
    .kind = DT_FUNCTION_TWO_WAY, .branch = (branch_of), .on_branch = (on), \
    .branch_slope = (slope_on)
#define COMPOSITE(f) .kind = DT_FUNCTION_COMPOSITE, .build = dt_composite_##f
#define RULE(rule)   .dimension = DT_DIMENSION_RULE_##rule

const dt_function dt_functions[DT_OPCODES] = {
    [DT_OP_CONSTANT] = {"number", false, 0, 0, DT_FUNCTION_STRUCTURE, RULE(SAME)},
    [DT_OP_VARIABLE] = {"variable", false, 0, 0, DT_FUNCTION_STRUCTURE, RULE(SAME)},
    [DT_OP_SELECT] = {"if", true, 3, 3, DT_FUNCTION_STRUCTURE, RULE(SELECT)},

    [DT_OP_NEGATE] = {"-", false, 1, 1, RULE(SAME), SMOOTH(negate)},
    [DT_OP_ADD] = {"+", false, 2, 2, RULE(SAME), SMOOTH(add)},
    [DT_OP_SUBTRACT] = {"-", false, 2, 2, RULE(SAME), SMOOTH(subtract)},
    [DT_OP_MULTIPLY] = {"*", false, 2, 2, RULE(PRODUCT), SMOOTH(multiply)},
    [DT_OP_DIVIDE] = {"/", false, 2, 2, RULE(QUOTIENT), SMOOTH(divide)},
    [DT_OP_POWER] = {"^", false, 2, 2, RULE(POWER), SMOOTH(power)},

    [DT_OP_LESS] = {"<", false, 2, 2, RULE(COMPARE), TWO_WAY(less_branch, less_on, flat_slope),
                    .jumps = true},
    [DT_OP_LESS_EQUAL] = {"<=", false, 2, 2, RULE(COMPARE),
                          TWO_WAY(less_equal_branch, less_on, flat_slope), .jumps = true},
    [DT_OP_GREATER] = {">", false, 2, 2, RULE(COMPARE), COMPOSITE(greater)},
    [DT_OP_GREATER_EQUAL] = {">=", false, 2, 2, RULE(COMPARE), COMPOSITE(greater_equal)},
    [DT_OP_EQUAL] = {"==", false, 2, 2, RULE(COMPARE), LOGIC(equal)},
    [DT_OP_NOT_EQUAL] = {"!=", false, 2, 2, RULE(COMPARE), LOGIC(not_equal)},
    [DT_OP_AND] = {"and", false, 2, 2, RULE(NUMBER), LOGIC(and), .slope = and_slope},
    [DT_OP_OR] = {"or", false, 2, 2, RULE(NUMBER), LOGIC(or), .slope = or_slope},
    [DT_OP_NOT] = {"not", false, 1, 1, RULE(NUMBER), LOGIC(not ), .slope = not_slope},

    [DT_OP_SIN] = {"sin", true, 1, 1, RULE(NUMBER), SMOOTH(sin)},
    [DT_OP_COS] = {"cos", true, 1, 1, RULE(NUMBER), SMOOTH(cos)},
    [DT_OP_TAN] = {"tan", true, 1, 1, RULE(NUMBER), SMOOTH(tan)},
    [DT_OP_ASIN] = {"asin", true, 1, 1, RULE(NUMBER), SMOOTH(asin)},
    [DT_OP_ACOS] = {"acos", true, 1, 1, RULE(NUMBER), SMOOTH(acos)},
    [DT_OP_ATAN] = {"atan", true, 1, 1, RULE(NUMBER), SMOOTH(atan)},
    [DT_OP_ATAN2] = {"atan2", true, 2, 2, RULE(COMPARE), SMOOTH(atan2)},
    [DT_OP_SINH] = {"sinh", true, 1, 1, RULE(NUMBER), SMOOTH(sinh)},
    [DT_OP_COSH] = {"cosh", true, 1, 1, RULE(NUMBER), SMOOTH(cosh)},
    [DT_OP_TANH] = {"tanh", true, 1, 1, RULE(NUMBER), SMOOTH(tanh)},
    [DT_OP_EXP] = {"exp", true, 1, 1, RULE(NUMBER), SMOOTH(exp)},
    [DT_OP_LOG] = {"log", true, 1, 1, RULE(NUMBER), SMOOTH(log)},
    [DT_OP_LOG10] = {"log10", true, 1, 1, RULE(NUMBER), SMOOTH(log10)},
    [DT_OP_SQRT] = {"sqrt", true, 1, 1, RULE(ROOT2), SMOOTH(sqrt)},
    [DT_OP_CBRT] = {"cbrt", true, 1, 1, RULE(ROOT3), SMOOTH(cbrt)},
    [DT_OP_HYPOT] = {"hypot", true, 2, 2, RULE(SAME), SMOOTH(hypot)},

    [DT_OP_ABS] = {"abs", true, 1, 1, RULE(SAME), TWO_WAY(abs_branch, abs_on, abs_slope)},
    [DT_OP_SIGN] = {"sign", true, 1, 1, RULE(COMPARE), TWO_WAY(sign_branch, sign_on, flat_slope),
                    .jumps = true},
    [DT_OP_MIN] = {"min", true, 1, INT_MAX, RULE(SAME), TWO_WAY(min_branch, min_on, min_slope)},
    [DT_OP_MAX] = {"max", true, 1, INT_MAX, RULE(SAME), TWO_WAY(max_branch, max_on, max_slope)},
    [DT_OP_FLOOR] = {"floor", true, 1, 1, DT_FUNCTION_INTEGER, RULE(NUMBER), .branch = floor_branch,
                     .jumps = true, .on_branch = floor_on, .branch_slope = flat_slope},

    [DT_OP_HASH] = {"hash", false, 2, 2, RULE(NUMBER), LOGIC(hash)},

    [DT_OP_SEGMENT] = {"segment", false, 1, 1, DT_FUNCTION_INTEGER, RULE(NUMBER),
                       .branch = floor_branch, .on_branch = floor_on, .branch_slope = flat_slope},
    [DT_OP_TABLE] = {"table", false, 2, 2, DT_FUNCTION_SMOOTH, RULE(NUMBER)},
    [DT_OP_TABLE2] = {"table", false, 3, 3, DT_FUNCTION_SMOOTH, RULE(NUMBER)},
    [DT_OP_CALL] = {"call", false, 1, 1, DT_FUNCTION_STRUCTURE, RULE(NUMBER)},

    [DT_OP_STOPPED] = {"stopped", false, 2, 2, DT_FUNCTION_STOP, RULE(SAME),
                       .branch = stopped_branch, .on_branch = stopped_on,
                       .branch_slope = stopped_slope},

    [DT_OP_CEIL] = {"ceil", true, 1, 1, RULE(NUMBER), COMPOSITE(ceil)},
    [DT_OP_ROUND] = {"round", true, 1, 1, RULE(NUMBER), COMPOSITE(round)},
    [DT_OP_MOD] = {"mod", true, 2, 2, RULE(SAME), COMPOSITE(mod)},
    [DT_OP_CLAMP] = {"clamp", true, 3, 3, RULE(SAME), COMPOSITE(clamp)},
    [DT_OP_SATURATE] = {"saturate", true, 3, 3, RULE(SAME), COMPOSITE(clamp)},
    [DT_OP_DEADBAND] = {"deadband", true, 3, 3, RULE(SAME), COMPOSITE(deadband)},
    [DT_OP_RAMP] = {"ramp", true, 3, 3, RULE(COMPARE), COMPOSITE(ramp)},
    [DT_OP_PULSE] = {"pulse", true, 3, 3, RULE(COMPARE), COMPOSITE(pulse)},
    [DT_OP_CHIRP] = {"chirp", true, 3, 3, RULE(NUMBER), COMPOSITE(chirp)},
    [DT_OP_NOISE] = {"noise", true, 3, 3, RULE(SHARE), COMPOSITE(noise)},
};

dt_opcode dt_function_find(const char *name)
{
    for (int code = 0; code < DT_OPCODES; code++) {
        if (dt_functions[code].is_callable && strcmp(name, dt_functions[code].name) == 0) {
            return (dt_opcode)code;
        }
    }
    return DT_OPCODES;
}

const char *dt_function_nearest(const char *name)
{
    const char *names[DT_OPCODES] = {NULL};
    for (int code = 0; code < DT_OPCODES; code++) {
        names[code] = dt_functions[code].is_callable ? dt_functions[code].name : NULL;
    }
    return dt_nearest(name, names, DT_OPCODES);
}
