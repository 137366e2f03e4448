#include "rules_report.h"

#include "base/message.h"
#include "base/safe_file.h"
#include "base/settings.h"
#include "callback_records.h"
#include "expect/expect.h"
#include "expect/kept_file.h"
#include "expect/report_file.h"
#include "job/job.h"
#include "record/pause.h"
#include "session_state.h"

#include <limits.h>
#include <stdio.h>

static char path[PATH_MAX];
static int error;

static const char *folder(void)
{
    return hiera_settings.assert_dir[0] ? hiera_settings.assert_dir : hiera_session.dir;
}

/* Make the path of the report. A folder with traces belongs to one job (folder/claim.h); any other folder may hold
 * reports of several jobs, so the name gets the job's id. */
static bool make_path(void)
{
    char job[32] = "";
    if (hiera_settings.assert_dir[0] || !hiera_settings.trace)
        snprintf(job, sizeof job, "-%llx", (unsigned long long)hiera_job.id);
    int n = snprintf(path, sizeof path, "%s/assertions%d%s.tsv", folder(), hiera_job.rank, job);
    return n > 0 && n < (int)sizeof path;
}

void hiera_rules_report_begin(void)
{
    hiera_kept_file_set_folder(folder());
}

/* Whether operations are missing in the numbers for rules: they were lost, or made while recording was off. */
static bool has_lost(void)
{
    uint64_t lost = hiera_session.lost_inside + hiera_session.lost_in_callbacks + hiera_session.lost_open +
                    hiera_session.lost_unwritten + __atomic_load_n(&hiera_session.lost_threads, __ATOMIC_RELAXED);
    for (const HieraThread *thread = hiera_session.threads; thread; thread = thread->next_thread)
        lost += thread->lost_inside + hiera_callbacks_lost(thread) + thread->lost_open + thread->lost_unwritten;
    for (unsigned i = 0; i < hiera_pause_count(); i++)
        lost += hiera_pause_get(i).calls;
    return lost > 0;
}

static int64_t wall_ns(void)
{
    uint64_t end = hiera_session.finalize_ticks;
    if (end == 0)
        end = hiera_session.end.cause ? hiera_session.end.ticks : hiera_clock_ticks();
    return (int64_t)(hiera_clock_ns(end) - hiera_clock_ns(hiera_job.init_ticks));
}

void hiera_rules_report(void)
{
    const HieraMeteredRank rank = {.wall_ns = wall_ns(), .lost = has_lost(), .asked = true};
    const HieraOutcome *outcomes[HIERA_N_RULES_FROM];
    HieraJudged judged[HIERA_N_RULES_FROM] = {{NULL, NULL, NULL}};
    /* A process that has neither called MPI_Init nor recorded anything belongs to no job: a shell, or a launcher. */
    if (hiera_job.init_ticks == 0 && !hiera_expect_has_seen(hiera_session.threads))
        return;
    hiera_expect_finish(hiera_session.threads, &rank, hiera_session.end.cause != NULL, outcomes);
    for (unsigned i = 0; i < HIERA_N_RULES_FROM; i++) {
        if (outcomes[i])
            judged[i] = (HieraJudged){hiera_expect_rules((HieraRulesFrom)i), outcomes[i],
                                      i == HIERA_RULES_FILE ? &hiera_kept_file_taken : NULL};
    }
    if ((!outcomes[HIERA_RULES_FILE] && !outcomes[HIERA_RULES_SOURCE]) || !make_path())
        return;
    hiera_file_make_dir(folder());
    const HieraJudgedRun run = {hiera_job.id, hiera_settings.trace ? hiera_session.dir : ""};
    error = hiera_report_write(path, &judged[HIERA_RULES_FILE], &judged[HIERA_RULES_SOURCE], &run);
}

void hiera_rules_report_complain(void)
{
    if (error != 0)
        hiera_message("HIERA_ASSERT: nobody will know what became of the rules on rank %d: %s: %s", hiera_job.rank,
                      path, hiera_message_of(error));
}
