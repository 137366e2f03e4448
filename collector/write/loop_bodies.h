/* The bodies of loops that a trace file knows: sequences of tokens that came several times in a row (HIERA_FOLD).
 *
 * A token is a call, or the begin or the end of one with others inside. Tokens of the same kin may share a place of
 * a body; what they differ in, besides times, is written beside the loop (hieraVary). A place may be a loop itself.
 * A body is declared in the file before the first loop that has it. Memory is limited: if there is no room, all bodies
 * are dropped and found again. */
#ifndef HIERA_LOOP_BODIES_H
#define HIERA_LOOP_BODIES_H

#include "dtd/loop_times.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HIERA_BODY_PLACES = 4096, /* at most in a body */
    HIERA_BODY_LEVELS = 8,    /* loops inside each other */
    HIERA_EXTRA_MAX = 120,    /* bytes of the attributes of a call beside its declaration */
    HIERA_STEPS = 4,          /* numbers in them that may grow */
    HIERA_GRAM = 4            /* places by which a sequence is found */
};

typedef enum HieraLoopTokenKind {
    HIERA_LOOP_TOKEN_CALL,
    HIERA_LOOP_TOKEN_BEGIN,
    HIERA_LOOP_TOKEN_END,
    HIERA_LOOP_TOKEN_LOOP
} HieraLoopTokenKind;

/* What a call is but for its times: its declaration, and attributes beside it. */
typedef struct HieraVariant {
    uint32_t number; /* of the declaration */
    uint32_t length;
    const char *extra; /* ` name="value"`, as in the file; not terminated */
} HieraVariant;

/* By how much the first numbers of a variant grow from turn to turn. */
typedef struct HieraSteps {
    int64_t by[HIERA_STEPS];
} HieraSteps;

/* A call as a place knows it. */
typedef struct HieraPlaceCall {
    uint32_t number, length; /* number: 0 is unlike any call */
    char *extra;             /* HIERA_EXTRA_MAX bytes, NULL if no call had any */
    HieraSteps steps;        /* numbers in `extra` grow in each turn */
} HieraPlaceCall;

typedef struct HieraBodyPlace {
    uint64_t symbol, kin; /* of the last call here, and of all calls here (loop_find.h) */
    uint8_t kind;         /* HieraLoopTokenKind */
    uint32_t body;        /* LOOP: which */
    HieraLoopGuess gap,
        span; /* from the time before to the start, and the duration; LOOP: gap is the number of turns */
    HieraLoopGuess value[HIERA_STEPS]; /* by how much its numbers change when they do */
    HieraPlaceCall call;               /* what is expected here, and ... */
    HieraPlaceCall first;              /* ... when this loop begins anew inside another one: as the last time, */
    bool begins_anew;                  /* which it does */
} HieraBodyPlace;

typedef struct HieraBody {
    struct HieraBody *next; /* of those that begin alike */
    uint32_t index;         /* in the bodies */
    uint32_t id;            /* in the file: unique in the process */
    uint32_t level;         /* 1: no loop inside */
    uint32_t n;
    bool is_declared;
    HieraBodyPlace places[];
} HieraBody;

typedef struct HieraBodies HieraBodies;

/* NULL if there is no memory. */
HieraBodies *hiera_bodies_make(void);
void hiera_bodies_free(HieraBodies *bodies);

/* Drop all bodies. */
void hiera_bodies_forget(HieraBodies *bodies);

/* Is there hardly any room left? */
bool hiera_bodies_are_full(const HieraBodies *bodies);

HieraBody *hiera_bodies_get(const HieraBodies *bodies, uint32_t index);

/* Begin a body of n places; NULL if there is no room. The caller fills `places`, and then lets it be found. */
HieraBody *hiera_bodies_new(HieraBodies *bodies, uint32_t n);
void hiera_bodies_enter(HieraBodies *bodies, HieraBody *body);

/* The first body that may begin with these symbols, of which there are n: compare `places`, and go on with `next`. */
HieraBody *hiera_bodies_first(const HieraBodies *bodies, const uint64_t *symbols, uint32_t n);

/* A body that has these HIERA_GRAM symbols somewhere, and where; NULL if none has. */
HieraBody *hiera_bodies_inside(const HieraBodies *bodies, const uint64_t *symbols, uint32_t *place);

/* Expect this call. Returns false if there is no memory: then it is like no call. */
bool hiera_place_expect(HieraPlaceCall *call, HieraVariant variant, HieraSteps steps);

/* The loop of this body begins anew inside another one. */
void hiera_body_begin_anew(HieraBody *body);

/* Before a call at this place. Is it the one that is expected? */
bool hiera_body_place_reach(HieraBodyPlace *place, HieraVariant variant);

/* Is it, as nearly always, the only one that this place had? Then the place need not be reached nor left. */
static inline bool hiera_body_place_is_plain(const HieraBodyPlace *place, HieraVariant variant)
{
    return variant.length == 0 && place->call.length == 0 && place->call.number == variant.number &&
           place->first.length == 0 && place->first.number == variant.number;
}

/* After it: its numbers grow. */
void hiera_body_place_leave(HieraBodyPlace *place);

/* By how much the numbers in `b` are greater than those in `a`, if they differ in nothing else; else all are 0. */
HieraSteps hiera_variant_steps(HieraVariant a, HieraVariant b);

/* The same for the call that is expected at a place, whose numbers are counted. Returns false if there is another
 * difference than in these. */
bool hiera_place_differs_in_numbers(const HieraBodyPlace *place, HieraVariant variant, HieraSteps *by, unsigned *n);

/* How many of the steps must be known: those behind are 0. */
unsigned hiera_steps_count(HieraSteps steps);

static inline uint64_t hiera_loop_symbol(uint32_t id)
{
    return (uint64_t)id << 2 | HIERA_LOOP_TOKEN_LOOP;
}

#endif
