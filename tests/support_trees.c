#include "support_trees.h"

#include "dynamics/element.h"
#include "math/vec3.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Random numbers ---- */

uint64_t support_bits(support_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

double support_uniform(support_random *random, double low, double high)
{
    return low + (high - low) * ((double)(support_bits(random) >> 11) * 0x1p-53);
}

double support_spread(support_random *random, double low, double high)
{
    return low * exp(support_uniform(random, 0, log(high / low)));
}

int support_below(support_random *random, int count)
{
    return (int)(support_bits(random) % (uint64_t)count);
}

bool support_chance(support_random *random, double probability)
{
    return support_uniform(random, 0, 1) < probability;
}

void support_unit(support_random *random, int count, double *u)
{
    double square;
    do {
        square = 0;
        for (int k = 0; k < count; k++) {
            u[k] = support_uniform(random, -1, 1);
            square += u[k] * u[k];
        }
    } while (square > 1 || square < 1e-4);
    for (int k = 0; k < count; k++) {
        u[k] /= sqrt(square);
    }
}

static void random_rotation(support_random *random, double R[9])
{
    double q[4];
    support_unit(random, 4, q);
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double rows[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(R, rows, sizeof rows);
}

void support_random_pose(const dt_tree *tree, support_random *random, double *q)
{
    for (int i = 0; i < tree->node_count; i++) {
        const dt_node *node = &tree->nodes[i];
        if (node->type->nq == 4) {
            support_unit(random, 4, q + node->q);
        } else if (node->type->nq == 1) {
            q[node->q] = node->type->rotational ? support_uniform(random, -3, 3)
                                                : support_uniform(random, -1, 1);
        }
    }
}

/* ---- Programs ---- */

const dt_program *support_constant(detent_mechanism *mechanism, double value)
{
    return dt_program_constant(&mechanism->arena, value);
}

static dt_symbol time_only(void *context, const char *identifier)
{
    (void)context;
    if (strcmp(identifier, "t") != 0) {
        return (dt_symbol){.kind = DT_SYMBOL_UNKNOWN};
    }
    return (dt_symbol){.kind = DT_SYMBOL_VARIABLE, .variable = {DT_VARIABLE_TIME, 0}};
}

const dt_program *support_motion(detent_mechanism *mechanism, double p, double v, double a)
{
    const dt_scope scope = {.name = time_only};
    const char *text =
        dt_arena_printf(&mechanism->arena, "(%.17g) + (%.17g) * t + (%.17g) * t^2", p, v, a / 2);
    dt_program *program = NULL;
    dt_program_parse(&mechanism->arena, text, NULL, &scope, NULL, NULL, &program, NULL);
    return program;
}

/** `dir` and `load`, the reaction force, of the primitive that the context is. */
static dt_symbol friction_name(void *context, const char *identifier)
{
    const int primitive = *(const int *)context;
    if (strcmp(identifier, "dir") == 0 || strcmp(identifier, "load") == 0) {
        const dt_variable_kind kind =
            *identifier == 'd' ? DT_VARIABLE_DIRECTION : DT_VARIABLE_REACTION_FORCE;
        return (dt_symbol){.kind = DT_SYMBOL_VARIABLE, .variable = {kind, primitive}};
    }
    return (dt_symbol){.kind = DT_SYMBOL_UNKNOWN};
}

/** Friction coefficients of the two directions; times the reaction force or not. */
static const dt_program *friction_program(detent_mechanism *mechanism, double reverse,
                                          double forward, bool load_dependent, int primitive)
{
    const dt_scope scope = {.context = &primitive, .name = friction_name};
    const char *text = dt_arena_printf(&mechanism->arena, "if(dir > 0, %.17g, %.17g)%s", forward,
                                       reverse, load_dependent ? "*load" : "");
    dt_program *program = NULL;
    dt_program_parse(&mechanism->arena, text, NULL, &scope, NULL, NULL, &program, NULL);
    return program;
}

const dt_program *support_load_dependent(detent_mechanism *mechanism, double scale, int primitive)
{
    return friction_program(mechanism, scale, scale, true, primitive);
}

/* ---- Mechanisms ---- */

/** A mechanism of `count` nodes while it is being made. */
typedef struct workshop {
    detent_mechanism *mechanism;
    dt_node *nodes;
    dt_joint_frame *frames; /**< of the nodes */
    dt_mass *bodies;        /**< the same */
    dt_primitive *primitives;
    dt_stiction *stictions;
    dt_friction *frictions; /**< of the stictions */
    bool *bare; /**< node_count: inside a free joint, without a body, forces or friction */
} workshop;

static workshop open_workshop(int count, const char *name)
{
    static const dt_body_pose same = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    workshop shop = {.mechanism = calloc(1, sizeof *shop.mechanism)};
    detent_mechanism *m = shop.mechanism;
    const size_t n = (size_t)count;
    dt_arena_init(&m->arena, NULL);
    m->name = name;
    m->finished = true;
    m->settings = (detent_settings){.end = 1, .interval = 1e-3, .rtol = 1e-7, .atol = 1e-9};
    m->body_count = m->joint_count = m->primitive_count = count;
    m->tree.node_count = count;
    m->tree.part_count = 1;
    m->tree.nodes = shop.nodes = dt_arena_alloc(&m->arena, n, sizeof *shop.nodes);
    shop.frames = dt_arena_alloc(&m->arena, n, sizeof *shop.frames);
    shop.bodies = dt_arena_alloc(&m->arena, n, sizeof *shop.bodies);
    m->primitives = shop.primitives = dt_arena_alloc(&m->arena, n, sizeof *shop.primitives);
    m->stictions = shop.stictions = dt_arena_alloc(&m->arena, n, sizeof *shop.stictions);
    shop.frictions = dt_arena_alloc(&m->arena, n, sizeof *shop.frictions);
    m->position = dt_arena_alloc(&m->arena, 4 * n, sizeof *m->position);
    m->velocity = dt_arena_alloc(&m->arena, 3 * n, sizeof *m->velocity);
    shop.bare = dt_arena_alloc(&m->arena, n, sizeof *shop.bare);
    dt_body *bodies = dt_arena_alloc(&m->arena, n, sizeof *bodies);
    dt_joint *joints = dt_arena_alloc(&m->arena, n, sizeof *joints);
    for (int i = 0; i < count; i++) {
        const char *body = dt_arena_printf(&m->arena, "body%d", i);
        shop.frames[i] = (dt_joint_frame){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        shop.nodes[i].frame = &shop.frames[i];
        shop.primitives[i] = (dt_primitive){
            .name = dt_arena_printf(&m->arena, "joint%d", i), .joint = i, .stiction = -1};
        bodies[i] = (dt_body){.name = body, .node = i, .pose = &same};
        joints[i] = (dt_joint){shop.primitives[i].name, i - 1, i, i, 1};
    }
    m->bodies = bodies;
    m->joints = joints;
    return shop;
}

/** Gives node i its type and its place in q and v; nodes come in turn. */
static void set_type(workshop *shop, int i, const dt_primitive_type *type)
{
    dt_tree *tree = &shop->mechanism->tree;
    shop->nodes[i].type = type;
    shop->nodes[i].body = &shop->bodies[i];
    shop->nodes[i].q = tree->nq;
    shop->nodes[i].v = tree->nv;
    tree->nq += type->nq;
    tree->nv += type->nv;
    if (type->nq == 4) {
        shop->mechanism->position[shop->nodes[i].q] = 1;
    }
}

static dt_friction *add_stiction(workshop *shop, int i)
{
    const int k = shop->mechanism->stiction_count++;
    shop->primitives[i].stiction = k;
    shop->frictions[k] = (dt_friction){.velocity_threshold = 1e-3};
    shop->stictions[k] = (dt_stiction){.primitive = i, .rest = -1, .friction = &shop->frictions[k]};
    return &shop->frictions[k];
}

static void set_gravity(detent_mechanism *m, const double gravity[3])
{
    for (int k = 0; k < 3; k++) {
        m->gravity[k] = support_constant(m, gravity[k]);
    }
}

void support_free(detent_mechanism *mechanism)
{
    if (mechanism) {
        dt_arena_free(&mechanism->arena);
        free(mechanism);
    }
}

detent_mechanism *support_reordered(const detent_mechanism *mechanism, const int *order)
{
    detent_mechanism *copy = malloc(sizeof *copy);
    const size_t n = (size_t)mechanism->primitive_count, count = (size_t)mechanism->stiction_count;
    *copy = *mechanism;
    dt_arena_init(&copy->arena, NULL);
    dt_primitive *primitives = dt_arena_alloc(&copy->arena, n, sizeof *primitives);
    dt_stiction *stictions = dt_arena_alloc(&copy->arena, count, sizeof *stictions);
    memcpy(primitives, mechanism->primitives, n * sizeof *primitives);
    for (size_t k = 0; k < count; k++) {
        stictions[k] = mechanism->stictions[order[k]];
        primitives[stictions[k].primitive].stiction = (int)k;
    }
    copy->primitives = primitives;
    copy->stictions = stictions;
    return copy;
}

/* ---- Chains ---- */

support_chain_def support_default_chain(int count)
{
    return (support_chain_def){
        .count = count, .length = 1, .mass = 1, .kinetic = 1, .ratio = 1, .gravity = {0, -9.81, 0}};
}

detent_mechanism *support_chain(const support_chain_def *def, support_random *random)
{
    workshop shop = open_workshop(def->count, "chain");
    detent_mechanism *m = shop.mechanism;
    const double length = def->length / def->count, mass = def->mass / def->count;
    for (int i = 0; i < def->count; i++) {
        shop.nodes[i].parent = i - 1;
        shop.frames[i].p[0] = i == 0 ? 0 : length;
        shop.frames[i].axis[2] = 1;
        dt_mass *body = &shop.bodies[i];
        *body = (dt_mass){.mass = mass, .com = {length / 2, 0, 0}};
        body->inertia[1] = body->inertia[2] = mass * length * length / 12;
        if (def->three_dimensional) {
            support_unit(random, 2, shop.frames[i].axis + 1);
        }
        set_type(&shop, i, &dt_revolute);
        dt_friction *friction = add_stiction(&shop, i);
        friction->kinetic = support_constant(m, def->kinetic);
        friction->magnitude = support_constant(m, def->kinetic * def->ratio);
        if (def->force > 0) {
            const double force = support_uniform(random, -def->force, def->force);
            shop.primitives[i].force = support_constant(m, force);
        }
    }
    set_gravity(m, def->gravity);
    return m;
}

/* ---- Random trees ---- */

support_tree_def support_default_tree(int nodes)
{
    return (support_tree_def){.nodes = nodes,
                              .branching = 0.4,
                              .prismatic = 0.35,
                              .massless = 0.15,
                              .stiction = 1,
                              .friction = {0.3, 10},
                              .ratio = {1, 1},
                              .mu = {0.02, 0.2},
                              .force = 10,
                              .gravity = 9.81};
}

/** The inertia of a body: six point masses, which no real body can contradict. */
static void random_body(dt_mass *body, support_random *random)
{
    body->mass = support_spread(random, 0.1, 3);
    for (int k = 0; k < 3; k++) {
        body->com[k] = support_uniform(random, -0.3, 0.3);
    }
    for (int point = 0; point < 6; point++) {
        double r[3], mass = body->mass / 6;
        for (int k = 0; k < 3; k++) {
            r[k] = support_uniform(random, -0.2, 0.2);
        }
        const double rr = dt_dot3(r, r);
        for (int k = 0; k < 3; k++) {
            body->inertia[k] += mass * (rr - r[k] * r[k]);
        }
        body->inertia[3] -= mass * r[0] * r[1];
        body->inertia[4] -= mass * r[0] * r[2];
        body->inertia[5] -= mass * r[1] * r[2];
    }
}

/** A rod from the joint on, in any direction. */
static void random_rod(dt_mass *body, support_random *random)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const double length = support_uniform(random, 0.2, 0.6);
    double u[3];
    body->mass = support_spread(random, 0.1, 3);
    support_unit(random, 3, u);
    const double across = body->mass * length * length / 12;
    for (int k = 0; k < 3; k++) {
        body->com[k] = length / 2 * u[k];
    }
    for (int k = 0; k < 6; k++) {
        body->inertia[k] = across * ((k < 3 ? 1 : 0) - (1 - 1e-6) * u[row[k]] * u[column[k]]);
    }
}

static const dt_primitive_type *random_type(const support_tree_def *def, support_random *random)
{
    const double u = support_uniform(random, 0, 1);
    if (u < def->spherical) {
        return &dt_spherical;
    }
    if (u < def->spherical + def->weld) {
        return &dt_weld;
    }
    return support_chance(random, def->prismatic) ? &dt_prismatic : &dt_revolute;
}

/** Makes the nodes from `first`, which has its place, a free joint; returns the node after it. */
static int add_free_joint(workshop *shop, int first)
{
    for (int k = 0; k < 4; k++) {
        double *axis = shop->frames[first + k].axis;
        axis[0] = axis[1] = axis[2] = 0;
        axis[k % 3] = 1;
        shop->nodes[first + k].parent = k > 0 ? first + k - 1 : shop->nodes[first].parent;
        shop->bare[first + k] = k < 3;
        set_type(shop, first + k, k < 3 ? &dt_prismatic : &dt_spherical);
    }
    return first + 4;
}

/** Makes node i, or a free joint from node i on; returns the node after it. */
static int random_node(workshop *shop, int i, const support_tree_def *def, support_random *random)
{
    dt_node *node = &shop->nodes[i];
    node->parent =
        i > 0 && support_chance(random, def->branching) ? support_below(random, i + 1) - 1 : i - 1;
    random_rotation(random, shop->frames[i].R);
    for (int k = 0; k < 3; k++) {
        shop->frames[i].p[k] = support_uniform(random, -0.5, 0.5);
    }
    support_unit(random, 3, shop->frames[i].axis);
    if (node->parent < 0 && i + 4 <= def->nodes && def->floating > 0 &&
        support_chance(random, def->floating)) {
        return add_free_joint(shop, i);
    }
    set_type(shop, i, random_type(def, random));
    if (def->armature > 0 && node->type->nv == 1 && support_chance(random, def->armature)) {
        node->armature = support_spread(random, 1e-3, 1e3);
    }
    return i + 1;
}

/** Bodies: a massless node must have a child to give it inertia, and no massless parent. */
static void random_bodies(workshop *shop, const support_tree_def *def, support_random *random)
{
    for (int i = 0; i < def->nodes; i++) {
        dt_node *node = &shop->nodes[i];
        if (shop->bare[i]) {
            continue;
        }
        const bool has_child = i + 1 < def->nodes && node[1].parent == i;
        const bool child_fits = has_child && node[1].type->nv == 1 && node->type->nv == 1;
        const bool parent_fits = node->parent < 0 || shop->bodies[node->parent].mass > 0;
        if (child_fits && parent_fits && support_chance(random, def->massless)) {
            continue;
        }
        if (def->slender > 0 && support_chance(random, def->slender)) {
            random_rod(&shop->bodies[i], random);
        } else {
            random_body(&shop->bodies[i], random);
        }
    }
}

static void random_friction(workshop *shop, int i, const support_tree_def *def,
                            support_random *random)
{
    detent_mechanism *m = shop->mechanism;
    dt_friction *friction = add_stiction(shop, i);
    const bool loaded = support_chance(random, def->load_dependent);
    const double *range = loaded ? def->mu : def->friction;
    const double kinetic = support_spread(random, range[0], range[1]);
    const double ratio = support_uniform(random, def->ratio[0], def->ratio[1]);
    if (loaded) {
        friction->kinetic = support_load_dependent(m, kinetic, i);
        friction->magnitude = support_load_dependent(m, kinetic * ratio, i);
    } else if (support_chance(random, def->asymmetric)) {
        const double other = support_spread(random, range[0], range[1]);
        const bool kinetic_too = support_chance(random, 0.5);
        friction->kinetic = kinetic_too ? friction_program(m, other, kinetic, false, i)
                                        : support_constant(m, fmin(kinetic, other));
        friction->forward = support_constant(m, -kinetic * ratio);
        friction->reverse = support_constant(m, other * ratio);
    } else {
        friction->kinetic = support_constant(m, kinetic);
        friction->magnitude = support_constant(m, kinetic * ratio);
    }
}

static void random_forces(workshop *shop, int i, const support_tree_def *def,
                          support_random *random)
{
    dt_primitive *primitive = &shop->primitives[i];
    if (shop->nodes[i].type->nv != 1 || shop->bare[i]) {
        return;
    }
    if (def->force > 0) {
        const double force = support_uniform(random, -def->force, def->force);
        primitive->force = support_constant(shop->mechanism, force);
    }
    primitive->stiffness = def->spring * support_uniform(random, 0, 1);
    primitive->damping = def->damper * support_uniform(random, 0, 1);
    if (support_chance(random, def->stiction)) {
        random_friction(shop, i, def, random);
    } else if (def->prescribed > 0 && support_chance(random, def->prescribed)) {
        double motion[3];
        for (int k = 0; k < 3; k++) {
            motion[k] = support_uniform(random, -1, 1);
        }
        primitive->motion = support_motion(shop->mechanism, motion[0], motion[1], motion[2]);
        primitive->force = NULL;
    }
}

detent_mechanism *support_random_tree(const support_tree_def *def, support_random *random)
{
    workshop shop = open_workshop(def->nodes, "random tree");
    double gravity[3];
    for (int next = 0; next < def->nodes;) {
        next = random_node(&shop, next, def, random);
    }
    random_bodies(&shop, def, random);
    for (int i = 0; i < def->nodes; i++) {
        random_forces(&shop, i, def, random);
    }
    support_unit(random, 3, gravity);
    for (int k = 0; k < 3; k++) {
        gravity[k] *= def->gravity;
    }
    set_gravity(shop.mechanism, gravity);
    return shop.mechanism;
}

void support_add_struts(detent_mechanism *m, support_random *random, int count, dt_load *ends)
{
    dt_item_list *list;
    m->source = &dt_element_items;
    m->added = dt_arena_alloc(&m->arena, DT_ELEMENT_KINDS, sizeof *m->added);
    list = &m->added[DT_ELEMENT_strut];
    *list = (dt_item_list){
        .kind = dt_strut_element.item, .count = count, .first_place = m->load_count, .places = 2};
    detent_spring_def *struts = dt_arena_alloc(&m->arena, (size_t)count, sizeof *struts);
    list->definitions = (char *)struts;
    for (int k = 0; k < count; k++) {
        struts[k] = (detent_spring_def){.name = "strut",
                                        .stiffness = support_uniform(random, 0, 20),
                                        .rest = support_uniform(random, 0, 2),
                                        .damping = support_uniform(random, 0, 3)};
        for (int e = 0; e < 2; e++) {
            const int ground = e == 0; /* the first end may be on it */
            ends[2 * k + e] =
                (dt_load){.node = support_below(random, m->tree.node_count + ground) - ground,
                          .R = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                          .frame = DETENT_FRAME_WORLD};
            for (int x = 0; x < 3; x++) {
                ends[2 * k + e].point[x] = support_uniform(random, -1, 1);
            }
        }
    }
    m->place_count = m->load_count + 2 * count;
}
