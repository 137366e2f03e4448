/* What becomes of missing values, and of division by zero; the plain language of assertions, which has IEEE's rules. */
#include "expression_host.h"
#include "suites.h"

#define N(array) (sizeof(array) / sizeof(array)[0])

typedef struct {
    const char *text, *expected;
} Row;

static const Row missing[] = {
    {"partner.rank", "missing"},
    {"partner.rank + 1", "missing"},
    {"-partner.rank", "missing"},
    {"bnot partner.rank", "missing"},
    {"half(partner.rank)", "missing"},
    {"later(never)", "missing"},
    {"never * 2", "missing"},
    {"partner.rank == 1", "false"},
    {"partner.rank != 1", "false"},
    {"partner.rank == partner.rank", "false"},
    {"partner.rank < 1", "false"},
    {"0 < partner.rank < 1", "false"},
    {"0 < 1 < partner.rank", "false"},
    {"partner.rank in 0-9", "false"},
    {"nobody =~ ''", "false"},
    {"'' in nobody", "false"},
    {"never > 0", "false"},
    {"1 / 0 == 1 / 0", "false"},
    {"not partner.rank == 1", "true"},
    {"not gone", "true"},
    {"gone == false", "false"},
    {"gone and flag", "false"},
    {"flag and gone", "false"},
    {"gone or flag", "true"},
    {"off or gone", "false"},
    {"gone xor flag", "true"},
    {"flag xor gone", "true"},
    {"gone xor off", "false"},
    {"gone -> off", "true"},
    {"flag -> gone", "false"},
    {"gone ? 1 : 2", "integer 2"},
    {"gone", "missing"},
    {"flag ? gone : off", "missing"},
    {"has(partner.rank)", "false"},
    {"has(rank)", "true"},
    {"not has(never)", "true"},
    {"has(1 / 0)", "false"},
    {"has(flag and gone)", "true"},
    {"has(gone)", "false"},
    {"is_text(nobody)", "missing"},
    {"has(wrong)", "false"}, /* a value that is not of the type of its name */
};

START_TEST(a_comparison_with_a_missing_value_is_false)
{
    for (size_t i = 0; i < N(missing); i++)
        expect_value(&expression_host, missing[i].text, missing[i].expected);
    Subject subject = {0};
    HieraExpression *gone = must_compile(&expression_host, "gone", HIERA_VALUE_TRUTH);
    ck_assert(!hiera_expression_holds(gone, &subject));
    hiera_expression_free(gone);
}
END_TEST

static const Row plain[] = {
    {"duration", "integer 5000000"},
    {"duration > 5", "true"},
    {"duration + 1", "integer 5000001"},
    {"5ms", "integer 5000000"},
    {"duration * duration / duration", "number 5000000"},
    {"duration / waiting", "number 2.5"},
    {"later(5)", "integer 5"},
    {"flag ? 5ms : 1.5", "number 5000000"},
    {"1 / 0", "number inf"},
    {"-1 / 0", "number -inf"},
    {"0 / 0 == 0 / 0", "false"},
    {"0 / 0 != 0 / 0", "true"},
    {"0 / 0 < 1", "false"},
    {"has(0 / 0)", "true"},
    {"7 % 4", "number 3"},
    {"7.5 % 2", "number 1.5"},
    {"never == 0", "false"},
    {"1 / 2", "number 0.5"},
};

START_TEST(plain_durations_are_numbers_of_nanoseconds)
{
    for (size_t i = 0; i < N(plain); i++)
        expect_value(&expression_plain_host, plain[i].text, plain[i].expected);
}
END_TEST

TCase *expression_missing_tests(void)
{
    TCase *tests = tcase_create("expressions, missing values");
    tcase_add_test(tests, a_comparison_with_a_missing_value_is_false);
    tcase_add_test(tests, plain_durations_are_numbers_of_nanoseconds);
    return tests;
}
