/* Functions of programs that are compiled with -finstrument-functions: the level "function". */
#pragma once

/* Read the settings. */
void hiera_functions_load(void);

/* Called when a thread begins to record. */
void hiera_functions_attach(void);
