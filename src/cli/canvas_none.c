/* PNG in a build without cairo. */
#include "canvas.h"

#include "message.h"

detent_status canvas_png_available(detent_error *error)
{
    return report(
        error, DETENT_ERROR_ARGUMENT,
        "this build of detent makes no PNG: it was made without cairo; SVG needs nothing");
}

detent_status canvas_png(FILE *stream, double width, double height, canvas *c, detent_error *error)
{
    (void)stream, (void)width, (void)height;
    *c = (canvas){0};
    return canvas_png_available(error);
}
