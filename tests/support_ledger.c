#include "support_ledger.h"

#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void *allocate(size_t size, void *context)
{
    ledger *book = context;
    if (book->calls++ >= book->allowed) {
        return NULL;
    }
    void *memory = malloc(size);
    book->alive += memory != NULL;
    return memory;
}

static void release(void *memory, void *context)
{
    ledger *book = context;
    if (memory) {
        assert_true(book->alive > 0);
        book->alive--;
        free(memory);
    }
}

detent_allocator ledger_allocator(ledger *book)
{
    return (detent_allocator){allocate, release, book};
}
