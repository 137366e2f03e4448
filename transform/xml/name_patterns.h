/* Patterns: the text of a name in a tag, as `<hieraMPI` or ` file="`, with the parser's pointer for the name. Hides
 * how a known pattern is recognised quickly: the two patterns that followed the previous one last are guessed, and
 * each is compared as a whole, not letter by letter. */
#pragma once

#include "xml_events.h"

typedef struct HieraNamePattern HieraNamePattern;
struct HieraNamePattern {
    const char *name;          /* name of the element or attribute: the parser's pointer for it */
    const char *text;          /* the name with the bytes before and after it, as in a tag */
    guint32 length, hash;      /* length in bytes and hash of `text` */
    guint64 bytes[2], use[2];  /* the first 16 bytes of `text`; mask of the bits that belong to it */
    HieraNamePattern *next[2]; /* guesses: the two patterns that followed this one last, with texts of up to 16 bytes */
    guint64 seen;              /* number of the last tag that had the pattern; used by the scanner */
    gboolean differs;          /* whether the attribute's value differs from call to call */
};

typedef struct HieraPatterns HieraPatterns;

/* @param intern     gives the parser's pointer for a name; `parser` is its first argument
 * @param differing  names of attributes whose values differ from call to call, terminated by NULL; may be NULL */
HieraPatterns *hiera_patterns_new(HieraXmlIntern intern, gpointer parser, const char *const *differing);
void hiera_patterns_free(HieraPatterns *patterns);
/* Read the pattern of an element at *at, which is a '<', and move *at to the byte after it. Return NULL if there is
 * no plain name, or if there are too many different patterns. */
HieraNamePattern *hiera_patterns_read_element(HieraPatterns *patterns, const char **at);
/* Read the pattern of an attribute at *at, which is a space, and move *at to the first byte of the value. Return NULL
 * in the same cases. @param before  the previous pattern of the tag */
HieraNamePattern *hiera_patterns_read_attribute(HieraPatterns *patterns, HieraNamePattern *before, const char **at);
