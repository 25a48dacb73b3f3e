#include "svg.h"

#include <math.h>

enum { WIDTH = 960, HEIGHT = 540, LEFT = 90, RIGHT = 190, TOP = 50, BOTTOM = 60, TICKS = 7 };

/* Told apart by eyes that see few colours, too (Okabe, Ito); a second round is dashed. */
static const char *const colours[] = {"#000000", "#0072b2", "#d55e00", "#009e73",
                                      "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f"};
enum { COLOURS = sizeof colours / sizeof *colours };

void svg_include(svg_box *box, double x, double y)
{
    if (!isfinite(x) || !isfinite(y)) {
        return;
    }
    const int empty = box->left > box->right;
    box->left = empty ? x : fmin(box->left, x);
    box->right = empty ? x : fmax(box->right, x);
    box->bottom = empty ? y : fmin(box->bottom, y);
    box->top = empty ? y : fmax(box->top, y);
}

/* ---- text ---- */

static void write_text(FILE *stream, const char *text)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        const char *named = c == '&'    ? "&amp;"
                            : c == '<'  ? "&lt;"
                            : c == '>'  ? "&gt;"
                            : c < ' '   ? " "
                            : c == 0x7f ? " "
                                        : NULL;
        if (named) {
            fputs(named, stream);
        } else {
            fputc(c, stream);
        }
    }
}

static void text_at(FILE *stream, double x, double y, const char *anchor, int size,
                    const char *text)
{
    fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\">", x, y,
            anchor, size);
    write_text(stream, text);
    fputs("</text>\n", stream);
}

/* ---- axes ---- */

static double place_x(const svg_plot *p, double x)
{
    return LEFT + (x - p->box.left) / (p->box.right - p->box.left) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const svg_plot *p, double y)
{
    return HEIGHT - BOTTOM -
           (y - p->box.bottom) / (p->box.top - p->box.bottom) * (HEIGHT - TOP - BOTTOM);
}

/* Between two ticks: 1, 2 or 5 times a power of ten. */
static double tick_step(double low, double high)
{
    const double rough = (high - low) / TICKS, power = pow(10, floor(log10(rough)));
    const double part = rough / power;
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

static void tick_text(char text[32], double value, double step)
{
    snprintf(text, 32, "%.6g", fabs(value) < 1e-6 * step ? 0 : value);
}

static void draw_ticks(const svg_plot *p)
{
    char text[32];
    const double across = tick_step(p->box.left, p->box.right),
                 up = tick_step(p->box.bottom, p->box.top);
    for (double k = ceil(p->box.left / across - 1e-9); k * across <= p->box.right + 1e-9 * across;
         k++) {
        const double x = place_x(p, k * across);
        fprintf(p->stream,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#dddddd\"/>\n", x, TOP,
                x, HEIGHT - BOTTOM);
        tick_text(text, k * across, across);
        text_at(p->stream, x, HEIGHT - BOTTOM + 18, "middle", 12, text);
    }
    for (double k = ceil(p->box.bottom / up - 1e-9); k * up <= p->box.top + 1e-9 * up; k++) {
        const double y = place_y(p, k * up);
        fprintf(p->stream,
                "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>\n", LEFT, y,
                WIDTH - RIGHT, y);
        tick_text(text, k * up, up);
        text_at(p->stream, LEFT - 6, y + 4, "end", 12, text);
    }
}

/* Some room around what is to be seen, and some where that is a line or a point. */
static svg_box widen(svg_box box)
{
    const double across = box.right - box.left, up = box.top - box.bottom;
    const double x = across > 0 ? 0 : fmax(1e-3 * fabs(box.left), 1e-12),
                 y = up > 1e-12 * fabs(box.top) ? 0.04 * up : fmax(1e-3 * fabs(box.top), 1e-12);
    return (svg_box){box.left - x, box.right + x, box.bottom - y, box.top + y};
}

svg_plot svg_begin(FILE *stream, const char *title, const char *x_label, const char *y_label,
                   svg_box box)
{
    if (box.left > box.right) {
        box = (svg_box){0, 1, 0, 1};
    }
    const svg_plot plot = {.stream = stream, .box = widen(box)};
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
            "%d\" "
            "font-family=\"sans-serif\">\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT);
    text_at(stream, LEFT, TOP - 20, "start", 16, title);
    text_at(stream, LEFT + (WIDTH - LEFT - RIGHT) / 2.0, HEIGHT - 18, "middle", 13, x_label);
    fprintf(stream, "<g transform=\"translate(20 %d) rotate(-90)\">",
            TOP + (HEIGHT - TOP - BOTTOM) / 2);
    text_at(stream, 0, 0, "middle", 13, y_label);
    fputs("</g>\n", stream);
    draw_ticks(&plot);
    fprintf(
        stream,
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#444444\"/>\n"
        "<clipPath id=\"inside\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/></clipPath>\n",
        LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM, LEFT, TOP, WIDTH - LEFT - RIGHT,
        HEIGHT - TOP - BOTTOM);
    return plot;
}

/* ---- lines ---- */

static void draw_points(const svg_plot *p, const double *x, const double *y, size_t count)
{
    double last_x = NAN, last_y = NAN;
    int begun = 0;
    for (size_t k = 0; k < count; k++) {
        const double px = place_x(p, x[k]), py = place_y(p, y[k]);
        if (!isfinite(px) || !isfinite(py)) {
            begun = 0;
            continue;
        }
        /* points nearer than can be seen are left out, but for the last one */
        if (begun && k + 1 < count && fabs(px - last_x) + fabs(py - last_y) < 0.2) {
            continue;
        }
        fprintf(p->stream, "%c%.2f %.2f", begun ? 'L' : 'M', px, py);
        begun = 1;
        last_x = px;
        last_y = py;
    }
}

void svg_line(svg_plot *p, const char *name, const double *x, const double *y, size_t count)
{
    const char *colour = colours[p->lines % COLOURS],
               *dashes = p->lines < COLOURS ? "" : " stroke-dasharray=\"6 4\"";
    const double legend = TOP + 12 + 20.0 * (double)p->lines;
    fputs("<path clip-path=\"url(#inside)\" d=\"", p->stream);
    draw_points(p, x, y, count);
    fprintf(p->stream, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"%s/>\n", colour, dashes);
    fprintf(
        p->stream,
        "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"2\"%s/>\n",
        WIDTH - RIGHT + 14, legend, WIDTH - RIGHT + 44, legend, colour, dashes);
    text_at(p->stream, WIDTH - RIGHT + 52, legend + 4, "start", 12, name);
    p->lines++;
}

void svg_end(svg_plot *p)
{
    fputs("</svg>\n", p->stream);
}
