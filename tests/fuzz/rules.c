/* Fuzz driver: the text of HIERA_FILTER → rules, and their decisions about a few operations. */
#include <stdlib.h>
#include <string.h>

/* The collector reads its rules once and never frees them. Here their memory is kept until the next input. */
static void *kept[4];
static size_t n_kept;

static void *keep(void *memory)
{
    if (n_kept < sizeof kept / sizeof kept[0])
        kept[n_kept++] = memory;
    return memory;
}

#define calloc(n, size) keep(calloc(n, size))
#define strdup(text)    keep(strdup(text))
#include "../../collector/write/filter_rules.c"
#undef calloc
#undef strdup

#include "fuzz.h"

HieraSettings hiera_settings;

void hiera_settings_blame(const char *variable, const char *value, size_t length, const char *what)
{
    static char copy[256];
    (void)variable, (void)what;
    memcpy(copy, value, length < sizeof copy ? length : sizeof copy);
}

static bool is_known(const char *word, size_t length)
{
    return length > 1 && word[0] != 'x';
}

static bool is_named(const HieraSubject *subject, const char *word, size_t length, bool group)
{
    (void)subject;
    return group ? length > 3 : length == 4 && memcmp(word, "send", 4) == 0;
}

static void ask(HieraSubject subject)
{
    uint8_t *met = calloc(hiera_rules_count() + 1, 1);
    for (size_t i = 0; i < hiera_rules_count(); i++)
        met[i] = hiera_rules_name(i, &subject);
    HieraFilterVerdict verdict = hiera_rules_foresee(met);
    bool hidden = hiera_rules_hide(&subject);
    subject.met = met;
    /* A decision made in advance must agree with the decision about the complete operation. */
    if (hiera_rules_hide(&subject) != hidden || (verdict == HIERA_FILTER_HIDE && !hidden) ||
        (verdict == HIERA_FILTER_KEEP && hidden))
        abort();
    free(met);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    hiera_settings.filter = text;
    n_rules = 0;
    concern_regions = false;
    hiera_rules_load(is_known);
    hiera_rules_concern_regions();
    ask((HieraSubject){.is_named = is_named, .level = "mpi", .comm = "MPI_COMM_WORLD", .bytes = 100, .time_ns = 1000});
    ask((HieraSubject){.is_named = is_named, .level = "app", .file = "a/b.c", .rank = 3, .bytes = -1, .open = true});
    ask((HieraSubject){.is_named = is_named,
                       .level = "oops",
                       .comm = "P0_comm1",
                       .comm_name = "rows",
                       .rank = -1,
                       .bytes = INT64_MAX,
                       .time_ns = INT64_MAX});
    for (const char *at = text; *at && at < text + 64; at++)
        hiera_rules_match(at, strcspn(at, ",/"), "a/b/aab.c");
    while (n_kept > 0)
        free(kept[--n_kept]);
    free(text);
    return 0;
}
