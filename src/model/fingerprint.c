/* A hash of all that decides how a mechanism moves: names, topology, numbers, laws. Outputs, texts for people and the
 * settings of a run stay out of it: they change how a state is reached and shown, not what it means. Structs are hashed
 * member by member, since between members there is padding. */

#include "expression/fingerprint.h"
#include "model/mechanism.h"
#include "model/primitive_key.h"

static void add_node(dt_hash *hash, const dt_node *node)
{
    dt_hash_integer(hash, node->parent);
    dt_hash_integer(hash, node->type->letter);
    dt_hash_numbers(hash, node->frame->R, 9);
    dt_hash_numbers(hash, node->frame->p, 3);
    dt_hash_numbers(hash, node->frame->axis, 3);
    dt_hash_numbers(hash, &node->body->mass, 1);
    dt_hash_numbers(hash, node->body->com, 3);
    dt_hash_numbers(hash, node->body->inertia, 6);
    dt_hash_numbers(hash, &node->armature, 1);
}

static void add_primitive(dt_hash *hash, const detent_mechanism *m, int index)
{
    const dt_primitive *p = &m->primitives[index];
    dt_hash_text(hash, p->name);
    dt_hash_integer(hash, p->joint);
    dt_hash_integer(hash, p->stiction);
    dt_hash_integer(hash, p->by_speed);
    for (const dt_primitive_key *key = dt_primitive_keys; key->name; key++) {
        const char *member = (const char *)p + key->member;
        if (key->place == DT_IN_PRIMITIVE && dt_primitive_is_text(key)) {
            dt_program_fingerprint(*(const dt_program *const *)(const void *)member, hash);
        } else if (key->place == DT_IN_PRIMITIVE) {
            dt_hash_numbers(hash, (const double *)(const void *)member, 1);
        } else if (key->place == DT_IN_COLUMN) {
            const double number = dt_primitive_number(m, key->offset, index);
            dt_hash_numbers(hash, &number, 1);
        }
    }
    const dt_priority *priority = dt_priority_of(m, index);
    if (priority) {
        dt_hash_integer(hash, priority->position);
        dt_hash_integer(hash, priority->velocity);
    }
}

static void add_body(dt_hash *hash, const dt_body *body)
{
    dt_hash_text(hash, body->name);
    dt_hash_integer(hash, body->node);
    dt_hash_numbers(hash, body->pose->R, 9);
    dt_hash_numbers(hash, body->pose->p, 3);
}

static void add_joint(dt_hash *hash, const dt_joint *joint)
{
    dt_hash_text(hash, joint->name);
    dt_hash_integer(hash, joint->base);
    dt_hash_integer(hash, joint->follower);
    dt_hash_integer(hash, joint->first_primitive);
    dt_hash_integer(hash, joint->primitive_count);
}

static void add_stiction(dt_hash *hash, const dt_stiction *stiction)
{
    dt_hash_integer(hash, stiction->primitive);
    dt_hash_integer(hash, stiction->rest); /* its place in what is saved */
    dt_hash_integer(hash, stiction->friction->locking);
    dt_hash_numbers(hash, &stiction->friction->velocity_threshold, 1);
    if (stiction->friction->bearing) { /* what is read of it, beside what is in laws */
        const detent_bearing *b = stiction->friction->bearing;
        const double sizes[] = {b->length, b->radius, b->collar, b->center};
        dt_hash_numbers(hash, sizes, sizeof sizes / sizeof *sizes);
        dt_hash_integer(hash, b->fixed_to);
    }
    if (stiction->stops) { /* those of couplings are in nothing else */
        dt_hash_numbers(hash, stiction->stops->at, 2);
        dt_hash_numbers(hash, stiction->stops->restitution, 2);
        dt_hash_integer(hash, stiction->stops->way);
    }
    dt_program_fingerprint(stiction->friction->kinetic, hash);
    dt_program_fingerprint(stiction->friction->forward, hash);
    dt_program_fingerprint(stiction->friction->reverse, hash);
    dt_program_fingerprint(stiction->friction->magnitude, hash);
    dt_program_fingerprint(stiction->friction->test, hash);
}

static void add_load(dt_hash *hash, const dt_load *load)
{
    dt_hash_text(hash, load->name);
    dt_hash_integer(hash, load->body);
    dt_hash_integer(hash, load->frame);
    dt_hash_numbers(hash, load->point, 3);
    dt_hash_numbers(hash, load->R, 9);
    for (int k = 0; k < 3; k++) {
        dt_program_fingerprint(load->force[k], hash);
        dt_program_fingerprint(load->torque[k], hash);
    }
}

/* What the definition says in numbers and words; its texts are in what follows from them. */
static void add_definition(dt_hash *hash, const dt_item_kind *kind, const void *definition)
{
    for (const dt_key *key = kind->keys; key->name; key++) {
        const double *numbers;
        const int count = dt_key_numbers(key, definition, &numbers);
        dt_hash_numbers(hash, numbers, (size_t)count);
        if (dt_key_is_word(key)) {
            dt_hash_integer(hash,
                            *(const int *)(const void *)((const char *)definition + key->offset));
        }
    }
}

/* Items of an element. */
static void add_items(dt_hash *hash, const detent_mechanism *m, const dt_item_list *list)
{
    dt_hash_text(hash, list->kind->plural);
    dt_hash_integer(hash, list->count);
    for (int i = 0; i < list->count; i++) {
        const void *definition = dt_item_definition(list, i);
        dt_hash_text(hash, dt_definition_name(definition));
        add_definition(hash, list->kind, definition);
        for (int k = 0; k < list->places; k++) {
            add_load(hash, &m->loads[dt_item_place(list, i) + k]);
        }
        for (int k = 0; k < list->joints; k++) {
            dt_hash_integer(hash, list->joint[list->joints * i + k]);
        }
        for (int k = 0; k < list->kind->law_count; k++) {
            dt_program_fingerprint(list->program[list->kind->law_count * i + k], hash);
        }
    }
}

uint64_t dt_mechanism_fingerprint(const detent_mechanism *m)
{
    dt_hash hash = dt_hash_begin();
    dt_hash_integer(&hash, m->tree.node_count);
    for (int i = 0; i < m->tree.node_count; i++) {
        add_node(&hash, &m->tree.nodes[i]);
        add_primitive(&hash, m, i);
    }
    dt_hash_numbers(&hash, m->position, (size_t)m->tree.nq);
    dt_hash_numbers(&hash, m->velocity, (size_t)m->tree.nv);
    for (int k = 0; k < 3; k++) {
        dt_program_fingerprint(m->gravity[k], &hash);
    }
    dt_hash_integer(&hash, m->body_count);
    for (int i = 0; i < m->body_count; i++) {
        add_body(&hash, &m->bodies[i]);
    }
    dt_hash_integer(&hash, m->joint_count);
    for (int i = 0; i < m->joint_count; i++) {
        add_joint(&hash, &m->joints[i]);
    }
    dt_hash_integer(&hash, m->stiction_count);
    for (int i = 0; i < m->stiction_count; i++) {
        add_stiction(&hash, &m->stictions[i]);
    }
    dt_hash_integer(&hash, m->load_count);
    for (int i = 0; i < m->load_count; i++) {
        add_load(&hash, &m->loads[i]);
    }
    for (int k = 0; m->source && k < m->source->count; k++) {
        if (m->added[k].count > 0) {
            add_items(&hash, m, &m->added[k]);
        }
    }
    for (int i = 0; i < m->loop_count; i++) {
        dt_hash_integer(&hash, m->loops[i].joint);
    }
    for (int i = 0; i < m->transmission_count; i++) {
        const dt_transmission *of = &m->transmissions[i];
        for (int k = 0; k < of->count; k++) {
            dt_hash_integer(&hash, of->joint[k]);
        }
        dt_hash_numbers(&hash, of->factor, (size_t)of->count);
        dt_hash_numbers(&hash, &of->offset, 1);
    }
    for (int i = 0; i < m->state_count; i++) {
        const double numbers[] = {m->states[i].initial, m->states[i].nominal, m->states[i].stop[0],
                                  m->states[i].stop[1]};
        dt_hash_text(&hash, m->states[i].name);
        dt_hash_numbers(&hash, numbers, 4);
        dt_program_fingerprint(m->states[i].derivative, &hash);
    }
    for (int i = 0; i < m->sampled_count; i++) {
        const double numbers[] = {m->sampled[i].every, m->sampled[i].offset, m->sampled[i].initial};
        dt_hash_text(&hash, m->sampled[i].name);
        dt_hash_numbers(&hash, numbers, 3);
        dt_program_fingerprint(m->sampled[i].value, &hash);
    }
    for (int i = 0; i < m->delay_count; i++) {
        dt_hash_integer(&hash, m->delays[i].sampled);
        dt_hash_integer(&hash, m->delays[i].number);
    }
    for (int i = 0; i < m->dead_time_count; i++) {
        dt_hash_integer(&hash, (int64_t)dt_dead_time_fingerprint(&m->dead_times[i]));
    }
    dt_hash_integer(&hash, m->input_count);
    for (int i = 0; i < m->input_count; i++) {
        dt_hash_text(&hash, m->inputs[i].name);
        dt_hash_numbers(&hash, &m->inputs[i].initial, 1);
    }
    return dt_hash_end(&hash);
}
