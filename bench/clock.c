#include "clock.h"

#include <stdlib.h>
#include <time.h>

double bench_cpu_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

double bench_per_call(void (*call)(void *), void *argument)
{
    enum { BATCHES = 9 };
    double time[BATCHES];
    size_t calls = 1;
    for (int batch = -1; batch < BATCHES;) {
        const double begin = bench_cpu_time();
        for (size_t k = 0; k < calls; k++) {
            call(argument);
        }
        const double spent = bench_cpu_time() - begin;
        if (batch >= 0) {
            time[batch++] = spent / (double)calls;
        } else if (spent >= 0.02) {
            batch = 0;
        } else {
            calls *= 2;
        }
    }
    return bench_median(time, BATCHES);
}
