/*
 * Friction of a law along a primitive that moves or creeps, but is never locked (friction_law.h). It is a force like any
 * other along a joint (element_push.c); its jumps are switches, on whose borders the joint may stay (integrator/sliding.h).
 *
 * Its power counts as that of friction. Springs of a law, k z each, store what they take: k z^2 / 2 is potential energy where
 * the load is constant. Where it follows a normal force that is no potential, and k z z' counts as work that the load does.
 */
#include "dynamics/friction_law.h"
#include "dynamics/push.h"

/* ---- what is given ---- */

#define FIELD(name) offsetof(dt_friction_law, name)
static const dt_key keys[] = {
    {"law", DT_VALUE_CHOICE, true, FIELD(law), NULL, dt_friction_words},
    {"breakaway", DT_VALUE_SIZE, false, FIELD(breakaway), DT_PER_LOAD(EFFORT), NULL},
    {"coulomb", DT_VALUE_SIZE, false, FIELD(coulomb), DT_PER_LOAD(EFFORT), NULL},
    {"breakaway_velocity", DT_VALUE_POSITIVE, false, FIELD(breakaway_velocity),
     DT_OF_ITS_JOINT(VELOCITY), NULL},
    {"viscous", DT_VALUE_SIZE, false, FIELD(viscous), DT_OF_ITS_JOINT(DAMPING), NULL},
    {"velocity_band", DT_VALUE_POSITIVE, false, FIELD(velocity_band), DT_OF_ITS_JOINT(VELOCITY),
     NULL},
    {"normal_force", DT_VALUE_EXPRESSION, false, FIELD(normal_force), &dt_dimension_force, NULL},
    {"radius", DT_VALUE_POSITIVE, false, FIELD(radius), &dt_dimension_length, NULL},
    {"stiffness", DT_VALUE_POSITIVE, false, FIELD(stiffness), DT_PER_LOAD(STIFFNESS), NULL},
    {"damping", DT_VALUE_SIZE, false, FIELD(damping), DT_PER_LOAD(DAMPING), NULL},
    {"exponent", DT_VALUE_POSITIVE, false, FIELD(exponent), &dt_dimension_number, NULL},
    {"stiffnesses", DT_VALUE_SIZES, false, FIELD(stiffnesses), DT_PER_LOAD(STIFFNESS), NULL},
    {"limits", DT_VALUE_SIZES, false, FIELD(limits), DT_PER_LOAD(EFFORT), NULL},
    {"inertia", DT_VALUE_POSITIVE, false, FIELD(inertia), DT_OF_ITS_JOINT(INERTIA), NULL},
    DT_KEYS_END,
};
#undef FIELD

static const char *fault(const void *definition, bool rotational, const char **key)
{
    return dt_friction_fault(definition, rotational, key);
}

static void take_over(void *definition, const dt_dry_friction *friction)
{
    dt_friction_take_over(definition, friction);
}

static const char *complete(void *definition, double velocity, double stretch)
{
    return dt_friction_complete(definition, velocity, stretch);
}

static const dt_item_law laws[] = {{"law", DT_USE_DRAG, NULL}};

static const char *text(dt_arena *arena, const void *definition, int law, const dt_active *active)
{
    (void)law;
    return dt_friction_text(arena, definition, active);
}

static bool reads_active(const void *definition, double *inertia)
{
    const dt_friction_law *law = definition;
    *inertia = law->inertia;
    return dt_friction_reads_active(law);
}

static bool stiction(dt_arena *arena, const void *definition, detent_stiction_def *def)
{
    return dt_friction_stiction(arena, definition, &def->static_limit, &def->kinetic);
}

static const char *fixed_steps(const void *definition, double *band)
{
    return dt_friction_fixed_steps(definition, band);
}

static int springs(const void *definition)
{
    return dt_friction_springs(definition);
}

static double stretch(const void *definition, int k)
{
    return dt_friction_stretch(definition, k);
}

static const char *rate(dt_arena *arena, const void *definition, int k)
{
    return dt_friction_rate(arena, definition, k);
}

static const dt_item_states states = {
    .suffix = "bristle", .quantity = DT_QUANTITY_POSITION, .count = springs, .nominal = stretch};

static const dt_item_kind friction_laws = {.what = "friction law",
                                           .plural = "friction laws",
                                           .joint_key = "friction",
                                           .load = "normal_force",
                                           .rubs = true,
                                           .keys = keys,
                                           .size = sizeof(dt_friction_law),
                                           .names_joint = true,
                                           .fault = fault,
                                           .take_over = take_over,
                                           .complete = complete,
                                           .stiction = stiction,
                                           .fixed_steps = fixed_steps,
                                           .laws = laws,
                                           .law_count = 1,
                                           .text = text,
                                           .reads_active = reads_active,
                                           .derivative = rate,
                                           .states = &states};

/* ---- energy ---- */

static const dt_law_role role[] = {DT_LAW_DRAG};
enum { SELF = DT_ELEMENT_friction_law };

static bool acts(const detent_mechanism *m)
{
    return dt_added_items(m, SELF)->count > 0;
}

static const dt_item_list *items(const dt_system *s)
{
    return dt_added_items(s->mechanism, SELF);
}

const dt_item_list *dt_friction_laws(const detent_mechanism *m)
{
    return dt_added_items(m, SELF);
}

double dt_friction_force(dt_system *s, int item)
{
    return dt_law_value(s, dt_law_of(s, SELF, item, 0), 0);
}

/* Whether the normal force of an item is given. */
static bool is_loaded(const dt_friction_law *law)
{
    return law->normal_force != NULL;
}

/* Its springs: what all of them do, and what they take, k z and k z z' summed. */
static void measure_springs(dt_system *s, int item, double *force, double *power)
{
    const dt_item_list *list = items(s);
    const dt_friction_law *law = dt_item_definition(list, item);
    *force = *power = 0;
    for (int k = 0; k < dt_friction_springs(law); k++) {
        const int z = list->state[item] + k;
        const double own = dt_friction_stiffness(law, k) * s->z[z],
                     rate = dt_law_value(s, dt_rate_law(s, z), 0);
        *force += own + (k == 0 ? dt_friction_damping(law) * rate : 0);
        *power += own * rate;
    }
}

/* What the springs of an item take that does -L D - f v. */
static double stored(dt_system *s, int item, double force, double v)
{
    const dt_friction_law *law = dt_item_definition(items(s), item);
    double D, power;
    measure_springs(s, item, &D, &power);
    return !is_loaded(law) ? power : D != 0 ? -(force + law->viscous * v) / D * power : 0;
}

static void take_powers(dt_system *s, dt_joint_powers *joints)
{
    const dt_item_list *list = items(s);
    for (int i = joints->first; i < joints->end; i++) {
        const int v = s->tree->nodes[i].v;
        for (int item = dt_item_next_at(list, i, -1); item >= 0;
             item = dt_item_next_at(list, i, item)) {
            const dt_friction_law *law = dt_item_definition(list, item);
            if (dt_law_is_apart(s, dt_law_of(s, SELF, item, 0))) {
                continue;
            }
            const double force = dt_law_value(s, dt_law_of(s, SELF, item, 0), 0),
                         kept = stored(s, item, force, s->v[v]);
            joints->power[DT_WORK_FRICTION] += force * s->v[v] + kept;
            joints->power[DT_WORK_ACTUATION] -= is_loaded(law) ? kept : 0;
            joints->force[v - joints->start] -= force;
        }
    }
}

static void add_potential(const dt_system *s, double *energy)
{
    const dt_item_list *list = items(s);
    for (int item = 0; item < list->count; item++) {
        const dt_friction_law *law = dt_item_definition(list, item);
        for (int k = 0; k < dt_friction_springs(law) && !is_loaded(law); k++) {
            const double z = s->z[list->state[item] + k];
            *energy += 0.5 * dt_friction_stiffness(law, k) * z * z;
        }
    }
}

static void add_potential_change(const dt_tangent *t, const dt_system *s, double *change)
{
    const dt_item_list *list = items(s);
    for (int item = 0; item < list->count; item++) {
        const dt_friction_law *law = dt_item_definition(list, item);
        for (int k = 0; k < dt_friction_springs(law) && !is_loaded(law); k++) {
            const int z = list->state[item] + k;
            *change += dt_friction_stiffness(law, k) * s->z[z] * t->dz[z];
        }
    }
}

/* Beside a drive that it balances Q is nothing but the rounding of both. */
static double size(const dt_system *s, int node, int column, double *rest)
{
    const double force = s->drag ? s->drag[s->tree->nodes[node].v + column] : 0;
    *rest -= force;
    return fabs(force);
}

/* ---- the row ---- */

void dt_drag_changes(dt_tangent *t, dt_system *s)
{
    const dt_item_list *list = items(s);
    memset(t->drag, 0, s->drag ? (size_t)s->tree->nv * sizeof *t->drag : 0);
    for (int item = 0; item < list->count; item++) {
        const int i = list->joint[item];
        if (i >= 0) {
            t->drag[s->tree->nodes[i].v] += dt_tangent_law(t, s, dt_law_of(s, SELF, item, 0), 0);
        }
    }
}

const dt_element_kind dt_friction_law_element = {.item = &friction_laws,
                                                 .acts = acts,
                                                 .law_count = 1,
                                                 .role = role,
                                                 .prepare = dt_push_prepare,
                                                 .inject = dt_push_inject,
                                                 .measure = dt_push_measure,
                                                 .add_potential = add_potential,
                                                 .add_potential_change = add_potential_change,
                                                 .size = size,
                                                 .take_powers = take_powers};
