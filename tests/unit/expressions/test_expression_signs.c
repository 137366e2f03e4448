/* Names with signs and keys, and texts that are joined: what probe scripts need of the expression language. */
#include "expression_host.h"
#include "suites.h"
#include <stdio.h>
#include <string.h>

static char room[64];
static size_t n_room; /* bytes of it that are taken */

/* `&n` is 7, `:text` "ab", `#all` 0.5. With keys: the number of keys, plus 10 for each that is a text; `:d[…]` has the
 * first key as a text of one letter. */
static bool bind(void *binder, const HieraExpressionAsked *asked, unsigned *id, HieraValueType *type, char *message)
{
    (void)binder;
    char sign = *asked->name;
    *id = (unsigned char)sign;
    *type = sign == '&' ? HIERA_VALUE_INTEGER : sign == ':' ? HIERA_VALUE_TEXT : HIERA_VALUE_NUMBER;
    if (asked->n_keys) {
        *type = HIERA_VALUE_INTEGER;
        *id = asked->n_keys;
        for (unsigned i = 0; i < asked->n_keys; i++)
            *id += asked->keys[i] == HIERA_VALUE_TEXT ? 10 : 0;
    }
    if (asked->length == 6 && memcmp(asked->name, "&wrong", 6) == 0)
        snprintf(message, HIERA_EXPRESSION_MESSAGE, "there is no such variable");
    return !message[0];
}

static HieraValue get(unsigned id, void *context)
{
    (void)context;
    return id == '&' ? hiera_value_integer(7) : id == ':' ? hiera_value_text("ab", 2) : hiera_value_number(0.5);
}

/* Of `n` keys of value 7 (or "ab") the expected id is in `id`; a key 100 adds its value. */
static HieraValue get_keyed(unsigned id, const HieraValue *keys, unsigned n, void *context)
{
    (void)context;
    int64_t sum = id;
    for (unsigned i = 0; i < n; i++)
        sum += keys[i].type == HIERA_VALUE_INTEGER ? 100 * keys[i].integer : 0;
    return hiera_value_integer(sum);
}

static char *take_room(size_t length, void *context)
{
    (void)context;
    if (n_room + length > sizeof room)
        return NULL;
    n_room += length;
    return room + n_room - length;
}

static HieraValue half(unsigned id, const HieraValue *arguments, void *context)
{
    (void)id, (void)context;
    return hiera_value_number(arguments[0].number / 2);
}

static const HieraExpressionName plain_names[] = {{"rank", HIERA_VALUE_INTEGER, ':', 0, get}};
static const HieraExpressionFunction functions[] = {{"half", HIERA_VALUE_NUMBER, 1, {HIERA_VALUE_NUMBER}, 0, 0, half}};
static const HieraExpressionHost host = {.names = plain_names,
                                         .n_names = 1,
                                         .functions = functions,
                                         .n_functions = 1,
                                         .signs = "&:#",
                                         .bind = bind,
                                         .get_bound = get,
                                         .get_keyed = get_keyed,
                                         .text_room = take_room};

static const struct {
    const char *text, *expected;
} values[] = {
    {"&n", "integer 7"},
    {"&n + 1", "integer 8"},
    {"#all * &n", "number 3.5"},
    {":text == \"ab\"", "true"},
    /* where no operand stands, the sign is the operator */
    {"&n == 7 & &n < 8", "true"},
    {"&n == 7 &&&n < 8", "true"},
    {"&n == 7 && !(&n < 8)", "false"},
    {"&n > 7 ? :text : :text", "text ab"},
    {"&n > 7 ? 1 : &n", "integer 7"},
    {"50%&n", "integer 1"}, /* 50 modulo 7 */
    {"has(&n)", "true"},
    {"half(&n)", "number 3.5"},
    /* keys: their number, 10 for each text, 100 times each integer */
    {"&n[2]", "integer 201"},
    {":text[&n, 'x']", "integer 712"},
    {":text [ &n, 'x' ]", "integer 712"},
    {"#all[&n[1], 'x', :text] + 1", "integer 10124"},
    {"&n[1/0]", "missing"},
    {"1 + &n[1/0, 'a']", "missing"},
    /* texts */
    {":text + '-' + :text", "text ab-ab"},
    {"'' + ''", "text "},
    {"'b' in :text + 'c'", "true"},
    {"'01234567890123456789012345678901' + '012345678901234567890123456789012'", "missing"}, /* 65 bytes */
};

START_TEST(names_have_signs_and_keys)
{
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        n_room = 0;
        expect_value(&host, values[i].text, values[i].expected);
    }
}
END_TEST

static const struct {
    const char *text, *expected;
} errors[] = {
    {"&wrong + 1", "p:1: there is no such variable\n&wrong + 1\n^~~~~~"},
    {"&wrong[1] + 1", "p:1: there is no such variable\n&wrong[1] + 1\n^~~~~~"},
    {"& n", "p:1: unexpected '&' where a value is expected\n& n\n^"},
    {"&3", "p:1: unexpected '&' where a value is expected\n&3\n^"},
    {"&n &n",
     "p:1: each side of 'and' has to be a truth, but '&n' is an integer: compare it, as in &n != 0\n&n &n\n^~"},
    {"&n[1", "p:3: the bracket that begins here has no end: ] is missing\n&n[1\n  ^"},
    {"&n[1)", "p:5: unexpected ')' where an operator or ] is expected\n&n[1)\n    ^"},
    {"&n[]", "p:4: unexpected ']' where a value is expected\n&n[]\n   ^"},
    {"&n[1][1]", "p:6: unexpected '[' where an operator is expected\n&n[1][1]\n     ^"},
    {"rank[1]", "p:5: unexpected '[' where an operator is expected\nrank[1]\n    ^"},
    {"&n[1,2,3,4,5,6,7,8,9]", "p:20: there are more than 8 keys\n&n[1,2,3,4,5,6,7,8,9]\n                   ^"},
    {"'a' + &n",
     "p:1: ''a'' is a text and '&n' is an integer: a text is joined with a text, as in str(&n)\n'a' + &n\n^~~~~~~~"},
    {"1 + 'a'",
     "p:1: '1' is an integer and ''a'' is a text: a text is joined with a text, as in str(1)\n1 + 'a'\n^~~~~~~"},
    {"$n", "p:1: unexpected '$'\n$n\n^"},
    {"1 > &n ? 1 :&n", "p:12: a blank has to follow the ':' of '?:'\n1 > &n ? 1 :&n\n           ^"},
};

START_TEST(wrong_names_and_keys_have_a_place)
{
    const HieraExpressionPlace place = {"p", 0, 1};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        HieraExpressionError error;
        char actual[HIERA_EXPRESSION_REPORT], expected[HIERA_EXPRESSION_REPORT];
        const char *text = errors[i].text;
        ck_assert_msg(!hiera_expression_compile(text, strlen(text), &host, HIERA_VALUE_ANY, &error), "%s", text);
        hiera_expression_report(&error, text, strlen(text), &place, actual, sizeof actual);
        snprintf(expected, sizeof expected, "p: column %s", errors[i].expected + 2);
        ck_assert_msg(strcmp(actual, expected) == 0, "expected\n%s\nactual\n%s", expected, actual);
    }
}
END_TEST

START_TEST(trees_show_keys_and_joined_texts)
{
    char tree[128];
    HieraExpression *expression = must_compile(&host, ":a['x', &n + 1] + 2 * &n", HIERA_VALUE_ANY);
    ck_assert(print_tree(expression, tree, sizeof tree));
    ck_assert_str_eq(tree, "(+ (@12 \"x\" (+ @38 1)) (* 2 @38))");
    hiera_expression_free(expression);
    expression = must_compile(&host, ":text + 'a' + 'b'", HIERA_VALUE_TEXT);
    ck_assert(print_tree(expression, tree, sizeof tree));
    ck_assert_str_eq(tree, "(+ (+ @58 \"a\") \"b\")");
    hiera_expression_free(expression);
}
END_TEST

START_TEST(a_host_without_signs_has_neither_keys_nor_joined_texts)
{
    expect_error("&rank", HIERA_VALUE_ANY, "--where: column 1: unexpected '&' where a value is expected\n&rank\n^");
    expect_error("rank[1]", HIERA_VALUE_ANY, "--where: column 5: unexpected '['\nrank[1]\n    ^");
    expect_error(
        "operation + text", HIERA_VALUE_ANY,
        "--where: column 1: 'operation' is a text and 'text' is a text: '+' needs two numbers or two durations\n"
        "operation + text\n^~~~~~~~~~~~~~~~");
}
END_TEST

TCase *expression_sign_tests(void)
{
    TCase *tests = tcase_create("expressions, names with signs and keys");
    tcase_add_test(tests, names_have_signs_and_keys);
    tcase_add_test(tests, wrong_names_and_keys_have_a_place);
    tcase_add_test(tests, trees_show_keys_and_joined_texts);
    tcase_add_test(tests, a_host_without_signs_has_neither_keys_nor_joined_texts);
    return tests;
}
