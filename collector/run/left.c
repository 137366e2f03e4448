/* See left.h. The program hiera-recover completes traces; it is not started if no process was killed. */
#include "left.h"

#include "command.h"
#include "folder_watch.h"
#include "memory/kept_files.h"
#include "words.h"

#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Kept memory younger than this is left alone, because its job may just be ending through its launcher. */
enum { YOUNG_S = 60 };

static HieraWords folders, useless, before; /* folders: folders with traces to complete; useless: files to remove;
                                               before: configurations before the job */
static char *run;                           /* number of this hiera-run, as text */
static time_t begin_s;

const char *hiera_left_folder(void)
{
    const char *dir = getenv("HIERA_DIR");
    return dir && *dir ? dir : ".";
}

/* --- kept memory of earlier jobs --- */

static void visit_earlier(const HieraKeptFound *found, void *data)
{
    const char *next = data;
    if (found->lives || !found->is_known || !found->is_here || time(NULL) - found->header->made_s < YOUNG_S)
        return;
    if (found->header->rank < 0 || !found->has_trace)
        hiera_words_add(&useless, hiera_words_format("%s", found->path));
    else if (strcmp(found->header->folder, next) != 0)
        hiera_words_add_once(&folders, hiera_words_format("%s", found->header->folder));
}

void hiera_left_say(void (*say)(const char *format, ...))
{
    char here[PATH_MAX];
    const char *next = realpath(hiera_left_folder(), here) ? here : "";
    hiera_kept_files_walk(NULL, visit_earlier, (void *)next);
    for (size_t i = 0; i < folders.n; i++)
        say("ranks of an earlier job were killed; hiera-transform --recover %s completes their traces", folders.at[i]);
    for (size_t i = 0; i < useless.n; i++)
        unlink(useless.at[i]);
}

/* --- traces and kept memory of this job --- */

/* List the configuration files with inode and time. Each job writes this file anew; if it cannot write into the folder
 * itself, in a folder inside it. The time alone is not enough: the clock of a file server may differ. */
static HieraWords all_collectors(void)
{
    static const char *const patterns[] = {"%s/hieraCollector.xml", "%s/*/hieraCollector.xml"};
    HieraWords all = {0};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        glob_t found;
        struct stat facts;
        if (glob(hiera_words_format(patterns[i], hiera_left_folder()), 0, NULL, &found) != 0)
            continue;
        for (size_t k = 0; k < found.gl_pathc; k++)
            if (stat(found.gl_pathv[k], &facts) == 0)
                hiera_words_add(&all, hiera_words_format("%s %llu %lld.%09ld", found.gl_pathv[k],
                                                         (unsigned long long)facts.st_ino,
                                                         (long long)facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec));
        globfree(&found);
    }
    return all;
}

HieraMade hiera_left_trace(void)
{
    HieraWords now = all_collectors();
    bool is_new = false;
    for (size_t i = 0; i < now.n && !is_new; i++) {
        is_new = true;
        for (size_t k = 0; k < before.n; k++)
            is_new = is_new && strcmp(now.at[i], before.at[k]) != 0;
    }
    return is_new ? HIERA_MADE_TRACE : hiera_folder_watch_end();
}

bool hiera_left_has_earlier(void)
{
    return before.n > 0;
}

void hiera_left_begin(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    begin_s = now.tv_sec;
    before = all_collectors();
    hiera_folder_watch_begin(hiera_left_folder());
    run = hiera_words_format("%lld.%09ld.%d", (long long)now.tv_sec, now.tv_nsec, (int)getpid());
    const char *around = getenv("HIERA_RUN"); /* set if another hiera-run has started this one (folder/same_run.h) */
    if (around && *around)
        run = hiera_words_format("%.*s/%s", (int)strcspn(around, "/"), around, run);
    setenv("HIERA_RUN", run, 1);
}

typedef struct Left {
    unsigned n, live;
} Left;

static void count(const HieraKeptFound *found, void *data)
{
    Left *left = data;
    bool is_ours = strncmp(found->header->run, run, sizeof found->header->run) == 0;
    left->n += is_ours;
    left->live += is_ours && found->lives;
}

static Left look(void)
{
    Left left = {0, 0};
    hiera_kept_files_walk(hiera_left_folder(), count, &left);
    return left;
}

/* Wait until the ranks have ended, if the command has failed: the launcher may end before the ranks. */
static Left wait_for_ends(bool is_good)
{
    enum { PATIENCE_MS = 5000, STEP_MS = 10 };
    Left left = look();
    for (int i = 0; !is_good && left.live > 0 && i < PATIENCE_MS / STEP_MS; i++) {
        nanosleep(&(struct timespec){0, STEP_MS * 1000000}, NULL);
        left = look();
    }
    return left;
}

char *hiera_left_recover_program(void)
{
    const char *folders_of_it[] = {"", HIERA_LIBEXECDIR_FROM_BINDIR "/"};
    char here[PATH_MAX] = "";
    ssize_t n = readlink("/proc/self/exe", here, sizeof here - 1);
    char *slash = n > 0 ? strrchr(here, '/') : NULL;
    if (slash)
        slash[1] = '\0';
    for (size_t i = 0; i < sizeof folders_of_it / sizeof *folders_of_it; i++) {
        char *path = hiera_words_format("%s%shiera-recover", here, folders_of_it[i]);
        if (access(path, X_OK) == 0)
            return path;
    }
    return hiera_words_format("%s/hiera-recover", HIERA_LIBEXECDIR);
}

void hiera_left_complete(int status, bool is_quiet)
{
    sigset_t none;
    Left left = wait_for_ends(status == 0);
    char *words[] = {hiera_left_recover_program(),
                     (char *)(is_quiet ? "--run-quiet" : "--run"),
                     run,
                     hiera_words_format("%lld", (long long)begin_s),
                     (char *)hiera_left_folder(),
                     NULL};
    sigemptyset(&none);
    if (run && (status != 0 || left.n > left.live))
        hiera_run_wait(hiera_run_start(words, STDERR_FILENO, &none));
}
