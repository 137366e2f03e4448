/* Probe scripts: what is printed of a few events, worked by hand, and what is said of wrong scripts. */
#include "printed.h"
#include <stdio.h>

/* Two ranks; on each: a step from 1 ms to 9 ms, in it a send of 1000 bytes to the other rank (2 ms to 3 ms), a send of
 * 24 bytes (4 ms to 4.5 ms), and a receive (5 ms to 8 ms). Rank 1 is as rank 0, with twice as many bytes. */
typedef struct {
    HieraProbeEventKind kind;
    const char *name;
    int64_t time_us, begin_us, bytes;
} Happening;

static const Happening happenings[] = {
    {HIERA_EVENT_REGION_START, "step", 1000, 1000, -1},  {HIERA_EVENT_CALL_BEGIN, "send", 2000, 2000, 1000},
    {HIERA_EVENT_CALL_END, "send", 3000, 2000, 1000},    {HIERA_EVENT_SEND, "send", 3000, 2000, 1000},
    {HIERA_EVENT_CALL_BEGIN, "isend", 4000, 4000, 24},   {HIERA_EVENT_CALL_END, "isend", 4500, 4000, 24},
    {HIERA_EVENT_SEND, "isend", 4500, 4000, 24},         {HIERA_EVENT_CALL_BEGIN, "receive", 5000, 5000, -1},
    {HIERA_EVENT_CALL_END, "receive", 8000, 5000, 1000}, {HIERA_EVENT_RECEIVE, "receive", 8000, 5000, 1000},
    {HIERA_EVENT_REGION_STOP, "step", 9000, 1000, -1},
};

typedef struct {
    const Happening *what;
    int64_t rank;
} Seen;

static HieraValue duration(int64_t us)
{
    return hiera_value_duration(us * 1000);
}

static HieraValue text(const char *text)
{
    return hiera_value_text(text, strlen(text));
}

static HieraValue get(HieraProbeVariableId variable, const void *data)
{
    const Seen *seen = data;
    bool ended = seen->what->kind == HIERA_EVENT_CALL_END || seen->what->kind == HIERA_EVENT_REGION_STOP;
    switch (variable) {
    case HIERA_PROBE_VARIABLE_NAME:
    case HIERA_PROBE_VARIABLE_CALL:
        return text(seen->what->name);
    case HIERA_PROBE_VARIABLE_STACK:
        return text("a.c:1");
    case HIERA_PROBE_VARIABLE_RANK:
        return hiera_value_integer(seen->rank);
    case HIERA_PROBE_VARIABLE_TARGET:
        return hiera_value_integer(1 - seen->rank);
    case HIERA_PROBE_VARIABLE_TIME:
        return duration(seen->what->time_us);
    case HIERA_PROBE_VARIABLE_START:
        return duration(seen->what->begin_us);
    case HIERA_PROBE_VARIABLE_DURATION:
        return ended ? duration(seen->what->time_us - seen->what->begin_us) : hiera_value_missing();
    case HIERA_PROBE_VARIABLE_BYTES:
        return seen->what->bytes < 0 ? hiera_value_missing()
                                     : hiera_value_integer(seen->what->bytes * (seen->rank + 1));
    default:
        return hiera_value_missing();
    }
}

static HieraProbeState *run_rank(const HieraProbeScript *script, int64_t rank, size_t memory)
{
    const HieraProbeHost host = {rank, 2,    "node", write_text, complain, NULL, memory,
                                 NULL, NULL, false,  NULL,       0,        NULL, NULL};
    HieraProbeState *state = hiera_probe_state_new(script, &host);
    ck_assert_ptr_nonnull(state);
    hiera_probe_run_begin(state, 0);
    for (size_t i = 0; i < sizeof happenings / sizeof happenings[0]; i++) {
        const Seen seen = {&happenings[i], rank};
        const HieraProbeEvent event = {.kind = seen.what->kind, .get = get, .data = &seen};
        for (unsigned k = 0; k < hiera_probe_script_count(script); k++) {
            if (hiera_probe_clause_takes(script, k, event.kind, rank) &&
                hiera_probe_clause_fits(script, k, seen.what->name))
                hiera_probe_fire(state, k, &event);
        }
    }
    hiera_probe_run_end(state, 10000000);
    return state;
}

/* What a rank has saved, behind what others have. */
static char saved[65536];
static size_t n_saved;

static void take_saved(void *user, const char *bytes, size_t length)
{
    (void)user;
    ck_assert_uint_lt(n_saved + length, sizeof saved);
    memcpy(saved + n_saved, bytes, length);
    n_saved += length;
}

/* What is loaded prints what the ranks themselves have. */
static void expect_loaded(const HieraProbeScript *script, const HieraProbeHost *host, const char *expected)
{
    HieraProbeTotals *totals = hiera_probe_totals_new(script, host);
    printed[0] = '\0';
    ck_assert_msg(hiera_probe_totals_load(totals, saved, n_saved), "%s", saved);
    hiera_probe_totals_print(totals, host);
    hiera_probe_totals_free(totals);
    ck_assert_str_eq(printed, expected);
}

static void expect_printed(const char *script, const char *expected)
{
    static char printed_at_end[sizeof printed];
    HieraProbeScript *parsed = must_parse(script);
    const HieraProbeHost host = {.write = write_text};
    HieraProbeTotals *totals = hiera_probe_totals_new(parsed, &host);
    printed[0] = '\0';
    n_saved = 0;
    for (int64_t rank = 0; rank < 2; rank++) {
        HieraProbeState *state = run_rank(parsed, rank, 1 << 20);
        ck_assert(hiera_probe_totals_add(totals, state));
        ck_assert(hiera_probe_state_save(state, take_saved, NULL));
        hiera_probe_state_free(state);
    }
    size_t before = strlen(printed);
    hiera_probe_totals_print(totals, &host);
    hiera_probe_totals_free(totals);
    strcpy(printed_at_end, printed);
    expect_loaded(parsed, &host, printed_at_end + before);
    hiera_probe_script_free(parsed);
    strcpy(printed, printed_at_end);
    ck_assert_msg(strcmp(printed, expected) == 0, "%s\nexpected\n%s\nactual\n%s", script, expected, printed);
}

static const struct {
    const char *script, *expected;
} scripts[] = {
    /* prints, descriptions, ranks */
    {"BEGIN[1] { print(\"hello\", rank(), size(), host()); }", "hello 1 2 node\n"},
    {"END[0] { print(timestamp()) }", "10 ms\n"},
    {"call[0]::[end]:: { print(&name, &duration, &bytes); }", "send 1 ms 1000\nisend 500 us 24\nreceive 3 ms 1000\n"},
    {"call[0]::[begin]:: { print(&name, &time); }", "send 2 ms\nisend 4 ms\nreceive 5 ms\n"},
    {"call[0]::*send:: /&time > 4ms/ { print(&name, str(&time) + '!'); }", "isend 4.5 ms!\n"},
    {"call[0]::MPI_Isend::[begin] { print(&name); }", "isend\n"},
    {"call[0]::p2p::[begin]{ print(&name); }", "send\nisend\nreceive\n"},
    {"region[1]::[stop]::\"st*\":: { print(&name, &duration); }", "step 8 ms\n"},
    {"message[]::[]:: /&rank == 1/ { print(&call, &bytes) }", "send 2000\nisend 48\nreceive 2000\n"},
    {"message[0]::[receive]:: { print(&call, &bytes) }", "receive 1000\n"},
    {"/* all of them */ message[0] { /* a \"comment\" */ print(&call) }", "send\nisend\nreceive\n"},
    {"call[0]::recv::[end] /&duration / 2 > 1ms/ { print(&duration / 2) }", "1.5 ms\n"},
    {"call[0,1]::recv::[end] { print(rank() == 0 ? \"a\" : \"b\"); }", "a\nb\n"},
    /* variables: of one event, of a rank, dictionaries */
    {"call[0]::[end] { &twice = &bytes * 2; print(&twice); }", "2000\n48\n2000\n"},
    {"BEGIN { :n = 0; } call::[begin] { :n++; } END[0] { print(:n); }", "3\n"},
    {"BEGIN { :n = 0; } call::[end] { :n += &bytes / 8; } END[0] { print(:n); }", "253\n"},
    {"BEGIN { :s = \"\" } call[0]::[begin] { :s += &name + ' '; } END[0] { print(:s); }", "send isend receive \n"},
    {"region::[start] { :t = timestamp(); } region[0]::[stop] { print(timestamp() - :t); }", "8 ms\n"},
    {"call::[end] { :d[&name, 1] += &bytes; } END[0] { print(:d['send', 1], :d['receive', 1.0], :d['x', 1]); }",
     "1000 1000 0\n"},
    {"END[0] { print(:t[1] + \"x\") } call[1] { :t[1] = 'a'; }", "x\n"},
    {"call[0]::[begin] { &x = &tag; print(has(&x)) }", "false\nfalse\nfalse\n"},
    {"BEGIN[0] { print(str(0.1 + 0.2), str(1e20), str(2.5e-3), dbl(\"1.5\") * 2, dbl(\"-2\"), dbl(\"x\"), 7 % 4); }",
     "0.3 1e+20 0.0025 3 -2 missing 3\n"},
    {"BEGIN[0] { print(round(2.5), ceil(0.1), floor(-0.1), abs(-2), sqrt(16), pow(2, 10), log(exp(1)), sqrt(-1)); }",
     "3 1 -1 2 4 1024 1 missing\n"},
    {"BEGIN[0] { print(5 band 3, 1 shl 4, true xor true, \"end\" in \"sender\", 0s, 1.5us, -3ms, 100s); }",
     "1 16 false true 0 s 1.5 us -3 ms 100 s\n"},
    {"BEGIN[0] { print(bnot 5, 6 bor 1, 6 bxor 2, 256 shr 4, 1 < 2 ? 'less' : 'more', false ? 1 : 2.5, int(2.9), "
     "int(-2.9) band 6); }",
     "-6 7 4 16 less 2.5 2 6\n"},
    {"BEGIN[0] { :b = 6; :b = :b band 3; :b *= 5; :b %= 7; :b -= 1; :b++; :b--; print(:b, -:b, 2 * (3 + 4), 7.5 % 2); "
     "}",
     "2 -2 14 1.5\n"},
    {"call[0]::[end] /&bytes > 100 && !(&name == 'receive') || &name =~ '^is'/ { print(&name, &name in 'send "
     "receive'); }",
     "send true\nisend false\n"},
    {"call[0]::[begin] { print(stack()); }", "a.c:1\na.c:1\na.c:1\n"},
    {"BEGIN[0] { print(locality_rank(), nl(), locality_name(), str(1.5) + str(2) + str(true) + str(1ms), dbl('1e3') + "
     "1); }",
     "0 2 node 1.52true1 ms 1001\n"},
    {"BEGIN[0] { :d[1, 'a', 1.5, 2ms, true] = 'deep'; print(:d[1, 'a', 1.5, 2ms, true]); }", "deep\n"},
    {"BEGIN[0-1, 3] { print(&rank); } END[1 0] { print(&rank); }", "0\n0\n1\n1\n"},
    {"BEGIN { local_lock('x', 1); :n = 1; local_unlock('x', 1); } END[0] { print(:n); }", "1\n"},
    /* aggregations */
    {"call::[end] { @n = count(); } END { print(@n); global_print(@n); }",
     "@n: count on rank 0\n  3\n@n: count on rank 1\n  3\n@n: count\n  6\n"},
    {"message::[send] { @big[&call, &target] = sum(&bytes); } END { global_print(@big); }",
     "@big: sum\n  isend  0    48\n  isend  1    24\n  send   0  2000\n  send   1  1000\n"},
    {"message::[send] { @a[\"x\"] = avg(&bytes); @l = min(&bytes); @h = max(&bytes); }\n"
     "END { global_print(@a); global_print(@l); global_print(@h); global_print(@a, 1); }",
     "@a: avg\n  x  768\n@l: min\n  24\n@h: max\n  2000\n@a: avg of ranks 1\n  x  1024\n"},
    {"call::[end] { @t = avg(&duration); } END { global_print(@t); }", "@t: avg\n  1.5 ms\n"},
    {"call::[end] { @t[&name] = sum(&duration / 1ms); } END[0] { print(@t); }",
     "@t: sum on rank 0\n  isend    0.5\n  receive    3\n  send       1\n"},
    {"message::[send] { @q[&call] = quantize(&bytes); } END { global_print(@q); }",
     "@q: quantize\n  isend\n    16  1  ██████████████████████████████\n    32  1  ██████████████████████████████\n"
     "  send\n     512  1  ██████████████████████████████\n    1024  1  ██████████████████████████████\n"},
    {"message { @q = lquantize(&bytes, 0, 100, 20); } END { global_print(@q); }",
     "@q: lquantize\n     20  1  ████████\n     40  1  ████████\n     60  0\n     80  0\n    100  4  "
     "██████████████████████████████\n"},
    {"call::recv { @q = quantize(&duration); } END[0] { print(@q); }",
     "@q: quantize on rank 0\n    2.09715 ms  1  ██████████████████████████████\n"},
    {"call::wait { @n = count(); } END[0] { print(@n); }", "@n: count on rank 0: nothing\n"},
    {"call::[begin] { @d = max(&tag); } END[0] { print(@d); }", "@d: max on rank 0: nothing\n"},
    {"call { @n[&rank > 0, 1.0, 2.5] = count(); } END { global_print(@n); }",
     "@n: count\n  false  1  2.5  6\n  true   1  2.5  6\n"},
    /* END of ranks that do not ask */
    {"call { @n = count(); } END[1] { global_print(@n); }", "@n: count\n  12\n"},
    {"message::[send] { @b = sum(&bytes); } END { global_print(@b, 1, 0); global_print(@b, 0); }",
     "@b: sum of ranks 1, 0\n  3072\n@b: sum of ranks 0\n  1024\n"},
    {"message { @l = lquantize(&bytes / 1, -0.5, 100.0, 50.25); } END { global_print(@l); }",
     "@l: lquantize\n     -0.5  2  ███████████████\n    49.75  0\n      100  4  ██████████████████████████████\n"},
    {"call::[end] { @l = lquantize(&duration, 0s, 2ms, 500us); } END { global_print(@l); }",
     "@l: lquantize\n    500 us  2  ██████████████████████████████\n      1 ms  2  ██████████████████████████████\n    "
     "1.5 ms  0\n"
     "      2 ms  2  ██████████████████████████████\n"},
    /* a variable without a value: said once, and the others go on */
    {"call[0]::[begin] { print(:later); }\ncall[0]::[begin]::send { :other = 1; }\nregion[0]::[stop] { :later = 2; "
     "print(3); }",
     "! s:1:20: on rank 0 ':later' has no value yet; from now on this clause does nothing there\n"
     "call[0]::[begin] { print(:later); }\n                   ^~~~~~~~~~~~~\n3\n"},
    {"region[0]::[start] /:later > 0/ { print(1) } region[0]::[stop] { :later = 1 }", ""},
    {"BEGIN[0] { print(has(:x)); } END[1] { :x = 1; print(has(:x)) }", "false\ntrue\n"},
};

START_TEST(scripts_print_what_was_worked_by_hand)
{
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++)
        expect_printed(scripts[i].script, scripts[i].expected);
}
END_TEST

static const struct {
    const char *script, *expected;
} errors[] = {
    {"", "s:1:1: the script has no clause\n\n^"},
    {"  /* only this */ ", "s:1:1: the script has no clause\n  /* only this */ \n^"},
    {"call { print(1); } /* no end", "s:1:20: the comment that begins here has no end: */ is missing\ncall { print(1); "
                                     "} /* no end\n                   ^~"},
    /* descriptions */
    {"cal { print(1); }", "s:1:1: there is no probe 'cal'; did you mean 'call'? One of the program stands in quotes "
                          "then\ncal { print(1); }\n^~~"},
    {"{ print(1); }",
     "s:1:1: a clause begins with call, region, message, BEGIN, END or another probe\n{ print(1); }\n^"},
    {"call::[start]:: { print(1); }",
     "s:1:8: call has the events begin and end\ncall::[start]:: { print(1); }\n       ^~~~~"},
    {"call::[begin]::send::[end] { print(1); }",
     "s:1:22: the description has a list of events already; write one list, as in [begin, "
     "end]\ncall::[begin]::send::[end] { print(1); }\n                     ^~~~~"},
    {"call::MPI_Sned:: { print(1); }", "s:1:7: there is no MPI function 'MPI_Sned'; did you mean "
                                       "'send'?\ncall::MPI_Sned:: { print(1); }\n      ^~~~~~~~"},
    {"call[0-]:: { print(1); }", "s:1:6: this is no list of ranks, as in [0-3, 8]\ncall[0-]:: { print(1); }\n     ^~"},
    {"call[0:: { print(1); }",
     "s:1:5: the list that begins here has no end: ] is missing\ncall[0:: { print(1); }\n    ^"},
    {"BEGIN::x:: { print(1); }", "s:1:6: BEGIN has no events and no name\nBEGIN::x:: { print(1); }\n     ^~"},
    {"message::x:: { print(1); }",
     "s:1:10: messages have no name; compare &call in the predicate\nmessage::x:: { print(1); }\n         ^"},
    {"region::a::b:: { print(1); }", "s:1:12: the description has a name already; one with :: in it stands in "
                                     "quotes\nregion::a::b:: { print(1); }\n           ^"},
    {"call", "s:1:5: the actions are missing here: { … }\ncall\n    ^"},
    {"call { }", "s:1:1: this clause has no action\ncall { }\n^~~~"},
    {"call { print(1);", "s:1:6: the actions that begin here have no end: } is missing\ncall { print(1);\n     ^"},
    /* predicates */
    {"call /&bytes > 1 { print(1); }",
     "s:1:6: the predicate that begins here has no end: / before { is missing\ncall /&bytes > 1 { print(1); }\n     ^"},
    {"call // { print(1); }", "s:1:6: the predicate is empty\ncall // { print(1); }\n     ^~"},
    {"call /&byts > 1/ { print(1); }",
     "s:1:7: '&byts' is never set; did you mean '&bytes'?\ncall /&byts > 1/ { print(1); }\n      ^~~~~"},
    {"call /bytes > 1/ { print(1); }",
     "s:1:7: unknown name 'bytes'; did you mean '&bytes'?\ncall /bytes > 1/ { print(1); }\n      ^~~~~"},
    {"call /&bytes/ { print(1); }", "s:1:7: the expression has to be a truth, but '&bytes' is an integer: compare it, "
                                    "as in &bytes != 0\ncall /&bytes/ { print(1); }\n      ^~~~~~"},
    {"BEGIN /&bytes > 1/ { print(1); }",
     "s:1:8: events of BEGIN have no '&bytes'\nBEGIN /&bytes > 1/ { print(1); }\n       ^~~~~~"},
    {"call::[begin] /&duration > 5ms/ { print(1); }", "s:1:16: '&duration' is known only at the end\ncall::[begin] "
                                                      "/&duration > 5ms/ { print(1); }\n               ^~~~~~~~~"},
    {"region::[start, suspend] { print(&finish); }",
     "s:1:34: '&finish' is known only at the end\nregion::[start, suspend] { print(&finish); }\n                       "
     "          ^~~~~~~"},
    {"call /&duration > 5/ { print(1); }",
     "s:1:7: '&duration' is a duration and '5' is an integer: the integer needs a unit, as in 5ms\ncall /&duration > "
     "5/ { print(1); }\n      ^~~~~~~~~~~~~"},
    /* actions */
    {"call { prnt(1); }", "s:1:8: there is no action 'prnt'; did you mean 'print'?\ncall { prnt(1); }\n       ^~~~"},
    {"call { print(1) print(2); }",
     "s:1:17: ; is missing before this\ncall { print(1) print(2); }\n                ^~~~~~~~"},
    {"call {\n  print(1;\n}", "s:2:8: the parenthesis that begins here has no end: ) is missing\n  print(1;\n       ^"},
    {"call { print(); }", "s:1:8: print() prints nothing; what shall it print?\ncall { print(); }\n       ^~~~~~~"},
    {"call { print(1,); }", "s:1:16: a value is missing here\ncall { print(1,); }\n               ^"},
    {"call { :x = ; }", "s:1:11: a value is missing behind this\ncall { :x = ; }\n          ^"},
    {"call { :x 3; }", "s:1:11: = is missing here\ncall { :x 3; }\n          ^"},
    {"call { print 1; }", "s:1:13: ( is missing here\ncall { print 1; }\n            ^"},
    {"call { = 3; }",
     "s:1:8: an action sets a variable (:name = …), aggregates (@name[…] = …) or prints\ncall { = 3; }\n       ^"},
    {"call { : = 3; }", "s:1:8: a name has to follow :\ncall { : = 3; }\n       ^"},
    {"call { :x[] = 3; }", "s:1:10: a key is missing\ncall { :x[] = 3; }\n         ^~"},
    {"call { :x[1,2,3,4,5,6,7,8,9] = 3; }",
     "s:1:10: there are more than 8 keys\ncall { :x[1,2,3,4,5,6,7,8,9] = 3; }\n         ^~~~~~~~~~~~~~~~~~~"},
    {"call { print(1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7); }",
     "s:1:14: there are more than 16 arguments\ncall { print(1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7); }\n             "
     "^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"},
    {"call { @n = count(); print(@n, 1); }", "s:1:32: print(@name) takes no further arguments\ncall { @n = count(); "
                                             "print(@n, 1); }\n                               ^"},
    {"call { local_lock(); }", "s:1:8: local_lock() needs a key that names the lock, as in local_lock(1)\ncall { "
                               "local_lock(); }\n       ^~~~~~~~~~~~"},
    {"call { global_unlock(1,2,3,4,5,6,7,8,9); }",
     "s:1:8: there are more than 8 keys\ncall { global_unlock(1,2,3,4,5,6,7,8,9); }\n       "
     "^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"},
    {"call { global_lok(1); }",
     "s:1:8: there is no action 'global_lok'; did you mean 'global_lock'?\ncall { global_lok(1); }\n       ^~~~~~~~~~"},
    {"call { print(#all); }", "s:1:14: '#all' is never set\ncall { print(#all); }\n             ^~~~"},
    {"# a comment\ncall { print(1); }", "s:1:1: a comment stands between /* and */\n# a comment\n^"},
    {"region::\"\" { print(1); }",
     "s:1:9: a name or a list of events in [ ] is missing here\nregion::\"\" { print(1); }\n        ^"},
    {"call { x = 3; }", "s:1:8: there is no action 'x'; a variable begins with &, : or #, an aggregation with @\ncall "
                        "{ x = 3; }\n       ^"},
    {"call { :x[1 = 3; }",
     "s:1:10: the bracket that begins here has no end: ] is missing\ncall { :x[1 = 3; }\n         ^"},
    {"call { &name = 3; }",
     "s:1:8: '&name' is what the event says; it cannot be set\ncall { &name = 3; }\n       ^~~~~"},
    {"call { &x[1] = 3; }",
     "s:1:8: a variable of one event has no keys; a dictionary begins with :\ncall { &x[1] = 3; }\n       ^~"},
    /* types */
    {"call { :x = 3; }\nregion { :x = \"a\"; }", "s:2:10: ':x' is set to a text here and to an integer in line 1, :x = "
                                                 "3\nregion { :x = \"a\"; }\n         ^~~~~~~~"},
    {"call { :x = :x; }", "s:1:13: ':x' is set only from itself, so it has no type\ncall { :x = :x; }\n            ^~"},
    {"call { :x += \"a\"; }\nregion { :x = 1; }", "s:2:10: ':x' is set to an integer here and to a text in line 1, :x "
                                                  "+= \"a\"\nregion { :x = 1; }\n         ^~~~~~"},
    {"call { :x = 1; :x -= \"a\"; }", "s:1:16: ':x' is set to a text here and to an integer in line 1, :x = 1\ncall { "
                                      ":x = 1; :x -= \"a\"; }\n               ^~~~~~~~~"},
    {"call { :x = \"b\"; :x -= \"a\"; }",
     "s:1:18: ':x' is a text and '(\"a\")' is a text: '-' needs two numbers or two durations\ncall { :x = \"b\"; :x -= "
     "\"a\"; }\n                 ^~~~~~~~~"},
    {"call { :x[1] = 1; print(:x); }",
     "s:1:25: ':x' is a dictionary with 1 key\ncall { :x[1] = 1; print(:x); }\n                        ^~"},
    {"call { :x = 1; print(:x[1]); }",
     "s:1:22: ':x' is no dictionary\ncall { :x = 1; print(:x[1]); }\n                     ^~"},
    {"call { print(:x); }", "s:1:14: ':x' is never set\ncall { print(:x); }\n             ^~"},
    /* aggregations */
    {"call { @x = cuont(); }",
     "s:1:13: there is no aggregation 'cuont'; did you mean 'count'?\ncall { @x = cuont(); }\n            ^~~~~"},
    {"call { @x = &bytes; }", "s:1:13: an aggregation is count(), sum(x), avg(x), min(x), max(x), quantize(x) or "
                              "lquantize(x, lower, upper, step)\ncall { @x = &bytes; }\n            ^"},
    {"call { @x += sum(1); }",
     "s:1:11: an aggregation is written @name[…] = function(…)\ncall { @x += sum(1); }\n          ^~"},
    {"call { @x = sum(); }", "s:1:8: this has to be sum(x)\ncall { @x = sum(); }\n       ^~~~~~~~~~"},
    {"call { @x = count(1); }", "s:1:19: this has to be count()\ncall { @x = count(1); }\n                  ^"},
    {"call { @x = sum(&name); }",
     "s:1:17: this is a text; sum() takes a number or a duration\ncall { @x = sum(&name); }\n                ^~~~~"},
    {"call { @x = sum(1);\n@x = count(); }",
     "s:2:1: '@x' has another function in line 1, @x = sum(1)\n@x = count(); }\n^~~~~~~~~~~~"},
    {"call { @x[1] = count();\n@x = count(); }",
     "s:2:1: '@x' has another number of keys in line 1, @x[1] = count()\n@x = count(); }\n^~~~~~~~~~~~"},
    {"call { @x = lquantize(1, 0, 10, 1);\n@x = lquantize(1, 0, 10, 2); }",
     "s:2:1: '@x' has other bounds in @x = lquantize(1, 0, 10, 1)\n@x = lquantize(1, 0, 10, 2); "
     "}\n^~~~~~~~~~~~~~~~~~~~~~~~~~~"},
    {"call { @x = lquantize(1, 0, 10, 0); }", "s:1:33: the step has to be more than 0\ncall { @x = lquantize(1, 0, 10, "
                                              "0); }\n                                ^"},
    {"call { @x = lquantize(1, 9, 1, 1); }", "s:1:29: the upper bound has to be above the lower one\ncall { @x = "
                                             "lquantize(1, 9, 1, 1); }\n                            ^"},
    {"call { @x = lquantize(1, 0, 2000, 1); }", "s:1:8: lquantize() may have at most 1000 bins\ncall { @x = "
                                                "lquantize(1, 0, 2000, 1); }\n       ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~"},
    {"END { print(@y); } call { @x = count(); }", "s:1:13: nothing is aggregated into '@y'; did you mean '@x'?\nEND { "
                                                  "print(@y); } call { @x = count(); }\n            ^~"},
    {"END { print(@y[1]); }",
     "s:1:13: an aggregation is printed as a whole, as in print(@name)\nEND { print(@y[1]); }\n            ^~~~~"},
    {"call { @x = count(); print(1 + @x); }", "s:1:32: an aggregation has no value; print(@name) shows it\ncall { @x = "
                                              "count(); print(1 + @x); }\n                               ^~"},
    {"END { global_print(1); }", "s:1:20: global_print() prints an aggregation, as in global_print(@name)\nEND { "
                                 "global_print(1); }\n                   ^"},
    {"call { @x = count(); } END { global_print(@x, a); }",
     "s:1:47: this is no list of ranks, as in [0-3, 8]\ncall { @x = count(); } END { global_print(@x, a); }\n          "
     "                                    ^"},
};

static void count_part(void *user, const char *text, size_t length)
{
    size_t *n_parts = user;
    n_parts[0] += text[length - 1] == '\n';
    n_parts[1] += length;
}

/* Ranks write to the same terminal. */
/* What is saved and loaded, too. Of a head as much is printed as has room. */
START_TEST(names_can_be_long)
{
    char name[400], script[2048], expected[1024];
    snprintf(name, sizeof name, "@%0*d", 300, 0);
    snprintf(script, sizeof script, "call[0]::[end] { %s = sum(1.5); } END { global_print(%s); }", name, name);
    snprintf(expected, sizeof expected, "%.255s\n  4.5\n", name);
    expect_printed(script, expected);
}
END_TEST

START_TEST(a_table_is_one_part)
{
    size_t n[2] = {0, 0};
    const HieraProbeHost host = {.write = count_part, .user = n, .memory = 1 << 20};
    HieraProbeScript *script = must_parse("call::[end] { @n[&name] = count(); } message { @q[&call] = "
                                          "quantize(&bytes); } END { print(@n); global_print(@q); }");
    HieraProbeTotals *totals = hiera_probe_totals_new(script, &host);
    HieraProbeState *state = run_rank(script, 0, 1 << 20);
    ck_assert(hiera_probe_totals_add(totals, state));
    hiera_probe_totals_print(totals, &host);
    ck_assert_uint_eq(n[0], 1);
    ck_assert_uint_gt(n[1], 100);
    hiera_probe_totals_free(totals);
    hiera_probe_state_free(state);
    hiera_probe_script_free(script);
}
END_TEST

START_TEST(wrong_scripts_have_a_place)
{
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        const char *script = errors[i].script;
        char report[HIERA_PROBE_REPORT] = "no error";
        HieraProbeScript *parsed = hiera_probe_script_parse("s", true, script, strlen(script), report);
        ck_assert_msg(strcmp(report, errors[i].expected) == 0, "%s\nexpected\n%s\nactual\n%s", script,
                      errors[i].expected, report);
        ck_assert_ptr_null(parsed);
    }
}
END_TEST

START_TEST(what_does_not_fit_is_counted)
{
    HieraProbeScript *script = must_parse("call { :d[&name + str(&time)] = &name; @n[&time] = quantize(&time); }");
    HieraProbeState *state = run_rank(script, 0, 1500);
    ck_assert_uint_gt(hiera_probe_state_count_lost(state), 0);
    ck_assert_uint_lt(hiera_probe_state_count_lost(state), 12);
    hiera_probe_state_free(state);
    state = run_rank(script, 0, 1 << 20);
    ck_assert_uint_eq(hiera_probe_state_count_lost(state), 0);
    hiera_probe_state_free(state);
    hiera_probe_script_free(script);
}
END_TEST

START_TEST(a_script_says_what_it_asks_for)
{
    HieraProbeScript *script = must_parse("message /&id != ''/ { &t = &bytes; print(&t); }");
    ck_assert(hiera_probe_script_asks(script, HIERA_PROBE_VARIABLE_MESSAGE_ID));
    ck_assert(hiera_probe_script_asks(script, HIERA_PROBE_VARIABLE_BYTES));
    ck_assert(!hiera_probe_script_asks(script, HIERA_PROBE_VARIABLE_PATH));
    ck_assert(!hiera_probe_script_asks(script, HIERA_PROBE_VARIABLE_STACK));
    hiera_probe_script_free(script);
    script = must_parse("call { print('at ' + stack()); }");
    ck_assert(hiera_probe_script_asks(script, HIERA_PROBE_VARIABLE_STACK));
    hiera_probe_script_free(script);
}
END_TEST

TCase *probe_script_tests(void)
{
    TCase *tests = tcase_create("probe scripts");
    tcase_add_test(tests, scripts_print_what_was_worked_by_hand);
    tcase_add_test(tests, names_can_be_long);
    tcase_add_test(tests, a_table_is_one_part);
    tcase_add_test(tests, wrong_scripts_have_a_place);
    tcase_add_test(tests, what_does_not_fit_is_counted);
    tcase_add_test(tests, a_script_says_what_it_asks_for);
    return tests;
}