/* A verdict from a child process: a crash and a run without end are verdicts as well. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#include "judge.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_child;

void child_start_clock(double seconds)
{
    if (is_child) {
        const double until = 2 * seconds, whole = floor(until);
        const struct itimerval limit = {
            .it_value = {.tv_sec = (time_t)whole, .tv_usec = (suseconds_t)(1e6 * (until - whole))}};
        setitimer(ITIMER_PROF, &limit, NULL); /* CPU time: others may use the machine too */
    }
}

static void conclude(int status, double seconds, verdict *v)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return;
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) {
        v->kind = VERDICT_HANG;
        snprintf(v->words, sizeof v->words, "the run does not answer for %g s", 2 * seconds);
    } else {
        v->kind = VERDICT_CRASH;
        snprintf(v->words, sizeof v->words, "ended by %s %d",
                 WIFSIGNALED(status) ? "signal" : "status",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
}

void judge_in_child(const trial *t, double seconds, verdict *v)
{
    verdict *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        perror("mmap");
        exit(2);
    }
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) {
        perror("fork");
        exit(2);
    }
    if (child == 0) {
        trial own = *t;
        own.script.seconds = seconds;
        is_child = true;
        judge(&own, shared);
        _exit(0);
    }
    int status;
    while (waitpid(child, &status, 0) < 0) {
    }
    *v = *shared;
    conclude(status, seconds, v);
    munmap(shared, sizeof *shared);
}
