/* Ids and declarations of an archive's communicators, as traces have them. */
#pragma once

#include "rank.h"

/* Return the id that a communicator (next: a window) has in the trace of a rank; it will be declared there. */
const char *hiera_otf2_comm_id(HieraOtf2Rank *rank, const HieraOtf2Archive *archive, OTF2_CommRef comm);
const char *hiera_otf2_window_id(HieraOtf2Rank *rank, const HieraOtf2Archive *archive, OTF2_RmaWinRef window);
/* Return the number of ranks in a communicator; 1: it is not known. */
guint64 hiera_otf2_comm_size(const HieraOtf2Archive *archive, OTF2_CommRef ref);
/* Append, as XML, the declarations of the communicators that the rank's operations use. */
void hiera_otf2_comms_write(const HieraOtf2Rank *rank, const HieraOtf2Archive *archive, guint32 world_rank,
                            GString *out);
