/* A copy that is being made: what copying.c and copy_instruction.c share. */
#ifndef HIERA_IMAGE_COPYING_H
#define HIERA_IMAGE_COPYING_H

#include "copy.h"
#include "points.h"

/* An exception that goes on in the function. */
typedef struct {
    guint64 call, pad;
    guint32 at; /* where it goes on in the copy */
} HieraCopiedLanding;

/* A range of the function that is copied. */
typedef struct {
    guint range, first_place, n_places;
    guint32 begin, end;
} HieraCopiedRange;

typedef struct {
    HieraCopies *copies;
    HieraCodeOut *out;
    const HieraFlow *flow;
    HieraPoints points;
    guint function;
    const guint *loops; /* their numbers in the plan */
    guint32 *blocks;    /* position of each in the copy */
    GArray *events;     /* HieraPoint, for one place */
    GArray *landings;   /* HieraCopiedLanding, by landing pad and call */
    GArray *ranges;     /* HieraCopiedRange */
    char *reason;       /* why it cannot be copied */
} HieraCopying;

/* The function cannot be copied; the first reason counts. */
void hiera_copying_refuse(HieraCopying *copy, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Write the events that were collected. @param to  the block that comes next */
void hiera_copying_put_events(HieraCopying *copy, guint to);

/* Copy an instruction that does not jump. */
void hiera_copying_put(HieraCopying *copy, const HieraInstruction *instruction);

/* Copy the last instruction of a block, with what happens on the edges behind it. @param is_last  it is the last block
 */
void hiera_copying_put_last(HieraCopying *copy, guint block, gboolean is_last);

/* The block that begins at an address; HIERA_NO_NODE: none of this function. */
guint hiera_copying_block_from(const HieraCopying *copy, guint64 address);

/* What follows in the copy is one of so many bytes at an address of the file. */
void hiera_copying_add_place(HieraCopying *copy, guint64 address, guint length);

/* Whether the code of a block is followed by that of the next one. */
gboolean hiera_copying_falls_through(const HieraCopying *copy, guint block);

/* Landing pads: collect the exceptions that go on in the function, and write what happens before a block to which some
 * do. */
void hiera_copying_find_landings(HieraCopying *copy);
void hiera_copying_put_landings(HieraCopying *copy, guint block);

/* When all code is there, write how exceptions and others find through a range (.eh_frame). */
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

#endif
