/* A body that a `hieraBody` declares: places, each of which is a call of a loop. Hides how the call at a place changes
 * from iteration to iteration. */
#pragma once

#include "dtd/loop_times.h"
#include "xml/xml_events.h"

typedef enum { HIERA_PLACE_CALL, HIERA_PLACE_BEGIN, HIERA_PLACE_END, HIERA_PLACE_LOOP } HieraPlaceKind;

#define HIERA_LOOP_STEPS 4 /* most numbers in attributes that may grow */

/* Indices of the attributes that each call has; the others follow. */
enum { HIERA_PLACE_R, HIERA_PLACE_T, HIERA_PLACE_D, HIERA_PLACE_OWN };

typedef struct HieraLoopBody HieraLoopBody;

typedef struct HieraLoopPlace HieraLoopPlace;
struct HieraLoopPlace {
    HieraPlaceKind kind;
    HieraLoopBody *body;           /* body of an inner loop, if the kind is LOOP */
    HieraLoopGuess gap, span;      /* time before the call, and its duration; LOOP: gap guesses the iteration count */
    HieraXmlAttribute *attributes; /* attributes of the `c`; the values of `t` and `d` are not set */
    guint n_attributes;
    GString **values;                       /* values of the attributes except `t` and `d`, one text each */
    HieraLoopGuess value[HIERA_LOOP_STEPS]; /* guesses for changes of these numbers */
    gint64 steps[HIERA_LOOP_STEPS];         /* steps by which the first numbers in the attributes after `d` grow */
    gpointer note;                          /* note of HieraXmlEvents, valid while the attributes stay the same */
    HieraLoopPlace *first; /* the call when the enclosing loop last began this loop; NULL: it never varied */
    gboolean begins_anew;
};

struct HieraLoopBody {
    guint level;    /* nesting depth: 1 if there is no loop inside */
    GArray *places; /* HieraLoopPlace */
};

HieraLoopBody *hiera_loop_body_new(void);
void hiera_loop_body_free(HieraLoopBody *body);
/* Return a place of a body, from 0. */
HieraLoopPlace *hiera_loop_body_place(const HieraLoopBody *body, guint i);
/* Append a place; valid until the next one. */
HieraLoopPlace *hiera_loop_body_add(HieraLoopBody *body, HieraPlaceKind kind);

/* Names of attributes of calls: interned names of `r`, `t` and `d`; and those of attributes that do not belong
 * to the call, ended by NULL. */
typedef struct {
    const char *own[HIERA_PLACE_OWN];
    const char *const *skip;
} HieraPlaceNames;

/* Set the attributes of a place.
 *
 * @param steps  HIERA_LOOP_STEPS numbers; NULL: all are 0 */
void hiera_loop_place_set(HieraLoopPlace *place, const HieraPlaceNames *names, const HieraXmlAttribute *attributes,
                          guint n, const gint64 *steps);
/* Replace the call of a place by that of another place. */
void hiera_loop_place_vary(HieraLoopPlace *place, const HieraPlaceNames *names, const HieraLoopPlace *other);
/* Return the number of numbers in its attributes that may grow. */
guint hiera_loop_place_count_numbers(const HieraLoopPlace *place);
/* Change these numbers once; they do not grow any more. Return FALSE if one cannot. */
gboolean hiera_loop_place_change(HieraLoopPlace *place, const HieraPlaceNames *names, const gint64 *by);
/* Restart the loop of the body inside another loop: its calls become those of its last start. */
void hiera_loop_body_begin_anew(HieraLoopBody *body);
/* Call reach before the call is passed on or varied, and leave after it: then its numbers grow. */
void hiera_loop_place_reach(HieraLoopPlace *place, const HieraPlaceNames *names);
void hiera_loop_place_leave(HieraLoopPlace *place, const HieraPlaceNames *names);
