/* The progress bar: percentage, speed and remaining time. */
#include "../../../transform/cli/run/progress.h"
#include "suites.h"
#include <string.h>

static void expect(guint64 done, guint64 total, double seconds, const char *expected)
{
    g_autofree char *line = progress_format(done, total, (gint64)(seconds * G_USEC_PER_SEC));
    ck_assert_str_eq(line, expected);
    ck_assert_uint_lt(strlen(line), 80);
}

START_TEST(remaining_time_follows_from_speed)
{
    expect(300000000, 1200000000, 3, "reading [##########..............................]  25 %  100 MB/s  0:09 left");
}
END_TEST

START_TEST(very_slow_and_very_long_runs)
{
    expect(15000000, 30000000, 600, "reading [####################....................]  50 %  0.0 MB/s  10:00 left");
    expect(4500000, 9000000, 3, "reading [####################....................]  50 %  1.5 MB/s  0:03 left");
}
END_TEST

START_TEST(begin_and_end_of_reading)
{
    expect(0, 1000, 2, "reading [........................................]   0 %  0.0 MB/s  0:00 left");
    expect(1000, 1000, 2, "reading [########################################] 100 %  0.0 MB/s  0:00 left");
    expect(0, 0, 2, "reading [########################################] 100 %  0.0 MB/s  0:00 left");
}
END_TEST

TCase *progress_tests(void)
{
    TCase *tests = tcase_create("progress");
    tcase_add_test(tests, remaining_time_follows_from_speed);
    tcase_add_test(tests, very_slow_and_very_long_runs);
    tcase_add_test(tests, begin_and_end_of_reading);
    return tests;
}
