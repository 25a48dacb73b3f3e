/*
 * Robots as detent imports them and as MuJoCo reads them, and chains of hinges: mass matrix, gravity and bias forces, inverse dynamics, Jacobians,
 * and accelerations with the forces of actuators, at random states. Contacts, limits, friction and equalities are off, in both.
 * Usage: test_mujoco FILE... of URDF or MJCF.
 */
#include "detent/analysis.h"
#include "detent/detent.h"
#include "detent/import.h"

#include "source.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double tolerance = 1e-9;
enum { STATES = 100 };

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
        mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_CLAMPCTRL | mjDSBL_EQUALITY;
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
    double *q, *v, *a, *mine, *full;
} pair;

/* What is compared, and how far apart it was. */
typedef enum quantity { MASS, GRAVITY, BIAS, INVERSE, JACOBIAN, ACCELERATION, QUANTITIES } quantity;

static const char *const quantity_name[QUANTITIES] = {
    "mass matrix", "gravity", "bias", "inverse dynamics", "Jacobian", "acceleration"};

static void check(const pair *p, detent_status status, const detent_error *error)
{
    if (status) {
        die(p->path, error->message);
    }
}

/* `source` is freed. */
static void open_pair(pair *p, char *source)
{
    detent_error error;
    detent_import_options options = DETENT_INIT(detent_import_options);
    detent_imported *imported;
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    size_t length;
    options.without = DETENT_IMPORT_LIMITS | DETENT_IMPORT_FRICTION;
    options.balance = true;
    p->model = load_peer(p->path, source);
    options.keyframe = p->model->nkey > 0 ? mj_id2name(p->model, mjOBJ_KEY, 0) : NULL;
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
    free(source);
    p->data = mj_makeData(p->model);
    if ((size_t)p->model->nv != p->n) {
        die(p->path, "another number of freedoms");
    }
    p->dof = calloc(p->n, sizeof *p->dof);
    p->q = calloc(p->nq, sizeof *p->q);
    p->v = calloc(p->n, sizeof *p->v);
    p->a = calloc(p->n, sizeof *p->a);
    p->mine = calloc((p->n + 6) * p->n, sizeof *p->mine);
    p->full = calloc((p->n + 6) * p->n, sizeof *p->full);
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

/* The number of a primitive among those of its joint. */
static int number_of(const char *primitive)
{
    const char *dot = strchr(primitive, '.');
    return dot && dot[1] == 'p' ? atoi(dot + 2) - 1 : dot ? 3 : 0;
}

/* Where there is a keyframe, both start with the first one. */
static void compare_start(pair *p)
{
    detent_error error;
    detent_primitive_info info = DETENT_INIT(detent_primitive_info);
    check(p, detent_read(p->simulation, DETENT_POSITIONS, p->q, p->nq, &error), &error);
    for (size_t i = 0; p->model->nkey > 0 && !detent_get_primitive(p->mechanism, i, &info); i++) {
        const int place = p->model->jnt_qposadr[joint_of(p, info.name)] + number_of(info.name);
        for (size_t k = 0; k < info.coordinates; k++) {
            if (fabs(p->q[info.first_coordinate + k] - p->model->key_qpos[place + (int)k]) >
                1e-15) {
                die(p->path, "another start");
            }
        }
    }
}

/* A random state in both, by the names of joints. */
static void set_state(pair *p)
{
    detent_primitive_info info = DETENT_INIT(detent_primitive_info);
    for (size_t i = 0; detent_get_primitive(p->mechanism, i, &info) == DETENT_OK; i++) {
        const int joint = joint_of(p, info.name);
        const int number = number_of(info.name);
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

/* Inputs of both, by the names of actuators. */
static void set_inputs(pair *p)
{
    detent_error error;
    for (size_t k = 0; k < detent_count(p->mechanism, DETENT_INPUT); k++) {
        const int actuator =
            mj_name2id(p->model, mjOBJ_ACTUATOR, detent_name(p->mechanism, DETENT_INPUT, k));
        if (actuator >= 0) { /* those without a name stand at zero */
            const double value = 2 * drand48() - 1;
            p->data->ctrl[actuator] = value;
            check(p, detent_set_input(p->simulation, k, value, &error), &error);
        }
    }
}

/* The largest difference, beside the largest entry. Columns of theirs are by dof; rows too, where they are square. */
static double apart(const pair *p, const double *mine, const double *theirs, size_t rows)
{
    double most = 0, size = 0;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < p->n; j++) {
            const size_t row = rows == p->n && rows > 1 ? (size_t)p->dof[i] : i;
            const double value = theirs[row * p->n + (size_t)p->dof[j]];
            size = fmax(size, fabs(value));
            most = fmax(most, fabs(mine[i * p->n + j] - value));
        }
    }
    return size > 0 ? most / size : most;
}

static void keep(double *worst, double value)
{
    *worst = fmax(*worst, isnan(value) ? INFINITY : value);
}

/* Of all bodies that have a name in both. */
static double compare_jacobians(pair *p)
{
    static const double origin[3] = {0};
    detent_error error;
    double worst = 0;
    for (size_t k = 0; k < detent_count(p->mechanism, DETENT_BODY); k++) {
        const int body =
            mj_name2id(p->model, mjOBJ_BODY, detent_name(p->mechanism, DETENT_BODY, k));
        if (body > 0) {
            mj_jacBody(p->model, p->data, p->full, p->full + 3 * p->n, body);
            check(p, detent_body_jacobian(p->analysis, k, origin, p->mine, &error), &error);
            /* metres and numbers without a unit: each beside its own kind */
            keep(&worst, apart(p, p->mine, p->full, 3));
            keep(&worst, apart(p, p->mine + 3 * p->n, p->full + 3 * p->n, 3));
        }
    }
    return worst;
}

static void compare(pair *p, double worst[QUANTITIES])
{
    detent_error error;
    set_state(p);
    set_inputs(p);
    mj_forward(p->model, p->data);
    mj_fullM(p->model, p->full, p->data->qM);
    check(p, detent_analysis_set_state(p->analysis, 0, p->q, p->v, NULL, &error), &error);
    check(p, detent_mass_matrix(p->analysis, p->mine, &error), &error);
    keep(&worst[MASS], apart(p, p->mine, p->full, p->n));
    check(p, detent_bias_forces(p->analysis, p->mine, &error), &error);
    keep(&worst[BIAS], apart(p, p->mine, p->data->qfrc_bias, 1));
    check(p, detent_set_state(p->simulation, 0, p->q, p->v, NULL, NULL, &error), &error);
    check(p, detent_read(p->simulation, DETENT_ACCELERATIONS, p->mine, p->n, &error), &error);
    keep(&worst[ACCELERATION], apart(p, p->mine, p->data->qacc, 1));
    keep(&worst[JACOBIAN], compare_jacobians(p));
    for (size_t k = 0; k < p->n; k++) {
        p->data->qacc[p->dof[k]] = p->a[k] = 2 * drand48() - 1;
    }
    mj_rne(p->model, p->data, 1, p->full); /* without armatures */
    for (size_t k = 0; k < p->n; k++) {
        p->full[k] += p->model->dof_armature[k] * p->data->qacc[k];
    }
    check(p, detent_inverse_dynamics(p->analysis, p->a, p->mine, &error), &error);
    keep(&worst[INVERSE], apart(p, p->mine, p->full, 1));
    memset(p->data->qvel, 0, p->n * sizeof(double));
    mj_forward(p->model, p->data);
    check(p, detent_gravity_forces(p->analysis, p->mine, &error), &error);
    keep(&worst[GRAVITY], apart(p, p->mine, p->data->qfrc_bias, 1));
}

/* `source` is freed. */
static bool run(const char *path, char *source)
{
    pair p = {.path = path};
    double worst[QUANTITIES] = {0};
    bool good = true;
    open_pair(&p, source);
    compare_start(&p);
    for (int k = 0; k < STATES; k++) {
        compare(&p, worst);
    }
    printf("%s: %zu freedoms, %zu inputs, %d states:", path, p.n,
           detent_count(p.mechanism, DETENT_INPUT), STATES);
    for (int k = 0; k < QUANTITIES; k++) {
        good = good && worst[k] <= tolerance;
        printf("%s %s %.1e%s", k ? "," : "", quantity_name[k], worst[k],
               worst[k] <= tolerance ? "" : " (too far)");
    }
    printf("\n");
    detent_simulation_destroy(p.simulation);
    detent_analysis_destroy(p.analysis);
    detent_mechanism_destroy(p.mechanism);
    mj_deleteData(p.data);
    mj_deleteModel(p.model);
    free(p.dof), free(p.q), free(p.v), free(p.a), free(p.mine), free(p.full);
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
            good = run(argv[k], make_source(argv[k])) && good;
        }
    }
    good = run("a chain of 10", make_chain(10)) && good;
    good = run("a chain of 30", make_chain(30)) && good;
    return good ? 0 : 1;
}
