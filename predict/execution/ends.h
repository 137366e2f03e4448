/* Texts that say where a process ended, and which decisions were made at random before. */
#pragma once

#include "walk/process.h"

/* Return a function's name without mangling, as users write it. To be freed with g_free. */
char *hiera_function_text(const HieraExecution *execution, guint graph);
/* Return file and line (or address) of a vertex, as --decide takes it: main.c:17, libfoo.so.1:0x1234. To be freed. */
char *hiera_place_text(const HieraExecution *execution, guint vertex);
/* Return the last decisions that a process has drawn, with the options that would decide them; "" if there are none. To
 * be freed */
char *hiera_drawn_text(const HieraProcess *process);
