/* Communicators of an archive as declarations and ids of traces. */
#pragma once

#include "rank.h"

/* Return the id of a communicator, or of a window, in the trace of a rank, and note that it is used. */
const char *hiera_otf2_comm_id(HieraOtf2Rank *rank, const HieraOtf2Archive *archive, OTF2_CommRef comm);
const char *hiera_otf2_window_id(HieraOtf2Rank *rank, const HieraOtf2Archive *archive, OTF2_RmaWinRef window);
/* Return the number of ranks of a communicator; 1 if it is not known. */
guint64 hiera_otf2_comm_size(const HieraOtf2Archive *archive, OTF2_CommRef ref);
/* Append the declarations of the used communicators, as XML. */
void hiera_otf2_comms_write(const HieraOtf2Rank *rank, const HieraOtf2Archive *archive, guint32 world_rank,
                            GString *out);
