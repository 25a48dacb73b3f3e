#include "dynamics/linear_laws.h"

#include "dynamics/element.h"

#include <stdlib.h>

/* ---- set-up ---- */

static bool reads_remote(const dt_law *law, int node)
{
    for (int k = 0; law->program && k < law->program->variable_count; k++) {
        if (dt_variable_is(law->program->variables[k], DT_OF_JOINT) &&
            law->program->variables[k].index != node) {
            return true;
        }
    }
    return false;
}

/** Whether a law counts as one that reads other nodes. */
static bool is_remote(const dt_system *s, const dt_law *law)
{
    return dt_law_is(law, DT_LAW_IS_ANSWER) && reads_remote(law, dt_law_own_node(s, law));
}

/** Laws along joints in the order of their nodes, actuation before friction; those on bodies come last. */
static int compare_remotes(const void *one, const void *other)
{
    const dt_remote *a = one, *b = other;
    const bool along = dt_law_is(a->law, DT_LAW_IS_ALONG);
    if (along != dt_law_is(b->law, DT_LAW_IS_ALONG)) {
        return along ? -1 : 1;
    }
    const int first = along ? a->node - b->node : (int)a->law->owner - (int)b->law->owner;
    const int second = along ? (int)a->law->role - (int)b->law->role
                             : (int)a->law->component - (int)b->law->component;
    return first != 0 ? first : second;
}

/** Lists what answers and is no law, behind the laws. False when memory is out. */
static bool list_answers(dt_arena *arena, const dt_system *s, dt_linear_laws *laws)
{
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        const dt_element_kind *kind = dt_elements[k];
        const int items = kind->answer_count ? dt_items_count(s->mechanism, kind->items) : 0;
        for (int n = 0; n < items * kind->answer_count; n++) {
            const int item = n / kind->answer_count;
            dt_remote *remote = &laws->remote[laws->remote_count++];
            *remote = (dt_remote){.element = kind,
                                  .item = item,
                                  .component = n % kind->answer_count,
                                  .node = -1,
                                  .other = -1,
                                  .gradient = dt_arena_alloc(arena, (size_t)kind->answer_reads,
                                                             sizeof *remote->gradient)};
            if (!remote->gradient) {
                return false;
            }
            kind->answer_nodes(s->mechanism, remote);
            laws->acceleration_count += kind->answer_ties;
        }
    }
    return true;
}

static int count_answers(const detent_mechanism *m)
{
    int count = 0;
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        count += dt_elements[k]->answer_count
                     ? dt_elements[k]->answer_count * dt_items_count(m, dt_elements[k]->items)
                     : 0;
    }
    return count;
}

/** Lists the remote laws and other answers. False when memory is out. */
static bool list_remotes(dt_arena *arena, const dt_system *s, dt_linear_laws *laws)
{
    int count = 0;
    for (int l = 0; l < s->law_count; l++) {
        count += is_remote(s, s->law[l]);
    }
    laws->remote =
        dt_arena_alloc(arena, (size_t)(count + count_answers(s->mechanism)), sizeof *laws->remote);
    for (int l = 0; l < s->law_count && laws->remote; l++) {
        const dt_law *law = s->law[l];
        if (!is_remote(s, law)) {
            continue;
        }
        double *gradient =
            dt_arena_alloc(arena, (size_t)law->program->variable_count, sizeof *gradient);
        if (!gradient) {
            return false;
        }
        laws->remote[laws->remote_count++] = (dt_remote){.law = law,
                                                         .element = dt_law_kinds[law->role].element,
                                                         .node = dt_law_node(s, law),
                                                         .other = -1,
                                                         .gradient = gradient};
    }
    if (count > 1 && laws->remote) {
        qsort(laws->remote, (size_t)count, sizeof *laws->remote, compare_remotes);
    }
    laws->law_count = laws->acceleration_count = laws->remote_count;
    return laws->remote && list_answers(arena, s, laws);
}

static void mark_wrenches(const dt_system *s, dt_linear_laws *laws)
{
    const size_t n = (size_t)s->tree->node_count;
    for (int k = 0; k < s->law_count; k++) {
        const dt_program *p = s->law[k]->program;
        for (int j = 0; j < p->variable_count; j++) {
            if (dt_variable_is(p->variables[j], DT_OF_WRENCH)) {
                memset(laws->needs_wrench, 1, s->place ? n : 0); /* nodes change their laws */
                laws->needs_wrench[p->variables[j].index] = 1;
            }
        }
    }
}

static size_t longest_slots(const dt_system *s)
{
    size_t longest = 1;
    for (int k = 0; k < s->law_count; k++) {
        if ((size_t)s->law[k]->program->variable_count > longest) {
            longest = (size_t)s->law[k]->program->variable_count;
        }
    }
    return longest;
}

bool dt_linear_laws_create(dt_arena *arena, const dt_system *s, dt_linear_laws *laws)
{
    memset(laws, 0, sizeof *laws);
    laws->needs_wrench = dt_arena_alloc(arena, (size_t)s->tree->node_count, 1);
    laws->gradient = dt_arena_alloc(arena, longest_slots(s), sizeof *laws->gradient);
    if (!laws->needs_wrench || !laws->gradient || !list_remotes(arena, s, laws)) {
        return false;
    }
    mark_wrenches(s, laws);
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        laws->needs_poses = laws->needs_poses || (dt_elements[k]->follows_poses &&
                                                  dt_elements[k]->follows_poses(s->mechanism));
    }
    if (memchr(laws->needs_wrench, 1, (size_t)s->tree->node_count)) {
        laws->K_F = dt_arena_alloc(arena, (size_t)s->mechanism->stiction_count, sizeof *laws->K_F);
        return laws->K_F != NULL;
    }
    return true;
}

/* ---- update ---- */

void dt_linear_laws_slope(dt_linear_laws *laws, dt_system *s, const dt_law *law, int node,
                          int direction, dt_slope *slope)
{
    memset(slope, 0, sizeof *slope);
    if (!law->program || law->program->variable_count == 0) {
        return;
    }
    dt_law_gradient(s, law, direction, laws->gradient);
    for (int k = 0; k < law->program->variable_count; k++) {
        const dt_variable variable = law->program->variables[k];
        if (dt_variable_is(variable, DT_OF_JOINT) && dt_system_place(s, variable.index) == node) {
            dt_slope_add(s, law->program->variables[k], laws->gradient[k], slope);
        }
    }
}

/** Rows and friction forces without any law. */
static void clear(dt_linear_laws *laws, const dt_system *s)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = 0; j < node->type->nv; j++) {
            dt_row *row = &laws->row[node->v + j];
            dt_copy6(row->sigma, s->motion[i].S[j]);
            row->q = row->v = 0;
            row->a = node->armature;
        }
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        laws->friction[k] = (dt_friction_slope){.one_plus_Qf = 1};
    }
}

static void update_remote(dt_system *s, dt_remote *remote)
{
    const dt_law *law = remote->law;
    const dt_program *p = law->program;
    const int k = dt_law_stiction(s, law), own = dt_law_own_node(s, law);
    if (!remote->element->prepare(s, remote)) {
        memset(remote->gradient, 0, (size_t)p->variable_count * sizeof *remote->gradient);
        return;
    }
    dt_law_gradient(s, law, k < 0 ? 0 : s->direction[k], remote->gradient);
    for (int j = 0; j < p->variable_count; j++) {
        if (!dt_variable_is(p->variables[j], DT_OF_JOINT) || p->variables[j].index == own) {
            remote->gradient[j] = 0;
        } else {
            remote->gradient[j] *= remote->factor;
        }
    }
}

void dt_linear_laws_update(dt_linear_laws *laws, dt_system *s)
{
    clear(laws, s);
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        if (dt_elements[k]->add_rows && dt_element_acts(s, k)) {
            dt_elements[k]->add_rows(laws, s);
        }
    }
    for (int k = 0; k < laws->law_count; k++) {
        update_remote(s, &laws->remote[k]);
    }
    for (int k = laws->law_count; k < laws->remote_count; k++) {
        laws->remote[k].element->prepare(s, &laws->remote[k]);
    }
}
