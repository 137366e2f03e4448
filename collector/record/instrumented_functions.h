/* Functions of programs that are compiled with -finstrument-functions: the level "function". */
#ifndef HIERA_INSTRUMENTED_FUNCTIONS_H
#define HIERA_INSTRUMENTED_FUNCTIONS_H

/* Read the settings. */
void hiera_functions_load(void);

/* A thread begins to record, by whatever call. */
void hiera_functions_attach(void);

#endif
