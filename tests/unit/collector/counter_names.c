/* Names of counters: lists, wildcards, aggregates of values. */
#include "counters/counter_names.h"

#include "harness/plain.h"

#include <fenv.h>
#include <math.h>

/* --- lists --- */

static void check_list(const char *list, const char *expected)
{
    char joined[256] = "";
    size_t length;
    for (const char *one, *rest = list; (one = hiera_names_next(&rest, &length));) {
        strncat(joined, one, length);
        strcat(joined, "|");
    }
    expect_text(__LINE__, list, expected, joined);
}

static void check_lists(void)
{
    check_list("", "");
    check_list("proc:rss", "proc:rss|");
    check_list("a:b,c:d", "a:b|c:d|");
    check_list(" a:b , c:d ", "a:b|c:d|");
    check_list("sum(a:b,c:d),e:f", "sum(a:b,c:d)|e:f|");
    check_list("a:b,", "a:b|");
    check_list(",a:b", "|a:b|");
    check_list("sum(a:b", "sum(a:b|");
    check_list("a:b),c:d", "a:b)|c:d|");
}

/* --- wildcards --- */

static void check_match(bool expected, const char *pattern, const char *text)
{
    expect_number(__LINE__, pattern, expected, hiera_names_match(pattern, strlen(pattern), text));
}

static void check_matches(void)
{
    check_match(true, "proc:rss", "proc:rss");
    check_match(false, "proc:rs", "proc:rss");
    check_match(false, "proc:rsss", "proc:rss");
    check_match(true, "proc:*", "proc:self/status/VmRSS");
    check_match(true, "*", "");
    check_match(true, "*", "x");
    check_match(true, "*Rss*", "proc:self/Rss");
    check_match(true, "proc:net/dev/*/rx_bytes", "proc:net/dev/eth0/rx_bytes");
    check_match(false, "proc:net/dev/*/rx_bytes", "proc:net/dev/eth0/tx_bytes");
    check_match(true, "a?c", "abc");
    check_match(false, "a?c", "ac");
    check_match(true, "*a*b*c", "xxaxxbxxbxxc");
    check_match(false, "", "x");
    check_match(true, "", "");
    EXPECT(true, hiera_names_match("a*,b", 2, "axyz"));
    EXPECT(true, hiera_names_is_pattern("a*", 2));
    EXPECT(false, hiera_names_is_pattern("a*", 1));
}

/* --- aggregates --- */

static void check_aggregate(HieraAggregate expected, const char *text, const char *expected_inner)
{
    const char *inner = "";
    size_t length = 0;
    char copy[64];
    expect_number(__LINE__, text, expected, hiera_names_aggregate(text, strlen(text), &inner, &length));
    snprintf(copy, sizeof copy, "%.*s", (int)length, inner);
    expect_text(__LINE__, text, expected_inner, copy);
}

static void check_aggregates(void)
{
    const double values[] = {3, (double)NAN, 1, 8}, nothing[] = {(double)NAN};
    check_aggregate(HIERA_COUNTER_SUM, "sum(a:b,c:d)", "a:b,c:d");
    check_aggregate(HIERA_COUNTER_MEAN, "mean(a:*)", "a:*");
    check_aggregate(HIERA_COUNTER_MIN, "min()", "");
    check_aggregate(HIERA_COUNTER_NONE, "sum(a:b", "");
    check_aggregate(HIERA_COUNTER_NONE, "summ(a:b)", "");
    check_aggregate(HIERA_COUNTER_NONE, "proc:rss", "");
    feclearexcept(FE_ALL_EXCEPT);
    EXPECT(12, hiera_names_combine(HIERA_COUNTER_SUM, values, 4));
    EXPECT(4, hiera_names_combine(HIERA_COUNTER_MEAN, values, 4));
    EXPECT(1, hiera_names_combine(HIERA_COUNTER_MIN, values, 4));
    EXPECT(8, hiera_names_combine(HIERA_COUNTER_MAX, values, 4));
    EXPECT(true, isnan(hiera_names_combine(HIERA_COUNTER_SUM, nothing, 1)));
    EXPECT(true, isnan(hiera_names_combine(HIERA_COUNTER_MAX, nothing, 0)));
    EXPECT(0, fetestexcept(FE_INVALID));
}

int main(void)
{
    check_lists();
    check_matches();
    check_aggregates();
    return n_failed != 0;
}
