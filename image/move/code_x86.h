/* Writes x86-64 instructions that a copy has in addition to those of its original. */
#pragma once

#include "dtd/plan.h"
#include <glib.h>

/* Code that is being written, from the begin of the area (dtd/plan.h). */
typedef struct {
    GByteArray *bytes;
    GArray *fixups; /* HieraPlanFixup */
    GArray *jumps;  /* HieraCodeJump: jumps to blocks whose positions may not be known yet */
} HieraCodeOut;

/* A four-byte gap for the distance to a block, which is filled in when the block's position is known. */
typedef struct {
    guint32 at;
    guint block;
} HieraCodeJump;

void hiera_code_bytes(HieraCodeOut *out, const guint8 *bytes, gsize n);
/* Append four bytes that are filled in later: a gap. @return  position of the gap */
guint32 hiera_code_gap(HieraCodeOut *out);
/* Append a gap, which ends an instruction, for the distance to an address of the file. */
void hiera_code_far(HieraCodeOut *out, gint64 target);
/* Fill a gap with the distance to the code that is appended next. */
void hiera_code_here(HieraCodeOut *out, guint32 gap);

void hiera_code_jump_to_block(HieraCodeOut *out, guint block);
void hiera_code_jump_far(HieraCodeOut *out, gint64 target);
void hiera_code_call_far(HieraCodeOut *out, gint64 target);
/* Append a conditional jump. @param condition  the lowest four bits of its opcode */
void hiera_code_branch_to_block(HieraCodeOut *out, guint condition, guint block);
/* Append a conditional jump over the code written until hiera_code_here(). @return  position of the jump's gap */
guint32 hiera_code_branch_over(HieraCodeOut *out, guint condition);
guint32 hiera_code_jump_over(HieraCodeOut *out);

/* Append the report of an event. It changes no registers, no flags, and none of the memory below the stack pointer that
 * the function uses. */
void hiera_code_event(HieraCodeOut *out, guint kind, guint number);
/* Append code that counts an iteration of a loop. @param flags_live  the flags are still needed: the code then takes a
 * little longer */
void hiera_code_count(HieraCodeOut *out, guint loop, gboolean flags_live);

/* Append the personality routine of the copy of a function.
 *
 * @param routine  routine of the original, or a pointer to it, as an offset from the first page of the file; 0: it has
 * none
 * @return position of the new routine */
guint32 hiera_code_personality(HieraCodeOut *out, gint64 routine, gboolean is_pointer, guint function);

/* Append instructions that do nothing, until the position is equal to `position` modulo 64. */
void hiera_code_align(HieraCodeOut *out, guint64 position);
