/* What a clause costs that changes what all ranks share: in the file of the ranks of a computer, and by the network,
 * here that of this computer alone, with the rank that answers in another process.
 *
 * Usage: probe_globals. Prints "name=nanoseconds" per event; the smallest of several turns. */
#include "base/message.h"
#include "base/safe_file.h"
#include "base/settings.h"
#include "bench.h"
#include "job/job.h"
#include "probing/probed.h"
#include "probing/shared_globals.h"
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TURNS = 10, EVENTS = 20000, EVENTS_ASKED = 2000 };

HieraSettings hiera_settings = {
    .probe = "", .probe_shared = 12 << 20, .probe_timeout_ns = 1000000000, .probe_address = "127.0.0.1"};

/* --- functions of the collector that the measured code calls --- */

void hiera_message(const char *format, ...)
{
    (void)format;
}

int hiera_file_move_up(int fd)
{
    return fd;
}

void *hiera_probed_grow(void *memory, size_t old_bytes, size_t bytes)
{
    char *grown = realloc(memory, bytes);
    if (grown)
        memset(grown + old_bytes, 0, bytes - old_bytes);
    return grown;
}

void hiera_probed_release(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}

/* --- measured clauses of a probe script --- */

static HieraValue get(HieraProbeVariableId variable, const void *data)
{
    return variable == HIERA_PROBE_VARIABLE_TARGET ? hiera_value_integer(*(const int64_t *)data & 7)
                                                   : hiera_value_missing();
}

static void write_text(void *user, const char *text, size_t length)
{
    (void)user, (void)text, (void)length;
}

static void complain(void *user, const char *message)
{
    (void)user;
    fprintf(stderr, "%s\n", message);
    exit(1);
}

static double turn(HieraProbeState *state, int64_t n)
{
    int64_t begin = bench_now_ns();
    for (int64_t i = 0; i < n; i++)
        hiera_probe_fire(state, 0, &(HieraProbeEvent){.kind = HIERA_EVENT_SEND, .get = get, .data = &i});
    return (double)(bench_now_ns() - begin) / (double)n;
}

static void measure(const char *where, const char *name, const char *text, int64_t n)
{
    const HieraProbeHost host = {.size = 2,
                                 .name = "node",
                                 .write = write_text,
                                 .complain = complain,
                                 .memory = SIZE_MAX,
                                 .guards_floats = true,
                                 .globals = &hiera_shared_globals};
    char report[HIERA_PROBE_REPORT];
    HieraProbeScript *script = hiera_probe_script_parse(name, true, text, strlen(text), report);
    HieraProbeState *state = script ? hiera_probe_state_new(script, &host) : NULL;
    if (!state)
        exit(1);
    double least = turn(state, n);
    for (int i = 1; i < TURNS; i++) {
        double again = turn(state, n);
        least = again < least ? again : least;
    }
    printf("%s, %s=%.0f\n", name, where, least);
    fflush(stdout);
    hiera_probe_state_free(state);
    hiera_probe_script_free(script);
}

static void measure_all(const char *where, int64_t n)
{
    measure(where, "#n++", "message { #n++; }", n);
    measure(where, "#n[&target]++", "message { #n[&target]++; }", n);
    measure(where, "a lock and #n++", "message { global_lock(1); #n++; }", n);
}

/* Measure with the global variables in another process, which this one asks through the network. */
static void measure_network(void)
{
    HieraServerPlace place;
    int from[2];
    if (pipe(from) != 0)
        exit(1);
    pid_t server = fork();
    if (server == 0) {
        hiera_globals_in_child();
        hiera_globals_load(true);
        if (hiera_globals_be_server(1, &place) == 0 && write(from[1], &place, sizeof place) == sizeof place)
            pause();
        _exit(1);
    }
    close(from[1]);
    hiera_globals_load(true);
    if (read(from[0], &place, sizeof place) == sizeof place && hiera_globals_use_server(&place) == 0)
        measure_all("by the network", EVENTS_ASKED);
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
}

int main(void)
{
    hiera_job = (HieraJob){.size = 2, .traced = 2, .id = (uint64_t)getpid()};
    hiera_globals_load(true);
    if (hiera_globals_map() == 0 || hiera_globals_use_file() != 0)
        return 1;
    hiera_globals_settle();
    measure_all("in the file", EVENTS);
    measure_network();
    return 0;
}
