/* What a `hieraBody` declares: places, each of which is a call of a loop. Hides how the call at a place changes from
 * turn to turn. */
#ifndef HIERA_READ_LOOP_BODIES_H
#define HIERA_READ_LOOP_BODIES_H

#include "dtd/loop_times.h"
#include "xml/xml_events.h"

typedef enum { HIERA_PLACE_CALL, HIERA_PLACE_BEGIN, HIERA_PLACE_END, HIERA_PLACE_LOOP } HieraPlaceKind;

#define HIERA_LOOP_STEPS 4 /* numbers in attributes that may grow */

/* Indices of the attributes that each call has; the others follow. */
enum { HIERA_PLACE_R, HIERA_PLACE_T, HIERA_PLACE_D, HIERA_PLACE_OWN };

typedef struct HieraLoopBody HieraLoopBody;

typedef struct HieraLoopPlace HieraLoopPlace;
struct HieraLoopPlace {
    HieraPlaceKind kind;
    HieraLoopBody *body;           /* LOOP */
    HieraLoopGuess gap, span;      /* of the time before the call and of its duration; LOOP: gap is of the turns */
    HieraXmlAttribute *attributes; /* of the `c`; the values of `t` and `d` are not set */
    guint n_attributes;
    GString **values;                       /* texts of the attributes but `t` and `d`, each with its own */
    HieraLoopGuess value[HIERA_LOOP_STEPS]; /* by how much these numbers change when they do */
    gint64 steps[HIERA_LOOP_STEPS];         /* by which the first numbers in the attributes after `d` grow */
    gpointer note;                          /* HieraXmlEvents: while the attributes stay the same */
    HieraLoopPlace *first; /* the call when this loop began anew inside another one; NULL: it was never another one */
    gboolean begins_anew;
};

struct HieraLoopBody {
    guint level;    /* 1: no loop inside */
    GArray *places; /* HieraLoopPlace */
};

HieraLoopBody *hiera_loop_body_new(void);
void hiera_loop_body_free(HieraLoopBody *body);
/* Return a place of a body, from 0. */
HieraLoopPlace *hiera_loop_body_place(const HieraLoopBody *body, guint i);
/* Append a place; valid until the next one. */
HieraLoopPlace *hiera_loop_body_add(HieraLoopBody *body, HieraPlaceKind kind);

/* Which names attributes of calls have: interned names of `r`, `t` and `d`; and those of attributes that do not belong
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
/* The call becomes that of another place. */
void hiera_loop_place_vary(HieraLoopPlace *place, const HieraPlaceNames *names, const HieraLoopPlace *other);
/* How many numbers its attributes have that may grow. */
guint hiera_loop_place_count_numbers(const HieraLoopPlace *place);
/* These numbers change once, and do not grow any more. Return FALSE if one cannot. */
gboolean hiera_loop_place_change(HieraLoopPlace *place, const HieraPlaceNames *names, const gint64 *by);
/* The loop of the body begins anew inside another one: its calls become those that they were then the last time. */
void hiera_loop_body_begin_anew(HieraLoopBody *body);
/* Before the call is told or varied, and after it: its numbers grow. */
void hiera_loop_place_reach(HieraLoopPlace *place, const HieraPlaceNames *names);
void hiera_loop_place_leave(HieraLoopPlace *place, const HieraPlaceNames *names);

#endif
