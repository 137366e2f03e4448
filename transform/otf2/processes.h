/* The processes of an archive: which rank each is, on which host, with which threads. */
#pragma once

#include "definitions.h"

void hiera_otf2_processes_init(HieraOtf2Archive *archive);
void hiera_otf2_processes_clear(HieraOtf2Archive *archive);
/* Register callbacks for hosts, processes and threads; their user data is the archive. */
void hiera_otf2_processes_register(OTF2_GlobalDefReaderCallbacks *callbacks);
/* Note the locations of ranks 0, 1, …: the main threads of processes. */
void hiera_otf2_processes_set_ranks(HieraOtf2Archive *archive, const guint64 *locations, guint32 n);
/* Sort the processes by rank, when all is read. Return FALSE if there are none, or several of one rank. */
gboolean hiera_otf2_processes_sort(HieraOtf2Archive *archive);
