/* Variables of all ranks and locks, with a host that keeps them in arrays. */
#include "printed.h"

/* --- what all ranks share --- */

typedef struct {
    unsigned name;
    char key[HIERA_PROBE_KEY_BYTES];
    size_t key_bytes;
    HieraValue value;
    char text[64];
} Cell;

static const HieraProbeScript *script;
static Cell cells[16];
static unsigned n_cells;
static bool silent; /* nobody answers */
static bool gone;   /* nor will anybody */

static Cell *find_cell(unsigned name, const void *key, size_t key_bytes)
{
    for (unsigned i = 0; i < n_cells; i++) {
        if (cells[i].name == name && cells[i].key_bytes == key_bytes && memcmp(cells[i].key, key, key_bytes) == 0)
            return &cells[i];
    }
    return NULL;
}

static HieraProbeAnswer get_global(void *user, unsigned name, const void *key, size_t key_bytes, HieraValue *value,
                                   char *room, size_t room_bytes)
{
    (void)user;
    const Cell *cell = find_cell(name, key, key_bytes);
    if (silent || !cell)
        return silent ? HIERA_PROBE_TIMED_OUT : HIERA_PROBE_NEVER_SET;
    *value = cell->value;
    if (value->type != HIERA_VALUE_TEXT)
        return HIERA_PROBE_DONE;
    ck_assert_uint_le(value->length, room_bytes);
    value->text = memcpy(room, cell->text, value->length);
    return HIERA_PROBE_DONE;
}

static HieraProbeAnswer update_global(void *user, unsigned name, const void *key, size_t key_bytes, HieraValueType type,
                                      char operator_, HieraValue by)
{
    (void)user;
    char room[64];
    Cell *cell = find_cell(name, key, key_bytes);
    HieraValue value =
        hiera_probe_apply(type, operator_, cell ? cell->value : hiera_value_missing(), by, room, sizeof room);
    if (silent || value.type == HIERA_VALUE_MISSING)
        return gone ? HIERA_PROBE_GONE : silent ? HIERA_PROBE_TIMED_OUT : HIERA_PROBE_NO_ROOM;
    if (!cell) {
        ck_assert_uint_lt(n_cells, 16);
        cell = &cells[n_cells++];
        *cell = (Cell){.name = name, .key_bytes = key_bytes};
        memcpy(cell->key, key, key_bytes);
    }
    if (value.type == HIERA_VALUE_TEXT && value.length > sizeof cell->text)
        return HIERA_PROBE_NO_ROOM;
    cell->value = value;
    if (value.type == HIERA_VALUE_TEXT)
        cell->value.text = memcpy(cell->text, value.text, value.length);
    return HIERA_PROBE_DONE;
}

/* Locks count; one whose key has the text "taken" is never to be had. */
static unsigned n_locks;

static HieraProbeAnswer lock_global(void *user, const void *key, size_t key_bytes)
{
    (void)user;
    if (memmem(key, key_bytes, "taken", 5))
        return gone ? HIERA_PROBE_GONE : HIERA_PROBE_TIMED_OUT;
    n_locks++;
    return HIERA_PROBE_DONE;
}

static void unlock_global(void *user, const void *key, size_t key_bytes)
{
    (void)user, (void)key, (void)key_bytes;
    ck_assert_uint_gt(n_locks, 0);
    n_locks--;
}

/* What the ranks have published. */
static char published[2][512];

static bool publish(void *rank, const char *bytes, size_t length)
{
    ck_assert_uint_lt(length, sizeof published[0]);
    memcpy(published[*(int64_t *)rank], bytes, length);
    published[*(int64_t *)rank][length] = '\0';
    return true;
}

static bool gather(void *rank, HieraProbeTotals *totals)
{
    const char *other = published[1 - *(int64_t *)rank];
    return hiera_probe_totals_load(totals, other, strlen(other));
}

/* What is incomplete. */
static char spoiled[64];

static void spoil_global(void *user, unsigned name)
{
    (void)user;
    strcat(strcat(spoiled, hiera_probe_script_name(script, name)), " ");
}

static const HieraProbeGlobals globals = {get_global, update_global, lock_global, unlock_global, spoil_global};

/* --- scripts --- */

static HieraValue get(HieraProbeVariableId variable, const void *data)
{
    if (variable == HIERA_PROBE_VARIABLE_RANK)
        return hiera_value_integer(*(const int64_t *)data);
    return variable == HIERA_PROBE_VARIABLE_CALL ? hiera_value_text("send", 4) : hiera_value_missing();
}

/* BEGIN, a call on each of two ranks twice, END. */
static const struct {
    const char *script, *expected;
} scripts[] = {
    {"call { #n++; #n += 2; } END[1] { print(#n); }", "12\n"},
    {"BEGIN[0] { #x = 1.5; #s = 'a'; #t = true; #d = 2ms; } call { #x *= 2; #s += &call; #d += 1ms; } END[0] { "
     "print(#x, #s, #t, #d); }",
     "24 asendsendsendsend true 6 ms\n"},
    {"call { #d[&call, 1] += 3; } END[1] { print(#d['send', 1], #d['send', 2] , has(#d['x', 1])); }", "12 0 true\n"},
    {"call { #m[1] = 'text'; } END[0] { print(#m[1] + #m[1], '(' + #m[2] + ')'); }", "texttext ()\n"},
    {"END[0] { print(has(#x)); print(#x); } END[1] { #x = 1; }",
     "false\n! s:1:26: on rank 0 '#x' has no value yet; from now on this clause does nothing there\nEND[0] { "
     "print(has(#x)); print(#x); } END[1] { #x = 1; }\n"
     "                         ^~~~~~~~~\n"},
    {"BEGIN { #n = 1.5; } call { #n /= 0; } END[0] { print(#n); }", "1.5\n"},
    /* what all have so far; each rank has published when it printed last */
    {"call { @n[&call, &rank] = count(); } call /:n[1] == 0/ { global_print(@n); :n[1] = 1; } END[0] { "
     "global_print(@n, 1); print(@n); }",
     "@n: count, so far\n  send  0  1\n@n: count, so far\n  send  0  1\n  send  1  1\n@n: count on rank 0\n  send  0  "
     "2\n"},
    {"call { @n = sum(1); } call[1] { global_print(@n, 1); }",
     "@n: sum of ranks 1, so far\n  1\n@n: sum of ranks 1, so far\n  2\n"},
    /* locks */
    {"BEGIN { #n = 0; } call { global_lock(1); #n = #n + 1; global_unlock(1); } END[1] { print(#n); }", "4\n"},
    {"call { local_lock('a'); local_lock('b'); global_lock('a'); global_lock('a', 1); :n[1]++; } END[1] { "
     "print(:n[1]); }",
     "2\n"},
    {"BEGIN { local_lock(1); } END[0] { local_lock(1); print('again'); local_unlock(1); local_lock(1); print('and "
     "again'); }",
     "again\nand again\n"},
    {"BEGIN[0] { local_lock(2); local_unlock(2); local_lock(1); print(1); }", "1\n"},
    {"BEGIN[0] { local_lock(1); local_lock(2); local_lock(1); print(1); }",
     "! s:1:42: on rank 0 this lock is held already; from now on this clause does nothing there\n"
     "BEGIN[0] { local_lock(1); local_lock(2); local_lock(1); print(1); }\n                                         "
     "^~~~~~~~~~~~~\n"},
    {"BEGIN[0] { local_lock(2); local_lock(1); print(1); }",
     "! s:1:27: on rank 0 this lock comes before one that is held: take locks by the order of their keys, those of a "
     "rank first; from now on this "
     "clause does nothing there\nBEGIN[0] { local_lock(2); local_lock(1); print(1); }\n                          "
     "^~~~~~~~~~~~~\n"},
    {"call[0] { global_lock(1); local_lock(2); }",
     "! s:1:27: on rank 0 this lock comes before one that is held: take locks by the order of their keys, those of a "
     "rank first; from now on this "
     "clause does nothing there\ncall[0] { global_lock(1); local_lock(2); }\n                          "
     "^~~~~~~~~~~~~\n"},
    {"BEGIN[1] { global_lock('taken'); } END { print(&rank); }",
     "! s:1:12: on rank 1 this lock was not to be had in time; from now on this clause does nothing there\n"
     "BEGIN[1] { global_lock('taken'); } END { print(&ran…\n           ^~~~~~~~~~~~~~~~~~~~\n0\n1\n"},
    {"BEGIN[0] { local_lock(1); local_lock(2); local_lock(3); local_lock(4); local_lock(5); local_lock(6); "
     "local_lock(7); local_lock(8);\nlocal_lock(9); }",
     "! s:2:1: on rank 0 more than 8 locks are held; from now on this clause does nothing there\nlocal_lock(9); "
     "}\n^~~~~~~~~~~~~\n"},
    {"BEGIN[1] { local_unlock(1); }", "! s:1:12: on rank 1 this lock is not held; from now on this clause does nothing "
                                      "there\nBEGIN[1] { local_unlock(1); }\n           ^~~~~~~~~~~~~~~\n"},
    {"call[0] { local_lock(&bytes); print(1); } END[0] { print(2); }",
     "2\n"}, /* without its key nothing is protected */
    {"BEGIN[0] { local_lock(1); local_lock(1.5); local_lock(1s); local_lock('1'); local_lock(2, 1); local_lock(3, 0); "
     "print(1); }",
     "1\n"},
};

static void fire_calls(HieraProbeState *state, int64_t rank)
{
    const HieraProbeEvent event = {.kind = HIERA_EVENT_CALL_END, .get = get, .data = &rank};
    for (unsigned i = 0; i < 2 * hiera_probe_script_count(script); i++) {
        unsigned clause = i % hiera_probe_script_count(script);
        if (hiera_probe_clause_takes(script, clause, HIERA_EVENT_CALL_END, rank))
            hiera_probe_fire(state, clause, &event);
    }
}

static void run_script(const char *text)
{
    HieraProbeScript *parsed = must_parse(text);
    HieraProbeState *ranks[2];
    int64_t numbers[2] = {0, 1};
    memset(published, 0, sizeof published);
    script = parsed;
    n_cells = 0;
    printed[0] = spoiled[0] = '\0';
    for (int64_t rank = 0; rank < 2; rank++) {
        const HieraProbeHost host = {.rank = rank,
                                     .size = 2,
                                     .name = "node",
                                     .write = write_text,
                                     .complain = complain,
                                     .memory = 1 << 20,
                                     .globals = &globals,
                                     .wait_ns = 1000000,
                                     .user = &numbers[rank],
                                     .publish = publish,
                                     .gather = gather};
        ranks[rank] = hiera_probe_state_new(parsed, &host);
        hiera_probe_run_begin(ranks[rank], 0);
    }
    for (int64_t rank = 0; rank < 2; rank++)
        fire_calls(ranks[rank], rank);
    for (int64_t rank = 0; rank < 2; rank++) {
        hiera_probe_run_end(ranks[rank], 0);
        hiera_probe_state_free(ranks[rank]);
    }
    ck_assert_uint_eq(n_locks, 0);
    hiera_probe_script_free(parsed);
}

START_TEST(variables_and_locks_of_all_ranks)
{
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        run_script(scripts[i].script);
        ck_assert_msg(strcmp(printed, scripts[i].expected) == 0, "%s\nexpected\n%s\nactual\n%s", scripts[i].script,
                      scripts[i].expected, printed);
    }
}
END_TEST

START_TEST(a_clause_that_gets_no_answer_goes_off)
{
    static const char *const expected[] = {"! s:1:8: on rank 0 nobody answered in time for '#n', so it is incomplete; "
                                           "from now on this clause does nothing there\n",
                                           "! s:1:22: on rank 0 nobody", "! s:1:8: on rank 1 nobody",
                                           "! s:1:22: on rank 1 nobody", "\n2\n"};
    silent = true;
    run_script("call { #n++; } call /#n > 0/ { print(1); } END[0] { print(2); }");
    silent = false;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        ck_assert_msg(strstr(printed, expected[i]), "%s in %s", expected[i], printed);
    ck_assert_ptr_null(strstr(printed, "\n1\n"));
}
END_TEST

START_TEST(a_clause_whose_connection_has_ended_says_so)
{
    silent = gone = true;
    run_script("BEGIN[0] { #n++; } BEGIN[1] { global_lock('taken'); print('never'); }");
    silent = gone = false;
    ck_assert_ptr_nonnull(strstr(
        printed,
        "on rank 0 there is no connection any more to the rank that has '#n', so it is incomplete; from now on"));
    ck_assert_ptr_nonnull(
        strstr(printed, "on rank 1 there is no connection any more to the rank that has this lock; from now on"));
    ck_assert_ptr_null(strstr(printed, "\nnever\n"));
}
END_TEST

/* What would have been changed with the lock is marked. */
START_TEST(a_clause_that_waits_in_vain_leaves_incomplete_values)
{
    run_script("BEGIN[0] { #a = 1; global_lock('taken'); #b[1] += 1; :c[1] = 2; @d = count(); } END[1] { #e = 1; }");
    ck_assert_str_eq(spoiled, "#a #b ");
}
END_TEST

START_TEST(keys_are_written_as_in_scripts)
{
    const uint64_t words[] = {HIERA_VALUE_INTEGER,  (uint64_t)-7, HIERA_VALUE_TEXT | 3 << 8, 0x636261,
                              HIERA_VALUE_DURATION, 2000000,      HIERA_VALUE_TRUTH,         1};
    char text[64];
    hiera_probe_key_write(words, sizeof words, text, sizeof text);
    ck_assert_str_eq(text, "-7, \"abc\", 2 ms, true");
    hiera_probe_key_write(words, sizeof words, text, 9);
    ck_assert_str_eq(text, "-7, \"abc");
    hiera_probe_key_write(words, 0, text, sizeof text);
    ck_assert_str_eq(text, "");
    hiera_probe_key_write((const uint64_t[]){HIERA_VALUE_TEXT | 400 << 8, 1}, 16, text,
                          sizeof text); /* longer than it can be */
    ck_assert_str_eq(text, "");
}
END_TEST

/* While a thread prints, another one asks for the lock that it holds. */
static HieraProbeState *other_thread;

static void write_and_wait(void *user, const char *line, size_t length)
{
    static const HieraProbeEvent event = {.kind = HIERA_EVENT_REGION_START, .get = get};
    write_text(user, line, length);
    if (length == 5 && memcmp(line, "held\n", 5) == 0)
        hiera_probe_fire(other_thread, 1, &event);
}

START_TEST(a_lock_of_the_rank_is_waited_for_for_a_while)
{
    const HieraProbeEvent event = {.kind = HIERA_EVENT_CALL_END, .get = get};
    const HieraProbeHost host = {.size = 1,
                                 .name = "node",
                                 .write = write_and_wait,
                                 .complain = complain,
                                 .memory = 1 << 20,
                                 .wait_ns = 2000000};
    HieraProbeScript *parsed =
        must_parse("call { local_lock(1); print('held'); print('still'); }\nregion { local_lock(1); print('never'); }");
    HieraProbeState *state = hiera_probe_state_new(parsed, &host);
    other_thread = hiera_probe_state_new_thread(state);
    printed[0] = '\0';
    hiera_probe_fire(state, 0, &event);
    ck_assert_str_eq(
        printed,
        "held\n! s:2:10: on rank 0 this lock was not to be had in time; from now on this clause does nothing there\n"
        "region { local_lock(1); print('never'); }\n         ^~~~~~~~~~~~~\nstill\n");
    printed[0] = '\0';
    hiera_probe_fire(other_thread, 0, &event); /* the lock has ended with its clause */
    ck_assert_str_eq(printed, "held\nstill\n");
    hiera_probe_state_free(state);
    hiera_probe_script_free(parsed);
}
END_TEST

TCase *probe_global_tests(void)
{
    TCase *tests = tcase_create("probe globals");
    tcase_add_test(tests, variables_and_locks_of_all_ranks);
    tcase_add_test(tests, a_clause_that_gets_no_answer_goes_off);
    tcase_add_test(tests, a_clause_whose_connection_has_ended_says_so);
    tcase_add_test(tests, a_clause_that_waits_in_vain_leaves_incomplete_values);
    tcase_add_test(tests, keys_are_written_as_in_scripts);
    tcase_add_test(tests, a_lock_of_the_rank_is_waited_for_for_a_while);
    return tests;
}
