/* What is reported of the end of a process: where it is, and what was drawn on the way there. */
#ifndef HIERA_EXECUTION_ENDS_H
#define HIERA_EXECUTION_ENDS_H

#include "walk/process.h"

/* A function, as users write it. To be freed */
char *hiera_function_text(const HieraExecution *execution, guint graph);
/* Where a vertex is, as --decide takes it: main.c:17, or libfoo.so.1:0x1234. To be freed */
char *hiera_place_text(const HieraExecution *execution, guint vertex);
/* The last decisions that a process has drawn, and how to decide them; "" if there are none. To be freed */
char *hiera_drawn_text(const HieraProcess *process);

#endif
