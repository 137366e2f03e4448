/* Changes of numbers in the calls of a loop: the `values` of a `hieraVary`. */
#pragma once

#include "loop_bodies.h"
#include "loop_digits.h"

typedef struct {
    GString *text;
    HieraLoopDigits digits; /* the part that was not read yet */
    HieraLoopGuess distance;
    guint64 call;        /* index of the call with the next change; G_MAXUINT64: there is none */
    guint64 last;        /* index of the call with the last change */
    const char *problem; /* error message; NULL: none */
} HieraLoopChanges;

void hiera_loop_changes_init(HieraLoopChanges *changes);
void hiera_loop_changes_clear(HieraLoopChanges *changes);
/* Set up a loop without changes. */
void hiera_loop_changes_reset(HieraLoopChanges *changes);
/* Set up a loop with these changes; the call `last` has the last one. */
void hiera_loop_changes_set(HieraLoopChanges *changes, const HieraXmlAttribute *values, guint64 last);
/* Call it before the first call of the loop is passed on. */
void hiera_loop_changes_begin(HieraLoopChanges *changes);
/* Change the numbers of the call changes->call, which is that of this place, and find the next change. */
void hiera_loop_changes_apply(HieraLoopChanges *changes, HieraLoopPlace *place, const HieraPlaceNames *names);
