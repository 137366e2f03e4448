/* Tables: rows with equal keys are added up and sorted; findings: equal ones are counted. */
#include "findings.h"
#include "hiera_measure.h"
#include "suites.h"

static const HieraColumn columns[] = {
    {"name", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"line", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    {"count", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},
};

static void add(HieraTable *table, const char *name, gint64 line, gint64 count)
{
    hiera_table_add(table, (HieraCell[]){{.text = name}, {.number = line}, {.number = count}});
}

START_TEST(rows_with_equal_keys_are_added_up_and_sorted_as_numbers)
{
    static const gint64 expected[][2] = {{9, 4}, {10, 1}, {9, 2}};
    g_autoptr(HieraTable) table = hiera_table_new("t", columns, G_N_ELEMENTS(columns));
    add(table, "b", 9, 2);
    add(table, "a", 10, 1);
    add(table, "a", 9, 1);
    add(table, "a", 9, 3);
    hiera_table_settle(table);
    ck_assert_int_eq(hiera_table_count(table), 3);
    for (guint i = 0; i < 3; i++) {
        ck_assert_int_eq(hiera_table_peek_row(table, i)[1].number, expected[i][0]);
        ck_assert_int_eq(hiera_table_peek_row(table, i)[2].number, expected[i][1]);
    }
}
END_TEST

START_TEST(an_empty_table_can_be_settled)
{
    g_autoptr(HieraTable) table = hiera_table_new("t", columns, G_N_ELEMENTS(columns));
    hiera_table_settle(table);
    ck_assert_int_eq(hiera_table_count(table), 0);
}
END_TEST

START_TEST(equal_findings_are_one_with_a_count)
{
    g_autoptr(HieraFindings) findings = hiera_findings_new(), more = hiera_findings_new();
    hiera_findings_add(findings, HIERA_FINDING_VALUE, "a.xml", 3, "line", "first");
    hiera_findings_add(findings, HIERA_FINDING_VALUE, "a.xml", 4, "line", "second");
    hiera_findings_add(more, HIERA_FINDING_VALUE, "b.xml", 1, "line", "third");
    hiera_findings_add(more, HIERA_FINDING_CUT, "b.xml", 9, NULL, "cut");
    hiera_findings_merge(findings, more);
    ck_assert_int_eq(hiera_findings_count(findings), 2);
    ck_assert_int_eq(hiera_findings_peek(findings, 0)->count, 3);
    ck_assert_str_eq(hiera_findings_peek(findings, 0)->message, "first");
    ck_assert_int_eq(hiera_findings_count(more), 0);
    ck_assert(hiera_findings_partial(findings) && !hiera_findings_unreadable(findings));
}
END_TEST

START_TEST(a_flood_of_findings_is_counted_not_kept)
{
    g_autoptr(HieraFindings) findings = hiera_findings_new(), all = hiera_findings_new();
    for (guint i = 0; i < HIERA_FINDINGS_KEPT + 5; i++)
        hiera_findings_add(findings, HIERA_FINDING_NESTING, "a.xml", i, NULL, "%u", i);
    hiera_findings_merge(all, findings);
    ck_assert_int_eq(hiera_findings_count(all), HIERA_FINDINGS_KEPT);
    ck_assert_int_eq(hiera_findings_count_severity(all, HIERA_SEVERITY_ERROR), HIERA_FINDINGS_KEPT + 5);
}
END_TEST

TCase *table_tests(void)
{
    TCase *tests = tcase_create("table");
    tcase_add_test(tests, rows_with_equal_keys_are_added_up_and_sorted_as_numbers);
    tcase_add_test(tests, an_empty_table_can_be_settled);
    tcase_add_test(tests, equal_findings_are_one_with_a_count);
    tcase_add_test(tests, a_flood_of_findings_is_counted_not_kept);
    return tests;
}
