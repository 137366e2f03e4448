/* Communicators, windows and files of an archive. */
#pragma once

#include "otf2_writer.h"

/* Number communicators and windows, which events name. All processes call this. */
void hiera_otf2_number_communicators(HieraOtf2Writer *writer);
/* Write communicators and windows, when all locations are defined. */
void hiera_otf2_write_communicators(HieraOtf2Writer *writer);
