/* Parses operands: literals, names, calls, parentheses. See parser.h. */
#include "parser.h"
#include "text/nearest.h"
#include <string.h>

static bool is_spelt(const HieraParser *parser, const HieraToken *token, const char *word)
{
    size_t length = token->end - token->begin;
    return strlen(word) == length && memcmp(parser->lexer.text + token->begin, word, length) == 0;
}

/* Set the power, and return the type that a name or call has here: with a `plain` host, INTEGER for a duration. */
static HieraValueType plain_type(HieraParser *parser, HieraValueType type)
{
    parser->power = type == HIERA_VALUE_DURATION;
    return parser->host->plain && parser->power ? HIERA_VALUE_INTEGER : type;
}

/* --- names as operands --- */

static void blame_name(HieraParser *parser, const HieraToken *token)
{
    const char *name = parser->lexer.text + token->begin;
    size_t length = token->end - token->begin;
    HieraNearest nearest = hiera_nearest_begin(name, length);
    for (size_t i = 0; i < parser->host->n_names; i++)
        hiera_nearest_offer(&nearest, parser->host->names[i].name);
    int shown = length < 60 ? (int)length : 60;
    if (nearest.best)
        hiera_lexer_fail(&parser->lexer, token->begin, token->end, "unknown name '%.*s'; did you mean '%s'?", shown,
                         name, nearest.best);
    else
        hiera_lexer_fail(&parser->lexer, token->begin, token->end, "unknown name '%.*s'; a text stands in quotes",
                         shown, name);
}

/* Give a word to the host's bind().
 *
 * @return  false if the word has no meaning; `message` says why, if the host knows */
static bool bind(HieraParser *parser, const HieraExpressionAsked *asked, HieraValueType *type, char *message)
{
    const HieraExpressionHost *host = parser->host;
    unsigned id = 0;
    message[0] = '\0';
    if (!host->bind || !host->bind(host->binder, asked, &id, type, message))
        return false;
    *type = plain_type(parser, *type);
    hiera_emit(&parser->emitter, asked->n_keys ? HIERA_OP_KEYED : HIERA_OP_BOUND, *type, asked->n_keys, id);
    return true;
}

/* Parse the keys in brackets behind a name with a sign, up to the closing bracket. Returns the number of keys; their
 * values are on the stack. */
static unsigned parse_keys(HieraParser *parser, HieraValueType types[HIERA_EXPRESSION_KEYS])
{
    size_t open = parser->token.begin;
    unsigned n = 0;
    do {
        hiera_parser_advance(parser); /* skip the bracket or the comma */
        if (n == HIERA_EXPRESSION_KEYS)
            hiera_lexer_fail(&parser->lexer, parser->token.begin, parser->token.end, "there are more than %d keys", n);
        else
            types[n++] = hiera_parse_level(parser, HIERA_PRECEDENCE_CHOICE).type;
    } while (parser->token.kind == HIERA_TOKEN_COMMA);
    if (parser->token.kind == HIERA_TOKEN_END)
        hiera_lexer_fail(&parser->lexer, open, open + 1, "the bracket that begins here has no end: ] is missing");
    else if (parser->token.kind != HIERA_TOKEN_CLOSE_KEYS)
        hiera_parser_unexpected(parser, "an operator or ]");
    return n;
}

/* Parse a name that is in no table, with its keys, by bind(). Its last token remains the parser's next token. */
static HieraValueType parse_asked(HieraParser *parser, const HieraToken *token)
{
    char message[HIERA_EXPRESSION_MESSAGE];
    HieraValueType type = HIERA_VALUE_MISSING, keys[HIERA_EXPRESSION_KEYS];
    HieraExpressionAsked asked = {
        .name = parser->lexer.text + token->begin, .length = token->end - token->begin, .inside = parser->inside};
    bool is_signed = parser->host->signs && !hiera_is_word(*asked.name);
    if (is_signed && hiera_lexer_peek(&parser->lexer) == '[') {
        hiera_parser_advance(parser); /* skip the name */
        asked.n_keys = parse_keys(parser, keys);
        asked.keys = keys;
    }
    if (parser->lexer.failed || bind(parser, &asked, &type, message))
        return type;
    if (message[0])
        hiera_lexer_fail(&parser->lexer, token->begin, token->end, "%s", message);
    else
        blame_name(parser, token);
    return HIERA_VALUE_MISSING;
}

static HieraValueType parse_name(HieraParser *parser)
{
    HieraToken token = parser->token;
    for (size_t i = 0; i < parser->host->n_names; i++) {
        const HieraExpressionName *name = &parser->host->names[i];
        if (!name->get || !is_spelt(parser, &token, name->name))
            continue;
        parser->emitter.expression->needs |= name->needs;
        hiera_emit(&parser->emitter, HIERA_OP_NAME, 0, 0, i);
        hiera_parser_advance(parser);
        return plain_type(parser, name->type);
    }
    HieraValueType type = parse_asked(parser, &token);
    hiera_parser_advance(parser);
    return type;
}

/* --- calls of functions --- */

static void expect_open(HieraParser *parser)
{
    hiera_parser_advance(parser); /* skip the name */
    hiera_parser_advance(parser); /* skip the parenthesis */
}

static void expect_close(HieraParser *parser, size_t open)
{
    if (parser->token.kind == HIERA_TOKEN_END)
        hiera_lexer_fail(&parser->lexer, open, open + 1, "the parenthesis that begins here has no end: ) is missing");
    else if (parser->token.kind != HIERA_TOKEN_CLOSE)
        hiera_parser_unexpected(parser, "an operator or )");
    hiera_parser_advance(parser);
}

static HieraValueType parse_has(HieraParser *parser)
{
    expect_open(parser);
    size_t open = parser->last_end - 1;
    hiera_parse_level(parser, HIERA_PRECEDENCE_CHOICE);
    expect_close(parser, open);
    hiera_emit(&parser->emitter, HIERA_OP_HAS, 0, 0, 0);
    return plain_type(parser, HIERA_VALUE_TRUTH);
}

static void blame_count(HieraParser *parser, const HieraToken *token, const HieraExpressionFunction *function)
{
    hiera_lexer_fail(&parser->lexer, token->begin, parser->last_end, "%s() takes %u argument%s", function->name,
                     function->n_parameters, function->n_parameters == 1 ? "" : "s");
}

static void parse_argument(HieraParser *parser, const HieraExpressionFunction *function, unsigned i)
{
    static const char *const ordinals[HIERA_EXPRESSION_PARAMETERS] = {"the first argument", "the second argument",
                                                                      "the third argument", "the fourth argument"};
    HieraValueType wanted = function->parameters[i];
    if (parser->host->plain && wanted == HIERA_VALUE_DURATION)
        wanted = HIERA_VALUE_INTEGER;
    HieraOperand argument = hiera_parse_level(parser, HIERA_PRECEDENCE_CHOICE);
    hiera_type_demand(&parser->lexer, &argument, wanted, ordinals[i]);
    hiera_parser_convert(parser, argument.type, wanted);
}

static HieraValueType parse_call(HieraParser *parser, const HieraExpressionFunction *function)
{
    HieraToken token = parser->token;
    expect_open(parser);
    size_t open = parser->last_end - 1;
    unsigned n = 0;
    while (parser->token.kind != HIERA_TOKEN_CLOSE && parser->token.kind != HIERA_TOKEN_END &&
           n < function->n_parameters) {
        parse_argument(parser, function, n++);
        if (parser->token.kind != HIERA_TOKEN_COMMA)
            break;
        hiera_parser_advance(parser);
        if (n == function->n_parameters)
            blame_count(parser, &token, function);
    }
    if (parser->token.kind == HIERA_TOKEN_CLOSE ? n != function->n_parameters : function->n_parameters == 0)
        blame_count(parser, &token, function);
    expect_close(parser, open);
    parser->emitter.expression->needs |= function->needs;
    hiera_emit(&parser->emitter, HIERA_OP_CALL, 0, n, (size_t)(function - parser->host->functions));
    return plain_type(parser, function->result);
}

/* Parse the arguments of a call that bind() resolves, which must be literals. Returns the number of arguments. */
static unsigned parse_literals(HieraParser *parser, const HieraExpressionFunction *function, HieraValue *values)
{
    unsigned n = 0;
    const HieraExpression *expression = parser->emitter.expression;
    while (parser->token.kind != HIERA_TOKEN_CLOSE && parser->token.kind != HIERA_TOKEN_END) {
        size_t before = expression->n_code;
        if (n == function->n_parameters) {
            hiera_lexer_fail(&parser->lexer, parser->token.begin, parser->token.end, "%s() takes at most %u argument%s",
                             function->name, function->n_parameters, function->n_parameters == 1 ? "" : "s");
            break;
        }
        HieraToken token = parser->token;
        parse_argument(parser, function, n);
        bool is_literal = expression->n_code == before + 1 && expression->code[before].opcode == HIERA_OP_CONSTANT;
        if (!parser->lexer.failed && !is_literal)
            hiera_lexer_fail(&parser->lexer, token.begin, parser->last_end, "%s() takes literals only", function->name);
        if (parser->lexer.failed)
            break;
        values[n++] = expression->constants[expression->code[before].operand];
        hiera_emit_undo(&parser->emitter);
        if (parser->token.kind != HIERA_TOKEN_COMMA)
            break;
        hiera_parser_advance(parser);
    }
    return n;
}

static HieraValueType parse_bound_call(HieraParser *parser, const HieraExpressionFunction *function)
{
    HieraToken token = parser->token;
    HieraValue values[HIERA_EXPRESSION_PARAMETERS];
    char message[HIERA_EXPRESSION_MESSAGE];
    HieraValueType type = HIERA_VALUE_MISSING;
    expect_open(parser);
    size_t open = parser->last_end - 1;
    unsigned n = parse_literals(parser, function, values);
    expect_close(parser, open);
    const HieraExpressionAsked asked = {.name = function->name,
                                        .length = strlen(function->name),
                                        .function = function,
                                        .arguments = values,
                                        .n_arguments = n,
                                        .inside = parser->inside};
    if (!parser->lexer.failed && !bind(parser, &asked, &type, message))
        hiera_lexer_fail(&parser->lexer, token.begin, parser->last_end, "%s",
                         message[0] ? message : "this cannot be asked here");
    return type;
}

/* Parse the deferred argument of a function, up to the closing parenthesis, as an expression of its own. Returns it;
 * NULL if it is wrong.
 *
 * @param power  becomes HieraOperand.power of the argument */
static HieraExpression *parse_apart(HieraParser *parser, const HieraExpressionFunction *function, size_t open,
                                    int *power)
{
    HieraEmitter around = parser->emitter;
    const HieraExpressionFunction *inside = parser->inside;
    HieraExpression *apart = hiera_parser_new_expression(parser->host);
    if (!apart) {
        hiera_lexer_fail(&parser->lexer, 0, 0, "out of memory");
        return NULL;
    }
    apart->type = HIERA_VALUE_NUMBER;
    parser->emitter = (HieraEmitter){.expression = apart, .lexer = &parser->lexer};
    parser->inside = function;
    HieraOperand argument = hiera_parse_level(parser, HIERA_PRECEDENCE_CHOICE);
    *power = argument.power;
    hiera_type_demand(&parser->lexer, &argument, apart->type, "the argument");
    hiera_parser_convert(parser, argument.type, apart->type);
    hiera_emit(&parser->emitter, HIERA_OP_END, 0, 0, 0);
    expect_close(parser, open);
    parser->inside = inside;
    parser->emitter = around;
    if (!parser->lexer.failed)
        return apart;
    hiera_expression_free(apart);
    return NULL;
}

static HieraValueType parse_deferred_call(HieraParser *parser, const HieraExpressionFunction *function)
{
    HieraToken token = parser->token;
    char message[HIERA_EXPRESSION_MESSAGE];
    HieraValueType type = HIERA_VALUE_MISSING;
    expect_open(parser);
    HieraExpressionAsked asked = {
        .name = function->name, .length = strlen(function->name), .function = function, .inside = parser->inside};
    int power = 0;
    asked.deferred = parse_apart(parser, function, parser->last_end - 1, &power);
    if (asked.deferred && !bind(parser, &asked, &type, message))
        hiera_lexer_fail(&parser->lexer, token.begin, parser->last_end, "%s",
                         message[0] ? message : "this cannot be asked here");
    parser->power = power;
    return type;
}

static HieraValueType parse_one_of(HieraParser *parser, const HieraExpressionFunction *function)
{
    if (function->call)
        return parse_call(parser, function);
    bool defers = function->n_parameters == 1 && function->parameters[0] == HIERA_VALUE_EXPRESSION;
    return defers ? parse_deferred_call(parser, function) : parse_bound_call(parser, function);
}

static HieraValueType parse_function(HieraParser *parser)
{
    HieraToken token = parser->token;
    const HieraExpressionHost *host = parser->host;
    if (is_spelt(parser, &token, "has"))
        return parse_has(parser);
    HieraNearest nearest = hiera_nearest_begin(parser->lexer.text + token.begin, token.end - token.begin);
    hiera_nearest_offer(&nearest, "has");
    for (size_t i = 0; i < host->n_functions; i++) {
        if (is_spelt(parser, &token, host->functions[i].name))
            return parse_one_of(parser, &host->functions[i]);
        hiera_nearest_offer(&nearest, host->functions[i].name);
    }
    size_t length = token.end - token.begin;
    hiera_lexer_fail(&parser->lexer, token.begin, token.end, "unknown function '%.*s'%s%s%s",
                     length < 60 ? (int)length : 60, parser->lexer.text + token.begin,
                     nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                     nearest.best ? "'?" : "");
    return HIERA_VALUE_MISSING;
}

/* --- other operands --- */

static HieraOperand parse_value(HieraParser *parser)
{
    HieraToken token = parser->token;
    HieraValue value = token.value;
    int power = value.type == HIERA_VALUE_DURATION;
    if (parser->host->plain && value.type == HIERA_VALUE_DURATION)
        value = hiera_value_integer(value.duration_ns);
    bool is_number = value.type != HIERA_VALUE_TRUTH;
    bool is_zero = value.type == HIERA_VALUE_INTEGER && value.integer == 0;
    hiera_emit_constant(&parser->emitter, value);
    hiera_parser_advance(parser);
    return (HieraOperand){.type = value.type, .is_literal = is_number, .is_zero = is_zero, .power = power};
}

static HieraOperand parse_parentheses(HieraParser *parser)
{
    size_t open = parser->token.begin;
    hiera_parser_advance(parser);
    HieraOperand operand = hiera_parse_level(parser, HIERA_PRECEDENCE_CHOICE);
    expect_close(parser, open);
    operand.is_literal = false;
    return operand;
}

HieraOperand hiera_parse_operand(HieraParser *parser)
{
    HieraOperand operand = {.type = HIERA_VALUE_MISSING};
    size_t begin = parser->token.begin;
    if (parser->token.kind == HIERA_TOKEN_VALUE) {
        operand = parse_value(parser);
    } else if (parser->token.kind == HIERA_TOKEN_TEXT) {
        hiera_emit_text(&parser->emitter, &parser->token);
        hiera_parser_advance(parser);
        operand.type = HIERA_VALUE_TEXT;
    } else if (parser->token.kind == HIERA_TOKEN_NAME) {
        /* parser->token is still the name, so the lexer sees what follows the name. */
        operand.type = hiera_lexer_peek(&parser->lexer) == '(' ? parse_function(parser) : parse_name(parser);
        operand.power = parser->power;
    } else if (parser->token.kind == HIERA_TOKEN_OPEN) {
        operand = parse_parentheses(parser);
    } else {
        hiera_parser_unexpected(parser, "a value");
    }
    operand.begin = begin;
    operand.end = parser->last_end;
    return operand;
}
