/* Aggregations that ranks have saved: what is wrong is refused as a whole; without their script they say the same. What
 * is saved and loaded is printed as if it had not been: test_probe_scripts.c compares it for each of its scripts. */
#include "printed.h"
#include <stdio.h>

static bool loads(const char *bytes, size_t length, char to[sizeof printed])
{
    HieraProbeScript *script =
        must_parse("message { @b[&call, 1.5, true, 2ms] = sum(&bytes / 1); @q = lquantize(&bytes, 0, 100, 20); }\n"
                   "END { global_print(@b); global_print(@q, 3); }");
    const HieraProbeHost host = {.write = write_text};
    HieraProbeTotals *totals = hiera_probe_totals_new(script, &host);
    bool good = hiera_probe_totals_load(totals, bytes, length);
    printed[0] = '\0';
    hiera_probe_totals_print(totals, &host);
    strcpy(to, printed);
    hiera_probe_totals_free(totals);
    hiera_probe_script_free(script);
    return good;
}

START_TEST(saved_aggregations_are_checked_before_they_are_added)
{
    static const char good[] =
        "hieraProbe 1 rank 3\nglobal 0 @b\nglobal 1 @q\n@b sum number keys 4 rows 2\n"
        "tsend\tn3ff8000000000000\tb1\td2000000\t2 0 3fe0000000000000\n"
        "ta\\09\\5c\tn3ff8000000000000\tb1\td-1\t1 0 3fe0000000000000\n"
        "@q lquantize integer keys 0 rows 1 from 0000000000000000 4059000000000000 4034000000000000\n\t0:1 6:2\nend\n";
    char shown[sizeof printed];
    ck_assert(loads(good, sizeof good - 1, shown));
    ck_assert_str_eq(
        shown, "@b: sum\n  a\t\\   1.5  true  -1 ns  0.5\n  send  1.5  true   2 ms  0.5\n@q: lquantize of ranks 3\n"
               "    below  1  ███████████████\n        0  0\n       20  0\n       40  0\n       60  0\n       80  0\n"
               "      100  2  ██████████████████████████████\n");
    for (size_t length = 1; length < sizeof good - 1; length++) {
        ck_assert_msg(!loads(good, length, shown), "%zu", length);
        ck_assert_str_eq(shown, "");
    }
    static const char *const wrong[][2] = {
        {"Probe 1", "Probe 2"}, {"rank 3", "rank x"}, {"global 0", "global 2"}, {"global 0 @b", "global 0 @q"},
        {"@b sum", "@c sum"},   {"@b sum", "@b avg"}, {"keys 4", "keys 3"},     {"rows 2", "rows 3"},
        {"\t2 0 ", "\t0 0 "},   {"0:1", "7:1"},       {"4059", "4058"},         {"tsend", "xsend"},
        {"\\09", "\\0g"},       {"n3ff8", "n7ff8"},   {"number", "text"},       {"d-1", "d99999999999999999999"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const char *at = strstr(good, wrong[i][0]);
        ck_assert_ptr_nonnull(at);
        size_t before = (size_t)(at - good), length = strlen(wrong[i][1]);
        char longer[sizeof good + 64];
        snprintf(longer, sizeof longer, "%.*s%.*s%s", (int)before, good, (int)length, wrong[i][1],
                 at + strlen(wrong[i][0]));
        ck_assert_msg(!loads(longer, strlen(longer), shown), "%s for %s", wrong[i][1], wrong[i][0]);
    }
}
END_TEST

/* A row as `name function key… from=value`. */
static void visit(void *user, const HieraProbeSavedRow *row)
{
    (void)user;
    size_t n = strlen(printed);
    n += (size_t)snprintf(printed + n, sizeof printed - n, "%s %s", row->name, row->function);
    for (unsigned i = 0; i < row->n_keys; i++)
        n += (size_t)snprintf(printed + n, sizeof printed - n, " %.*s", (int)row->keys[i].length, row->keys[i].text);
    if (row->is_bin)
        n += (size_t)snprintf(printed + n, sizeof printed - n,
                              " %lld=", row->from.type ? (long long)row->from.integer : -1);
    snprintf(printed + n, sizeof printed - n, " %lld\n", (long long)row->value.integer);
}

START_TEST(saved_aggregations_need_no_script)
{
    static const char text[] =
        "hieraProbe 1 rank 0\nglobal 7 @any\n@b sum integer keys 1 rows 2\ntsend\t1 5 0000000000000000\ntbarrier\t1 1 "
        "0000000000000000\n"
        "@q lquantize integer keys 0 rows 1 from 0000000000000000 4059000000000000 4034000000000000\n\t0:1 6:2\nend\n"
        "hieraProbe 1 rank 1\n@b sum integer keys 1 rows 1\ntsend\t2 7 0000000000000000\n"
        "@q lquantize integer keys 0 rows 1 from 0000000000000000 4059000000000000 4034000000000000\n\t6:1\nend\n";
    static const char other[] = "hieraProbe 1 rank 2\n@b max integer keys 1 rows 0\nend\n";
    const HieraProbeHost host = {.write = write_text};
    HieraProbeSaved *all = hiera_probe_saved_new(&host);
    ck_assert(hiera_probe_saved_load(all, text, sizeof text - 1));
    ck_assert(!hiera_probe_saved_load(all, text, sizeof text - 2));
    ck_assert(!hiera_probe_saved_load(all, other, sizeof other - 1));
    printed[0] = '\0';
    ck_assert(hiera_probe_saved_visit(all, visit, NULL));
    ck_assert_str_eq(printed, "@b sum barrier 1\n@b sum send 12\n@q lquantize -1= 1\n@q lquantize 100= 3\n");
    hiera_probe_saved_free(all);
}
END_TEST

TCase *probe_saved_tests(void)
{
    TCase *tests = tcase_create("probe saved");
    tcase_add_test(tests, saved_aggregations_are_checked_before_they_are_added);
    tcase_add_test(tests, saved_aggregations_need_no_script);
    return tests;
}
