/* The flow of control inside a function: instructions, blocks, calls, loops. */
#ifndef HIERA_IMAGE_FLOW_H
#define HIERA_IMAGE_FLOW_H

#include "image/code/decoder.h"
#include "image/graph/flow_graph.h"
#include "image/object/functions.h"

/* Instructions that are executed one after the other; only the last one jumps. */
typedef struct {
    guint64 begin, end;
    guint first, n; /* instructions */
} HieraBlock;

typedef struct {
    guint64 address;
    guint64 target;   /* in this file; behind a stub, the function of this file with that name. 0: not known */
    const char *name; /* NULL: not known */
    gboolean tail;    /* it does not come back into this function, which ends with it */
    gboolean stays;   /* it never returns */
} HieraCall;

/* An edge that no instruction names: of a jump table, or from a call to its landing pad. */
typedef struct {
    guint64 from, to;
} HieraTableEdge;

typedef struct {
    const HieraFunctions *functions;
    const HieraFunction *function;
    HieraDecoder *decoder;
    GArray *instructions;  /* HieraInstruction; after decoding: the function's own range first, each range by address */
    GArray *calls;         /* HieraCall, in the order of decoding; by block after hiera_flow_finish */
    GArray *table_edges;   /* HieraTableEdge */
    GArray *landing_edges; /* HieraTableEdge: from a call to the code that an exception out of it goes on with */
    GArray *pointer_jumps; /* HieraPointerJump, of jump_values.h: jumps whose targets were found */
    GPtrArray *doubts;     /* char *: what of the function is not known for certain, and why */
    gboolean returns;
    HieraFunction *part;   /* a function without a name that is a part of this one, NULL if there is none */
    GArray *blocks;        /* HieraBlock; the entry is block 0 */
    HieraFlowGraph *graph; /* of blocks */
    GPtrArray *loops;      /* HieraLoop */
} HieraFlow;

/* Follow the flow of control from the entry of a function.
 *
 * @return its instructions and calls; no blocks yet. To be freed with hiera_flow_free */
HieraFlow *hiera_flow_decode(const HieraFunctions *functions, const HieraFunction *function, HieraDecoder *decoder);
/* Find blocks, graph and loops. Doubts of jumps to pointers are complete then. */
void hiera_flow_finish(HieraFlow *flow);
/* Add doubts for jumps to pointers of which it is not certain where they go; for hiera_flow_finish. See proof.c. */
void hiera_flow_prove(HieraFlow *flow);
void hiera_flow_free(HieraFlow *flow);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraFlow, hiera_flow_free)

/* Return the block that has an address, HIERA_NO_NODE if none has. After hiera_flow_finish. */
guint hiera_flow_block(const HieraFlow *flow, guint64 address);

#endif
