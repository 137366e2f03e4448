/* Several processes that write one archive: each has the files of events of its own processors. */
#ifndef HIERA_OTF2_TOGETHER_H
#define HIERA_OTF2_TOGETHER_H

#include "hiera_measure.h"
#include <otf2/otf2.h>

/* Tell libotf2 who writes the archive; it makes its folders then. All processes call this.
 *
 * @param scope  outlives the archive
 * @return FALSE in all of them if that is not possible */
gboolean hiera_otf2_begin_together(OTF2_Archive *archive, const HieraScope *scope);

#endif
