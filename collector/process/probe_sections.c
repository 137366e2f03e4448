/* hiera_probes_start() and hiera_probes_stop(): start and stop a probe script while the program runs. */
#include "probe_sections.h"
#include "base/life.h"
#include "base/lock.h"
#include "base/message.h"
#include "document/session_state.h"
#include "hiera.h"
#include "probing/main_script.h"
#include "probing/probed.h"
#include "probing/results.h"
#include "probing/user_probes.h"
#include "record/instrumented_functions.h"
#include "record/region_names.h"
#include "write/level_ops.h"

#include <errno.h>

void hiera_probe_sections_renew(void)
{
    hiera_level.watch();
    hiera_functions_load();
    for (HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        hiera_names_renew(thread);
    hiera_user_probes_renew();
}

/* Whether another thread is reporting an event, and so may still use the state of a removed watcher. */
static bool is_busy(void)
{
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        if (thread != hiera_thread && thread->probed && __atomic_load_n(&thread->probed->event, __ATOMIC_ACQUIRE))
            return true;
    return false;
}

static bool start(const char *script)
{
    bool good = !is_busy() && hiera_main_script_start(script);
    if (good)
        hiera_probe_sections_renew();
    return good;
}

int hiera_probes_start(const char *script)
{
    int saved_errno = errno;
    bool good = !hiera_life.closed && hiera_thread_current() && hiera_lock_enter();
    if (good) {
        good = start(script);
        hiera_lock_leave();
    }
    if (good)
        hiera_probed_join();
    errno = saved_errno;
    return good;
}

void hiera_probes_stop(void)
{
    int saved_errno = errno;
    hiera_results_end_alone();
    if (!hiera_life.closed && hiera_lock_enter()) {
        hiera_main_script_forget();
        hiera_probe_sections_renew();
        hiera_lock_leave();
    }
    errno = saved_errno;
}
