/* Robot files as MuJoCo 2.2 can read them. Texts are the caller's to free. */
#ifndef TEST_MUJOCO_SOURCE_H
#define TEST_MUJOCO_SOURCE_H

/* Says why, and ends the program. */
_Noreturn void die(const char *what, const char *why);

/*
 * The text of a file that both engines read: of URDF without meshes and with inertias in principal axes, of MJCF without attributes that
 * MuJoCo 2.2 does not know.
 */
char *make_source(const char *path);

/* MJCF of a chain of hinges in random places, by drand48(). */
char *make_chain(int links);

#endif
