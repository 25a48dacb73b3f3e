/*
 * Switches with one border.
 *
 * A signal `fr: 2*sign(velocity(a) - velocity(b))` that acts on a and reacts on b is one law in two places, and weights of
 * their own would make the forces unequal. Where distances and their gradients are in proportion, d2 = r d1, the borders are
 * one, and there is one weight: w2 = w1, or 1 - w1 where r < 0. The first of such switches is in the list, the others are its
 * twins.
 */
#include "integrator/core.h"
#include "integrator/sliding.h"

#include <math.h>

static bool is_same(dt_variable a, dt_variable b)
{
    return a.kind == b.kind && a.index == b.index;
}

/* How many times the slope ga in a's variable k that in the same variable of b is; NAN where there is none. */
static double share_of(const dt_program *a, int k, double ga, const dt_program *b, const double *gb)
{
    double share = NAN;
    for (int j = 0; j < b->variable_count && isnan(share); j++) {
        share = is_same(a->variables[k], b->variables[j]) && gb[j] != 0 ? gb[j] / ga : NAN;
    }
    return share;
}

static int count_slopes(const dt_program *p, const double *gradient)
{
    int count = 0;
    for (int k = 0; k < p->variable_count; k++) {
        count += gradient[k] != 0;
    }
    return count;
}

/* How many times the distance of `first` that of `second` is; 0 where their borders are not one. */
static double ratio_of(const dt_simulation *sim, const dt_slide *first, const dt_slide *second)
{
    static const double alike = 1e-9; /* the rounding of gradients is far below that */
    const dt_sliding *sl = &sim->sliding;
    const dt_program *a = first->law->program, *b = second->law->program;
    double ratio = NAN;
    bool one = true;
    dt_law_switch_gradient(sl->system, first->law, first->index, sl->gradient);
    dt_law_switch_gradient(sl->system, second->law, second->index, sl->other);
    for (int k = 0; k < a->variable_count && one; k++) {
        if (sl->gradient[k] != 0) {
            const double share = share_of(a, k, sl->gradient[k], b, sl->other);
            ratio = isnan(ratio) ? share : ratio;
            one = fabs(share - ratio) <= alike * fabs(ratio);
        }
    }
    one = one && count_slopes(a, sl->gradient) == count_slopes(b, sl->other) &&
          fabs(second->distance - ratio * first->distance) <= second->tolerance;
    return one ? ratio : 0;
}

/* Whose twin it is, and the ratio; -1 where it is nobody's. */
static int find_first(const dt_simulation *sim, const dt_slide *slide, double *ratio)
{
    for (int i = 0; i < sim->sliding.count; i++) {
        *ratio = ratio_of(sim, &sim->sliding.of[i], slide);
        if (*ratio != 0) {
            return i;
        }
    }
    return -1;
}

void dt_sliding_add(dt_simulation *sim, const dt_slide *slide)
{
    dt_sliding *sl = &sim->sliding;
    double ratio;
    const int first = find_first(sim, slide, &ratio);
    if (first >= 0) {
        sl->twin[sl->twins++] = (dt_twin){.slide = *slide, .of = first, .ratio = ratio};
    } else {
        sl->of[sl->count++] = *slide;
    }
}

bool dt_sliding_is_listed(const dt_sliding *sl, const dt_law *law, int j)
{
    bool any = false;
    for (int i = 0; i < sl->count && !any; i++) {
        any = sl->of[i].law == law && sl->of[i].index == j;
    }
    for (int i = 0; i < sl->twins && !any; i++) {
        any = sl->twin[i].slide.law == law && sl->twin[i].slide.index == j;
    }
    return any;
}

/* The integer that a switch is nearest to; false where it has none, or is not between two branches. */
static bool find_border(const dt_simulation *sim, dt_slide *slide)
{
    static const double most = 1e9;
    const dt_sliding *sl = &sim->sliding;
    if (!dt_program_is_integer(slide->law->program, slide->index)) {
        return slide->plain.side == 1 || slide->plain.side == -1;
    }
    const double value = dt_law_switch_gradient(sl->system, slide->law, slide->index, sl->gradient);
    const bool known = slide->plain.side != DT_BRANCH_SLIDING &&
                       slide->plain.side != DT_BRANCH_LIVE && fabs(value) < most;
    slide->border = known ? (int)nearbyint(value) : 0;
    return known;
}

/* The quiet twins among the switches of a law. */
static void add_quiet(dt_simulation *sim, const dt_law *law)
{
    dt_sliding *sl = &sim->sliding;
    for (int j = 0; j < law->program->switch_count && sl->count + sl->twins < sl->most; j++) {
        const dt_branch branch = dt_law_branches(sl->system, law)[j];
        dt_slide slide = {.law = law, .index = j, .plain = branch};
        double ratio;
        if (dt_sliding_may(law, j) && !dt_sliding_is_listed(sl, law, j) &&
            find_border(sim, &slide) && dt_sliding_measure(sim, &slide)) {
            const int first = find_first(sim, &slide, &ratio);
            if (first >= 0) {
                sl->twin[sl->twins++] = (dt_twin){.slide = slide, .of = first, .ratio = ratio};
            }
        }
    }
}

void dt_sliding_add_quiet_twins(dt_simulation *sim)
{
    const dt_system *s = sim->sliding.system;
    for (int l = 0; l < s->law_count; l++) {
        add_quiet(sim, s->law[l]);
    }
}

dt_slide dt_sliding_twin(const dt_sliding *sl, int twin)
{
    const dt_slide *first = &sl->of[sl->twin[twin].of];
    const double ratio = sl->twin[twin].ratio;
    dt_slide slide = sl->twin[twin].slide;
    slide.side = ratio > 0 ? first->side : -first->side;
    slide.weight = ratio > 0 ? first->weight : 1 - first->weight;
    slide.distance = ratio * first->distance;
    slide.tolerance = fabs(ratio) * first->tolerance;
    slide.told = fabs(ratio) * first->told;
    slide.order = first->order;
    return slide;
}

void dt_sliding_remove(dt_simulation *sim, int i)
{
    dt_sliding *sl = &sim->sliding;
    int twins = 0;
    for (int k = 0; k < sl->twins; k++) {
        const dt_twin twin = sl->twin[k];
        if (twin.of == i) {
            dt_sliding_put_back(sim, &twin.slide);
        } else {
            sl->twin[twins] = twin;
            sl->twin[twins++].of -= twin.of > i;
        }
    }
    sl->twins = twins;
    dt_sliding_put_back(sim, &sl->of[i]);
    memmove(&sl->of[i], &sl->of[i + 1], (size_t)(sl->count - i - 1) * sizeof *sl->of);
    sl->count--;
}
