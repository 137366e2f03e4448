/* Loops in a trace (HIERA_FOLD): calls in compact spelling are held back until the end of a flush, and what comes
 * several times in a row is written as hieraLoop: its body once in the file, and for each turn only times.
 *
 * Nothing is held back beyond a flush, so that the file has all that was flushed. Other elements than calls are written
 * at once, after the calls that are held back; they end a loop. The functions need the session's lock. */
#ifndef HIERA_LOOPS_H
#define HIERA_LOOPS_H

#include "loop_bodies.h"
#include "trace_file.h"

/* Begin to fold this file, if the settings ask for it, its spelling is compact, and there is memory. */
void hiera_loops_begin(HieraTraceFile *stream);

/* What says that calls may share a place of a body, whatever their variants are; 0: only the same variants do. */
typedef struct HieraKin {
    uint64_t always;
    uint64_t seldom; /* … if few of them vary */
} HieraKin;

/* Hold back a call, or the begin of one with others inside. The text of the variant is copied. */
void hiera_loops_add(HieraTraceFile *stream, HieraLoopTokenKind kind, HieraVariant variant, HieraKin kin,
                     uint64_t start, uint64_t finish);

/* Hold back the end of an element (HIERA_FRAME_…). If nothing came since its begin, and that is held back, it becomes a
 * call without others inside. */
void hiera_loops_add_end(HieraTraceFile *stream, uint8_t element);

/* Write all that is held back. */
void hiera_loops_write(HieraTraceFile *stream);

/* The attributes of a call beside its declaration, as a text to write them to; and what became of it. Returns false if
 * they were too long. */
HieraText *hiera_loops_extra(void);
bool hiera_loops_take_extra(HieraVariant *variant);

#endif
