/* Pictures as SVG. */
#include "canvas.h"

#include <string.h>

const char *canvas_character(const char **text, size_t *length)
{
    const unsigned char *c = (const unsigned char *)*text;
    const size_t wanted = *c < 0x80                 ? 1
                          : *c >= 0xC2 && *c < 0xE0 ? 2
                          : *c >= 0xE0 && *c < 0xF0 ? 3
                          : *c >= 0xF0 && *c < 0xF5 ? 4
                                                    : 0;
    size_t got = 1;
    if (*c == 0) {
        return NULL;
    }
    while (got < wanted && (c[got] & 0xC0) == 0x80) {
        got++;
    }
    const char *at = *text;
    const bool surrogate = *c == 0xED && got > 1 && c[1] >= 0xA0,
               overlong = (*c == 0xE0 && got > 1 && c[1] < 0xA0) ||
                          (*c == 0xF0 && got > 1 && c[1] < 0x90) ||
                          (*c == 0xF4 && got > 1 && c[1] >= 0x90);
    *text += got;
    *length = got;
    if (wanted == 0 || got < wanted || surrogate || overlong || *c < ' ' || *c == 0x7F) {
        *length = 1;
        return "?";
    }
    return at;
}

double canvas_text_width(const char *text, double size)
{
    size_t count = 0, length;
    while (canvas_character(&text, &length)) {
        count++;
    }
    return 0.58 * size * (double)count;
}

/* ---- the picture ---- */

static void rectangle(canvas *c, canvas_box b, unsigned fill, double opacity)
{
    fprintf(c->stream, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%06x\"",
            b.x, b.y, b.width, b.height, fill);
    if (opacity < 1) {
        fprintf(c->stream, " fill-opacity=\"%.2f\"", opacity);
    }
    fputs("/>\n", c->stream);
}

static void frame(canvas *c, canvas_box b, unsigned colour)
{
    fprintf(c->stream,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"none\" "
            "stroke=\"#%06x\"/>\n",
            b.x, b.y, b.width, b.height, colour);
}

static void line(canvas *c, const canvas_point *points, size_t count, unsigned colour, double width,
                 bool dashed)
{
    fputs("<path d=\"", c->stream);
    for (size_t k = 0; k < count; k++) {
        fprintf(c->stream, "%c%.2f %.2f", k > 0 ? 'L' : 'M', points[k].x, points[k].y);
    }
    fprintf(
        c->stream,
        "\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%.2f\" stroke-linejoin=\"round\"%s/>\n",
        colour, width, dashed ? " stroke-dasharray=\"6 4\"" : "");
}

static void text(canvas *c, double x, double y, canvas_anchor anchor, double size,
                 const char *words)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    fprintf(c->stream, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\" font-size=\"%.4g\">", x, y,
            anchors[anchor], size);
    size_t length;
    for (const char *at; (at = canvas_character(&words, &length)) != NULL;) {
        const char *named = *at == '&' ? "&amp;" : *at == '<' ? "&lt;" : *at == '>' ? "&gt;" : NULL;
        if (named) {
            fputs(named, c->stream);
        } else {
            fwrite(at, 1, length, c->stream);
        }
    }
    fputs("</text>\n", c->stream);
}

static void clip(canvas *c, canvas_box b)
{
    c->clips++;
    fprintf(c->stream,
            "<clipPath id=\"inside-%d\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
            "height=\"%.2f\"/></clipPath>\n<g clip-path=\"url(#inside-%d)\">\n",
            c->clips, b.x, b.y, b.width, b.height, c->clips);
}

static void unclip(canvas *c)
{
    fputs("</g>\n", c->stream);
}

static detent_status end(canvas *c, detent_error *error)
{
    (void)error; /* that of the stream */
    fputs("</svg>\n", c->stream);
    return DETENT_OK;
}

canvas canvas_svg(FILE *stream, double width, double height)
{
    static const canvas_way way = {rectangle, frame, line, text, clip, unclip, end};
    canvas c = {.way = &way, .width = width, .height = height, .stream = stream};
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.6g\" height=\"%.6g\" "
            "viewBox=\"0 0 %.6g %.6g\" font-family=\"sans-serif\">\n",
            width, height, width, height);
    rectangle(&c, (canvas_box){0, 0, width, height}, 0xffffff, 1);
    return c;
}

detent_status canvas_end(canvas *c, detent_error *error)
{
    return c->way ? c->way->end(c, error) : DETENT_OK;
}
