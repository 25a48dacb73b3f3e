/* Sums of vectors as integrators ask for them: those of SUNDIALS to the last bit, whichever vector they are written to (solver/vector.h). */
#include "solver/vector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

enum { MOST = 18, LONGEST = 9 };

/** As many vectors of ours and of SUNDIALS with the same numbers. */
typedef struct pairs {
    dt_arena arena;
    SUNContext context;
    N_Vector own[MOST], plain[MOST];
} pairs;

static void fill(pairs *p)
{
    for (int i = 0; i < MOST; i++) {
        for (int k = 0; k < LONGEST; k++) {
            const double x = sin(1.7 * i + 0.3 * k * k) * pow(10, (i + 2 * k) % 5 - 2);
            NV_DATA_S(p->own[i])[k] = NV_DATA_S(p->plain[i])[k] = x;
        }
    }
}

static int set_up(void **state)
{
    static pairs p;
    dt_arena_init(&p.arena, NULL);
    p.context = dt_sundials_context();
    dt_vector_family *family = dt_vector_family_create(&p.arena, p.context, LONGEST, MOST);
    for (int i = 0; i < MOST; i++) {
        p.own[i] = dt_vector_create(family);
        p.plain[i] = N_VNew_Serial(LONGEST, p.context);
    }
    *state = &p;
    return 0;
}

static int tear_down(void **state)
{
    pairs *p = *state;
    for (int i = 0; i < MOST; i++) {
        N_VDestroy(p->own[i]);
        N_VDestroy(p->plain[i]);
    }
    SUNContext_Free(&p->context);
    dt_arena_free(&p->arena);
    return 0;
}

static void test_combinations_are_those_of_sundials(void **state)
{
    pairs *p = *state;
    double factors[MOST];
    for (int i = 0; i < MOST; i++) {
        factors[i] = i % 4 == 0 ? 1 : cos(2.3 * i) / 3;
    }
    for (int count = 1; count <= MOST; count++) {
        for (int to = 0; to < MOST; to += to == 0 && count < MOST ? count : MOST) {
            fill(p);
            assert_int_equal(N_VLinearCombination(count, factors, p->own, p->own[to]), 0);
            assert_int_equal(N_VLinearCombination_Serial(count, factors, p->plain, p->plain[to]),
                             0);
            assert_memory_equal(NV_DATA_S(p->own[to]), NV_DATA_S(p->plain[to]),
                                LONGEST * sizeof(double));
        }
    }
}

static void test_only_the_length_in_use_is_written(void **state)
{
    pairs *p = *state;
    const double factors[] = {1, 2, 3};
    double c[3];
    memcpy(c, factors, sizeof c);
    for (int length = 0; length <= LONGEST; length++) {
        fill(p);
        NV_LENGTH_S(p->own[5]) = length;
        N_VLinearCombination(3, c, p->own, p->own[5]);
        for (int k = 0; k < LONGEST; k++) {
            const double *x = NV_DATA_S(p->own[0]), *y = NV_DATA_S(p->own[1]),
                         *z = NV_DATA_S(p->own[2]);
            const double sum = x[k] + 2 * y[k] + 3 * z[k];
            assert_true(NV_DATA_S(p->own[5])[k] == (k < length ? sum : NV_DATA_S(p->plain[5])[k]));
        }
    }
    NV_LENGTH_S(p->own[5]) = LONGEST;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_combinations_are_those_of_sundials),
        cmocka_unit_test(test_only_the_length_in_use_is_written),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
