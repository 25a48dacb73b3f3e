#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

/* A signal may come twice at once: from a terminal and from a program that passes it on. Only what comes later than
 * this, in seconds, means it. */
static const time_t patience = 1;

static volatile sig_atomic_t came;
static volatile time_t came_at;

static void take(int number)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!came) {
        came = number;
        came_at = now.tv_sec;
    } else if (now.tv_sec > came_at + patience) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

void interrupt_install(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction action;
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            action = (struct sigaction){.sa_handler = take, .sa_flags = SA_RESTART};
            sigemptyset(&action.sa_mask);
            sigaction(numbers[i], &action, NULL);
        }
    }
}

int interrupt_signal(void)
{
    return came;
}
