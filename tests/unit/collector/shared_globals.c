/* What ranks share stays usable when one of them is killed, and nobody waits for ever. */
#include "probing/shared_globals.h"

#include "base/message.h"
#include "base/settings.h"
#include "job/job.h"
#include "probing/shared_file.h"
#include "probing/shared_table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHECK(what) check(what, #what, __LINE__)

HieraSettings hiera_settings = {.probe = ""};

static int n_messages;

static void check(bool holds, const char *what, int line)
{
    if (holds)
        return;
    fprintf(stderr, "line %d: %s\n", line, what);
    exit(1);
}

void hiera_message(const char *format, ...)
{
    (void)format;
    n_messages++;
}

const char *hiera_message_of(int error)
{
    return strerror(error);
}

/* Numbers are added, texts replaced. */
HieraValue hiera_probe_script_apply(const HieraProbeScript *script, unsigned name, char operator_, HieraValue old, HieraValue by,
                                    char *room, size_t room_bytes)
{
    (void)script, (void)name, (void)room, (void)room_bytes;
    return operator_ == '+' ? hiera_value_integer((old.type ? old.integer : 0) + by.integer) : by;
}

static HieraProbeAnswer add(unsigned name, int64_t by)
{
    return hiera_shared_globals.update(NULL, name, "key", 3, '+', hiera_value_integer(by));
}

static int64_t value_of(unsigned name)
{
    char room[8];
    HieraValue value;
    HieraProbeAnswer answer = hiera_shared_globals.get(NULL, name, "key", 3, &value, room, sizeof room);
    return answer == HIERA_PROBE_DONE ? value.integer : -1;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Run this in another process, and let it be killed if it comes back. */
static void in_child(void (*run)(void *argument), void *argument)
{
    pid_t pid = fork();
    if (pid == 0) {
        run(argument);
        raise(SIGKILL);
    }
    CHECK(pid > 0 && waitpid(pid, NULL, 0) == pid);
}

static void lock_table(void *table)
{
    hiera_shared_table_lock(table);
}

static void lock_key(void *key)
{
    CHECK(hiera_shared_globals.lock(NULL, key, strlen(key)) == HIERA_PROBE_DONE);
}

static void add_many(void *argument)
{
    (void)argument;
    for (int i = 0; i < 1000; i++)
        CHECK(add(1, 1) == HIERA_PROBE_DONE);
}

static void lock_in_vain(void *key)
{
    double begin = seconds();
    CHECK(hiera_shared_globals.lock(NULL, key, strlen(key)) == HIERA_PROBE_TIMED_OUT);
    hiera_shared_globals.unlock(NULL, key, strlen(key)); /* is not its own */
    CHECK(seconds() - begin < 5);
}

static bool init(void *table)
{
    return hiera_shared_table_init(table);
}

static void a_dead_process_frees_the_table(void)
{
    int error, again;
    uint64_t number = (uint64_t)getpid() << 32 | 7;
    HieraSharedTable *table = hiera_shared_file_map(number, sizeof *table, init, &error);
    HieraSharedTable *other = hiera_shared_file_map(number, sizeof *table, init, &again);
    hiera_shared_file_hide(number);
    CHECK(table && other && table != other);
    in_child(lock_table, other);
    CHECK(hiera_shared_table_lock(table) && table->is_incomplete && other->is_incomplete);
    CHECK(hiera_shared_table_find(table, 1, "", 0, true) && hiera_shared_table_find(other, 1, "", 0, false));
    hiera_shared_table_unlock(table);
    HieraSharedTable *later = hiera_shared_file_map(number, sizeof *table, init, &error);
    hiera_shared_file_hide(number);
    CHECK(later && !later->is_incomplete);
}

static void a_dead_process_frees_its_locks(void)
{
    char key[] = "key";
    in_child(lock_key, key);
    CHECK(hiera_shared_globals.lock(NULL, key, 3) == HIERA_PROBE_DONE);
    in_child(lock_in_vain, key);
    hiera_shared_globals.unlock(NULL, key, 3);
    in_child(lock_key, key);
    n_messages = 0;
    hiera_globals_report();
    hiera_globals_report();
    CHECK(n_messages == 1);
}

/* Keys are refused when there is no room, and what is there stays. */
static void there_is_an_end_of_room(void)
{
    unsigned n = 0;
    while (n < 2 * HIERA_SHARED_ENTRIES && hiera_shared_globals.update(NULL, 9, &n, sizeof n, '+', hiera_value_integer(1)) == HIERA_PROBE_DONE)
        n++;
    CHECK(n > HIERA_SHARED_ENTRIES / 2 && n < HIERA_SHARED_ENTRIES);
    CHECK(hiera_shared_globals.lock(NULL, "new", 3) == HIERA_PROBE_NO_ROOM);
    CHECK(add(1, 1) == HIERA_PROBE_DONE);
}

int main(void)
{
    hiera_globals_load();
    hiera_job = (HieraJob){.size = 2, .traced = 2, .id = (uint64_t)getpid()};
    CHECK(value_of(1) == -1 && add(1, 5) == HIERA_PROBE_DONE && value_of(1) == 5);
    hiera_globals_join();
    CHECK(value_of(1) == 5 && n_messages == 0);
    hiera_globals_settle(true);
    CHECK(n_messages == 1); /* the other rank has not come */
    in_child(add_many, NULL);
    in_child(add_many, NULL);
    CHECK(value_of(1) == 2005);
    a_dead_process_frees_the_table();
    a_dead_process_frees_its_locks();
    there_is_an_end_of_room();
    return 0;
}
