/* See assert.h. The ranks write their results of rules into a folder that only this run uses. */
#include "assert.h"

#include "command.h"
#include "expect/rules_file.h"
#include "probing/shared/stale_files.h"
#include "words.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *rules;     /* file of rules, as the user has named it; NULL: only assertions in the program's source */
static char *baseline;  /* run to which the rules compare this one; NULL: none */
static char *transform; /* path of hiera-transform */
static char *folder;    /* folder for the ranks' results of this run; made here, and removed at the end of the run */
static char *given;     /* folder into which the results are moved for the user; NULL: they are removed */

static char *absolute(const char *path)
{
    char *there = realpath(path, NULL);
    if (!there)
        hiera_run_fail("%s: %s", path, strerror(errno));
    return there;
}

/* Let hiera-transform check that the values exist that rules get from measures after the job. */
static void check_by_transform(void)
{
    char assert_[] = "--assert", measure[] = "--measure", list[] = "list", compare[] = "--baseline";
    char *words[] = {transform, measure, list, assert_, rules, baseline ? compare : NULL, baseline, NULL};
    sigset_t none;
    sigemptyset(&none);
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC),
        status = hiera_run_wait(hiera_run_start(words, nothing, &none));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        exit(2);
    close(nothing);
}

static bool is_untraced(void)
{
    const char *trace = getenv("HIERA_TRACE");
    return trace && strcmp(trace, "0") == 0;
}

/* Read the rules, to report mistakes once: otherwise each rank would report them. */
static void check_rules(const char *path)
{
    char report[HIERA_RULES_REPORT];
    HieraRules *read = hiera_rules_file_read(path, getenv("HIERA_VALUES"), report);
    if (!read)
        hiera_run_fail_lines(report);
    unsigned n_outside;
    hiera_rules_peek_outside(read, &n_outside);
    if (n_outside > 0)
        check_by_transform();
    if (n_outside > 0 && is_untraced())
        fprintf(
            stderr,
            "hiera-run: HIERA_TRACE=0: rules that ask for values of measures or for a kept run will not be decided, "
            "because they need a trace\n");
    hiera_rules_free(read);
}

/* Read the values for assertions in the source, when there is no file of rules, to report mistakes once. */
static void check_values(void)
{
    char report[HIERA_RULES_REPORT];
    HieraRuleValues *values;
    if (!hiera_rule_values_file_read(getenv("HIERA_VALUES"), &values, report))
        hiera_run_fail_lines(report);
    hiera_rule_values_free(values);
}

static void make_parents(const char *path)
{
    char *copy = hiera_words_format("%s", path);
    for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(copy, 0777);
        *slash = '/';
    }
    mkdir(copy, 0777);
}

/* Make a new folder inside the user's folder, or inside that of the traces, which all hosts see: it has no reports of
 * other runs. */
static void make_folder(void)
{
    const char *kept = getenv("HIERA_ASSERT_DIR"), *dir = getenv("HIERA_DIR");
    bool is_kept = kept && *kept;
    dir = is_kept ? kept : dir && *dir ? dir : ".";
    make_parents(dir);
    given = is_kept ? absolute(dir) : NULL;
    folder = hiera_words_format("%s/hiera-assert-XXXXXX", absolute(dir));
    if (!mkdtemp(folder))
        hiera_run_fail("%s: %s", folder, strerror(errno));
}

void hiera_assert_check(char *path, char *kept)
{
    rules = path;
    baseline = kept;
    transform = hiera_transform_find("rules and assertions need");
    if (rules)
        check_rules(rules);
    else
        check_values();
}

void hiera_assert_prepare(void)
{
    const char *values = getenv("HIERA_VALUES");
    make_folder();
    if (rules)
        setenv("HIERA_ASSERT", absolute(rules), 1);
    setenv("HIERA_ASSERT_DIR", folder, 1);
    if (values && *values)
        setenv("HIERA_VALUES", absolute(values), 1);
}

/* --- results of rules, at the end of the run --- */

static bool is_report(const char *name)
{
    const char *end = strrchr(name, '.');
    return hiera_words_begins(name, "assertions") && end && strcmp(end, ".tsv") == 0;
}

/* Call `visit` for each file in the folder `in`. */
static void walk(const char *in, void (*visit)(const char *name, const char *path))
{
    DIR *dir = opendir(in);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (entry->d_name[0] != '.' || strlen(entry->d_name) > 2)
            visit(entry->d_name, hiera_words_format("%s/%s", in, entry->d_name));
    if (dir)
        closedir(dir);
}

static void remove_earlier(const char *name, const char *path)
{
    if (is_report(name))
        unlink(path);
}

static void keep_or_remove(const char *name, const char *path)
{
    if (!given || !is_report(name) || rename(path, hiera_words_format("%s/%s", given, name)) != 0)
        unlink(path);
}

/* Move this run's results into the user's folder, where they replace those of an earlier run, or remove them. */
static void remove_folder(void)
{
    if (given)
        walk(given, remove_earlier);
    walk(folder, keep_or_remove);
    rmdir(folder);
}

/* Print the results of the rules; return the exit status that follows from them. The program's output is left as it is,
 * so the table goes to standard error. If there is no table, the reports are kept. */
static int judge(void)
{
    char assert_[] = "--assert", reports[] = "--reports", compare[] = "--baseline";
    char *words[] = {transform, reports, folder, rules ? assert_ : NULL, rules, baseline ? compare : NULL,
                     baseline,  NULL};
    int status = hiera_transform_run(words);
    if (WIFEXITED(status) && WEXITSTATUS(status) <= 1) {
        remove_folder();
        return WEXITSTATUS(status);
    }
    if (rmdir(folder) == 0) /* rmdir() succeeds only if the folder is empty */
        fprintf(stderr, "hiera-run: no rank has reported anything, so nobody knows whether the rules hold\n");
    else if (errno == ENOENT)
        fprintf(stderr, "hiera-run: %s was removed meanwhile: nobody knows what the ranks have reported of the rules\n",
                folder);
    else
        fprintf(stderr, "hiera-run: nobody knows whether the rules hold; what the ranks have reported is in %s\n",
                folder);
    return 1;
}

int hiera_assert_judge(int status)
{
    int judged = judge();
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? W_EXITCODE(judged, 0) : status;
}
