/* Reads samples of threads (hieraSamples, hieraSampled, hieraSample). */
#pragma once

#include "reading/context/read_context.h"

/* Note an object of the trace in which sampled places may lie. */
void hiera_samples_note_object(HieraReadContext *context, const char *name, const char *build, const char *path);

/* Read a hieraSamples: data of the whole thread. @param period_ns  becomes the time between two samples */
HieraSampled hiera_samples_read_thread(HieraReadContext *context, const HieraAttributes *attributes, gint64 *period_ns);

/* Read a hieraSampled. @return the path of samples in it: its name appended to `around`; interned */
const char *hiera_samples_read_path(HieraReadContext *context, const HieraAttributes *attributes, const char *around,
                                    gboolean *in_mpi);

/* Read a hieraSample; the caller sets thread and path. @return FALSE if it has no samples */
gboolean hiera_samples_read_place(HieraReadContext *context, const HieraAttributes *attributes, gint64 period_ns,
                                  HieraSampled *sampled);
