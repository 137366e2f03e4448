/* Appends to a compiled expression: instructions, constants, texts, patterns, sets of ranks. If memory is short, the
 * lexer gets an error and nothing more is appended. */
#pragma once

#include "lexer.h"
#include "program.h"

typedef struct HieraEmitter {
    HieraExpression *expression;
    HieraLexer *lexer; /* receives errors */
    unsigned depth;    /* number of values on the stack after the last instruction */
} HieraEmitter;

/* Append an instruction. Returns its index, for hiera_emit_target(). It is an error if the stack gets too deep. */
size_t hiera_emit(HieraEmitter *emitter, HieraOpcode opcode, unsigned kind, unsigned more, size_t operand);
/* Remove the last instruction, which is a constant. */
void hiera_emit_undo(HieraEmitter *emitter);
/* Make a jump lead to the next instruction that will be appended. */
void hiera_emit_target(HieraEmitter *emitter, size_t jump);

void hiera_emit_constant(HieraEmitter *emitter, HieraValue value);
/* Append the constant of a text token. */
void hiera_emit_text(HieraEmitter *emitter, const HieraToken *token);
/* Append an instruction with a pattern or a set of ranks. The expression owns it; NULL if there is an error. */
void hiera_emit_pattern(HieraEmitter *emitter, HieraPattern *pattern);
void hiera_emit_ranks(HieraEmitter *emitter, HieraRankSet *set);
