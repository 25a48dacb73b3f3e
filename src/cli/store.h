/**
 * @file store.h
 * A file of named arrays (NetCDF 4): the only place that knows the library by which it is written and read.
 *
 * The first failure of a store that is written is remembered; what follows does nothing. So a writer asks once, store_failed(), and
 * store_close() says what it was. Numbers are doubles here whatever they are in the file. In a build without the library stores
 * cannot be opened, and say so.
 */
#ifndef CLI_STORE_H
#define CLI_STORE_H

#include "detent/detent.h"

enum { STORE_RANK = 3 }; /**< dimensions of a variable at most */

typedef enum store_type {
    STORE_BYTE,
    STORE_INT,
    STORE_INT64,
    STORE_DOUBLE,
    STORE_CHAR,
    STORE_STRING
} store_type;

/** How the values of a variable lie in the file. */
typedef struct store_shape {
    store_type type;
    int rank;
    int dimension[STORE_RANK]; /**< of store_dimension() */
    size_t chunk[STORE_RANK];  /**< 0: not in chunks, where no dimension grows */
    bool
        packed; /**< deflated. A chunk of such a one is to be written once, and whole: see record.c */
} store_shape;

typedef struct store store;

/** Whether this build can open stores; an error is reported where it cannot. */
detent_status store_available(detent_error *);

/* ---- writing ---- */

/** A new file in place of what is at `path`. An error is reported. NULL `*place` after one. */
detent_status store_create(const char *path, store **place, detent_error *);
/** `length` 0: it grows. A number for store_shape. */
int store_dimension(store *, const char *name, size_t length);
/** A number for what follows. */
int store_variable(store *, const char *name, const store_shape *);
/** `variable` -1: of the file. */
void store_text(store *, int variable, const char *name, const char *text);
void store_number(store *, int variable, const char *name, double value);
/** Of the type of the variable. */
void store_numbers(store *, int variable, const char *name, const double *values, size_t count);
/** `start`, `count`: by dimension of the variable. */
void store_put(store *, int variable, const size_t *start, const size_t *count,
               const double *values);
void store_put_text(store *, int variable, const size_t *start, const size_t *count,
                    const char *text);
void store_put_strings(store *, int variable, const size_t *start, const size_t *count,
                       const char **strings);
/** What is in the file now is what a reader finds if the program is killed. */
void store_sync(store *);
/** errno's number of the first failure, or one that comes near it; 0: none. */
int store_failed(const store *);
/** Whether writing one has failed: then the library below must not clean up at exit, for it crashes. */
bool store_is_broken(void);
/** NULL is allowed. What failed with it, or earlier, is returned as by store_failed(). */
int store_close(store *);

/* ---- reading ---- */

/** An error is reported: DETENT_ERROR_IO. */
detent_status store_open(const char *path, store **place, detent_error *);
/** 0: there is no such one. */
size_t store_length(store *, const char *dimension);
/** -1: there is no such one. */
int store_find(store *, const char *variable);
/** False where they cannot be read. */
bool store_get(store *, int variable, const size_t *start, const size_t *count, double *values);
bool store_get_text(store *, int variable, const size_t *start, const size_t *count, char *text);
/** One of a variable of strings, which the caller frees; NULL: none. */
char *store_get_string(store *, int variable, size_t index);
/** The caller's to free; of a number its text. NULL: there is no such one. */
char *store_get_attribute(store *, int variable, const char *name);
/** Memory was out for something of it, which is not there then: store_failed() says ENOMEM, as after any reading for which memory was out. */
void store_lack_memory(store *);
/** The name of an attribute by its place, into `name`; false behind the last one. */
bool store_attribute_name(store *, int variable, int place, char *name, size_t size);

#endif
