/* Appends to a compiled expression: instructions, constants, texts, patterns, sets. If memory is short, the lexer has
 * an error and nothing is appended any more. */
#ifndef HIERA_EXPRESSION_EMITTER_H
#define HIERA_EXPRESSION_EMITTER_H

#include "lexer.h"
#include "program.h"

typedef struct HieraEmitter {
    HieraExpression *expression;
    HieraLexer *lexer; /* for errors */
    unsigned depth;    /* of the stack, after the last instruction */
} HieraEmitter;

/* Append an instruction. Returns its index, for hiera_emit_target(). A stack that gets too deep is an error. */
size_t hiera_emit(HieraEmitter *emitter, HieraOpcode opcode, unsigned kind, unsigned more, size_t operand);
/* Take the last instruction, a constant, away again. */
void hiera_emit_undo(HieraEmitter *emitter);
/* Let a jump lead to the next instruction that will be appended. */
void hiera_emit_target(HieraEmitter *emitter, size_t jump);

void hiera_emit_constant(HieraEmitter *emitter, HieraValue value);
/* Append the constant that a text token stands for. */
void hiera_emit_text(HieraEmitter *emitter, const HieraToken *token);
/* Append an instruction with a pattern or a set, which belongs to the expression then; NULL if there is an error. */
void hiera_emit_pattern(HieraEmitter *emitter, HieraPattern *pattern);
void hiera_emit_ranks(HieraEmitter *emitter, HieraRankSet *set);

#endif
