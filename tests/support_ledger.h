/**
 * @file support_ledger.h
 * An allocator that counts, and fails when told to.
 */
#ifndef SUPPORT_LEDGER_H
#define SUPPORT_LEDGER_H

#include "detent/detent.h"

typedef struct ledger {
    size_t calls;   /**< allocations asked for */
    size_t alive;   /**< given and not given back */
    size_t allowed; /**< calls that succeed */
} ledger;

/** Uses malloc; `book` must outlive the allocator. */
detent_allocator ledger_allocator(ledger *book);

#endif
