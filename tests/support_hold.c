#include "support_hold.h"

detent_mechanism *hold_parse(const char *text, const char *tunable)
{
    detent_error error;
    detent_mechanism *m = NULL;
    const detent_load_options options = {
        .size = sizeof options, .tunable = &tunable, .tunable_count = tunable ? 1 : 0};
    runs_must(detent_mechanism_parse(text, strlen(text), "test", &options, &m, &error), &error);
    return m;
}

detent_hold_interval hold_interval(const detent_mechanism *m, const char *input)
{
    detent_error error;
    detent_hold_interval interval = DETENT_INIT(detent_hold_interval);
    detent_analysis *analysis = runs_analyse(m);
    const size_t index = (size_t)detent_find(m, DETENT_INPUT, input);
    runs_must(detent_find_hold_interval(analysis, index, &interval, &error), &error);
    detent_analysis_destroy(analysis);
    return interval;
}
