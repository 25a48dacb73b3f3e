/**
 * @file name_map.h
 * From names to small numbers: a hash map in an arena, made for up to some hundred thousand names.
 */
#ifndef DT_BASE_NAME_MAP_H
#define DT_BASE_NAME_MAP_H

#include "base/arena.h"

typedef struct dt_name_map {
    dt_arena *arena;
    struct dt_name_entry *entries; /**< open addressing; an entry without a name is free */
    size_t capacity;               /**< zero or a power of two */
    size_t count;                  /**< at most half the capacity */
    int *values;                   /**< packed: instead of entries, -1 where free; the names are */
    const char *owners;            /**< the first members of structs in an array, by value, */
    size_t owner_size;             /**< of this size */
} dt_name_map;

/** An empty map that will take its memory from `arena`, which must outlive it. */
void dt_name_map_init(dt_name_map *map, dt_arena *arena);

/**
 * Adds `name` with `value` >= 0. The name is not copied: it must live as long as the map.
 * DETENT_ERROR_MODEL if the name is there already, DETENT_ERROR_MEMORY; the map is unchanged then.
 */
detent_status dt_name_map_put(dt_name_map *map, const char *name, int value);

/** The value of `name`, or -1. */
int dt_name_map_get(const dt_name_map *map, const char *name);

/** The value of the name that is the first `length` bytes of `text`, or -1. */
int dt_name_map_find(const dt_name_map *map, const char *text, size_t length);

/**
 * Packs the map into `arena`, where it takes a quarter as much; from then on nothing is added. The
 * names are looked up in `owners`, an array of structs of `owner_size` bytes, by value, whose first
 * member is the name, which must live as long as the map. False when memory is out.
 */
bool dt_name_map_pack(dt_name_map *map, dt_arena *arena, const void *owners, size_t owner_size);

#endif
