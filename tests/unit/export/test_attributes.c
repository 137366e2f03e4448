/* Attributes that are read again are those of the trace, also if the calls before are skipped: requests are counted on.
 */
#include "export/export_attributes.h"
#include "harness/harness.h"
#include "suites.h"

#define ISEND(t, request)  "<c r=\"c1\" t=\"" #t "\" d=\"1\" request=\"" request "\"/>\n"
#define WAIT(t, requests)  "<c r=\"c2\" t=\"" #t "\" d=\"1\" requests=\"" requests "\"/>\n"
#define DECLARED(id, rest) "<hieraCall id=\"" id "\" file=\"t.c\" line=\"1\" " rest "/>\n"
#define STEP(t, inside)    "<c r=\"c3\" t=\"" #t "\" d=\"100\" args=\"t=" #t "\">\n" inside "</c>\n"

/* Requests 1, 2, 3; the one of the last call is in its declaration, as a distance. */
static const char body[] = DECLARED("c1", "operation=\"isend\" dest=\"0\" tag=\"4\"")
    DECLARED("c2", "operation=\"waitall\" count=\"2\"") DECLARED("c3", "level=\"app\" operation=\"step\"")
        DECLARED("c4", "operation=\"isend\" dest=\"0\" tag=\"5\" request=\"+1\"") STEP(0, ISEND(1, "1") ISEND(2, "+1"))
            STEP(200, ISEND(201, "+1") WAIT(202, "-1 -0")) "<c r=\"c4\" t=\"400\" d=\"1\"/>\n" WAIT(401, "-0");

static const char *value_of(HieraExportAttributes *attributes, guint32 row, const char *name)
{
    guint n;
    const HieraAttributeText *texts = hiera_export_attributes_peek(attributes, row, &n);
    for (guint i = 0; texts && i < n; i++)
        if (strcmp(texts[i].name, name) == 0)
            return texts[i].text;
    return "";
}

START_TEST(rows_that_are_wanted_have_all_their_attributes)
{
    Harness harness = HARNESS(body);
    const guint8 rows[] = {0, 0, 0, 1, 0, 1, 0, 1};
    HieraExportAttributes *attributes = hiera_export_attributes_read(harness.trace, rows);
    ck_assert_uint_eq(harness.trace->n_operations, G_N_ELEMENTS(rows));
    ck_assert_str_eq(value_of(attributes, 0, "args"), "");
    ck_assert_str_eq(value_of(attributes, 3, "args"), "t=200");
    ck_assert_str_eq(value_of(attributes, 5, "requests"), "2 3");
    ck_assert_str_eq(value_of(attributes, 5, "count"), "2");
    ck_assert_str_eq(value_of(attributes, 7, "requests"), "4");
    hiera_export_attributes_free(attributes);
    harness_clear(&harness);
}
END_TEST

START_TEST(a_single_row_has_them_too)
{
    Harness harness = HARNESS(NULL, body);
    HieraExportAttributes *attributes = hiera_export_attributes_read_one(harness.trace, 4);
    ck_assert_str_eq(value_of(attributes, 4, "request"), "3");
    ck_assert_str_eq(value_of(attributes, 4, "tag"), "4");
    hiera_export_attributes_free(attributes);
    harness_clear(&harness);
}
END_TEST

START_TEST(a_trace_that_is_gone_has_none)
{
    Harness harness = HARNESS(body);
    const guint8 rows[] = {1, 1, 1, 1, 1, 1, 1, 1};
    ck_assert_int_eq(remove(g_ptr_array_index(harness.paths, 0)), 0);
    HieraExportAttributes *attributes = hiera_export_attributes_read(harness.trace, rows);
    guint n;
    ck_assert_ptr_null(hiera_export_attributes_peek(attributes, 1, &n));
    hiera_export_attributes_free(attributes);
    harness_clear(&harness);
}
END_TEST

TCase *attributes_tests(void)
{
    TCase *tests = tcase_create("attributes");
    tcase_add_test(tests, rows_that_are_wanted_have_all_their_attributes);
    tcase_add_test(tests, a_single_row_has_them_too);
    tcase_add_test(tests, a_trace_that_is_gone_has_none);
    return tests;
}
