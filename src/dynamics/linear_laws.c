#include "dynamics/linear_laws.h"

#include "dynamics/loads.h"

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
    return law->role == DT_LAW_LOAD ? reads_remote(law, -1)
                                    : (law->role == DT_LAW_FORCE || law->role == DT_LAW_KINETIC) &&
                                          reads_remote(law, dt_law_node(s, law));
}

/** Laws along joints in the order of their nodes, actuation before friction; loads come last. */
static int compare_remotes(const void *one, const void *other)
{
    const dt_remote *a = one, *b = other;
    const bool loads = a->law->role == DT_LAW_LOAD;
    if (loads != (b->law->role == DT_LAW_LOAD)) {
        return loads ? 1 : -1;
    }
    const int first = loads ? (int)a->law->owner - (int)b->law->owner : a->node - b->node;
    const int second = loads ? (int)a->law->component - (int)b->law->component
                             : (int)a->law->role - (int)b->law->role;
    return first != 0 ? first : second;
}

/** Lists the remote laws. False when memory is out. */
static bool list_remotes(dt_arena *arena, const dt_system *s, dt_linear_laws *laws)
{
    int count = 0;
    for (int l = 0; l < s->law_count; l++) {
        count += is_remote(s, s->law[l]);
    }
    laws->remote = dt_arena_alloc(arena, (size_t)count, sizeof *laws->remote);
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
        laws->remote[laws->remote_count++] =
            (dt_remote){.law = law, .node = dt_law_node(s, law), .gradient = gradient};
    }
    if (count > 1 && laws->remote) {
        qsort(laws->remote, (size_t)count, sizeof *laws->remote, compare_remotes);
    }
    return laws->remote != NULL;
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
    for (int l = 0; l < s->mechanism->load_count; l++) {
        laws->world_loads = laws->world_loads || s->mechanism->loads[l].frame == DETENT_FRAME_WORLD;
    }
    if (memchr(laws->needs_wrench, 1, (size_t)s->tree->node_count)) {
        laws->K_F = dt_arena_alloc(arena, (size_t)s->mechanism->stiction_count, sizeof *laws->K_F);
        return laws->K_F != NULL;
    }
    return true;
}

/* ---- update ---- */

/** Slope of a law with respect to its own node's readings. */
static void own_slope(dt_linear_laws *laws, dt_system *s, const dt_law *law, int node,
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

static void subtract_force_law(dt_row *row, const dt_slope *Q)
{
    dt_axpy6(row->sigma, -1, Q->F);
    row->q -= Q->q, row->v -= Q->v, row->a -= Q->a;
}

/** The slopes of s FK of joint k, K being those of FK. */
static void set_friction(dt_linear_laws *laws, int k, double direction, const dt_slope *K)
{
    dt_friction_slope *friction = &laws->friction[k];
    friction->q = direction * K->q, friction->v = direction * K->v;
    friction->a = direction * K->a, friction->f = direction * K->f;
    friction->w = friction->one_plus_Qf / (1 + friction->f);
    for (int r = 0; r < 6 && laws->K_F; r++) {
        laws->K_F[k][r] = direction * K->F[r];
    }
}

static void add_friction_law(const dt_linear_laws *laws, int k, dt_row *row)
{
    const dt_friction_slope *friction = &laws->friction[k];
    const double w = friction->w;
    if (laws->K_F) {
        dt_axpy6(row->sigma, w, laws->K_F[k]);
    }
    row->q += w * friction->q, row->v += w * friction->v, row->a += w * friction->a;
}

static void update_scalar(dt_linear_laws *laws, dt_system *s, int i)
{
    const dt_primitive *p = &s->mechanism->primitives[i];
    dt_row *row = &laws->row[s->tree->nodes[i].v];
    const int k = p->stiction;
    dt_slope Q, K;
    dt_copy6(row->sigma, s->motion[i].S[0]);
    row->q = p->stiffness, row->v = p->damping, row->a = s->tree->nodes[i].armature;
    own_slope(laws, s, &s->force_law[i], i, k < 0 ? 0 : s->direction[k], &Q);
    subtract_force_law(row, &Q);
    if (k < 0) {
        return;
    }
    dt_friction_slope *friction = &laws->friction[k];
    memset(friction, 0, sizeof *friction);
    friction->one_plus_Qf = 1 + Q.f;
    if (s->mode[k] == DETENT_LOCKED) {
        return;
    }
    if (dt_system_is_given(s, k)) {
        memset(&K, 0, sizeof K);
        set_friction(laws, k, 0, &K);
        return;
    }
    own_slope(laws, s, &s->stiction_law[k].kinetic, i, s->direction[k], &K);
    set_friction(laws, k, s->direction[k], &K);
    add_friction_law(laws, k, row);
}

static void update_remote(dt_system *s, dt_remote *remote)
{
    const dt_law *law = remote->law;
    const dt_program *p = law->program;
    const int k = dt_law_stiction(s, law), direction = k < 0 ? 0 : s->direction[k];
    const int own = law->role == DT_LAW_LOAD ? -1 : remote->node;
    const bool is_friction = law->role == DT_LAW_KINETIC;
    if (is_friction && (s->mode[k] == DETENT_LOCKED || dt_system_is_given(s, k))) {
        memset(remote->gradient, 0, (size_t)p->variable_count * sizeof *remote->gradient);
        return;
    }
    dt_law_gradient(s, law, direction, remote->gradient);
    for (int j = 0; j < p->variable_count; j++) {
        if (!dt_variable_is(p->variables[j], DT_OF_JOINT) || p->variables[j].index == own) {
            remote->gradient[j] = 0;
        } else if (is_friction) {
            remote->gradient[j] *= direction;
        }
    }
    if (law->role == DT_LAW_LOAD) {
        dt_load_unit_wrench(s, &s->mechanism->loads[law->owner], (int)law->component,
                            remote->wrench);
    }
}

void dt_linear_laws_update(dt_linear_laws *laws, dt_system *s)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        if (node->type->nv == 1) {
            update_scalar(laws, s, i);
            continue;
        }
        for (int j = 0; j < node->type->nv; j++) {
            dt_row *row = &laws->row[node->v + j];
            dt_copy6(row->sigma, s->motion[i].S[j]);
            row->q = row->a = 0;
            row->v = s->mechanism->primitives[i].damping;
        }
    }
    for (int k = 0; k < laws->remote_count; k++) {
        update_remote(s, &laws->remote[k]);
    }
}
