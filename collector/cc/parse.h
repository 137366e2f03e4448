/* What hiera-cc and hiera-cc-parse, the program that edits sources, agree on. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Exit statuses of hiera-cc-parse. Any other status means that hiera-cc-parse failed. */
enum {
    HIERA_PARSE_EDITED = 0,    /* the edited source is on standard output */
    HIERA_PARSE_REFUSED = 10,  /* the assertions have errors, and messages about them are printed */
    HIERA_PARSE_NOTHING = 11,  /* no valid assertion is left */
    HIERA_PARSE_NOT_READ = 12, /* libclang cannot parse the source, and a message says why */
};

/* Whether a text may have assertions: some line has `pragma`, in any form, and a word of Hiera. Also finds words in
 * comments. @param at  becomes the offset of the pragma; may be NULL */
bool hiera_parse_has_words(const char *text, size_t length, size_t *at);
