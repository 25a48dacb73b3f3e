/**
 * @file motion_table.h
 * A motion of joints as a table, such as `detent run` writes: CSV with a head.
 *
 *   time,position(elbow),velocity(elbow),acceleration(elbow)
 *
 * The three columns of a joint go together; columns of other names are passed over. A spherical primitive has
 * position(J, w) to (J, z), velocity(J, x) to (J, z), and so on.
 */
#ifndef CLI_MOTION_TABLE_H
#define CLI_MOTION_TABLE_H

#include "detent/detent.h"

typedef struct motion_table {
    size_t rows, coordinates, freedoms;
    double *time;  /**< rows, s */
    double *q;     /**< rows x coordinates; NaN where there is no column */
    double *v, *a; /**< rows x freedoms; likewise */
    bool *given;   /**< freedoms: there are columns of it */
    size_t given_count;
} motion_table;

/**
 * Reads `path`, "-": standard input. DETENT_ERROR_SYNTAX with the place where it is not such a table, DETENT_ERROR_IO,
 * DETENT_ERROR_MEMORY. Free with motion_table_free() in any case.
 */
detent_status motion_table_read(motion_table *, const char *path, const detent_mechanism *,
                                detent_error *);
void motion_table_free(motion_table *);

#endif
