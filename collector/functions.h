/* Functions of programs that are compiled with -finstrument-functions: the level "function". */
#ifndef HIERA_FUNCTIONS_H
#define HIERA_FUNCTIONS_H

/* Read the settings. */
void hiera_functions_load(void);

#endif
