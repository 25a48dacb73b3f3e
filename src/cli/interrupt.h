/**
 * @file interrupt.h
 * SIGINT, SIGTERM and SIGHUP ask a run to stop; what is computed is kept. Another one some seconds later kills.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

/** A signal that the program was started with ignoring stays ignored. */
void interrupt_install(void);

/** The signal that came, or 0. */
int interrupt_signal(void);

#endif
