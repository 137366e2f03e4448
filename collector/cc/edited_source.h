/* Sources whose assertions have become declarations, in temporary files. */
#ifndef HIERA_CC_EDITED_SOURCE_H
#define HIERA_CC_EDITED_SOURCE_H

#include "command_line.h"

typedef struct HieraEdited {
    const HieraInput *input;
    char *folder, *path; /* a folder with nothing but the file, which has the name of the source */
} HieraEdited;

typedef enum HieraEditing { HIERA_EDITED, HIERA_NOT_EDITED, HIERA_EDITING_REFUSED } HieraEditing;

/* Edit a source, if it has assertions. Messages are printed.
 *
 * @param compiler  asked where headers are
 * @param edited    becomes the temporary file, if the result is HIERA_EDITED */
HieraEditing hiera_edited_make(const HieraCommandLine *line, const HieraInput *input, const HieraWords *compiler,
                               HieraEdited *edited);

/* Copy it beside the output, for the user. */
void hiera_edited_keep(const HieraCommandLine *line, const HieraEdited *edited);

/* Remove the temporary file. */
void hiera_edited_remove(const HieraEdited *edited);

/* Make the standard input readable a second time, if a source is read from it. */
void hiera_edited_keep_stdin(void);

#endif
