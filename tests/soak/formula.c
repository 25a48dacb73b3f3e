/*
 * Recursive descent:
 *   comparison = sum [< sum | > sum]     sum = product {+- product}     product = unary {* / unary}
 *   unary = - unary | power              power = value [^ unary]
 */
#include "formula.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *at;
    formula_lookup lookup;
    formula_call call;
    void *user;
} reader;

static double comparison(reader *r);

static char peek(reader *r)
{
    while (*r->at == ' ') {
        r->at++;
    }
    return *r->at;
}

static int take(reader *r, char c)
{
    if (peek(r) != c) {
        return 0;
    }
    r->at++;
    return 1;
}

static double sign(double x)
{
    return (x > 0) - (x < 0);
}

/* The blocks of controllers. */
static bool apply_block(const char *name, const double *x, double *value)
{
    if (strcmp(name, "clamp") == 0 || strcmp(name, "saturate") == 0) {
        *value = fmin(fmax(x[0], x[1]), x[2]);
    } else if (strcmp(name, "deadband") == 0) {
        *value = x[0] < x[1] ? x[0] - x[1] : x[0] > x[2] ? x[0] - x[2] : 0;
    } else if (strcmp(name, "ramp") == 0) {
        *value = x[0] < x[1] ? 0 : x[0] > x[2] ? 1 : (x[0] - x[1]) / (x[2] - x[1]);
    } else if (strcmp(name, "pulse") == 0) {
        *value = x[0] - x[1] * floor(x[0] / x[1]) < x[2];
    } else if (strcmp(name, "chirp") == 0) {
        *value = sin(2 * acos(-1) * (x[1] * x[0] + x[2] * x[0] * x[0] / 2));
    } else {
        return false;
    }
    return true;
}

static double apply(const reader *r, const char *name, const double *x, int count)
{
    double value = x[0];
    if (count == 3 && apply_block(name, x, &value)) {
        return value;
    }
    if (strcmp(name, "if") == 0 && count == 3) {
        return x[0] != 0 ? x[1] : x[2];
    }
    if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0) {
        for (int k = 1; k < count; k++) {
            value = name[1] == 'i' ? fmin(value, x[k]) : fmax(value, x[k]);
        }
        return value;
    }
    if (strcmp(name, "mod") == 0 && count == 2) {
        return x[0] - x[1] * floor(x[0] / x[1]);
    }
    static const struct {
        const char *name;
        double (*of)(double);
    } functions[] = {{"sin", sin},   {"cos", cos},   {"exp", exp}, {"abs", fabs},
                     {"sqrt", sqrt}, {"sign", sign}, {"log", log}, {"tanh", tanh}};
    for (size_t k = 0; k < sizeof functions / sizeof *functions && count == 1; k++) {
        if (strcmp(name, functions[k].name) == 0) {
            return functions[k].of(x[0]);
        }
    }
    return r->call(r->user, name, x, count);
}

static double call_or_name(reader *r)
{
    static const char *const readings[] = {"position",        "velocity",       "acceleration",
                                           "friction",        "reaction_force", "force",
                                           "reaction_torque", "normal_force",   "rest_time"};
    char name[32] = {0}, item[32] = {0};
    double x[8] = {0};
    int count = 0;
    for (int k = 0; (isalnum((unsigned char)*r->at) || *r->at == '_') && k < 31; k++) {
        name[k] = *r->at++;
    }
    if (!take(r, '(')) {
        return r->lookup(r->user, name, "");
    }
    for (size_t k = 0; k < sizeof readings / sizeof *readings; k++) {
        if (strcmp(name, readings[k]) == 0) {
            peek(r);
            for (int n = 0; *r->at && *r->at != ')' && n < 31; n++) {
                item[n] = *r->at++;
            }
            return take(r, ')') ? r->lookup(r->user, name, item) : (double)NAN;
        }
    }
    do {
        x[count++] = comparison(r);
    } while (count < 8 && take(r, ','));
    return take(r, ')') ? apply(r, name, x, count) : (double)NAN;
}

static double value(reader *r)
{
    const char c = peek(r);
    if (c == '(') {
        r->at++;
        const double x = comparison(r);
        return take(r, ')') ? x : (double)NAN;
    }
    if (isdigit((unsigned char)c) || c == '.') {
        char *end;
        const double x = strtod(r->at, &end);
        r->at = end;
        return x;
    }
    return isalpha((unsigned char)c) ? call_or_name(r) : (double)NAN;
}

static double unary(reader *r)
{
    if (take(r, '-')) {
        return -unary(r);
    }
    if (take(r, '+')) {
        return unary(r);
    }
    const double base = value(r);
    return take(r, '^') ? pow(base, unary(r)) : base;
}

static double product(reader *r)
{
    double x = unary(r);
    for (;;) {
        if (take(r, '*')) {
            x *= unary(r);
        } else if (take(r, '/')) {
            x /= unary(r);
        } else {
            return x;
        }
    }
}

static double sum(reader *r)
{
    double x = product(r);
    for (;;) {
        if (take(r, '+')) {
            x += product(r);
        } else if (take(r, '-')) {
            x -= product(r);
        } else {
            return x;
        }
    }
}

static double comparison(reader *r)
{
    const double x = sum(r);
    if (take(r, '<')) {
        return x < sum(r);
    }
    if (take(r, '>')) {
        return x > sum(r);
    }
    return x;
}

double formula_value(const char *text, formula_lookup lookup, formula_call call, void *user)
{
    reader r = {.at = text, .lookup = lookup, .call = call, .user = user};
    if (!*text) {
        return 0;
    }
    const double x = comparison(&r);
    return peek(&r) ? (double)NAN : x;
}
