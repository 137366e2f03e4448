/* Writes instructions of x86-64: what a copy has that its original has not. */
#ifndef HIERA_IMAGE_CODE_X86_H
#define HIERA_IMAGE_CODE_X86_H

#include "dtd/plan.h"
#include <glib.h>

/* Code that is being written, from the begin of the area on. */
typedef struct {
    GByteArray *bytes;
    GArray *fixups; /* HieraPlanFixup */
    GArray *jumps;  /* jumps to blocks that may not be there yet; for hiera_code_land */
} HieraCodeOut;

/* A distance of four bytes to a block. */
typedef struct {
    guint32 at;
    guint block;
} HieraCodeJump;

void hiera_code_bytes(HieraCodeOut *out, const guint8 *bytes, gsize n);
/* Four bytes that are not known yet. @return where they are */
guint32 hiera_code_gap(HieraCodeOut *out);
/* A gap at the end of an instruction for the distance to an address of the file. */
void hiera_code_far(HieraCodeOut *out, gint64 target);
/* Make the distance at a gap one to the code that comes next. */
void hiera_code_here(HieraCodeOut *out, guint32 gap);

void hiera_code_jump_to_block(HieraCodeOut *out, guint block);
void hiera_code_jump_far(HieraCodeOut *out, gint64 target);
void hiera_code_call_far(HieraCodeOut *out, gint64 target);
/* A conditional jump. @param condition  the lowest four bits of its opcode */
void hiera_code_branch_to_block(HieraCodeOut *out, guint condition, guint block);
/* One that jumps over what is written until hiera_code_here(). @return its gap */
guint32 hiera_code_branch_over(HieraCodeOut *out, guint condition);
guint32 hiera_code_jump_over(HieraCodeOut *out);

/* Tell an event. Changes neither registers nor flags nor the memory below the stack's pointer that the function uses.
 */
void hiera_code_event(HieraCodeOut *out, guint kind, guint number);
/* Count an iteration of a loop. @param flags_live  the flags are still needed: then it takes a little longer */
void hiera_code_count(HieraCodeOut *out, guint loop, gboolean flags_live);

/* The personality routine of the copy of a function.
 *
 * @param routine  of the original, or a pointer to it, as an offset from the first page of the file; 0: it has none
 * @return its position */
guint32 hiera_code_personality(HieraCodeOut *out, gint64 routine, gboolean is_pointer, guint function);

/* Instructions that do nothing, up to a position modulo 64. */
void hiera_code_align(HieraCodeOut *out, guint64 position);

#endif
