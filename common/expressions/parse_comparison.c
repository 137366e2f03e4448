/* Comparisons, and chains of them: `1 < x < 5` evaluates x once, and both comparisons must hold. See parser.h. */
#include "parser.h"

static bool is_comparison(const HieraParser *parser)
{
    return parser->token.kind == HIERA_TOKEN_OPERATOR &&
           hiera_operators[parser->token.operator_].level == HIERA_PRECEDENCE_COMPARE;
}

static bool is_chainable(HieraOperator operator_)
{
    return operator_ != HIERA_OPERATOR_MATCHES && operator_ != HIERA_OPERATOR_IN;
}

static HieraOperand parse_side(HieraParser *parser)
{
    return hiera_parse_level(parser, (HieraPrecedence)(HIERA_PRECEDENCE_COMPARE + 1));
}

/* Parse the right side of `=~`, a pattern in quotes, and compile the pattern. */
static void parse_match(HieraParser *parser, const HieraOperand *left)
{
    HieraLexer *lexer = &parser->lexer;
    hiera_type_demand(lexer, left, HIERA_VALUE_TEXT, "the left side of '=~'");
    hiera_parser_advance(parser);
    HieraToken token = parser->token;
    if (token.kind != HIERA_TOKEN_TEXT)
        hiera_parser_unexpected(parser, "a pattern in quotes");
    if (lexer->failed)
        return;
    hiera_emit_pattern(&parser->emitter, hiera_pattern_compile(lexer, token.begin + 1, token.end - 1));
    hiera_parser_advance(parser);
}

static void parse_in(HieraParser *parser, const HieraOperand *left)
{
    HieraLexer *lexer = &parser->lexer;
    char next = hiera_lexer_peek(lexer);
    if (next >= '0' && next <= '9') {
        hiera_type_demand(lexer, left, HIERA_VALUE_NUMBER, "what stands before a set of ranks");
        hiera_emit_ranks(&parser->emitter, hiera_rank_set_read(lexer));
        parser->token.end = lexer->at;
        hiera_parser_advance(parser);
        return;
    }
    hiera_parser_advance(parser);
    HieraOperand right = parse_side(parser);
    hiera_type_comparison(lexer, HIERA_OPERATOR_IN, left, &right);
    hiera_emit(&parser->emitter, HIERA_OP_COMPARE, HIERA_OPERATOR_IN, 0, 0);
}

static unsigned times_of(const HieraOperand *left, const HieraOperand *right)
{
    return left->power == 1 || right->power == 1 ? HIERA_COMPARE_TIMES : 0;
}

/* Parse comparisons that can be chained, `a < b < c`. A false one jumps behind the end of the chain. */
static void parse_chain(HieraParser *parser, HieraOperand left)
{
    HieraEmitter *emitter = &parser->emitter;
    size_t first = emitter->expression->n_code;
    unsigned chain = 0;
    for (;;) {
        HieraOperator operator_ = parser->token.operator_;
        hiera_parser_advance(parser);
        HieraOperand right = parse_side(parser);
        hiera_type_comparison(&parser->lexer, operator_, &left, &right);
        if (!is_comparison(parser) || !is_chainable(parser->token.operator_)) {
            hiera_emit(emitter, HIERA_OP_COMPARE, operator_, chain | times_of(&left, &right), 0);
            break;
        }
        hiera_emit(emitter, HIERA_OP_CHAIN, operator_, times_of(&left, &right), 0);
        chain = HIERA_COMPARE_CHAIN;
        left = right;
    }
    for (size_t i = first; chain && i < emitter->expression->n_code; i++) {
        if (emitter->expression->code[i].opcode == HIERA_OP_CHAIN && emitter->expression->code[i].operand == 0)
            hiera_emit_target(emitter, i);
    }
}

HieraOperand hiera_parse_comparisons(HieraParser *parser, HieraOperand left)
{
    HieraOperator operator_ = parser->token.operator_;
    if (operator_ == HIERA_OPERATOR_MATCHES)
        parse_match(parser, &left);
    else if (operator_ == HIERA_OPERATOR_IN)
        parse_in(parser, &left);
    else
        parse_chain(parser, left);
    if (is_comparison(parser))
        hiera_lexer_fail(
            &parser->lexer, parser->token.begin, parser->token.end,
            "'%s' cannot be part of a chain; use parentheses or 'and'",
            hiera_operator_spelling(is_chainable(parser->token.operator_) ? operator_ : parser->token.operator_));
    return (HieraOperand){.type = HIERA_VALUE_TRUTH, .begin = left.begin, .end = parser->last_end};
}
