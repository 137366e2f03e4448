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
    guint64 personality; /* address of the routine that handles exceptions, or of a pointer to it; 0: none */
    gboolean personality_is_pointer;
    gboolean is_odd; /* something that is not known: a frame of a signal, another alignment of code */
} HieraFrameRules;

/* Read the rules of a frame of the table. @return false if that is not possible */
gboolean hiera_frame_rules_find(const HieraObject *object, const HieraSymbol *frame, HieraFrameRules *rules);

/* Where an instruction of the original is in the copy. */
typedef guint32 (*HieraFrameMap)(guint64 address, gconstpointer data);

/* Positions in a description of a copy where addresses of 8 bytes belong. */
typedef struct {
    guint32 begin;       /* of the copy */
    guint32 personality; /* of the routine that handles exceptions in it */
    guint32 lsda;        /* of what that routine needs to know; 0 if there is nothing */
} HieraFrameGaps;

/* Append a description of a copy to a section .eh_frame that is being made.
 *
 * @param gaps  receives positions in `section`
 * @return false if there is a rule that is not known */
gboolean hiera_frame_rules_copy(const HieraFrameRules *rules, guint32 begin, guint32 end, HieraFrameMap map,
                                gconstpointer data, GByteArray *section, HieraFrameGaps *gaps);

#endif
