/* Compiles a text into an expression: see expression.h. */
#include "floats.h"
#include "parser.h"
#include <stdlib.h>

void hiera_expression_free(HieraExpression *expression)
{
    if (!expression)
        return;
    for (size_t i = 0; i < expression->n_patterns; i++)
        hiera_pattern_free(expression->patterns[i]);
    for (size_t i = 0; i < expression->n_sets; i++)
        free(expression->sets[i]);
    free(expression->patterns);
    free(expression->sets);
    free(expression->constants);
    free(expression->texts);
    free(expression->code);
    free(expression);
}

HieraExpression *hiera_parser_new_expression(const HieraExpressionHost *host)
{
    HieraExpression *expression = calloc(1, sizeof *expression);
    if (expression) {
        expression->names = host->names;
        expression->functions = host->functions;
        expression->get_bound = host->get_bound;
        expression->get_keyed = host->get_keyed;
        expression->text_room = host->text_room;
        expression->plain = host->plain;
        expression->guards_floats = host->guards_floats;
    }
    return expression;
}

static void parse(HieraParser *parser, HieraValueType wanted)
{
    HieraExpression *expression = parser->emitter.expression;
    hiera_parser_advance(parser);
    HieraOperand all = hiera_parse_level(parser, HIERA_PRECEDENCE_CHOICE);
    if (parser->token.kind == HIERA_TOKEN_CLOSE)
        hiera_lexer_fail(&parser->lexer, parser->token.begin, parser->token.end,
                         "no parenthesis is open that this ) could end");
    else if (parser->token.kind != HIERA_TOKEN_END)
        hiera_parser_unexpected(parser, "an operator");
    if (parser->host->plain && wanted == HIERA_VALUE_DURATION)
        wanted = HIERA_VALUE_INTEGER;
    hiera_type_demand(&parser->lexer, &all, wanted, "the expression");
    hiera_parser_convert(parser, all.type, wanted);
    expression->type = wanted == HIERA_VALUE_ANY ? all.type : wanted;
    hiera_emit(&parser->emitter, HIERA_OP_END, 0, 0, 0);
}

static HieraExpression *compile(const char *text, size_t length, const HieraExpressionHost *host, HieraValueType wanted,
                                HieraExpressionError *error)
{
    HieraParser parser = {.lexer = {.text = text,
                                    .length = length,
                                    .error = error,
                                    .has_variables = host->bind && !host->signs,
                                    .signs = host->signs},
                          .host = host};
    parser.emitter.lexer = &parser.lexer;
    parser.emitter.expression = hiera_parser_new_expression(host);
    if (length > HIERA_EXPRESSION_LONGEST)
        hiera_lexer_fail(&parser.lexer, 0, 0, "the expression has more than %d bytes", HIERA_EXPRESSION_LONGEST);
    else if (!parser.emitter.expression)
        hiera_lexer_fail(&parser.lexer, 0, 0, "out of memory");
    else
        parse(&parser, wanted);
    if (!parser.lexer.failed)
        return parser.emitter.expression;
    hiera_expression_free(parser.emitter.expression);
    return NULL;
}

HieraExpression *hiera_expression_compile(const char *text, size_t length, const HieraExpressionHost *host,
                                          HieraValueType wanted, HieraExpressionError *error)
{
    if (!host->guards_floats)
        return compile(text, length, host, wanted, error);
    HieraFloats floats;
    hiera_floats_enter(&floats, true); /* true, because compile() uses long double, which needs the x87 unit */
    HieraExpression *expression = compile(text, length, host, wanted, error);
    hiera_floats_leave(&floats, true);
    return expression;
}

HieraValueType hiera_expression_type(const HieraExpression *expression)
{
    return expression->type;
}

unsigned hiera_expression_needs(const HieraExpression *expression)
{
    return expression->needs;
}
