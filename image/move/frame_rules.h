/* What .eh_frame says of a function, and the same for its copy: without that no exception gets through it. */
#ifndef HIERA_IMAGE_FRAME_RULES_H
#define HIERA_IMAGE_FRAME_RULES_H

#include "image/object/object.h"

/* The rules of a range of code. Bytes are the file's. */
typedef struct {
    guint64 begin, end;
    const guint8 *initial, *initial_end; /* rules at the begin, of the entry that several ranges share */
    const guint8 *rules, *rules_end;
    gint64 data_alignment;
    guint64 return_register;
    gboolean has_landing_pads; /* exceptions are caught, or something is destroyed when they pass */
    gboolean is_odd;           /* something that is not known: a frame of a signal, another alignment of code */
} HieraFrameRules;

/* Read the rules of a frame of the table. @return false if that is not possible */
gboolean hiera_frame_rules_find(const HieraObject *object, const HieraSymbol *frame, HieraFrameRules *rules);

/* Where an instruction of the original is in the copy. */
typedef guint32 (*HieraFrameMap)(guint64 address, gconstpointer data);

/* Append a description of a copy to a section .eh_frame that is being made.
 *
 * @param addresses  receives the position in `section` of the copy's address, which has 8 bytes
 * @return false if there is a rule that is not known */
gboolean hiera_frame_rules_copy(const HieraFrameRules *rules, guint32 begin, guint32 end, HieraFrameMap map,
                                gconstpointer data, GByteArray *section, guint32 *address);

#endif
