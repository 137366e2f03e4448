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
    HIERA_BODY_PLACES = 4096, /* maximum number of places (calls or inner loops) in the body of a loop */
    HIERA_BODY_LEVELS = 8,    /* maximum nesting depth of loops in loops */
    HIERA_EXTRA_MAX = 120,    /* maximum length of the attributes that a call has in addition to its declaration */
    HIERA_STEPS = 4, /* maximum number of numbers in these attributes that may grow from iteration to iteration */
    HIERA_GRAM = 4   /* number of consecutive places by whose hash a sequence is found */
};

typedef enum HieraLoopTokenKind {
    HIERA_LOOP_TOKEN_CALL,
    HIERA_LOOP_TOKEN_BEGIN,
    HIERA_LOOP_TOKEN_END,
    HIERA_LOOP_TOKEN_LOOP
} HieraLoopTokenKind;

/* A call without its times: number of its declaration, and the attributes that the declaration lacks. */
typedef struct HieraVariant {
    uint32_t number; /* number of the call's declaration */
    uint32_t length;
    const char *extra; /* these attributes, ` name="value"`, as in the file; `length` bytes without a NUL */
} HieraVariant;

/* By how much each of the first numbers in a variant's attributes grows from one iteration of the loop to the next. */
typedef struct HieraSteps {
    int64_t by[HIERA_STEPS];
} HieraSteps;

/* The call that is expected at a place of a body in the next iteration. */
typedef struct HieraPlaceCall {
    uint32_t number, length; /* number of the declaration, 0: no call can match; length of the attributes */
    char *extra; /* buffer of HIERA_EXTRA_MAX bytes for the call's attributes; NULL if no call at this place had any */
    HieraSteps steps; /* growth of the numbers in `extra` per iteration */
} HieraPlaceCall;

typedef struct HieraBodyPlace {
    uint64_t symbol, kin;              /* symbol of the last call at this place; kin of all calls here (loop_find.h) */
    uint8_t kind;                      /* a HieraLoopTokenKind */
    uint32_t body;                     /* index of the inner loop's body, if `kind` is LOOP */
    HieraLoopGuess gap, span;          /* guessed time since the previous call (LOOP: iterations); guessed duration */
    HieraLoopGuess value[HIERA_STEPS]; /* guesses of the changes of the attributes' numbers */
    HieraPlaceCall call;               /* the call that is expected in the next iteration */
    HieraPlaceCall first; /* call expected in the first iteration when the loop starts again inside another one */
    bool begins_anew;     /* true if the next iteration is the first one of the loop, so that `first` is expected */
} HieraBodyPlace;

typedef struct HieraBody {
    struct HieraBody *next; /* next body with the same hash of its first places */
    uint32_t index;         /* index of the body among those of the file */
    uint32_t id;            /* number of the body in the file; unique in the process */
    uint32_t level;         /* number of nested loops, with this one; 1: there is no loop in the body */
    uint32_t n;
    bool is_declared;
    HieraBodyPlace places[];
} HieraBody;

typedef struct HieraBodies HieraBodies;

/* Make an empty set of bodies for one trace file; NULL: no memory. */
HieraBodies *hiera_bodies_make(void);
void hiera_bodies_free(HieraBodies *bodies);

/* Drop all loop bodies of the file. */
void hiera_bodies_forget(HieraBodies *bodies);

/* Whether there is hardly any room for further loop bodies. */
bool hiera_bodies_are_full(const HieraBodies *bodies);

HieraBody *hiera_bodies_get(const HieraBodies *bodies, uint32_t index);

/* Begin a body of n places; NULL if there is no room. The caller fills `places`, and then makes it findable by
 * hiera_bodies_enter(). */
HieraBody *hiera_bodies_new(HieraBodies *bodies, uint32_t n);
void hiera_bodies_enter(HieraBodies *bodies, HieraBody *body);

/* Return the first in a list of loop bodies that may begin with these n symbols: compare `places`, follow `next`. */
HieraBody *hiera_bodies_first(const HieraBodies *bodies, const uint64_t *symbols, uint32_t n);

/* Return a loop body that may contain these HIERA_GRAM symbols; *place becomes the first one's place. NULL: none. */
HieraBody *hiera_bodies_inside(const HieraBodies *bodies, const uint64_t *symbols, uint32_t *place);

/* Store which call is expected at a place, and how its numbers grow. False: no memory, so no call will match. */
bool hiera_place_expect(HieraPlaceCall *call, HieraVariant variant, HieraSteps steps);

/* Note that the next iteration of this inner loop is its first one. */
void hiera_body_begin_anew(HieraBody *body);

/* Prepare for a call at this place of the body. Returns whether `variant` is the expected call. */
bool hiera_body_place_reach(HieraBodyPlace *place, HieraVariant variant);

/* Whether this place never had another call than `variant`, as is usual: then reach() and leave() are not needed. */
static inline bool hiera_body_place_is_plain(const HieraBodyPlace *place, HieraVariant variant)
{
    return variant.length == 0 && place->call.length == 0 && place->call.number == variant.number &&
           place->first.length == 0 && place->first.number == variant.number;
}

/* Let the numbers of the expected call grow, after a call at this place. */
void hiera_body_place_leave(HieraBodyPlace *place);

/* Return by how much the numbers in `b` exceed those in `a`; all 0 if the variants differ in anything else. */
HieraSteps hiera_variant_steps(HieraVariant a, HieraVariant b);

/* Compute by how much the numbers in `variant` exceed those of the call that is expected at a place; *n becomes how
 * many numbers the expected call has. Returns false if there is any other difference. */
bool hiera_place_differs_in_numbers(const HieraBodyPlace *place, HieraVariant variant, HieraSteps *by, unsigned *n);

/* Return how many steps there are up to the last one that is not 0. */
unsigned hiera_steps_count(HieraSteps steps);

static inline uint64_t hiera_loop_symbol(uint32_t id)
{
    return (uint64_t)id << 2 | HIERA_LOOP_TOKEN_LOOP;
}
