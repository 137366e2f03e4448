/* Text of a trace, which can hold any character that XML allows, as it may stand in a terminal, in JSON and in CSV. All
 * is to be freed. */
#ifndef HIERA_SAFE_TEXT_H
#define HIERA_SAFE_TEXT_H

/* Characters that a terminal obeys, or that hide or reorder text, become U+FFFD. */
char *hiera_text_printable(const char *text);
/* A string of JSON: the same characters are escaped. */
char *hiera_text_json(const char *text);
/* A cell of CSV, quoted if it must be: the same characters become U+FFFD (but line ends and tabs), and an apostrophe
 * stands before what a spreadsheet would take for a formula. */
char *hiera_text_csv(const char *text);
/* The steps of a path with " > " between them. No step contains that: a '>' at its begin or behind a blank has a
 * backslash before it, and a backslash another one. */
char *hiera_text_path(const char *path);
/* Bytes from elsewhere as a text that a trace can hold: what is no UTF-8, or no character of XML, becomes U+FFFD. */
char *hiera_text_of_bytes(const char *bytes);

#endif
