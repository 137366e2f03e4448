/* Probes of the program, whose variables are known when it reaches them; and probes of time, counters and memory. */
#include "printed.h"
#include <stdio.h>

static const HieraProbeHost host = {
    .size = 1, .name = "node", .write = write_text, .complain = complain, .memory = 1 << 20};

/* --- probes of the program --- */

static HieraValue get(HieraProbeVariableId variable, const void *data)
{
    (void)data;
    return variable == HIERA_PROBE_VARIABLE_NAME ? hiera_value_text("heat", 4) : hiera_value_missing();
}

/* HIERA_PROBE("heat", n, x, "text") for n = 1, 2, 3 and x = n / 2. */
static const char *const names[] = {"n", "x", "arg3"};
static const HieraValueType types[] = {HIERA_VALUE_INTEGER, HIERA_VALUE_NUMBER, HIERA_VALUE_TEXT};

static HieraValue get_user(unsigned variable, const void *data)
{
    int64_t n = *(const int64_t *)data;
    return variable == 0   ? hiera_value_integer(n)
           : variable == 1 ? hiera_value_number((double)n / 2)
                           : hiera_value_text("text", 4);
}

static void fire_all(HieraProbeState *state, const HieraProbeScript *script, HieraProbeEventKind kind, const char *name,
                     int64_t n)
{
    const HieraProbeEvent event = {.kind = kind, .get = get, .data = &n, .get_user = get_user, .probe = name};
    for (unsigned i = 0; i < hiera_probe_script_count(script); i++) {
        if (hiera_probe_clause_takes(script, i, kind, 0) && hiera_probe_clause_fits(script, i, name))
            hiera_probe_fire(state, i, &event);
    }
}

/* A call, then the program reaches its probe three times, another call, and the end. */
static const struct {
    const char *script, *expected;
} user_scripts[] = {
    {"heat { print(&n, &x, &arg3, &name); }", "1 0.5 text heat\n2 1 text heat\n3 1.5 text heat\n"},
    {"heat[0] /&n > 2 and &arg3 == 'text'/ { @h[&n] = sum(&x); } END { print(@h); }", "@h: sum on rank 0\n  3  1.5\n"},
    {"heat[1] { print(&n); }", ""},
    {"'heat' { @n = count(); :last = &x; &twice = 2 * &n; @q = quantize(&twice); } END { print(@n); print(:last); "
     "print(@q); }",
     "@n: count on rank 0\n  3\n1.5\n@q: quantize on rank 0\n    2  1  ███████████████\n    4  2  "
     "██████████████████████████████\n"},
    {"BEGIN { :max = 0.5; } heat { :max += &n; @l = lquantize(&x, 0, 10, 1); } END { print(:max); }", "6.5\n"},
    {"heat { :n = &n; } heat { :m = :n + 1; } END { print(:m); }", "4\n"},
    {"heat { :d[&arg3] += &n; } call { print(:d['text']); }",
     "6\n"}, /* the first call comes before the types are known */
    {"heat { print(&n > 1 ? &arg3 : 'one'); }", "one\ntext\ntext\n"},
    {"other { :o = &y; } heat { :n = 1; } END { print(:n); }", "1\n"},
    {"other { :o = &y; } END { print(1); print(:o); }\nEND { print(2); }",
     "! s:1:20: on rank 0 ':o' has no value yet; from now on this clause does nothing there\n"
     "other { :o = &y; } END { print(1); print(:o); }\n                   ^~~\n2\n"},
    /* what is found when the variables are known */
    {"heat { print(&m); } heat { print(&n); } heat { print(&ag3); }",
     "? s:1:14: the probe 'heat' of the program has no '&m'\nheat { print(&m); } heat { print(&n); } heat { print(…\n  "
     "           ^~\n"
     "s:1:54: the probe 'heat' of the program has no '&ag3'; did you mean '&arg3'?\nheat { print(&m); } heat { "
     "print(&n); } heat { print(&ag3); }\n"
     "                                                     ^~~~\n1\n2\n3\n"},
    {"heat /&n/ { print(1); }", "? s:1:7: the expression has to be a truth, but '&n' is an integer: compare it, as in "
                                "&n != 0\nheat /&n/ { print(1); }\n      ^~\n"},
    {"heat { @s = sum(&arg3); }", "? s:1:17: this is a text; sum() takes a number or a duration\nheat { @s = "
                                  "sum(&arg3); }\n                ^~~~~\n"},
    {"BEGIN { :k = 1; } heat { :k = &x; } END { print(:k); }",
     "? s:1:26: ':k' is set to a number here and to an integer in line 1, :k = 1\nBEGIN { :k = 1; } heat { :k = &x; } "
     "END { print(:k); }\n                         ^~~~~~~\n1\n"},
    {"heat { @l = lquantize(&n, 0, 1.5, 0.5); }",
     "? s:1:30: the expression has to be an integer, but '1.5' is a number\nheat { @l = lquantize(&n, 0, 1.5, 0.5); "
     "}\n                             ^~~\n"},
    {"heat { :a = &n; :b = :a; :c = :b; :a = :c; } END { print(:a, :c); }", "3 3\n"},
};

static void expect_user(const char *script, const char *expected)
{
    char report[HIERA_PROBE_REPORT];
    HieraProbeScript *parsed = must_parse(script);
    HieraProbeState *state = hiera_probe_state_new(parsed, &host);
    printed[0] = '\0';
    hiera_probe_run_begin(state, 0);
    fire_all(state, parsed, HIERA_EVENT_CALL_END, "send", 0);
    hiera_probe_script_declare_user(parsed, "heat", 3, names, types, report);
    if (report[0])
        snprintf(printed + strlen(printed), 2048, "? %s\n", report);
    for (int64_t n = 1; n <= 3; n++)
        fire_all(state, parsed, HIERA_EVENT_USER, "heat", n);
    fire_all(state, parsed, HIERA_EVENT_CALL_END, "send", 0);
    hiera_probe_run_end(state, 0);
    ck_assert_msg(strcmp(printed, expected) == 0, "%s\nexpected\n%s\nactual\n%s", script, expected, printed);
    hiera_probe_state_free(state);
    hiera_probe_script_free(parsed);
}

START_TEST(probes_of_the_program_have_its_variables)
{
    for (size_t i = 0; i < sizeof user_scripts / sizeof user_scripts[0]; i++)
        expect_user(user_scripts[i].script, user_scripts[i].expected);
}
END_TEST

START_TEST(a_probe_of_the_program_is_declared_once)
{
    char report[HIERA_PROBE_REPORT];
    HieraProbeScript *script = must_parse("heat { print(&n); } other { print(&m); }");
    ck_assert(!hiera_probe_script_declare_user(script, "unasked", 3, names, types, report));
    ck_assert_str_eq(report, "");
    ck_assert(hiera_probe_script_declare_user(script, "heat", 3, names, types, report));
    ck_assert(hiera_probe_script_declare_user(script, "heat", 3, names, types, report));
    ck_assert_str_eq(report, "");
    ck_assert(!hiera_probe_script_declare_user(script, "heat", 2, names, types, report));
    ck_assert_str_eq(report, "s:1:1: the program has a second probe 'heat', with other variables; it is left out\n"
                             "heat { print(&n); } other { print(&m); }\n^~~~");
    ck_assert(!hiera_probe_script_declare_user(script, "other", 3, names, types, report));
    ck_assert(!hiera_probe_script_declare_user(script, "other", 3, names, types, report));
    ck_assert_str_eq(report, "");
    hiera_probe_script_free(script);
}
END_TEST

/* "heat" is asked about until "other" tells the type that its clause needs. */
START_TEST(a_probe_that_waits_for_another_one_is_taken)
{
    char report[HIERA_PROBE_REPORT];
    HieraProbeScript *script = must_parse("BEGIN { print(1); } other { :o = &n; } heat { print(:o + &n); }");
    HieraProbeState *state = hiera_probe_state_new(script, &host);
    printed[0] = '\0';
    ck_assert(hiera_probe_script_declare_user(script, "heat", 3, names, types, report));
    fire_all(state, script, HIERA_EVENT_USER, "heat", 1);
    ck_assert(hiera_probe_script_declare_user(script, "other", 3, names, types, report));
    fire_all(state, script, HIERA_EVENT_USER, "other", 2);
    fire_all(state, script, HIERA_EVENT_USER, "heat", 3);
    ck_assert_str_eq(printed, "5\n");
    hiera_probe_state_free(state);
    hiera_probe_script_free(script);
}
END_TEST

/* Two probes of the program whose `&x` are other values: of "heat" the second one, of "hole" the first one. */
static const struct {
    const char *script, *expected;
} wildcard_scripts[] = {
    {"he* { print(&name, &x); } 'ho*' { print('hole', &x); } h?le { print('again', &x); } 'z*' { print(1); }",
     "heat 0.5\nhole 2\nagain 2\nheat 1.5\n"},
    {"'*' { @n = count(); @x = sum(&x); :last = &x; } END { print(@n); print(@x); print(:last); }",
     "@n: count on rank 0\n  3\n@x: sum on rank 0\n  4\n1.5\n"},
    {"h*[0]::[reached] /&x > 1/ { &twice = 2 * &x; print(&twice); } h*[1] { print('no'); }", "4\n3\n"},
    {"h* { print(has(&rank)); }", "false\nfalse\nfalse\n"},
    {"call* { print(1); } '*all' { print(2); }", ""}, /* a pattern means probes of the program alone */
    {"h* { print(&n); }", "1\n? s:1:12: for the probe 'hole': the probe 'hole' of the program has no '&n'\nh* { "
                          "print(&n); }\n           ^~\n3\n"},
    {"h* { :first = &arg1; }", "? s:1:15: for the probe 'heat': the probe 'heat' of the program has no '&arg1'; did "
                               "you mean '&arg3'?\nh* { :first = &arg1; }\n              ^~~~~\n"
                               "? s:1:15: for the probe 'hole': the probe 'hole' of the program has no '&arg1'\nh* { "
                               ":first = &arg1; }\n              ^~~~~\n"},
    {"heat { :k = &arg3; } h* { :k = str(&x); } hole { :k = &x; }",
     "? s:1:50: ':k' is set to an integer here and to a text in line 1, :k = &arg3\nheat { :k = &arg3; } h* { :k = "
     "str(&x); } hole { :k = &x; }\n"
     "                                                 ^~~~~~~\n"},
};

static void declare_also(HieraProbeScript *script, const char *name, unsigned n, const char *const *with_names,
                         const HieraValueType *with_types)
{
    char report[HIERA_PROBE_REPORT];
    hiera_probe_script_declare_user(script, name, n, with_names, with_types, report);
    if (report[0])
        snprintf(printed + strlen(printed), 2048, "? %s\n", report);
}

static void expect_wildcards(const char *script, const char *expected)
{
    static const char *const hole_names[] = {"x"};
    static const HieraValueType hole_types[] = {HIERA_VALUE_INTEGER};
    HieraProbeScript *parsed = must_parse(script);
    HieraProbeState *state = hiera_probe_state_new(parsed, &host);
    printed[0] = '\0';
    declare_also(parsed, "heat", 3, names, types);
    fire_all(state, parsed, HIERA_EVENT_USER, "heat", 1);
    declare_also(parsed, "hole", 1, hole_names, hole_types);
    fire_all(state, parsed, HIERA_EVENT_USER, "hole", 2);
    fire_all(state, parsed, HIERA_EVENT_USER, "heat", 3);
    hiera_probe_run_end(state, 0);
    ck_assert_msg(strcmp(printed, expected) == 0, "%s\nexpected\n%s\nactual\n%s", script, expected, printed);
    hiera_probe_state_free(state);
    hiera_probe_script_free(parsed);
}

START_TEST(a_name_with_wildcards_takes_each_probe_with_its_own_variables)
{
    for (size_t i = 0; i < sizeof wildcard_scripts / sizeof wildcard_scripts[0]; i++)
        expect_wildcards(wildcard_scripts[i].script, wildcard_scripts[i].expected);
}
END_TEST

static char saved[1024];

static void take_saved(void *user, const char *bytes, size_t length)
{
    (void)user;
    ck_assert_uint_lt(strlen(saved) + length, sizeof saved);
    strncat(saved, bytes, length);
}

/* Rank 0, which prints, has never come to the probe. */
START_TEST(a_type_that_one_rank_does_not_know_is_that_of_another_one)
{
    const char text[] = "heat { @x[&n] = sum(&x); } END { global_print(@x); }";
    char report[HIERA_PROBE_REPORT];
    HieraProbeScript *here = must_parse(text), *there = must_parse(text);
    HieraProbeState *state_here = hiera_probe_state_new(here, &host),
                    *state_there = hiera_probe_state_new(there, &host);
    HieraProbeTotals *totals = hiera_probe_totals_new(here, &host);
    hiera_probe_script_declare_user(there, "heat", 3, names, types, report);
    fire_all(state_there, there, HIERA_EVENT_USER, "heat", 1);
    hiera_probe_run_end(state_here, 0);
    saved[0] = printed[0] = '\0';
    ck_assert(hiera_probe_state_save(state_here, take_saved, NULL));
    ck_assert(hiera_probe_state_save(state_there, take_saved, NULL));
    ck_assert_msg(hiera_probe_totals_load(totals, saved, strlen(saved)), "%s", saved);
    hiera_probe_totals_print(totals, &host);
    ck_assert_str_eq(printed, "@x: sum\n  1  0.5\n");
    hiera_probe_totals_free(totals);
    hiera_probe_state_free(state_here);
    hiera_probe_state_free(state_there);
    hiera_probe_script_free(here);
    hiera_probe_script_free(there);
}
END_TEST

/* --- descriptions --- */

static const struct {
    const char *script;
    HieraProbeKind kind;
    const char *name;
    int64_t period_ns;
    const char *fits, *fits_not; /* NULL: not asked */
} descriptions[] = {
    {"timer::100ms { print(1); }", HIERA_PROBE_TIMER, NULL, 100000000, "", NULL},
    {"timer[0-3]::1.5s:: { print(&rank, &time); }", HIERA_PROBE_TIMER, NULL, 1500000000, "", NULL},
    {"memory { print(&resident > 1GB); }", HIERA_PROBE_MEMORY, NULL, 0, "", NULL},
    {"memory::2s { print(&resident); }", HIERA_PROBE_MEMORY, NULL, 2000000000, "", NULL},
    {"proc { print(&proc_name, &proc_value); }", HIERA_PROBE_PROC, NULL, 0, "CPU User %", NULL},
    {"proc::\"User\" { print(&proc_name); }", HIERA_PROBE_PROC, "User", 0, "CPU User %", "CPU Idle %"},
    {"proc::CPU*Idle* { print(&proc_name); }", HIERA_PROBE_PROC, "CPU*Idle*", 0, "CPU Idle %", "CPU User %"},
    {"counter::papi:PAPI_TOT_INS { print(&counter_name, &counter_value); }", HIERA_PROBE_COUNTER, "papi:PAPI_TOT_INS",
     0, "papi:PAPI_TOT_INS", "papi:PAPI_TOT_CYC"},
    {"counter::'a::b' { print(&counter_parent_instance_index + &counter_instance_name); }", HIERA_PROBE_COUNTER, "a::b",
     0, "a::b", "a"},
    {"counter-type::papi { print(&counter_type); }", HIERA_PROBE_COUNTER_TYPE, "papi", 0, "papi:PAPI_TOT_INS",
     "proc:rss"},
    {"counter-create::\"/threads/time\"::[reading]::10ms { print(&counter_parameters); }", HIERA_PROBE_COUNTER_CREATE,
     "/threads/time", 10000000, "/threads/time", "/threads"},
    {"region::[suspend,resume]::step { print(&bytes_allocated - &bytes_freed, &allocations, &frees, &processor); }",
     HIERA_PROBE_REGION, "step", 0, "step", "step 2"},
    {"\"call\" { print(&anything); }", HIERA_PROBE_USER, "call", 0, "call", "send"},
    {"heat-x[1] { print(&rank, &time, &host, &path, &line); }", HIERA_PROBE_USER, "heat-x", 0, "heat-x", "heat"},
    {"he*-? { print(1); }", HIERA_PROBE_USER, "he*-?", 0, "heat-x", "heat"},
    {"* /&rank > 0/ { print(1); }", HIERA_PROBE_USER, "*", 0, "heat", NULL},
};

START_TEST(functions_wait_that_need_other_ranks)
{
    static const char *const waiting[] = {
        "send",       "receive",   "recv_c",   "sendrecv",          "mprobe",
        "wait",       "waitsome",  "barrier",  "neighbor_alltoall", "intercomm_create",
        "comm_split", "win_fence", "win_wait", "win_complete",      "win_unlock"};
    static const char *const others[] = {"isend",
                                         "irecv",
                                         "iprobe",
                                         "improbe",
                                         "test",
                                         "testall",
                                         "request_get_status",
                                         "ibarrier",
                                         "comm_idup",
                                         "start",
                                         "put",
                                         "win_post",
                                         "win_test",
                                         "barrier_init",
                                         "comm_rank",
                                         "init",
                                         "finalize",
                                         "file_write_all",
                                         "no function"};
    for (size_t i = 0; i < sizeof waiting / sizeof waiting[0]; i++)
        ck_assert_msg(hiera_probe_call_waits(waiting[i]), "%s", waiting[i]);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        ck_assert_msg(!hiera_probe_call_waits(others[i]), "%s", others[i]);
}
END_TEST

START_TEST(descriptions_have_names_and_periods)
{
    for (size_t i = 0; i < sizeof descriptions / sizeof descriptions[0]; i++) {
        HieraProbeScript *script = must_parse(descriptions[i].script);
        const char *name = hiera_probe_clause_name(script, 0);
        ck_assert_int_eq(hiera_probe_clause_kind(script, 0), descriptions[i].kind);
        ck_assert_msg(descriptions[i].name ? name && strcmp(name, descriptions[i].name) == 0 : !name, "%s: %s",
                      descriptions[i].script, name);
        ck_assert_int_eq(hiera_probe_clause_period_ns(script, 0), descriptions[i].period_ns);
        ck_assert_msg(hiera_probe_clause_fits(script, 0, descriptions[i].fits), "%s", descriptions[i].script);
        ck_assert_msg(!descriptions[i].fits_not || !hiera_probe_clause_fits(script, 0, descriptions[i].fits_not), "%s",
                      descriptions[i].script);
        hiera_probe_script_free(script);
    }
}
END_TEST

static const struct {
    const char *script, *expected;
} errors[] = {
    {"timer { print(1); }", "s:1:1: timer needs a period, as in timer::100ms\ntimer { print(1); }\n^~~~~"},
    {"timer::100 { print(1); }", "s:1:8: a period is a time, as in 100ms\ntimer::100 { print(1); }\n       ^~~"},
    {"timer::0s { print(1); }", "s:1:8: a period is a time, as in 100ms\ntimer::0s { print(1); }\n       ^~"},
    {"timer::1s::2s { print(1); }", "s:1:12: timer has no further name\ntimer::1s::2s { print(1); }\n           ^~"},
    {"counter { print(1); }", "s:1:1: counter needs a name, as in counter::name\ncounter { print(1); }\n^~~~~~~"},
    {"counter-create::x { print(1); }",
     "s:1:1: counter-create needs a period, as in counter-create::name::100ms\ncounter-create::x { print(1); "
     "}\n^~~~~~~~~~~~~~~~~"},
    {"counter-creat::x::1s { print(1); }",
     "s:1:1: there is no probe 'counter-creat'; did you mean 'counter-create'? One of the program stands in quotes "
     "then\ncounter-creat::x::1s { print(1); }\n^~~~~~~~~~~~~"},
    {"heat::x { print(1); }", "s:1:7: a probe of the program has no further name\nheat::x { print(1); }\n      ^"},
    {"heat::[begin] { print(1); }",
     "s:1:8: a probe of the program has the event reached\nheat::[begin] { print(1); }\n       ^~~~~"},
    {"region::[yield] { print(1); }",
     "s:1:10: region has the events start, stop, suspend and resume\nregion::[yield] { print(1); }\n         ^~~~~"},
    {"proc { print(&counter_name); }",
     "s:1:14: events of proc have no '&counter_name'\nproc { print(&counter_name); }\n             ^~~~~~~~~~~~~"},
    {"proc { print(&proc_nam); }", "s:1:14: '&proc_nam' is never set; did you mean '&proc_name'?\nproc { "
                                   "print(&proc_nam); }\n             ^~~~~~~~~"},
    /* of a probe of the program before its variables are known */
    {"heat { print(&n +); }",
     "s:1:18: the expression ends where a value is expected\nheat { print(&n +); }\n                 ^"},
    {"heat /&n > 1 + 'a'/ { print(1); }", "s:1:12: '1' is an integer and ''a'' is a text: a text is joined with a "
                                          "text, as in str(1)\nheat /&n > 1 + 'a'/ { print(1); }\n           ^~~~~~~"},
    {"heat { print(rond(&x)); }",
     "s:1:14: unknown function 'rond'; did you mean 'round'?\nheat { print(rond(&x)); }\n             ^~~~"},
    {"heat { :a = :a; print(&n); }",
     "s:1:8: ':a' is set only from itself, so it has no type\nheat { :a = :a; print(&n); }\n       ^~~~~~~"},
    {"tick { #k = #k + 1; }",
     "s:1:8: '#k' is set only from itself, so it has no type\ntick { #k = #k + 1; }\n       ^~~~~~~~~~~"},
    {"h* { :x = &x; :a[1] = :b + 1; :b = -:a[2]; }",
     "s:1:15: ':a' is set only from itself, so it has no type\nh* { :x = &x; :a[1] = :b + 1; :b = -:a[2]; }\n          "
     "    ^~~~~~~~~~~~~~"},
    {"isend { print(1); }", "s:1:1: there is no probe 'isend'; did you mean 'call::isend'? One of the program stands "
                            "in quotes then\nisend { print(1); }\n^~~~~"},
    {"MPI_Recv { print(1); }", "s:1:1: there is no probe 'MPI_Recv'; did you mean 'call::MPI_Recv'? One of the program "
                               "stands in quotes then\nMPI_Recv { print(1); }\n^~~~~~~~"},
    {"proc::\"x\"::50ms { print(1); }",
     "s:1:12: proc has no period of its own; period of HIERA_PROBE_OPTIONS is that of "
     "all\nproc::\"x\"::50ms { print(1); }\n           ^~~~"},
    {"region::step::1s { print(1); }",
     "s:1:15: region has no period\nregion::step::1s { print(1); }\n              ^~"},
    {"heat { :a = &x; :b = :c; }", "s:1:22: ':c' is never set\nheat { :a = &x; :b = :c; }\n                     ^~"},
    {"heat { @l = lquantize(&x, 'a', 2, 1); }", "s:1:27: a bound of lquantize() has to be a number\nheat { @l = "
                                                "lquantize(&x, 'a', 2, 1); }\n                          ^~~"},
};

START_TEST(wrong_probes_have_a_place)
{
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        char report[HIERA_PROBE_REPORT] = "";
        HieraProbeScript *script =
            hiera_probe_script_parse("s", true, errors[i].script, strlen(errors[i].script), report);
        ck_assert_msg(strcmp(report, errors[i].expected) == 0, "%s\nexpected\n%s\nactual\n%s", errors[i].script,
                      errors[i].expected, report);
        ck_assert_ptr_null(script);
    }
}
END_TEST

START_TEST(a_host_refuses_what_it_has_not)
{
    char report[HIERA_PROBE_REPORT];
    unsigned kinds = 1u << HIERA_PROBE_CALL | 1u << HIERA_PROBE_END;
    HieraProbeScript *script = must_parse("call { print(1); } timer::1s { print(1); }");
    ck_assert(!hiera_probe_script_suits(script, "a trace", kinds, report));
    ck_assert_str_eq(report, "s:1:20: a trace has no events of timer\ncall { print(1); } timer::1s { print(1); }\n     "
                             "              ^~~~~~~~~");
    ck_assert(hiera_probe_script_suits(script, "a trace", kinds | 1u << HIERA_PROBE_TIMER, report));
    hiera_probe_script_free(script);
    script = must_parse("call { print(1); #x = 3; }");
    ck_assert(!hiera_probe_script_suits(script, "a trace", kinds, report));
    ck_assert_str_eq(
        report, "s:1:18: a trace has no variables that all ranks share; an aggregation is gathered by global_print()\n"
                "call { print(1); #x = 3; }\n                 ^~");
    ck_assert(hiera_probe_script_suits(script, "a trace", kinds | HIERA_PROBE_HAS_GLOBALS, report));
    hiera_probe_script_free(script);
    script = must_parse("call { local_lock(1); global_lock('a', 1); }");
    ck_assert(!hiera_probe_script_suits(script, "a trace", kinds, report));
    ck_assert_str_eq(report, "s:1:23: a trace has no locks between ranks\ncall { local_lock(1); global_lock('a', 1); "
                             "}\n                      ^~~~~~~~~~~~~~~~~~~");
    hiera_probe_script_free(script);
    script = must_parse("call { @n = count(); global_print(@n); }");
    ck_assert(!hiera_probe_script_suits(script, "a trace", kinds | HIERA_PROBE_HAS_GLOBALS, report));
    ck_assert_str_eq(report, "s:1:22: a trace has no global_print() before the end; put it into END { … }\n"
                             "call { @n = count(); global_print(@n); }\n                     ^~~~~~~~~~~~~~~~");
    ck_assert(hiera_probe_script_suits(script, "a trace", kinds | HIERA_PROBE_HAS_PUBLISHED, report));
    hiera_probe_script_free(script);
    script = must_parse("zzzzz { print(&n); }");
    ck_assert(!hiera_probe_script_suits(script, "a trace", kinds, report));
    ck_assert_str_eq(report,
                     "s:1:1: a trace has no probes of the program such as 'zzzzz'\nzzzzz { print(&n); }\n^~~~~");
    hiera_probe_script_free(script);
}
END_TEST

TCase *probe_kind_tests(void)
{
    TCase *tests = tcase_create("probe kinds");
    tcase_add_test(tests, probes_of_the_program_have_its_variables);
    tcase_add_test(tests, a_probe_of_the_program_is_declared_once);
    tcase_add_test(tests, a_probe_that_waits_for_another_one_is_taken);
    tcase_add_test(tests, a_name_with_wildcards_takes_each_probe_with_its_own_variables);
    tcase_add_test(tests, a_type_that_one_rank_does_not_know_is_that_of_another_one);
    tcase_add_test(tests, functions_wait_that_need_other_ranks);
    tcase_add_test(tests, descriptions_have_names_and_periods);
    tcase_add_test(tests, wrong_probes_have_a_place);
    tcase_add_test(tests, a_host_refuses_what_it_has_not);
    return tests;
}
