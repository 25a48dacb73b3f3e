/**
 * @file texts_of_memory.h
 * Mechanisms of test_out_of_memory.c.
 */
#ifndef TEXTS_OF_MEMORY_H
#define TEXTS_OF_MEMORY_H

/* All that a simulation may want memory for: both kinds of locking, laws that read forces and t and switch, a motion, a
 * rotation, loads, inputs. */
static const char everything[] =
    "detent: 1\n"
    "gravity: [0, \"-9.81*(1 + 0.1*sin(t))\", 0]\n"
    "inputs: {u: 0, w: 1}\n"
    "signals: {s: \"if(u > 1, sin(t), 0)\"}\n"
    "bodies:\n"
    "  ground: {shape: [{line: [[0, 0, 0], [1, 0, 0]], color: red, name: path}]}\n"
    "  a: {density: 2, shape: [{box: [1, 1, 1]}, {mesh: a.stl}]}\n"
    "  b: {mass: 1, center_of_mass: [0.1, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
    "  c: {mass: 1, inertia: [1, 2, 3]}\n"
    "  d: {mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  a: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], motion: 0.1*sin(t)}\n"
    "  b: {type: revolute, base: a, follower: b, spring: {stiffness: 2}}\n"
    "  c: {type: spherical, base: b, follower: c}\n"
    "  d: {type: cylindrical, base: ground, follower: d, axis: [0, 1, 0], primitives: {p1: "
    "{nominal: {position: "
    "1}}}}\n"
    "stiction:\n"
    "  b: {external: s, kinetic: 0.1*reaction_force(b), static: 0.2*reaction_force(b) + 0.1}\n"
    "  d.p1: {kinetic: 2, static: 3, locking: band, velocity_threshold: 1 mm/s, test: "
    "friction(d.p1)}\n"
    "  d.r1: {kinetic: 2, forward: -3, reverse: 2.5, external: \"w + max(0, sin(t))\"}\n"
    "loads: {push: {body: c, force: [u, 0, 1], torque: [0, \"abs(friction(b))\", 0], frame: "
    "body}}\n"
    "outputs: [s, normal_force(d.p1)]\n"
    "simulation: {end: 2}\n";

/* The same where locked joints may be welded, and laws only read what is theirs. */
static const char plain[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "inputs: {u: 0}\n"
    "parameters: {n: 12}\n"
    "chain:\n"
    "  count: n\n"
    "  bodies: {link: {mass: 0.3, center_of_mass: [0.1, 0, 0], inertia: [0, 0.001, 0.001]}}\n"
    "  joints:\n"
    "    hinge: {type: revolute, base: \"link[i-1]\", follower: \"link[i]\", "
    "at: {base: [0.2, 0, 0]}}\n"
    "  stiction: {hinge: {kinetic: 3, static: \"4 + 0.1*sin(t)\"}}\n"
    "  first: {joints: {hinge: {base: ground, at: null}}}\n"
    "loads: {push: {body: \"link[2]\", force: [u, \"3*sin(5*t)\", 0]}}\n"
    "simulation: {end: 4}\n";

/* A loop in which bearings rub by what they carry; a gear on it, states that lead to each other, a load that follows a reaction. */
static const char rubbing[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "  rod: {mass: 0.5, center_of_mass: [0.3, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
    "  slider: {mass: 1}\n"
    "  wheel: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "  block: {mass: 2}\n"
    "joints:\n"
    "  pivot: {type: revolute, base: ground, follower: crank, initial: {position: 0.5}}\n"
    "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]}}\n"
    "  slide: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0], initial: "
    "{position: 1}}\n"
    "  wrist: {type: revolute, base: slider, follower: rod, at: {follower: [0.8, 0, 0]}, closes: "
    "true}\n"
    "  wheel: {type: revolute, base: ground, follower: wheel}\n"
    "  rail: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}\n"
    "couplings: {mesh: {type: gear, joints: [pivot, wheel], ratio: -2}}\n"
    "states:\n"
    "  tense: {derivative: slack - tense, initial: 0, nominal: 1}\n"
    "  slack: {derivative: velocity(pivot) - slack + 0.1*tense, initial: 0, nominal: 1}\n"
    "stiction:\n"
    "  pivot: {external: 2*tense, kinetic: \"0.01 [m]*reaction_force(pivot)\", static: \"0.02 "
    "[m]*reaction_force(pivot)\"}\n"
    "  slide: {kinetic: 0.1*normal_force(slide), static: 0.2*normal_force(slide)}\n"
    "  wheel: {kinetic: 0.02, static: 0.03}\n"
    "  rail: {kinetic: 0.1*normal_force(rail), static: 0.2*normal_force(rail)}\n"
    "loads:\n"
    "  press: {body: block, force: [0, 0.1*reaction_force(rail), 0]}\n"
    "outputs: [force(pivot), tense]\n"
    "simulation: {end: 2}\n";

#endif
