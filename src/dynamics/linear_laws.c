#include "dynamics/linear_laws.h"

#include "dynamics/loads.h"

/* ---- set-up ---- */

static bool reads_remote(const dt_law *law, int node)
{
    for (int k = 0; law->program && k < law->program->variable_count; k++) {
        if (dt_variable_is_reading(law->program->variables[k]) &&
            law->program->variables[k].index != node) {
            return true;
        }
    }
    return false;
}

/** Records a remote law; with `out` NULL only counts. */
static int add_remote(dt_arena *arena, dt_remote *out, int count, dt_remote remote)
{
    if (out) {
        remote.gradient =
            dt_arena_alloc(arena, (size_t)remote.law->program->variable_count, sizeof(double));
        out[count] = remote;
    }
    return count + 1;
}

/** Lists the remote laws in the order of their nodes. */
static int list_remotes(dt_arena *arena, const dt_system *s, dt_remote *out)
{
    const detent_mechanism *m = s->mechanism;
    int count = 0;
    for (int i = 0; i < m->primitive_count; i++) {
        const int k = m->primitives[i].stiction;
        if (reads_remote(&s->force_law[i], i)) {
            count = add_remote(
                arena, out, count,
                (dt_remote){
                    .kind = DT_REMOTE_FORCE, .node = i, .stiction = k, .law = &s->force_law[i]});
        }
        if (k >= 0 && reads_remote(&s->stiction_law[k].kinetic, i)) {
            count = add_remote(arena, out, count,
                               (dt_remote){.kind = DT_REMOTE_KINETIC,
                                           .node = i,
                                           .stiction = k,
                                           .law = &s->stiction_law[k].kinetic});
        }
    }
    for (int l = 0; l < m->load_count; l++) {
        for (int c = 0; c < 6; c++) {
            if (reads_remote(dt_load_law(s, l, c), -1)) {
                count = add_remote(arena, out, count,
                                   (dt_remote){.kind = DT_REMOTE_LOAD,
                                               .node = m->loads[l].node,
                                               .load = l,
                                               .component = c,
                                               .law = dt_load_law(s, l, c)});
            }
        }
    }
    return count;
}

static void mark_wrenches(const dt_system *s, dt_linear_laws *laws)
{
    const size_t n = (size_t)s->tree->node_count;
    for (int k = 0; k < s->law_count; k++) {
        const dt_program *p = s->law[k]->program;
        for (int j = 0; j < p->variable_count; j++) {
            if (p->variables[j].kind >= DT_VARIABLE_FORCE &&
                p->variables[j].kind <= DT_VARIABLE_NORMAL_FORCE) {
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
    laws->remote_count = list_remotes(arena, s, NULL);
    laws->remote = dt_arena_alloc(arena, (size_t)laws->remote_count, sizeof *laws->remote);
    laws->needs_wrench = dt_arena_alloc(arena, (size_t)s->tree->node_count, 1);
    laws->gradient = dt_arena_alloc(arena, longest_slots(s), sizeof *laws->gradient);
    if (!laws->remote || !laws->needs_wrench || !laws->gradient) {
        return false;
    }
    list_remotes(arena, s, laws->remote);
    for (int k = 0; k < laws->remote_count; k++) {
        if (!laws->remote[k].gradient) {
            return false;
        }
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
        if (dt_variable_is_reading(variable) && dt_system_place(s, variable.index) == node) {
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
    const dt_program *p = remote->law->program;
    const int k = remote->kind == DT_REMOTE_LOAD ? -1 : remote->stiction;
    const int direction = k < 0 ? 0 : s->direction[k];
    const int own = remote->kind == DT_REMOTE_LOAD ? -1 : remote->node;
    if (remote->kind == DT_REMOTE_KINETIC &&
        (s->mode[k] == DETENT_LOCKED || dt_system_is_given(s, k))) {
        memset(remote->gradient, 0, (size_t)p->variable_count * sizeof *remote->gradient);
        return;
    }
    dt_law_gradient(s, remote->law, direction, remote->gradient);
    for (int j = 0; j < p->variable_count; j++) {
        if (!dt_variable_is_reading(p->variables[j]) || p->variables[j].index == own) {
            remote->gradient[j] = 0;
        } else if (remote->kind == DT_REMOTE_KINETIC) {
            remote->gradient[j] *= direction;
        }
    }
    if (remote->kind == DT_REMOTE_LOAD) {
        dt_load_unit_wrench(s, &s->mechanism->loads[remote->load], remote->component,
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
