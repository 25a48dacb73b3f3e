/* The commands and the options. Whoever changes them changes docs/command-line.md, docs/detent.1 and
 * completions/detent.bash too; tests/test_cli_documents.sh holds them together. */

#include "animate.h"
#include "assemble.h"
#include "check.h"
#include "compare.h"
#include "equilibrium.h"
#include "help.h"
#include "import.h"
#include "inverse.h"
#include "kinematics.h"
#include "linearize.h"
#include "options.h"
#include "outputs.h"
#include "plot.h"
#include "range.h"
#include "report.h"
#include "run.h"
#include "write.h"

#include <stddef.h>

enum {
    RUN = 1,
    CHECK = 2,
    VERSION = 4,
    HELP = 8,
    LINEARIZE = 0x10,
    INVERSE = 0x20,
    EQUILIBRIUM = 0x40,
    KINEMATICS = 0x80,
    ASSEMBLE = 0x100,
    RANGE = 0x200,
    COMPARE = 0x400,
    WRITE = 0x800,
    IMPORT = 0x1000,
    REPORT = 0x2000,
    OUTPUTS = 0x4000,
    PLOT = 0x10000,
    ANIMATE = 0x20000
};

/* Commands that look at the state of a run, and all that print an analysis. */
enum {
    AT_A_TIME = LINEARIZE | INVERSE | EQUILIBRIUM,
    ANALYSIS = AT_A_TIME | KINEMATICS | ASSEMBLE | RANGE
};

const command commands[] = {
    {"run", "FILE", true, RUN, "simulate a mechanism",
     "Simulates the mechanism of FILE (- reads standard input) and writes\n"
     "  NAME.csv           one row per output interval, two per event: the column `event`\n"
     "                     is -1 just before an event, 1 just after it, 0 elsewhere\n"
     "  NAME.events.csv    every change of mode\n"
     "  NAME.summary.json  counters, energy balance, modes at the end\n"
     "where NAME is that of FILE without its extension, in the current directory. The files\n"
     "appear when the run is finished; of a run that fails they are NAME.partial.csv and so on.",
     run_command},
    {"check", "FILE", true, CHECK, "validate a mechanism and print what was understood",
     "Reads the mechanism of FILE (- reads standard input), checks it and prints what was\n"
     "understood. Simulates nothing.",
     check_command},
    {"linearize", "FILE", true, LINEARIZE, "print the linear model about a state of a run",
     "Runs the mechanism of FILE to the time of --at (its start, where that is not given), and "
     "prints\n"
     "the linear model x' = A x + B u, y = C x + D u with every joint in the mode that it has "
     "there,\n"
     "eigenvalues, natural frequencies, damping ratios and mode shapes.",
     linearize_command},
    {"inverse", "FILE", true, INVERSE, "print the forces of drives that a motion needs",
     "Prints the forces along the joints of FILE with which it moves as the table of --motion "
     "says, or\n"
     "as a run does at the time of --at (its start, where that is not given). They take the place\n"
     "of the file's own actuation. Of a joint at rest that is the interval which its static "
     "friction\n"
     "holds. Where there are loops --driven tells which joints have drives.",
     inverse_command},
    {"equilibrium", "FILE", true, EQUILIBRIUM,
     "print a position of rest, and what static friction holds",
     "Finds a position in which the mechanism of FILE rests, from its initial positions or those "
     "of a "
     "run at\n"
     "the time of --at: without friction, or with --stiction with those joints stuck that static "
     "friction\n"
     "can hold; with --hold it stays where it is. Prints what friction it takes there with every "
     "joint "
     "stuck, and\n"
     "the interval of each input or parameter of --interval in which nothing moves.",
     equilibrium_command},
    {"kinematics", "FILE", true, KINEMATICS, "print how joints move where motions decide it",
     "Prints positions, velocities and accelerations of all joints of FILE, and its outputs, as a "
     "table\n"
     "over time, where prescribed motions decide how everything moves; or while the joint of "
     "--driven\n"
     "moves from --from to --to with velocity 1. No forces: masses, springs and friction do not "
     "matter.",
     kinematics_command},
    {"assemble", "FILE", true, ASSEMBLE, "print the initial state with its loops closed",
     "Changes the initial positions and velocities of FILE until loops and couplings are closed, "
     "as every run\n"
     "begins: exact ones not at all, preferred ones where free ones alone cannot do it. Prints "
     "what was\n"
     "asked for and what came of it; with --write it is written into a copy of FILE.",
     assemble_command},
    {"range", "FILE", true, RANGE, "print how far joints move when one is driven",
     "Drives the joint of --driven of FILE both ways from where it stands, until loops let it go "
     "no\n"
     "farther or --from and --to are reached. Prints its dead centres, how far every joint moves,\n"
     "and how fast: the largest and smallest ratios dq/dq_driven, and where. No forces.",
     range_command},
    {"compare", "FILE", true, COMPARE, "simulate with one friction law after the other",
     "Simulates the mechanism of FILE with each of --laws on its joints with friction, and prints "
     "what each "
     "makes of\n"
     "them: where they end and whether they rest there, when they first move, against stiction, "
     "which is "
     "the\n"
     "reference; and what it costs. What the laws need follows from the friction of the file. With "
     "--output\n"
     "also writes NAME.LAW.csv, a table of each run, and NAME.JOINT.svg, its position with all "
     "laws;\n"
     "with --record NAME.LAW.nc too, which 'detent report' takes together.",
     compare_command},
    {"write", "FILE", true, WRITE, "write the mechanism as a file again",
     "Reads the mechanism of FILE (- reads standard input) and writes what was read as a mechanism "
     "file:\n"
     "parameters with the values of --set, numbers in SI units, chains link by link, tables of CSV "
     "files\n"
     "number by number, without comments. It reads as the same mechanism, to the last bit. On "
     "standard\n"
     "output, or with --output into a file, which appears when it is complete.",
     write_command},
    {"import", "FILE", true, IMPORT, "make a mechanism file of a robot",
     "Reads a robot from a URDF or MJCF file (- reads standard input) and writes a mechanism file. "
     "Says line\n"
     "by line what is not in there. Bodies that no joint moves against each other are one, "
     "limits are\n"
     "stops, friction is stiction.",
     import_command},
    {"report", "RECORD...", true, REPORT, "make a page that shows runs",
     "Reads records (detent run --record) and writes one page that shows them, which any browser "
     "opens\n"
     "without a network: the mechanisms as they move, plots, events with their causes, the stories "
     "of the\n"
     "searches, energies. Several records stand side by side. NAME.html where NAME is that of the "
     "first one.",
     report_command},
    {"outputs", "RECORD [OUTPUT]...", true, OUTPUTS, "print outputs of a run that is over",
     "Reads a record (detent run --record) and prints a table of outputs that the run need not "
     "have\n"
     "been asked for: any expression that outputs of a file may be, or the name of an output that "
     "the\n"
     "file has; without any all of these. The mechanism is the one in the record.",
     outputs_command},
    {"plot", "RESULT...", true, PLOT, "draw outputs of runs over time",
     "Draws outputs over time, a panel each, with events and bands of modes, into NAME.svg or "
     "where "
     "--output\n"
     "says, as SVG or PNG. RESULT is a record (NAME.nc), a table (NAME.csv), or a directory with "
     "one\n"
     "table; several lie over each other.",
     plot_command},
    {"animate", "RECORD", true, ANIMATE, "write a run as an animation for other programs",
     "Reads a record (detent run --record) and writes NAME.glb: glTF 2.0, with the shapes of "
     "bodies "
     "and\n"
     "how they move, which Blender, browsers and viewers of 3-D models open. Bodies without shapes "
     "are sticks.",
     animate_command},
    {"version", NULL, false, VERSION, "print the version", "Prints the version.", version_command},
    {"help", "[COMMAND]", false, HELP, "print help on a command",
     "Prints the commands, or what there is to know about one.", help_command},
    {0},
};

static const char *const solvers[] = {"tree", "dense", NULL};
static const char *const integrators[] = {"ida", "erk", "auto", "euler", "rk4", "fixed", NULL};
static const char *const locked_words[] = {"weld", "constrain", NULL};
static const char *const event_formats[] = {"csv", "jsonl", NULL};
static const char *const bases[] = {"as-is", "fixed", "floating", NULL};

#define PLACE(member) offsetof(cli_options, member)

const option option_table[] = {
    {"output", 'o', OPTION_TEXT, "PATH", RUN, PLACE(output), NULL,
     "where results go: a directory (existing, or ending in /), the path of NAME,\n"
     "or - for the table alone on standard output, as on any device or pipe"},
    {"output", 'o', OPTION_TEXT, "PATH", WRITE, PLACE(output), NULL,
     "the file to write, in place of standard output (-); what stood there is replaced, and it\n"
     "may be FILE itself"},
    {"output", 'o', OPTION_TEXT, "PATH", OUTPUTS, PLACE(output), NULL,
     "the table, in place of standard output (-); what stood there is replaced"},
    {"output", 'o', OPTION_TEXT, "PATH", PLOT, PLACE(output), NULL,
     "the picture, PATH.svg or PATH.png; what stood there is replaced"},
    {"outputs", 0, OPTION_TEXT, "NAMES", PLOT, PLACE(outputs), NULL,
     "what to draw, with commas between them: columns of tables, any outputs of records; all\n"
     "where not given"},
    {"size", 0, OPTION_TEXT, "WIDTHxHEIGHT", PLOT, PLACE(picture), NULL,
     "of the picture, px; where not given 960, and as high as is good for its panels"},
    {"font", 0, OPTION_POSITIVE, "NUMBER", PLOT, PLACE(font), NULL, "size of letters, px; 13"},
    {"output", 'o', OPTION_TEXT, "PATH", ANIMATE, PLACE(output), NULL,
     "the file, PATH.glb; what stood there is replaced"},
    {"set", 's', OPTION_PARAMETER, "NAME=VALUE", RUN | CHECK | ANALYSIS | COMPARE | WRITE, 0, NULL,
     "change a parameter of the file; may be repeated"},
    {"output", 'o', OPTION_TEXT, "DIRECTORY", COMPARE, PLACE(output), NULL,
     "write tables and plots there; it is made if need be"},
    {"output", 'o', OPTION_TEXT, "PATH", IMPORT, PLACE(output), NULL,
     "the mechanism file; what stood there is replaced; - is standard output, as where not given"},
    {"base", 0, OPTION_CHOICE, "as-is|fixed|floating", IMPORT, PLACE(base), bases,
     "the first body stands on the ground or on a free joint; as the file says where not given:\n"
     "a URDF on the ground, MJCF as its free joints are"},
    {"without", 0, OPTION_TEXT, "WORDS", IMPORT, PLACE(without), NULL,
     "leave out limits, friction, damping, armature, actuators; with commas between them"},
    {"keyframe", 0, OPTION_TEXT, "NAME", IMPORT, PLACE(keyframe), NULL,
     "of MJCF: where joints start; in the reference configuration where not given"},
    {"balance", 0, OPTION_FLAG, NULL, IMPORT, PLACE(balance), NULL,
     "give bodies the inertia of a ball where theirs is one that no real body has"},
    {"laws", 0, OPTION_TEXT, "NAMES", COMPARE, PLACE(laws), NULL,
     "friction laws, with commas between them, each perhaps with its own integrator:\n"
     "LAW@INTEGRATOR; all where not given"},
    {"joints", 0, OPTION_TEXT, "NAMES", COMPARE, PLACE(joints), NULL,
     "the joints, with commas between them; all with friction where not given"},
    {"law-key", 0, OPTION_KEY, "KEY=VALUE", COMPARE, 0, NULL,
     "a key of friction laws, in place of the file's; may be repeated"},
    {"velocity", 0, OPTION_POSITIVE, "NUMBER", COMPARE, PLACE(velocity), NULL,
     "m/s or rad/s: velocity_band and breakaway_velocity where the file gives none"},
    {"stretch", 0, OPTION_POSITIVE, "NUMBER", COMPARE, PLACE(stretch), NULL,
     "m or rad: of bristles, where the file gives no stiffness"},
    {"command", 0, OPTION_TEXT, "NAME", COMPARE, PLACE(signal), NULL,
     "an output of the file: how much of it moves each joint, its resolution"},
    {"moved", 0, OPTION_POSITIVE, "NUMBER", COMPARE, PLACE(moved), NULL,
     "m or rad: how far a joint is when it has moved; where not given a thousandth of the way\n"
     "that it makes with stiction"},
    {"end", 0, OPTION_NUMBER, "TIME", RUN | COMPARE, PLACE(end), NULL, "time at which to stop, s"},
    {"at", 0, OPTION_NUMBER, "TIME", AT_A_TIME, PLACE(at), NULL,
     "time of the run to look at, s; its start where not given"},
    {"outputs", 0, OPTION_TEXT, "NAMES", LINEARIZE | KINEMATICS, PLACE(outputs), NULL,
     "outputs of the file, with commas between them; all where not given"},
    {"write", 0, OPTION_TEXT, "PATH", ASSEMBLE, PLACE(write), NULL,
     "write a copy of the file with the assembled state in its section `initial`; what stood\n"
     "at the path is replaced"},
    {"branches", 0, OPTION_FLAG, NULL, ASSEMBLE, PLACE(branches), NULL,
     "all assemblies with the same positions of exact joints, those with a motion and those of\n"
     "--keep, as far as a search finds them"},
    {"keep", 0, OPTION_TEXT, "NAMES", ASSEMBLE, PLACE(driven), NULL,
     "joints that stay where they are, with commas between them: of --branches"},
    {"motion", 0, OPTION_TEXT, "PATH", INVERSE, PLACE(motion), NULL,
     "a table (CSV; - is standard input) with columns time, and position(J), velocity(J)\n"
     "and acceleration(J) of joints; the forces are printed as a table then"},
    {"driven", 0, OPTION_TEXT, "NAMES", INVERSE, PLACE(driven), NULL,
     "joints with drives, with commas between them: as many as loops leave free;\n"
     "where not given those that the table has columns of, without loops all"},
    {"driven", 0, OPTION_TEXT, "NAME", KINEMATICS, PLACE(driven), NULL,
     "a joint without a motion of its own that is moved; time stands still"},
    {"from", 0, OPTION_NUMBER, "NUMBER", KINEMATICS, PLACE(from), NULL,
     "the first time, s, or position of the driven joint, rad or m; where not given that of\n"
     "the start"},
    {"to", 0, OPTION_NUMBER, "NUMBER", KINEMATICS, PLACE(to), NULL,
     "the last one; of time that of the file where not given"},
    {"step", 0, OPTION_POSITIVE, "NUMBER", KINEMATICS, PLACE(step), NULL,
     "between two rows; of time the interval of the file where not given"},
    {"driven", 0, OPTION_TEXT, "NAME", RANGE, PLACE(driven), NULL,
     "the joint that moves the others; without a motion of its own"},
    {"from", 0, OPTION_NUMBER, "NUMBER", RANGE, PLACE(from), NULL,
     "its lowest position, rad or m; where not given a full turn below, or ten sizes of the\n"
     "mechanism"},
    {"to", 0, OPTION_NUMBER, "NUMBER", RANGE, PLACE(to), NULL, "its highest one; likewise above"},
    {"hold", 0, OPTION_FLAG, NULL, INVERSE | EQUILIBRIUM, PLACE(hold), NULL,
     "at rest where it is: velocities and accelerations zero"},
    {"stiction", 0, OPTION_FLAG, NULL, EQUILIBRIUM, PLACE(stiction), NULL,
     "joints stay stuck where static friction can hold them"},
    {"interval", 0, OPTION_TEXT, "NAMES", EQUILIBRIUM, PLACE(held_inputs), NULL,
     "inputs, or parameters that laws read, with commas between them"},
    {"interval", 0, OPTION_POSITIVE, "TIME", RUN | COMPARE, PLACE(interval), NULL,
     "time between two rows, s"},
    {"rtol", 0, OPTION_POSITIVE, "NUMBER", RUN | COMPARE, PLACE(rtol), NULL, "relative tolerance"},
    {"atol", 0, OPTION_POSITIVE, "NUMBER", RUN | COMPARE, PLACE(atol), NULL,
     "absolute tolerance, SI units"},
    {"max-step", 0, OPTION_POSITIVE, "TIME", RUN | COMPARE, PLACE(max_step), NULL,
     "longest step of the integrator, s"},
    {"linear-solver", 0, OPTION_CHOICE, "tree|dense", RUN, PLACE(linear_solver), solvers,
     "elimination along the tree, or the full matrix"},
    {"integrator", 0, OPTION_CHOICE, "ida|erk|auto|euler|rk4|fixed", RUN, PLACE(integrator),
     integrators,
     "implicit, for stiff mechanisms too, or explicit, with cheap restarts, or the\n"
     "cheaper of the two as measured in the run; or with fixed steps, of first or\n"
     "fourth order, or in which joints stick exactly, which need a --step"},
    {"step", 0, OPTION_POSITIVE, "TIME", RUN | COMPARE, PLACE(step), NULL,
     "length of fixed steps, s"},
    {"max-solves", 0, OPTION_POSITIVE, "NUMBER", RUN, PLACE(max_solves), NULL,
     "solves that a step of `fixed` may take to find its modes"},
    {"locked-joints", 0, OPTION_CHOICE, "weld|constrain", RUN, PLACE(locked_joints), locked_words,
     "bodies behind locked joints move as one, or each joint is a constraint"},
    {"events-format", 0, OPTION_CHOICE, "csv|jsonl", RUN, PLACE(events_format), event_formats,
     "of the event log: NAME.events.csv or NAME.events.jsonl"},
    {"trace-search", 0, OPTION_FLAG, NULL, RUN, PLACE(trace_search), NULL,
     "tell the story of every search of modes, in NAME.search.txt\n"
     "(on standard error where the table is the only result)"},
    {"record", 0, OPTION_FLAG, NULL, COMPARE, PLACE(records), NULL,
     "also write NAME.LAW.nc, everything of each run: NetCDF 4"},
    {"record", 0, OPTION_PERHAPS, "[PATH.nc]", RUN, PLACE(record), NULL,
     "write everything of the run into one file, NAME.nc where no path is given: NetCDF 4"},
    {"report", 0, OPTION_PERHAPS, "[PATH.html]", RUN, PLACE(report), NULL,
     "write a page that shows the run, NAME.html where no path is given"},
    {"output", 'o', OPTION_TEXT, "PATH", REPORT, PLACE(output), NULL,
     "the page; what stood there is replaced"},
    {"max-data", 0, OPTION_POSITIVE, "MB", RUN | REPORT, PLACE(max_data), NULL,
     "megabytes of data in the page, 20 where not given: rows are left out, but not those\n"
     "beside events, nor where something changes"},
    {"json", 0, OPTION_FLAG, NULL, RUN | CHECK | ANALYSIS | COMPARE, PLACE(json), NULL,
     "print JSON instead of text on standard output; what went wrong, too"},
    {"quiet", 'q', OPTION_FLAG, NULL,
     RUN | CHECK | ANALYSIS | COMPARE | WRITE | IMPORT | REPORT | PLOT | ANIMATE, PLACE(quiet),
     NULL, "print errors only: no progress, no summary, no warnings"},
    {"help", 'h', OPTION_FLAG, NULL,
     RUN | CHECK | ANALYSIS | COMPARE | WRITE | IMPORT | REPORT | OUTPUTS | PLOT | ANIMATE |
         VERSION | HELP | ANY_COMMAND,
     PLACE(help), NULL, "print help on the command"},
    {"version", 'V', OPTION_FLAG, NULL, VERSION | HELP | ANY_COMMAND, PLACE(version), NULL,
     "print the version"},
    {0},
};
