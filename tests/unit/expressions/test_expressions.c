/* The expression language: precedence, operators, units. Expected results were worked out by hand from
 * docs/expressions.md. */
#include "expression_host.h"
#include "suites.h"

#define N(array) (sizeof(array) / sizeof(array)[0])

typedef struct {
    const char *text, *expected;
} Row;

static const Row precedence[] = {
    {"1 + 2 * 3", "(+ 1 (* 2 3))"},
    {"(1 + 2) * 3", "(* (+ 1 2) 3)"},
    {"1 - 2 - 3", "(- (- 1 2) 3)"},
    {"8 / 4 / 2", "(/ (/ 8 4) 2)"},
    {"8 % 4 * 2", "(* (% 8 4) 2)"},
    {"-2 * 3", "(* (- 2) 3)"},
    {"1 - -2", "(- 1 (- 2))"},
    {"bnot 1 + 2", "(+ (bnot 1) 2)"},
    {"1 + 2 shl 3", "(shl (+ 1 2) 3)"},
    {"1 band 2 shl 3", "(band 1 (shl 2 3))"},
    {"1 bor 2 bxor 3 band 4", "(bor 1 (bxor 2 (band 3 4)))"},
    {"1 band 2 == 3", "(== (band 1 2) 3)"},
    {"not 1 == 2", "(not (== 1 2))"},
    {"not flag and off", "(and (not flag) off)"},
    {"not not flag", "(not (not flag))"},
    {"flag or off and flag", "(or flag (and off flag))"},
    {"flag or off xor flag and off", "(or flag (xor off (and flag off)))"},
    {"flag and off or flag and not off", "(or (and flag off) (and flag (not off)))"},
    {"flag -> off -> flag", "(-> flag (-> off flag))"},
    {"flag or off -> flag", "(-> (or flag off) flag)"},
    {"flag -> off ? 1 : 2", "(?: (-> flag off) 1 2)"},
    {"flag ? 1 : off ? 2 : 3", "(?: flag 1 (?: off 2 3))"},
    {"flag ? off ? 1 : 2 : 3", "(?: flag (?: off 1 2) 3)"},
    {"(flag ? 1 : 2) + 3", "(+ (?: flag 1 2) 3)"},
    {"1 < 2 < 3", "(chain 1 < 2 < 3)"},
    {"1 < rank + 1 <= 5 != 6 and flag", "(and (chain 1 < (+ rank 1) <= 5 != 6) flag)"},
    {"(1 < 2) == flag", "(== (< 1 2) flag)"},
    {"operation == \"a\" and operation =~ 'b|c' or rank in 0-3",
     "(or (and (== operation \"a\") (=~ operation \"b|c\")) (in rank 0-3))"},
    {"rank + 1 in 0-6:2 9", "(in (+ rank 1) 0-6:2 9)"},
    {"\"en\" in operation", "(in \"en\" operation)"},
    {"has(partner.rank) & inside(\"a\", \"b\") | answer() == 1",
     "(or (and (has partner.rank) (inside \"a\" \"b\")) (== (answer) 1))"},
};

START_TEST(precedence_is_that_of_the_table)
{
    for (size_t i = 0; i < N(precedence); i++)
        expect_tree(precedence[i].text, precedence[i].expected);
}
END_TEST

static const Row spellings[] = {
    {"flag & off", "(and flag off)"},
    {"flag && off", "(and flag off)"},
    {"flag | off", "(or flag off)"},
    {"flag || off", "(or flag off)"},
    {"!flag", "(not flag)"},
    {"flag&off|flag", "(or (and flag off) flag)"},
    {"rank!=3", "(!= rank 3)"},
    {"flag->!off", "(-> flag (not off))"},
    {"\t flag \n", "flag"},
    {"rank in 0-3,7", "(in rank 0-3 7)"},
    {"rank in  5  7", "(in rank 5 7)"},
    {"flag ? rank in 0-3 : off", "(?: flag (in rank 0-3) off)"},
    {"operation=='it\\'s'", "(== operation \"it's\")"},
    {"\"\\x41\\t\\\\\\\"\\n\"", "\"A\t\\\"\n\""},
};

START_TEST(operators_have_several_spellings)
{
    for (size_t i = 0; i < N(spellings); i++)
        expect_tree(spellings[i].text, spellings[i].expected);
}
END_TEST

static const Row literals[] = {
    {"007", "integer 7"},
    {"0x1F", "integer 31"},
    {"0xffffffffffffffff", "integer -1"},
    {"9223372036854775807", "integer 9223372036854775807"},
    {"9223372036854775808", "number 9.22337203685478e+18"},
    {".5", "number 0.5"},
    {"2.50", "number 2.5"},
    {"1e3", "number 1000"},
    {"15e-1", "number 1.5"},
    {"1E+2", "number 100"},
    {"123456789012345678901234567890", "number 1.23456789012346e+29"},
    {"0.1", "number 0.1"},
    {"1e-400", "number 0"},
    {"0e99999", "number 0"},
    {"5ns", "duration 5"},
    {"5us", "duration 5000"},
    {"5\xc2\xb5s", "duration 5000"},
    {"5\xce\xbcs", "duration 5000"},
    {"5ms", "duration 5000000"},
    {"1.5s", "duration 1500000000"},
    {"2min", "duration 120000000000"},
    {"1h", "duration 3600000000000"},
    {"0.1us", "duration 100"},
    {"0.4ns", "duration 0"},
    {"0.5ns", "duration 1"},
    {"1e3ms", "duration 1000000000"},
    {"0.123456789s", "duration 123456789"},
    {"5B", "integer 5"},
    {"5kB", "integer 5000"},
    {"1.5MB", "integer 1500000"},
    {"2GB", "integer 2000000000"},
    {"1TB", "integer 1000000000000"},
    {"1KiB", "integer 1024"},
    {"1MiB", "integer 1048576"},
    {"1GiB", "integer 1073741824"},
    {"1TiB", "integer 1099511627776"},
    {"1.5B", "number 1.5"},
    {"20%", "number 0.2"},
    {"20% < 1", "true"},
    {"20% * 50", "number 10"},
    {"(20%)", "number 0.2"},
    {"20% - 1", "number -0.8"},
    {"20% in 0-3", "false"},
    {"20% == 0.2 and flag", "true"},
    {"7 % 4", "integer 3"},
    {"7%4", "integer 3"},
    {"7%(4)", "integer 3"},
    {"7 % rank", "integer 1"},
    {"7%rank", "integer 1"},
    {"rank%2", "integer 1"},
    {"7%bnot 0", "integer 0"},
};

START_TEST(numbers_and_units)
{
    for (size_t i = 0; i < N(literals); i++)
        expect_value(&expression_host, literals[i].text, literals[i].expected);
}
END_TEST

static const Row sums[] = {
    {"2 + 3", "integer 5"},
    {"2 - 3", "integer -1"},
    {"2 * 3", "integer 6"},
    {"2 + 0.5", "number 2.5"},
    {"1 / 2", "number 0.5"},
    {"6 / 2", "number 3"},
    {"-7 % 4", "integer -3"},
    {"7.5 % 2", "number 1.5"},
    {"-ratio", "number -0.25"},
    {"- - 2", "integer 2"},
    /* integers stay in their range */
    {"9223372036854775807 + 1", "integer 9223372036854775807"},
    {"-9223372036854775807 - 2", "integer -9223372036854775808"},
    {"9223372036854775807 * -2", "integer -9223372036854775808"},
    {"-(-9223372036854775807 - 1)", "integer 9223372036854775807"},
    {"(-9223372036854775807 - 1) % -1", "integer 0"},
    {"2562047h + 2562047h", "duration 9223372036854775807"},
    {"2562047h * 1e30", "duration 9223372036854775807"},
    {"2562047h * -1e30", "duration -9223372036854775808"},
    /* durations */
    {"duration + 1ms", "duration 6000000"},
    {"duration - waiting", "duration 3000000"},
    {"-duration", "duration -5000000"},
    {"2 * duration", "duration 10000000"},
    {"duration * 2", "duration 10000000"},
    {"duration * 0.5", "duration 2500000"},
    {"10% * duration", "duration 500000"},
    {"duration / 2", "duration 2500000"},
    {"duration / waiting", "number 2.5"},
    {"duration % waiting", "duration 1000000"},
    {"duration + 0", "duration 5000000"},
    {"0 - duration", "duration -5000000"},
    {"1ns * 0.5", "duration 1"},
    /* nothing to divide by */
    {"1 / 0", "missing"},
    {"1 % 0", "missing"},
    {"1.5 % 0", "missing"},
    {"duration / 0", "missing"},
    {"duration / 0ns", "missing"},
    {"duration % 0ns", "missing"},
    {"1 / 0 + 1", "missing"},
    {"1e308 * 10 - 1e308 * 10", "missing"},
    /* bits */
    {"6 band 3", "integer 2"},
    {"6 bor 3", "integer 7"},
    {"6 bxor 3", "integer 5"},
    {"bnot 0", "integer -1"},
    {"1 shl 4", "integer 16"},
    {"16 shr 4", "integer 1"},
    {"1 shl 64", "integer 0"},
    {"1 shl -1", "missing"},
    {"-1 shr 60", "integer 15"},
    {"1 shr -1", "missing"},
    {"-1 shr 64", "integer 0"},
};

START_TEST(arithmetic)
{
    for (size_t i = 0; i < N(sums); i++)
        expect_value(&expression_host, sums[i].text, sums[i].expected);
}
END_TEST

static const Row relations[] = {
    {"2 == 2.0", "true"},
    {"2 != 2.0", "false"},
    {"2 < 2.5", "true"},
    {"2 <= 2", "true"},
    {"2 > 2", "false"},
    {"2 >= 2", "true"},
    {"9007199254740993 == 9007199254740992", "false"},
    {"duration > 0", "true"},
    {"0 < duration", "true"},
    {"duration == 5ms", "true"},
    {"waiting > 0.5*duration", "false"},
    {"operation == \"send\"", "true"},
    {"operation == \"sen\"", "false"},
    {"operation != \"send\"", "false"},
    {"operation < \"sene\"", "true"},
    {"operation > \"sen\"", "true"},
    {"operation >= \"send\"", "true"},
    {"\"\" < operation", "true"},
    {"\"\" == ''", "true"},
    {"flag == true", "true"},
    {"flag != off", "true"},
    {"'end' in operation", "true"},
    {"'and' in operation", "false"},
    {"'' in operation", "true"},
    {"'a' in ''", "false"},
    {"rank in 3", "true"},
    {"rank in 0-2", "false"},
    {"rank in 0-2 5 3", "true"},
    {"rank in 1-9:2", "true"},
    {"rank in 0-9:2", "false"},
    {"-rank in 0-9", "false"},
    {"rank + 0.0 in 3", "true"},
    {"rank + 0.5 in 0-9", "false"},
    {"1 < rank < 5", "true"},
    {"1 < rank < 3", "false"},
    {"3 < rank < 5", "false"},
    {"1 < rank == 3 >= 2", "true"},
    {"5 > rank > 1 and flag", "true"},
    {"1 < rank < 3 or flag", "true"},
    {"(3 < rank < 5) == off", "true"},
};

START_TEST(comparisons)
{
    for (size_t i = 0; i < N(relations); i++)
        expect_value(&expression_host, relations[i].text, relations[i].expected);
}
END_TEST

static const Row decisions[] = {
    {"true and false", "false"},
    {"true and true", "true"},
    {"false or true", "true"},
    {"false or false", "false"},
    {"true xor false", "true"},
    {"true xor true", "false"},
    {"not true", "false"},
    {"true -> false", "false"},
    {"true -> true", "true"},
    {"false -> false", "true"},
    {"false -> true -> false", "true"},
    {"flag ? 1 : 2", "integer 1"},
    {"off ? 1 : 2", "integer 2"},
    {"off ? 1 : flag ? 2 : 3", "integer 2"},
    {"flag ? 1 : 2.5", "number 1"},
    {"off ? 0 : 5ms", "duration 5000000"},
    {"flag ? 0 : 5ms", "duration 0"},
    {"flag ? operation : 'x'", "text send"},
    {"1 + (off ? 1 : 2) + (flag ? 10 : 20)", "integer 13"},
    {"half(3)", "number 1.5"},
    {"half(half(rank))", "number 0.75"},
    {"later(0)", "duration 0"},
    {"answer()", "integer 42"},
    {"later(1ms) + later(2ms)", "duration 3000000"},
    {"inside('a', operation)", "true"},
    {"1 + half(2) * answer()", "number 43"},
    {"is_text(operation) and not is_text(rank)", "true"},
};

START_TEST(truths)
{
    for (size_t i = 0; i < N(decisions); i++)
        expect_value(&expression_host, decisions[i].text, decisions[i].expected);
}
END_TEST

TCase *expressions_tests(void)
{
    TCase *tests = tcase_create("expressions");
    tcase_add_test(tests, precedence_is_that_of_the_table);
    tcase_add_test(tests, operators_have_several_spellings);
    tcase_add_test(tests, numbers_and_units);
    tcase_add_test(tests, arithmetic);
    tcase_add_test(tests, comparisons);
    tcase_add_test(tests, truths);
    return tests;
}
