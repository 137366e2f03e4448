/* The processes of an OTF2 archive: the rank, the host and the threads of each. */
#pragma once

#include "definitions.h"

void hiera_otf2_processes_init(HieraOtf2Archive *archive);
void hiera_otf2_processes_clear(HieraOtf2Archive *archive);
/* Register callbacks for hosts, processes and threads; their user data is the archive. */
void hiera_otf2_processes_register(OTF2_GlobalDefReaderCallbacks *callbacks);
/* Set the locations of the main threads of ranks 0, 1, …. */
void hiera_otf2_processes_set_ranks(HieraOtf2Archive *archive, const guint64 *locations, guint32 n);
/* Sort all processes by rank. Return FALSE: there are none, or two have the same rank. */
gboolean hiera_otf2_processes_sort(HieraOtf2Archive *archive);
