#include "figure.h"

#include "figure_scale.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Told apart by eyes that see few colours, too (Okabe, Ito); a second round is dashed. */
static const unsigned colours[] = {0x000000, 0x0072b2, 0xd55e00, 0x009e73,
                                   0xcc79a7, 0xe69f00, 0x56b4e9, 0x7f7f7f};
enum { COLOURS = sizeof colours / sizeof *colours, LABEL = 192 };
/* By mode: from dark to light, so that grey tells them, too. */
static const unsigned mode_colours[] = {0x31688e, 0xf0c808, 0xe8e8e8};
static const char *const mode_words[] = {"locked", "wait", "unlocked"};
static const unsigned grid = 0xdddddd, edge = 0x444444, event_colour = 0xbb9999;

static const double panel_height = 190, least_panel = 24, least_width = 60;

/* Where things are. */
typedef struct figure_layout {
    double left, right, top; /* of panels */
    double panel, gap;       /* height of one; between two */
    double lane;             /* height of one, with the gap below */
    double lanes, axis;      /* y: where lanes begin; of the axis of time */
} figure_layout;

/* Rows of the legend, given the room. */
static size_t legend_rows(const figure *f, double room)
{
    size_t rows = f->name_count > 1;
    double x = 0;
    for (size_t k = 0; k < f->name_count && f->name_count > 1; k++) {
        const double width = canvas_text_width(f->names[k], f->font) + 4 * f->font;
        if (x > 0 && x + width > room) {
            rows++;
            x = 0;
        }
        x += width;
    }
    return rows;
}

static double left_of(const figure *f)
{
    double left = 6 * f->font;
    for (size_t k = 0; k < f->lane_count; k++) {
        left = fmax(left, canvas_text_width(f->lanes[k].name, f->font) + f->font);
    }
    return fmin(left, 16 * f->font);
}

static figure_layout lay_out(const figure *f, double width, double height)
{
    figure_layout l = {.left = left_of(f), .right = width - 2 * f->font, .gap = 2.2 * f->font};
    const double head =
        (f->title ? 2.2 : 0.6) * f->font + 1.5 * f->font * (double)legend_rows(f, l.right - l.left);
    l.top = head + 1.5 * f->font;
    l.lane = 1.6 * f->font;
    const double lanes = f->lane_count > 0 ? l.lane * (double)f->lane_count + 2 * f->font : 0;
    const double foot = 3.4 * f->font + (f->lane_count > 0 ? 1.6 * f->font : 0);
    const double room = height - l.top - lanes - foot,
                 count = f->panel_count > 0 ? (double)f->panel_count : 1;
    l.panel = (room - (count - 1) * l.gap) / count;
    l.lanes = height - foot - lanes + 1 * f->font;
    l.axis = height - foot;
    return l;
}

bool figure_fits(const figure *f, double width, double height)
{
    const figure_layout l = lay_out(f, width, height);
    return l.panel >= least_panel && l.right - l.left >= least_width;
}

double figure_height(const figure *f)
{
    const figure_layout l = lay_out(f, 960, 0);
    const double count = (double)f->panel_count;
    return ceil(count * panel_height - count * l.panel);
}

/* ---- lines ---- */

/* What is in one column of pixels is drawn by its first, lowest, highest and last point. */
typedef struct figure_column {
    double x;
    canvas_point first, low, high, last;
    bool any;
} figure_column;

static size_t put_column(canvas_point *points, size_t count, const figure_column *c)
{
    const bool low_first = c->low.x <= c->high.x;
    const canvas_point four[] = {c->first, low_first ? c->low : c->high,
                                 low_first ? c->high : c->low, c->last};
    for (int k = 0; k < 4; k++) {
        if (count == 0 || points[count - 1].x != four[k].x || points[count - 1].y != four[k].y) {
            points[count++] = four[k];
        }
    }
    return count;
}

static void add_point(figure_column *c, canvas_point p)
{
    c->first = c->any ? c->first : p;
    c->low = c->any && c->low.y <= p.y ? c->low : p;
    c->high = c->any && c->high.y >= p.y ? c->high : p;
    c->last = p;
    c->any = true;
}

static double place(const figure_scale *s, double value, double from, double to)
{
    return from + (value - s->low) / (s->high - s->low) * (to - from);
}

/* `points`: work space, 4 a column and more. */
static void draw_line(canvas *c, const figure_line *line, size_t number, const figure_scale *x,
                      const figure_scale *y, canvas_box box, canvas_point *points)
{
    const unsigned colour = colours[number % COLOURS];
    const bool dashed = number >= COLOURS;
    size_t count = 0;
    figure_column column = {.any = false};
    for (size_t k = 0; k <= line->count; k++) {
        const bool is_point = k < line->count && isfinite(line->x[k]) && isfinite(line->y[k]);
        const canvas_point p = is_point
                                   ? (canvas_point){place(x, line->x[k], box.x, box.x + box.width),
                                                    place(y, line->y[k], box.y + box.height, box.y)}
                                   : (canvas_point){0, 0};
        const double at = floor(2 * p.x);
        if (column.any && (!is_point || at != column.x)) {
            count = put_column(points, count, &column);
            column.any = false;
        }
        if (!is_point || count + 8 > 8 * (size_t)c->width + 64) {
            if (count > 0) {
                c->way->line(c, points, count, colour, 1.5, dashed);
            }
            if (is_point && count > 0) {
                points[0] = points[count - 1];
                count = 1;
            } else {
                count = 0;
            }
        }
        if (is_point) {
            column.x = at;
            add_point(&column, p);
        }
    }
}

/* ---- panels ---- */

/* "name (10^6 N)" */
static void label_of(const figure_panel *p, const figure_scale *s, char label[LABEL])
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const bool has_unit = p->unit && *p->unit;
    char power[64] = "";
    if (s->power != 0) {
        char number[16];
        snprintf(number, sizeof number, "%d", abs(s->power));
        snprintf(power, sizeof power, "10%s", s->power < 0 ? "⁻" : "");
        for (const char *c = number; *c; c++) {
            strncat(power, digits[*c - '0'], sizeof power - strlen(power) - 1);
        }
    }
    if (has_unit || *power) {
        snprintf(label, LABEL, "%s (%s%s%s)", p->name, power, has_unit && *power ? " " : "",
                 has_unit ? p->unit : "");
    } else {
        snprintf(label, LABEL, "%s", p->name);
    }
}

static void draw_events(const figure *f, canvas *c, const figure_scale *x, canvas_box box)
{
    double last = -INFINITY;
    for (size_t k = 0; k < f->event_count; k++) {
        const double at = place(x, f->events[k], box.x, box.x + box.width);
        if (at - last < 2 || at < box.x || at > box.x + box.width) {
            continue; /* nearer than can be seen */
        }
        const canvas_point points[] = {{at, box.y}, {at, box.y + box.height}};
        c->way->line(c, points, 2, event_colour, 0.6, false);
        last = at;
    }
}

static void draw_grid_x(const figure *f, canvas *c, const figure_scale *x, canvas_box box,
                        bool numbers)
{
    char text[TICK_TEXT];
    for (double k = figure_scale_first(x); k * x->step <= x->high + 1e-9 * x->step; k++) {
        const double at = place(x, k * x->step, box.x, box.x + box.width);
        const canvas_point points[] = {{at, box.y}, {at, box.y + box.height}};
        c->way->line(c, points, 2, grid, 1, false);
        if (numbers) {
            figure_scale_text(x, k, text);
            c->way->text(c, at, box.y + box.height + 1.3 * f->font, ANCHOR_MIDDLE, f->font, text);
        }
    }
}

static void draw_grid_y(const figure *f, canvas *c, const figure_scale *y, canvas_box box)
{
    char text[TICK_TEXT];
    for (double k = figure_scale_first(y); k * y->step <= y->high + 1e-9 * y->step; k++) {
        const double at = place(y, k * y->step, box.y + box.height, box.y);
        const canvas_point points[] = {{box.x, at}, {box.x + box.width, at}};
        c->way->line(c, points, 2, grid, 1, false);
        figure_scale_text(y, k, text);
        c->way->text(c, box.x - 0.5 * f->font, at + 0.35 * f->font, ANCHOR_END, f->font, text);
    }
}

static void draw_panel(const figure *f, canvas *c, const figure_panel *p, const figure_scale *x,
                       canvas_box box, bool is_last, canvas_point *points)
{
    char label[LABEL];
    figure_scale y = {1, 0, 0, 0};
    for (size_t k = 0; k < p->count; k++) {
        for (size_t i = 0; i < p->lines[k].count; i++) {
            figure_scale_include(&y, p->lines[k].y[i]);
        }
    }
    figure_scale_settle(&y, fmin(box.height / (2.6 * f->font), 8), 0.05);
    label_of(p, &y, label);
    draw_grid_x(f, c, x, box, is_last);
    draw_grid_y(f, c, &y, box);
    draw_events(f, c, x, box);
    c->way->clip(c, box);
    for (size_t k = 0; k < p->count; k++) {
        draw_line(c, &p->lines[k], k, x, &y, box, points);
    }
    c->way->unclip(c);
    c->way->frame(c, box, edge);
    c->way->text(c, box.x, box.y - 0.45 * f->font, ANCHOR_START, f->font, label);
}

/* ---- lanes ---- */

static void draw_lane(const figure *f, canvas *c, const figure_lane *lane, const figure_scale *x,
                      canvas_box box)
{
    for (size_t k = 0; k < lane->count; k++) {
        const figure_band *b = &lane->bands[k];
        const double from = fmax(place(x, b->from, box.x, box.x + box.width), box.x),
                     to = fmin(place(x, b->to, box.x, box.x + box.width), box.x + box.width);
        if (to > from) { /* what is shorter than half a pixel is seen all the same */
            c->way->rectangle(c, (canvas_box){from, box.y, fmax(to - from, 0.5), box.height},
                              mode_colours[b->mode], 1);
        }
    }
    c->way->frame(c, box, edge);
    c->way->text(c, box.x - 0.5 * f->font, box.y + 0.5 * box.height + 0.35 * f->font, ANCHOR_END,
                 f->font, lane->name);
}

static void draw_mode_key(const figure *f, canvas *c, const figure_layout *l)
{
    double at = l->left;
    for (int k = 0; k < 3; k++) {
        const canvas_box box = {at, l->axis + 3 * f->font, f->font, f->font};
        c->way->rectangle(c, box, mode_colours[k], 1);
        c->way->frame(c, box, edge);
        c->way->text(c, at + 1.4 * f->font, box.y + 0.85 * f->font, ANCHOR_START, f->font,
                     mode_words[k]);
        at += canvas_text_width(mode_words[k], f->font) + 3 * f->font;
    }
}

/* ---- the whole ---- */

static void draw_legend(const figure *f, canvas *c, const figure_layout *l)
{
    double x = l->left, y = (f->title ? 3.2 : 1.6) * f->font;
    for (size_t k = 0; k < f->name_count && f->name_count > 1; k++) {
        const double width = canvas_text_width(f->names[k], f->font) + 4 * f->font;
        if (x > l->left && x + width > l->right) {
            x = l->left;
            y += 1.5 * f->font;
        }
        const canvas_point points[] = {{x, y - 0.35 * f->font},
                                       {x + 2 * f->font, y - 0.35 * f->font}};
        c->way->line(c, points, 2, colours[k % COLOURS], 2, k >= COLOURS);
        c->way->text(c, x + 2.4 * f->font, y, ANCHOR_START, f->font, f->names[k]);
        x += width;
    }
}

static figure_scale time_scale(const figure *f, const figure_layout *l)
{
    figure_scale x = {1, 0, 0, 0};
    for (size_t k = 0; k < f->panel_count; k++) {
        for (size_t i = 0; i < f->panels[k].count; i++) {
            for (size_t j = 0; j < f->panels[k].lines[i].count; j++) {
                figure_scale_include(&x, f->panels[k].lines[i].x[j]);
            }
        }
    }
    figure_scale_settle(&x, fmin((l->right - l->left) / (5 * f->font), 12), 0);
    return x;
}

bool figure_draw(const figure *f, canvas *c)
{
    const figure_layout l = lay_out(f, c->width, c->height);
    canvas_point *points = malloc((8 * (size_t)c->width + 80) * sizeof *points);
    char label[LABEL];
    if (!points) {
        return false;
    }
    const figure_scale x = time_scale(f, &l);
    if (f->title) {
        c->way->text(c, l.left, 1.6 * f->font, ANCHOR_START, 1.25 * f->font, f->title);
    }
    draw_legend(f, c, &l);
    for (size_t k = 0; k < f->panel_count; k++) {
        const canvas_box box = {l.left, l.top + (double)k * (l.panel + l.gap), l.right - l.left,
                                l.panel};
        draw_panel(f, c, &f->panels[k], &x, box, k + 1 == f->panel_count && f->lane_count == 0,
                   points);
    }
    for (size_t k = 0; k < f->lane_count; k++) {
        const canvas_box box = {l.left, l.lanes + l.lane * (double)k, l.right - l.left,
                                0.75 * l.lane};
        draw_lane(f, c, &f->lanes[k], &x, box);
    }
    if (f->lane_count > 0) {
        const canvas_box all = {l.left, l.lanes, l.right - l.left, l.axis - l.lanes};
        char text[TICK_TEXT];
        for (double k = figure_scale_first(&x); k * x.step <= x.high + 1e-9 * x.step; k++) {
            figure_scale_text(&x, k, text);
            c->way->text(c, place(&x, k * x.step, all.x, all.x + all.width), l.axis + f->font / 2,
                         ANCHOR_MIDDLE, f->font, text);
        }
        draw_mode_key(f, c, &l);
    }
    label_of(&(figure_panel){.name = "time", .unit = "s"}, &x, label);
    c->way->text(c, (l.left + l.right) / 2, l.axis + (f->lane_count > 0 ? 2.1 : 2.8) * f->font,
                 ANCHOR_MIDDLE, f->font, label);
    free(points);
    return true;
}
