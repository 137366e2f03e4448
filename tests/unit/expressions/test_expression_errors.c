/* What is said of wrong expressions: the place, the reason, what to write instead. */
#include "expression_host.h"
#include "suites.h"
#include <stdio.h>
#include <string.h>

#define N(array)                         (sizeof(array) / sizeof(array)[0])
#define AT(column, message, text, caret) "--where: column " column ": " message "\n" text "\n" caret

typedef struct {
    const char *text, *report;
} Row;

static void expect_all(const Row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        expect_error(rows[i].text, HIERA_VALUE_ANY, rows[i].report);
}

static const Row unknown_names[] = {
    {"byts > 5", AT("1", "unknown name 'byts'; did you mean 'bytes'?", "byts > 5", "^~~~")},
    {"partner.rnk == 1",
     AT("1", "unknown name 'partner.rnk'; did you mean 'partner.rank'?", "partner.rnk == 1", "^~~~~~~~~~~")},
    {"operation == barrier",
     AT("14", "unknown name 'barrier'; a text stands in quotes", "operation == barrier", "             ^~~~~~~")},
    {"insid('a', 'b')", AT("1", "unknown function 'insid'; did you mean 'inside'?", "insid('a', 'b')", "^~~~~")},
    {"hass(rank)", AT("1", "unknown function 'hass'; did you mean 'has'?", "hass(rank)", "^~~~")},
    {"zzz(1)", AT("1", "unknown function 'zzz'", "zzz(1)", "^~~")},
    {"5mss", AT("2", "unknown unit 'mss'; did you mean 'ms'?", "5mss", " ^~~")},
    {"5 == 3parsecs", AT("7", "unknown unit 'parsecs'; there are ns, us, ms, s, min, h, B, kB, KiB, …, %",
                         "5 == 3parsecs", "      ^~~~~~~")},
};

START_TEST(names_that_are_unknown)
{
    expect_all(unknown_names, N(unknown_names));
}
END_TEST

static const Row wrong_signs[] = {
    {"", AT("1", "the expression ends where a value is expected", "", "^")},
    {"1 +  ", AT("4", "the expression ends where a value is expected", "1 +  ", "   ^")},
    {"rank = 3", AT("6", "unexpected '='; '==' compares", "rank = 3", "     ^")},
    {"rank 3", AT("6", "unexpected '3' where an operator is expected", "rank 3", "     ^")},
    {"rank == == 3", AT("9", "unexpected '==' where a value is expected", "rank == == 3", "        ^~")},
    {"(rank == 3", AT("1", "the parenthesis that begins here has no end: ) is missing", "(rank == 3", "^")},
    {"has(rank", AT("4", "the parenthesis that begins here has no end: ) is missing", "has(rank", "   ^")},
    {"(rank 3)", AT("7", "unexpected '3' where an operator or ) is expected", "(rank 3)", "      ^")},
    {"rank == 3)", AT("10", "no parenthesis is open that this ) could end", "rank == 3)", "         ^")},
    {"operation == 'send",
     AT("14", "the text that begins here has no end: ' is missing", "operation == 'send", "             ^")},
    {"operation == 'a\\qb'", AT("16", "unknown escape; there are \\\\ \\\" \\' \\n \\t and \\x41",
                                "operation == 'a\\qb'", "               ^~")},
    {"flag ? 1 :2", AT("10", "a blank has to follow the ':' of '?:'", "flag ? 1 :2", "         ^")},
    {"flag ? 1", AT("9", "the expression ends where the ': ' of '?:' is expected", "flag ? 1", "        ^")},
    {"1 == not flag", AT("6", "put parentheses around 'not' and its operand here", "1 == not flag", "     ^~~")},
    {"operation =~ 'a' == flag", AT("18", "'=~' cannot be part of a chain; use parentheses or 'and'",
                                    "operation =~ 'a' == flag", "                 ^~")},
    {"1 < rank in 0-3",
     AT("10", "'in' cannot be part of a chain; use parentheses or 'and'", "1 < rank in 0-3", "         ^~")},
    {"rank # 3", AT("6", "unexpected '#'", "rank # 3", "     ^")},
    {"rank \xe2\x89\xa4 3", AT("6", "unexpected '\xe2\x89\xa4'", "rank \xe2\x89\xa4 3", "     ^")},
    {"rank \x01 3", AT("6", "unexpected byte 0x01", "rank ? 3", "     ^")},
    {"rank \xff 3", AT("6", "unexpected byte 0xff", "rank ? 3", "     ^")},
    {"5\xff\n", AT("2", "unknown unit '?'; there are ns, us, ms, s, min, h, B, kB, KiB, …, %", "5?", " ^")},
    {"has()", AT("5", "unexpected ')' where a value is expected", "has()", "    ^")},
};

START_TEST(signs_in_the_wrong_place)
{
    expect_all(wrong_signs, N(wrong_signs));
}
END_TEST

static const Row large_numbers[] = {
    {"1e999", AT("1", "the number is too large", "1e999", "^~~~~")},
    {"rank == 300000h * 1e9h", AT("19", "the number is too large", "rank == 300000h * 1e9h", "                  ^~~~")},
    {"0x10000000000000000", AT("1", "the number is too large", "0x10000000000000000", "^~~~~~~~~~~~~~~~~~~")},
    {"rank in 3-1", AT("9", "the range is the wrong way round; write 1-3", "rank in 3-1", "        ^~~")},
    {"rank in 1-3:0", AT("9", "the step of a range cannot be 0", "rank in 1-3:0", "        ^~~~~")},
    {"rank in 1x", AT("9", "behind 'in' stands a set of ranks such as 0-3 or 0-6:2 9", "rank in 1x", "        ^~")},
    {"rank in 1 99999999999", AT("11", "the rank is too large", "rank in 1 99999999999", "          ^~~~~~~~~~~")},
};

START_TEST(numbers_that_are_too_large)
{
    expect_all(large_numbers, N(large_numbers));
}
END_TEST

static const Row wrong_types[] = {
    {"duration > 5", AT("1", "'duration' is a duration and '5' is an integer: the integer needs a unit, as in 5ms",
                        "duration > 5", "^~~~~~~~~~~~")},
    {"1.5 + waiting", AT("1", "'1.5' is a number and 'waiting' is a duration: the number needs a unit, as in 1.5ms",
                         "1.5 + waiting", "^~~~~~~~~~~~~")},
    {"duration == bytes",
     AT("1", "'duration' is a duration and 'bytes' is an integer: the integer needs a unit, as in bytes * 1ms",
        "duration == bytes", "^~~~~~~~~~~~~~~~~")},
    {"duration * duration",
     AT("1", "'duration' is a duration and 'duration' is a duration: '*' needs two numbers, or a duration and a number",
        "duration * duration", "^~~~~~~~~~~~~~~~~~~")},
    {"1 / duration", AT("1",
                        "'1' is an integer and 'duration' is a duration: '/' needs two numbers, two durations, or "
                        "a duration before a number",
                        "1 / duration", "^~~~~~~~~~~~")},
    {"operation == 5",
     AT("1", "'operation' is a text and '5' is an integer: a text is compared with a text, as in \"5\"",
        "operation == 5", "^~~~~~~~~~~~~~")},
    {"operation < bytes",
     AT("1", "'operation' is a text and 'bytes' is an integer: only values of the same type can be compared",
        "operation < bytes", "^~~~~~~~~~~~~~~~~")},
    {"flag < true",
     AT("1", "'flag' is a truth and 'true' is a truth: truths have no order; only == and != compare them",
        "flag < true", "^~~~~~~~~~~")},
    {"operation + 'x'", AT("1", "'operation' is a text and ''x'' is a text: '+' needs two numbers or two durations",
                           "operation + 'x'", "^~~~~~~~~~~~~~~")},
    {"ratio band 1",
     AT("1", "'ratio' is a number and '1' is an integer: 'band' needs two integers", "ratio band 1", "^~~~~~~~~~~~")},
    {"1 + -operation",
     AT("6", "'operation' is a text: '-' needs a number or a duration", "1 + -operation", "     ^~~~~~~~~")},
    {"bnot ratio", AT("6", "'ratio' is a number: 'bnot' needs an integer", "bnot ratio", "     ^~~~~")},
    {"bytes and flag",
     AT("1", "each side of 'and' has to be a truth, but 'bytes' is an integer: compare it, as in bytes != 0",
        "bytes and flag", "^~~~~")},
    {"flag or operation",
     AT("9", "each side of 'or' has to be a truth, but 'operation' is a text: compare it, as in operation != \"\"",
        "flag or operation", "        ^~~~~~~~~")},
    {"not rank",
     AT("5", "the operand of 'not' has to be a truth, but 'rank' is an integer: compare it, as in rank != 0",
        "not rank", "    ^~~~")},
    {"rank ? 1 : 2",
     AT("1", "the condition of '?:' has to be a truth, but 'rank' is an integer: compare it, as in rank != 0",
        "rank ? 1 : 2", "^~~~")},
    {"flag ? 1 : 'a'", AT("8", "'1' is an integer and ''a'' is a text: both branches of '?:' need the same type",
                          "flag ? 1 : 'a'", "       ^~~~~~~")},
    {"operation in 0-3", AT("1", "what stands before a set of ranks has to be a number, but 'operation' is a text",
                            "operation in 0-3", "^~~~~~~~~")},
    {"rank in operation", AT("1",
                             "'rank' is an integer and 'operation' is a text: 'in' needs a set of ranks such as "
                             "0-3 behind it, or two texts",
                             "rank in operation", "^~~~~~~~~~~~~~~~~")},
    {"rank =~ 'a'", AT("1", "the left side of '=~' has to be a text, but 'rank' is an integer", "rank =~ 'a'", "^~~~")},
    {"operation =~ rank",
     AT("14", "unexpected 'rank' where a pattern in quotes is expected", "operation =~ rank", "             ^~~~")},
    {"inside('a')", AT("1", "inside() takes 2 arguments", "inside('a')", "^~~~~~~~~~")},
    {"inside('a', 'b', 'c')", AT("1", "inside() takes 2 arguments", "inside('a', 'b', 'c')", "^~~~~~~~~~~~~~~~")},
    {"inside('a', 5)",
     AT("13", "the second argument has to be a text, but '5' is an integer", "inside('a', 5)", "            ^")},
    {"half()", AT("1", "half() takes 1 argument", "half()", "^~~~~")},
    {"answer(1)", AT("1", "answer() takes 0 arguments", "answer(1)", "^~~~~~~")},
    {"later(5)", AT("7", "the first argument has to be a duration, but '5' is an integer: it needs a unit, as in 5ms",
                    "later(5)", "      ^")},
};

START_TEST(types_that_do_not_fit)
{
    expect_all(wrong_types, N(wrong_types));
}
END_TEST

START_TEST(the_type_of_the_result_can_be_demanded)
{
    expect_error("bytes + 1", HIERA_VALUE_TRUTH,
                 AT("1",
                    "the expression has to be a truth, but 'bytes + 1' is an integer: compare it, as in bytes + 1 != 0",
                    "bytes + 1", "^~~~~~~~~"));
    expect_error(
        "bytes", HIERA_VALUE_DURATION,
        AT("1", "the expression has to be a duration, but 'bytes' is an integer: it needs a unit, as in bytes * 1ms",
           "bytes", "^~~~~"));
    expect_error("flag", HIERA_VALUE_NUMBER,
                 AT("1", "the expression has to be a number, but 'flag' is a truth", "flag", "^~~~"));
}
END_TEST

static const Row wrong_patterns[] = {
    {"text =~ 'a(b'", AT("11", "the group that begins here has no end: ) is missing", "text =~ 'a(b'", "          ^")},
    {"text =~ 'a)b'",
     AT("11", "no group is open that this ) could end; write \\) for the sign", "text =~ 'a)b'", "          ^")},
    {"text =~ '[ab'", AT("10", "the class that begins here has no end: ] is missing", "text =~ '[ab'", "         ^")},
    {"text =~ '[b-a]'", AT("11", "the range of a class is the wrong way round", "text =~ '[b-a]'", "          ^~~")},
    {"text =~ '[[:alpha:]]'",
     AT("11", "there are no named classes; write \\d, \\w, \\s or ranges", "text =~ '[[:alpha:]]'", "          ^~")},
    {"text =~ '*a'", AT("10", "nothing stands before '*' that could be repeated; write \\* for the sign",
                        "text =~ '*a'", "         ^")},
    {"text =~ '(+)'", AT("11", "nothing stands before '+' that could be repeated; write \\+ for the sign",
                         "text =~ '(+)'", "          ^")},
    {"text =~ 'a+?'", AT("12", "only one of * + ? can follow; use a group: (…)?", "text =~ 'a+?'", "           ^")},
    {"text =~ '^*'", AT("10", "an anchor cannot be repeated", "text =~ '^*'", "         ^~")},
    {"text =~ 'a{2}'",
     AT("11", "patterns cannot count repetitions; write \\{ for the sign", "text =~ 'a{2}'", "          ^")},
    {"text =~ '(?i)a'",
     AT("10", "(?…) is not part of the language; groups are written (…)", "text =~ '(?i)a'", "         ^~")},
    {"text =~ '(a)\\1'", AT("13", "a pattern cannot refer back to a group", "text =~ '(a)\\1'", "            ^~")},
    {"text =~ 'a\\b'",
     AT("11",
        "unknown escape in a pattern; there are \\d \\w \\s \\D \\W \\S \\n \\r \\t, and a backslash before a sign",
        "text =~ 'a\\b'", "          ^~")},
};

START_TEST(patterns_that_are_wrong)
{
    expect_all(wrong_patterns, N(wrong_patterns));
}
END_TEST

START_TEST(patterns_have_a_greatest_length)
{
    char text[1024] = "text =~ '.";
    HieraExpressionError error;
    for (int i = 0; i < 300; i++)
        strcat(text, "a");
    strcat(text, "'");
    ck_assert_ptr_null(hiera_expression_compile(text, strlen(text), &expression_host, HIERA_VALUE_ANY, &error));
    ck_assert_str_eq(error.message, "the pattern is too long: only 250 parts are possible");
}
END_TEST

START_TEST(an_expression_has_a_greatest_length)
{
    static char text[HIERA_EXPRESSION_LONGEST + 1];
    HieraExpressionError error;
    memset(text, ' ', sizeof text);
    ck_assert_ptr_null(hiera_expression_compile(text, sizeof text, &expression_host, HIERA_VALUE_ANY, &error));
    ck_assert_str_eq(error.message, "the expression has more than 65535 bytes");
}
END_TEST

/* --- the place --- */

static void expect_report(const char *text, const HieraExpressionPlace *place, const char *expected)
{
    HieraExpressionError error;
    char actual[HIERA_EXPRESSION_REPORT];
    ck_assert_ptr_null(hiera_expression_compile(text, strlen(text), &expression_host, HIERA_VALUE_ANY, &error));
    hiera_expression_report(&error, text, strlen(text), place, actual, sizeof actual);
    ck_assert_str_eq(actual, expected);
}

START_TEST(a_report_names_file_line_and_column)
{
    const HieraExpressionPlace place = {.source = "rules.txt", .line = 3, .column = 9};
    expect_report("rank = 3", &place, "rules.txt:3:14: unexpected '='; '==' compares\nrank = 3\n     ^");
    expect_report("flag and\n  rank = 3 or\nflag", &place,
                  "rules.txt:4:8: unexpected '='; '==' compares\n  rank = 3 or\n       ^");
    expect_report("'\xc3\xa4\t\xff' = 3", &place,
                  "rules.txt:3:15: unexpected '='; '==' compares\n'\xc3\xa4 ?' = 3\n      ^");
}
END_TEST

START_TEST(a_long_line_is_shown_in_part)
{
    const HieraExpressionPlace place = {.source = "f", .line = 1, .column = 1};
    char text[512] = "", expected[512];
    for (int i = 0; i < 20; i++)
        strcat(text, "1234567 + ");
    strcat(text, "foo");
    for (int i = 0; i < 20; i++)
        strcat(text, " + 1234567");
    snprintf(expected, sizeof expected, "f:1:201: unknown name 'foo'; a text stands in quotes\n…%.60s%.40s…\n%61s^~~",
             text + 140, text + 200, "");
    expect_report(text, &place, expected);
}
END_TEST

START_TEST(a_report_fits_into_its_room)
{
    const HieraExpressionPlace place = {.source = "--where", .column = 1};
    const HieraExpressionError error = {.at = 5, .length = 1, .message = "wrong"};
    char report[64];
    for (size_t room = 1; room <= sizeof report; room++) {
        memset(report, 'x', sizeof report);
        hiera_expression_report(&error, "rank = 3", 8, &place, report, room);
        ck_assert_uint_lt(strlen(report), room);
        ck_assert(strncmp(report, "--where: column 6: wrong\nrank = 3\n     ^", strlen(report)) == 0);
    }
}
END_TEST

TCase *expression_errors_tests(void)
{
    TCase *tests = tcase_create("expression errors");
    tcase_add_test(tests, names_that_are_unknown);
    tcase_add_test(tests, signs_in_the_wrong_place);
    tcase_add_test(tests, numbers_that_are_too_large);
    tcase_add_test(tests, types_that_do_not_fit);
    tcase_add_test(tests, the_type_of_the_result_can_be_demanded);
    tcase_add_test(tests, patterns_that_are_wrong);
    tcase_add_test(tests, patterns_have_a_greatest_length);
    tcase_add_test(tests, an_expression_has_a_greatest_length);
    tcase_add_test(tests, a_report_names_file_line_and_column);
    tcase_add_test(tests, a_long_line_is_shown_in_part);
    tcase_add_test(tests, a_report_fits_into_its_room);
    return tests;
}
