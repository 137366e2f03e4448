/* Unwind rules of a function from .eh_frame, and the same for its copy: without them no exception gets through the
 * copy. */
#pragma once

#include "code_x86.h"
#include "image/object/object.h"

/* The unwind rules of a range of code. The bytes belong to the file. */
typedef struct {
    guint64 begin, end;
    const guint8 *initial, *initial_end; /* rules that hold from the begin on, of the shared common entry */
    const guint8 *rules, *rules_end;
    gint64 data_alignment;
    guint64 return_register;
    guint64 personality; /* address of the routine that handles exceptions, or of a pointer to it; 0: none */
    gboolean personality_is_pointer;
    gboolean is_odd; /* whether something is not supported: a signal frame, another alignment of code */
} HieraFrameRules;

/* Read the unwind rules of an entry of .eh_frame. @return  false if that is not possible */
gboolean hiera_frame_rules_find(const HieraObject *object, const HieraSymbol *frame, HieraFrameRules *rules);

/* A copy, or a part of it. */
typedef struct {
    guint32 begin, end;
    guint32 (*map)(guint64 address, gconstpointer data); /* position in the copy of an address of the original */
    gconstpointer data;
    const HieraCodeMove *moves; /* by position, from `begin` on */
    guint n_moves;
} HieraFrameCopy;

/* Positions, in the description of a copy, of addresses of 8 bytes that are filled in later. */
typedef struct {
    guint32 begin;       /* position for the address of the copy */
    guint32 personality; /* position for the address of the routine that handles exceptions in the copy */
    guint32 lsda;        /* position for the address of that routine's data; 0: there are none */
} HieraFrameGaps;

/* Append the description of a copy to a section .eh_frame that is being made. Where the frame counts from the stack
 * pointer, it also says where added code has moved that, unless that is an expression: then whoever unwinds from inside
 * of added code goes wrong.
 *
 * @param gaps  receives positions in `section`
 * @return false if there is an unknown rule */
gboolean hiera_frame_rules_copy(const HieraFrameRules *rules, const HieraFrameCopy *copy, GByteArray *section,
                                HieraFrameGaps *gaps);
