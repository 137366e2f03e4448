/* See parser.h. The recursion is limited, so that no text overflows the C stack. */
#include "parser.h"
#include <string.h>

enum { DEEPEST = 100 };

void hiera_parser_advance(HieraParser *parser)
{
    parser->last_end = parser->token.end;
    parser->token = hiera_lexer_next(&parser->lexer);
}

/* Whether the next token is this operator. */
static bool is_next(const HieraParser *parser, HieraOperator operator_)
{
    return parser->token.kind == HIERA_TOKEN_OPERATOR && parser->token.operator_ == operator_;
}

void hiera_parser_unexpected(HieraParser *parser, const char *expected)
{
    const HieraToken *token = &parser->token;
    const char *text = parser->lexer.text + token->begin;
    size_t length = token->end - token->begin, n = length < 40 ? length : 40;
    if (token->kind == HIERA_TOKEN_END)
        hiera_lexer_fail(&parser->lexer, parser->last_end, parser->last_end, "the expression ends where %s is expected",
                         expected);
    else
        hiera_lexer_fail(&parser->lexer, token->begin, token->end, "unexpected '%.*s%s' where %s is expected", (int)n,
                         text, n < length ? "…" : "", expected);
    parser->token.kind = HIERA_TOKEN_END;
}

void hiera_parser_convert(HieraParser *parser, HieraValueType from, HieraValueType to)
{
    if (from != to && to != HIERA_VALUE_ANY)
        hiera_emit(&parser->emitter, HIERA_OP_CONVERT, to, 0, 0);
}

/* --- unary operators --- */

static HieraOperand parse_not(HieraParser *parser, HieraPrecedence weakest)
{
    size_t begin = parser->token.begin;
    if (weakest > HIERA_PRECEDENCE_NOT)
        hiera_lexer_fail(&parser->lexer, begin, parser->token.end, "put parentheses around 'not' and its operand here");
    hiera_parser_advance(parser);
    HieraOperand operand = hiera_parse_level(parser, HIERA_PRECEDENCE_NOT);
    HieraValueType type = hiera_type_unary(&parser->lexer, HIERA_OPERATOR_NOT, &operand);
    hiera_emit(&parser->emitter, HIERA_OP_UNARY, HIERA_OPERATOR_NOT, 0, 0);
    return (HieraOperand){.type = type, .begin = begin, .end = parser->last_end};
}

static HieraOperand parse_unary(HieraParser *parser)
{
    bool is_minus = is_next(parser, HIERA_OPERATOR_SUBTRACT);
    if (!is_minus && !is_next(parser, HIERA_OPERATOR_BIT_NOT))
        return hiera_parse_operand(parser);
    HieraOperator operator_ = parser->token.operator_;
    size_t begin = parser->token.begin;
    hiera_parser_advance(parser);
    HieraOperand operand = hiera_parse_level(parser, HIERA_PRECEDENCE_UNARY);
    HieraValueType type = hiera_type_unary(&parser->lexer, operator_, &operand);
    hiera_emit(&parser->emitter, HIERA_OP_UNARY, operator_, 0, 0);
    return (HieraOperand){.type = type,
                          .begin = begin,
                          .end = parser->last_end,
                          .is_literal = operand.is_literal && is_minus,
                          .power = operand.power};
}

/* --- binary operators --- */

/* Parse a and b, a or b, a -> b: the right side is evaluated only if the left one does not decide. */
static HieraOperand parse_short(HieraParser *parser, HieraOperand left)
{
    HieraOperator operator_ = parser->token.operator_;
    HieraPrecedence level = hiera_operators[operator_].level;
    const char *what = operator_ == HIERA_OPERATOR_AND  ? "each side of 'and'"
                       : operator_ == HIERA_OPERATOR_OR ? "each side of 'or'"
                                                        : "each side of '->'";
    hiera_parser_advance(parser);
    hiera_type_demand(&parser->lexer, &left, HIERA_VALUE_TRUTH, what);
    size_t jump = hiera_emit(&parser->emitter, HIERA_OP_SHORT, operator_, 0, 0);
    bool is_right_associative = operator_ == HIERA_OPERATOR_IMPLIES;
    HieraOperand right = hiera_parse_level(parser, is_right_associative ? level : (HieraPrecedence)(level + 1));
    hiera_type_demand(&parser->lexer, &right, HIERA_VALUE_TRUTH, what);
    hiera_emit(&parser->emitter, HIERA_OP_DECIDE, operator_, 0, 0);
    hiera_emit_target(&parser->emitter, jump);
    return (HieraOperand){.type = HIERA_VALUE_TRUTH, .begin = left.begin, .end = parser->last_end};
}

static int power_of(HieraOperator operator_, const HieraOperand *left, const HieraOperand *right)
{
    if (operator_ == HIERA_OPERATOR_MULTIPLY)
        return left->power + right->power;
    if (operator_ == HIERA_OPERATOR_DIVIDE)
        return left->power - right->power;
    return left->power ? left->power : right->power; /* in a sum, an operand without unit gets the other's unit */
}

static bool joins_texts(const HieraParser *parser, HieraOperator operator_, const HieraOperand *left,
                        const HieraOperand *right)
{
    bool has_text = left->type == HIERA_VALUE_TEXT || right->type == HIERA_VALUE_TEXT;
    return parser->host->text_room && operator_ == HIERA_OPERATOR_ADD && has_text;
}

static HieraOperand parse_binary(HieraParser *parser, HieraOperand left)
{
    HieraOperator operator_ = parser->token.operator_;
    hiera_parser_advance(parser);
    HieraOperand right = hiera_parse_level(parser, (HieraPrecedence)(hiera_operators[operator_].level + 1));
    if (joins_texts(parser, operator_, &left, &right)) {
        HieraValueType text = hiera_type_concat(&parser->lexer, &left, &right);
        hiera_emit(&parser->emitter, HIERA_OP_CONCAT, 0, 0, 0);
        return (HieraOperand){.type = text, .begin = left.begin, .end = parser->last_end};
    }
    HieraValueType type = hiera_type_binary(&parser->lexer, operator_, &left, &right, parser->host->plain);
    if (operator_ == HIERA_OPERATOR_REMAINDER)
        parser->emitter.expression->has_fmod = true;
    hiera_emit(&parser->emitter, HIERA_OP_BINARY, operator_, 0, 0);
    return (HieraOperand){
        .type = type, .begin = left.begin, .end = parser->last_end, .power = power_of(operator_, &left, &right)};
}

static HieraOperand parse_choice(HieraParser *parser, HieraOperand condition)
{
    hiera_parser_advance(parser);
    hiera_type_demand(&parser->lexer, &condition, HIERA_VALUE_TRUTH, "the condition of '?:'");
    size_t branch = hiera_emit(&parser->emitter, HIERA_OP_BRANCH, 0, 0, 0);
    HieraOperand left = hiera_parse_level(parser, HIERA_PRECEDENCE_CHOICE);
    size_t jump = hiera_emit(&parser->emitter, HIERA_OP_JUMP, 0, 0, 0);
    if (parser->token.kind != HIERA_TOKEN_COLON)
        hiera_parser_unexpected(parser, "the ': ' of '?:'");
    hiera_parser_advance(parser);
    hiera_emit_target(&parser->emitter, branch);
    HieraOperand right = hiera_parse_level(parser, HIERA_PRECEDENCE_CHOICE);
    hiera_emit_target(&parser->emitter, jump);
    HieraValueType type = hiera_type_choice(&parser->lexer, &left, &right);
    hiera_emit(&parser->emitter, HIERA_OP_JOIN, type, 0, 0);
    return (HieraOperand){.type = type,
                          .begin = condition.begin,
                          .end = parser->last_end,
                          .power = left.power ? left.power : right.power};
}

/* Whether the next token is a binary operator of this level or a stronger one. */
static bool is_binary(const HieraParser *parser, HieraPrecedence weakest)
{
    if (parser->token.kind == HIERA_TOKEN_QUESTION)
        return weakest == HIERA_PRECEDENCE_CHOICE;
    if (parser->token.kind != HIERA_TOKEN_OPERATOR)
        return false;
    HieraPrecedence level = hiera_operators[parser->token.operator_].level;
    return level >= weakest && level != HIERA_PRECEDENCE_NOT && level != HIERA_PRECEDENCE_UNARY;
}

static HieraOperand parse_rest(HieraParser *parser, HieraOperand left)
{
    if (parser->token.kind == HIERA_TOKEN_QUESTION)
        return parse_choice(parser, left);
    switch (hiera_operators[parser->token.operator_].level) {
    case HIERA_PRECEDENCE_IMPLIES:
    case HIERA_PRECEDENCE_OR:
    case HIERA_PRECEDENCE_AND:
        return parse_short(parser, left);
    case HIERA_PRECEDENCE_COMPARE:
        return hiera_parse_comparisons(parser, left);
    default:
        return parse_binary(parser, left);
    }
}

HieraOperand hiera_parse_level(HieraParser *parser, HieraPrecedence weakest)
{
    if (++parser->depth > DEEPEST) {
        hiera_lexer_fail(&parser->lexer, parser->token.begin, parser->token.end, "the expression is nested too deeply");
        parser->token.kind = HIERA_TOKEN_END;
    }
    HieraOperand operand = is_next(parser, HIERA_OPERATOR_NOT) ? parse_not(parser, weakest) : parse_unary(parser);
    while (is_binary(parser, weakest) && !parser->lexer.failed)
        operand = parse_rest(parser, operand);
    parser->depth--;
    return operand;
}
