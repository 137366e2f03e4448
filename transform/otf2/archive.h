/* Reads the definitions of an OTF2 archive, once for all ranks. */
#pragma once

#include "definitions.h"

/* Read the definitions of an archive, or reuse those of the last call.
 *
 * @param error  the message does not name the file
 * @return  NULL with an error if they cannot be read; else release it with hiera_otf2_archive_unref() */
HieraOtf2Archive *hiera_otf2_archive_open(const char *path, GError **error);
void hiera_otf2_archive_unref(HieraOtf2Archive *archive);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraOtf2Archive, hiera_otf2_archive_unref)
