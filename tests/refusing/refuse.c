/*
 * Stands between the program and its memory (--wrap): the piece whose number, from 0, is in DETENT_TEST_REFUSE is refused, and no
 * other. How many were asked for is written into the file that DETENT_TEST_PIECES names. tests/test_cli_memory.sh refuses each in its turn.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long asked;

static bool refused(void)
{
    const char *piece = getenv("DETENT_TEST_REFUSE");
    const bool is_it = piece && strtoul(piece, NULL, 10) == asked;
    asked++;
    if (is_it) {
        errno = ENOMEM;
    }
    return is_it;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
FILE *__real_fdopen(int fd, const char *mode);
FILE *__wrap_fdopen(int fd, const char *mode);

void *__wrap_malloc(size_t size)
{
    return refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return refused() ? NULL : __real_realloc(old, size);
}

/** A stream takes memory as well. */
FILE *__wrap_fdopen(int fd, const char *mode)
{
    return refused() ? NULL : __real_fdopen(fd, mode);
}

static void __attribute__((destructor)) tell(void)
{
    const char *path = getenv("DETENT_TEST_PIECES");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%lu\n", asked);
        fclose(file);
    }
}

#ifdef COUNTS_COVERAGE
void __gcov_dump(void);
void __real__exit(int code);
void __wrap__exit(int code);

/** The program leaves at once where a record is broken: what was reached until then counts as well. */
void __wrap__exit(int code)
{
    __gcov_dump();
    __real__exit(code);
}
#endif
