/* State of a copy that is being made, shared by copying.c, copy_instruction.c, copy_vector.c and
 * copy_exceptions.c. */
#pragma once

#include "copy.h"
#include "live.h"
#include "points.h"

/* A way of exceptions in the copied function, from a call to a landing pad. */
typedef struct {
    guint64 call, pad;
    guint32 at; /* position in the copy where the exception continues */
} HieraCopiedLanding;

/* What stands behind all else, where a jump leads that has a gap: the range of the function, and the place of the
 * original to which it belongs. */
typedef struct {
    guint range;
    HieraPlanPlace place;
    guint32 gap;
} HieraCopiedBehind;

/* What is seldom executed. Either an event, perhaps with the call that it is of, and where it goes on then; or the way
 * into the second copy of a loop that begins with a block. */
typedef struct {
    HieraCopiedBehind behind; /* first, as put_behind() wants it */
    guint32 back;
    guint kind, number; /* of the event */
    const HieraInstruction *call;
    guint loop, block; /* block: HIERA_NO_NODE: it is no such way */
    HieraCodeRoom room;
} HieraCopiedAside;

/* The events on a way out of a loop, to an address: a jump that is seldom taken leads there, as in the original, so
 * that those in the loop are as many as before. `doubled`: as in HieraCopying. */
typedef struct {
    HieraCopiedBehind behind;
    guint from, doubled;
    guint64 target;
} HieraCopiedExit;

/* A table of jumps whose elements, of four bytes, are relative to its address: that in the file, and the position of
 * the one that the copy has. */
typedef struct {
    guint64 address;
    guint n;
    guint32 at;
} HieraCopiedTable;

/* Find all tables of a function. None, if something other than jumps may depend on where they are. @return
 * HieraCopiedTable */
GArray *hiera_tables_find(const HieraFlow *flow);

/* A copied range: index of the range of the function, its places, the first move of the stack pointer (HieraCodeMove),
 * and begin and end of the copied code. */
typedef struct {
    guint range, first_place, n_places, first_move;
    guint32 begin, end;
} HieraCopiedRange;

typedef struct {
    HieraCopies *copies;
    HieraCodeOut *out;
    const HieraFlow *flow;
    HieraPoints points;
    guint function;
    HieraLive live;   /* what code that is added must not change */
    GArray *tables;   /* HieraCopiedTable: its tables of jumps; empty: it has none, or they stay as they are */
    gboolean stays;   /* what is written goes on in the original, with the tables that this has */
    guint32 *landed;  /* by block: position to which these tables lead */
    guint32 *blocks;  /* by block: position of the block in the copy; behind those, of its second copy (of a loop) */
    guint doubled;    /* number of the loop whose second copy is being written; HIERA_NO_NODE: none */
    guint range;      /* index of the range of the function that is being copied */
    GArray *events;   /* HieraPoint: events that are to be written at the current position */
    GArray *landings; /* HieraCopiedLanding, sorted by landing pad and call */
    GArray *asides;   /* HieraCopiedAside */
    GArray *exits;    /* HieraCopiedExit */
    GArray *ranges;   /* HieraCopiedRange */
    char *reason;     /* why the function cannot be copied; NULL: no reason found */
} HieraCopying;

/* Mark that the function cannot be copied; the first reason is kept. */
void hiera_copying_refuse(HieraCopying *copy, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* As hiera_copying_refuse(), for an instruction that was just decoded, which is named: by its mnemonic, or by its bytes
 * if nobody knows it. */
void hiera_copying_refuse_instruction(HieraCopying *copy, const HieraInstruction *instruction, const guint8 *bytes,
                                      const char *why);

/* Return the operand that is relative to the address of the instruction; NULL: there is none. */
const cs_x86_op *hiera_copying_relative(const cs_insn *raw);
/* Copy an instruction that was just decoded, with such an operand. */
void hiera_copying_put_relative(HieraCopying *copy, const HieraInstruction *instruction, const guint8 *bytes,
                                const cs_x86_op *operand);

/* Copy a vector instruction, by its bytes. */
void hiera_copying_put_vector(HieraCopying *copy, const HieraInstruction *instruction, const guint8 *bytes,
                              const HieraVector *vector);

/* Whether a number may be an address inside the function. What is in the middle of an instruction is none: compilers
 * add to the address of an array what an index has at least. */
gboolean hiera_copying_is_inside(const HieraCopying *copy, guint64 number);

/* Set `events` to those of an edge between blocks. @return  the block that it leads to in the copy, or behind all
 * blocks, in the second one. */
guint hiera_copying_edge(HieraCopying *copy, guint from, guint to);

/* Whether a loop of the function has a block. */
gboolean hiera_copying_has(const HieraCopying *copy, guint loop, guint block);

/* Write the events on a way out of a loop (HieraCopiedExit). They may add to `asides`. */
void hiera_copying_put_exit(HieraCopying *copy, const HieraCopiedBehind *behind);

/* Write one of what is seldom executed (HieraCopiedAside). */
void hiera_copying_put_aside(HieraCopying *copy, const HieraCopiedBehind *behind);

/* Write the events of `events`, and empty the list. @param to  the block that comes next */
void hiera_copying_put_events(HieraCopying *copy, guint to);

/* At the entry of a copy: write code that executes most calls in the original, where the function is called often
 * (HIERA_PLAN_GATES), if there is a way back into it behind the patch. */
void hiera_copying_put_gate(HieraCopying *copy);

/* The condition of a conditional jump: the lowest four bits of its opcode; -1: it has none, or is not understood. */
int hiera_copying_condition(const guint8 *bytes, guint length);

/* Where the original's entry is redirected to the copy: behind an endbr64, which marks a target of calls and stays. */
guint64 hiera_copying_entry(const HieraCopying *copy);

/* Redirect the original at an address to the code that is written next. */
void hiera_copying_add_patch(HieraCopying *copy, guint64 address);

/* Jumps by tables. If nothing but these depends on where a table is, the copy has one of its own. Else it stays as it
 * is: it leads to the original, which is redirected at the targets. */
void hiera_copying_put_tables(HieraCopying *copy);
void hiera_copying_fill_tables(HieraCopying *copy);
/* Lead jumps by tables to a block to the code that is written next, if need be; or write the events on their way, and
 * lead them to these. @return  whether there are any */
void hiera_copying_land(HieraCopying *copy, guint block);
gboolean hiera_copying_put_landing(HieraCopying *copy, guint block);

/* Copy an instruction that does not jump. */
void hiera_copying_put(HieraCopying *copy, const HieraInstruction *instruction);

/* Copy the last instruction of a block, with the events on the edges behind it. @param is_last  it is the last block */
void hiera_copying_put_last(HieraCopying *copy, guint block, gboolean is_last);

/* Return the block that begins at an address; HIERA_NO_NODE: there is none in this function. */
guint hiera_copying_block_from(const HieraCopying *copy, guint64 address);

/* Record that the next instruction of the copy stands for `length` bytes at an address of the original. */
void hiera_copying_add_place(HieraCopying *copy, guint64 address, guint length);

/* Whether execution can continue from the end of a block to the next one. */
gboolean hiera_copying_falls_through(const HieraCopying *copy, guint block);

/* Landing pads: collect the exceptions that continue in the function, and write the events before a block where some of
 * them continue. */
void hiera_copying_find_landings(HieraCopying *copy);
void hiera_copying_put_landings(HieraCopying *copy, guint block);

/* Write the unwind rules of a range (.eh_frame), for exceptions and debuggers. Call it when all code is written. */
void hiera_copying_put_frame(HieraCopying *copy, const HieraCopiedRange *range);

static inline const HieraBlock *hiera_copying_block(const HieraCopying *copy, guint i)
{
    return &g_array_index(copy->flow->blocks, HieraBlock, i);
}

static inline const HieraInstruction *hiera_copying_instruction(const HieraCopying *copy, guint i)
{
    return &g_array_index(copy->flow->instructions, HieraInstruction, i);
}

static inline const HieraInstruction *hiera_copying_last(const HieraCopying *copy, guint block)
{
    return hiera_copying_instruction(copy,
                                     hiera_copying_block(copy, block)->first + hiera_copying_block(copy, block)->n - 1);
}

static inline guint32 hiera_copying_offset(const HieraCopying *copy, guint64 address)
{
    return (guint32)(address - copy->copies->begin);
}
