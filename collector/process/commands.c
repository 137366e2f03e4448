/* See commands.h. A command is a line NAME=VALUE; its name and value are written as those of a setting. */
#include "commands.h"

#include "attach/attach.h"
#include "base/life.h"
#include "base/lock.h"
#include "base/message.h"
#include "base/settings.h"
#include "document/session_state.h"
#include "hiera.h"
#include "job/job.h"
#include "loops/search.h"
#include "memory/signal_safe_memory.h"
#include "probe_sections.h"
#include "sampling/sampling.h"

#include <stdio.h>
#include <string.h>

static int problem; /* errno that explains why hiera-run cannot attach to this process */
static bool is_paused;

/* --- the commands: each returns NULL, or a text that says what is wrong --- */

static const char *set_sample(const char *value)
{
    if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
        return "it must be 0 or 1; HIERA_SAMPLE sets how often, when the job begins";
    return hiera_sampling_switch(value[0] == '1');
}

static const char *set_search(const char *value)
{
    HieraSearch wanted;
    if (!hiera_setting_parse_search(value, &wanted))
        return "it must be 0 or 1, and perhaps share=20%, executions=5, least=1s, most=10s, with commas";
    return hiera_search_switch(&wanted);
}

/* Change the recorded levels, but not whether `mpi` is one: calls of ranks that differ in this could not be matched. */
static const char *set_levels(const char *value)
{
    const char *before = hiera_settings.levels;
    value = strcmp(value, "all") == 0 ? "" : value;
    bool had_mpi = !before[0] || hiera_settings_has_word(before, "mpi"),
         has_mpi = !value[0] || hiera_settings_has_word(value, "mpi");
    if (had_mpi != has_mpi)
        return had_mpi ? "mpi must be among them, as it was when the job began"
                       : "mpi cannot be among them, as it was not when the job began";
    if (!hiera_lock_enter())
        return "the process ends";
    char *levels = hiera_memory_copy(value);
    if (levels) {
        hiera_settings.levels = levels; /* the old text is not freed: other threads may still be reading it */
        hiera_probe_sections_renew();
    }
    hiera_lock_leave();
    return levels ? NULL : "there is no memory";
}

static const char *set_record(const char *value)
{
    if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
        return "it must be 0 or 1";
    bool pauses = value[0] == '0';
    if (pauses && !is_paused)
        hiera_pause();
    else if (!pauses && is_paused)
        hiera_resume();
    is_paused = pauses;
    return NULL;
}

static const struct {
    const char *name;
    const char *(*set)(const char *value);
} commands[] = {{"sample", set_sample}, {"search", set_search}, {"levels", set_levels}, {"record", set_record}};

/* --- lines of a message from hiera-run --- */

static const char *obey_line(const char *line)
{
    size_t n = strcspn(line, "=");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (line[n] == '=' && strlen(commands[i].name) == n && strncmp(line, commands[i].name, n) == 0)
            return commands[i].set(line + n + 1);
    return "there is no such command; there are sample, search, levels and record";
}

static void obey(char *lines, char *reply, size_t room)
{
    char *rest, timed[256];
    size_t n = (size_t)snprintf(reply, room, "rank=%d\n", hiera_job.rank);
    for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const char *reason = hiera_life.closed ? "the trace is closed" : obey_line(line);
        if (reason) {
            snprintf(reply + n, room - n, "wrong=%.200s: %s\n", line, reason);
            return;
        }
    }
    hiera_search_show(timed, sizeof timed);
    snprintf(reply + n, room - n, "record=%d sample=%d search=%d levels=%.2000s%s%s\n", !is_paused,
             hiera_sampling_runs(), hiera_settings.search.is_on,
             hiera_settings.levels[0] ? hiera_settings.levels : "all", timed[0] ? "; it times the loops of " : "",
             timed);
}

void hiera_commands_begin(void)
{
    if (hiera_settings.attach && hiera_session.dir)
        problem = hiera_attach_begin(hiera_session.dir, obey);
}

void hiera_commands_complain(void)
{
    if (problem != 0)
        hiera_message("HIERA_ATTACH: hiera-run --attach will not work: %s", hiera_message_of(problem));
}
