#include "dynamics/linear_laws.h"

#include "dynamics/element.h"

#include <stdlib.h>

/* ---- set-up ---- */

static bool reads_others(const dt_program *p, int node)
{
    for (int k = 0; k < p->variable_count; k++) {
        const dt_variable variable = p->variables[k];
        if (dt_variable_is(variable, DT_OF_COUPLINGS) ||
            (dt_variable_is(variable, DT_OF_JOINT) && variable.index != node)) {
            return true;
        }
    }
    return false;
}

/* Whether a law reads a joint that is not `node`, itself or by states. */
static bool reads_remote(dt_state_slopes *states, const dt_system *s, const dt_law *law, int node)
{
    const int count = dt_state_slopes_list(states, law->program);
    bool any = reads_others(law->program, node);
    for (int k = 0; k < count && !any; k++) {
        any = reads_others(s->mechanism->states[states->touched[k]].derivative, node);
    }
    return any;
}

/* Whether a law counts as one that reads other nodes. */
static bool is_remote(dt_linear_laws *laws, const dt_system *s, const dt_law *law)
{
    return dt_law_is(law, DT_LAW_IS_ANSWER) &&
           reads_remote(&laws->states, s, law, dt_law_own_node(s, law));
}

/* What a law reads at the STEP level. False when memory is out. */
static bool list_reads(dt_arena *arena, const dt_system *s, dt_state_slopes *states,
                       const dt_program *p, dt_remote *remote)
{
    const int count = dt_state_slopes_list(states, p);
    int length = p->variable_count;
    for (int k = 0; k < count; k++) {
        length += s->mechanism->states[states->touched[k]].derivative->variable_count;
    }
    dt_variable *reads =
        count > 0 ? dt_arena_alloc(arena, (size_t)length, sizeof *reads) : (dt_variable *)NULL;
    remote->gradient = dt_arena_alloc(arena, (size_t)length, sizeof *remote->gradient);
    remote->reads = count > 0 ? reads : p->variables;
    remote->read_count = length;
    length = p->variable_count;
    if (reads) {
        memcpy(reads, p->variables, (size_t)length * sizeof *reads);
    }
    for (int k = 0; k < count && reads; k++) {
        const dt_program *rate = s->mechanism->states[states->touched[k]].derivative;
        memcpy(reads + length, rate->variables, (size_t)rate->variable_count * sizeof *reads);
        length += rate->variable_count;
    }
    return remote->reads && remote->gradient;
}

/* Laws along joints in the order of their nodes, actuation before friction; those on bodies come last. */
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

bool dt_remote_ties(const dt_remote *remote)
{
    return !remote->law && remote->element->tie && remote->component < remote->element->tie->rows;
}

/* Lists what answers and is no law: of all elements those that tie, or the others. False when memory is out. */
static bool list_answers(dt_arena *arena, const dt_system *s, bool ties, dt_linear_laws *laws)
{
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        const dt_element_kind *kind = dt_elements[k];
        const int items = kind->answer_count ? dt_element_count(k, s->mechanism) : 0,
                  rows = kind->tie ? kind->tie->rows : 0;
        for (int n = 0; n < items * kind->answer_count; n++) {
            const int item = n / kind->answer_count, component = n % kind->answer_count;
            if ((component < rows) != ties) {
                continue;
            }
            dt_remote *remote = &laws->remote[laws->remote_count++];
            *remote = (dt_remote){.element = kind,
                                  .item = item,
                                  .component = component,
                                  .node = -1,
                                  .other = -1,
                                  .gradient = dt_arena_alloc(arena, (size_t)kind->answer_reads,
                                                             sizeof *remote->gradient)};
            if (!remote->gradient) {
                return false;
            }
            kind->answer_nodes(s->mechanism, remote);
            laws->acceleration_count += ties;
        }
    }
    return true;
}

static int count_answers(const detent_mechanism *m)
{
    int count = 0;
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        count += dt_elements[k]->answer_count
                     ? dt_elements[k]->answer_count * dt_element_count(k, m)
                     : 0;
    }
    return count;
}

/* Lists the remote laws and other answers. False when memory is out. */
static bool list_remotes(dt_arena *arena, const dt_system *s, dt_linear_laws *laws)
{
    int count = 0;
    for (int l = 0; l < s->law_count; l++) {
        count += is_remote(laws, s, s->law[l]);
    }
    laws->remote =
        dt_arena_alloc(arena, (size_t)(count + count_answers(s->mechanism)), sizeof *laws->remote);
    for (int l = 0; l < s->law_count && laws->remote; l++) {
        const dt_law *law = s->law[l];
        if (!is_remote(laws, s, law)) {
            continue;
        }
        dt_remote *remote = &laws->remote[laws->remote_count++];
        *remote = (dt_remote){.law = law,
                              .element = dt_law_kinds[law->role].element,
                              .node = dt_law_node(s, law),
                              .other = -1};
        if (!list_reads(arena, s, &laws->states, law->program, remote)) {
            return false;
        }
    }
    if (count > 1 && laws->remote) {
        qsort(laws->remote, (size_t)count, sizeof *laws->remote, compare_remotes);
    }
    laws->law_count = laws->acceleration_count = laws->remote_count;
    return laws->remote && list_answers(arena, s, true, laws) &&
           list_answers(arena, s, false, laws);
}

static bool reads_states(const dt_law *law)
{
    bool any = false;
    for (int k = 0; dt_law_is(law, DT_LAW_IS_ANSWER) && k < law->program->variable_count; k++) {
        any = any || dt_variable_is(law->program->variables[k], DT_OF_STATES);
    }
    return any;
}

/* Room for all laws of the equation of motion that read states. False when memory is out. */
static bool make_room_for_readers(dt_arena *arena, const dt_system *s, dt_linear_laws *laws)
{
    size_t count = 0, states = 0;
    for (int l = 0; l < s->law_count && laws->states.count > 0; l++) {
        if (reads_states(s->law[l])) {
            states += (size_t)dt_state_slopes_list(&laws->states, s->law[l]->program);
            count++;
        }
    }
    laws->reader_count = (int)count; /* until the first update, the most that there can be */
    laws->reader = dt_arena_alloc(arena, count, sizeof *laws->reader);
    laws->reader_state = dt_arena_alloc(arena, states, sizeof *laws->reader_state);
    laws->reader_y = dt_arena_alloc(arena, states, sizeof *laws->reader_y);
    return laws->reader && laws->reader_state && laws->reader_y;
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

/* Whether the friction of any stiction reads anything. */
static bool friction_reads(const dt_system *s)
{
    bool any = false;
    for (int k = 0; k < s->law_count && !any; k++) {
        any = dt_law_kinds[s->law[k]->role].traits & DT_LAW_IS_RUBBING;
    }
    return any;
}

/* Where no law reads a wrench there are no slopes by one. */
static bool create_wrench_slopes(dt_arena *arena, const dt_system *s, dt_linear_laws *laws)
{
    if (!memchr(laws->needs_wrench, 1, (size_t)s->tree->node_count)) {
        return true;
    }
    laws->sigma = dt_arena_alloc(arena, (size_t)s->tree->nv, sizeof *laws->sigma);
    laws->K_F = dt_arena_alloc(arena, (size_t)s->mechanism->stiction_count, sizeof *laws->K_F);
    return laws->sigma && laws->K_F;
}

bool dt_linear_laws_create(dt_arena *arena, const dt_system *s, dt_linear_laws *laws)
{
    const size_t ns = (size_t)s->mechanism->stiction_count;
    const bool reads = friction_reads(s);
    memset(laws, 0, sizeof *laws);
    laws->needs_wrench = dt_arena_alloc(arena, (size_t)s->tree->node_count, 1);
    laws->gradient = dt_arena_alloc(arena, longest_slots(s), sizeof *laws->gradient);
    laws->row = dt_arena_alloc(arena, (size_t)s->tree->nv, sizeof *laws->row);
    laws->one_plus_Qf = dt_arena_alloc(arena, ns, sizeof *laws->one_plus_Qf);
    laws->w = dt_arena_alloc(arena, ns, sizeof *laws->w);
    laws->friction = reads ? dt_arena_alloc(arena, ns, sizeof *laws->friction) : NULL;
    if (!laws->needs_wrench || !laws->gradient || !laws->row || !laws->one_plus_Qf || !laws->w ||
        (reads && !laws->friction) || !dt_state_slopes_create(arena, s, &laws->states) ||
        !list_remotes(arena, s, laws) || !make_room_for_readers(arena, s, laws)) {
        return false;
    }
    mark_wrenches(s, laws);
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        laws->needs_poses = laws->needs_poses || (dt_elements[k]->follows_poses &&
                                                  dt_elements[k]->follows_poses(s->mechanism));
    }
    return create_wrench_slopes(arena, s, laws);
}

/* ---- update ---- */

/* Adds what a program reads of `node`, times a factor. */
static void add_own(const dt_system *s, const dt_program *p, const double *gradient, double factor,
                    int node, dt_slope *slope)
{
    for (int k = 0; k < p->variable_count; k++) {
        if (dt_variable_is(p->variables[k], DT_OF_JOINT) &&
            dt_system_place(s, p->variables[k].index) == node) {
            dt_slope_add(s, p->variables[k], factor * gradient[k], slope);
        }
    }
}

/* The same by the states that have just been listed, the program's gradient being in laws->gradient. */
static void add_states(dt_linear_laws *laws, const dt_system *s, const dt_program *p, int node,
                       dt_slope *slope)
{
    dt_state_slopes *states = &laws->states;
    const int count = dt_state_slopes_list(states, p);
    dt_state_slopes_adjoint(states, p, laws->gradient);
    for (int k = 0; k < count; k++) {
        const int z = states->touched[k];
        add_own(s, s->mechanism->states[z].derivative, states->slope[z],
                dt_state_slopes_y(states, z), node, slope);
    }
}

/* Whether a program reads the primitive itself: many only read time, inputs, or others. */
static bool reads_own(const dt_system *s, const dt_program *p, int node)
{
    for (int k = 0; k < p->variable_count; k++) {
        if (dt_variable_is(p->variables[k], DT_OF_JOINT) &&
            dt_system_place(s, p->variables[k].index) == node) {
            return true;
        }
    }
    return false;
}

void dt_linear_laws_slope(dt_linear_laws *laws, dt_system *s, const dt_law *law, int node,
                          int direction, dt_slope *slope)
{
    memset(slope, 0, sizeof *slope);
    if (!law->program || !(laws->states.active || reads_own(s, law->program, node))) {
        return;
    }
    dt_law_gradient(s, law, direction, laws->gradient);
    add_own(s, law->program, laws->gradient, 1, node, slope);
    if (laws->states.active) {
        add_states(laws, s, law->program, node, slope);
    }
}

void dt_linear_laws_add_force(dt_linear_laws *laws, const dt_system *s, int node, const dt_slope *Q)
{
    const int k = s->mechanism->primitives[node].stiction;
    dt_row *row = &laws->row[s->tree->nodes[node].v];
    if (laws->sigma) {
        dt_axpy6(laws->sigma[s->tree->nodes[node].v], -1, Q->F);
    }
    row->q -= Q->q, row->v -= Q->v, row->a -= Q->a;
    if (k >= 0) {
        laws->one_plus_Qf[k] += Q->f;
    }
}

/* Rows and friction forces without any law. */
static void clear(dt_linear_laws *laws, const dt_system *s)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = 0; j < node->type->nv; j++) {
            dt_row *row = &laws->row[node->v + j];
            if (laws->sigma) {
                dt_copy6(laws->sigma[node->v + j], s->motion[i].S[j]);
            }
            row->q = row->v = 0;
            row->a = node->armature;
        }
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        laws->one_plus_Qf[k] = 1;
        laws->w[k] = 0;
        if (laws->friction) {
            laws->friction[k] = (dt_friction_slope){0};
        }
    }
}

/* Appends the gradient with respect to what states read, behind that of the program's own variables. */
static void append_states(dt_state_slopes *states, const dt_system *s, dt_remote *remote)
{
    const dt_program *p = remote->law->program;
    const int count = states->active ? dt_state_slopes_list(states, p) : 0;
    double *next = remote->gradient + p->variable_count;
    memset(next, 0, (size_t)(remote->read_count - p->variable_count) * sizeof *next);
    if (count > 0) {
        dt_state_slopes_adjoint(states, p, remote->gradient);
    }
    for (int k = 0; k < count; k++) {
        const int z = states->touched[k],
                  reads = s->mechanism->states[z].derivative->variable_count;
        for (int j = 0; j < reads; j++) {
            *next++ = dt_state_slopes_y(states, z) * states->slope[z][j];
        }
    }
}

static void update_remote(dt_state_slopes *states, dt_system *s, dt_remote *remote)
{
    const dt_law *law = remote->law;
    const int k = dt_law_stiction(s, law), own = dt_law_own_node(s, law);
    if (!remote->element->prepare(s, remote)) {
        memset(remote->gradient, 0, (size_t)remote->read_count * sizeof *remote->gradient);
        return;
    }
    dt_law_gradient(s, law, k < 0 ? 0 : s->direction[k], remote->gradient);
    append_states(states, s, remote);
    for (int j = 0; j < remote->read_count; j++) {
        const dt_variable read = remote->reads[j];
        const bool other = dt_variable_is(read, DT_OF_COUPLINGS) ||
                           (dt_variable_is(read, DT_OF_JOINT) && read.index != own);
        remote->gradient[j] = other ? remote->gradient[j] * remote->factor : 0;
    }
}

/* What a law changes by where nothing changes but states; y, of the states that its program leads to. */
static void update_reader(dt_linear_laws *laws, dt_system *s, dt_state_reader *reader)
{
    const dt_law *law = reader->at.law;
    const int k = dt_law_stiction(s, law);
    reader->count = dt_state_slopes_list(&laws->states, law->program);
    memcpy(reader->state, laws->states.touched, (size_t)reader->count * sizeof *reader->state);
    if (!reader->at.element->prepare(s, &reader->at)) {
        memset(reader->y, 0, (size_t)reader->count * sizeof *reader->y);
        return;
    }
    dt_law_gradient(s, law, k < 0 ? 0 : s->direction[k], laws->gradient);
    dt_state_slopes_adjoint(&laws->states, law->program, laws->gradient);
    for (int j = 0; j < reader->count; j++) {
        reader->y[j] = reader->at.factor * dt_state_slopes_y(&laws->states, reader->state[j]);
    }
}

/* The laws that read states, as the system has them now: laws of welded joints are not there, and others have moved. */
static void update_readers(dt_linear_laws *laws, dt_system *s)
{
    int states = 0;
    laws->reader_count = 0;
    for (int l = 0; l < s->law_count; l++) {
        const dt_law *law = s->law[l];
        if (!reads_states(law)) {
            continue;
        }
        dt_state_reader *reader = &laws->reader[laws->reader_count++];
        *reader = (dt_state_reader){.at = {.law = law,
                                           .element = dt_law_kinds[law->role].element,
                                           .node = dt_law_node(s, law),
                                           .other = -1},
                                    .state = laws->reader_state + states,
                                    .y = laws->reader_y + states};
        update_reader(laws, s, reader);
        states += reader->count;
    }
}

bool dt_linear_laws_update(dt_linear_laws *laws, dt_system *s, dt_newton_level level, double c)
{
    clear(laws, s);
    laws->states.active = level == DT_NEWTON_STEP && laws->states.count > 0;
    if (laws->states.active && !dt_state_slopes_factor(&laws->states, s, c)) {
        return false;
    }
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        if (dt_elements[k]->add_rows && dt_element_acts(s, k)) {
            dt_elements[k]->add_rows(laws, s);
        }
    }
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        if (dt_elements[k]->add_friction_rows) {
            dt_elements[k]->add_friction_rows(laws, s);
        }
    }
    for (int k = 0; k < laws->law_count; k++) {
        update_remote(&laws->states, s, &laws->remote[k]);
    }
    for (int k = laws->law_count; k < laws->remote_count; k++) {
        laws->remote[k].element->prepare(s, &laws->remote[k]);
    }
    if (laws->states.active) {
        update_readers(laws, s);
    }
    return true;
}
