/*
 * What rows of the tables of elements and laws have to have (dynamics/element_table.h).
 */
#include "detent/detent.h"
#include "dynamics/element.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A law that may read forces is solved with the equation of motion, or asked for only when that is. */
static void laws_that_read_forces(void **state)
{
    (void)state;
    for (int role = 0; role < DT_LAW_ROLES; role++) {
        const unsigned traits = dt_law_kinds[role].traits;
        const dt_law law = {.role = (unsigned)role & 31};
        assert_true(!(traits & DT_LAW_IS_PUSH) || dt_law_is_drive(&law));
        assert_true(!(traits & DT_LAW_IS_ACTUATOR) || (traits & DT_LAW_IS_PUSH));
        /* its answer is injected, and so measured and prepared */
        const dt_element_kind *kind = dt_law_kinds[role].element;
        assert_true(!(traits & DT_LAW_IS_ANSWER) ||
                    (kind->prepare && kind->inject && kind->measure));
        assert_true(dt_elements[dt_law_kinds[role].number] == kind);
    }
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        const dt_element_kind *kind = dt_elements[k];
        assert_true(kind->law_count <= DT_ITEM_LAWS);
        for (int n = 0; kind->item && n < kind->law_count; n++) {
            const dt_law law = {.role = (unsigned)kind->role[n] & 31};
            assert_true(dt_law_may_read_forces(&law) || kind->item->laws[n].use < DT_USE_FORCE);
        }
    }
}

/* One that is none of these is refused: motions may not read forces, whoever has made the program. */
static void a_law_that_is_not_solved_is_refused(void **state)
{
    (void)state;
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}, b: {mass: 1}}\n"
        "joints:\n  x: {type: prismatic, base: ground, follower: a}\n"
        "  y: {type: prismatic, base: ground, follower: b, motion: 1}\n"
        "loads: {l: {body: a, force: [\"1*acceleration(x)\", 0, 0]}}\n";
    detent_mechanism *m = NULL;
    dt_arena arena;
    dt_system s;
    detent_error error = {.message = ""};
    const detent_status status = detent_mechanism_parse(text, strlen(text), "t", NULL, &m, &error);
    if (status) {
        fail_msg("%s", error.message);
    }
    dt_arena_init(&arena, NULL);
    assert_int_equal(dt_system_create(&arena, m, &s, &error), DETENT_OK);
    ((dt_primitive *)(size_t)m->primitives)[1].motion = m->loads[0].force[0];
    assert_int_equal(dt_system_create(&arena, m, &s, &error), DETENT_ERROR_ARGUMENT);
    assert_string_equal(error.message,
                        "a law of 'y' reads accelerations or forces, with which it is not solved");
    dt_arena_free(&arena);
    detent_mechanism_destroy(m);
}

/* Who ties says what every walk over rows asks for, and answers for each row; items that tie are a row each (dt_tie_rows()). */
static void conditions_are_whole(void **state)
{
    (void)state;
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        const dt_element_kind *kind = dt_elements[k];
        const dt_tie_kind *tie = kind->tie;
        assert_int_equal(kind->item && kind->item->ties, tie && kind->item);
        if (!tie) {
            continue;
        }
        assert_true(tie->name && tie->residuals && tie->changes && tie->update && tie->size &&
                    tie->open && (tie->error || tie->rows == 1));
        assert_true(tie->forces + tie->torques <= tie->rows);
        assert_non_null(tie->place);
        assert_true(tie->ends || tie->itself);     /* what is in no joint is told by itself */
        assert_true(!tie->apart || tie->includes); /* who is in the way of a pose */
        assert_true(!tie->slack || tie->term);
        assert_true(tie->rows <= kind->answer_count && (!kind->item || tie->rows == 1));
        assert_true(kind->answer_nodes && kind->prepare && kind->feel && kind->inject);
    }
}

static bool is_of_items(int variable)
{
    return dt_variable_is((dt_variable){(dt_variable_kind)variable, 0}, DT_OF_ITEMS);
}

/* What is read of items is evaluated by one element, and linearised by it, and that evaluates nothing else. */
static void readings_of_items_have_an_element(void **state)
{
    int found = 0, of_items = 0;
    (void)state;
    for (int variable = 0; variable < DT_VARIABLE_KINDS; variable++) {
        of_items += is_of_items(variable);
    }
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        const dt_element_kind *kind = dt_elements[k];
        assert_true(!kind->reading == !kind->reading_change);
        const bool has = kind->reading || (kind->line && kind->line->reading);
        assert_true(!kind->reading || !kind->line);
        assert_true(!has || (kind->item && kind->item->readings[1]));
        for (int variable = 0; has && variable < DT_VARIABLE_KINDS; variable++) {
            const bool own = dt_item_is_read(kind->item, (dt_variable_kind)variable);
            assert_true(!own || is_of_items(variable));
            found += own;
        }
    }
    assert_true(found > 0);
    assert_int_equal(found, of_items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_that_read_forces),
        cmocka_unit_test(a_law_that_is_not_solved_is_refused),
        cmocka_unit_test(conditions_are_whole),
        cmocka_unit_test(readings_of_items_have_an_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
