/* Texts about the end of a process: its place, and the decisions that were drawn before. */
#pragma once

#include "walk/process.h"

/* Return the name of a function as users write it. To be freed */
char *hiera_function_text(const HieraExecution *execution, guint graph);
/* Return the place of a vertex, in the form of --decide: main.c:17, or libfoo.so.1:0x1234. To be freed */
char *hiera_place_text(const HieraExecution *execution, guint vertex);
/* Return the last decisions that a process has drawn, with the options that would decide them; "" if there are none. To
 * be freed */
char *hiera_drawn_text(const HieraProcess *process);
