/* hiera-transform, which hiera-run starts when the command has ended. */
#pragma once

/* Return the path of hiera-transform. Exits with an error that says what needs it if it is not there. */
char *hiera_transform_find(const char *needs);
/* Run hiera-transform, alone, with standard error as its output: that of the command is left as it is.
 * @param words  its words, NULL-terminated. @return its status, as from wait() */
int hiera_transform_run(char **words);
