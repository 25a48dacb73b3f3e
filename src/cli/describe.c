#include "describe.h"

const char *integrator_name(const detent_settings *s)
{
    static const char *const names[] = {"ida", "erk", "auto", "euler", "rk4", "fixed"};
    return names[s->integrator];
}

bool has_fixed_step(const detent_settings *s)
{
    return s->integrator == DETENT_INTEGRATOR_EULER || s->integrator == DETENT_INTEGRATOR_RK4 ||
           s->integrator == DETENT_INTEGRATOR_FIXED;
}

const char *linear_solver_name(const detent_settings *s)
{
    return s->linear_solver == DETENT_LINEAR_SOLVER_DENSE ? "dense" : "tree";
}

const char *locked_joints_name(const detent_settings *s)
{
    return s->locked_joints == DETENT_LOCKED_JOINTS_CONSTRAIN ? "constrain" : "weld";
}

void json_given(json_writer *json, const char *key, double value)
{
    if (value > 0) {
        json_number(json, key, value);
    } else {
        json_null(json, key);
    }
}

void json_settings(json_writer *json, const char *key, const detent_settings *s)
{
    json_object(json, key);
    json_number(json, "start", s->start);
    json_number(json, "end", s->end);
    json_number(json, "interval", s->interval);
    json_number(json, "rtol", s->rtol);
    json_given(json, "atol", s->atol);
    json_given(json, "max_step", s->max_step);
    json_given(json, "step", s->step);
    json_given(json, "max_solves", s->max_solves);
    json_given(json, "max_event_rate", s->max_event_rate);
    json_text(json, "integrator", integrator_name(s));
    json_text(json, "linear_solver", linear_solver_name(s));
    json_text(json, "locked_joints", locked_joints_name(s));
    json_close(json);
}

static void json_place(json_writer *json, const char *key, int number)
{
    if (number > 0) {
        json_count(json, key, (size_t)number);
    } else {
        json_null(json, key);
    }
}

/* One word for a program to tell errors apart; docs/command-line.md lists them. */
static const char *error_code(detent_status status)
{
    switch (status) {
    case DETENT_OK:
    case DETENT_EVENT:
        return "none";
    case DETENT_NO_CONSISTENT_STATE:
        return "no_consistent_state";
    case DETENT_EVENT_STORM:
        return "event_storm";
    case DETENT_INTERRUPTED:
        return "interrupted";
    case DETENT_ERROR_ARGUMENT:
        return "argument";
    case DETENT_ERROR_MEMORY:
        return "memory";
    case DETENT_ERROR_IO:
        return "io";
    case DETENT_ERROR_SYNTAX:
        return "syntax";
    case DETENT_ERROR_MODEL:
        return "model";
    case DETENT_ERROR_NUMERIC:
        return "numeric";
    case DETENT_ERROR_SOLVER:
        return "solver";
    case DETENT_ERROR_FUNCTION:
        return "function";
    }
    return "unknown";
}

void json_error(json_writer *json, const char *key, const detent_error *error)
{
    json_object(json, key);
    json_text(json, "code", error_code(error->status));
    json_text(json, "status", detent_status_text(error->status));
    json_text(json, "message", error->message);
    json_text(json, "detail", error->detail);
    json_text(json, "file", error->file);
    json_place(json, "line", error->line);
    json_place(json, "column", error->column);
    json_close(json);
}
