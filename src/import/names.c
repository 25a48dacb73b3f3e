/* Names that a mechanism file may have: of letters, digits and underscores, and each there once. */

#include "import/robot.h"

/* Names of one kind of item: each is there once. */
typedef struct name_pool {
    dt_arena *arena;
    dt_name_map taken;
    int *again; /* how often each has been asked for, by its value in `taken` */
    int count, room;
} name_pool;

enum { LONGEST = 80 }; /* of 100: what follows behind it needs some */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The name as a mechanism file may have it. */
static const char *plain(dt_arena *arena, const char *name, const char *prefix)
{
    char text[LONGEST + 1];
    size_t length = 0;
    if (*name && !is_letter(*name) && *name >= '0' && *name <= '9') {
        text[length++] = '_';
    }
    for (; *name && length < LONGEST; name++) {
        const bool good = is_letter(*name) || (*name >= '0' && *name <= '9');
        if ((*name & 0xC0) != 0x80) { /* one for a character of UTF-8 */
            text[length++] = good ? *name : '_';
        }
    }
    return length > 0 ? dt_arena_copy(arena, text, length)
                      : dt_arena_copy(arena, prefix, strlen(prefix));
}

static bool take(name_pool *pool, const char *name)
{
    if (pool->count == pool->room) {
        const int wider = pool->room ? 2 * pool->room : 64;
        int *again = dt_arena_grow(pool->arena, pool->again, (size_t)pool->room, (size_t)wider,
                                   sizeof *again);
        if (!again) {
            return false;
        }
        pool->again = again;
        pool->room = wider;
    }
    pool->again[pool->count] = 1;
    return dt_name_map_put(&pool->taken, name, pool->count++) == DETENT_OK;
}

/* A name that no other one of the pool has. NULL: memory is out. */
static const char *unique(name_pool *pool, const char *source, const char *prefix)
{
    const char *name = plain(pool->arena, source, prefix), *wanted = name;
    int twin;
    while (name && (twin = dt_name_map_get(&pool->taken, name)) >= 0) {
        const int first = dt_name_map_get(&pool->taken, wanted);
        name = dt_arena_printf(pool->arena, "%s_%d", wanted, ++pool->again[first]);
    }
    return name && take(pool, name) ? name : NULL;
}

bool dt_robot_name_all(dt_robot *robot)
{
    static const char *const of_formulas[] = {"t", "dir", "pi", "if", "and", "or", "not", NULL};
    static const char *const of_yaml[] = {"null", "Null",  "NULL",  "true",  "True",
                                          "TRUE", "false", "False", "FALSE", NULL};
    name_pool bodies = {.arena = robot->arena}, joints = bodies, inputs = bodies;
    dt_name_map_init(&bodies.taken, robot->arena);
    dt_name_map_init(&joints.taken, robot->arena);
    dt_name_map_init(&inputs.taken, robot->arena);
    bool good = take(&bodies, "ground");
    for (const char *const *name = of_formulas; *name; name++) {
        good = good && take(&inputs, *name);
    }
    for (const char *const *name = of_yaml; *name; name++) {
        good = good && take(&bodies, *name) && take(&joints, *name) && take(&inputs, *name);
    }
    for (int k = 0; k < robot->body_count && good; k++) {
        good = (robot->bodies[k].id = unique(&bodies, robot->bodies[k].name, "body")) != NULL;
    }
    for (int k = 0; k < robot->joint_count && good; k++) {
        good = (robot->joints[k].id = unique(&joints, robot->joints[k].name, "joint")) != NULL;
    }
    for (int k = 0; k < robot->loop_count && good; k++) { /* which become joints */
        good = (robot->loops[k].id = unique(&joints, robot->loops[k].name, "loop")) != NULL;
    }
    for (int k = 0; k < robot->body_count && good; k++) {
        const dt_robot_body *body = &robot->bodies[k];
        for (int j = 1; j < body->joint_count && good; j++) {
            good = (robot->joints[body->first_joint + j].before =
                        unique(&bodies, body->id, "body")) != NULL;
        }
    }
    for (int k = 0; k < robot->actuator_count && good; k++) {
        good =
            (robot->actuators[k].id = unique(&inputs, robot->actuators[k].name, "input")) != NULL;
    }
    return good;
}
