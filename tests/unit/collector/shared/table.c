/* The table that ranks map: it stays usable when one of them is killed, and its room has an end. */
#include "shared.h"

#include "probing/shared/shared_file.h"

#include <string.h>
#include <unistd.h>

static void lock_table(void *table)
{
    hiera_shared_table_lock(table);
}

static void change_in_part(void *data)
{
    HieraSharedTable *table = data;
    hiera_shared_table_lock(table);
    table->changing = (uint32_t)(hiera_shared_table_find(table, 1, "a", 1, true) - table->entries) + 1;
}

static void a_dead_process_frees_the_table(void)
{
    uint64_t number = (uint64_t)getpid() << 32 | 7;
    HieraSharedTable *table = map_again(number), *other = map_again(number);
    hiera_shared_file_hide(number);
    CHECK(table && other && table != other && table->nonce == other->nonce);
    in_child(lock_table, other);
    CHECK(hiera_shared_table_lock(table) && hiera_shared_table_find(table, 1, "b", 1, true));
    hiera_shared_table_unlock(table);
    in_child(change_in_part, other);
    CHECK(hiera_shared_table_lock(table));
    CHECK(hiera_shared_table_find(other, 1, "a", 1, false)->is_incomplete &&
          !hiera_shared_table_find(other, 1, "b", 1, false)->is_incomplete);
    hiera_shared_table_unlock(table);
    HieraSharedTable *later = map_again(number);
    hiera_shared_file_hide(number);
    CHECK(later && later->nonce != table->nonce && !hiera_shared_table_find(later, 1, "a", 1, false));
}

static void incomplete_values_are_named(void)
{
    const uint64_t one[] = {HIERA_VALUE_INTEGER, 1}, text[] = {HIERA_VALUE_TEXT | 1 << 8, 'a'};
    hiera_shared_globals.spoil(NULL, 0);
    hiera_shared_globals.spoil(NULL, 0);
    hiera_shared_globals.update(NULL, 1, text, sizeof text, HIERA_VALUE_INTEGER, '+', hiera_value_integer(1));
    HieraSharedTable *table = current_table();
    hiera_shared_table_find(table, 1, text, sizeof text, false)->is_incomplete = true;
    hiera_shared_table_find(table, HIERA_SHARED_LOCKS, one, sizeof one, true)->is_incomplete = true;
    n_messages = 0;
    hiera_globals_report(script);
    CHECK(n_messages == 1 && strstr(last_message, "#n") && strstr(last_message, "#d[\"a\"]") &&
          strstr(last_message, "what global_lock(1) protects"));
    hiera_globals_report(script);
    CHECK(n_messages == 1);
}

/* Keys are refused when there is no room, and what is there stays. */
static void there_is_an_end_of_room(void)
{
    unsigned n = 0, most = current_table()->most_entries;
    while (n < 2 * most && hiera_shared_globals.update(NULL, 9, &n, sizeof n, HIERA_VALUE_INTEGER, '+',
                                                       hiera_value_integer(1)) == HIERA_PROBE_DONE)
        n++;
    CHECK(n > most / 2 && n < most);
    CHECK(hiera_shared_globals.lock(NULL, "new", 3) == HIERA_PROBE_NO_ROOM);
    CHECK(add(1, 1) == HIERA_PROBE_DONE);
    for (size_t bytes = 1; bytes < SIZE_MAX / 2; bytes *= 3) {
        size_t good = hiera_shared_table_clamp(bytes);
        CHECK(good >= 65536 && good <= 1 << 30 && (bytes < 65536 || bytes > 1 << 30 || good == bytes));
    }
}

void test_table(void)
{
    a_dead_process_frees_the_table();
    incomplete_values_are_named();
}

void test_room(void)
{
    there_is_an_end_of_room();
}
