#include "dynamics/tie.h"

#include "dynamics/closure.h"
#include "dynamics/element.h"
#include "dynamics/scale.h"

#include <float.h>
#include <stdio.h>

void dt_tie_list(const detent_mechanism *m, dt_tie_row *rows)
{
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        const dt_tie_kind *kind = dt_elements[k]->tie;
        const int count = kind ? kind->rows * dt_element_count(k, m) : 0;
        for (int n = 0; n < count; n++) {
            *rows++ = (dt_tie_row){kind, n / kind->rows, n % kind->rows};
        }
    }
}

bool dt_tie_is_dense(const detent_mechanism *m)
{
    bool dense = false;
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        const dt_tie_kind *kind = dt_elements[k]->tie;
        dense = dense || (kind && !kind->is_local && dt_element_count(k, m) > 0);
    }
    return dense;
}

void dt_tie_tell(const dt_system *s, int row, int longest, char *text, size_t size)
{
    const dt_tie_row *at = &s->closure->tie[row];
    snprintf(text, size, "the %s '%.*s'%s", dt_tie_word(at), longest,
             at->kind->name(s->mechanism, at->item), at->kind->does ? at->kind->does : "");
}

double dt_tie_force(const dt_system *s, const struct dt_self_stress *stress, int item)
{
    (void)s, (void)stress, (void)item;
    return 1;
}

void dt_tie_residuals(dt_system *s, double *r)
{
    for (int k = 0; k < DT_ELEMENT_KINDS && s->closure; k++) {
        if (dt_elements[k]->tie) {
            dt_elements[k]->tie->residuals(s, r);
        }
    }
}

void dt_tie_changes(dt_tangent *t, dt_system *s, double *rows)
{
    for (int k = 0; k < DT_ELEMENT_KINDS && s->closure; k++) {
        if (dt_elements[k]->tie) {
            dt_elements[k]->tie->changes(t, s, rows);
        }
    }
}

double dt_tie_size(const dt_system *s, int row)
{
    const dt_tie_row *at = &s->closure->tie[row];
    const dt_scale *scale = s->scale;
    const double usual = scale ? scale->length / (scale->time * scale->time) : 0;
    return at->kind->size(s, at->item, at->component) +
           DBL_EPSILON * usual / s->closure->row_unit[row];
}

double dt_tie_turned(const dt_tangent *t, const dt_system *s, int row)
{
    const dt_tie_row *at = &s->closure->tie[row];
    return at->kind->turned ? at->kind->turned(t, s, at->item, at->component) : 0;
}

void dt_tie_add_way(const dt_system *s, int one, int other, const double wrench[6], double *size)
{
    int at[2] = {one, other};
    while (at[0] != at[1]) {
        int *far = &at[at[1] > at[0]];
        const int i = *far, p = s->tree->nodes[i].parent;
        for (int k = 0; k < 6; k++) {
            *size +=
                fabs(wrench[k]) * (fabs(s->A[i][k] - (p < 0 ? 0 : s->A[p][k])) + fabs(s->A[i][k]));
        }
        *far = p;
    }
}
