/* See expression_host.h. */
#include "expression_host.h"
#include <check.h>
#include <stdio.h>
#include <string.h>

enum { RANK, BYTES, RATIO, DURATION, WAITING, OPERATION, TEXT, FLAG, OFF, MISSING, WRONG };

static HieraValue get(unsigned id, void *context)
{
    Subject *subject = context;
    switch (id) {
    case RANK:
        subject->n_asked++;
        return hiera_value_integer(subject->rank);
    case BYTES:
        return hiera_value_integer(1000);
    case RATIO:
        return hiera_value_number(0.25);
    case DURATION:
        return hiera_value_duration(5000000);
    case WAITING:
        return hiera_value_duration(2000000);
    case OPERATION:
        return hiera_value_text("sender", 4); /* not terminated */
    case TEXT:
        return hiera_value_text(subject->text, strlen(subject->text));
    case FLAG:
    case OFF:
        return hiera_value_truth(id == FLAG);
    case WRONG:
        return hiera_value_integer(5); /* said to be a text */
    default:
        return hiera_value_missing();
    }
}

static const HieraExpressionName names[] = {
    {"rank", HIERA_VALUE_INTEGER, RANK, 0, get},
    {"bytes", HIERA_VALUE_INTEGER, BYTES, 0, get},
    {"ratio", HIERA_VALUE_NUMBER, RATIO, 0, get},
    {"duration", HIERA_VALUE_DURATION, DURATION, 0, get},
    {"waiting", HIERA_VALUE_DURATION, WAITING, 0, get},
    {"operation", HIERA_VALUE_TEXT, OPERATION, 0, get},
    {"text", HIERA_VALUE_TEXT, TEXT, 0, get},
    {"flag", HIERA_VALUE_TRUTH, FLAG, 0, get},
    {"off", HIERA_VALUE_TRUTH, OFF, 0, get},
    {"partner.rank", HIERA_VALUE_INTEGER, MISSING, 1, get},
    {"partner.bytes", HIERA_VALUE_INTEGER, MISSING, 1, get},
    {"gone", HIERA_VALUE_TRUTH, MISSING, 0, get},
    {"nobody", HIERA_VALUE_TEXT, MISSING, 0, get},
    {"never", HIERA_VALUE_DURATION, MISSING, 0, get},
    {"wrong", HIERA_VALUE_TEXT, WRONG, 0, get},
};

static HieraValue inside(unsigned id, const HieraValue *arguments, void *context)
{
    (void)id, (void)context;
    return hiera_value_truth(arguments[0].length < arguments[1].length);
}

static HieraValue half(unsigned id, const HieraValue *arguments, void *context)
{
    (void)id, (void)context;
    return hiera_value_number(arguments[0].number / 2);
}

static HieraValue first(unsigned id, const HieraValue *arguments, void *context)
{
    (void)id, (void)context;
    return arguments[0];
}

static HieraValue answer(unsigned id, const HieraValue *arguments, void *context)
{
    (void)arguments, (void)context;
    return hiera_value_integer(id);
}

static HieraValue is_text(unsigned id, const HieraValue *arguments, void *context)
{
    (void)id, (void)context;
    return hiera_value_truth(arguments[0].type == HIERA_VALUE_TEXT);
}

static const HieraExpressionFunction functions[] = {
    {"inside", HIERA_VALUE_TRUTH, 2, {HIERA_VALUE_TEXT, HIERA_VALUE_TEXT}, 0, 2, inside},
    {"half", HIERA_VALUE_NUMBER, 1, {HIERA_VALUE_NUMBER}, 0, 0, half},
    {"later", HIERA_VALUE_DURATION, 1, {HIERA_VALUE_DURATION}, 0, 0, first},
    {"answer", HIERA_VALUE_INTEGER, 0, {0}, 42, 0, answer},
    {"is_text", HIERA_VALUE_TRUTH, 1, {HIERA_VALUE_ANY}, 0, 0, is_text},
};

#define TABLES names, sizeof names / sizeof names[0], functions, sizeof functions / sizeof functions[0]
const HieraExpressionHost expression_host = {TABLES, .plain = false};
const HieraExpressionHost expression_plain_host = {TABLES, .plain = true};
const HieraExpressionHost expression_guarded_host = {TABLES, .plain = true, .guards_floats = true};

static void report(const HieraExpressionError *error, const char *text, char *to)
{
    const HieraExpressionPlace place = {.source = "--where", .column = 1};
    hiera_expression_report(error, text, strlen(text), &place, to, HIERA_EXPRESSION_REPORT);
}

HieraExpression *must_compile(const HieraExpressionHost *host, const char *text, HieraValueType wanted)
{
    HieraExpressionError error;
    char actual[HIERA_EXPRESSION_REPORT] = "";
    HieraExpression *expression = hiera_expression_compile(text, strlen(text), host, wanted, &error);
    if (!expression)
        report(&error, text, actual);
    ck_assert_msg(expression, "%s", actual);
    return expression;
}

void expect_tree(const char *text, const char *tree)
{
    char actual[1024];
    HieraExpression *expression = must_compile(&expression_host, text, HIERA_VALUE_ANY);
    ck_assert(print_tree(expression, actual, sizeof actual));
    ck_assert_msg(strcmp(actual, tree) == 0, "%s: expected %s, actual %s", text, tree, actual);
    hiera_expression_free(expression);
}

static void print(HieraValue value, char *to, size_t room)
{
    switch (value.type) {
    case HIERA_VALUE_INTEGER:
        snprintf(to, room, "integer %lld", (long long)value.integer);
        return;
    case HIERA_VALUE_NUMBER:
        snprintf(to, room, "number %.15g", value.number);
        return;
    case HIERA_VALUE_DURATION:
        snprintf(to, room, "duration %lld", (long long)value.duration_ns);
        return;
    case HIERA_VALUE_TEXT:
        snprintf(to, room, "text %.*s", (int)value.length, value.text);
        return;
    case HIERA_VALUE_TRUTH:
        snprintf(to, room, "%s", value.truth ? "true" : "false");
        return;
    default:
        snprintf(to, room, "missing");
    }
}

void expect_value(const HieraExpressionHost *host, const char *text, const char *expected)
{
    char actual[256];
    Subject subject = {.rank = 3, .text = ""};
    HieraExpression *expression = must_compile(host, text, HIERA_VALUE_ANY);
    HieraValue value = hiera_expression_evaluate(expression, &subject);
    print(value, actual, sizeof actual);
    ck_assert_msg(strcmp(actual, expected) == 0, "%s: expected %s, actual %s", text, expected, actual);
    ck_assert_msg(value.type == HIERA_VALUE_MISSING || value.type == hiera_expression_type(expression),
                  "%s: the result is not of the type of the expression", text);
    hiera_expression_free(expression);
}

void expect_error(const char *text, HieraValueType wanted, const char *expected)
{
    HieraExpressionError error;
    char actual[HIERA_EXPRESSION_REPORT] = "no error";
    HieraExpression *expression = hiera_expression_compile(text, strlen(text), &expression_host, wanted, &error);
    if (!expression)
        report(&error, text, actual);
    ck_assert_msg(strcmp(actual, expected) == 0, "%s: expected\n%s\nactual\n%s", text, expected, actual);
    hiera_expression_free(expression);
}
