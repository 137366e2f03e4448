#include "main_script.h"

#include "base/clock.h"
#include "base/message.h"
#include "base/settings.h"
#include "helper/helper.h"
#include "job/job.h"
#include "output.h"
#include "probed.h"
#include "script_file.h"
#include "shared_globals.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static HieraWatcher *watcher;
static HieraProbeScript *waiting; /* script of HIERA_PROBE, until hiera_probes_start() starts it */
static const HieraProbeScript
    *shared; /* script of HIERA_PROBE, if the script uses variables, locks or results that ranks share */
static bool is_common, publishes;
static char report[HIERA_PROBE_REPORT];
static int publisher; /* task of the helper thread that publishes this rank's results to other ranks; 0: none */

/* Print text of the script. The program's thread must not be cancelled meanwhile. */
static void write_text(void *user, const char *text, size_t length)
{
    int cancel;
    (void)user;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    hiera_probe_output_write(hiera_probed_rank(), text, length);
    pthread_setcancelstate(cancel, NULL);
}

static void complain(void *user, const char *message)
{
    int cancel;
    (void)user;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    hiera_message_lines("", message);
    pthread_setcancelstate(cancel, NULL);
}

static bool add(HieraProbeScript *script)
{
    HieraProbeHost host = {.write = write_text,
                           .complain = complain,
                           .user = script,
                           .memory = hiera_settings.probe_memory,
                           .globals = &hiera_shared_globals,
                           .wait_ns = (int64_t)hiera_settings.probe_timeout_ns,
                           .publish = hiera_globals_publish,
                           .gather = hiera_globals_gather};
    watcher = hiera_watcher_add(script, &host);
    if (watcher)
        return true;
    hiera_probe_script_free(script);
    snprintf(report, sizeof report, "scripts in a running program can have %d clauses", HIERA_MOST_CLAUSES);
    return false;
}

/* Whether a script uses a feature of the bit set `what`, shared by ranks. `wrong` becomes a text that says where. */
static bool shares(const HieraProbeScript *script, const char *who, unsigned what, char wrong[HIERA_PROBE_REPORT])
{
    return !hiera_probe_script_suits(script, who, ~what, wrong);
}

/* Read the argument of hiera_probes_start(). Other ranks may have another one, so it must not use shared features. */
static HieraProbeScript *read_given(const char *text, char wrong[HIERA_PROBE_REPORT])
{
    HieraProbeScript *script = hiera_probe_file_read("hiera_probes_start()", text, wrong);
    if (!script ||
        !shares(script, "a script that the program gives", HIERA_PROBE_HAS_GLOBALS | HIERA_PROBE_HAS_PUBLISHED, wrong))
        return script;
    hiera_probe_script_free(script);
    return NULL;
}

void hiera_main_script_load(void)
{
    if (!hiera_settings.enabled || !hiera_settings.probe[0])
        return;
    char wrong[HIERA_PROBE_REPORT];
    HieraProbeScript *script = hiera_probe_file_read("--probe", hiera_settings.probe, report);
    if (!script)
        return;
    publishes = shares(script, "it", HIERA_PROBE_HAS_PUBLISHED, wrong);
    if (publishes || shares(script, "it", HIERA_PROBE_HAS_GLOBALS, wrong))
        shared = script;
    if (shared)
        hiera_globals_load(true);
    if (hiera_settings.probe_wait)
        waiting = script;
    else
        is_common = add(script);
}

void hiera_main_script_complain(void)
{
    if (hiera_settings.enabled && hiera_settings.probe[0] && report[0])
        hiera_message_lines("HIERA_PROBE: ", report);
    char lacking[HIERA_PROBE_REPORT];
    const HieraProbeScript *script = watcher ? watcher->script : waiting;
    if (script && hiera_probe_script_lacks_ranks(script, hiera_job.size, lacking))
        hiera_message_lines("HIERA_PROBE: ", lacking);
}

bool hiera_main_script_start(const char *text)
{
    char wrong[HIERA_PROBE_REPORT] = "";
    if (watcher) {
        hiera_message("hiera_probes_start(): there is a probe script already; end it with hiera_probes_stop()");
        return false;
    }
    if (!text && !waiting)
        return false; /* HIERA_PROBE is not set, so the program runs without a script */
    HieraProbeScript *script = text ? read_given(text, wrong) : waiting;
    waiting = text ? waiting : NULL;
    bool good = script && add(script);
    bool is_named =
        wrong[0] && strchr(text, '{'); /* a script, no file name: the error message names its source already */
    if (!good)
        hiera_message_lines(is_named ? "" : "hiera_probes_start(): ", wrong[0] ? wrong : report);
    return good;
}

void hiera_main_script_forget(void)
{
    if (watcher)
        hiera_watcher_remove(watcher);
    watcher = NULL;
}

HieraWatcher *hiera_main_script(void)
{
    return watcher;
}

bool hiera_main_script_is_common(void)
{
    return is_common;
}

/* --- publishing intermediate results of a script to other ranks --- */

/* Publish this rank's results so far. The waits between two calls make this at most a twentieth of the time. */
static void publish(void *data)
{
    static uint64_t next_ns;
    uint64_t begin_ns = hiera_clock_monotonic_ns();
    (void)data;
    if (!watcher || watcher->script != shared ||
        __atomic_load_n(&watcher->life, __ATOMIC_ACQUIRE) != HIERA_WATCHER_BEGUN || begin_ns < next_ns)
        return;
    hiera_probe_state_publish(watcher->rank);
    uint64_t end_ns = hiera_clock_monotonic_ns();
    next_ns = end_ns + 20 * (end_ns - begin_ns);
}

void hiera_main_script_publish(void)
{
    if (publishes && publisher == 0)
        publisher = hiera_helper_every(hiera_settings.probe_period_ns, publish, NULL);
}

/* --- end of the script --- */

HieraProbeState *hiera_main_script_end(void)
{
    hiera_helper_cancel(publisher);
    HieraProbeState *rank = watcher ? hiera_probed_end(watcher) : NULL;
    if (!rank || watcher->script != shared)
        return rank;
    if (publishes)
        hiera_probe_state_publish(rank);
    hiera_globals_report(shared);
    return rank;
}
