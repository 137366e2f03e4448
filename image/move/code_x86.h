/* Writes x86-64 instructions that a copy has in addition to those of its original. */
#pragma once

#include "induction.h"
#include <glib.h>

/* Code that is being written, from the begin of the area (dtd/plan.h). */
typedef struct {
    GByteArray *bytes;
    GArray *fixups;       /* HieraPlanFixup */
    GArray *jumps;        /* HieraCodeJump: jumps to blocks whose positions may not be known yet */
    GByteArray *is_short; /* by jump: 1: one byte is enough for its distance; behind the end: 0 */
    GArray *moves;        /* HieraCodeMove */
} HieraCodeOut;

/* From a position on, added code has the stack pointer so many bytes below that of the function. */
typedef struct {
    guint32 at, by;
} HieraCodeMove;

/* A gap of one or four bytes for the distance to a block, which is filled in when the block's position is known. */
typedef struct {
    guint32 at;
    guint block;
    gboolean is_short;
} HieraCodeJump;

void hiera_code_bytes(HieraCodeOut *out, const guint8 *bytes, gsize n);
/* Append four bytes that are filled in later: a gap. @return  position of the gap */
guint32 hiera_code_gap(HieraCodeOut *out);
/* Append a gap, which ends an instruction, for the distance to an address of the file. */
void hiera_code_far(HieraCodeOut *out, gint64 target);
/* Set four bytes at a position to the distance from another one to a third. */
void hiera_code_distance(HieraCodeOut *out, guint32 at, guint32 from, guint32 to);
/* Fill a gap with the distance to the code that is appended next. */
void hiera_code_here(HieraCodeOut *out, guint32 gap);

/* Fill in the distance of a jump to a position. @return  whether its gap has room for that */
gboolean hiera_code_land(HieraCodeOut *out, const HieraCodeJump *jump, guint32 to);

void hiera_code_jump_to_block(HieraCodeOut *out, guint block);
void hiera_code_jump_far(HieraCodeOut *out, gint64 target);
void hiera_code_call_far(HieraCodeOut *out, gint64 target);
/* Append a conditional jump. @param condition  the lowest four bits of its opcode */
void hiera_code_branch_to_block(HieraCodeOut *out, guint condition, guint block);
void hiera_code_branch_far(HieraCodeOut *out, guint condition, gint64 target);
/* Append a conditional jump over the code written until hiera_code_here(). @return  position of the jump's gap */
guint32 hiera_code_branch_over(HieraCodeOut *out, guint condition);
guint32 hiera_code_jump_over(HieraCodeOut *out);
/* Append a jump to a position that was written before. */
void hiera_code_jump_back(HieraCodeOut *out, guint32 position);

/* Append the report of an event. It changes no registers, no flags, and none of the memory below the stack pointer that
 * the function uses. @param kind  HieraPlanEvent; of a call
 * with its site (HIERA_PLAN_EVENT_32) */
void hiera_code_event(HieraCodeOut *out, guint kind, guint number);

/* What added code may change at a place: a register, HIERA_CODE_NO_REGISTER: none; the flags. */
typedef struct {
    guint8 scratch;
    gboolean has_flags;
} HieraCodeRoom;
enum { HIERA_CODE_NO_REGISTER = 4 };

/* Append a jump that is taken if a number of the thread (HIERA_PLAN_DOWN, HIERA_PLAN_CALLS) is 0 or less: to the event
 * that hiera_code_due() writes. @param takes_one  take 1 away before. @return  position of the jump's gap */
guint32 hiera_code_if_due(HieraCodeOut *out, HieraPlanLocal local, guint number, gboolean takes_one,
                          const HieraCodeRoom *room);
void hiera_code_due(HieraCodeOut *out, guint32 gap, guint kind, guint number, const HieraCodeRoom *room);
/* Append code that takes 1 away from HIERA_PLAN_DOWN, and a jump unless it is less than 0 then, without going around.
 * @return position of the jump's gap */
guint32 hiera_code_unless_hidden(HieraCodeOut *out, guint number, const HieraCodeRoom *room);
/* Append what that leads to: the event that the loop begins, if the number is 0 or has gone around. */
void hiera_code_if_now(HieraCodeOut *out, guint32 gap, guint number, const HieraCodeRoom *room);
/* Append code that takes 1 away from HIERA_PLAN_GATES, and a jump that is taken if it is 0 or less then. It changes the
 * flags. @return  position of the jump's gap */
guint32 hiera_code_if_open(HieraCodeOut *out, guint function);

/* Append code that counts an iteration of a loop. */
void hiera_code_count(HieraCodeOut *out, guint loop, const HieraCodeRoom *room);
/* Append code that keeps the number that changes in each iteration, where the loop begins; and code that counts the
 * iterations by what it is where the loop is left. @param has_changed  whether it has changed in the last iteration */
void hiera_code_begin_count(HieraCodeOut *out, const HieraInduction *induction, const HieraCodeRoom *room);
void hiera_code_end_count(HieraCodeOut *out, const HieraInduction *induction, guint loop, gboolean has_changed,
                          const HieraCodeRoom *room);

/* Append the same for a register that the loop does not use: where it begins, an iteration, and where it is left. */
void hiera_code_begin_spare(HieraCodeOut *out, const HieraInduction *induction);
void hiera_code_count_spare(HieraCodeOut *out, const HieraInduction *induction);
void hiera_code_end_spare(HieraCodeOut *out, const HieraInduction *induction, guint loop, const HieraCodeRoom *room);

/* Append the personality routine of the copy of a function.
 *
 * @param routine  routine of the original, or a pointer to it, as an offset from the first page of the file; 0: it has
 * none
 * @return position of the new routine */
guint32 hiera_code_personality(HieraCodeOut *out, gint64 routine, gboolean is_pointer, guint function);

/* Append instructions that do nothing, until the position is equal to `position` modulo `size`, 64 at most. */
void hiera_code_align(HieraCodeOut *out, guint64 position, guint size);
