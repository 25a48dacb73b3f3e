/* Mechanisms that random search has found, cut down, each with what was wrong: every variant finishes, the invariants that
 * watch all runs hold, and those that need no more than the tolerance agree about the end. Some have no consistent state from some time on. */
#include "support_variants.h"

#include <dirent.h>

/**
 * `exact`: not sensitive, the end is the same within 1e-5 of the coordinates. `long_dense`: too long for the dense solver.
 * `ends`: what is said of it where the motion has no consistent state.
 */
static const struct {
    const char *file;
    bool exact, long_dense;
    const char *ends;
} found[] = {
    {"border_left_gently", true, false, NULL},
    {"loop_beside_a_moving_one", true, true, NULL},
    {"border_meets_rest", true, false, NULL},
    {"forces_pass_zero", false, false, NULL},
    {"friction_of_a_norm_slides", true, false, NULL},
    {"load_on_a_moving_border", true, false, NULL},
    {"load_that_slides", true, false, NULL},
    {"spring_near_its_rest", false, false, NULL},
    {"solution_that_ends", true, true, NULL},
    {"drawer_at_a_pole", false, false, NULL},
    {"solution_that_ends_beside", true, true, NULL},
    {"motion_pauses_at_a_switch", true, false, NULL},
    {"given_way_as_a_motion_begins", true, false, NULL},
    {"indexed_motion", true, false, NULL},
    {"indexed_with_weight", true, false, NULL},
    {"motion_pauses_at_an_extreme", true, false, NULL},
    {"force_of_nothing", true, false, NULL},
    {"loop_of_fourteen", true, false, NULL},
    {"branch_from_no_load", true, false, NULL},
    {"two_borders", true, false, NULL},
    {"limit_neared_in_motion", false, true, NULL},
    {"limit_reached_while_a_law_slides", true, false, NULL},
    {"border_inside_a_band", true, false, NULL},
    {"relay_beside_a_held_joint", true, false, NULL},
    {"friction_fades_while_a_law_slides", true, false, NULL},
    {"noise_of_a_sliding_law", true, false, NULL},
    {"released_while_a_relay_slides", true, true, NULL},
    {"mesh_carries_nothing", true, true, NULL},
    {"mesh_force_passes_zero", true, false, NULL},
    {"mesh_wedged", true, false, NULL},
    {"mesh_wedged_t", true, false, NULL},
    {"mesh_star_wedged", true, false, NULL},
    {"mesh_jams_before_a_bearing", true, false, NULL},
    {"mesh_limit_overshoots", true, false, NULL},
    {"norm_of_nothing_drives", true, false, NULL},
    {"limit_of_minus_zero", true, false, NULL},
    {"branch_of_a_reaction", true, false, NULL},
    {"kink_of_a_sliding_joint", true, false, NULL},
    {"stop_at_a_dead_centre", true, false, NULL},
    {"velocity_that_the_loop_takes", true, false, NULL},
    {"rows_exchanged_while_turning", true, false, NULL},
    {"kink_of_nothing", true, false, NULL},
    {"clamp_by_nothing", true, false, NULL},
    {"rounding_of_a_welded_joint", true, false, NULL},
    {"far_end_in_free_fall", true, true, NULL},
    {"loop_open_by_rounding", true, false, NULL},
    {"chain_at_a_dead_point", true, false, NULL},
    {"read_before_an_event", true, true, NULL},
    {"locked_while_a_relay_slides", true, false, NULL},
    {"loop_held_beside_others", true, true, NULL},
    {"loop_without_load", true, false, NULL},
    {"preferred_by_a_hair", true, false, NULL},
    {"geared_joints_stop", true, false, NULL},
    {"tiny_beside_turning", true, false, NULL},
    {"limit_passed_by_a_turn", true, false, NULL},
    {"looked_at_in_a_loop", true, false, NULL},
    {"two_come_to_rest", true, true, NULL},
    {"driven_back_at_the_start", true, false, NULL},
    {"gives_its_place", true, false, NULL},
    {"storm_where_motions_begin", true, false, NULL},
    {"border_left_late", true, false, NULL},
    {"reaction_beside_a_drive", true, false, NULL},
    {"rigid_loop_on_a_turning_body", true, false, NULL},
    {"share_at_its_box", true, false, NULL},
    {"reaction_of_rounding", true, false, NULL},
    {"mesh_at_rest_passes_zero", true, false, NULL},
    {"corrected_twice", false, true, NULL},
    {"remembers_what_is_rounding", true, false, NULL},
    {"motion_of_a_held_loop", true, true, NULL},
    {"turns_under_its_test", true, false, NULL},
    {"motion_begins_on_a_turning_body", true, false, NULL},
    {"looked_back_at", true, false, NULL},
    {"locked_triangle_turns", true, false, NULL},
    {"screw_turns_round", true, false, NULL},
    {"gimbal_passes_its_lock", false, true, NULL},
    {"shared_at_a_dead_centre", true, false, NULL},
    {"pressed_by_rounding", true, false, NULL},
    {"looked_back_near_a_meeting", true, false, NULL},
    {"lives_near_a_meeting", true, false, NULL},
    {"leaps_cut_short", true, false, NULL},
    {"leap_beside_faster_parts", true, false, NULL},
    {"norm_of_nothing_has_no_fold", true, false, NULL},
    {"leaves_its_stop_in_a_loop", true, false, NULL},
    {"trial_far_away", true, false, NULL},
    {"damping_that_is_not_there", true, false, NULL},
    {"place_that_is_rounding", true, false, NULL},
    {"locked_loop_at_a_stop", true, false, NULL},
    {"nominal_friction_of_a_reaction", true, false, NULL},
    {"second_solution_of_a_loop", true, false, NULL},
    {"table_left_behind", true, false, NULL},
    {"follows_a_fold_stiffly", true, true, "no accelerations satisfy all laws"},
    {"stays_closed_beside_a_stop", true, false, NULL},
    {"bearing_turns_round_near_a_meeting", true, false, "'j3' moving in reverse with friction"},
    {"friction_over_a_meeting", true, false, "no accelerations satisfy all laws, that of 'j5'"},
    {"kink_over_a_meeting", true, false, NULL},
    {"side_of_a_bound", true, false, NULL},
    {"dips_at_a_stop", true, false, NULL},
    {"stopped_at_a_dead_centre", true, false, NULL},
    {"relay_slides_after_a_flight", true, false, NULL},
    {"thrown_by_less_than_is_told", true, false, NULL},
    {"choice_within_a_step", true, false, NULL},
    {"begins_as_another_strikes", true, false, NULL},
    {"screw_beside_a_distant_stop", true, false, NULL},
    {"leaves_a_stop_by_rounding", true, false, NULL},
    {"mesh_friction_of_rounding", false, false, NULL},
    {"tooth_lets_go_beside_an_idle_mesh", true, false, NULL},
    {"tooth_lets_go_beside_a_held_mesh", true, false, NULL},
    {"freewheel_with_a_mesh_of_its_own", true, false, NULL},
    {"taper_left_without_a_push", true, false, NULL},
    {"relay_in_a_held_loop", true, false, NULL},
    {"hoist_lets_go", false, false, NULL},
    {"hook_leaves_its_stop", true, false, NULL},
    {"lands_as_another_sticks", true, false, NULL},
    {"leap_after_short_steps", false, false, NULL},
    {"held_where_others_set_out", false, false, NULL},
    {"middle_at_a_dead_centre", true, false, NULL},
    {"leaves_its_stop_slowly", true, false, NULL},
    {"gives_way_in_a_correction", true, false, NULL},
    {"thrown_as_a_motion_sets_out", true, false, NULL},
    {"held_by_a_law_in_a_loop", true, false, NULL},
    {"set_out_on_a_base_that_is_struck", true, true, NULL},
    {"flat_with_friction_of_its_reactions", true, false, NULL},
    {"test_friction_at_a_stop", true, false, NULL},
    {"limit_beside_its_stop", true, false, NULL},
    {"roots_fail_in_the_first_step", true, false, NULL},
    {"limit_beside_its_stop_storm", true, false, NULL},
    {"folds_a_hair_apart", true, false, NULL},
};

/** Of these runs the beginning alone is looked at, though where their steps fall hangs on their ends. */
static const struct {
    const char *file;
    double end; /* s */
} beginnings[] = {{"choice_within_a_step", 0.191}};

/** How far a run is followed whose file says `end`. */
static double followed(const char *file, double end)
{
    for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings; k++) {
        end = strcmp(beginnings[k].file, file) == 0 ? beginnings[k].end : end;
    }
    return end;
}

static void check_end(const char *file, variant v, const detent_mechanism *m, detent_simulation *s,
                      double *first, bool known)
{
    size_t count;
    double *state = runs_state(m, s, &count);
    for (size_t k = 0; k < count / 2 && k < 16; k++) {
        if (known && fabs(state[k] - first[k]) > 1e-5 * (1 + fabs(first[k]))) {
            fail_msg("%s, %s: coordinate %zu ends at %.9g, not at %.9g", file, variant_name(v), k,
                     state[k], first[k]);
        }
        first[k] = known ? first[k] : state[k];
    }
    free(state);
}

/** Some of them took millions of steps; the longest run now takes 43,796. */
static void check_cost(const char *file, variant v, detent_simulation *s)
{
    static const size_t most = 50000;
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_get_statistics(s, &statistics);
    if (runs_verbose()) {
        print_message("    %s, %s: %zu steps\n", file, variant_name(v), statistics.steps);
    }
    if (statistics.steps > most) {
        fail_msg("%s, %s: %zu steps", file, variant_name(v), statistics.steps);
    }
}

/** Runs on to where the motion has no consistent state, for that reason. */
static void check_ending(const char *file, variant v, detent_simulation *s, double end,
                         const char *reason)
{
    detent_error error;
    detent_status status;
    do {
        status = detent_advance(s, end, false, &error);
    } while (status == DETENT_EVENT);
    if (status != DETENT_NO_CONSISTENT_STATE || !strstr(error.message, reason)) {
        fail_msg("%s, %s: status %d at t = %.17g: %s", file, variant_name(v), status,
                 detent_time(s), error.message);
    }
}

static void what_was_found_stays_mended(void **state)
{
    UNUSED(state);
    for (size_t f = 0; f < sizeof found / sizeof *found; f++) {
        char path[1024];
        double first[16];
        bool known = false;
        detent_mechanism *m = NULL;
        detent_error error;
        snprintf(path, sizeof path, "%s/tests/found/%s.yaml", DETENT_SOURCE_DIR, found[f].file);
        runs_must(detent_mechanism_load(path, NULL, &m, &error), &error);
        detent_settings settings = DETENT_INIT(detent_settings);
        detent_mechanism_get_settings(m, &settings);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            if (v.linear_solver == DETENT_LINEAR_SOLVER_DENSE && found[f].long_dense) {
                continue;
            }
            detent_simulation *s = variant_start(m, v);
            if (found[f].ends) {
                check_ending(found[f].file, v, s, settings.end, found[f].ends);
            } else {
                variant_advance(s, v, followed(found[f].file, settings.end));
            }
            check_cost(found[f].file, v, s);
            if (found[f].exact) {
                check_end(found[f].file, v, m, s, first, known);
                known = true;
            }
            detent_simulation_destroy(s);
        }
        detent_mechanism_destroy(m);
    }
}

/** The state at the end, where somebody looks back at every event, or nobody. */
static void run_looking(const detent_mechanism *m, variant v, bool looks, double *state)
{
    detent_simulation *s = variant_start(m, v);
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_error error;
    size_t count;
    double forces[16];
    detent_mechanism_get_info(m, &info);
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(m, &settings);
    assert_true(info.freedoms <= 16 && info.coordinates <= 16);
    while (detent_advance(s, settings.end, looks, &error) == DETENT_EVENT) {
        runs_must(detent_read_before(s, DETENT_FORCES, forces, info.freedoms, &error), &error);
    }
    double *end = runs_state(m, s, &count);
    memcpy(state, end, info.coordinates * sizeof *state);
    free(end);
    detent_simulation_destroy(s);
}

static void look_back_at(const char *path)
{
    detent_mechanism *m = NULL;
    detent_error error;
    runs_must(detent_mechanism_load(path, NULL, &m, &error), &error);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        double looked[16] = {0}, blind[16] = {0};
        run_looking(m, variant_at(k), true, looked);
        run_looking(m, variant_at(k), false, blind);
        assert_memory_equal(looked, blind, sizeof looked);
    }
    detent_mechanism_destroy(m);
}

static void looking_back_changes_no_digit(void **state)
{
    UNUSED(state);
    look_back_at(DETENT_SOURCE_DIR "/tests/found/looked_back_at.yaml");
    look_back_at(DETENT_SOURCE_DIR "/tests/found/looked_back_near_a_meeting.yaml");
}

/** Every file of the folder is in the table above. */
static void nothing_is_left_out(void **state)
{
    UNUSED(state);
    DIR *folder = opendir(DETENT_SOURCE_DIR "/tests/found");
    assert_non_null(folder);
    size_t files = 0;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        bool listed = entry->d_name[0] == '.';
        files += !listed;
        for (size_t f = 0; f < sizeof found / sizeof *found && !listed; f++) {
            const size_t length = strlen(found[f].file);
            listed = strncmp(entry->d_name, found[f].file, length) == 0 &&
                     strcmp(entry->d_name + length, ".yaml") == 0;
        }
        if (!listed) {
            fail_msg("tests/found/%s is in no test", entry->d_name);
        }
    }
    closedir(folder);
    assert_int_equal(files, sizeof found / sizeof *found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_left_out),
                                       cmocka_unit_test(looking_back_changes_no_digit),
                                       cmocka_unit_test(what_was_found_stays_mended)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
