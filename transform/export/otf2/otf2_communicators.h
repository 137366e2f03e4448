/* Communicators, windows and files of an archive. */
#pragma once

#include "otf2_writer.h"

/* Number communicators and windows, because events refer to them by number. All processes call this. */
void hiera_otf2_number_communicators(HieraOtf2Writer *writer);
/* Write the definitions of communicators and windows; call it after all locations are defined. */
void hiera_otf2_write_communicators(HieraOtf2Writer *writer);
/* Return the smallest number of ranks of the job that fits the processors and the communicators' members. */
guint32 hiera_otf2_count_ranks(const HieraTrace *trace);
