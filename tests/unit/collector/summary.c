/* A trace of 1 GB is announced once, on the first rank with Hiera, with the settings that would shorten it. */
#include "document/summary.h"

#include "base/message.h"
#include "base/settings.h"
#include "document/session_state.h"
#include "harness/plain.h"
#include "job/job.h"
#include "profile/fold.h"

#include <stdarg.h>
#include <stdio.h>

#define LIMIT   UINT64_C(1000000000)
#define OTHERS  "HIERA_MODE=profile, HIERA_FILTER and hiera_pause() would shorten it (docs/settings.md)"
#define REACHED "the trace of rank 0 has reached 1 GB, and grows; "

/* What summary.c needs of the rest. */
HieraSession hiera_session;
HieraSettings hiera_settings;
HieraJob hiera_job;
static char said[1000];
static int n_said;

void hiera_message(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(said, sizeof said, format, values);
    va_end(values);
    n_said++;
}

uint64_t hiera_profile_operations(void)
{
    return 0;
}

int main(int argc, char **argv)
{
    HieraTraceFile file = {.safe = LIMIT - 1};
    const bool is_compact = argc > 1 && strcmp(argv[1], "compact") == 0;
    file.dictionary = is_compact ? (struct HieraDictionary *)said : NULL; /* that there is one counts */
    file.is_packed = is_compact;
    hiera_run_summary_load();
    hiera_run_summary_say_long(&file);
    expect_number(__LINE__, "messages below the limit", 0, n_said);
    file.safe = LIMIT;
    hiera_job = (HieraJob){.rank = 1, .first = 0, .size = 2, .traced = 2};
    hiera_run_summary_say_long(&file);
    expect_number(__LINE__, "messages of another rank than the first", 0, n_said);
    hiera_job.rank = 0;
    hiera_run_summary_say_long(&file);
    expect_number(__LINE__, "messages at the limit", 1, n_said);
    expect_text(__LINE__, "message",
                is_compact ? REACHED OTHERS : REACHED "HIERA_COMPRESS=zstd, HIERA_FORMAT=compact, " OTHERS, said);
    file.safe *= 2;
    hiera_run_summary_say_long(&file);
    HieraTraceFile of_thread = {.safe = LIMIT};
    hiera_run_summary_say_long(&of_thread);
    expect_number(__LINE__, "messages in all", 1, n_said);
    return n_failed > 0;
}
