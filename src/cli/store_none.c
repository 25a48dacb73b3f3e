/* Stores of a build without NetCDF: there are none. Nothing else is ever called where none was opened. */
#include "store.h"

#include "message.h"

detent_status store_available(detent_error *error)
{
    return report(error, DETENT_ERROR_ARGUMENT,
                  "this build of detent has no recording: it was made without NetCDF and zlib");
}

detent_status store_create(const char *path, store **place, detent_error *error)
{
    (void)path;
    *place = NULL;
    return store_available(error);
}

detent_status store_open(const char *path, store **place, detent_error *error)
{
    return store_create(path, place, error);
}
