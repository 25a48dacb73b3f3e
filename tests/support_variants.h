/**
 * @file support_variants.h
 * The ways in which the engine can make one run: integrators, treatments of locked joints, linear solvers. Their results
 * have to agree.
 */
#ifndef SUPPORT_VARIANTS_H
#define SUPPORT_VARIANTS_H

#include "support_runs.h"

typedef struct variant {
    detent_integrator integrator;
    detent_locked_joints locked_joints;
    detent_linear_solver linear_solver;
} variant;

/** Every combination. */
enum { VARIANTS = 3 * 2 * 2 };
variant variant_at(size_t index);
/**
 * All of them: for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)). With DETENT_TEST_VARIANTS=few in the
 * environment (as under sanitizers, which are slow) only every fifth: two or three that have little in common, and in the next
 * loop other ones; with =half six of the twelve, in which every two choices meet, and in the next loop the others.
 */
size_t variant_first(void);
size_t variant_next(size_t index);
/** Whether the environment asks for few, and so for less of whatever takes long; for half of them. */
bool variants_are_few(void);
bool variants_are_half(void);
/** "erk, weld, tree"; in memory that the next but three call overwrites. */
const char *variant_name(variant v);
/** The settings of the mechanism in this variant. */
detent_settings variant_settings(const detent_mechanism *mechanism, variant v);
/** Starts a run in this variant; fails the test, naming it, where that cannot be done. */
detent_simulation *variant_start(const detent_mechanism *mechanism, variant v);
/** Advances through all events; fails the test, naming the variant, where the run ends before. */
void variant_advance(detent_simulation *simulation, variant v, double t);
/** Advances, and reads all outputs there. */
void variant_outputs(detent_simulation *simulation, variant v, double t, double *values,
                     size_t count);
/** Fails the test, naming the variant, where it is not so. */
void variant_near(variant v, double is, double should, double tolerance);
/** The same, naming what it is too. */
void variant_check(variant v, const char *what, double is, double should, double tolerance);

#endif
