/* What hiera-cc and hiera-cc-parse agree on. */
#ifndef HIERA_CC_PARSE_H
#define HIERA_CC_PARSE_H

#include <stdbool.h>
#include <stddef.h>

/* Exit statuses of hiera-cc-parse. Others: it failed. */
enum {
    HIERA_PARSE_EDITED = 0,    /* the changed source is on standard output */
    HIERA_PARSE_REFUSED = 10,  /* there are errors, and messages */
    HIERA_PARSE_NOTHING = 11,  /* no assertion is left */
    HIERA_PARSE_NOT_READ = 12, /* libclang does not understand the source; a message says so */
};

/* Whether a text may have assertions: some line has `pragma`, in any spelling, and a word of ours. May find words in
 * comments. @param at  becomes the place of the pragma; may be NULL */
bool hiera_parse_has_words(const char *text, size_t length, size_t *at);

#endif
