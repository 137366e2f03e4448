/* What a host binds while an expression is compiled: `$n`, `${limit}`, and calls with literals. */
#include "expression_host.h"
#include "suites.h"
#include <stdio.h>
#include <string.h>

static bool is(const HieraExpressionAsked *asked, const char *name)
{
    return asked->length == strlen(name) && memcmp(asked->name, name, asked->length) == 0;
}

/* `$n` is 7, `${limit}` is 0.5, `late.time` 3 ns, calls() the length of its texts; `$gone` is known to be gone. twice()
 * is twice the value of its argument, and 100 more in an argument. */
static bool bind(void *binder, const HieraExpressionAsked *asked, unsigned *id, HieraValueType *type, char *message)
{
    (void)binder;
    *type = HIERA_VALUE_INTEGER;
    *id = 7;
    if (asked->deferred) {
        *type = HIERA_VALUE_NUMBER;
        *id = (unsigned)(2 * hiera_expression_evaluate(asked->deferred, NULL).number) + (asked->inside ? 100 : 0);
        hiera_expression_free(asked->deferred);
        return true;
    }
    if (asked->function) {
        *id = 0;
        for (unsigned i = 0; i < asked->n_arguments; i++)
            *id += asked->arguments[i].type == HIERA_VALUE_TEXT ? asked->arguments[i].length : 100;
        return true;
    }
    if (is(asked, "$gone"))
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "there is no variable any more");
    if (is(asked, "${limit}"))
        *type = HIERA_VALUE_NUMBER;
    if (is(asked, "late.time"))
        *type = HIERA_VALUE_DURATION;
    return is(asked, "$n") || is(asked, "${limit}") || is(asked, "late.time");
}

static HieraValue get(unsigned id, void *context)
{
    (void)context;
    return hiera_value_integer(id);
}

static const HieraExpressionFunction functions[] = {
    {"calls", HIERA_VALUE_INTEGER, 2, {HIERA_VALUE_TEXT, HIERA_VALUE_INTEGER}, 0, 0, NULL},
    {"twice", HIERA_VALUE_NUMBER, 1, {HIERA_VALUE_EXPRESSION}, 0, 0, NULL},
};
static const HieraExpressionHost host = {
    .functions = functions, .n_functions = 2, .plain = true, .bind = bind, .get_bound = get};

static const struct {
    const char *text, *expected;
} values[] = {
    {"$n", "integer 7"},
    {"$n + 1", "integer 8"},
    {"${limit}", "number 7"},
    {"2*$n", "integer 14"},
    {"late.time", "integer 7"},
    {"calls(\"send\")", "integer 4"},
    {"calls()", "integer 0"},
    {"calls('ab', 3) * 2", "integer 204"},
    {"$n > 6 & $n < 8", "true"},
    {"1 + twice(2 * $n + calls('a')) * 2", "number 61"},
    {"twice(twice(1))", "number 204"},
};

START_TEST(the_host_answers_for_words_of_its_own)
{
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        expect_value(&host, values[i].text, values[i].expected);
}
END_TEST

static const struct {
    const char *text, *expected;
} errors[] = {
    {"1 + $m", "rules:2:5: unknown name '$m'; a text stands in quotes\n1 + $m\n    ^~"},
    {"$gone", "rules:2:1: there is no variable any more\n$gone\n^~~~~"},
    {"$ n", "rules:2:1: a name has to follow '$'\n$ n\n^"},
    {"$3", "rules:2:1: a name has to follow '$'\n$3\n^~"},
    {"${limit", "rules:2:1: the } behind '${' is missing\n${limit\n^~~~~~~"},
    {"${}", "rules:2:1: a name has to follow '${'\n${}\n^~"},
    {"calls(\"a\", 1, 2)", "rules:2:15: calls() takes at most 2 arguments\ncalls(\"a\", 1, 2)\n              ^"},
    {"calls(\"a\", $n)", "rules:2:12: calls() takes literals only\ncalls(\"a\", $n)\n           ^~"},
    {"calls(\"a\", 1 + 2)", "rules:2:12: calls() takes literals only\ncalls(\"a\", 1 + 2)\n           ^~~~~"},
    {"twice(1", "rules:2:6: the parenthesis that begins here has no end: ) is missing\ntwice(1\n     ^"},
    {"twice(1, 2)", "rules:2:8: unexpected ',' where an operator or ) is expected\ntwice(1, 2)\n       ^"},
    {"twice('a')", "rules:2:7: the argument has to be a number, but ''a'' is a text\ntwice('a')\n      ^~~"},
    {"twice(1) + $m", "rules:2:12: unknown name '$m'; a text stands in quotes\ntwice(1) + $m\n           ^~"},
    {"twice($m)", "rules:2:7: unknown name '$m'; a text stands in quotes\ntwice($m)\n      ^~"},
    {"calls(3)", "rules:2:7: the first argument has to be a text, but '3' is an integer\ncalls(3)\n      ^"},
};

START_TEST(what_the_host_does_not_know_is_an_error)
{
    const HieraExpressionPlace place = {"rules", 2, 1};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        HieraExpressionError error;
        char actual[HIERA_EXPRESSION_REPORT];
        const char *text = errors[i].text;
        ck_assert_msg(!hiera_expression_compile(text, strlen(text), &host, HIERA_VALUE_ANY, &error), "%s", text);
        hiera_expression_report(&error, text, strlen(text), &place, actual, sizeof actual);
        ck_assert_msg(strcmp(actual, errors[i].expected) == 0, "expected\n%s\nactual\n%s", errors[i].expected, actual);
    }
}
END_TEST

START_TEST(a_host_that_binds_nothing_has_no_dollar)
{
    expect_error("$n", HIERA_VALUE_ANY, "--where: column 1: unexpected '$'\n$n\n^");
}
END_TEST

static const struct {
    const char *text, *operator_;
    int64_t left, right;
} sides[] = {
    {"$n < 3", "<", 7, 3},     {"$n > 3 & 1 >= $n", ">=", 1, 7}, {"$n < 3 & 1 >= $n", "<", 7, 3},
    {"1 < $n < 5", "<", 7, 5}, {"9 < $n < 8", "<", 9, 7},        {"!($n == 7)", "==", 7, 7},
};

START_TEST(the_comparison_that_decided_can_be_told)
{
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        HieraExpressionSides told;
        HieraExpression *expression = must_compile(&host, sides[i].text, HIERA_VALUE_TRUTH);
        ck_assert(!hiera_expression_explain(expression, NULL, &told));
        ck_assert_str_eq(told.operator_, sides[i].operator_);
        ck_assert_int_eq(told.left.integer, sides[i].left);
        ck_assert_int_eq(told.right.integer, sides[i].right);
        hiera_expression_free(expression);
    }
}
END_TEST

TCase *expression_bound_tests(void)
{
    TCase *tests = tcase_create("expressions, what the host binds");
    tcase_add_test(tests, the_host_answers_for_words_of_its_own);
    tcase_add_test(tests, what_the_host_does_not_know_is_an_error);
    tcase_add_test(tests, the_comparison_that_decided_can_be_told);
    tcase_add_test(tests, a_host_that_binds_nothing_has_no_dollar);
    return tests;
}
