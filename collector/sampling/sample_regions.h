/* Combines samples and records: each sample gets the region or the MPI call that was open at its time. With the
 * lock held. */
#pragma once

#include "sampled_thread.h"

/* Handle the samples in the ring, and the records up to them. */
void hiera_sample_regions_tell(HieraSampling *sampling);

/* The buffer of the thread was emptied. */
void hiera_sample_regions_rewind(HieraSampling *sampling);

/* Handle the samples in the ring, and close it. */
void hiera_sample_regions_close(HieraSampling *sampling);
