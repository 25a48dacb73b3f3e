/* The memory of Newton steps along the tree. */
#include "dynamics/tree_newton.h"

/* False when memory is out. */
static bool create_spherical(dt_arena *arena, const dt_tree *tree, bool step, dt_tree_newton *tn)
{
    const size_t nv = (size_t)tree->nv;
    bool any = false;
    for (int i = 0; i < tree->node_count; i++) {
        any = any || tree->nodes[i].type->nv == 3;
    }
    if (any) {
        tn->left = dt_arena_alloc(arena, nv, sizeof *tn->left);
        tn->right = dt_arena_alloc(arena, nv, sizeof *tn->right);
        tn->A3 = step ? dt_arena_alloc(arena, nv, sizeof *tn->A3) : NULL;
        tn->turned = step ? dt_arena_alloc(arena, nv, sizeof *tn->turned) : NULL;
    }
    return !any || (tn->left && tn->right && ((tn->A3 && tn->turned) || !step));
}

static bool any_wrench(const dt_system *s, const dt_linear_laws *laws)
{
    return memchr(laws->needs_wrench, 1, (size_t)s->tree->node_count) != NULL;
}

#define TAKE(member, count) \
    ((tn->member = dt_arena_alloc(arena, (count), sizeof *tn->member)) != NULL)

/* Columns of z. */
static bool create_columns(dt_arena *arena, size_t nv, size_t nz, bool step, dt_tree_newton *tn)
{
    const size_t nb = step ? nv : 0;
    return TAKE(U, nv * nz) && TAKE(S, nb) && TAKE(sP, nv * nz) && TAKE(h, nv) && TAKE(Gb, nb);
}

bool dt_tree_newton_create(dt_arena *arena, const dt_system *s, const dt_linear_laws *laws,
                           dt_newton_level highest, dt_tree_newton *tn)
{
    const size_t n = (size_t)s->tree->node_count, nv = (size_t)s->tree->nv;
    const bool step = highest == DT_NEWTON_STEP;
    memset(tn, 0, sizeof *tn);
    tn->nz_step = laws->needs_poses ? 18 : 12;
    const bool keeps_P = laws->needs_poses || any_wrench(s, laws);
    tn->keeps_z = keeps_P || laws->remote_count > laws->law_count;
    tn->keeps_p = keeps_P || laws->remote_count > 0 || laws->reader_count > 0 || s->closure;
    const size_t nz = step ? (size_t)tn->nz_step : 6;
    if (!dt_tree_slots_create(arena, s->tree, keeps_P, &tn->slots)) {
        return false;
    }
    const size_t slots = (size_t)tn->slots.count;
    return TAKE(freedom, n) && TAKE(P, slots * 6 * nz) && create_columns(arena, nv, nz, step, tn) &&
           TAKE(D, nv) && create_spherical(arena, s->tree, step, tn) &&
           TAKE(z, (tn->keeps_z ? n : slots) * nz) && TAKE(p, tn->keeps_p ? n : slots) &&
           TAKE(b, nv) && TAKE(rhs, nv) && TAKE(delta, nv) && TAKE(dv, nv) &&
           TAKE(df, (size_t)s->mechanism->stiction_count) && (!keeps_P || TAKE(dF, n));
}
#undef TAKE
