/* Tables: rows with equal keys are added and sorted. Findings: equal findings are counted. */
#include "base/findings.h"
#include "report/table.h"
#include "report/terminal_cell.h"
#include "report/terminal_layout.h"
#include "suites.h"
#include <stdlib.h>

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

START_TEST(rows_point_to_operations_until_they_move)
{
    static const guint32 expected[] = {HIERA_NONE, 17, HIERA_NONE};
    g_autoptr(HieraTable) table = hiera_table_new("t", columns, G_N_ELEMENTS(columns));
    add(table, "b", 9, 2);
    add(table, "a", 10, 1);
    hiera_table_point(table, 17);
    add(table, "a", 9, 1);
    for (guint i = 0; i < 3; i++)
        ck_assert_uint_eq(hiera_table_peek_operation(table, i), expected[i]);
    hiera_table_settle(table);
    for (guint i = 0; i < 3; i++)
        ck_assert_uint_eq(hiera_table_peek_operation(table, i), HIERA_NONE);
}
END_TEST

START_TEST(an_empty_table_can_be_settled)
{
    g_autoptr(HieraTable) table = hiera_table_new("t", columns, G_N_ELEMENTS(columns));
    hiera_table_settle(table);
    ck_assert_int_eq(hiera_table_count(table), 0);
}
END_TEST

START_TEST(sorted_rows_that_agree_keep_their_order)
{
    static const HieraColumn of[] = {{"path", HIERA_CELL_PATH, HIERA_ROLE_KEY},
                                     {"n", HIERA_CELL_INTEGER, HIERA_ROLE_SUM}};
    static const struct {
        guint column;
        HieraOrder order;
        const char *paths[4];
    } cases[] = {
        {1, HIERA_ORDER_USUAL, {"b", "a", "c", "d"}},
        {1, HIERA_ORDER_UP, {"c", "d", "b", "a"}},
        {0, HIERA_ORDER_USUAL, {"a", "b", "c", "d"}},
        {0, HIERA_ORDER_DOWN, {"d", "c", "b", "a"}},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(HieraTable) table = hiera_table_new("t", of, G_N_ELEMENTS(of));
        const HieraCell rows[][2] = {{{.text = "c"}, {.number = -1}},
                                     {{.text = "b"}, {.number = 7}},
                                     {{.text = "d"}, {.number = -1}},
                                     {{.text = "a"}, {.number = 7}}};
        guint n_columns;
        for (guint row = 0; row < G_N_ELEMENTS(rows); row++)
            hiera_table_add(table, rows[row]);
        hiera_table_sort(table, cases[i].column, cases[i].order);
        for (guint row = 0; row < G_N_ELEMENTS(rows); row++)
            ck_assert_str_eq(hiera_table_peek_row(table, row)[0].text, cases[i].paths[row]);
        ck_assert_int_eq(hiera_table_peek_columns(table, &n_columns)[0].type, HIERA_CELL_CALLERS);
    }
}
END_TEST

START_TEST(an_empty_table_can_be_sorted_and_shortened)
{
    g_autoptr(HieraTable) table = hiera_table_new("t", columns, G_N_ELEMENTS(columns));
    hiera_table_sort(table, 0, HIERA_ORDER_USUAL);
    hiera_table_keep_first(table, 1);
    ck_assert_int_eq(hiera_table_count(table) + hiera_table_count_left_out(table), 0);
}
END_TEST

START_TEST(figures_are_numbers_in_json)
{
    static const HieraColumn of[] = {{"name", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                     {"speedup", HIERA_CELL_FIGURE, HIERA_ROLE_ANSWER}};
    static const char *const texts[] = {"3.991", "-1.5e-07", "", "inf", "nan"};
    g_autoptr(HieraTable) table = hiera_table_new("t", of, G_N_ELEMENTS(of));
    char *csv = NULL, *json = NULL, *text = NULL;
    gsize n;
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        hiera_table_add(table, (const HieraCell[]){{.text = "8"}, {.text = texts[i]}});
    FILE *streams[] = {open_memstream(&csv, &n), open_memstream(&json, &n), open_memstream(&text, &n)};
    hiera_table_write_csv(table, streams[0]);
    hiera_table_write_json(table, streams[1]);
    hiera_table_write_text(table, FALSE, streams[2]);
    for (guint i = 0; i < G_N_ELEMENTS(streams); i++)
        fclose(streams[i]);
    ck_assert_str_eq(csv, "name,speedup\n8,3.991\n8,-1.5e-07\n8,\n8,inf\n8,nan\n");
    ck_assert_str_eq(json, "[\n  {\"name\": \"8\", \"speedup\": 3.991},\n  {\"name\": \"8\", \"speedup\": -1.5e-07},\n"
                           "  {\"name\": \"8\", \"speedup\": null},\n  {\"name\": \"8\", \"speedup\": null},\n"
                           "  {\"name\": \"8\", \"speedup\": null}\n]");
    ck_assert_str_eq(
        text, "name   speedup\n8        3.991\n8     -1.5e-07\n8             \n8          inf\n8          nan\n");
    free(csv);
    free(json);
    free(text);
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

START_TEST(findings_beyond_a_limit_are_only_counted)
{
    g_autoptr(HieraFindings) findings = hiera_findings_new(), all = hiera_findings_new();
    for (guint i = 0; i < HIERA_FINDINGS_KEPT + 5; i++)
        hiera_findings_add(findings, HIERA_FINDING_NESTING, "a.xml", i, NULL, "%u", i);
    hiera_findings_merge(all, findings);
    ck_assert_int_eq(hiera_findings_count(all), HIERA_FINDINGS_KEPT);
    ck_assert_int_eq(hiera_findings_count_severity(all, HIERA_SEVERITY_ERROR), HIERA_FINDINGS_KEPT + 5);
}
END_TEST

START_TEST(findings_of_parts_stand_in_the_order_of_their_places)
{
    g_autoptr(HieraFindings) all = hiera_findings_new(), a = hiera_findings_new(), b = hiera_findings_new(),
                             list = hiera_findings_new();
    hiera_findings_keep_all(all);
    hiera_findings_set_place(a, 3);
    hiera_findings_add(a, HIERA_FINDING_NESTING, "a.xml", 3, "same", "later");
    hiera_findings_add(a, HIERA_FINDING_NESTING, "a.xml", 4, "same", "later");
    hiera_findings_set_place(b, 1);
    hiera_findings_add(b, HIERA_FINDING_CUT, "b.xml", 8, "other", "first");
    hiera_findings_add(b, HIERA_FINDING_NESTING, "b.xml", 9, "same", "second");
    hiera_findings_set_place(b, 2);
    for (guint i = 0; i < HIERA_FINDINGS_KEPT + 5; i++)
        hiera_findings_add(b, HIERA_FINDING_CUT, "b.xml", i, NULL, "%u", i);
    hiera_findings_join(all, a);
    hiera_findings_join(all, b);
    hiera_findings_sort(all);
    hiera_findings_merge(list, all);
    ck_assert_int_eq(hiera_findings_count(list), HIERA_FINDINGS_KEPT + 1);
    ck_assert_str_eq(hiera_findings_peek(list, 0)->message, "first");
    ck_assert_str_eq(hiera_findings_peek(list, 1)->message, "second");
    ck_assert_int_eq(hiera_findings_peek(list, 1)->line, 9);
    ck_assert_int_eq(hiera_findings_peek(list, 1)->count, 3);
    ck_assert_str_eq(hiera_findings_peek(list, 2)->message, "0");
    ck_assert_int_eq(hiera_findings_count_severity(list, HIERA_SEVERITY_ERROR), 3);
    ck_assert_int_eq(hiera_findings_count_severity(list, HIERA_SEVERITY_WARNING), HIERA_FINDINGS_KEPT + 6);
}
END_TEST

static char *write_table(HieraTable *table, HieraFormat format)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    g_autoptr(HieraFindings) findings = hiera_findings_new();
    hiera_tables_write(&table, 1, format, findings, stream);
    fclose(stream);
    return text;
}

/* The least number stands for one that is not known. */
START_TEST(numbers_of_any_size_are_written_completely)
{
    static const HieraColumn of[] = {
        {"key", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
        {"sum", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},
        {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
        {"part", HIERA_CELL_PERCENT, HIERA_ROLE_SUM},
    };
    static const gint64 values[] = {G_MININT64, G_MININT64 + 1, -1000, -7, 0, 999, 1000000};
    g_autoptr(HieraTable) table = hiera_table_new("t", of, G_N_ELEMENTS(of));
    for (guint i = 0; i < G_N_ELEMENTS(values); i++) {
        const HieraCell cell = {.number = values[i]};
        hiera_table_add(table, (HieraCell[]){cell, cell, cell, cell});
    }
    char *text = write_table(table, HIERA_FORMAT_TABLE), *csv = write_table(table, HIERA_FORMAT_CSV);
    ck_assert_str_eq(
        text, "                 key                         sum               time [s]               part [%]\n"
              "             unknown                     unknown                unknown                unknown\n"
              "-9223372036854775807  -9,223,372,036,854,775,807  -9223372036.854775807  -92233720368547758.07\n"
              "               -1000                      -1,000           -0.000001000                 -10.00\n"
              "                  -7                          -7           -0.000000007                  -0.07\n"
              "                   0                           0            0.000000000                   0.00\n"
              "                 999                         999            0.000000999                   9.99\n"
              "             1000000                   1,000,000            0.001000000               10000.00\n");
    ck_assert_str_eq(csv, "key,sum,time,part\n"
                          ",,,\n"
                          "-9223372036854775807,-9223372036854775807,-9223372036.854775807,-92233720368547758.07\n"
                          "-1000,-1000,-0.000001000,-10.00\n"
                          "-7,-7,-0.000000007,-0.07\n"
                          "0,0,0.000000000,0.00\n"
                          "999,999,0.000000999,9.99\n"
                          "1000000,1000000,0.001000000,10000.00\n");
    free(text);
    free(csv);
}
END_TEST

START_TEST(times_have_a_unit_and_three_digits)
{
    static const struct {
        gint64 ns;
        const char *text;
    } cases[] = {
        {0, "0"},
        {1, "1 ns"},
        {-12, "-12 ns"},
        {999, "999 ns"},
        {1000, "1.00 µs"},
        {9994, "9.99 µs"},
        {9995, "10.0 µs"},
        {352400, "352 µs"},
        {999499, "999 µs"},
        {999500, "1.00 ms"},
        {-1437500000, "-1.44 s"},
        {59949999999, "59.9 s"},
        {999499999999, "999 s"},
        {1234567499999999, "1,234,567 s"},
        {G_MAXINT64, "9,223,372,037 s"},
        {G_MININT64, "-9,223,372,037 s"},
    };
    char text[HIERA_NUMBER_BYTES];
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        hiera_time_format(text, cases[i].ns);
        ck_assert_str_eq(text, cases[i].text);
    }
}
END_TEST

START_TEST(bytes_and_percentages_have_a_unit_and_few_digits)
{
    char text[HIERA_NUMBER_BYTES];
    static const gint64 bytes[] = {0, 144, 1000, 4096, 1437500, G_MAXINT64}, percents[] = {0, 4, 5, -5, 5902, 10000};
    static const char *const bytes_text[] = {"0", "144 B", "1.00 kB", "4.10 kB", "1.44 MB", "9.22 EB"};
    static const char *const percents_text[] = {"0.0 %", "0.0 %", "0.1 %", "-0.1 %", "59.0 %", "100.0 %"};
    for (guint i = 0; i < G_N_ELEMENTS(bytes); i++) {
        hiera_bytes_format(text, bytes[i]);
        ck_assert_str_eq(text, bytes_text[i]);
        hiera_percent_format(text, percents[i]);
        ck_assert_str_eq(text, percents_text[i]);
    }
}
END_TEST

START_TEST(a_long_name_keeps_its_end_and_whole_numbers)
{
    static const struct {
        HieraCellType type;
        glong width;
        const char *text, *expected;
    } cases[] = {
        {HIERA_CELL_TEXT, 20, "sumForces md-oops.cc", "sumForces md-oops.cc"},
        {HIERA_CELL_TEXT, 44, "MolecularDynamicsOOPS::sumForces md-oops.cc:123",
         "…cularDynamicsOOPS::sumForces md-oops.cc:123"},
        {HIERA_CELL_TEXT, 8, "äöüäöüäöüß", "…äöüäöüß"},
        {HIERA_CELL_TEXT, 25, "Map<std::pair<int, char>, std::string>::find<int>(int) m.cc:12",
         "Map<…>::find<int> m.cc:12"},
        {HIERA_CELL_TEXT, 17, "Map<std::pair<int, char>, std::string>::find<int>(int) m.cc:12", "…:find<…> m.cc:12"},
        {HIERA_CELL_TEXT, 14, "Number::operator<(Number const&)", "…er::operator<"},
        {HIERA_CELL_TEXT, 12, "計算する場所", "計算する場所"}, /* each takes two columns */
        {HIERA_CELL_TEXT, 8, "計算する場所", "…る場所"},
        {HIERA_CELL_TEXT, 6,
         "e\xcc\x81"
         "e\xcc\x81"
         "e\xcc\x81"
         "abc",
         "e\xcc\x81"
         "e\xcc\x81"
         "e\xcc\x81"
         "abc"}, /* accents take none */
        {HIERA_CELL_TEXT, 8, "0 2 115 117 9", "… 117 9"},
        {HIERA_CELL_PATH, 12, "    Group::bcast", "    …::bcast"},
        {HIERA_CELL_PATH, 8, "            bcast a.c:12345", "  …12345"},
        {HIERA_CELL_CALLERS, 44, "processors > step a.c:1 > sweep a.c:22 > wait a.c:333",
         "… > step a.c:1 > sweep a.c:22 > wait a.c:333"},
        {HIERA_CELL_CALLERS, 31, "processors > step a.c:1 > sweep a.c:22 > wait a.c:333",
         "… > sweep a.c:22 > wait a.c:333"},
        {HIERA_CELL_CALLERS, 13, "processors > step a.c:1 > wait a.c:333", "…wait a.c:333"},
        {HIERA_CELL_CALLERS, 10, "processors > step a.c:1 > wait a.c:333", "wait …:333"},
        {HIERA_CELL_CALLERS, 9, "processors > step a.c:1 > wait a.c:333", "… a.c:333"},
        {HIERA_CELL_TEXT, 16, "allreduce stencil.c:72", "allreduce ….c:72"},
        {HIERA_CELL_TEXT, 30, "before Pipe::gather md-oops.c:145", "before …::gather md-oops.c:145"},
        {HIERA_CELL_TEXT, 21, "before Pipe::gather md-oops.c:145", "before …gather …c:145"},
        {HIERA_CELL_TEXT, 14, "before Pipe::gather", "before …gather"},
        {HIERA_CELL_TEXT, 12, "(unexplained)", "(unexplaine…"},
        {HIERA_CELL_TEXT, 12, "(anonymous namespace)::run()", "…ace)::run()"},
        {HIERA_CELL_TEXT, 34, "irecv lib.so.0+0x2b0cda in N::Comm::reverse()", "irecv …b0cda in N::Comm::reverse()"},
        {HIERA_CELL_TEXT, 30, "Compute(Matrix const&, Vector<int>&) mg.cpp:47", "Compute(…) mg.cpp:47"},
        {HIERA_CELL_TEXT, 18, "Compute(Matrix const&, Vector<int>&) mg.cpp:47", "Compute mg.cpp:47"},
        {HIERA_CELL_TEXT, 19, "sparse::Matrix<std::pair<int, int> >::scale(std::vector<double> const&) const mg.cpp:47",
         "…>::scale mg.cpp:47"},
        {HIERA_CELL_TEXT, 29, "void N::each<std::string>(std::function<void (int)>) a.cpp:9",
         "…N::each<std::string> a.cpp:9"},
        {HIERA_CELL_TEXT, 22, "(anonymous namespace)::Less::operator()(int, int) a.cpp:9", "…s::operator() a.cpp:9"},
        {HIERA_CELL_TEXT, 15, "finish_everything() a.cpp:9", "…hing() a.cpp:9"},
        {HIERA_CELL_CALLERS, 40, "main > solve(Matrix const&) a.cpp:1 > send a.cpp:22",
         "main > solve(…) a.cpp:1 > send a.cpp:22"},
        {HIERA_CELL_PATH, 25, "  iterations 2-3 5 7-9 14-15 17-18 …", "  iterations 2-3 5 7-9 …"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const HieraColumn column = {"name", cases[i].type, HIERA_ROLE_KEY};
        g_autofree char *text = hiera_terminal_fit(&column, g_strdup(cases[i].text), cases[i].width);
        ck_assert_str_eq(text, cases[i].expected);
    }
}
END_TEST

START_TEST(sentences_name_functions_without_their_parameters)
{
    g_autofree char *text =
        hiera_prose_shorten("rank 0 waits in lib.so+0x12 in N::sum(Group const&, float*) (late sender): "
                            "MPI_Abort (1) in less(int (*)(int)), finish()");
    ck_assert_str_eq(text,
                     "rank 0 waits in lib.so+0x12 in N::sum(…) (late sender): MPI_Abort (1) in less(…), finish()");
}
END_TEST

START_TEST(sentences_leave_arguments_of_templates_that_fit_into_no_line)
{
    static const char deep[] =
        "its computation in Solver<Policy<Policy<Policy<Policy<Policy<Policy<Policy<Policy<int>>>>>>>>>::run(int) "
        "takes 2.0 < 3.0 times";
    g_autofree char *text = hiera_prose_shorten(deep),
                    *same = hiera_prose_shorten("3 iterations of Map<std::pair<int, int>>::find(int)");
    ck_assert_str_eq(text, "its computation in Solver<…>::run(…) takes 2.0 < 3.0 times");
    ck_assert_str_eq(same, "3 iterations of Map<std::pair<int, int>>::find(…)");
}
END_TEST

START_TEST(a_good_width_keeps_the_names)
{
    static const struct {
        HieraCellType type;
        const char *text;
        glong expected;
    } cases[] = {
        {HIERA_CELL_TEXT, "barrier", 7},
        {HIERA_CELL_TEXT, "Pipe::gather", 7},                         /* …gather */
        {HIERA_CELL_TEXT, "before Pipe::gather", 14},                 /* before …gather */
        {HIERA_CELL_TEXT, "N::f(std::pair<int, int>) a.c:72", 7},     /* …f …:72 */
        {HIERA_CELL_TEXT, "allreduce stencil.c:72", 14},              /* allreduce …:72 */
        {HIERA_CELL_TEXT, "0-3 5 117", 4},                            /* …117 */
        {HIERA_CELL_TEXT, "iterations 2-3 5 7-9 14-15 17-18 20", 21}, /* iterations 2-3 5 7-9 … */
        {HIERA_CELL_PATH, "  sum a.c:1", 9},                          /* the same, with its indentation */
        {HIERA_CELL_CALLERS, "step a.c:1 > sum longname.c:5", 7},     /* sum …:5 */
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const HieraColumn column = {"name", cases[i].type, HIERA_ROLE_KEY};
        ck_assert_int_eq(hiera_terminal_good_width(&column, cases[i].text), cases[i].expected);
    }
}
END_TEST

static gpointer ask_width(gpointer all)
{
    gint *waiting = all;
    g_atomic_int_dec_and_test(waiting);
    while (g_atomic_int_get(waiting) > 0)
        g_thread_yield();
    return GINT_TO_POINTER((gint)hiera_line_width(stdout));
}

START_TEST(the_width_of_lines_is_known_while_threads_start)
{
    enum { N = 8 };
    GThread *threads[N];
    gint waiting = N;
    g_setenv("COLUMNS", "77", TRUE);
    for (guint i = 0; i < N; i++)
        threads[i] = g_thread_new("width", ask_width, &waiting);
    for (guint i = 0; i < N; i++)
        ck_assert_int_eq(GPOINTER_TO_INT(g_thread_join(threads[i])), 77);
}
END_TEST

TCase *table_tests(void)
{
    TCase *tests = tcase_create("table");
    tcase_add_test(tests, rows_with_equal_keys_are_added_up_and_sorted_as_numbers);
    tcase_add_test(tests, rows_point_to_operations_until_they_move);
    tcase_add_test(tests, figures_are_numbers_in_json);
    tcase_add_test(tests, an_empty_table_can_be_settled);
    tcase_add_test(tests, sorted_rows_that_agree_keep_their_order);
    tcase_add_test(tests, an_empty_table_can_be_sorted_and_shortened);
    tcase_add_test(tests, equal_findings_are_one_with_a_count);
    tcase_add_test(tests, findings_beyond_a_limit_are_only_counted);
    tcase_add_test(tests, findings_of_parts_stand_in_the_order_of_their_places);
    tcase_add_test(tests, numbers_of_any_size_are_written_completely);
    tcase_add_test(tests, times_have_a_unit_and_three_digits);
    tcase_add_test(tests, bytes_and_percentages_have_a_unit_and_few_digits);
    tcase_add_test(tests, a_long_name_keeps_its_end_and_whole_numbers);
    tcase_add_test(tests, sentences_name_functions_without_their_parameters);
    tcase_add_test(tests, sentences_leave_arguments_of_templates_that_fit_into_no_line);
    tcase_add_test(tests, a_good_width_keeps_the_names);
    tcase_add_loop_test(tests, the_width_of_lines_is_known_while_threads_start, 0, 100);
    return tests;
}
