/* Calls of the full spelling that are like ones before: only what differs each time is read. Hides how one that was met
 * before is found: by a guess, what followed the last time, or by the text of what repeats. Its memory is bounded. */
#ifndef HIERA_REPEATS_H
#define HIERA_REPEATS_H

#include "arguments.h"
#include "words.h"

/* What calls have in common. */
typedef struct {
    HieraOperation operation; /* without place, times and requests */
    guint meanings;           /* how often ids had changed their meaning when it was read */
    gboolean requests;        /* it has some: they are read each time */
} HieraCommon;

typedef struct HieraRepeats HieraRepeats;

/* @param words  of attributes; must outlive it, as must the names */
HieraRepeats *hiera_repeats_new(const HieraWords *words);
void hiera_repeats_free(HieraRepeats *repeats);
/* What was kept of a call with the same element and attributes since ids changed their meaning, or NULL. If it is
 * found, the attributes that are read each time are put into `own`. */
const HieraCommon *hiera_repeats_find(HieraRepeats *repeats, HieraElement element, const HieraXmlAttribute *attributes,
                                      guint n, guint meanings, HieraAttributes *own);
/* Keep a call that was not found just now, if it is worth it. */
void hiera_repeats_keep(HieraRepeats *repeats, const HieraCommon *common);

#endif
