/* What is plotted of one run, whichever kind of file it is in. */
#include "plot_result.h"

#include "message.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool ends_in(const char *text, const char *ending)
{
    const size_t length = strlen(text), tail = strlen(ending);
    return length > tail && strcmp(text + length - tail, ending) == 0;
}

/* NAME of folder/NAME.nc; the caller's to free. */
static char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = plot_copy(slash ? slash + 1 : path), *dot = name ? strrchr(name, '.') : NULL;
    if (dot && dot != name) {
        *dot = '\0';
    }
    return name;
}

/* The one table in a directory; the caller's to free. */
static detent_status find_table(const char *directory, char **path, detent_error *error)
{
    DIR *list = opendir(directory);
    size_t found = 0;
    *path = NULL;
    if (!list) {
        return report(error, DETENT_ERROR_IO, "cannot read %s: %s", directory, strerror(errno));
    }
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;) {
        if (!ends_in(entry->d_name, ".csv") || ends_in(entry->d_name, ".events.csv") ||
            found++ > 0) {
            continue;
        }
        const size_t size = strlen(directory) + strlen(entry->d_name) + 2;
        *path = malloc(size);
        if (*path) {
            snprintf(*path, size, "%s/%s", directory, entry->d_name);
        }
    }
    closedir(list);
    if (found == 1) {
        return *path ? DETENT_OK : report(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    return report(error, DETENT_ERROR_IO, "%s has %zu tables of runs: say which NAME.csv",
                  directory, found);
}

detent_status plot_result_read(plot_result *r, const char *path, const char *const *outputs,
                               size_t count, detent_error *error)
{
    struct stat there;
    char *table = NULL;
    *r = (plot_result){0};
    detent_status status = DETENT_OK;
    if (stat(path, &there) == 0 && S_ISDIR(there.st_mode)) {
        status = find_table(path, &table, error);
    }
    const char *file = table ? table : path;
    if (!status) {
        r->name = name_of(file);
        status = r->name ? DETENT_OK : report(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    if (!status) {
        status = (ends_in(file, ".csv") ? plot_table_read : plot_record_read)(r, file, outputs,
                                                                              count, error);
    }
    free(table);
    return status;
}
