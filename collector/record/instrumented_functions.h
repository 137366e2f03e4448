/* Records the functions of programs that are compiled with -finstrument-functions: the level "function". */
#pragma once

/* Decide from the settings whether functions are recorded. */
void hiera_functions_load(void);

/* Prepare for the functions of a thread that begins to record. */
void hiera_functions_attach(void);
