/* Changes of numbers in the calls of a loop: the `values` of a `hieraVary`. */
#ifndef HIERA_LOOP_CHANGES_H
#define HIERA_LOOP_CHANGES_H

#include "loop_bodies.h"
#include "loop_digits.h"

typedef struct {
    GString *text;
    HieraLoopDigits digits; /* what was not read of it */
    HieraLoopGuess distance;
    guint64 call;        /* index of the call that has the next change; G_MAXUINT64: none has */
    guint64 last;        /* and of that with the last one */
    const char *problem; /* NULL: none */
} HieraLoopChanges;

void hiera_loop_changes_init(HieraLoopChanges *changes);
void hiera_loop_changes_clear(HieraLoopChanges *changes);
/* A loop without changes. */
void hiera_loop_changes_reset(HieraLoopChanges *changes);
/* … with these, of which the call `last` has the last one. */
void hiera_loop_changes_set(HieraLoopChanges *changes, const HieraXmlAttribute *values, guint64 last);
/* Before the first call of the loop is told. */
void hiera_loop_changes_begin(HieraLoopChanges *changes);
/* The call changes->call is that of this place: change its numbers, and find the next one. */
void hiera_loop_changes_apply(HieraLoopChanges *changes, HieraLoopPlace *place, const HieraPlaceNames *names);

#endif
