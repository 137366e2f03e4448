/* Samples and records are gone through together: a sample gets the region or the MPI call that was open then. With the
 * lock held. */
#ifndef HIERA_SAMPLE_REGIONS_H
#define HIERA_SAMPLE_REGIONS_H

#include "sampled_thread.h"

/* Go through the samples that are there, and through the records up to them. */
void hiera_sample_regions_tell(HieraSampling *sampling);

/* The buffer of the thread was emptied. */
void hiera_sample_regions_rewind(HieraSampling *sampling);

/* Go through the samples that are there, and close the ring. */
void hiera_sample_regions_close(HieraSampling *sampling);

#endif
