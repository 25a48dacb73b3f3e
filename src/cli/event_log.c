#include "event_log.h"

#include "csv.h"
#include "json.h"
#include "number.h"

const char *mode_text(char text[MODE_TEXT_SIZE], detent_mode mode, int direction)
{
    static const char *const words[] = {"locked", "wait", "unlocked"};
    const size_t known = sizeof words / sizeof *words;
    const char *sign = mode == DETENT_LOCKED || direction == 0 ? "" : direction > 0 ? "+" : "-";
    snprintf(text, MODE_TEXT_SIZE, "%s%s", (size_t)mode < known ? words[mode] : "unknown", sign);
    return text;
}

static const char *cause_text(detent_cause cause)
{
    switch (cause) {
    case DETENT_CAUSE_INITIAL:
        return "initial";
    case DETENT_CAUSE_LIMIT:
        return "limit";
    case DETENT_CAUSE_STOP:
        return "stop";
    case DETENT_CAUSE_THRESHOLD:
        return "threshold";
    case DETENT_CAUSE_SEARCH:
        return "search";
    case DETENT_CAUSE_SWITCH:
        return "switch";
    case DETENT_CAUSE_INPUT:
        return "input";
    case DETENT_CAUSE_SAMPLE:
        return "sample";
    case DETENT_CAUSE_JAM:
        return "jam";
    case DETENT_CAUSE_IMPACT:
        return "impact";
    }
    return "unknown";
}

void event_log_head(FILE *stream, bool jsonl)
{
    if (!jsonl) {
        fputs("time,joint,from,to,cause,margin\n", stream);
    }
}

static void write_csv(FILE *stream, const char *joint, const detent_mode_change *change)
{
    char from[MODE_TEXT_SIZE], to[MODE_TEXT_SIZE];
    write_number(stream, change->time);
    fputc(',', stream);
    csv_write_field(stream, joint);
    fprintf(stream, ",%s,%s,%s,", mode_text(from, change->from, change->from_direction),
            mode_text(to, change->to, change->to_direction), cause_text(change->cause));
    write_number(stream, change->margin);
    fputc('\n', stream);
}

static void write_json(FILE *stream, const char *joint, const detent_mode_change *change)
{
    char from[MODE_TEXT_SIZE], to[MODE_TEXT_SIZE];
    json_writer json = json_begin(stream, false);
    json_object(&json, NULL);
    json_number(&json, "time", change->time);
    json_text(&json, "joint", joint);
    json_text(&json, "from", mode_text(from, change->from, change->from_direction));
    json_text(&json, "to", mode_text(to, change->to, change->to_direction));
    json_text(&json, "cause", cause_text(change->cause));
    json_number(&json, "margin", change->margin);
    json_close(&json);
    json_end(&json);
}

/* ---- states at their stops ---- */

static const char *side_text(int side)
{
    return side < 0 ? "lower" : side > 0 ? "upper" : "free";
}

static void write_state(FILE *stream, bool jsonl, const char *name,
                        const detent_state_change *change)
{
    char text[300];
    snprintf(text, sizeof text, "state(%s)", name ? name : "");
    if (!jsonl) {
        write_number(stream, change->time);
        fputc(',', stream);
        csv_write_field(stream, text);
        fprintf(stream, ",%s,%s,%s,\n", side_text(change->from), side_text(change->to),
                cause_text(change->cause));
        return;
    }
    json_writer json = json_begin(stream, false);
    json_object(&json, NULL);
    json_number(&json, "time", change->time);
    json_text(&json, "joint", text);
    json_text(&json, "from", side_text(change->from));
    json_text(&json, "to", side_text(change->to));
    json_text(&json, "cause", cause_text(change->cause));
    json_null(&json, "margin");
    json_close(&json);
    json_end(&json);
}

void event_log_write(FILE *stream, bool jsonl, const detent_mechanism *mechanism,
                     const detent_simulation *simulation)
{
    detent_mode_change change = DETENT_INIT(detent_mode_change);
    for (size_t i = 0; detent_get_mode_change(simulation, i, &change) == DETENT_OK; i++) {
        const char *joint = detent_name(mechanism, DETENT_STICTION, change.stiction);
        (jsonl ? write_json : write_csv)(stream, joint ? joint : "", &change);
    }
    detent_state_change state = DETENT_INIT(detent_state_change);
    for (size_t i = 0; detent_get_state_change(simulation, i, &state) == DETENT_OK; i++) {
        write_state(stream, jsonl, detent_name(mechanism, DETENT_STATE, state.state), &state);
    }
}
