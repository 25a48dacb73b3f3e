/* A robot of another program: imported, with what was left out, and run. Exits with 1 where something is not as it should be. */

#include "detent/detent.h"
#include "detent/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char arm[] =
    "<robot name='arm'>\n"
    "  <link name='base'/>\n"
    "  <link name='boom'>\n"
    "    <inertial><origin xyz='0 0 0.4'/><mass value='3'/>\n"
    "      <inertia ixx='0.16' ixy='0' ixz='0' iyy='0.16' iyz='0' izz='0.01'/></inertial>\n"
    "    <visual><geometry><box size='0.1 0.1 0.8'/></geometry></visual>\n"
    "  </link>\n"
    "  <joint name='shoulder' type='revolute'>\n"
    "    <parent link='base'/><child link='boom'/><axis xyz='0 1 0'/>\n"
    "    <limit lower='0.3' upper='1.2' effort='9' velocity='1'/><dynamics damping='0.5' "
    "friction='2'/>\n"
    "  </joint>\n"
    "</robot>\n";

static void check(detent_status status, const detent_error *error)
{
    if (status < 0) {
        fprintf(stderr, "%s: %s\n", detent_status_text(status), error ? error->message : "");
        exit(1);
    }
}

/* The mechanism, and what is not in it. */
static detent_mechanism *import(void)
{
    detent_error error;
    detent_import_options options = DETENT_INIT(detent_import_options);
    detent_imported *imported;
    detent_mechanism *mechanism;
    size_t length;
    int line;
    options.base = DETENT_IMPORT_BASE_FIXED;
    options.without = DETENT_IMPORT_DAMPING;
    check(detent_import_text(arm, strlen(arm), "arm.urdf", &options, &imported, &error), &error);
    for (size_t k = 0; k < detent_imported_note_count(imported); k++) {
        const char *note = detent_imported_note(imported, k, &line);
        printf("  line %d: %s\n", line, note);
    }
    const char *text = detent_imported_text(imported, &length);
    check(detent_mechanism_parse(text, length, "arm.yaml", NULL, &mechanism, &error), &error);
    detent_imported_destroy(imported);
    return mechanism;
}

int main(void)
{
    detent_error error;
    detent_imported *nothing;
    detent_simulation *simulation;
    if (detent_import_file("nowhere.urdf", NULL, &nothing, &error) != DETENT_ERROR_IO || nothing) {
        return 1;
    }
    printf("a file that is not there: %s\n", error.message);

    detent_mechanism *mechanism = import();
    check(detent_simulation_create(mechanism, NULL, &simulation, &error), &error);
    check(detent_advance(simulation, 3, false, &error), &error);
    double angle;
    check(detent_read(simulation, DETENT_POSITIONS, &angle, 1, &error), &error);
    printf("the boom has come to %.4f rad\n", angle);
    detent_simulation_destroy(simulation);
    detent_mechanism_destroy(mechanism);
    return angle == 1.2 ? 0 : 1; /* the stop of the upper limit */
}
