/* Tables as arrays of Arrow: who owns them, and what they have. tests/export/test_python.py compares all their values.
 */
#include "harness/harness.h"
#include "hiera_arrow.h"
#include "suites.h"
#include <string.h>

/* Two ranks: a message and a barrier. */
static HieraArrow *load(void)
{
    Harness h = HARNESS(SEND(1, 1, 7) COLLECTIVE(3, "barrier"), RECEIVE(2, 0, 7) COLLECTIVE(3, "barrier"));
    const char *paths[] = {h.folder, NULL};
    HieraArrow *run = hiera_arrow_load(paths, h.findings, NULL);
    ck_assert_ptr_nonnull(run);
    ck_assert(!hiera_findings_partial(h.findings));
    harness_clear(&h);
    return run;
}

static const gint64 *numbers(const struct ArrowArray *column)
{
    return column->buffers[1];
}

START_TEST(arrays_outlive_the_run_and_their_table)
{
    struct ArrowSchema schema, of_again;
    struct ArrowArray table, again;
    HieraArrow *run = load();
    const char *const names[] = {"start_ns", "tag", "name", NULL};
    ck_assert(hiera_arrow_export(run, "operations", names, &schema, &table, NULL));
    ck_assert(hiera_arrow_export(run, "operations", names, &of_again, &again, NULL));
    hiera_arrow_free(run);
    ck_assert_ptr_eq(table.children[0]->buffers[1], again.children[0]->buffers[1]); /* not copied */
    ck_assert_ptr_ne(table.children[2]->buffers[1], again.children[2]->buffers[1]);
    again.release(&again);
    struct ArrowArray start = *table.children[0]; /* a consumer may move a column out of its table */
    table.children[0]->release = NULL;
    ck_assert_int_eq(table.children[1]->null_count, 2);
    ck_assert_int_eq(*(const guint8 *)table.children[1]->buffers[0] & 0xf, 0x5);
    ck_assert(memcmp(table.children[2]->dictionary->buffers[2], "sendbarrierreceive", 18) == 0);
    table.release(&table);
    ck_assert_ptr_null(table.release);
    ck_assert_int_eq(numbers(&start)[3], 3000000000);
    start.release(&start);
    schema.release(&schema);
    of_again.release(&of_again);
}
END_TEST

START_TEST(a_stream_has_one_array)
{
    struct ArrowSchema schema, first, second;
    struct ArrowArray table, end;
    struct ArrowArrayStream stream;
    g_autoptr(HieraArrow) run = load();
    for (guint taken = 0; taken < 2; taken++) { /* if nobody takes the array, the stream frees it */
        ck_assert(hiera_arrow_export(run, "messages", NULL, &schema, &table, NULL));
        hiera_arrow_stream(&schema, &table, &stream);
        ck_assert(!schema.release && !table.release && !stream.get_last_error(&stream));
        ck_assert(stream.get_schema(&stream, &first) == 0 && stream.get_schema(&stream, &second) == 0);
        ck_assert_str_eq(first.children[9]->name, "bytes");
        ck_assert_str_eq(second.children[7]->dictionary->format, "U");
        if (taken) {
            ck_assert(stream.get_next(&stream, &table) == 0 && stream.get_next(&stream, &end) == 0);
            ck_assert(table.length == 1 && numbers(table.children[9])[0] == 4 && !end.release);
            table.release(&table);
        }
        stream.release(&stream);
        first.release(&first);
        second.release(&second);
    }
}
END_TEST

START_TEST(values_are_copied)
{
    struct ArrowSchema schema;
    struct ArrowArray table;
    gdouble shares[] = {-0.0, 2.5};
    const char *names[] = {"", NULL};
    const guint8 known[] = {1, 0};
    HieraArrowValues columns[] = {{"share", "g", shares, known}, {"name", "u", names, NULL}};
    hiera_arrow_export_values(columns, 2, 2, &schema, &table);
    shares[0] = 1;
    ck_assert_int_eq(table.children[0]->null_count, 1);
    ck_assert(((const gdouble *)table.children[0]->buffers[1])[0] == 0);
    ck_assert(table.children[1]->null_count == 1 && table.children[1]->dictionary->length == 1);
    ck_assert_int_eq(schema.children[0]->flags, ARROW_FLAG_NULLABLE);
    table.release(&table);
    schema.release(&schema);
}
END_TEST

START_TEST(what_is_not_there_is_an_error_that_names_all)
{
    struct ArrowSchema schema = {.release = NULL};
    g_autoptr(GError) error = NULL;
    g_autoptr(HieraArrow) run = load();
    const char *const names[] = {"from", "two", NULL};
    ck_assert(!hiera_arrow_export(run, "edge", NULL, &schema, NULL, &error));
    ck_assert_str_eq(error->message,
                     "no table \"edge\"; there are operations messages collectives members ranks counters "
                     "vertices edges");
    g_clear_error(&error);
    ck_assert(!hiera_arrow_export(run, "edges", names, &schema, NULL, &error) && !schema.release);
    ck_assert_str_eq(error->message, "no column \"two\"; there are from to kind");
    ck_assert(hiera_arrow_export(run, "edges", NULL, &schema, NULL, NULL));
    ck_assert_int_eq(schema.n_children, 3);
    schema.release(&schema);
}
END_TEST

TCase *arrow_tests(void)
{
    TCase *tests = tcase_create("arrow");
    tcase_add_test(tests, arrays_outlive_the_run_and_their_table);
    tcase_add_test(tests, a_stream_has_one_array);
    tcase_add_test(tests, values_are_copied);
    tcase_add_test(tests, what_is_not_there_is_an_error_that_names_all);
    return tests;
}
