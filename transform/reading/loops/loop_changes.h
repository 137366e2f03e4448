/* Decodes changes of numbers in the calls of a loop: the attribute `values` of a `hieraVary`. */
#pragma once

#include "loop_bodies.h"
#include "loop_digits.h"

typedef struct {
    GString *text;
    HieraLoopDigits digits; /* the changes that were not decoded yet */
    HieraLoopGuess distance;
    guint64 call; /* index of the call with the next change, in the order of the loop's calls; G_MAXUINT64: none */
    guint64 last; /* index of the call with the last change, in the order of the loop's calls */
    const char *problem; /* error message about the changes; NULL: none */
} HieraLoopChanges;

void hiera_loop_changes_init(HieraLoopChanges *changes);
void hiera_loop_changes_clear(HieraLoopChanges *changes);
/* Prepare for a loop without changes. */
void hiera_loop_changes_reset(HieraLoopChanges *changes);
/* Prepare for a loop with these changes, of which call `last` has the last one. */
void hiera_loop_changes_set(HieraLoopChanges *changes, const HieraXmlAttribute *values, guint64 last);
/* Find the first change; to be called before the loop's first call is passed on. */
void hiera_loop_changes_begin(HieraLoopChanges *changes);
/* Change the numbers of the call with index changes->call, which is at this place, and find the next change. */
void hiera_loop_changes_apply(HieraLoopChanges *changes, HieraLoopPlace *place, const HieraPlaceNames *names);
