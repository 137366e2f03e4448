/* Handlers of signals that end the process; they write the trace first. */
#pragma once

/* Install the handlers of fatal signals. Called when the trace is open. */
void hiera_signals_arm(void);
