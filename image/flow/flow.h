/* The flow of control inside a function: instructions, blocks, calls, loops. */
#pragma once

#include "image/code/decoder.h"
#include "image/graph/flow_graph.h"
#include "image/object/functions.h"

/* A basic block: instructions that are executed one after the other; only the last one may jump. */
typedef struct {
    guint64 begin, end;
    guint first, n; /* first: index in `instructions` of HieraFlow; n: number of instructions */
} HieraBlock;

typedef struct {
    guint64 address;
    guint64 target; /* address of the called function in this file, or else of the stub that is called; 0: not known */
    const char *name; /* name of the called function; NULL: not known */
    gboolean tail;    /* a tail call: the called function does not return here, but to the caller of this function */
    gboolean stays;   /* whether the called function never returns */
} HieraCall;

/* An edge that no instruction names: from a jump to an entry of its table, or from a call to its landing pad. */
typedef struct {
    guint64 from, to;
} HieraTableEdge;

typedef struct {
    const HieraFunctions *functions;
    const HieraFunction *function;
    HieraDecoder *decoder;
    GArray *instructions;  /* HieraInstruction, finally by range of the function (its own first), then by address */
    GArray *calls;         /* HieraCall, in the order of decoding; by block after hiera_flow_finish */
    GArray *table_edges;   /* HieraTableEdge: from a jump to a target in its jump table */
    GArray *landing_edges; /* HieraTableEdge: from a call to the code where an exception that leaves it continues */
    GArray *pointer_jumps; /* HieraPointerJump, of jump_values.h: jumps to pointers whose targets were found */
    GPtrArray *doubts;     /* char *: what is not certain about the function, and why */
    gboolean returns;
    HieraFunction *part;   /* a function without a name that is a part of this one (.cold), NULL if there is none */
    GArray *blocks;        /* HieraBlock; the entry is block 0 */
    HieraFlowGraph *graph; /* graph whose node i is block i */
    GPtrArray *loops;      /* HieraLoop *, each before the loops inside it */
} HieraFlow;

/* Follow the flow of control from the entry of a function.
 *
 * @return its instructions and calls; no blocks yet. To be freed with hiera_flow_free */
HieraFlow *hiera_flow_decode(const HieraFunctions *functions, const HieraFunction *function, HieraDecoder *decoder);
/* Find blocks, graph and loops. Afterwards `doubts` has all doubts about jumps to pointers. */
void hiera_flow_finish(HieraFlow *flow);
/* Add a doubt for each jump to a pointer whose targets are not certain; called by hiera_flow_finish. See proof.c. */
void hiera_flow_prove(HieraFlow *flow);
void hiera_flow_free(HieraFlow *flow);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraFlow, hiera_flow_free)

/* Return the block that contains an address, HIERA_NO_NODE if there is none. Call it after hiera_flow_finish. */
guint hiera_flow_block(const HieraFlow *flow, guint64 address);
