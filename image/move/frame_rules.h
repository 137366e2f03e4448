/* Unwind rules of a function from .eh_frame, and the same for its copy: without them no exception gets through the
 * copy. */
#pragma once

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

/* Maps an address of the original to its position in the copy. */
typedef guint32 (*HieraFrameMap)(guint64 address, gconstpointer data);

/* Positions, in the description of a copy, of addresses of 8 bytes that are filled in later. */
typedef struct {
    guint32 begin;       /* position for the address of the copy */
    guint32 personality; /* position for the address of the routine that handles exceptions in the copy */
    guint32 lsda;        /* position for the address of that routine's data; 0: there are none */
} HieraFrameGaps;

/* Append the description of a copy to a section .eh_frame that is being made.
 *
 * @param gaps  receives positions in `section`
 * @return false if there is an unknown rule */
gboolean hiera_frame_rules_copy(const HieraFrameRules *rules, guint32 begin, guint32 end, HieraFrameMap map,
                                gconstpointer data, GByteArray *section, HieraFrameGaps *gaps);
