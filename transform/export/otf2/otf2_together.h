/* Lets several processes write one archive: each writes the event files of its own processors. */
#pragma once

#include "hiera_measure.h"
#include <otf2/otf2.h>

/* Tell libotf2 which processes write the archive; it then makes its folders. All processes call this.
 *
 * @param scope  must outlive the archive
 * @return FALSE in all of them if that is not possible */
gboolean hiera_otf2_begin_together(OTF2_Archive *archive, const HieraScope *scope);
