/* Corrects files of dependencies (-MD): these must name the user's source, not hiera-cc's temporary file. */
#pragma once

#include "edited_source.h"

/* In the file of dependencies that the compiler has written, replace the temporary file by the user's source. Finds
 * that file under all names that compilers give it. */
void hiera_dependencies_mend(const HieraCommandLine *line, const HieraEdited *edited);
