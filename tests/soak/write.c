#include "write.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

void write_text(writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(w->text + w->length, w->capacity - w->length, format, arguments);
    va_end(arguments);
    w->length += length > 0 ? (size_t)length : 0;
    if (w->length >= w->capacity) {
        w->length = w->capacity - 1;
    }
}

double write_factor(writer *w)
{
    return w->size > 0 ? 1 + w->size * chance_in(&w->chance, -1, 1) : 1;
}

void write_vector(writer *w, const char *key, const double v[3], double unit)
{
    write_text(w, "%s[%.16g, %.16g, %.16g]", key, v[0] * unit, v[1] * unit, v[2] * unit);
}

bool write_is_zero(const double v[3])
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

/* ---- laws in other units ---- */

static const sketch_primitive *primitive_called(const sketch *s, const char *name, size_t length)
{
    for (int k = 0; k < s->count; k++) {
        for (int i = 0; i < s->joint[k].count; i++) {
            const sketch_primitive *p = &s->joint[k].primitive[i];
            if (strlen(p->name) == length && memcmp(p->name, name, length) == 0) {
                return p;
            }
        }
    }
    return NULL;
}

/* The unit of a reading of a primitive (NULL: one that cannot be read so, or a joint). */
static double unit_of(const sketch *s, const char *reading, size_t length,
                      const sketch_primitive *p)
{
    static const struct {
        const char *name;
        int mass, more, time; /* powers; `more` of the length, besides the coordinate's own */
        bool own;             /* the coordinate's own power of the length counts */
    } readings[] = {{"position", 0, 0, 0, true},       {"velocity", 0, 0, -1, true},
                    {"acceleration", 0, 0, -2, true},  {"reaction_force", 1, 1, -2, false},
                    {"normal_force", 1, 1, -2, false}, {"reaction_torque", 1, 2, -2, false},
                    {"friction", 1, 2, -2, true},      {"force", 1, 2, -2, true},
                    {"rest_time", 0, 0, 1, false}};
    for (size_t k = 0; k < sizeof readings / sizeof *readings; k++) {
        if (strlen(readings[k].name) == length && memcmp(readings[k].name, reading, length) == 0) {
            const int own = readings[k].own && p ? sketch_length(p) : 0;
            /* a force along a coordinate is an energy over it */
            return sketch_unit(s, readings[k].mass,
                               readings[k].more + (readings[k].mass ? -own : own),
                               readings[k].time);
        }
    }
    return 1;
}

/* Writes a law whose readings and t are divided by their units. */
static void put_scaled(writer *w, const char *law)
{
    while (*law) {
        if (isdigit((unsigned char)*law) || *law == '.') {
            char *end;
            strtod(law, &end);
            write_text(w, "%.*s", (int)(end - law), law);
            law = end;
            continue;
        }
        const size_t length = strspn(law, "abcdefghijklmnopqrstuvwxyz_");
        if (length == 0) {
            write_text(w, "%c", *law++);
            continue;
        }
        double unit = 1;
        size_t all = length;
        if (length == 1 && *law == 't') {
            unit = sketch_unit(w->s, 0, 0, 1);
        } else if (law[length] == '(') {
            const size_t name = strcspn(law + length + 1, "),( ");
            const sketch_primitive *p = primitive_called(w->s, law + length + 1, name);
            unit = unit_of(w->s, law, length, p);
            all = unit != 1 ? length + name + 2 : length;
        }
        if (unit == 1) {
            write_text(w, "%.*s", (int)all, law);
        } else {
            write_text(w, "(%.16g*%.*s)", 1 / unit, (int)all, law);
        }
        law += all;
    }
}

void write_formula(writer *w, const char *law, double unit, double by)
{
    if (unit * by == 1) {
        put_scaled(w, law);
    } else {
        write_text(w, "%.16g*(", unit * by);
        put_scaled(w, law);
        write_text(w, ")");
    }
}

void write_law(writer *w, const char *key, const char *law, double unit, double by)
{
    if (law[0]) {
        write_text(w, ", %s: \"", key);
        write_formula(w, law, unit, by);
        write_text(w, "\"");
    }
}

void write_drop_comma(writer *w, size_t start)
{
    if (w->length > start) {
        memmove(w->text + start, w->text + start + 2, w->length - start - 1);
        w->length -= 2;
    }
}
