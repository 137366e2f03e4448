/* Loops in a trace (HIERA_FOLD): calls in the compact encoding are held back until the end of a flush, and sequences
 * that occur several times in a row are written as hieraLoop: the body once in the file, and for each iteration
 * only times.
 *
 * No call is held back beyond a flush, so that the file has all that was flushed. Other elements than calls are written
 * at once, after the calls that are held back; they end a loop. The functions need the session's lock. */
#pragma once

#include "loop_bodies.h"
#include "trace_file.h"

/* Begin to fold calls of this file if the settings ask for it, the file's encoding is compact, and there is memory. */
void hiera_loops_begin(HieraTraceFile *stream);

/* Keys of calls that may share a place of a body. `always`: whatever their variants are; 0: only equal variants share.
 */
typedef struct HieraKin {
    uint64_t always;
    uint64_t seldom; /* key of calls that may share a place if few calls of an iteration differ; 0: none */
} HieraKin;

/* Hold back a call, or the begin of a call with others inside, until the end of the flush. Copies variant.extra. */
void hiera_loops_add(HieraTraceFile *stream, HieraLoopTokenKind kind, HieraVariant variant, HieraKin kin,
                     uint64_t start, uint64_t finish);

/* Hold back the end of an element (HIERA_FRAME_…). If the last token is its begin, that becomes a
 * call without others inside. */
void hiera_loops_add_end(HieraTraceFile *stream, uint8_t element);

/* Write all calls that are held back, folded where they repeat. */
void hiera_loops_write(HieraTraceFile *stream);

/* Begin a text for the attributes of a call beside its declaration; end it and store it in *variant. The second returns
 * false if the text was too long. */
HieraText *hiera_loops_extra(void);
bool hiera_loops_take_extra(HieraVariant *variant);
