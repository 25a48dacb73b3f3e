#include "analysis/states.h"

#include "dynamics/closure.h"
#include "dynamics/scale.h"

/* ---- what there is of each kind ---- */

static void vary_position(const dt_linear_state *state, dt_variation *n)
{
    dt_variation_move(n, state->freedom);
}

static void vary_velocity(const dt_linear_state *state, dt_variation *n)
{
    dt_variation_accelerate(n, state->freedom);
}

/* Of one freedom; of a spherical joint theta, R = R0 exp(theta), R0 the undisturbed motion: theta' = dw - w x theta. */
static double position_rate_change(const dt_linear_state *state, dt_variation *n)
{
    const dt_node *node = &n->system->tree->nodes[state->node];
    const dt_tangent *t = &n->newton.tangent;
    double turned[3] = {0};
    if (node->type->nv == 3) {
        dt_cross3(turned, n->system->v + node->v, t->dphi + node->v);
    }
    return t->dv[state->freedom] - turned[state->freedom - node->v];
}

static double velocity_rate_change(const dt_linear_state *state, dt_variation *n)
{
    return n->newton.tangent.da[state->freedom];
}

/* A state of the mechanism; `node` is its number. */

static void vary_own(const dt_linear_state *state, dt_variation *n)
{
    dt_variation_clear(n);
    n->newton.tangent.dz[state->node] = 1;
}

static double own_rate_change(const dt_linear_state *state, dt_variation *n)
{
    return dt_tangent_law(&n->newton.tangent, n->system, dt_rate_law(n->system, state->node), 0);
}

static double own_rate(const dt_linear_state *state, dt_system *s)
{
    return dt_law_value(s, dt_rate_law(s, state->node), 0);
}

static double own_value(const dt_linear_state *state, const dt_system *s)
{
    return s->z[state->node];
}

static double own_size(const dt_linear_state *state, const dt_system *s)
{
    return s->scale ? s->scale->state[state->node] : 1;
}

static double position_rate(const dt_linear_state *state, dt_system *s)
{
    return s->v[state->freedom];
}

static double velocity_rate(const dt_linear_state *state, dt_system *s)
{
    return s->a[state->freedom];
}

static double position_value(const dt_linear_state *state, const dt_system *s)
{
    const dt_node *node = &s->tree->nodes[state->node];
    return node->type->nq == node->type->nv ? s->q[node->q + state->freedom - node->v] : 0;
}

static double velocity_value(const dt_linear_state *state, const dt_system *s)
{
    return s->v[state->freedom];
}

static double position_size(const dt_linear_state *state, const dt_system *s)
{
    return s->scale ? dt_scale_position(s->scale, s->mechanism, state->node) : 1;
}

static double velocity_size(const dt_linear_state *state, const dt_system *s)
{
    return s->scale ? dt_scale_velocity(s->scale, s->mechanism, state->node) : 1;
}

static const struct {
    void (*vary)(const dt_linear_state *, dt_variation *);
    double (*rate_change)(const dt_linear_state *, dt_variation *);
    double (*rate)(const dt_linear_state *, dt_system *);
    double (*value)(const dt_linear_state *, const dt_system *);
    double (*size)(const dt_linear_state *, const dt_system *);
} kinds[] = {
    [DETENT_STATE_POSITION] = {vary_position, position_rate_change, position_rate, position_value,
                               position_size},
    [DETENT_STATE_VELOCITY] = {vary_velocity, velocity_rate_change, velocity_rate, velocity_value,
                               velocity_size},
    [DETENT_STATE_OWN] = {vary_own, own_rate_change, own_rate, own_value, own_size},
};

/* ---- the list ---- */

static bool is_minimal(const dt_system *s, int i, int freedom)
{
    const int k = s->mechanism->primitives[i].stiction;
    const bool held = dt_is_prescribed(s, i) || (k >= 0 && s->mode[k] == DETENT_LOCKED);
    return !held && !(s->closure && s->closure->dependent[freedom]);
}

int dt_states_list(const dt_system *s, dt_linear_state *state)
{
    static const detent_state_kind of_freedoms[] = {DETENT_STATE_POSITION, DETENT_STATE_VELOCITY};
    int count = 0;
    for (size_t part = 0; part < sizeof of_freedoms / sizeof *of_freedoms; part++) {
        for (int i = 0; i < s->tree->node_count; i++) {
            const dt_node *node = &s->tree->nodes[i];
            for (int j = node->v; j < node->v + node->type->nv; j++) {
                if (is_minimal(s, i, j)) {
                    if (state) {
                        state[count] = (dt_linear_state){of_freedoms[part], i, j};
                    }
                    count++;
                }
            }
        }
    }
    for (int k = 0; k < s->mechanism->state_count; k++) {
        if (state) {
            state[count] = (dt_linear_state){.kind = DETENT_STATE_OWN, .node = k};
        }
        count++;
    }
    return count;
}

/* ---- by kind ---- */

void dt_state_vary(const dt_linear_state *state, dt_variation *n)
{
    kinds[state->kind].vary(state, n);
}

double dt_state_rate_change(const dt_linear_state *state, dt_variation *n)
{
    return kinds[state->kind].rate_change(state, n);
}

double dt_state_rate(const dt_linear_state *state, dt_system *s)
{
    return kinds[state->kind].rate(state, s);
}

double dt_state_value(const dt_linear_state *state, const dt_system *s)
{
    return kinds[state->kind].value(state, s);
}

double dt_state_size(const dt_linear_state *state, const dt_system *s)
{
    return kinds[state->kind].size(state, s);
}
