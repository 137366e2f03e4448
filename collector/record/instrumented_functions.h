/* Functions of programs that are compiled with -finstrument-functions: the level "function". */
#ifndef HIERA_INSTRUMENTED_FUNCTIONS_H
#define HIERA_INSTRUMENTED_FUNCTIONS_H

/* Read the settings. */
void hiera_functions_load(void);

/* Called when a thread begins to record. */
void hiera_functions_attach(void);

#endif
