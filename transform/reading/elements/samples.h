/* Reads samples of threads (hieraSamples, hieraSampled, hieraSample). */
#pragma once

#include "reading/context/read_context.h"

/* Note a program or library of the trace, to which code addresses of samples can belong. */
void hiera_samples_note_object(HieraReadContext *context, const char *name, const char *build, const char *path);

/* Read a hieraSamples: data about a thread. @param period_ns  becomes the time between two of its samples */
HieraSampled hiera_samples_read_thread(HieraReadContext *context, const HieraAttributes *attributes, gint64 *period_ns);

/* Read a hieraSampled. @return the call path of its samples: its name appended to `around`; interned */
const char *hiera_samples_read_path(HieraReadContext *context, const HieraAttributes *attributes, const char *around,
                                    gboolean *in_mpi);

/* Read a hieraSample, except thread and path, which the caller sets. @return FALSE if its number of samples is 0 */
gboolean hiera_samples_read_place(HieraReadContext *context, const HieraAttributes *attributes, gint64 period_ns,
                                  HieraSampled *sampled);
