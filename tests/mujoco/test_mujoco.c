/*
 * Robots as detent imports them and as MuJoCo reads them: mass matrix, gravity forces and acceleration at random states. Contacts, limits, friction,
 * actuators and equalities are off, in both. Usage: test_mujoco FILE... of URDF or MJCF.
 */
#include "detent/analysis.h"
#include "detent/detent.h"
#include "detent/import.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double tolerance = 1e-9;
enum { STATES = 100 };

static void die(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

/* ---- the file as MuJoCo 2.2 can read it ---- */

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 22);
    if (!file || !text || fread(text, 1, (1 << 22) - 1, file) == 0) {
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
    char *result = calloc(1, 1 << 22), *out = result;
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

/* The text that both read; the caller's to free. */
static char *make_source(const char *path)
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

static mjModel *load_peer(const char *path, const char *text)
{
    char name[] = "/tmp/detent_XXXXXX.xml", message[1000] = "";
    const char *robot = strstr(text, "<robot");
    const int place = mkstemps(name, 4);
    FILE *file = place >= 0 ? fdopen(place, "w") : NULL;
    if (!file) {
        die(name, "cannot be written");
    }
    const char *head = robot ? strchr(robot, '>') + 1 : text;
    fprintf(file, "%.*s%s%s", (int)(head - text), text,
            robot ? "<mujoco><compiler balanceinertia=\"true\" fusestatic=\"false\"/></mujoco>"
                  : "",
            head);
    fclose(file);
    mjModel *model = mj_loadXML(name, NULL, message, sizeof message);
    remove(name);
    if (!model) {
        die(path, message);
    }
    model->opt.disableflags |=
        mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_ACTUATION | mjDSBL_EQUALITY;
    return model;
}

/* ---- both side by side ---- */

typedef struct pair {
    const char *path;
    mjModel *model;
    mjData *data;
    detent_mechanism *mechanism;
    detent_analysis *analysis;
    detent_simulation *simulation;
    size_t n, nq;
    int *dof; /* of MuJoCo, for each of ours */
    double *q, *v, *mine, *full;
} pair;

static void check(const pair *p, detent_status status, const detent_error *error)
{
    if (status) {
        die(p->path, error->message);
    }
}

static void open_pair(pair *p)
{
    detent_error error;
    detent_import_options options = DETENT_INIT(detent_import_options);
    detent_imported *imported;
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    size_t length;
    options.without = DETENT_IMPORT_LIMITS | DETENT_IMPORT_FRICTION | DETENT_IMPORT_ACTUATORS;
    options.balance = true;
    char *source = make_source(p->path);
    check(p, detent_import_text(source, strlen(source), p->path, &options, &imported, &error),
          &error);
    const char *text = detent_imported_text(imported, &length);
    check(p, detent_mechanism_parse(text, length, p->path, NULL, &p->mechanism, &error), &error);
    detent_imported_destroy(imported);
    check(p, detent_analysis_create(p->mechanism, NULL, &p->analysis, &error), &error);
    check(p, detent_simulation_create(p->mechanism, NULL, &p->simulation, &error), &error);
    detent_mechanism_get_info(p->mechanism, &info);
    p->n = info.freedoms;
    p->nq = info.coordinates;
    p->model = load_peer(p->path, source);
    free(source);
    p->data = mj_makeData(p->model);
    if ((size_t)p->model->nv != p->n) {
        die(p->path, "another number of freedoms");
    }
    p->dof = calloc(p->n, sizeof *p->dof);
    p->q = calloc(p->nq, sizeof *p->q);
    p->v = calloc(p->n, sizeof *p->v);
    p->mine = calloc(p->n * p->n, sizeof *p->mine);
    p->full = calloc(p->n * p->n, sizeof *p->full);
}

/* The joint of MuJoCo that a primitive is: NAME, or NAME.p1 ... of a free one. */
static int joint_of(const pair *p, const char *primitive)
{
    char name[200];
    snprintf(name, sizeof name, "%s", primitive);
    name[strcspn(name, ".")] = '\0';
    const int joint = mj_name2id(p->model, mjOBJ_JOINT, name);
    if (joint < 0) {
        die(name, "no such joint there");
    }
    return joint;
}

/* A random state in both, by the names of joints. */
static void set_state(pair *p)
{
    detent_primitive_info info = DETENT_INIT(detent_primitive_info);
    for (size_t i = 0; detent_get_primitive(p->mechanism, i, &info) == DETENT_OK; i++) {
        const int joint = joint_of(p, info.name);
        const char *dot = strchr(info.name, '.');
        const int number = dot && dot[1] == 'p' ? atoi(dot + 2) - 1 : dot ? 3 : 0;
        double size = 0;
        for (size_t k = 0; k < info.coordinates; k++) {
            p->q[info.first_coordinate + k] = 2 * drand48() - 1;
            size += pow(p->q[info.first_coordinate + k], 2);
        }
        for (size_t k = 0; k < info.coordinates; k++) {
            double *q = &p->q[info.first_coordinate + k];
            *q /= info.coordinates == 4 ? sqrt(size) : 1;
            p->data->qpos[p->model->jnt_qposadr[joint] + number + (int)k] = *q;
        }
        for (size_t k = 0; k < info.freedoms; k++) {
            const int dof = p->model->jnt_dofadr[joint] + number + (int)k;
            p->dof[info.first_freedom + k] = dof;
            p->data->qvel[dof] = p->v[info.first_freedom + k] = 2 * drand48() - 1;
        }
    }
}

/* The largest difference, beside the largest entry. */
static double apart(const pair *p, const double *mine, const double *theirs, size_t rows)
{
    double most = 0, size = 0;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < p->n; j++) {
            const double value = rows == 1 ? theirs[p->dof[j]]
                                           : theirs[(size_t)p->dof[i] * p->n + (size_t)p->dof[j]];
            size = fmax(size, fabs(value));
            most = fmax(most, fabs(mine[i * p->n + j] - value));
        }
    }
    return size > 0 ? most / size : most;
}

static void compare(pair *p, double worst[3])
{
    detent_error error;
    set_state(p);
    mj_forward(p->model, p->data);
    mj_fullM(p->model, p->full, p->data->qM);
    check(p, detent_analysis_set_state(p->analysis, 0, p->q, p->v, NULL, &error), &error);
    check(p, detent_mass_matrix(p->analysis, p->mine, &error), &error);
    worst[0] = fmax(worst[0], apart(p, p->mine, p->full, p->n));
    check(p, detent_set_state(p->simulation, 0, p->q, p->v, NULL, NULL, &error), &error);
    check(p, detent_read(p->simulation, DETENT_ACCELERATIONS, p->mine, p->n, &error), &error);
    worst[2] = fmax(worst[2], apart(p, p->mine, p->data->qacc, 1));
    memset(p->data->qvel, 0, p->n * sizeof(double));
    mj_forward(p->model, p->data);
    check(p, detent_gravity_forces(p->analysis, p->mine, &error), &error);
    worst[1] = fmax(worst[1], apart(p, p->mine, p->data->qfrc_bias, 1));
}

static bool run(const char *path)
{
    pair p = {.path = path};
    double worst[3] = {0};
    open_pair(&p);
    for (int k = 0; k < STATES; k++) {
        compare(&p, worst);
    }
    const bool good = worst[0] <= tolerance && worst[1] <= tolerance && worst[2] <= tolerance;
    printf("%s: %zu freedoms, %d states: mass matrix %.1e, gravity %.1e, acceleration %.1e%s\n",
           path, p.n, STATES, worst[0], worst[1], worst[2], good ? "" : ": too far apart");
    detent_simulation_destroy(p.simulation);
    detent_analysis_destroy(p.analysis);
    detent_mechanism_destroy(p.mechanism);
    mj_deleteData(p.data);
    mj_deleteModel(p.model);
    free(p.dof), free(p.q), free(p.v), free(p.mine), free(p.full);
    return good;
}

int main(int argc, char **argv)
{
    bool good = true;
    srand48(1);
    for (int k = 1; k < argc; k++) {
        if (access(argv[k], R_OK) != 0) {
            printf("%s: not here\n", argv[k]);
        } else {
            good = run(argv[k]) && good;
        }
    }
    return good ? 0 : 1;
}
