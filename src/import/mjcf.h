/**
 * @file mjcf.h
 * What the files that read MJCF share.
 */
#ifndef DT_IMPORT_MJCF_H
#define DT_IMPORT_MJCF_H

#include "import/formats.h"
#include "math/solid.h"

typedef struct dt_mjcf {
    const dt_xml *root;
    dt_robot *robot;
    dt_robot_base base;
    detent_error *error;  /**< never NULL */
    const char *keyframe; /**< the one that joints start with, or NULL */
    int places;           /**< numbers of all joints, also of those that are left out */
    double angle;         /**< rad in a unit of its angles */
    char euler[4];        /**< its order; capitals: about fixed axes */
    bool limits_by_range, geoms_always, geoms_never;
    double least_mass, least_inertia, total_mass; /**< total_mass <= 0: as it is */
    dt_name_map classes;                          /**< to `defaults` */
    const dt_xml **defaults;                      /**< <default> elements */
    int class_count, class_room;
    double groups[2];                  /**< the first and last group of geoms that count */
    int geoms, meshes;                 /**< all; those of bodies whose inertia is not read */
    int unseen;                        /**< geoms that are no shape of ours, or that nobody sees */
    dt_name_map materials, mesh_names; /**< to `assets` */
    const dt_xml **assets;
    int asset_count;
    const char *mesh_folder; /**< or NULL */
} dt_mjcf;

/** DETENT_ERROR_MODEL: "<ELEMENT> 'NAME': text". mjcf_fail.c */
detent_status dt_mjcf_fail(const dt_mjcf *m, const dt_xml *at, const char *text);
detent_status dt_mjcf_no_memory(const dt_mjcf *m);

/** Reads the <default> classes. mjcf_default.c */
detent_status dt_mjcf_read_defaults(dt_mjcf *m);

/**
 * The element that says what `attribute` of `element` is: itself, or the default of its class, which is `childclass` (NULL: the
 * outermost) where it names none. NULL: nobody does. DETENT_ERROR_MODEL: no such class.
 */
detent_status dt_mjcf_holder(const dt_mjcf *m, const dt_xml *element, const char *childclass,
                             const char *attribute, const dt_xml **holder);

/** Numbers of an attribute, by defaults too; where nobody says them `values` stay. `*found` (may be NULL): whether somebody does. */
detent_status dt_mjcf_vector(const dt_mjcf *m, const dt_xml *element, const char *childclass,
                             const char *attribute, int count, double *values, bool *found);

/** Likewise a word; NULL where nobody says one. */
detent_status dt_mjcf_word(const dt_mjcf *m, const dt_xml *element, const char *childclass,
                           const char *attribute, const char **word);

/** The frame of `pos` and one of `quat`, `axisangle`, `xyaxes`, `zaxis`, `euler`. mjcf_frame.c */
detent_status dt_mjcf_frame(const dt_mjcf *m, const dt_xml *element, const char *childclass,
                            dt_frame *frame);

/** A type of geoms that has a volume, and what `size` says of it: half lengths and radii. */
typedef struct dt_mjcf_solid {
    const char *type; /**< NULL: the end of the table */
    detent_shape_type shape;
    int sizes;     /**< numbers in `size` */
    bool has_ends; /**< and may stand between two points */
    dt_solid (*of)(const double *size);
} dt_mjcf_solid;
extern const dt_mjcf_solid dt_mjcf_solids[];

/** What a geom is, and where in its body or <frame>. `*solid` NULL: a mesh, a plane or the like, and nothing else is told. mjcf_geom.c */
detent_status dt_mjcf_solid_of(const dt_mjcf *m, const dt_xml *geom, const char *childclass,
                               const dt_mjcf_solid **solid, double size[3], dt_frame *frame);

/** Adds what a geom looks like to a body, -1: the world. False: memory is out. mjcf_shape.c */
bool dt_mjcf_shape(dt_mjcf *m, const dt_xml *geom, const char *childclass, const dt_frame *outer,
                   int body);
/** Finds materials and meshes, which geoms name. Once classes are known. False: memory is out. */
bool dt_mjcf_read_assets(dt_mjcf *m);

/** Adds what a geom weighs, seen from the frame that it is in at `outer`. mjcf_geom.c */
detent_status dt_mjcf_geom(dt_mjcf *m, const dt_xml *geom, const char *childclass,
                           const dt_frame *outer, dt_mass *weight);

/** Adds a <joint> or <freejoint> to the body that was added last, whose contents stand at `outer`. mjcf_joint.c */
detent_status dt_mjcf_joint(dt_mjcf *m, const dt_xml *element, const char *childclass,
                            const dt_frame *outer);

/** What drives joints. mjcf_actuators.c */
detent_status dt_mjcf_actuators(const dt_mjcf *m);

/** Has joints start as the keyframe says. mjcf_keyframe.c */
detent_status dt_mjcf_keyframe(const dt_mjcf *m);

/** Conditions between bodies and joints. mjcf_couplings.c */
detent_status dt_mjcf_couplings(const dt_mjcf *m);

#endif
