/* Combines samples and records: each sample gets the region or the MPI call that was open at its time. With the
 * lock held. */
#pragma once

#include "sampled_thread.h"

/* Move the samples in the thread's ring into its tree, and walk over the records up to the last of these samples. */
void hiera_sample_regions_tell(HieraSampling *sampling);

/* Prepare for new records: the thread's buffer was written and is used again from its begin. */
void hiera_sample_regions_rewind(HieraSampling *sampling);

/* Move the samples in the thread's ring into its tree, and close the ring. */
void hiera_sample_regions_close(HieraSampling *sampling);
