/* Make text of a trace safe for terminals, JSON and CSV. A trace can contain any character that XML allows. Free the
 * results with g_free.
 *
 * Deceptive characters are those that a terminal executes, and those that hide or reorder text. */
#pragma once

/* Replace deceptive characters (those that a terminal executes, or that hide text) by U+FFFD. */
char *hiera_text_printable(const char *text);
/* Format a JSON string, with its quotes; characters that a terminal executes or that hide text are escaped. */
char *hiera_text_json(const char *text);
/* Format a CSV cell, quoted if necessary. Deceptive characters other than line ends and tabs become U+FFFD. Text that
 * a spreadsheet would take for a formula gets an apostrophe before it. */
char *hiera_text_csv(const char *text);
/* Format a path: its steps with " > " between them. Steps are escaped, so that the separator occurs only between
 * them: a '>' at the start of a step or after a space gets a backslash, and so does a backslash.
 *
 * @param path  steps separated by HIERA_PATH_SEPARATOR */
char *hiera_text_path(const char *path);
/* Make any bytes a text that XML allows: invalid UTF-8 and characters that XML forbids become U+FFFD. */
char *hiera_text_of_bytes(const char *bytes);
