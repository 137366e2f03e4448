/* Operands of x86-64 instructions as operands of steps, and rows of tables of instructions. */
#pragma once

#include "image/code/decoder.h"
#include "step.h"

/* Which operands of an instruction become `to`, `a` and `b` of its step f; operands are numbered from 0. */
typedef enum {
    HIERA_FORM_TO_FROM,      /* to = f(a): operand 0, and the last one */
    HIERA_FORM_TO_FROM_REST, /* as TO_FROM; b, whose other lanes the result has: operand 0, or 1 if there are three */
    HIERA_FORM_BOTH,         /* to = f(a, b): operands 0, 0, 1; or 0, 1, 2 if there are three */
    HIERA_FORM_READ,         /* f(a, b), without a result: operands 0, 1 */
    HIERA_FORM_THREE,        /* to = f(to, a, b): operands 0, 1, 2 */
    HIERA_FORM_SELF,         /* to = f(to): operand 0 */
    HIERA_FORM_ONLY,         /* f(a), without a result: operand 0 */
    HIERA_FORM_NONE
} HieraStepForm;

typedef struct {
    guint id;
    HieraStepKind kind;
    HieraStepForm form;
    guint8 width; /* bytes of the vector registers that the step uses; 0: width of the instruction's operands */
} HieraStepRow;

/* Make an operand of a register: its number and width. @return FALSE: the register's value is not tracked */
gboolean hiera_register_of(x86_reg reg, HieraStepOperand *place);
/* Return the instruction's i-th operand, from 0, as operand of a step. */
HieraStepOperand hiera_operand_of(const cs_insn *raw, guint i);
/* Return the upper 8 bytes of a 16-byte operand. @param place  its lower 8 bytes, in a register or memory */
HieraStepOperand hiera_operand_upper(HieraStepOperand place);
/* Return the upper 16 bytes of a 32-byte operand. @param place  its first 8 bytes, in a register or memory, or the next
 * 8; other operands stay as they are */
HieraStepOperand hiera_operand_second_half(HieraStepOperand place);
/* Set kind and operands of a step for the instruction `raw`, as its row in a table says. */
void hiera_step_take_operands(const cs_insn *raw, const HieraStepRow *row, HieraStep *step);
/* Set the operands' widths to the width of the row, if it has one; not those of integers in int-float conversions. */
void hiera_step_take_width(const HieraStepRow *row, HieraStep *step);
