/* Signals that end the process. */
#ifndef HIERA_FATAL_SIGNALS_H
#define HIERA_FATAL_SIGNALS_H

/* Take them over. Once the trace is open. */
void hiera_signals_arm(void);

#endif
