/* Temporary copies of sources, in which assertions are replaced by declarations. */
#pragma once

#include "command_line.h"

typedef struct HieraEdited {
    const HieraInput *input;
    char *folder, *path; /* temporary folder that contains only the edited source, and path of that source */
} HieraEdited;

typedef enum HieraEditing { HIERA_EDITED, HIERA_NOT_EDITED, HIERA_EDITING_REFUSED } HieraEditing;

/* Edit a source, if it has assertions. Prints messages.
 *
 * @param compiler  is asked for its header folders
 * @param edited    becomes the temporary file, if the result is HIERA_EDITED */
HieraEditing hiera_edited_make(const HieraCommandLine *line, const HieraInput *input, const HieraWords *compiler,
                               HieraEdited *edited);

/* Copy the edited source beside the output, for the user. */
void hiera_edited_keep(const HieraCommandLine *line, const HieraEdited *edited);

/* Remove the temporary file and its folder. */
void hiera_edited_remove(const HieraEdited *edited);

/* Copy standard input into memory and read it from there, so that a source on it can be read twice. */
void hiera_edited_keep_stdin(void);
