/* The progress bar: percentage, speed and remaining time. */
#include "../../transform/cli/progress.h"
#include "suites.h"
#include <string.h>

static void expect(guint64 done, guint64 total, double seconds, const char *expected)
{
    g_autofree char *line = progress_format(done, total, (gint64)(seconds * G_USEC_PER_SEC));
    ck_assert_str_eq(line, expected);
    ck_assert_uint_lt(strlen(line), 80);
}

START_TEST(a_quarter_in_three_seconds_leaves_nine)
{
    expect(300000000, 1200000000, 3, "reading [##########..............................]  25 %  100 MB/s  0:09 left");
}
END_TEST

START_TEST(slow_and_long)
{
    expect(15000000, 30000000, 600, "reading [####################....................]  50 %  0.0 MB/s  10:00 left");
    expect(4500000, 9000000, 3, "reading [####################....................]  50 %  1.5 MB/s  0:03 left");
}
END_TEST

START_TEST(nothing_read_and_all_read)
{
    expect(0, 1000, 2, "reading [........................................]   0 %  0.0 MB/s  0:00 left");
    expect(1000, 1000, 2, "reading [########################################] 100 %  0.0 MB/s  0:00 left");
    expect(0, 0, 2, "reading [########################################] 100 %  0.0 MB/s  0:00 left");
}
END_TEST

TCase *progress_tests(void)
{
    TCase *tests = tcase_create("progress");
    tcase_add_test(tests, a_quarter_in_three_seconds_leaves_nine);
    tcase_add_test(tests, slow_and_long);
    tcase_add_test(tests, nothing_read_and_all_read);
    return tests;
}
