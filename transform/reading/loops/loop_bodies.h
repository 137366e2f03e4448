/* A body that a `hieraBody` declares: places, each of which is a call of a loop. Hides how the call at a place changes
 * from iteration to iteration. */
#pragma once

#include "dtd/loop_times.h"
#include "xml/xml_events.h"

typedef enum { HIERA_PLACE_CALL, HIERA_PLACE_BEGIN, HIERA_PLACE_END, HIERA_PLACE_LOOP } HieraPlaceKind;

#define HIERA_LOOP_STEPS 4 /* most numbers in a call's attributes that may grow from iteration to iteration */

/* Indices in HieraLoopPlace.attributes: `r`, `t` and `d` come first; other attributes begin at HIERA_PLACE_OWN. */
enum { HIERA_PLACE_R, HIERA_PLACE_T, HIERA_PLACE_D, HIERA_PLACE_OWN };

typedef struct HieraLoopBody HieraLoopBody;

typedef struct HieraLoopPlace HieraLoopPlace;
struct HieraLoopPlace {
    HieraPlaceKind kind;
    HieraLoopBody *body;           /* body of the inner loop, if the kind is LOOP; else NULL */
    HieraLoopGuess gap, span;      /* predictors: time before the call, its duration; LOOP: gap: iterations */
    HieraXmlAttribute *attributes; /* attributes of the call's `c`; values of `t` and `d` are set each time */
    guint n_attributes;
    GString **values;                       /* buffers for the values of `attributes`, by index; none for `t` and `d` */
    HieraLoopGuess value[HIERA_LOOP_STEPS]; /* predictors for decoding changes of the growing numbers */
    gint64 steps[HIERA_LOOP_STEPS]; /* what the first numbers in the attributes after `d` grow by per iteration */
    gpointer note;                  /* note of HieraXmlEvents.start, valid while the attributes stay the same */
    HieraLoopPlace *first;          /* the call when an outer loop last began this loop; NULL: it has not changed */
    gboolean begins_anew;
};

struct HieraLoopBody {
    guint level;    /* nesting depth of loops: 1 if it contains no loop */
    GArray *places; /* HieraLoopPlace, in the order of the body's tags */
};

HieraLoopBody *hiera_loop_body_new(void);
void hiera_loop_body_free(HieraLoopBody *body);
/* Return place number `i` of a body, from 0. */
HieraLoopPlace *hiera_loop_body_place(const HieraLoopBody *body, guint i);
/* Append a place to a body. The result is valid until the next place is appended. */
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
/* Replace the call at a place by the call at `other`, from this iteration on. */
void hiera_loop_place_vary(HieraLoopPlace *place, const HieraPlaceNames *names, const HieraLoopPlace *other);
/* Return how many numbers in the attributes of a place's call may grow. */
guint hiera_loop_place_count_numbers(const HieraLoopPlace *place);
/* Add `by` to the growing numbers, and end their growth. Return FALSE if a number cannot be changed. */
gboolean hiera_loop_place_change(HieraLoopPlace *place, const HieraPlaceNames *names, const gint64 *by);
/* Begin the loop again inside an outer loop: its calls become what they were when it began the last time. */
void hiera_loop_body_begin_anew(HieraLoopBody *body);
/* To be called before (reach) and after (leave) a place's call is passed on or replaced; leave makes numbers grow. */
void hiera_loop_place_reach(HieraLoopPlace *place, const HieraPlaceNames *names);
void hiera_loop_place_leave(HieraLoopPlace *place, const HieraPlaceNames *names);
