/* Start tags that are like one before but for the values of attributes that differ each time (times, say): they are
 * recognised by their text, and nothing of them is looked at but those values. Hides how one is found: by a guess, what
 * followed the last time, or by the text that repeats. Its memory is bounded. */
#ifndef HIERA_TEMPLATES_H
#define HIERA_TEMPLATES_H

#include "name_patterns.h"

#define HIERA_GAPS 4 /* attributes of a tag that differ */

typedef struct {
    const HieraPattern *element;
    gboolean empty;
    HieraXmlAttribute *attributes; /* of the tag that was found last */
    guint n;
    gpointer note; /* the user's, for all tags like this one; freed with g_free */
} HieraTemplate;

/* A tag that was read letter by letter. */
typedef struct {
    const char *text, *end;
    const HieraPattern *element;
    gboolean empty;
    const HieraXmlAttribute *attributes;
    guint n, n_gaps;
    guint8 gaps[HIERA_GAPS]; /* which of the attributes differ */
} HieraTag;

typedef struct HieraTemplates HieraTemplates;

HieraTemplates *hiera_templates_new(void);
void hiera_templates_free(HieraTemplates *templates);
/* The template of the tag at *at, moving that behind it; NULL if it was not guessed. @param end  of the bytes, with
 * zeros behind it as in a window */
HieraTemplate *hiera_templates_guess(HieraTemplates *templates, const char **at, const char *end);
/* The template of a tag that was not guessed; NULL if there was none like it before. */
HieraTemplate *hiera_templates_find(HieraTemplates *templates, const HieraTag *tag);

#endif
