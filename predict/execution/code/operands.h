/* Operands of instructions of x86-64, and tables of instructions. */
#pragma once

#include "image/code/decoder.h"
#include "step.h"

/* Forms of instructions: which operands become `to`, `a` and `b`. */
typedef enum {
    HIERA_FORM_TO_FROM, /* to = f(a): operands 0 and the last one */
    HIERA_FORM_BOTH,    /* to = f(to, b): operands 0, 0, 1; or 0, 1, 2 if there are three */
    HIERA_FORM_READ,    /* f(a, b): operands 0, 1 */
    HIERA_FORM_THREE,   /* to = f(to, a, b): operands 0, 1, 2 */
    HIERA_FORM_SELF,    /* to = f(to): operands 0, 0 */
    HIERA_FORM_ONLY,    /* f(a): operand 0 */
    HIERA_FORM_NONE
} HieraStepForm;

typedef struct {
    guint id;
    HieraStepKind kind;
    HieraStepForm form;
    guint8 width; /* width of vector registers; 0: width of the operands */
} HieraStepRow;

/* Set number and width of a register. @return FALSE if its value is not tracked */
gboolean hiera_register_of(x86_reg reg, HieraStepOperand *place);
/* Return the i-th operand. */
HieraStepOperand hiera_operand_of(const cs_insn *raw, guint i);
/* Return the upper half of a place in vector registers or memory. */
HieraStepOperand hiera_operand_upper(HieraStepOperand place);
/* Fill the operands of a step. */
void hiera_step_take_operands(const cs_insn *raw, const HieraStepRow *row, HieraStep *step);
/* Set the widths: vector registers have that of the instruction; integers in conversions keep theirs. */
void hiera_step_take_width(const HieraStepRow *row, HieraStep *step);
