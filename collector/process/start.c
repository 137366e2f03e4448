#include "start.h"

#include "base/c_library.h"
#include "base/life.h"
#include "base/settings.h"
#include "base/unknown_settings.h"
#include "base/writer_stack.h"
#include "children.h"
#include "commands.h"
#include "counters/counters.h"
#include "counters/counters_listed.h"
#include "counters/counters_printed.h"
#include "document/summary.h"
#include "exec_hooks.h"
#include "exit_hooks.h"
#include "expect/expect.h"
#include "fatal_signals.h"
#include "helper/helper.h"
#include "hiera.h"
#include "listeners.h"
#include "loops/kept_times.h"
#include "loops/search.h"
#include "loops/timed_loops.h"
#include "other_loader.h"
#include "other_mpi.h"
#include "probing/main_script.h"
#include "probing/output.h"
#include "probing/probed.h"
#include "record/instrumented_functions.h"
#include "record/region_counters.h"
#include "sampling/sampling.h"
#include "session.h"
#include "survive.h"
#include "threads.h"
#include "write/level_ops.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Make the linker take this file out of libhiera.a: references in hiera.h are weak and do not have this effect. */
__attribute__((used)) static void (*const take_regions)(void) = hiera_end;

static pthread_once_t load_once = PTHREAD_ONCE_INIT;

/* Return the folder of the run. hiera-run has made the path absolute, relative to the folder in which it was started.
 * On a host without that folder the path is used as the user gave it: relative. */
static const char *dir_of_run(const char *dir)
{
    const char *base = getenv("HIERA_RUN_DIR");
    struct stat status;
    size_t n = base ? strlen(base) : 0;
    if (n == 0 || strncmp(dir, base, n) != 0 || (dir[n] && dir[n] != '/') ||
        (stat(base, &status) == 0 && S_ISDIR(status.st_mode)))
        return dir;
    dir += n + strspn(dir + n, "/");
    return *dir ? dir : ".";
}

/* Return the absolute path of the folder for traces: the program may change its working directory later. */
static char *absolute_dir(const char *dir)
{
    char here[PATH_MAX];
    char *path = NULL;
    dir = dir_of_run(dir);
    if (dir[0] == '/' || !getcwd(here, sizeof here))
        return strdup(dir);
    if (strcmp(dir, ".") == 0)
        return strdup(here);
    return asprintf(&path, "%s/%s", here, dir) < 0 ? NULL : path;
}

static void load_counters(void)
{
    hiera_region_counters_load();
    hiera_counters_print_load();
}

/* List the counters if asked to. A program goes on in any case; only the process that hiera-run --counters starts has
 * nothing else to do. */
static bool list_counters(void)
{
    bool ends = strcmp(hiera_settings.help, "counters-end") == 0;
    if (!ends && strcmp(hiera_settings.help, "counters") != 0)
        return false;
    bool good = hiera_counters_list(hiera_settings.counters);
    if (ends)
        _exit(good ? 0 : 2);
    return true;
}

static void load(void)
{
    int saved_errno = errno;
    hiera_settings_read();
    bool is_of_other_mpi = hiera_other_mpi_leave();
    hiera_unknown_find();
    hiera_expect_load();
    hiera_expect_load_violations();
    hiera_main_script_load();
    hiera_probe_output_load();
    hiera_level.load();
    hiera_c_library_find();
    hiera_functions_load();
    hiera_clock_start(hiera_settings.clock);
    hiera_threads_load();
    hiera_exits_load();
    hiera_exec_load();
    hiera_other_loader_load();
    hiera_stack_load();
    hiera_program_memory_load();
    hiera_life.pid = getpid();
    hiera_run_summary_load();
    hiera_session.dir = absolute_dir(hiera_settings.dir);
    bool has_purpose =
        hiera_settings.enabled && !is_of_other_mpi &&
        (hiera_settings.trace || hiera_expect_any() || hiera_expect_has_source() || hiera_watchers_any() ||
         hiera_settings.probe_wait || hiera_settings.plugin[0] || hiera_settings.counters_print[0]);
    if (!has_purpose || !hiera_session.dir) {
        hiera_life.closed = true;
        hiera_idle = 1;
    }
    if (!hiera_life.closed)
        hiera_level.open_doors();
    if (has_purpose)
        hiera_timed_load();
    hiera_children_load();
    hiera_life.loaded = true;
    if (has_purpose)
        hiera_plugins_load();
    if (!list_counters() && has_purpose)
        load_counters();
    hiera_search_prepare();
    hiera_sampling_load();
    hiera_search_load();
    errno = saved_errno;
}

void hiera_start_load(void)
{
    pthread_once(&load_once, load);
}

__attribute__((constructor(101))) static void on_load(void)
{
    hiera_start_load();
}

/* Make the state of a thread at its first event. The library may not be loaded yet: constructors may run first. */
HieraThread *hiera_thread_attach(void)
{
    int saved_errno = errno;
    hiera_start_load();
    if (!hiera_life.closed)
        hiera_survive_begin();
    HieraThread *thread = hiera_life.closed ? NULL : hiera_threads_begin();
    errno = saved_errno;
    return thread;
}

int hiera_start_join(const HieraJob *job, void (*together)(void))
{
    if (hiera_life.closed)
        return 0;
    int error = hiera_session_join(job);
    hiera_survive_join();
    if (together)
        together();
    hiera_probed_join();
    hiera_main_script_publish();
    hiera_counters_join();
    hiera_commands_begin();
    hiera_kept_times_go_on();
    if (hiera_settings.signals)
        hiera_signals_arm();
    return error;
}
