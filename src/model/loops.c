/* What loops cannot have yet, and which joints are in one. */

#include "model/record.h"

static int first_of(int *joined, int i)
{
    while (joined[i] != i) {
        joined[i] = joined[joined[i]];
        i = joined[i];
    }
    return i;
}

/* Nodes of the two ways, from ghost and original to where they meet, are one cluster. */
static void join_loop(const detent_mechanism *m, const dt_loop *loop, int *joined, bool *inside)
{
    int a = loop->node[0], b = loop->node[1];
    const int one = b;
    while (a != b) { /* parents come before their children */
        int *higher = a > b ? &a : &b;
        const int i = first_of(joined, *higher), k = first_of(joined, one);
        inside[*higher] = true;
        joined[i < k ? k : i] = i < k ? i : k;
        *higher = m->tree.nodes[*higher].parent;
    }
}

/* Joints that are coupled are one cluster. */
static void join_coupled(const dt_transmission *of, int *joined, bool *inside)
{
    for (int k = 0; k < of->count; k++) {
        const int i = first_of(joined, of->joint[0]), j = first_of(joined, of->joint[k]);
        inside[of->joint[k]] = true;
        joined[i < j ? j : i] = i < j ? i : j;
    }
}

/* The stiction of a primitive in a loop. */
static detent_status refuse(const detent_mechanism *m, int stiction, const char *key,
                            const char *why, detent_error *error)
{
    const dt_stiction_record *record = DT_AT(m->builder->stictions, dt_stiction_record, stiction);
    dt_location where = dt_locate(m->builder, &record->origin, NULL, key, -1);
    return dt_fail(error, DETENT_ERROR_MODEL, &where,
                   "stiction of '%s', a joint in a loop or coupling: %s", record->def.primitive,
                   why);
}

static bool reads_reaction(const dt_program *program)
{
    bool any = false;
    for (int k = 0; program && k < program->variable_count && !any; k++) {
        any = dt_variable_is(program->variables[k], DT_OF_WRENCH);
    }
    return any;
}

static detent_status check_stiction(const detent_mechanism *m, int k, detent_error *error)
{
    const dt_stiction *stiction = &m->stictions[k];
    if (stiction->locking == DETENT_LOCKING_BAND) {
        return refuse(m, k, "locking", "locking in a band is not supported there yet", error);
    }
    if (reads_reaction(stiction->kinetic) || reads_reaction(stiction->magnitude) ||
        reads_reaction(stiction->forward) || reads_reaction(stiction->reverse)) {
        return refuse(m, k, "kinetic",
                      "friction that follows the reactions is not supported there yet", error);
    }
    return DETENT_OK;
}

detent_status dt_check_loops(detent_mechanism *m, detent_error *error)
{
    const size_t n = (size_t)m->tree.node_count;
    if (dt_tie_rows(m) == 0) {
        return DETENT_OK;
    }
    int *joined = dt_arena_alloc(&m->builder->arena, n, sizeof *joined);
    int *rubbing = dt_arena_alloc(&m->builder->arena, n, sizeof *rubbing);
    bool *inside = dt_arena_alloc(&m->builder->arena, n, sizeof *inside);
    if (!joined || !rubbing || !inside) {
        return dt_out_of_memory(error);
    }
    for (int i = 0; i < m->tree.node_count; i++) {
        joined[i] = i;
    }
    for (int l = 0; l < m->loop_count; l++) {
        join_loop(m, &m->loops[l], joined, inside);
    }
    for (int k = 0; k < m->transmission_count; k++) {
        join_coupled(&m->transmissions[k], joined, inside);
    }
    for (int k = 0; k < m->stiction_count; k++) {
        const int i = m->stictions[k].primitive;
        if (!inside[i]) {
            continue;
        }
        detent_status status = check_stiction(m, k, error);
        if (!status && rubbing[first_of(joined, i)]++ > 0) {
            status =
                refuse(m, k, NULL,
                       "more than one of them that are tied together is not supported yet, since "
                       "locking one may lock the others",
                       error);
        }
        if (status) {
            return status;
        }
    }
    return DETENT_OK;
}
