/*
 * The powers of all elements. What acts along joints and no kind has taken is actuation: Q less the forces of springs
 * and dampers, and whatever a prescribed motion takes.
 */
#include "dynamics/element.h"

static int last_of(const dt_tree *tree, int first)
{
    return first + DT_POWER_NODES < tree->node_count ? first + DT_POWER_NODES : tree->node_count;
}

/* Of what acts along the joints of some nodes. */
static void add_joints(dt_system *s, int first, double power[DT_WORKS])
{
    dt_joint_powers joints;
    joints.first = first;
    joints.end = last_of(s->tree, first);
    joints.start = s->tree->nodes[first].v;
    joints.power = power;
    const dt_node *last = &s->tree->nodes[joints.end - 1];
    const int count = last->v + last->type->nv - joints.start;
    memcpy(joints.force, s->Q + joints.start, (size_t)count * sizeof *joints.force);
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        if (dt_elements[k]->take_powers && dt_element_acts(s, k)) {
            dt_elements[k]->take_powers(s, &joints);
        }
    }
    for (int j = 0; j < count; j++) {
        power[DT_WORK_ACTUATION] += joints.force[j] * s->v[joints.start + j];
    }
}

void dt_powers(dt_system *s, double power[DT_WORKS])
{
    power[DT_WORK_FRICTION] = power[DT_WORK_DAMPING] = power[DT_WORK_ACTUATION] = 0;
    for (int first = 0; first < s->tree->node_count; first += DT_POWER_NODES) {
        add_joints(s, first, power);
    }
    for (int k = DT_ELEMENT_KINDS - 1; k >= 0; k--) { /* loads before gravity */
        if (dt_elements[k]->add_powers && dt_element_acts(s, k)) {
            dt_elements[k]->add_powers(s, power);
        }
    }
}
