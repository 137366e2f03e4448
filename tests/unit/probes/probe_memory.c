/* Memory of probe scripts: all of it comes from the host and goes back there; a firing whose keys exist takes none, and
 * one that gets none loses its key. All allocations of the C library go through the malloc of this program. */
#include "harness/plain.h"
#include "probes/probes.h"
#include <limits.h>
#include <stdlib.h>

#define SHOWN __attribute__((visibility("default")))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

static long n_calls;              /* of malloc and its like */
static long n_taken, n_live;      /* blocks, and bytes, of the host */
static long n_granted = LONG_MAX; /* blocks that the host will still give */

SHOWN void *malloc(size_t size)
{
    n_calls++;
    return __libc_malloc(size);
}

SHOWN void *calloc(size_t n, size_t size)
{
    n_calls++;
    return __libc_calloc(n, size);
}

SHOWN void *realloc(void *old, size_t size)
{
    n_calls++;
    return __libc_realloc(old, size);
}

static void *grow(void *memory, size_t old_bytes, size_t bytes)
{
    EXPECT(0, old_bytes);
    EXPECT(1, memory == NULL);
    if (n_granted-- <= 0)
        return NULL;
    n_taken++;
    n_live += (long)bytes;
    return __libc_calloc(1, bytes);
}

static void release(void *memory, size_t bytes)
{
    n_live -= (long)bytes;
    free(memory);
}

static HieraValue get(HieraProbeVariableId variable, const void *data)
{
    int64_t i = *(const int64_t *)data;
    switch (variable) {
    case HIERA_PROBE_VARIABLE_CALL:
        return hiera_value_text("allreduce", 9);
    case HIERA_PROBE_VARIABLE_PATH: /* longer than what a table has room for on the stack */
        return hiera_value_text(
            "a path that is very long, a path that is very long, a path that is very long, a path that is very long, "
            "a path that is very long, a path that is very long, a path that is very long, a path that is very long, "
            "a path that is very long, a path that is very long, a path that is very long, a path that is very long, "
            "a path that is very long, a path that is very long, a path that is very long, a path that is very long, "
            "a path that is very long, a path that is very long, a path that is very long, a path that is very long",
            518);
    case HIERA_PROBE_VARIABLE_DURATION:
        return hiera_value_duration(i);
    default:
        return hiera_value_integer(i);
    }
}

static void fire(HieraProbeState *state, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; i++) {
        const HieraProbeEvent event = {.kind = HIERA_EVENT_CALL_END, .get = get, .data = &i};
        hiera_probe_fire(state, 0, &event);
    }
}

static void write_text(void *user, const char *text, size_t length)
{
    (void)user, (void)text, (void)length;
}

static void complain(void *user, const char *message)
{
    (void)user, (void)message;
}

static const char text[] =
    "call /&bytes >= 0/ { @q[&bytes, &call] = quantize(&duration); @s[&path] = sum(&bytes); :d[&bytes] = &call + '!';\n"
    "  :n += &bytes; :t = str(&bytes) + &call; &x = &path; print(:n, &x); }\n"
    "BEGIN { :n = 0; } END { print(@q); global_print(@s); }";
static const HieraProbeHost host = {.size = 1,
                                    .name = "node",
                                    .write = write_text,
                                    .complain = complain,
                                    .memory = SIZE_MAX,
                                    .grow = grow,
                                    .release = release};

static void check_firings(const HieraProbeScript *script)
{
    HieraProbeState *state = hiera_probe_state_new(script, &host), *thread;
    hiera_probe_run_begin(state, 0);
    fire(state, 0, 1000);
    thread = hiera_probe_state_new_thread(state);
    fire(thread, 0, 1000);
    long taken = n_taken;
    fire(state, 0, 1000);
    fire(thread, 0, 1000);
    EXPECT(taken, n_taken);
    hiera_probe_state_absorb(state, thread);
    hiera_probe_run_end(state, 0);
    HieraProbeTotals *totals = hiera_probe_totals_new(script, &host);
    hiera_probe_totals_add(totals, state);
    hiera_probe_totals_print(totals, &host);
    hiera_probe_totals_free(totals);
    EXPECT(0, hiera_probe_state_count_lost(state));
    EXPECT(0, hiera_probe_state_count_stopped(state));
    hiera_probe_state_free(state);
    EXPECT(0, n_live);
}

static void check_shortage(const HieraProbeScript *script)
{
    uint64_t lost = 1;
    for (long granted = 0; granted < 200 && lost > 0; granted++) {
        n_granted = granted;
        HieraProbeState *state = hiera_probe_state_new(script, &host);
        if (state) {
            hiera_probe_run_begin(state, 0);
            fire(state, 0, 100);
            lost = hiera_probe_state_count_lost(state);
            hiera_probe_run_end(state, 0);
        }
        hiera_probe_state_free(state);
        EXPECT(0, n_live);
    }
    EXPECT(0, lost);
    n_granted = LONG_MAX;
}

int main(void)
{
    char report[HIERA_PROBE_REPORT];
    HieraProbeScript *script = hiera_probe_script_parse("memory", true, text, sizeof text - 1, report);
    if (!script) {
        fprintf(stderr, "%s\n", report);
        return 1;
    }
    long before = n_calls;
    check_firings(script);
    EXPECT(before, n_calls);
    check_shortage(script);
    hiera_probe_script_free(script);
    return n_failed > 0;
}
