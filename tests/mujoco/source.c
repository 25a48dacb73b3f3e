/* Robot files as MuJoCo 2.2 can read them. */

#include "source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 22 };

void die(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, ROOM);
    if (!file || !text || fread(text, 1, ROOM - 1, file) == 0) {
        die(path, "cannot be read");
    }
    fclose(file);
    return text;
}

/* Takes out every attribute of that name. */
static void strip_attribute(char *text, const char *name)
{
    char begin[64];
    snprintf(begin, sizeof begin, " %s=\"", name);
    for (char *at = text; (at = strstr(at, begin)) != NULL;) {
        const char *to = strchr(at + strlen(begin), '"') + 1;
        memmove(at, to, strlen(to) + 1);
    }
}

/* Takes out every element of that name, with what is in it. */
static void strip(char *text, const char *name)
{
    char begin[64], end[64];
    snprintf(begin, sizeof begin, "<%s", name);
    snprintf(end, sizeof end, "</%s>", name);
    for (char *at = text; (at = strstr(at, begin)) != NULL;) {
        const char after = at[strlen(begin)];
        if (after != ' ' && after != '>' && after != '/' && after != '\n') {
            at += strlen(begin);
            continue;
        }
        char *tag = strchr(at, '>'), *to = tag && tag[-1] == '/' ? tag + 1 : strstr(at, end);
        to += to == tag + 1 ? 0 : strlen(end);
        memmove(at, to, strlen(to) + 1);
    }
}

extern void dsyev_(const char *jobs, const char *part, const int *n, double *matrix, const int *lda,
                   double *values, double *work, const int *work_size, int *info);

/* The number of an attribute between two places, as the first of several. */
static double number_in(const char *from, const char *to, const char *attribute)
{
    const char *at = strstr(from, attribute);
    return at && at < to ? strtod(at + strlen(attribute), NULL) : 0;
}

/*
 * Writes the inertias of links in their principal axes: MuJoCo 2.2 takes those of full tensors with an error of 1e-12 kg m^2, which is
 * 1e-8 of the entries of a mass matrix.
 */
static char *in_principal_axes(const char *text)
{
    char *result = calloc(1, ROOM), *out = result;
    const char *at = text, *next;
    while ((next = strstr(at, "<inertial>")) != NULL) {
        const char *end = strstr(next, "</inertial>");
        const char *xyz = strstr(next, "xyz=\""), *rpy = strstr(next, "rpy=\"");
        double I[9] = {number_in(next, end, "ixx=\""),
                       0,
                       0,
                       number_in(next, end, "ixy=\""),
                       number_in(next, end, "iyy=\""),
                       0,
                       number_in(next, end, "ixz=\""),
                       number_in(next, end, "iyz=\""),
                       number_in(next, end, "izz=\"")};
        double values[3], work[64], c[3] = {0};
        const int n = 3, size = 64;
        int info;
        double turn[3] = {0};
        if (rpy && rpy < end) {
            sscanf(rpy + 5, "%lf %lf %lf", &turn[0], &turn[1], &turn[2]);
        }
        if (turn[0] != 0 || turn[1] != 0 || turn[2] != 0) { /* as it is */
            out += sprintf(out, "%.*s", (int)(end - at), at);
            at = end;
            continue;
        }
        if (xyz && xyz < end) {
            sscanf(xyz + 5, "%lf %lf %lf", &c[0], &c[1], &c[2]);
        }
        dsyev_("V", "U", &n, I, &n, values, work, &size, &info);
        /* columns of R are those of I; right-handed */
        const double det = I[0] * (I[4] * I[8] - I[5] * I[7]) - I[1] * (I[3] * I[8] - I[5] * I[6]) +
                           I[2] * (I[3] * I[7] - I[4] * I[6]);
        for (int k = 0; k < 3 && det < 0; k++) {
            I[k] = -I[k];
        }
        out += sprintf(out,
                       "%.*s<inertial><origin xyz=\"%.17g %.17g %.17g\" rpy=\"%.17g %.17g %.17g\"/>"
                       "<mass value=\"%.17g\"/><inertia ixx=\"%.17g\" iyy=\"%.17g\" izz=\"%.17g\" "
                       "ixy=\"0\" ixz=\"0\" iyz=\"0\"/>",
                       (int)(next - at), at, c[0], c[1], c[2], atan2(I[5], I[8]),
                       atan2(-I[2], hypot(I[0], I[1])), atan2(I[1], I[0]),
                       number_in(next, end, "mass value=\""), values[0], values[1], values[2]);
        at = end;
    }
    strcpy(out, at);
    return result;
}

char *make_source(const char *path)
{
    char *text = read_text(path);
    if (!strstr(text, "<robot")) {
        strip_attribute(text, "dampratio"); /* not of 2.2 */
        strip_attribute(text, "kv");
        char *compiler = strstr(text, "<compiler ");
        if (compiler && !strstr(text, "autolimits")) { /* as newer versions have it by themselves */
            memmove(compiler + 28, compiler + 9, strlen(compiler + 9) + 1);
            memcpy(compiler + 9, " autolimits=\"true\" ", 19);
        }
        return text;
    }
    strip(text, "visual");
    strip(text, "collision");
    strip(text, "gazebo");
    strip(text, "transmission");
    char *source = in_principal_axes(text);
    free(text);
    return source;
}

static int put_vector(char *out, const char *attribute, int count, double scale)
{
    int length = sprintf(out, " %s=\"", attribute);
    for (int k = 0; k < count; k++) {
        length += sprintf(out + length, " %.17g", scale * (2 * drand48() - 1));
    }
    return length + sprintf(out + length, "\"");
}

char *make_chain(int links)
{
    char *text = calloc(1, ROOM), *out = text;
    out += sprintf(out, "<mujoco model=\"chain\"><compiler angle=\"radian\"/><worldbody>");
    for (int k = 0; k < links; k++) {
        out += sprintf(out, "<body name=\"link%d\"", k);
        out += put_vector(out, "pos", 3, 0.3);
        out += put_vector(out, "quat", 4, 1);
        out += sprintf(out, "><joint name=\"hinge%d\"", k);
        out += put_vector(out, "axis", 3, 1);
        out += put_vector(out, "pos", 3, 0.05);
        out += sprintf(out, "/><inertial mass=\"%.17g\"", 0.5 + drand48());
        out += put_vector(out, "pos", 3, 0.2);
        out += put_vector(out, "quat", 4, 1);
        out += sprintf(out, " diaginertia=\"%.17g %.17g %.17g\"/>", 0.01 + 0.01 * drand48(),
                       0.01 + 0.01 * drand48(), 0.01 + 0.01 * drand48());
    }
    for (int k = 0; k < links; k++) {
        out += sprintf(out, "</body>");
    }
    sprintf(out, "</worldbody></mujoco>");
    return text;
}
