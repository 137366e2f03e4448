/* What a clause of a probe script costs when an event comes: each kind of work alone, in a loop, without a trace.
 *
 * Usage: probe_firings. Prints "name=nanoseconds" per event; the smallest of several turns. */
#include "bench.h"
#include "probes/probes.h"
#include <string.h>

enum { N = 200000, TURNS = 15 };

typedef struct {
    int64_t bytes, target;
} Call;

static HieraValue get(HieraProbeVariableId variable, const void *data)
{
    const Call *call = data;
    switch (variable) {
    case HIERA_PROBE_VARIABLE_BYTES:
        return hiera_value_integer(call->bytes);
    case HIERA_PROBE_VARIABLE_TARGET:
        return hiera_value_integer(call->target);
    case HIERA_PROBE_VARIABLE_CALL:
        return call->bytes % 2 ? hiera_value_text("isend", 5) : hiera_value_text("allreduce", 9);
    default:
        return hiera_value_missing();
    }
}

static void write_text(void *user, const char *text, size_t length)
{
    (void)user, (void)text, (void)length;
}

static void complain(void *user, const char *message)
{
    (void)user;
    fprintf(stderr, "%s\n", message);
}

static double turn(HieraProbeState *state)
{
    int64_t begin = bench_now_ns();
    for (int64_t i = 0; i < N; i++) {
        const Call call = {i & 1023, i & 7};
        const HieraProbeEvent event = {.kind = HIERA_EVENT_SEND, .get = get, .data = &call};
        hiera_probe_fire(state, 0, &event);
    }
    return (double)(bench_now_ns() - begin) / N;
}

static void measure(const char *name, const char *text)
{
    const HieraProbeHost host = {.size = 1,
                                 .name = "node",
                                 .write = write_text,
                                 .complain = complain,
                                 .memory = SIZE_MAX,
                                 .guards_floats = true};
    char report[HIERA_PROBE_REPORT];
    HieraProbeScript *script = hiera_probe_script_parse(name, true, text, strlen(text), report);
    if (!script) {
        fprintf(stderr, "%s\n", report);
        exit(1);
    }
    HieraProbeState *state = hiera_probe_state_new(script, &host);
    hiera_probe_run_begin(state, 0);
    double least = turn(state);
    for (int i = 0; i < TURNS; i++) {
        double again = turn(state);
        least = again < least ? again : least;
    }
    printf("%s=%.1f\n", name, least);
    hiera_probe_state_free(state);
    hiera_probe_script_free(script);
}

int main(void)
{
    measure("predicate", "message /&bytes > 1MB/ { @n = count(); }");
    measure("predicate of two variables", "message /&bytes < 2000 and &target > 7/ { @n = count(); }");
    measure("predicate of a text", "message /&call == 'send'/ { @n = count(); }");
    measure("count", "message { @n = count(); }");
    measure("sum by a text", "message { @n[&call] = sum(&bytes); }");
    measure("sum by a text and a number", "message { @n[&call, &target] = sum(&bytes); }");
    measure("sum by a text and 1024 numbers", "message { @n[&call, &bytes] = sum(&bytes); }");
    measure("quantize by a text", "message { @n[&call] = quantize(&bytes); }");
    measure("local variable ++", "message { :n++; } BEGIN { :n = 0; }");
    measure("local dictionary", "message { :n[&call] += &bytes; }");
    return 0;
}
