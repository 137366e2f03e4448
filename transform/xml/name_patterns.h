/* What the names in tags look like: `<hieraMPI` and ` file="`, each with its pointer from the parser. Hides how one
 * that was met before is recognised without looking at its letters one by one: by a guess, what followed the last time.
 */
#ifndef HIERA_NAME_PATTERNS_H
#define HIERA_NAME_PATTERNS_H

#include "xml_events.h"

typedef struct HieraPattern HieraPattern;
struct HieraPattern {
    const char *name;         /* the parser's pointer */
    const char *text;         /* with what stands before and behind it */
    guint32 length, hash;     /* of the text */
    guint64 bytes[2], use[2]; /* the text, if it has at most 16 bytes, and which bits of them count */
    HieraPattern *next[2];    /* attributes that followed it */
    guint64 seen;             /* for the scanner: in which tag */
    gboolean differs;         /* its value differs each time */
};

typedef struct HieraPatterns HieraPatterns;

/* @param differing  names of attributes whose values differ each time, ended by NULL; may be NULL */
HieraPatterns *hiera_patterns_new(HieraXmlIntern intern, gpointer parser, const char *const *differing);
void hiera_patterns_free(HieraPatterns *patterns);
/* Read the pattern of an element at *at (which is a '<'), moving it behind it. NULL if there is none that everybody
 * would read alike, or there have been too many different ones. */
HieraPattern *hiera_patterns_read_element(HieraPatterns *patterns, const char **at);
/* Likewise of an attribute (*at is a blank), up to the first byte of the value. `before`: what precedes it in the tag.
 */
HieraPattern *hiera_patterns_read_attribute(HieraPatterns *patterns, HieraPattern *before, const char **at);

#endif
