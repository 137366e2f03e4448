/* Repeats in sequences (analyses/alike/periods.h), and hashes of subtrees (analyses/alike/subtree_hash.h). */
#include "alike/periods.h"
#include "alike/subtree_hash.h"
#include "harness/harness.h"
#include "suites.h"
#include <string.h>

/* Return the repeats in a text, in which each letter takes one second, like "aab 3 times from 2; …". */
static char *find_repeats(const char *text)
{
    guint n = (guint)strlen(text);
    g_autofree guint64 *symbols = g_new(guint64, n + 1);
    g_autofree gint64 *edges_ns = g_new(gint64, n + 1);
    for (guint i = 0; i <= n; i++) {
        symbols[i] = (guchar)text[i];
        edges_ns[i] = i * G_GINT64_CONSTANT(1000000000);
    }
    g_autoptr(GArray) all = hiera_repeats_find(&(HieraSequence){symbols, edges_ns, n});
    GString *found = g_string_new(NULL);
    for (guint i = 0; i < all->len; i++) {
        const HieraRepeats *one = &g_array_index(all, HieraRepeats, i);
        g_string_append_printf(found, "%s%.*s %u times from %u", i > 0 ? "; " : "", (int)one->length, text + one->first,
                               one->repeats, one->first);
    }
    return g_string_free(found, FALSE);
}

static void expect_repeats(const char *text, const char *expected)
{
    g_autofree char *found = find_repeats(text);
    ck_assert_str_eq(found, expected);
}

START_TEST(three_repeats_are_found)
{
    expect_repeats("", "");
    expect_repeats("ab", "");
    expect_repeats("xababy", "");
    expect_repeats("xabababy", "ab 3 times from 1");
    expect_repeats("aaaa", "a 4 times from 0");
    expect_repeats("xaaaybcbcbcz", "a 3 times from 1; bc 3 times from 5");
}
END_TEST

START_TEST(the_period_may_hold_an_element_several_times)
{
    expect_repeats("aabbaabbaabbaabb", "aabb 4 times from 0");
    expect_repeats("aaabcaaabcaaabc", "aaabc 3 times from 0");
}
END_TEST

START_TEST(of_two_periods_the_shorter_one_is_found_if_it_lasts_as_long)
{
    expect_repeats("abababababab", "ab 6 times from 0");
    expect_repeats("aaaaaaaaaaaaaaaaaaab", "a 19 times from 0");
    expect_repeats("aaaabaaaabaaaab", "aaaab 3 times from 0");
}
END_TEST

enum { SEEDS = 10 }; /* of one test */

/* Whatever the sequence, what is called a repeat is one, and repeats do not overlap. */
static void check_repeats(guint seed)
{
    enum { N = 60 };
    char text[N + 1] = {0};
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    gint32 letters = 2 + (gint32)seed % 3;
    guint64 symbols[N];
    gint64 edges_ns[N + 1] = {0};
    for (guint i = 0; i < N; i++) {
        text[i] = (char)('a' + g_rand_int_range(random, 0, letters));
        symbols[i] = (guchar)text[i];
        edges_ns[i + 1] = edges_ns[i] + g_rand_int_range(random, -3, 20);
    }
    g_autoptr(GArray) all = hiera_repeats_find(&(HieraSequence){symbols, edges_ns, N});
    for (guint i = 0, behind = 0; i < all->len; i++) {
        const HieraRepeats *one = &g_array_index(all, HieraRepeats, i);
        ck_assert_uint_ge(one->repeats, HIERA_REPEATS_LEAST);
        ck_assert_uint_ge(one->first, behind);
        ck_assert_uint_le(behind = one->first + one->length * one->repeats, one->end);
        ck_assert_uint_le(one->end, N);
        for (guint k = one->first + one->length; k < one->end; k++)
            ck_assert_msg(text[k] == text[k - one->length], "%s: %u %u", text, one->first, one->length);
    }
}

START_TEST(repeats_are_repeats)
{
    for (guint i = 0; i < SEEDS; i++)
        check_repeats((guint)_i * SEEDS + i);
}
END_TEST

/* Return a region for each letter of a text; "a(bb)" is one with two others inside. To be freed with g_free. */
static char *make_body(const char *text)
{
    GString *body = g_string_new(NULL);
    for (; *text; text++) {
        if (*text == ')')
            g_string_append(body, "</hieraRegion>\n");
        else
            g_string_append_printf(
                body,
                "<hieraRegion level=\"app\" operation=\"%c\" file=\"t.c\" line=\"1\" start_time=\"1\" "
                "finish_time=\"2\"%s>\n",
                *text, text[1] == '(' ? "" : "/");
        text += text[1] == '(';
    }
    return g_string_free(body, FALSE);
}

/* Return whether two ranks with these regions have the same hash. */
static gboolean are_alike(const char *left, const char *right)
{
    g_autofree char *first = make_body(left), *second = make_body(right);
    const char *bodies[] = {first, second};
    Harness h = harness_load(bodies, 2);
    HieraScope scope = HIERA_SCOPE_ALL;
    HieraSubtreeHashes hashes;
    hiera_subtree_hashes_init(&hashes, h.trace, &scope);
    gboolean alike = hashes.of_processor[0] == hashes.of_processor[1];
    hiera_subtree_hashes_clear(&hashes);
    harness_clear(&h);
    return alike;
}

START_TEST(subtrees_are_alike_if_they_differ_in_repeats_alone)
{
    ck_assert(are_alike("abc", "abc"));
    ck_assert(are_alike("abbbc", "abc"));
    ck_assert(are_alike("xababc", "xababababc"));
    ck_assert(are_alike("s(ab)s(ab)", "s(abab)"));
    ck_assert(are_alike("s(c(ab))", "s(c(aab)c(abb))"));
    ck_assert(!are_alike("abc", "acb"));
    ck_assert(!are_alike("abc", "ab"));
    ck_assert(!are_alike("a(b)", "ab"));
    ck_assert(!are_alike("s(a)s(b)", "s(ab)"));
}
END_TEST

TCase *periods_tests(void)
{
    TCase *tests = tcase_create("periods");
    tcase_add_test(tests, three_repeats_are_found);
    tcase_add_test(tests, the_period_may_hold_an_element_several_times);
    tcase_add_test(tests, of_two_periods_the_shorter_one_is_found_if_it_lasts_as_long);
    tcase_add_loop_test(tests, repeats_are_repeats, 0, 300 / SEEDS);
    tcase_add_test(tests, subtrees_are_alike_if_they_differ_in_repeats_alone);
    return tests;
}
