/**
 * @file scales_loops.h
 * Those of test_scales.c with loops and couplings.
 */
#ifndef DETENT_TESTS_SCALES_LOOPS_H
#define DETENT_TESTS_SCALES_LOOPS_H

#include "scales.h"

static const scaled loops[] = {
    {"slider-crank",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies:\n"
     "  crank: {mass: M, center_of_mass: [0.15*L, 0, 0], inertia: [0, 0.1*J, 0.1*J]}\n"
     "  rod: {mass: 0.5*M, center_of_mass: [0.35*L, 0, 0], inertia: [0, 0.1*J, 0.1*J]}\n"
     "  slider: {mass: M, inertia: [0.01*J, 0.01*J, 0.01*J]}\n"
     "joints:\n"
     "  crank: {type: revolute, base: ground, follower: crank, initial: {position: 1, velocity: "
     "3/T}}\n"
     "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.3*L, 0, 0]},\n"
     "    initial: {position: -1.4}}\n"
     "  wrist: {type: revolute, base: rod, follower: slider, at: {base: [0.7*L, 0, 0]}}\n"
     "  slide: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0]}\n"
     "stiction:\n"
     "  crank: {kinetic: 0.1*N, static: 0.15*N}\n"
     "  slide: {kinetic: 0.5*F, static: 0.6*F}\n",
     3},
    {"four-bar with friction everywhere",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies:\n"
     "  crank: {mass: M, center_of_mass: [0.2*L, 0, 0], inertia: [0, 0.02*J, 0.02*J]}\n"
     "  coupler: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0, 0.1*J, 0.1*J]}\n"
     "  rocker: {mass: M, center_of_mass: [0.4*L, 0, 0], inertia: [0, 0.05*J, 0.05*J]}\n"
     "joints:\n"
     "  a: {type: revolute, base: ground, follower: crank, initial: {position: 1}}\n"
     "  b: {type: revolute, base: crank, follower: coupler, at: {base: [0.4*L, 0, 0]},\n"
     "    initial: {position: -0.5}}\n"
     "  c: {type: revolute, base: coupler, follower: rocker, at: {base: [L, 0, 0], follower: "
     "[0.8*L, 0, 0]}}\n"
     "  d: {type: revolute, base: ground, follower: rocker, at: {base: [L, 0, 0]}, initial: "
     "{position: 1.5}}\n"
     "stiction:\n"
     "  a: {kinetic: 0.3*N, static: 0.4*N, external: \"8*N*sin(3*t/T)\"}\n"
     "  b: {kinetic: 0.1*N, static: 0.2*N}\n"
     "  c: {kinetic: 0.2*N, static: 0.2*N}\n"
     "  d: {kinetic: 0.1*N, static: 0.15*N}\n",
     2.5},
    {"rigid teeth and a freewheel",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies: {rotor: {mass: M, inertia: [0, 0.01*J, 0.01*J]}, wheel: {mass: M, inertia: [0, "
     "0.1*J, 0.1*J]}, bar: {mass: M}}\n"
     "joints:\n"
     "  motor: {type: revolute, base: ground, follower: rotor}\n"
     "  wheel: {type: revolute, base: ground, follower: wheel, at: {base: [L, 0, 0]}}\n"
     "  bar: {type: prismatic, base: ground, follower: bar, axis: [1, 0, 0]}\n"
     "couplings:\n"
     "  stage: {type: gear, joints: [motor, wheel], ratio: 5, backlash: 0.1, restitution: 0.3}\n"
     "  rack: {type: rack, joints: [wheel, bar], radius: 0.3*L, drives: forward}\n"
     "stiction:\n"
     "  motor: {kinetic: 0.1*N, static: 0.2*N, external: \"2*N*sin(2*t/T)\"}\n"
     "  bar: {kinetic: 0.3*F, static: 0.4*F}\n",
     3},
    {"motor, gear and rack",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies: {rotor: {mass: M, inertia: [0, 0.01*J, 0.01*J]}, wheel: {mass: M, inertia: [0, "
     "0.1*J, 0.1*J]}, bar: {mass: M}}\n"
     "joints:\n"
     "  motor: {type: revolute, base: ground, follower: rotor}\n"
     "  wheel: {type: revolute, base: ground, follower: wheel, at: {base: [L, 0, 0]}}\n"
     "  bar: {type: prismatic, base: ground, follower: bar, axis: [0, 1, 0]}\n"
     "couplings:\n"
     "  stage: {type: gear, joints: [motor, wheel], ratio: 5}\n"
     "  rack: {type: rack, joints: [wheel, bar], radius: 0.3*L}\n"
     "stiction:\n"
     "  motor: {kinetic: 0.1*N, static: 0.2*N, external: \"2*N*sin(2*t/T)\"}\n"
     "  bar: {kinetic: F, static: 1.5*F}\n",
     3},
    {"massless rod",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies:\n"
     "  arm: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0, 0.1*J, 0.1*J]}\n"
     "  sled: {mass: M}\n"
     "joints:\n"
     "  arm: {type: revolute, base: ground, follower: arm, initial: {position: 0.6}}\n"
     "  sled: {type: prismatic, base: ground, follower: sled, axis: [1, 0, 0], initial: {position: "
     "1.7*L}}\n"
     "couplings: {rod: {type: distance, between: [{body: arm, at: [L, 0, 0]}, {body: sled}], "
     "length: 1.1*L}}\n"
     "stiction:\n"
     "  arm: {kinetic: 0.3*N, static: 0.4*N}\n"
     "  sled: {kinetic: 0.5*F, static: 0.7*F, external: \"9*F*sin(3*t/T)\"}\n",
     2.5},
    {"eight four-bars on a sled", /* many loops: closed one by one */
     "gravity: [0, -9.81*A, 0]\n"
     "bodies: {sled: {mass: 10*M}}\n"
     "joints: {sled: {type: prismatic, base: ground, follower: sled, axis: [1, 0, 0], spring: "
     "{stiffness: 300*K}}}\n"
     "stiction: {sled: {kinetic: F, static: 2*F}}\n"
     "chain:\n"
     "  count: 8\n"
     "  bodies:\n"
     "    crank: {mass: M, center_of_mass: [0.2*L, 0, 0], inertia: [0, 0.02*J, 0.02*J]}\n"
     "    coupler: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0, 0.1*J, 0.1*J]}\n"
     "    rocker: {mass: M, center_of_mass: [0.4*L, 0, 0], inertia: [0, 0.05*J, 0.05*J]}\n"
     "  joints:\n"
     "    a: {type: revolute, base: sled, follower: \"crank[i]\", at: {base: [3*L*i, 0, 0]}, "
     "initial: {position: 1}}\n"
     "    b: {type: revolute, base: \"crank[i]\", follower: \"coupler[i]\", at: {base: [0.4*L, 0, "
     "0]},\n"
     "      initial: {position: -0.5}}\n"
     "    c: {type: revolute, base: \"coupler[i]\", follower: \"rocker[i]\",\n"
     "      at: {base: [L, 0, 0], follower: [0.8*L, 0, 0]}}\n"
     "    d: {type: revolute, base: sled, follower: \"rocker[i]\", at: {base: [L + 3*L*i, 0, 0]},\n"
     "      initial: {position: 1.5}}\n",
     1},
    {"slider-crank with friction everywhere, some of it none",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies:\n"
     "  crank: {mass: M, center_of_mass: [0.15*L, 0, 0], inertia: [0, 0.1*J, 0.1*J]}\n"
     "  rod: {mass: 0.5*M, center_of_mass: [0.35*L, 0, 0], inertia: [0, 0.1*J, 0.1*J]}\n"
     "  slider: {mass: M, inertia: [0.01*J, 0.01*J, 0.01*J]}\n"
     "joints:\n"
     "  crank: {type: revolute, base: ground, follower: crank, initial: {position: 1}}\n"
     "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.3*L, 0, 0]},\n"
     "    initial: {position: -1.4}}\n"
     "  wrist: {type: revolute, base: rod, follower: slider, at: {base: [0.7*L, 0, 0]}}\n"
     "  slide: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0]}\n"
     "stiction:\n"
     "  crank: {kinetic: 0.1*N, static: 0.15*N, external: \"9*N*sin(3*t/T)\"}\n"
     "  pin: {kinetic: 0, static: 0}\n"
     "  wrist: {kinetic: \"0.1*N*max(0, sin(2*t/T))\", static: \"0.1*N*max(0, sin(2*t/T))\"}\n"
     "  slide: {kinetic: \"0.5*F*max(0, sin(4*t/T))\", static: \"0.5*F*max(0, sin(4*t/T))\"}\n",
     3},
    {"gear and rack, friction everywhere",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies: {rotor: {mass: M, inertia: [0, 0.01*J, 0.01*J]}, wheel: {mass: M, inertia: [0, "
     "0.1*J, 0.1*J]}, bar: {mass: M}, screw: {mass: M, inertia: [0.1*J, 0.1*J, 0.1*J]}}\n"
     "joints:\n"
     "  motor: {type: revolute, base: ground, follower: rotor}\n"
     "  wheel: {type: revolute, base: ground, follower: wheel, at: {base: [L, 0, 0]}}\n"
     "  bar: {type: prismatic, base: ground, follower: bar, axis: [0, 1, 0]}\n"
     "  screw: {type: revolute, base: bar, follower: screw, axis: [0, 1, 0]}\n"
     "couplings:\n"
     "  stage: {type: gear, joints: [motor, wheel], ratio: 5}\n"
     "  rack: {type: rack, joints: [wheel, bar], radius: 0.3*L}\n"
     "  lead: {type: screw, joints: [screw, bar], pitch: 0.1*L}\n"
     "stiction:\n"
     "  motor: {kinetic: 0.1*N, static: 0.2*N, external: \"2*N*sin(2*t/T)\"}\n"
     "  wheel: {kinetic: 0.3*N, static: 0.4*N}\n"
     "  screw: {kinetic: 0.02*N, static: 0.04*N}\n"
     "  bar: {kinetic: F, static: 1.5*F}\n",
     3},
    {"four-bar in space on a sled, and a spring",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies:\n"
     "  sled: {mass: 2*M}\n"
     "  crank: {mass: M, center_of_mass: [0.2*L, 0, 0], inertia: [0.02*J, 0.02*J, 0.02*J]}\n"
     "  coupler: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0.1*J, 0.1*J, 0.1*J]}\n"
     "  rocker: {mass: M, center_of_mass: [0.4*L, 0, 0], inertia: [0.05*J, 0.05*J, 0.05*J]}\n"
     "joints:\n"
     "  sled: {type: prismatic, base: ground, follower: sled, axis: [1, 0, 0]}\n"
     "  a: {type: revolute, base: sled, follower: crank, initial: {position: 1}}\n"
     "  b: {type: spherical, base: crank, follower: coupler, at: {base: [0.4*L, 0, 0]}}\n"
     "  c: {type: spherical, base: coupler, follower: rocker, at: {base: [L, 0, 0], follower: "
     "[0.8*L, 0, 0]}}\n"
     "  d: {type: revolute, base: sled, follower: rocker, at: {base: [L, 0, 0.1*L]}, initial: "
     "{position: 1.5}}\n"
     "springs: {pull: {between: [{body: rocker, at: [0.5*L, 0, 0]}, {body: ground, at: [0, L, "
     "0]}], stiffness: 20*K, rest: 0.5*L, damping: C}}\n"
     "stiction:\n"
     "  sled: {kinetic: \"0.1*normal_force(sled)\", static: \"0.15*normal_force(sled)\"}\n"
     "  a: {kinetic: 0.3*N, static: 0.4*N, external: \"8*N*sin(3*t/T)\"}\n"
     "  d: {kinetic: 0.1*N, static: 0.15*N}\n",
     1},
    {"bodies in bushings, on a sled and on the ground",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies:\n"
     "  sled: {mass: 2*M}\n"
     "  drum: {mass: M, center_of_mass: [0.1*L, 0, 0], inertia: [0.1*J, 0.1*J, 0.1*J]}\n"
     "  load: {mass: M, inertia: [0.05*J, 0.04*J, 0.06*J]}\n"
     "joints:\n"
     "  sled: {type: prismatic, base: ground, follower: sled, axis: [1, 0, 0]}\n"
     "  drum: {type: revolute, base: sled, follower: drum, initial: {position: 1}}\n"
     "  load: {type: six-dof, base: ground, follower: load, at: {base: [0.3*L, 0.2*L, 0]}}\n"
     "bushings:\n"
     "  tie: {between: [{body: drum, at: {point: [0.2*L, 0, 0], rotation: {rpy: [0.3, -0.2, "
     "0.5]}}}, {body: load, at: [0, 0.1*L, 0]}], stiffness: [40*K, 60*K, 80*K], damping: [C, C, "
     "2*C], rotational_stiffness: [3*N, 4*N, 2*N], rotational_damping: [0.1*N*T, 0.1*N*T, 0]}\n"
     "  foot: {between: [{body: ground, at: [0.5*L, 0, 0]}, {body: load}], stiffness: [9*K, 90*K, "
     "20*K], rotational_stiffness: [N, 2*N, 3*N]}\n"
     "stiction:\n"
     "  sled: {kinetic: \"0.1*normal_force(sled)\", static: \"0.15*normal_force(sled)\"}\n"
     "  drum: {kinetic: 0.3*N, static: 0.4*N, external: \"6*N*sin(3*t/T)\"}\n",
     1},
    {"driven crank with a rod and a loaded rider",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies:\n"
     "  crank: {mass: M, center_of_mass: [0.1*L, 0, 0], inertia: [0.02*J, 0.02*J, 0.02*J]}\n"
     "  cross: {mass: M, inertia: [0.02*J, 0.02*J, 0.02*J]}\n"
     "  rider: {mass: 0.5*M, inertia: [0.01*J, 0.01*J, 0.01*J]}\n"
     "  arm: {mass: 0.2*M, center_of_mass: [0.1*L, 0, 0], inertia: [0.01*J, 0.01*J, 0.01*J]}\n"
     "joints:\n"
     "  crank: {type: revolute, base: ground, follower: crank, motion: \"0.5 + 2*t/T\"}\n"
     "  cross: {type: prismatic, base: ground, follower: cross, axis: [1, 0, 0], initial: "
     "{position: 1.1*L}}\n"
     "  rider: {type: prismatic, base: cross, follower: rider, axis: [1, 0, 0]}\n"
     "  arm: {type: revolute, base: rider, follower: arm, armature: 0.01*J}\n"
     "couplings: {rod: {type: distance, between: [{body: crank, at: [0.3*L, 0, 0]}, {body: "
     "cross}], length: L}}\n"
     "stiction:\n"
     "  cross: {kinetic: 0.5*F, static: 0.7*F}\n"
     "  rider: {kinetic: \"0.1*normal_force(rider)\", static: \"0.2*normal_force(rider)\"}\n"
     "  arm: {kinetic: 0.1*N, static: 0.2*N, external: \"0.3*N*sin(5*t/T)\"}\n",
     3},
    {"lead screw held by both",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies: {nut: {mass: 3*M, inertia: [0.1*J, 0.1*J, 0.1*J]}, pin: {mass: 0.2*M, inertia: "
     "[0.01*J, 0.01*J, 0.01*J]}}\n"
     "joints:\n"
     "  bush: {type: cylindrical, base: ground, follower: nut, axis: [0, 1, 0]}\n"
     "  pin: {type: revolute, base: nut, follower: pin, axis: [0, 1, 0]}\n"
     "couplings:\n"
     "  lead: {type: screw, joints: [bush.r1, bush.p1], pitch: 0.2*L}\n"
     "  gear: {type: gear, joints: [pin, bush.r1], ratio: -3}\n"
     "stiction:\n"
     "  bush.p1: {kinetic: \"F*max(0, sin(5*t/T))\", static: \"1.2*F*max(0, sin(5*t/T))\"}\n"
     "  bush.r1: {kinetic: \"0.1*N*max(0, cos(3*t/T))\", static: \"0.15*N*max(0, cos(3*t/T))\", "
     "external: \"1.5*N + 2*N*sin(2*t/T)\"}\n"
     "  pin: {kinetic: 0.05*N, static: 0.06*N}\n",
     4},
    {"gear and screw whose meshes rub, before bearings that share", /* nothing is 1 N there */
     "gravity: [0, 0, 0]\n"
     "bodies: {rotor: {mass: M, inertia: [0.02*J, 0.02*J, 0.02*J]}, wheel: {mass: M, inertia: "
     "[0.2*J, 0.2*J, "
     "0.2*J]}, nut: {mass: 0.5*M}}\n"
     "joints:\n"
     "  motor: {type: revolute, base: ground, follower: rotor, axis: [0, 1, 0]}\n"
     "  wheel: {type: revolute, base: ground, follower: wheel, axis: [0, 1, 0]}\n"
     "  nut: {type: prismatic, base: ground, follower: nut, axis: [0, 1, 0]}\n"
     "couplings:\n"
     "  stage: {type: gear, joints: [motor, wheel], ratio: 3, friction: {efficiency: 0.75, "
     "reverse_efficiency: 0.6}}\n"
     "  lead: {type: screw, joints: [wheel, nut], pitch: 0.2*L, friction: {coefficient: 0.1, "
     "static_coefficient: 0.15, "
     "radius: 0.05*L}}\n"
     "stiction:\n"
     "  motor: {kinetic: 0.02*N, static: 0.03*N, external: \"0.2*N*sin(3*t/T)\"}\n"
     "  wheel: {kinetic: 0.05*N, static: 0.07*N, external: \"1.5*N*sin(4*t/T)\"}\n"
     "  nut: {kinetic: F, static: 1.3*F}\n",
     3},
    {"shaft with backlash",
     "gravity: [0, 0, 0]\n"
     "bodies: {rotor: {mass: M, inertia: [0.02*J, 0.02*J, 0.02*J]}, arm: {mass: M, inertia: [J, J, "
     "J]}}\n"
     "joints:\n"
     "  motor: {type: revolute, base: ground, follower: rotor}\n"
     "  arm: {type: revolute, base: ground, follower: arm}\n"
     "couplings: {shaft: {type: gear, joints: [motor, arm], ratio: 5, stiffness: 2*N, damping: "
     "0.02*N*T, backlash: 0.3}}\n"
     "stiction:\n"
     "  motor: {kinetic: 0.02*N, static: 0.03*N, external: \"0.4*N*sin(2*t/T)\"}\n"
     "  arm: {kinetic: 0.3*N, static: 0.5*N}\n",
     4},
};
enum { LOOPS = sizeof loops / sizeof *loops };

#endif
