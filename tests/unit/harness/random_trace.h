/* Random traces as text, and random changes of them. They depend on the random numbers alone. */
#ifndef HIERA_RANDOM_TRACE_H
#define HIERA_RANDOM_TRACE_H

#include "dtd/names.h"
#include <glib.h>

#define RANDOM_TRACE_HEAD HIERA_TRACE_PROLOGUE

/* Make a trace with n elements below its root. Free it with g_string_free. */
GString *random_trace_make(GRand *random, guint n);
/* Change some bytes between two offsets: insert a piece of XML or a mistake, leave bytes out, or cut the text. */
void random_trace_mutate(GRand *random, GString *text, gsize from, gsize to);

#endif
