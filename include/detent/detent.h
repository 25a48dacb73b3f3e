/**
 * @file detent.h
 * detent: mechanisms whose joints really stick.
 *
 * A mechanism (bodies, joints, stiction, loads) is loaded from a file or built from definition
 * structs; it is immutable afterwards and may be shared by threads. A simulation is created from
 * it and advanced in time; it belongs to one thread at a time. The library never prints, never
 * exits and keeps no globals.
 *
 * Conventions
 * - Units are SI: m, kg, s, rad, N, N m. Angles of revolute primitives are in rad.
 * - A *primitive* is one scalar freedom of a joint, revolute or prismatic, or a spherical one
 *   (three freedoms, four coordinates: a unit quaternion w, x, y, z that turns follower
 *   components into base components; its velocity is the angular velocity in the follower frame).
 *   Position, velocity and acceleration are those of the follower relative to the base.
 * - The reaction is the wrench that a primitive transmits from base to follower: everything
 *   that the joint does to its follower, friction and actuation included.
 * - Errors are negative, outcomes of a run are zero or positive: see ::detent_status.
 * - Every pointer handed in is only read during the call, unless the function says otherwise.
 */
#ifndef DETENT_DETENT_H
#define DETENT_DETENT_H

/** The version that a program is compiled against; as one number, DETENT_VERSION_NUMBER(). */
#define DETENT_VERSION       "0.1.0"
#define DETENT_VERSION_MAJOR 0 /**< its major part */
#define DETENT_VERSION_MINOR 1 /**< its minor part */
#define DETENT_VERSION_PATCH 0 /**< its patch part */

#include "detent/base.h"
#include "detent/definitions.h"
#include "detent/mechanism.h"
#include "detent/simulation.h"

#endif
