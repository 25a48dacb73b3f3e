/* Rows: their memory, and how they are filled through the public interface. */
#include "support_invariants_parts.h"

#include "api/handle.h"
#include "dynamics/motion.h"
#include "model/mechanism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Rows ---- */

bool invariants_make_row(const detent_mechanism_info *info, invariants_row *row)
{
    const size_t nq = info->coordinates + 1, nv = info->freedoms + 1, ns = info->stictions + 1;
    row->q = calloc(nq, sizeof *row->q);
    row->v = calloc(nv, sizeof *row->v);
    row->a = calloc(nv, sizeof *row->a);
    row->force = calloc(nv, sizeof *row->force);
    row->f = calloc(ns, sizeof *row->f);
    row->margin = calloc(ns, sizeof *row->margin);
    row->load = calloc(ns, sizeof *row->load);
    row->mode = calloc(ns, sizeof *row->mode);
    row->direction = calloc(ns, sizeof *row->direction);
    return row->q && row->v && row->a && row->force && row->f && row->margin && row->load &&
           row->mode && row->direction;
}

void invariants_drop_row(invariants_row *row)
{
    free(row->q);
    free(row->v);
    free(row->a);
    free(row->force);
    free(row->f);
    free(row->margin);
    free(row->load);
    free(row->mode);
    free(row->direction);
}

/* ---- Reading ---- */

/** The greatest distance of two bodies' origins: the arm with which forces make torques. */
static double reach(const invariants *check, detent_simulation *simulation)
{
    double low[3] = {0}, high[3] = {0}, origin[3], rotation[4], square = 0;
    for (size_t b = 0; b < check->info.bodies; b++) {
        if (detent_get_pose(simulation, b, origin, rotation, NULL) != DETENT_OK) {
            return 0;
        }
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], origin[k]);
            high[k] = fmax(high[k], origin[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        square += (high[k] - low[k]) * (high[k] - low[k]);
    }
    return sqrt(square);
}

/** The sum of all accelerations of joints, as far as they move an end of the mechanism, m/s^2. */
static double accelerations(const invariants *check, const invariants_row *row, double arm)
{
    double sum = 0;
    for (size_t i = 0; i < check->info.primitives; i++) {
        detent_primitive_info p = DETENT_INIT(detent_primitive_info);
        detent_get_primitive(check->mechanism, i, &p);
        for (size_t k = 0; k < p.freedoms; k++) {
            sum += fabs(row->a[p.first_freedom + k]) * (strcmp(p.type, "prismatic") == 0 ? 1 : arm);
        }
    }
    return sum;
}

/**
 * What bodies that spin bring in about a point far away, and what cancels again: m w^2 r of each, w the sum of the rates
 * that turn it, N. It is known to some 256 eps, a 64th of what the judge forgives of the other forces.
 */
static double spinning(const invariants *check, const invariants_row *row, double arm)
{
    const dt_tree *tree = &check->mechanism->tree;
    double largest = 0;
    for (int i = 0; i < tree->node_count; i++) {
        double rate = 0;
        for (int j = i; j >= 0; j = tree->nodes[j].parent) {
            const dt_node *node = &tree->nodes[j];
            for (int k = 0; k < node->type->nv && node->type != &dt_prismatic; k++) {
                rate += fabs(row->v[node->v + k]);
            }
        }
        largest = fmax(largest, tree->nodes[i].body->mass * rate * rate);
    }
    return largest * arm / 64;
}

/** Those of the joint itself; a spring near its rest is a difference of two large ones. */
static double own_forces(const invariants *check, const invariants_row *row, size_t k)
{
    const detent_primitive_info *p = &check->primitive[k];
    const dt_primitive *spring =
        &check->mechanism->primitives[check->mechanism->stictions[k].primitive];
    return fabs(row->force[p->first_freedom]) + fabs(row->f[k]) +
           spring->stiffness * (fabs(row->q[p->first_coordinate]) + fabs(spring->rest));
}

/** The size of the forces whose sum is the friction of each joint: those of its own, and all that joints transmit. */
static void read_loads(const invariants *check, detent_simulation *simulation, invariants_row *row)
{
    double force = 0, torque = 0, wrench[6];
    for (size_t i = 0; i < check->info.primitives; i++) {
        if (detent_get_reaction(simulation, i, DETENT_REACTION_WORLD, false, wrench, NULL) ==
            DETENT_OK) {
            force = fmax(force, hypot(hypot(wrench[0], wrench[1]), wrench[2]));
            torque = fmax(torque, hypot(hypot(wrench[3], wrench[4]), wrench[5]));
        }
    }
    const double arm = reach(check, simulation);
    force += check->mass * accelerations(check, row, arm) + spinning(check, row, arm);
    torque += force * arm;
    for (size_t k = 0; k < check->info.stictions; k++) {
        const bool turns = strcmp(check->primitive[k].type, "revolute") == 0;
        row->load[k] = own_forces(check, row, k) + (turns ? torque : force);
    }
}

detent_status invariants_read(const invariants *check, detent_simulation *simulation, bool before,
                              invariants_row *row, detent_error *error)
{
    detent_status (*const read)(detent_simulation *, detent_quantity, double *, size_t,
                                detent_error *) = before ? detent_read_before : detent_read;
    const size_t nv = check->info.freedoms, ns = check->info.stictions;
    detent_status status =
        read(simulation, DETENT_POSITIONS, row->q, check->info.coordinates, error);
    status = status ? status : read(simulation, DETENT_VELOCITIES, row->v, nv, error);
    status = status ? status : read(simulation, DETENT_ACCELERATIONS, row->a, nv, error);
    status = status ? status : read(simulation, DETENT_FORCES, row->force, nv, error);
    status = status ? status : read(simulation, DETENT_FRICTIONS, row->f, ns, error);
    status = status ? status : read(simulation, DETENT_MODES, row->load, ns, error);
    for (size_t k = 0; k < ns && status == DETENT_OK; k++) {
        row->mode[k] = (int)row->load[k];
    }
    status = status ? status : read(simulation, DETENT_MARGINS, row->margin, ns, error);
    if (status != DETENT_OK) {
        return status;
    }
    dt_system *system;
    status = dt_handle_system(simulation, before, DT_LEVEL_STATE, &system, error);
    if (status != DETENT_OK) {
        return status;
    }
    row->kinetic_energy = dt_motion_kinetic_energy(system->tree, system->motion, system->v);
    row->time = detent_time(simulation);
    for (size_t k = 0; k < ns; k++) {
        int direction = 0;
        detent_get_mode(simulation, k, &direction);
        row->direction[k] = before ? check->direction[k] : direction;
        row->load[k] = own_forces(check, row, k);
    }
    if (!before) {
        read_loads(check, simulation, row);
        row->statistics.size = sizeof row->statistics;
        detent_get_statistics(simulation, &row->statistics);
    }
    return DETENT_OK;
}
