#include "emitter.h"
#include "text/growing.h"
#include <stdlib.h>

static void fail_memory(HieraEmitter *emitter)
{
    hiera_lexer_fail(emitter->lexer, 0, 0, "out of memory");
}

/* Enlarge an array of n items by one, as hiera_grow() does; report an error if memory is short. */
static void *grow(HieraEmitter *emitter, void *items, size_t n, size_t size)
{
    void *grown = hiera_grow(items, n, size);
    if (!grown)
        fail_memory(emitter);
    return grown;
}

/* Change of the number of values on the stack by an instruction. The code after a JUMP is the other branch, which
 * begins without the value of the first one. */
static int effect(HieraOpcode opcode, unsigned more)
{
    static const int8_t effects[HIERA_N_OPCODES] = {
        [HIERA_OP_CONSTANT] = 1, [HIERA_OP_NAME] = 1,   [HIERA_OP_BOUND] = 1,   [HIERA_OP_BINARY] = -1,
        [HIERA_OP_COMPARE] = -1, [HIERA_OP_CHAIN] = -1, [HIERA_OP_CONCAT] = -1, [HIERA_OP_SHORT] = -1,
        [HIERA_OP_BRANCH] = -1,  [HIERA_OP_JUMP] = -1,
    };
    return opcode == HIERA_OP_CALL || opcode == HIERA_OP_KEYED ? 1 - (int)more : effects[opcode];
}

size_t hiera_emit(HieraEmitter *emitter, HieraOpcode opcode, unsigned kind, unsigned more, size_t operand)
{
    HieraExpression *expression = emitter->expression;
    HieraLexer *lexer = emitter->lexer;
    if (lexer->failed)
        return 0;
    emitter->depth = (unsigned)((int)emitter->depth + effect(opcode, more));
    if (emitter->depth > HIERA_EXPRESSION_STACK)
        hiera_lexer_fail(lexer, lexer->at, lexer->at, "the expression is nested too deeply");
    HieraBytecode *code = grow(emitter, expression->code, expression->n_code, sizeof *code);
    if (!code)
        return 0;
    expression->code = code;
    code[expression->n_code] = (HieraBytecode){
        .opcode = (uint8_t)opcode, .kind = (uint8_t)kind, .more = (uint16_t)more, .operand = (uint32_t)operand};
    return expression->n_code++;
}

void hiera_emit_undo(HieraEmitter *emitter)
{
    emitter->expression->n_code--;
    emitter->depth--;
}

void hiera_emit_target(HieraEmitter *emitter, size_t jump)
{
    if (!emitter->lexer->failed)
        emitter->expression->code[jump].operand = (uint32_t)emitter->expression->n_code;
}

void hiera_emit_constant(HieraEmitter *emitter, HieraValue value)
{
    HieraExpression *expression = emitter->expression;
    HieraValue *constants = grow(emitter, expression->constants, expression->n_constants, sizeof *constants);
    if (!constants)
        return;
    expression->constants = constants;
    constants[expression->n_constants++] = value;
    hiera_emit(emitter, HIERA_OP_CONSTANT, 0, 0, expression->n_constants - 1);
}

void hiera_emit_text(HieraEmitter *emitter, const HieraToken *token)
{
    HieraExpression *expression = emitter->expression;
    if (emitter->lexer->failed)
        return;
    if (!expression->texts) /* one buffer fits all texts, because no text is longer than its token */
        expression->texts = malloc(emitter->lexer->length);
    if (!expression->texts) {
        fail_memory(emitter);
        return;
    }
    char *text = expression->texts + expression->n_texts;
    size_t length = hiera_lexer_unescape(emitter->lexer, token, text);
    expression->n_texts += length;
    hiera_emit_constant(emitter, hiera_value_text(text, length));
}

void hiera_emit_pattern(HieraEmitter *emitter, HieraPattern *pattern)
{
    HieraExpression *expression = emitter->expression;
    HieraPattern **patterns =
        pattern ? grow(emitter, expression->patterns, expression->n_patterns, sizeof(HieraPattern *)) : NULL;
    if (!patterns) {
        hiera_pattern_free(pattern);
        fail_memory(emitter);
        return;
    }
    expression->patterns = patterns;
    patterns[expression->n_patterns++] = pattern;
    hiera_emit(emitter, HIERA_OP_MATCH, 0, 0, expression->n_patterns - 1);
}

void hiera_emit_ranks(HieraEmitter *emitter, HieraRankSet *set)
{
    HieraExpression *expression = emitter->expression;
    HieraRankSet **sets = set ? grow(emitter, expression->sets, expression->n_sets, sizeof(HieraRankSet *)) : NULL;
    if (!sets) {
        free(set);
        fail_memory(emitter);
        return;
    }
    expression->sets = sets;
    sets[expression->n_sets++] = set;
    hiera_emit(emitter, HIERA_OP_RANKS, 0, 0, expression->n_sets - 1);
}
