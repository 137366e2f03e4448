/* Handlers of signals that end the process: they write the trace first. */
#ifndef HIERA_FATAL_SIGNALS_H
#define HIERA_FATAL_SIGNALS_H

/* Install the handlers. Called when the trace is open. */
void hiera_signals_arm(void);

#endif
