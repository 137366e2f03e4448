/* Copies of functions, with instructions in them that report events. */
#pragma once

#include "code_x86.h"
#include "image/flow/flow.h"

/* The copies of a file's functions, as a plan has them. */
typedef struct {
    guint64 begin;        /* address of the first page of the file */
    HieraCodeOut code;    /* code of the copies: the area (dtd/plan.h) */
    guint n_sites;        /* number of calls in it */
    GArray *patches;      /* HieraPlanPatch */
    GArray *places;       /* HieraPlanPlace */
    GByteArray *frames;   /* section .eh_frame without its end mark */
    GArray *frame_fixups; /* HieraPlanFixup */
} HieraCopies;

/* Begin with an empty list of copies, for a file whose first page is at `begin`. Free with hiera_copies_clear. */
HieraCopies hiera_copies_new(guint64 begin);
void hiera_copies_clear(HieraCopies *copies);

/* Sizes of all arrays of HieraCopies, so that what is added later can be cut off. */
typedef struct {
    guint n_bytes, n_fixups, n_patches, n_places, n_frames, n_frame_fixups;
} HieraCopiesMark;
HieraCopiesMark hiera_copies_mark(const HieraCopies *copies);
void hiera_copies_cut(HieraCopies *copies, const HieraCopiesMark *mark);

/* Add a copy of a function.
 *
 * @param flow      the function, whose code is certain (certain.h)
 * @param function  its number in the plan
 * @param loops     numbers of its loops in the plan; HIERA_PLAN_NO_LOOP: one is not timed
 * @param inductions  how its loops are counted (induction.h), by loop of the flow
 * @return NULL, or why it cannot be copied, to be freed with g_free: then nothing was added */
char *hiera_copies_add(HieraCopies *copies, const HieraFlow *flow, guint function, const guint *loops,
                       const HieraInduction *inductions);
