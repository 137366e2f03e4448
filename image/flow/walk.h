/* The walk through a function while it is decoded: state shared by the files of hiera_flow_decode. */
#pragma once

#include "flow.h"

typedef struct {
    HieraFlow *flow;
    const HieraFunctions *functions;
    HieraDecoder *decoder;
    guint32 **marks;     /* by range, then by byte of the range: number (from 1) of the instruction that begins there */
    GArray *to_visit;    /* guint64: addresses still to be decoded */
    GArray *unresolved;  /* HieraInstruction: jumps to pointers that are not resolved yet */
    GHashTable *lengths; /* jump (guint64) → length of its table (guint), if all paths prove it */
} HieraWalk;

/* Return the instruction that begins at an address, NULL if none was decoded there. */
const HieraInstruction *hiera_walk_at(const HieraWalk *walk, guint64 address);

void hiera_flow_doubt(HieraFlow *flow, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Return the function without a name that contains an address, NULL if there is none. */
HieraFunction *hiera_part_at(const HieraFunctions *functions, guint64 address);
/* Return the function without a name at the target of a jump if it is a part of the function that is being decoded. */
HieraFunction *hiera_part_find(const HieraWalk *walk, guint64 target, gboolean by_table);

/* Kinds of jumps to a pointer, by what was found about the targets. */
typedef enum {
    HIERA_JUMP_TABLE,  /* a jump table whose targets are known */
    HIERA_JUMP_OUT,    /* the pointer is not an element of a table: the jump is a call of another function */
    HIERA_JUMP_UNKNOWN /* targets not known: perhaps a jump table that was not found */
} HieraJumpKind;

/* Find where a jump goes.
 *
 * @param targets  receives guint64
 * @param doubt    receives why the result is not certain, NULL if it is; to be freed with g_free */
HieraJumpKind hiera_jump_find(HieraWalk *walk, const HieraInstruction *jump, GArray *targets, char **doubt);

/* Find the instructions that are executed before one: back by address, and back over the only jump that leads here.
 *
 * @param addresses  room for n_max of them, the nearest first
 * @param taken      for each: whether it is a branch that is taken
 * @return their number */
guint hiera_walk_before(const HieraWalk *walk, guint64 address, guint64 *addresses, gboolean *taken, guint n_max);
