/* What ranks share stays usable when one of them is killed, and nobody waits for ever. */
#include "shared.h"

#include "job/job.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

static void add_many(void *argument)
{
    (void)argument;
    for (int i = 0; i < 1000; i++)
        CHECK(add(1, 1) == HIERA_PROBE_DONE);
}

int main(void)
{
    static const char text[] = "BEGIN { #n = 1; #d['a'] = 1; }";
    char report[HIERA_PROBE_REPORT];
    script = hiera_probe_script_parse("s", true, text, strlen(text), report);
    pthread_atfork(NULL, NULL, hiera_globals_in_child);
    hiera_globals_load(true);
    hiera_job = (HieraJob){.size = 2, .traced = 2, .id = (uint64_t)getpid()};
    CHECK(script && value_of(1) == -1 && add(1, 5) == HIERA_PROBE_DONE && value_of(1) == 5);
    CHECK(hiera_globals_map() == current_table()->nonce && hiera_globals_use_file() == 0);
    CHECK(value_of(1) == 5 && n_messages == 0);
    hiera_globals_settle();
    in_child(add_many, NULL);
    in_child(add_many, NULL);
    CHECK(value_of(1) == 2005);
    test_table();
    test_locks();
    test_server();
    test_room();
    test_files();
    return 0;
}
