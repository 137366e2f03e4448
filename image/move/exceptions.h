/* Exception handling of a function, from its language-specific data (.gcc_except_table), and the same data for its
 * copy. */
#pragma once

#include "code_x86.h"
#include "frame_rules.h"
#include "image/code/decoder.h"

/* Handling of an exception that leaves one of the calls in a range. */
typedef struct {
    guint64 begin, end;
    guint64 pad;    /* landing pad: address where the exception continues; 0: it leaves the function */
    guint64 action; /* position of the first action, from 1 on; 0: nothing is caught */
} HieraCallSite;

typedef struct {
    GArray *sites; /* HieraCallSite, by address */
    const guint8 *actions, *lists;
    gsize n_actions, n_lists; /* sizes in bytes of `actions` and `lists` (lists of types that a function may throw) */
    GArray *types;            /* guint64: addresses of type descriptions, or of pointers to them; 0: any type */
    gboolean has_types, are_pointers;
} HieraExceptions;

/* Read the data of the range of code that a frame describes.
 *
 * @param decoder  knows the functions that stubs call
 * @return NULL, or why the data are not certain, to be freed with g_free. Clear `exceptions` in any case */
char *hiera_exceptions_read(const HieraObject *object, HieraDecoder *decoder, const HieraSymbol *frame,
                            const HieraFrameRules *rules, HieraExceptions *exceptions);
void hiera_exceptions_clear(HieraExceptions *exceptions);

/* A call site of a copy. Positions are in the area; `begin` is relative to the begin of the copy's range. */
typedef struct {
    guint32 begin, n, pad;
    guint64 action;
} HieraCopiedSite;

/* Append the data of a copy to the area.
 *
 * @param sites  HieraCopiedSite, by address
 * @param begin  address of the first page of the file
 * @return position of the data */
guint32 hiera_exceptions_write(const HieraExceptions *exceptions, const GArray *sites, guint64 begin,
                               HieraCodeOut *out);

/* Whether a file has an unwinder of its own, which cannot know of copies. Without symbols: whether it may have one. */
gboolean hiera_exceptions_are_own(const HieraObject *object);
