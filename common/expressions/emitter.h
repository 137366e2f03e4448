/* Appends to a compiled expression: instructions, constants, texts, patterns, sets of ranks. If memory is short, the
 * lexer gets an error and nothing more is appended. */
#pragma once

#include "lexer.h"
#include "program.h"

typedef struct HieraEmitter {
    HieraExpression *expression;
    HieraLexer *lexer; /* receives errors */
    unsigned depth;    /* number of values on the evaluation stack after the last appended instruction */
} HieraEmitter;

/* Append an instruction. Returns its index, for hiera_emit_target(). An error if the stack would overflow. */
size_t hiera_emit(HieraEmitter *emitter, HieraOpcode opcode, unsigned kind, unsigned more, size_t operand);
/* Remove the last instruction, which must be a HIERA_OP_CONSTANT. */
void hiera_emit_undo(HieraEmitter *emitter);
/* Set the target of the jump instruction with index `jump` to the next instruction that will be appended. */
void hiera_emit_target(HieraEmitter *emitter, size_t jump);

void hiera_emit_constant(HieraEmitter *emitter, HieraValue value);
/* Append a HIERA_OP_CONSTANT with the text of a token, in which escapes are replaced. */
void hiera_emit_text(HieraEmitter *emitter, const HieraToken *token);
/* Append a test for a pattern; for a set of ranks. The expression owns the argument. NULL: an error is reported. */
void hiera_emit_pattern(HieraEmitter *emitter, HieraPattern *pattern);
void hiera_emit_ranks(HieraEmitter *emitter, HieraRankSet *set);
