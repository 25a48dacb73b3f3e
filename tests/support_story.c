#include "support_story.h"

story tell(const char *text, variant v, double end)
{
    story s = {.v = v, .mechanism = runs_parse(text, NULL)};
    s.simulation = variant_start(s.mechanism, v);
    runs_record(s.simulation, end, &s.log);
    return s;
}

void over(story *s)
{
    runs_log_free(&s->log);
    runs_end(s->simulation, s->mechanism);
}

void must_happen(const story *s, size_t stiction, detent_mode to, size_t n, double at)
{
    variant_check(s->v, "time of an event", runs_time_of(&s->log, stiction, to, n), at, 1e-8 * at);
}

void must_be(const story *s, const char *output, double value, double tolerance)
{
    variant_check(s->v, output, runs_output(s->mechanism, s->simulation, output), value, tolerance);
}
