/* The bodies of loops that a trace file knows: sequences of tokens that occurred several times in a row (HIERA_FOLD).
 *
 * A token is a call, or the begin or the end of a call with others inside. Tokens of the same kin may share a place of
 * a body; their differences, besides times, are written beside the loop (hieraVary). A place may be a loop itself.
 * A body is declared in the file before the first loop that uses it. Memory is limited: if there is no room, all bodies
 * are dropped and found again. */
#pragma once

#include "dtd/loop_times.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HIERA_BODY_PLACES = 4096, /* maximum number of places of a body */
    HIERA_BODY_LEVELS = 8,    /* maximum nesting depth of loops */
    HIERA_EXTRA_MAX = 120,    /* maximum length of the attributes of a call beside its declaration */
    HIERA_STEPS = 4,          /* maximum number of growing numbers in these attributes */
    HIERA_GRAM = 4            /* number of places by which a sequence is found */
};

typedef enum HieraLoopTokenKind {
    HIERA_LOOP_TOKEN_CALL,
    HIERA_LOOP_TOKEN_BEGIN,
    HIERA_LOOP_TOKEN_END,
    HIERA_LOOP_TOKEN_LOOP
} HieraLoopTokenKind;

/* A call without its times: its declaration, and the attributes beside it. */
typedef struct HieraVariant {
    uint32_t number; /* number of the declaration */
    uint32_t length;
    const char *extra; /* ` name="value"`, as in the file; not terminated */
} HieraVariant;

/* Growth of the first numbers of a variant from one turn (iteration) of the loop to the next. */
typedef struct HieraSteps {
    int64_t by[HIERA_STEPS];
} HieraSteps;

/* A call that is expected at a place. */
typedef struct HieraPlaceCall {
    uint32_t number, length; /* number of the declaration; 0: unlike any call */
    char *extra;             /* buffer of HIERA_EXTRA_MAX bytes for the attributes; NULL if no call had any */
    HieraSteps steps;        /* growth of the numbers in `extra` per turn */
} HieraPlaceCall;

typedef struct HieraBodyPlace {
    uint64_t symbol, kin; /* symbol of the last call here; kin of all calls here (loop_find.h) */
    uint8_t kind;         /* HieraLoopTokenKind */
    uint32_t body;        /* for LOOP: index of the body */
    HieraLoopGuess gap,
        span; /* gap: from the previous time to the start; span: duration. LOOP: gap is the number of turns */
    HieraLoopGuess value[HIERA_STEPS]; /* growth of its numbers at the times when they change */
    HieraPlaceCall call;               /* the expected call, and ... */
    HieraPlaceCall first;              /* call expected when this loop begins anew inside another one */
    bool begins_anew;                  /* true if the loop begins anew */
} HieraBodyPlace;

typedef struct HieraBody {
    struct HieraBody *next; /* next body with the same begin */
    uint32_t index;         /* index in the bodies of the file */
    uint32_t id;            /* id in the file; unique in the process */
    uint32_t level;         /* nesting level; 1: no loop inside */
    uint32_t n;
    bool is_declared;
    HieraBodyPlace places[];
} HieraBody;

typedef struct HieraBodies HieraBodies;

/* Make an empty set of bodies. NULL if there is no memory. */
HieraBodies *hiera_bodies_make(void);
void hiera_bodies_free(HieraBodies *bodies);

/* Drop all bodies. */
void hiera_bodies_forget(HieraBodies *bodies);

/* Whether hardly any room is left. */
bool hiera_bodies_are_full(const HieraBodies *bodies);

HieraBody *hiera_bodies_get(const HieraBodies *bodies, uint32_t index);

/* Begin a body of n places; NULL if there is no room. The caller fills `places`, and then makes it findable by
 * hiera_bodies_enter(). */
HieraBody *hiera_bodies_new(HieraBodies *bodies, uint32_t n);
void hiera_bodies_enter(HieraBodies *bodies, HieraBody *body);

/* Return the first body that may begin with these n symbols: compare `places`, and follow `next`. */
HieraBody *hiera_bodies_first(const HieraBodies *bodies, const uint64_t *symbols, uint32_t n);

/* Return a body that contains these HIERA_GRAM symbols, and the place where they begin; NULL if there is none. */
HieraBody *hiera_bodies_inside(const HieraBodies *bodies, const uint64_t *symbols, uint32_t *place);

/* Store the call that is expected at a place. Returns false if there is no memory: then no call matches it. */
bool hiera_place_expect(HieraPlaceCall *call, HieraVariant variant, HieraSteps steps);

/* The loop of this body begins anew inside another one. */
void hiera_body_begin_anew(HieraBody *body);

/* Called before a call at this place. Returns whether it is the expected one. */
bool hiera_body_place_reach(HieraBodyPlace *place, HieraVariant variant);

/* Whether it is the only call that this place ever had, as usual. Then the place needs no reach and no leave. */
static inline bool hiera_body_place_is_plain(const HieraBodyPlace *place, HieraVariant variant)
{
    return variant.length == 0 && place->call.length == 0 && place->call.number == variant.number &&
           place->first.length == 0 && place->first.number == variant.number;
}

/* Called after a call at this place: its numbers grow. */
void hiera_body_place_leave(HieraBodyPlace *place);

/* Return by how much the numbers in `b` exceed those in `a`, if the variants differ in nothing else; else all are 0. */
HieraSteps hiera_variant_steps(HieraVariant a, HieraVariant b);

/* The same for the call that is expected at a place; *n becomes its number of numbers. Returns false if there is any
 * other difference. */
bool hiera_place_differs_in_numbers(const HieraBodyPlace *place, HieraVariant variant, HieraSteps *by, unsigned *n);

/* Return the number of steps up to the last one that is not 0. */
unsigned hiera_steps_count(HieraSteps steps);

static inline uint64_t hiera_loop_symbol(uint32_t id)
{
    return (uint64_t)id << 2 | HIERA_LOOP_TOKEN_LOOP;
}
