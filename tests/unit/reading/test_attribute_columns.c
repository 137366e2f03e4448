/* Attributes that are asked for, by their names: their types, and the values that a trace keeps. */
#include "base/attribute_columns.h"
#include "harness/harness.h"
#include "suites.h"

START_TEST(types_come_from_the_tables)
{
    ck_assert_int_eq(hiera_attribute_type("count"), HIERA_AS_NUMBER);
    ck_assert_int_eq(hiera_attribute_type("root"), HIERA_AS_RANK);
    ck_assert_int_eq(hiera_attribute_type("type"), HIERA_AS_TEXT);
    ck_assert_int_eq(hiera_attribute_type("scounts"), HIERA_AS_TEXT); /* a list */
    ck_assert_int_eq(hiera_attribute_type("key"), HIERA_AS_TEXT);     /* a number of MPI_Comm_split alone */
    ck_assert_int_eq(hiera_attribute_type("clock_error"), HIERA_AS_SECONDS);
}
END_TEST

START_TEST(an_attribute_is_asked_for_once_and_before_traces)
{
    guint count = hiera_attribute_columns_add("count", FALSE);
    ck_assert_uint_eq(hiera_attribute_columns_add("count", FALSE), count);
    ck_assert_uint_ne(hiera_attribute_columns_add("size", TRUE), hiera_attribute_columns_add("size", FALSE));
    hiera_attribute_columns_close();
    ck_assert_uint_eq(hiera_attribute_columns_add("count", FALSE), count);
    ck_assert_uint_eq(hiera_attribute_columns_add("type", FALSE), HIERA_NONE);
}
END_TEST

static gint64 number_of(const Harness *harness, guint32 row, guint column)
{
    const HieraAttributeValue *value = hiera_trace_find_attribute(harness->trace, row, column);
    return value ? value->number : -99;
}

START_TEST(values_are_those_of_the_element_in_both_encodings)
{
    guint count = hiera_attribute_columns_add("count", FALSE), type = hiera_attribute_columns_add("type", FALSE);
    guint dest = hiera_attribute_columns_add("dest", FALSE), size = hiera_attribute_columns_add("size", TRUE);
    Harness harness = HARNESS(
        CALL(1, "send", "count=\"3\" type=\"MPI_INT\" dest=\"1\" tag=\"0\"" WORLD)
            CALL(2, "send", "count=\"3\" type=\"MPI_INT\" dest=\"1\" tag=\"0\"" WORLD) CALL(3, "barrier", WORLD),
        "<hieraCall id=\"c1\" operation=\"receive\" count=\"4\" rem=\"0\" tag=\"0\"" WORLD "/>"
        "<c r=\"c1\" t=\"1\" d=\"1\"/><c r=\"c1\" t=\"3\" d=\"1\" count=\"5\"/>"
        "<c r=\"c1\" t=\"5\" d=\"1\"/>" CALL(7, "send", "dest=\"MPI_PROC_NULL\" count=\"x\"" WORLD));
    const gint64 counts[] = {3, 3, -99, 4, 5, 4, -99};
    for (guint i = 0; i < G_N_ELEMENTS(counts); i++) {
        guint32 row = harness_row(&harness, i < 3 ? 0 : 1, i < 3 ? i : i - 3);
        ck_assert_msg(number_of(&harness, row, count) == counts[i], "operation %u: expected %d, got %d", i,
                      (int)counts[i], (int)number_of(&harness, row, count));
    }
    const HieraAttributeValue *text = hiera_trace_find_attribute(harness.trace, harness_row(&harness, 0, 1), type);
    ck_assert(text);
    ck_assert_str_eq(text->text, "MPI_INT");
    ck_assert(!hiera_trace_find_attribute(harness.trace, harness_row(&harness, 1, 0), type));
    ck_assert_int_eq(number_of(&harness, harness_row(&harness, 1, 3), dest), HIERA_PROC_NULL);
    ck_assert_int_eq(number_of(&harness, harness_row(&harness, 1, 0), size), 2); /* of the rank */
    harness_clear(&harness);
}
END_TEST

TCase *attribute_columns_tests(void)
{
    TCase *tests = tcase_create("attribute columns");
    tcase_add_test(tests, types_come_from_the_tables);
    tcase_add_test(tests, an_attribute_is_asked_for_once_and_before_traces);
    tcase_add_test(tests, values_are_those_of_the_element_in_both_encodings);
    return tests;
}
