/* Couplings, tables and outputs as they are written: what coupling.c, table.c and sections.c read. */

#include "format/written.h"

#include "expression/curve.h"
#include "format/coupling.h"
#include "format/table.h"
#include "model/joint_type.h"

#include <string.h>

/* ---- couplings ---- */

static bool turns(const dt_written *w, const char *primitive)
{
    const int i = dt_find_primitive(w->m, primitive);
    return i >= 0 && w->m->tree.nodes[i].type->rotational;
}

/* A gear or a rack where it is one to the bit, else the condition itself. */
static void write_condition(dt_entries *into, const detent_coupling_def *def, int count)
{
    const bool first = turns(into->w, def->primitive[0]),
               second = turns(into->w, def->primitive[1]), pair = count == 2,
               gear = pair && first == second && def->factor[0] == 1,
               rack = pair && first && !second && def->factor[1] == 1;
    dt_entries joints = dt_entries_new(into->w, DT_YAML_SEQUENCE);
    for (int k = 0; k < count; k++) {
        dt_entries_text(&joints, NULL, def->primitive[k]);
    }
    dt_entries_text(into, "type", gear ? "gear" : rack ? "rack" : "differential");
    dt_entries_hang(into, "joints", &joints, true);
    if (gear || rack) {
        dt_entries_number(into, gear ? "ratio" : "radius",
                          gear ? -def->factor[1] : -def->factor[0]);
    } else {
        dt_entries_numbers(into, "factors", def->factor, count);
    }
}

#define FIELD(kind, member, extra)                                                            \
    {                                                                                         \
#member, DT_VALUE_##kind, false, offsetof(detent_coupling_def, member), NULL, (extra) \
    }

static void write_mesh(dt_entries *into, const detent_coupling_def *def, const dt_script_item *item)
{
    static const dt_key keys[] = {{"loss_driving", DT_VALUE_SIZE, true,
                                   offsetof(detent_coupling_def, loss_driving), NULL, NULL},
                                  FIELD(SIZE, loss_driven, NULL),
                                  FIELD(SIZE, static_loss_driving, NULL),
                                  FIELD(SIZE, static_loss_driven, NULL),
                                  FIELD(SIZE, no_load, NULL),
                                  DT_KEYS_END};
    const double any[] = {def->loss_driving, def->loss_driven, def->static_loss_driving,
                          def->static_loss_driven, def->no_load};
    dt_entries friction = dt_entries_new(into->w, DT_YAML_MAPPING);
    if (!dt_written_is_zero(any, 5)) {
        dt_write_keys(&friction, keys, def, item, NULL);
        dt_entries_hang(into, "friction", &friction, true);
    }
}

void dt_write_coupling(dt_entries *into, const dt_script_item *item)
{
    static const dt_key keys[] = {FIELD(POSITIVE, stiffness, NULL),
                                  FIELD(SIZE, damping, NULL),
                                  FIELD(SIZE, backlash, NULL),
                                  FIELD(SIZE, restitution, NULL),
                                  FIELD(CHOICE, drives, dt_coupling_ways),
                                  DT_KEYS_END};
    const detent_coupling_def *def = item->definition;
    int count = 0;
    while (count < DETENT_MAX_COUPLED && def->primitive[count]) {
        count++;
    }
    write_condition(into, def, count);
    dt_write_keys(into, keys, def, item, NULL);
    write_mesh(into, def, item);
}

/* ---- tables ---- */

/* Numbers of a list, of which the first one tells the unit, unless it has been told. */
static void write_numbers(dt_entries *list, const double *values, int count,
                          const dt_dimension *dimension)
{
    for (int k = 0; k < count; k++) {
        if (k == 0 && dimension) {
            dt_entries_plain(list, NULL, dt_written_quantity(list->w, values[k], dimension));
        } else {
            dt_entries_number(list, NULL, values[k]);
        }
    }
}

static void write_list(dt_entries *into, const char *key, const double *values, int count,
                       const dt_dimension *dimension)
{
    dt_entries list = dt_entries_new(into->w, DT_YAML_SEQUENCE);
    write_numbers(&list, values, count, dimension);
    dt_entries_hang(into, key, &list, true);
}

void dt_write_table(dt_entries *into, const dt_curve *table)
{
    const int rows = table->axis[0].count, columns = table->axis[1].count;
    if (table->axes == 1) {
        write_list(into, "of", table->axis[0].at, rows, &table->dimension[0]);
        write_list(into, "is", table->value, rows, &table->result);
    } else {
        dt_entries of = dt_entries_new(into->w, DT_YAML_SEQUENCE),
                   is = dt_entries_new(into->w, DT_YAML_SEQUENCE);
        for (int k = 0; k < 2; k++) {
            write_list(&of, NULL, table->axis[k].at, table->axis[k].count, &table->dimension[k]);
        }
        for (int k = 0; k < rows; k++) {
            write_list(&is, NULL, table->value + (size_t)k * (size_t)columns, columns,
                       k == 0 ? &table->result : NULL);
        }
        dt_entries_hang(into, "of", &of, true);
        dt_entries_hang(into, "is", &is, true);
    }
    if (table->interpolation) {
        dt_entries_text(into, "interpolation", dt_interpolations[table->interpolation]);
    }
    if (table->outside) {
        dt_entries_text(into, "outside", dt_outsides[table->outside]);
    }
}

/* ---- outputs ---- */

enum { LONGEST_OWN = 1000 }; /* of a text that is its own label: label.c has a bound, too */

void dt_write_output(dt_entries *list, const dt_script_item *item)
{
    const dt_output_definition *def = item->definition;
    const char *as_label = dt_written_label(list->w, def->expression, item),
               *label = def->label ? def->label : def->expression;
    if (list->w->out_of_memory) {
        return;
    }
    if (strcmp(as_label, label) == 0 && strlen(label) < LONGEST_OWN) {
        dt_entries_plain(list, NULL, as_label);
        return;
    }
    dt_entries named = dt_entries_new(list->w, DT_YAML_MAPPING);
    dt_entries_plain(&named, label, dt_written_law(list->w, def->expression, item));
    dt_entries_hang(list, NULL, &named, true);
}
