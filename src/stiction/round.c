/*
 * One round of the search: the laws make the boxes, the boxes are settled, where laws read loads in
 * sweeps.
 */
#include "stiction/coupled.h"

detent_status dt_round_settle(dt_search *search)
{
    if (search->limits_couple) {
        return dt_sweep_loads(search);
    }
    detent_status status = dt_round_read_laws(search);
    if (status == DETENT_OK) {
        dt_couple(search, search->drive_couples ? DT_BOXES_GIVEN : DT_BOXES_APART);
        status = dt_round_settle_boxes(search);
        dt_couple(search, DT_BOXES_APART);
    }
    if (status == DETENT_OK && search->has_tests && !search->drive_couples) {
        dt_system_set_acceleration(search->system, search->box.a, search->box.f);
    }
    return status;
}
