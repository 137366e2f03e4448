/* A script in many threads: nothing is lost, whoever prints meanwhile and whichever threads come and go. It is also
 * built with ThreadSanitizer. */
#include "harness/plain.h"
#include "probes/probes.h"
#include <pthread.h>
#include <stdlib.h>

enum { N_THREADS = 16, MORE_THREADS = 200 };

static int64_t n_firings = 100000; /* of a thread */

static const char text[] =
    "call { @n = count(); @k[&bytes % 100, &call] = sum(1); @q = quantize(&bytes); @l = min(&bytes);\n"
    "  @a = avg(&duration); :n++; :d[&bytes % 10] += 2; :s = &call; &x = :s + '!'; @s[&x] = count(); }\n"
    "region { print(@n); print(:n >= 0, :s); }\n"
    "message { print(:never); } heat { @h[&n] = sum(&n); :h = &n; } call /has(:h)/ { @after = count(); }\n"
    "call { local_lock('n', &bytes % 2); :sums[&bytes % 2] = :sums[&bytes % 2] + 1; local_unlock('n', &bytes % 2);\n"
    "  local_lock(1); :sum = :sum + 1; } BEGIN { :n = 0; :sum = 0; :sums[0] = 0; :s = ''; } END[1] { :never = 1; }\n"
    "END { print(@n); print(:n, :d[3], :sums[0], :sum); print(@h); print(@s); print(@l); print(@a); global_print(@k); "
    "global_print(@q); }";

static HieraValue get(HieraProbeVariableId variable, const void *data)
{
    int64_t i = *(const int64_t *)data;
    switch (variable) {
    case HIERA_PROBE_VARIABLE_BYTES:
        return hiera_value_integer(i);
    case HIERA_PROBE_VARIABLE_CALL:
        return i % 2 ? hiera_value_text("a longer name of a call", 23) : hiera_value_text("send", 4);
    case HIERA_PROBE_VARIABLE_DURATION:
        return hiera_value_duration(i);
    default:
        return hiera_value_missing();
    }
}

static HieraValue get_user(unsigned variable, const void *data)
{
    (void)variable;
    return hiera_value_integer(*(const int64_t *)data % 2);
}

static void fire(HieraProbeState *state, unsigned clause, HieraProbeEventKind kind, int64_t i)
{
    const HieraProbeEvent event = {.kind = kind, .get = get, .data = &i, .get_user = get_user};
    hiera_probe_fire(state, clause, &event);
}

/* Prints count, and are kept once all other threads have ended. */
static int64_t n_lines, n_complaints;
static bool keeps;
static char kept[8192];

static void write_text(void *user, const char *line, size_t length)
{
    (void)user;
    __atomic_fetch_add(&n_lines, 1, __ATOMIC_RELAXED);
    if (keeps && strlen(kept) + length < sizeof kept)
        strncat(kept, line, length);
}

static void complain(void *user, const char *message)
{
    (void)user, (void)message;
    __atomic_fetch_add(&n_complaints, 1, __ATOMIC_RELAXED);
}

static HieraProbeState *rank;
static HieraProbeScript *script;

/* All threads come to a probe of the program, and declare it. */
static void reach_probe(HieraProbeState *state)
{
    static const char *const names[] = {"n"};
    static const HieraValueType types[] = {HIERA_VALUE_INTEGER};
    char report[HIERA_PROBE_REPORT];
    fire(state, 4, HIERA_EVENT_CALL_END, 0);
    if (!hiera_probe_script_declare_user(script, "heat", 1, names, types, report))
        abort();
    if (report[0])
        fprintf(stderr, "%s\n", report);
    for (int64_t i = 0; i < n_firings / 10; i++) {
        fire(state, 3, HIERA_EVENT_USER, i);
        fire(state, 5, HIERA_EVENT_CALL_END, i);
    }
    fire(state, 4, HIERA_EVENT_CALL_END, 0);
}

static void *run_thread(void *unused)
{
    HieraProbeState *state = hiera_probe_state_new_thread(rank);
    for (int64_t i = 0; i < n_firings; i++)
        fire(state, 0, HIERA_EVENT_CALL_END, i);
    fire(state, 2, HIERA_EVENT_SEND, 0);
    reach_probe(state);
    hiera_probe_state_absorb(rank, state);
    return unused;
}

static void *run_short_thread(void *unused)
{
    HieraProbeState *state = hiera_probe_state_new_thread(rank);
    fire(state, 0, HIERA_EVENT_CALL_END, 0);
    hiera_probe_state_absorb(rank, state);
    return unused;
}

static void *create(pthread_t *thread, void *(*run)(void *))
{
    if (pthread_create(thread, NULL, run, NULL) != 0)
        abort();
    return NULL;
}

/* Many threads at once, while this one prints; then many one after the other. */
static void run_threads(void)
{
    pthread_t threads[N_THREADS], one;
    for (int i = 0; i < N_THREADS; i++)
        create(&threads[i], run_thread);
    for (int i = 0; i < 50; i++)
        fire(rank, 1, HIERA_EVENT_REGION_START, i);
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < MORE_THREADS; i++) {
        create(&one, run_short_thread);
        pthread_join(one, NULL);
    }
}

/* The END of the script, and what all threads have gathered. */
static void check_end(const HieraProbeHost *host)
{
    char expected[256];
    int64_t n = N_THREADS * n_firings + MORE_THREADS;
    HieraProbeTotals *totals = hiera_probe_totals_new(script, host);
    keeps = true;
    hiera_probe_run_end(rank, 0);
    char sum[24];
    int width = snprintf(sum, sizeof sum, "%lld", (long long)(N_THREADS * n_firings / 20));
    snprintf(expected, sizeof expected,
             "@n: count on rank 0\n  %lld\n%lld %lld %lld %lld\n@h: sum on rank 0\n  0  %*d\n  1  %s\n", (long long)n,
             (long long)n, (long long)(2 * N_THREADS * n_firings / 10), (long long)(N_THREADS * n_firings / 20),
             (long long)(N_THREADS * n_firings / 10), width, 0, sum);
    kept[strlen(expected)] = '\0';
    EXPECT_TEXT(expected, kept);
    kept[0] = '\0';
    hiera_probe_totals_add(totals, rank);
    hiera_probe_totals_print(totals, host);
    snprintf(expected, sizeof expected,
             "@k: sum\n   0  send                     %lld\n   1  a longer name of a call  %lld\n",
             (long long)(n_firings / 100 * N_THREADS + MORE_THREADS), (long long)(n_firings / 100 * N_THREADS));
    kept[strlen(expected)] = '\0';
    EXPECT_TEXT(expected, kept);
    hiera_probe_totals_free(totals);
}

int main(int n, char **arguments)
{
    char report[HIERA_PROBE_REPORT];
    const HieraProbeHost host = {.size = 1,
                                 .name = "node",
                                 .write = write_text,
                                 .complain = complain,
                                 .memory = 1 << 30,
                                 .wait_ns = INT64_C(20000000000)};
    script = hiera_probe_script_parse("threads", true, text, sizeof text - 1, report);
    if (n > 1)
        n_firings = atol(arguments[1]);
    if (!script) {
        fprintf(stderr, "%s\n", report);
        return 1;
    }
    rank = hiera_probe_state_new(script, &host);
    hiera_probe_run_begin(rank, 0);
    run_threads();
    check_end(&host);
    EXPECT(0, hiera_probe_state_count_lost(rank));
    EXPECT(1, hiera_probe_state_count_stopped(rank));
    EXPECT(1, n_complaints);
    hiera_probe_state_free(rank);
    hiera_probe_script_free(script);
    return n_failed > 0;
}
