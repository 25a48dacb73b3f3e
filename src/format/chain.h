/**
 * @file chain.h
 * Blocks that make many like items.
 */
#ifndef DT_FORMAT_CHAIN_H
#define DT_FORMAT_CHAIN_H

#include "format/sections.h"

typedef struct dt_chain {
    int count; /**< copies */
    const char *index_name;
    /** The mapping of a copy: `only` where there is one copy, else the first, those between, the last. */
    const dt_yaml_node *only, *first, *between, *last;
} dt_chain;

/** Reads the value of the key `chain` (a mapping, or a list of them), `*chains` in the reader's arena. */
detent_status dt_chain_read(dt_reader *, const dt_yaml_node *node, dt_chain **chains, int *count);

/** How many items the chain has for this section. */
size_t dt_chain_count(const dt_chain *chain, const dt_section *section);

/** Reads the items that the chain has for this section, copy by copy. */
detent_status dt_chain_read_section(dt_reader *, const dt_chain *chain, const dt_section *section);

#endif
