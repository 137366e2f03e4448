/* How expressions are evaluated: what is left out, how deep and long they can be, in threads, beside the floating point
 * of the program. */
#include "expression_host.h"
#include "suites.h"
#include <fenv.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define N(array) (sizeof(array) / sizeof(array)[0])

START_TEST(a_side_that_cannot_matter_is_not_evaluated)
{
    static const struct {
        const char *text;
        unsigned n_asked;
    } rows[] = {
        {"off and rank == 3", 0}, {"flag and rank == 3", 1}, {"flag or rank == 3", 0},   {"off or rank == 3", 1},
        {"off -> rank == 3", 0},  {"flag -> rank == 3", 1},  {"flag ? 1 : rank", 0},     {"flag ? rank : 1", 1},
        {"1 < rank < 5", 1},      {"2 < 1 < rank", 0},       {"1 < rank < 2 < rank", 1}, {"off xor rank == 3", 1},
    };
    for (size_t i = 0; i < N(rows); i++) {
        Subject subject = {.rank = 3};
        HieraExpression *expression = must_compile(&expression_host, rows[i].text, HIERA_VALUE_ANY);
        hiera_expression_evaluate(expression, &subject);
        ck_assert_msg(subject.n_asked == rows[i].n_asked, "%s: expected %u, actual %u questions", rows[i].text,
                      rows[i].n_asked, subject.n_asked);
        hiera_expression_free(expression);
    }
}
END_TEST

START_TEST(needs_are_those_of_all_names_and_functions)
{
    static const struct {
        const char *text;
        unsigned needs;
    } rows[] = {{"rank == 3", 0},
                {"rank == 3 or partner.rank == 1", 1},
                {"inside('a', 'b')", 2},
                {"inside('a', 'b') and has(partner.bytes)", 3}};
    for (size_t i = 0; i < N(rows); i++) {
        HieraExpression *expression = must_compile(&expression_host, rows[i].text, HIERA_VALUE_TRUTH);
        ck_assert_uint_eq(hiera_expression_needs(expression), rows[i].needs);
        hiera_expression_free(expression);
    }
}
END_TEST

START_TEST(a_number_can_be_demanded_of_an_integer)
{
    Subject subject = {.rank = 3};
    HieraExpression *expression = must_compile(&expression_host, "rank", HIERA_VALUE_NUMBER);
    ck_assert_int_eq(hiera_expression_type(expression), HIERA_VALUE_NUMBER);
    HieraValue value = hiera_expression_evaluate(expression, &subject);
    ck_assert_int_eq(value.type, HIERA_VALUE_NUMBER);
    ck_assert_double_eq(value.number, 3);
    hiera_expression_free(expression);
}
END_TEST

/* --- size --- */

/* `begin`, n times `part`, `end`. */
static char *repeat(const char *begin, const char *part, size_t n, const char *end)
{
    size_t length = strlen(part);
    char *text = malloc(strlen(begin) + n * length + strlen(end) + 1), *at = text + strlen(begin);
    strcpy(text, begin);
    for (size_t i = 0; i < n; i++, at += length)
        memcpy(at, part, length);
    strcpy(at, end);
    return text;
}

START_TEST(nesting_has_a_limit)
{
    static const char *const parts[] = {
        "(", "-", "not ", "flag -> ", "flag ? 1 : ", "half(", "has(", "1 + (", "bnot ", "inside('', "};
    for (size_t i = 0; i < N(parts); i++) {
        HieraExpressionError error;
        char *text = repeat("", parts[i], 5000, "flag");
        ck_assert_ptr_null(hiera_expression_compile(text, strlen(text), &expression_host, HIERA_VALUE_ANY, &error));
        ck_assert_msg(strcmp(error.message, "the expression is nested too deeply") == 0, "%s: %s", parts[i],
                      error.message);
        free(text);
    }
}
END_TEST

START_TEST(a_long_expression_is_not_a_deep_one)
{
    char *sum = repeat("1", " + 1", 9999, ""), *chain = repeat("1", " <= 1", 9999, "");
    char *alternatives = repeat("rank == 1", " or rank == 1", 4000, " or rank == 3");
    expect_value(&expression_host, sum, "integer 10000");
    expect_value(&expression_host, chain, "true");
    expect_value(&expression_host, alternatives, "true");
    free(sum);
    free(chain);
    free(alternatives);
}
END_TEST

START_TEST(an_expression_of_the_greatest_depth_is_evaluated)
{
    char *text = repeat("", "1 + (", 49, "1"), *all = repeat(text, ")", 49, "");
    expect_value(&expression_host, all, "integer 50");
    free(text);
    free(all);
}
END_TEST

/* --- threads --- */

enum { N_THREADS = 8, N_TIMES = 20000 };

typedef struct {
    const HieraExpression *expression;
    int first;
    unsigned n_wrong;
} Worker;

static void *work(void *data)
{
    Worker *worker = data;
    for (int i = 0; i < N_TIMES; i++) {
        Subject subject = {.rank = worker->first + i, .text = i % 3 ? "aaab" : "aaac"};
        bool expected = subject.rank % 2 == 0 && i % 3 != 0;
        worker->n_wrong += hiera_expression_holds(worker->expression, &subject) != expected;
    }
    return NULL;
}

START_TEST(threads_share_an_expression)
{
    pthread_t threads[N_THREADS];
    Worker workers[N_THREADS];
    HieraExpression *expression = must_compile(
        &expression_host, "rank in 0-1000000:2 and text =~ '(a|aa)+b' and half(rank) * 2 == rank", HIERA_VALUE_TRUTH);
    for (int i = 0; i < N_THREADS; i++) {
        workers[i] = (Worker){expression, i, 0};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < N_THREADS; i++) {
        pthread_join(threads[i], NULL);
        ck_assert_uint_eq(workers[i].n_wrong, 0);
    }
    hiera_expression_free(expression);
}
END_TEST

/* --- floating point of the program --- */

START_TEST(traps_and_flags_of_the_program_stay_as_they_are)
{
    feclearexcept(FE_ALL_EXCEPT);
    fesetround(FE_UPWARD);
    feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
    expect_value(&expression_guarded_host, "1.5 / 0", "number inf");
    expect_value(&expression_guarded_host, "0 / 0 != 0", "true");
    expect_value(&expression_guarded_host, "0 % 0 != 0", "true");
    expect_value(&expression_guarded_host, "1 / 10 == 0.1", "true");
    ck_assert_int_eq(fetestexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW), 0);
    ck_assert_int_eq(fegetround(), FE_UPWARD);
}
END_TEST

TCase *expression_runs_tests(void)
{
    TCase *tests = tcase_create("expression runs");
    tcase_add_test(tests, a_side_that_cannot_matter_is_not_evaluated);
    tcase_add_test(tests, needs_are_those_of_all_names_and_functions);
    tcase_add_test(tests, a_number_can_be_demanded_of_an_integer);
    tcase_add_test(tests, nesting_has_a_limit);
    tcase_add_test(tests, a_long_expression_is_not_a_deep_one);
    tcase_add_test(tests, an_expression_of_the_greatest_depth_is_evaluated);
    tcase_add_test(tests, threads_share_an_expression);
    tcase_add_test(tests, traps_and_flags_of_the_program_stay_as_they_are);
    return tests;
}
