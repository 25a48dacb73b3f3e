/**
 * @file scales_trees.h
 * Those of test_scales.c that are trees.
 */
#ifndef DETENT_TESTS_SCALES_TREES_H
#define DETENT_TESTS_SCALES_TREES_H

#include "scales.h"

static const scaled trees[] = {
    {"dragged block",
     "gravity: [0, 0, 0]\n"
     "bodies: {block: {mass: M}}\n"
     "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
     "stiction: {slide: {external: \"2*K*(0.1*V*t - position(slide))\", kinetic: F, static: "
     "1.5*F}}\n",
     16},
    {"pendulum that sticks",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies: {rod: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0, J/12, J/12]}}\n"
     "joints: {hinge: {type: revolute, base: ground, follower: rod}}\n"
     "stiction: {hinge: {kinetic: 0.2*N, static: 0.3*N}}\n",
     8},
    {"drawer that binds, and ages",
     "gravity: [0, 0, -9.81*A]\n"
     "bodies: {drawer: {mass: M, center_of_mass: [0, 0.1*L, 0], inertia: [J, J, J]}, flap: {mass: "
     "M, center_of_mass: [0.3*L, 0, 0.1*L], inertia: [J, J, J]}}\n"
     "joints:\n"
     "  slide: {type: prismatic, base: ground, follower: drawer, axis: [1, 0, 0]}\n"
     "  hinge: {type: revolute, base: drawer, follower: flap, axis: [0, 1, 0]}\n"
     "stiction:\n"
     "  slide:\n"
     "    external: \"2*K*(0.1*V*t - position(slide))\"\n"
     "    kinetic: 0.1*F\n"
     "    static: \"0.1*F*(1 + rest_time(slide)*V/L)\"\n"
     "    bearing: {coefficient: 0.02, static_coefficient: 0.03, length: 0.5*L}\n"
     "  hinge: {bearing: {coefficient: 0.2, radius: 0.05*L, length: 0.2*L, collar: 0.1*L}}\n",
     8},
    {"double pendulum",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies:\n"
     "  upper: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0, J/12, J/12]}\n"
     "  lower: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0, J/12, J/12]}\n"
     "joints:\n"
     "  shoulder: {type: revolute, base: ground, follower: upper}\n"
     "  elbow: {type: revolute, base: upper, follower: lower, at: {base: [L, 0, 0]}}\n"
     "stiction:\n"
     "  shoulder: {kinetic: 2*N, static: 2.5*N}\n"
     "  elbow: {kinetic: 0.5*N, static: 0.6*N}\n",
     4},
    {"block on a belt",
     "gravity: [0, 0, 0]\n"
     "bodies: {belt: {mass: M}, block: {mass: M}}\n"
     "joints:\n"
     "  drive: {type: prismatic, base: ground, follower: belt, axis: [1, 0, 0], motion: 0.1*V*t}\n"
     "  slip: {type: prismatic, base: belt, follower: block, axis: [1, 0, 0]}\n"
     "stiction: {slip: {kinetic: F, static: 1.5*F}}\n"
     "loads: {spring: {body: block, force: [\"-K*(position(drive) + position(slip))\", 0, 0]}}\n",
     40},
    {"oscillator",
     "gravity: [0, 0, 0]\n"
     "bodies: {block: {mass: M}}\n"
     "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0],\n"
     "  spring: {stiffness: 4*K}, damping: 0.1*C, initial: {position: 3*L}}}\n"
     "stiction: {slide: {kinetic: F, static: 1.2*F}}\n",
     12},
    {"push that comes and goes",
     "gravity: [0, 0, 0]\n"
     "bodies: {block: {mass: M}}\n"
     "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
     "stiction: {slide: {external: \"2*F*sin(3*t/T)\", kinetic: F, static: F}}\n",
     7},
    {"row of blocks",
     "gravity: [0, 0, 0]\n"
     "bodies: {a: {mass: M}, b: {mass: 2*M}, c: {mass: 0.5*M}}\n"
     "joints:\n"
     "  ja: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0]}\n"
     "  jb: {type: prismatic, base: a, follower: b, axis: [1, 0, 0]}\n"
     "  jc: {type: prismatic, base: b, follower: c, axis: [1, 0, 0]}\n"
     "stiction:\n"
     "  ja: {kinetic: 3*F, static: 3*F}\n"
     "  jb: {kinetic: 2*F, static: 2.2*F}\n"
     "  jc: {kinetic: F, static: 1.3*F}\n"
     "loads: {push: {body: c, force: [\"4*F*sin(2*t/T)\", 0, 0]}}\n",
     6},
    {"Stribeck",
     "gravity: [0, 0, 0]\n"
     "bodies: {A: {mass: M}}\n"
     "joints: {a: {type: prismatic, base: ground, follower: A, axis: [1, 0, 0],\n"
     "  initial: {velocity: 10*V}}}\n"
     "stiction: {a: {external: -20*F, kinetic: \"F*(1 + 0.5*exp(-abs(velocity(a))/(0.1*V)))\",\n"
     "  static: 30*F}}\n",
     1},
    {"cart and rod",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies:\n"
     "  cart: {mass: M}\n"
     "  rod: {mass: 0.5*M, center_of_mass: [0, -0.5*L, 0], inertia: [0.1*J, 0.01*J, 0.1*J]}\n"
     "joints:\n"
     "  slide: {type: prismatic, base: ground, follower: cart, axis: [1, 0, 0]}\n"
     "  hinge: {type: revolute, base: cart, follower: rod, initial: {position: 1}}\n"
     "stiction:\n"
     "  slide: {kinetic: 2*F, static: 3*F}\n"
     "  hinge: {kinetic: 0.02*N, static: 0.03*N}\n"
     "loads: {push: {body: cart, at: [0, 0.5*L, 0], force: [\"3*F*sin(3*t/T)\", 0, 0]}}\n",
     4},
    {"pressed block",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies: {wedge: {mass: 2*M}, block: {mass: M}}\n"
     "joints:\n"
     "  wedge: {type: prismatic, base: ground, follower: wedge, axis: [1, 0, 0]}\n"
     "  block: {type: prismatic, base: wedge, follower: block, axis: [1, 0.3, 0]}\n"
     "stiction:\n"
     "  wedge: {kinetic: 2*F, static: 3*F, external: \"4*F*sin(2*t/T)\"}\n"
     "  block: {kinetic: 0.2*normal_force(block), static: 0.3*normal_force(block)}\n",
     3},
    {"chain of rods",
     "gravity: [0, -9.81*A, 0]\n"
     "chain:\n"
     "  count: 6\n"
     "  bodies: {link: {mass: M/6, center_of_mass: [L/12, 0, 0], inertia: [0, J/2592, J/2592]}}\n"
     "  joints:\n"
     "    hinge: {type: revolute, base: \"link[i-1]\", follower: \"link[i]\", at: {base: [L/6, 0, "
     "0]}}\n"
     "  stiction: {hinge: {kinetic: 0.3*N, static: 0.4*N}}\n"
     "  first: {joints: {hinge: {base: ground, at: null}}}\n",
     2},
    {"spinning top",
     "gravity: [0, 0, -9.81*A]\n"
     "bodies:\n"
     "  top: {mass: M, center_of_mass: [0, 0, 0.3*L], inertia: [0.02*J, 0.02*J, 0.01*J]}\n"
     "  ring: {mass: 0.1*M, inertia: [0.001*J, 0.001*J, 0.002*J]}\n"
     "joints:\n"
     "  ball: {type: spherical, base: ground, follower: top, initial: {velocity: [0.3/T, 0, "
     "20/T]}}\n"
     "  grip: {type: revolute, base: top, follower: ring, at: {base: [0, 0, 0.4*L]}}\n"
     "stiction: {grip: {kinetic: 0.01*N, static: 0.012*N, external: \"0.03*N*sin(9*t/T)\"}}\n",
     1},
    {"brake",
     "gravity: [0, 0, 0]\n"
     "bodies: {wheel: {mass: M, inertia: [J, J, J]}}\n"
     "joints: {axle: {type: revolute, base: ground, follower: wheel, initial: {velocity: 10/T}}}\n"
     "stiction: {axle: {kinetic: \"N*max(0, 6*sin(t/T))\", static: \"N*max(0, 7*sin(t/T)) + "
     "0.1*N\",\n"
     "  external: 0.5*N}}\n",
     9},
    {"pulled over a bump",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies: {sled: {mass: M}}\n"
     "joints: {rail: {type: prismatic, base: ground, follower: sled, axis: [1, 0, 0]}}\n"
     "stiction: {rail: {kinetic: \"0.3*normal_force(rail)\", static: \"0.4*normal_force(rail)\",\n"
     "  external: \"F*if(position(rail) < 0.2*L, 5, 1) - 0.5*C*velocity(rail)\"}}\n",
     5},
    {"two masses and a gap",
     "gravity: [0, 0, 0]\n"
     "signals: {gap: position(a) - position(b), touch: \"50*K*max(0, gap - 0.1*L)\"}\n"
     "bodies: {A: {mass: M}, B: {mass: 3*M}}\n"
     "joints:\n"
     "  a: {type: prismatic, base: ground, follower: A, axis: [1, 0, 0], initial: {velocity: "
     "2*V}}\n"
     "  b: {type: prismatic, base: ground, follower: B, axis: [1, 0, 0]}\n"
     "stiction:\n"
     "  a: {kinetic: 0.2*F, static: 0.3*F, external: -touch}\n"
     "  b: {kinetic: F, static: 1.5*F, external: touch}\n",
     4},
    {"velocity band",
     "gravity: [0, 0, 0]\n"
     "bodies: {block: {mass: M}}\n"
     "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
     "stiction: {slide: {velocity_threshold: 1e-3*V, locking: band, external: \"2*F*sin(3*t/T)\",\n"
     "  kinetic: F, static: F}}\n",
     7},
    {"screw of rail and hinge",
     "gravity: [0, 0, -9.81*A]\n"
     "bodies: {nut: {mass: M, center_of_mass: [0.05*L, 0, 0], inertia: [0.01*J, 0.01*J, 0.01*J]}}\n"
     "joints: {bush: {type: cylindrical, base: ground, follower: nut, axis: [0, 0.6, 0.8]}}\n"
     "stiction:\n"
     "  bush.p1: {kinetic: 6*F, static: 7*F}\n"
     "  bush.r1: {kinetic: 0.1*N, static: 0.15*N, external: \"0.3*N*sin(4*t/T)\"}\n",
     4},
    {"armature",
     "gravity: [0, 0, 0]\n"
     "bodies: {arm: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0, J/12, J/12]}}\n"
     "joints: {motor: {type: revolute, base: ground, follower: arm, armature: 0.4*J}}\n"
     "stiction: {motor: {kinetic: 0.5*N, static: 0.6*N, external: \"N*sin(2*t/T)\"}}\n",
     6},
    {"free box on a spring",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies: {box: {mass: M, inertia: [0.1*J, 0.1*J, 0.1*J]}, slug: {mass: 0.2*M}}\n"
     "joints:\n"
     "  lift: {type: prismatic, base: ground, follower: box, axis: [0, 1, 0], spring: {stiffness: "
     "40*K}}\n"
     "  slot: {type: prismatic, base: box, follower: slug, axis: [0.6, 0.8, 0]}\n"
     "stiction: {slot: {kinetic: 0.5*F, static: 0.8*F}, lift: {kinetic: 0.1*F, static: 0.1*F}}\n",
     3},
    {"asymmetric limits, own test",
     "gravity: [0, 0, 0]\n"
     "bodies: {block: {mass: M}}\n"
     "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
     "stiction: {slide: {external: \"3*F*sin(2*t/T)\", kinetic: F, forward: -2*F, reverse: "
     "1.5*F}}\n",
     9},
    {"cart and hinge that read each other",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies:\n"
     "  cart: {mass: M}\n"
     "  rod: {mass: 0.5*M, center_of_mass: [0.4*L, 0, 0], inertia: [0.05*J, 0.05*J, 0.05*J]}\n"
     "  other: {mass: M}\n"
     "joints:\n"
     "  slide: {type: prismatic, base: ground, follower: cart, axis: [1, 0, 0]}\n"
     "  hinge: {type: revolute, base: cart, follower: rod, initial: {position: 1}}\n"
     "  rail: {type: prismatic, base: rod, follower: other, axis: [1, 0.2, 0], initial: {position: "
     "0.3*L}, spring: {stiffness: 30*K}, damping: C}\n"
     "stiction:\n"
     "  slide: {kinetic: 0.5*F, static: 0.7*F, external: \"4*F*sin(3*t/T) - "
     "0.2*M*L*acceleration(hinge) - 0.1*M*acceleration(rail)\"}\n"
     "  hinge: {kinetic: 0.05*N, static: 0.06*N, external: \"-0.3*M*L*acceleration(slide) + "
     "0.02*L*reaction_force(slide, y) - 0.1*N*T*velocity(hinge)\"}\n"
     "  rail: {kinetic: \"0.1*normal_force(rail) + 0.01*normal_force(slide)\", static: "
     "\"0.2*normal_force(rail)\", external: \"-2*C*velocity(slide) - "
     "0.3*N/L*T*velocity(hinge)\"}\n",
     3},
    {"loads that read what they act on",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies:\n"
     "  arm: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0.1*J, 0.1*J, 0.1*J]}\n"
     "  hand: {mass: 0.5*M, center_of_mass: [0.1*L, 0, 0], inertia: [0.02*J, 0.02*J, 0.02*J]}\n"
     "joints:\n"
     "  arm: {type: revolute, base: ground, follower: arm}\n"
     "  hand: {type: revolute, base: arm, follower: hand, at: {base: [L, 0, 0]}, initial: "
     "{position: 0.5}}\n"
     "stiction:\n"
     "  arm: {kinetic: 0.3*N, static: 0.4*N}\n"
     "  hand: {kinetic: 0.2*N, static: 0.3*N}\n"
     "loads:\n"
     "  back: {body: hand, at: [0.2*L, 0, 0], frame: body, force: [\"0.2*reaction_force(hand, "
     "y)\", \"0.3*reaction_force(arm, x)\", 0],\n"
     "    torque: [0, 0, \"0.1*L*reaction_force(arm, y) + 0.2*reaction_torque(hand, z)\"]}\n"
     "  more: {body: arm, at: [0.5*L, 0, 0], force: [\"-0.1*reaction_torque(arm, z)/L\", "
     "\"5*F*sin(4*t/T)\", 0],\n"
     "    torque: [0, 0, \"0.3*reaction_torque(hand, z) - 0.05*L*reaction_force(hand, x)\"]}\n",
     1},
    {"controller of states",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies: {arm: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0.1*J, 0.1*J, 0.1*J]}, bob: "
     "{mass: M}}\n"
     "states:\n"
     "  torque: {derivative: \"-3*torque/T + 8*N/L/T*(0.3*L*sin(2*t/T) - place) - "
     "2*N/T/L*path/T\", initial: 0}\n"
     "  place: {derivative: \"-2*place/T + velocity(bob) + 0.4*L*velocity(arm) + 0.1*torque/N*V - "
     "0.3*path/T/T\", initial: 0}\n"
     "  path: {derivative: \"place - path/T - 0.2*L*torque/N\", initial: 0}\n"
     "joints:\n"
     "  arm: {type: revolute, base: ground, follower: arm}\n"
     "  bob: {type: prismatic, base: arm, follower: bob, axis: [1, 0, 0], initial: {position: "
     "0.5*L}, spring: {stiffness: 50*K}}\n"
     "stiction:\n"
     "  arm: {kinetic: 0.5*N, static: 0.6*N, external: \"torque + 3*N*position(bob)/L\"}\n"
     "  bob: {kinetic: 0.3*F, static: 0.5*F, external: \"0.2*torque/L\"}\n",
     4},
    {"relays on a rail and a hinge",
     "gravity: [0, 0, 0]\n"
     "bodies:\n"
     "  cart: {mass: M}\n"
     "  rod: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0.1*J, 0.1*J, 0.1*J]}\n"
     "  tip: {mass: 0.3*M}\n"
     "joints:\n"
     "  slide: {type: prismatic, base: ground, follower: cart, axis: [1, 0, 0]}\n"
     "  hinge: {type: revolute, base: cart, follower: rod, initial: {position: 1, velocity: 1/T}}\n"
     "  tip: {type: prismatic, base: rod, follower: tip, axis: [1, 0, 0], initial: {position: "
     "0.5*L}, spring: {stiffness: 20*K}}\n"
     "stiction: {tip: {kinetic: 0.1*F, static: 0.2*F}}\n"
     "loads:\n"
     "  relay: {body: cart, force: [\"-3*F*sign(velocity(slide) - 0.1*V) + 2*F*sin(3*t/T)\", 0, "
     "0]}\n"
     "  turn: {body: rod, torque: [0, 0, \"-N*sign(velocity(hinge) - 0.2/T)\"]}\n",
     3},
    {"band in a tree of both kinds",
     "gravity: [0, -9.81*A, 0]\n"
     "bodies: {cart: {mass: M}, rod: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0.1*J, "
     "0.1*J, 0.1*J]}, bob: {mass: 0.5*M}}\n"
     "joints:\n"
     "  slide: {type: prismatic, base: ground, follower: cart, axis: [1, 0, 0]}\n"
     "  hinge: {type: revolute, base: cart, follower: rod, initial: {position: 0.4, velocity: "
     "1/T}}\n"
     "  bob: {type: prismatic, base: rod, follower: bob, axis: [1, 0, 0], initial: {position: "
     "0.5*L}, spring: {stiffness: 50*K, rest: 0.5*L}}\n"
     "stiction:\n"
     "  slide: {velocity_threshold: 1e-2*V, locking: band, kinetic: 2*F, static: 3*F, external: "
     "\"6*F*sin(3*t/T)\"}\n"
     "  hinge: {velocity_threshold: 1e-2/T, locking: band, kinetic: 0.5*N, static: 0.7*N}\n"
     "  bob: {velocity_threshold: 2e-2*V, locking: band, kinetic: \"0.2*normal_force(bob)\", "
     "static: \"0.3*normal_force(bob)\"}\n",
     3},

    {"bearings whose friction follows their load",
     "gravity: [0, -9.81*A, 0]\n"
     "chain:\n"
     "  count: 5\n"
     "  bodies: {link: {mass: M/6, center_of_mass: [L/12, 0, 0], inertia: [0, J/2592, J/2592]}}\n"
     "  joints:\n"
     "    hinge: {type: revolute, base: \"link[i-1]\", follower: \"link[i]\", at: {base: [L/6, 0, "
     "0]}}\n"
     "  stiction: {hinge: {kinetic: \"0.03*L*reaction_force(hinge[i]) + "
     "0.05*reaction_torque(hinge[i])\", static: \"0.04*L*reaction_force(hinge[i]) + "
     "0.05*reaction_torque(hinge[i])\"}}\n"
     "  first: {joints: {hinge: {base: ground, at: null}}}\n",
     1},
    {"relay on a position, and one on a velocity at rest",
     "gravity: [0, 0, 0]\n"
     "bodies: {cart: {mass: M}, rod: {mass: M, center_of_mass: [0.5*L, 0, 0], inertia: [0.1*J, "
     "0.1*J, 0.1*J]}}\n"
     "joints:\n"
     "  slide: {type: prismatic, base: ground, follower: cart, axis: [1, 0, 0], damping: 2*C, "
     "initial: {velocity: V}}\n"
     "  hinge: {type: revolute, base: cart, follower: rod, initial: {position: 1}}\n"
     "stiction:\n"
     "  hinge: {kinetic: 0.1*N, static: 0.15*N, external: \"0.8*N*sin(3*t/T) - "
     "0.2*N*sign(velocity(hinge))\"}\n"
     "loads: {relay: {body: cart, force: [\"-3*F*sign(position(slide) - 0.2*L)\", 0, 0]}}\n",
     3},
};
enum { TREES = sizeof trees / sizeof *trees };

#endif
