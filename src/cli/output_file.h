/**
 * @file output_file.h
 * A file that appears under its name only when it is finished.
 *
 * It is written as BASE.PID.partial.SUFFIX, next to where it will be. Then, one of
 *   publish  renames it to BASE.SUFFIX, which replaces what was there
 *   keep     renames it to BASE.partial.SUFFIX
 *   discard  removes it
 * Whatever goes wrong with the writing is remembered until output_file_close() says it. Should the program be killed
 * the name still tells what the file is.
 *
 * A device or a pipe is written as it stands: it has a path and no other name, and the three do nothing.
 */
#ifndef CLI_OUTPUT_FILE_H
#define CLI_OUTPUT_FILE_H

#include "detent/detent.h"

#include <stdio.h>

typedef struct output_file {
    FILE *stream;     /**< NULL: not open */
    char *path;       /**< BASE.SUFFIX; NULL: there is no such file */
    char *partial;    /**< BASE.partial.SUFFIX; NULL: a device */
    char *temporary;  /**< BASE.PID.partial.SUFFIX; NULL: a device */
    int error_number; /**< of the first failure; 0: none */
} output_file;

/** Opens a new file. An error is reported. */
detent_status output_file_open(output_file *, const char *base, const char *suffix, detent_error *);

/** The same, for somebody who writes `temporary` by its name: there is no stream. An error is reported. */
detent_status output_file_reserve(output_file *, const char *base, const char *suffix,
                                  detent_error *);

/** Whoever writes it by its name could not: a number of errno, 0: could. */
void output_file_note(output_file *, int reason);

/** Whether both paths lead to one file or folder that is there. */
bool output_file_is_same(const char *a, const char *b);

/** Whether a path is written as it stands: a device, a pipe, an open file by its number. */
bool output_file_is_device(const char *path);

/** Opens a device or a pipe that is there. An error is reported. */
detent_status output_file_open_device(output_file *, const char *path, detent_error *);

/** Whether a write failed so far: what is still in the buffer is not known. */
bool output_file_failed(output_file *);

/** Hands the buffer to the system. */
void output_file_flush(output_file *);

/** Writes what is left and closes. What is wrong with this file, now or earlier, is reported. */
detent_status output_file_close(output_file *, detent_error *);

/** After closing. An error is reported; the file is still the temporary one then. */
detent_status output_file_publish(output_file *, detent_error *);

/** After closing. What cannot be renamed keeps its temporary name: `partial` is the name in the end. */
void output_file_keep(output_file *);

/** Closes and removes. */
void output_file_discard(output_file *);

/**
 * What has been written with that status is closed, and published; removed where something was wrong before or is now. The first
 * thing that was.
 */
detent_status output_file_finish(output_file *, detent_status, detent_error *);

/** Gives the names back; after one of those above. */
void output_file_release(output_file *);

#endif
