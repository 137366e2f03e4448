/* Runs all tests of the simulator. */
#include "play.h"
#include <stdlib.h>

int main(void)
{
    Suite *suite = suite_create("simulator");
    suite_add_tcase(suite, message_tests());
    suite_add_tcase(suite, request_tests());
    suite_add_tcase(suite, deadlock_tests());
    suite_add_tcase(suite, collective_tests());
    suite_add_tcase(suite, host_tests());
    suite_add_tcase(suite, one_sided_tests());
    suite_add_tcase(suite, random_tests());
    suite_add_tcase(suite, ordered_tests());
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
