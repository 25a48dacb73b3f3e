/**
 * @file base.h
 * Status, errors, memory: what every call of detent has to do with.
 */
#ifndef DETENT_BASE_H
#define DETENT_BASE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef DETENT_API /* a program may say how it imports */
#if defined(__GNUC__) || defined(__clang__)
#define DETENT_API __attribute__((visibility("default")))
#else
#define DETENT_API
#endif
#endif

/** The version that a program is compiled against, as one number that grows: detent_version_number(). */
#define DETENT_VERSION_NUMBER(major, minor, patch) ((major)*1000000L + (minor)*1000L + (patch))

/**
 * Structs that may grow begin with `size`, what they take in the caller's compilation: a later library, in which they have become longer,
 * reads and writes no more than that, and what it does not read is the default. DETENT_INIT sets it, and all else to zero,
 * which is the default of every member that says nothing else:
 *
 *     detent_body_def body = DETENT_INIT(detent_body_def);
 *     body.mass = 2;
 *
 * In C that is {.size = sizeof(detent_body_def), .mass = 2}. An earlier library refuses what it does not know, unless that is zero. A
 * struct without `size` (detent_error, detent_allocator, detent_parameter) never changes. Members are only ever added at the end.
 */
#ifdef __cplusplus
#define DETENT_INIT(type) detent_sized<type>()
#else
#define DETENT_INIT(type)    \
    {                        \
        .size = sizeof(type) \
    }
#endif

/** What a call came to. Negative: an error. Zero and positive: an outcome. */
typedef enum detent_status {
    DETENT_OK = 0,                  /**< done; `advance` reached the time asked for */
    DETENT_EVENT = 1,               /**< `advance` stopped just after an event */
    DETENT_NO_CONSISTENT_STATE = 2, /**< no set of modes satisfies every joint; see the error */
    DETENT_EVENT_STORM = 3,         /**< more events per unit of time than the bound */
    DETENT_INTERRUPTED = 4,         /**< the caller's ::detent_interrupt asked for it */
    DETENT_ERROR_ARGUMENT = -1,     /**< a call was used wrongly */
    DETENT_ERROR_MEMORY = -2,       /**< an allocation failed */
    DETENT_ERROR_IO = -3,           /**< a file could not be read or written */
    DETENT_ERROR_SYNTAX = -4,       /**< not YAML, or not an expression */
    /** Well-formed, but not a mechanism: bad key, value, unit, name, topology. */
    DETENT_ERROR_MODEL = -5,
    DETENT_ERROR_NUMERIC = -6, /**< a number became non-finite, or a matrix singular */
    DETENT_ERROR_SOLVER = -7,  /**< the integrator could not proceed */
    DETENT_ERROR_FUNCTION = -8 /**< a function of the program failed: detent_add_function() */
} detent_status;

/** An error or an outcome in words. All strings are NUL-terminated, cut if too long. It never changes. */
typedef struct detent_error {
    detent_status status;
    /** One sentence: what is wrong, what was expected, the nearest known name. */
    char message[512];
    char detail[512]; /**< may be empty: the source line and a caret below the place */
    char file[256];   /**< empty where no file is concerned */
    int line;         /**< from 1; 0 where unknown */
    int column;       /**< from 1; 0 where unknown */
} detent_error;

/** Where memory comes from. `allocate` returns NULL when there is none. It never changes. */
typedef struct detent_allocator {
    void *(*allocate)(size_t size, void *context); /**< `size` bytes, aligned as by malloc() */
    void (*release)(void *memory, void *context);  /**< gives back what `allocate` gave */
    void *context;                                 /**< handed to both */
} detent_allocator;

/** What a mechanism file says: detent/mechanism.h. */
typedef struct detent_mechanism detent_mechanism;
/** A state of a mechanism, and an integrator: detent/simulation.h. */
typedef struct detent_simulation detent_simulation;

/** A status in a few words. */
DETENT_API const char *detent_status_text(detent_status);
/** "MAJOR.MINOR.PATCH" of the library. */
DETENT_API const char *detent_version(void);
/** The same as a DETENT_VERSION_NUMBER(): programs compiled against a lower one of the same major version go on to work. */
DETENT_API long detent_version_number(void);

#ifdef __cplusplus
}

/** A struct with its size, everything else zero: DETENT_INIT. */
template <typename sized> inline sized detent_sized()
{
    sized all = sized();
    all.size = sizeof(sized);
    return all;
}
#endif
#endif
