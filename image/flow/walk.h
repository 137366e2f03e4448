/* The walk through a function while it is decoded: what the parts of hiera_flow_decode share. */
#ifndef HIERA_IMAGE_WALK_H
#define HIERA_IMAGE_WALK_H

#include "flow.h"

typedef struct {
    HieraFlow *flow;
    const HieraFunctions *functions;
    HieraDecoder *decoder;
    guint32 **marks;     /* for each range: number of the instruction, from 1, that begins at each of its bytes */
    GArray *to_visit;    /* guint64 */
    GArray *unresolved;  /* HieraInstruction: jumps to pointers */
    GHashTable *lengths; /* address of a jump, as guint64 → guint: elements of its table, where all paths prove that */
} HieraWalk;

/* Return the instruction that begins at an address, NULL if none was decoded there. */
const HieraInstruction *hiera_walk_at(const HieraWalk *walk, guint64 address);

void hiera_flow_doubt(HieraFlow *flow, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Return the function without a name that has an address, NULL if there is none. */
HieraFunction *hiera_part_at(const HieraFunctions *functions, guint64 address);
/* Return the function without a name at the target of a jump if it is a part of the function that is walked through. */
HieraFunction *hiera_part_find(const HieraWalk *walk, guint64 target, gboolean by_table);

/* What a jump to a pointer is. */
typedef enum {
    HIERA_JUMP_TABLE,  /* the targets are known */
    HIERA_JUMP_OUT,    /* the pointer is no element of a table: the function ends with a call */
    HIERA_JUMP_UNKNOWN /* perhaps a table */
} HieraJumpKind;

/* Find where a jump goes.
 *
 * @param targets  receives guint64
 * @param doubt    receives why that is not certain, NULL if it is; to be freed with g_free */
HieraJumpKind hiera_jump_find(HieraWalk *walk, const HieraInstruction *jump, GArray *targets, char **doubt);

/* Instructions before one, as they are executed: back by address, and back over the one jump that leads here.
 *
 * @param addresses  room for n_max of them, the nearest first
 * @param taken      for each: whether it is a branch that is taken
 * @return how many */
guint hiera_walk_before(const HieraWalk *walk, guint64 address, guint64 *addresses, gboolean *taken, guint n_max);

#endif
