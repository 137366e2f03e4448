/* Files of dependencies (-MD) name the source of the user, not a temporary file. */
#ifndef HIERA_CC_DEPENDENCIES_H
#define HIERA_CC_DEPENDENCIES_H

#include "edited_source.h"

/* Put the name of the source in the place of its temporary file, in the file of dependencies that the compiler has
 * written, whatever it is called. */
void hiera_dependencies_mend(const HieraCommandLine *line, const HieraEdited *edited);

#endif
