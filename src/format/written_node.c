/* The tree that is written: collections that grow, scalars, numbers with units. */

#include "format/written.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

dt_entries dt_entries_new(dt_written *w, dt_yaml_kind kind)
{
    dt_entries all = {w, w->out_of_memory ? NULL : dt_arena_one(&w->arena, sizeof *all.node), NULL};
    if (all.node) {
        all.node->kind = kind;
    }
    w->out_of_memory = !all.node;
    return all;
}

static void hang(dt_entries *into, const char *key, dt_yaml_node *node)
{
    if (!into->node || !node) {
        into->w->out_of_memory = true;
        return;
    }
    node->key = key;
    *(into->last ? &into->last->next : &into->node->first) = node;
    into->last = node;
    into->node->count++;
}

void dt_entries_hang(dt_entries *into, const char *key, const dt_entries *inner, bool keep)
{
    if (!inner->node || inner->node->count > 0 || keep) {
        hang(into, key, inner->node);
    }
}

/* Characters up to U+10FFFF, each in its shortest form, and no halves of pairs. */
static bool is_utf8(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    bool good = true;
    while (*at && good) {
        const unsigned char lead = *at++;
        const int more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
        const unsigned char least = lead == 0xE0   ? 0xA0
                                    : lead == 0xF0 ? 0x90
                                                   : 0x80,
                            most = lead == 0xED   ? 0x9F
                                   : lead == 0xF4 ? 0x8F
                                                  : 0xBF;
        good = lead < 0x80 || (lead >= 0xC2 && lead <= 0xF4 && *at >= least && *at <= most);
        for (int k = 0; k < more && good; k++) {
            good = (*at++ & 0xC0) == 0x80;
        }
    }
    return good;
}

static void add_scalar(dt_entries *into, const char *key, const char *text, dt_yaml_style style)
{
    dt_yaml_node *node =
        text && !into->w->out_of_memory ? dt_arena_one(&into->w->arena, sizeof *node) : NULL;
    into->w->not_utf8 = into->w->not_utf8 || (text && !is_utf8(text)) || (key && !is_utf8(key));
    if (node) {
        *node = (dt_yaml_node){.kind = DT_YAML_SCALAR, .style = style, .text = text};
    }
    hang(into, key, node);
}

void dt_entries_plain(dt_entries *into, const char *key, const char *text)
{
    add_scalar(into, key, text, DT_YAML_PLAIN);
}

void dt_entries_text(dt_entries *into, const char *key, const char *text)
{
    const dt_yaml_node as_plain = {.kind = DT_YAML_SCALAR, .text = text};
    add_scalar(into, key, text, dt_yaml_is_text(&as_plain) ? DT_YAML_PLAIN : DT_YAML_QUOTED);
}

static const char *number_text(dt_written *w, double value)
{
    char text[DT_NUMBER_SIZE];
    const size_t length = dt_format_number(text, value);
    return dt_arena_copy(&w->arena, text, length);
}

void dt_entries_number(dt_entries *into, const char *key, double value)
{
    dt_entries_plain(into, key, number_text(into->w, value));
}

void dt_entries_numbers(dt_entries *into, const char *key, const double *values, int count)
{
    dt_entries list = dt_entries_new(into->w, DT_YAML_SEQUENCE);
    for (int k = 0; k < count; k++) {
        dt_entries_number(&list, NULL, values[k]);
    }
    dt_entries_hang(into, key, &list, true);
}

bool dt_written_is_zero(const double *values, int count)
{
    static const double zero = 0;
    int k = 0;
    while (k < count && memcmp(&values[k], &zero, sizeof zero) == 0) {
        k++;
    }
    return k == count;
}

/* ---- units ---- */

/* One of those that read as they are, with a factor of 1. */
static void unit_text(const dt_dimension *dimension, char *text, size_t size)
{
    static const char *const bases[] = {"m", "kg", "s", "A", "K", "mol", "cd"};
    static const struct {
        const dt_dimension *dimension;
        const char *unit;
    } usual[] = {{&dt_dimension_force, "N"},
                 {&dt_dimension_torque, "N*m"},
                 {&dt_dimension_velocity, "m/s"},
                 {&dt_dimension_stiffness, "N/m"}};
    size_t length = 0;
    *text = '\0';
    for (size_t k = 0; k < sizeof usual / sizeof *usual && dimension->angle == 0; k++) {
        if (memcmp(usual[k].dimension->exponent, dimension->exponent, sizeof dimension->exponent) ==
            0) {
            snprintf(text, size, "%s", usual[k].unit);
            return;
        }
    }
    if (dimension->angle) {
        length = (size_t)snprintf(text, size, dimension->angle > 0 ? "rad" : "rad^-1");
    }
    for (size_t k = 0; k < sizeof bases / sizeof *bases; k++) {
        const int exponent = dimension->exponent[k];
        if (exponent != 0) {
            length +=
                (size_t)snprintf(text + length, size - length, "%s%s", length ? "*" : "", bases[k]);
        }
        if (exponent != 0 && exponent != 1) {
            length += (size_t)snprintf(text + length, size - length, "^%d", exponent);
        }
    }
    if (length == 0) {
        snprintf(text, size, "[1]");
    }
}

const char *dt_written_quantity(dt_written *w, double value, const dt_dimension *dimension)
{
    char unit[96], text[DT_NUMBER_SIZE];
    const size_t length = dt_format_number(text, value);
    if (!dimension->known) {
        return dt_arena_copy(&w->arena, text, length);
    }
    unit_text(dimension, unit, sizeof unit);
    return dt_arena_printf(&w->arena, "%s %s", text, unit);
}
