/* Open addressing with linear probing. Invariants: the capacity is a power of two, at most half of
 * the entries are taken, and between the home of a name and its entry no entry is free; names are
 * never removed. */

#include "base/name_map.h"

#include <stdint.h>
#include <string.h>

enum { FIRST_CAPACITY = 16 };

struct dt_name_entry {
    const char *name;
    uint32_t hash;
    int value;
};

/* FNV-1a, its high half folded into the low one, whose lowest bits give the home of a name. */
static uint32_t hash_name(const char *name, size_t length)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t k = 0; k < length; k++) {
        hash = (hash ^ (unsigned char)name[k]) * UINT64_C(1099511628211);
    }
    return (uint32_t)(hash ^ (hash >> 32));
}

void dt_name_map_init(dt_name_map *map, dt_arena *arena)
{
    *map = (dt_name_map){.arena = arena};
}

static bool is_name(const struct dt_name_entry *entry, const char *name, size_t length,
                    uint32_t hash)
{
    return entry->hash == hash && strncmp(entry->name, name, length) == 0 &&
           entry->name[length] == '\0';
}

/* The entry of `name`, or the free one where it belongs. */
static struct dt_name_entry *find(struct dt_name_entry *entries, size_t capacity, const char *name,
                                  size_t length, uint32_t hash)
{
    size_t i = hash & (capacity - 1);
    while (entries[i].name && !is_name(&entries[i], name, length, hash)) {
        i = (i + 1) & (capacity - 1);
    }
    return &entries[i];
}

static bool grow(dt_name_map *map)
{
    size_t capacity = map->capacity ? 2 * map->capacity : FIRST_CAPACITY;
    struct dt_name_entry *entries = dt_arena_alloc(map->arena, capacity, sizeof *entries);
    if (!entries) {
        return false;
    }
    for (size_t i = 0; i < map->capacity; i++) {
        const struct dt_name_entry *entry = &map->entries[i];
        if (entry->name) {
            *find(entries, capacity, entry->name, strlen(entry->name), entry->hash) = *entry;
        }
    }
    map->entries = entries;
    map->capacity = capacity;
    return true;
}

detent_status dt_name_map_put(dt_name_map *map, const char *name, int value)
{
    if (2 * (map->count + 1) > map->capacity && !grow(map)) {
        return DETENT_ERROR_MEMORY;
    }
    size_t length = strlen(name);
    uint32_t hash = hash_name(name, length);
    struct dt_name_entry *entry = find(map->entries, map->capacity, name, length, hash);
    if (entry->name) {
        return DETENT_ERROR_MODEL;
    }
    *entry = (struct dt_name_entry){name, hash, value};
    map->count++;
    return DETENT_OK;
}

/* The name of a value of a packed map. */
static const char *owner_name(const dt_name_map *map, int value)
{
    const char *name;
    memcpy(&name, map->owners + (size_t)value * map->owner_size, sizeof name);
    return name;
}

static int find_packed(const dt_name_map *map, const char *text, size_t length, uint32_t hash)
{
    for (size_t i = hash & (map->capacity - 1);; i = (i + 1) & (map->capacity - 1)) {
        const int value = map->values[i];
        const char *name = value < 0 ? NULL : owner_name(map, value);
        if (!name || (strncmp(name, text, length) == 0 && name[length] == '\0')) {
            return value;
        }
    }
}

int dt_name_map_find(const dt_name_map *map, const char *text, size_t length)
{
    if (map->count == 0) {
        return -1;
    }
    const uint32_t hash = hash_name(text, length);
    if (map->values) {
        return find_packed(map, text, length, hash);
    }
    const struct dt_name_entry *entry = find(map->entries, map->capacity, text, length, hash);
    return entry->name ? entry->value : -1;
}

int dt_name_map_get(const dt_name_map *map, const char *name)
{
    return dt_name_map_find(map, name, strlen(name));
}

bool dt_name_map_pack(dt_name_map *map, dt_arena *arena, const void *owners, size_t owner_size)
{
    int *values = dt_arena_alloc(arena, map->capacity, sizeof *values);
    if (!values) {
        return false;
    }
    for (size_t i = 0; i < map->capacity; i++) {
        values[i] = map->entries[i].name ? map->entries[i].value : -1;
    }
    map->arena = arena;
    map->entries = NULL;
    map->values = values;
    map->owners = owners;
    map->owner_size = owner_size;
    return true;
}
