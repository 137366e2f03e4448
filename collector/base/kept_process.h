/* Does the process live that has kept memory? Compiled into hiera-recover as well. */
#ifndef HIERA_KEPT_PROCESS_H
#define HIERA_KEPT_PROCESS_H

#include "kept_file.h"

#include <stdbool.h>

/* Fill in this process. */
void hiera_kept_process_read(HieraKeptProcess *process);

/* Does this one live? A process in another container with numbers of its own does not seem to. */
bool hiera_kept_process_lives(const HieraKeptProcess *process);

#endif
