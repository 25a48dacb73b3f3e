/* The law of a cam and its derivatives at an instant (cam.h). */
#include "dynamics/cam.h"

static const dt_program *law_of(const dt_system *s, int item)
{
    return dt_cam_items(s->mechanism)->program[item];
}

void dt_cam_measure(const dt_system *s, int item, dt_cam *of)
{
    const dt_item_list *list = dt_cam_items(s->mechanism);
    double jet[3];
    of->row = dt_item_row(list, item);
    for (int k = 0; k < DT_CAM_JOINTS; k++) {
        of->node[k] = list->joint[DT_CAM_JOINTS * item + k];
        of->v[k] = s->tree->nodes[of->node[k]].v;
    }
    const double q = s->q[s->tree->nodes[of->node[DT_CAM_CAM]].q];
    dt_program_time_jet(law_of(s, item), q, NULL, s->registers, jet);
    of->h = jet[0];
    of->factor[DT_CAM_FOLLOWER] = 1;
    of->factor[DT_CAM_CAM] = -jet[1];
    of->bend = jet[2];
    of->speed = s->v[of->v[DT_CAM_CAM]];
}

double dt_cam_jerk(const dt_system *s, int item)
{
    enum { THIRD = 3 };
    const dt_program *law = law_of(s, item);
    const int cam = dt_cam_items(s->mechanism)->joint[DT_CAM_JOINTS * item + DT_CAM_CAM];
    dt_series q;
    if (law->is_constant) {
        return 0;
    }
    dt_series_constant(s->q[s->tree->nodes[cam].q], THIRD, &q);
    q.c[1] = dt_interval_point(1);
    dt_program_enclose(law, &q, NULL, THIRD, false, s->series);
    const dt_interval third = s->series[law->operation_count - 1].c[THIRD];
    return 6 * (0.5 * third.lo + 0.5 * third.hi);
}

double dt_cam_row_change(const dt_system *s, int item, const dt_cam *of, double dq, double dv)
{
    double change = -2 * of->bend * of->speed * dv;
    if (dq != 0) {
        const double fast = of->speed != 0 ? dt_cam_jerk(s, item) * of->speed * of->speed : 0;
        change -= (of->bend * s->a[of->v[DT_CAM_CAM]] + fast) * dq;
    }
    return change;
}
