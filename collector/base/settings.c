/* Read Hiera's settings from environment variables, and tell the user of invalid ones. */
#include "settings.h"

#include "message.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

HieraSettings hiera_settings;

enum { BLAMED_MAX = 8 };

static struct {
    const char *variable, *value, *what;
    int length;
} blamed[BLAMED_MAX];
static size_t n_blamed;

/* Variables that begin with HIERA_ and are unknown, each with the setting that was probably meant; NULL: none. */
static struct {
    const char *variable, *nearest;
    int length;
} unknown[BLAMED_MAX];
static size_t n_unknown;

/* A row of the help text: a setting (`in` is NULL), or a name in the setting `in`, such as clock in HIERA_MORE. */
typedef struct {
    const char *in, *name, *before, *value, *help;
} Row;

static const Row rows[] = {
#define X(field, kind, variable, value, help) {NULL, variable, NULL, value, help},
    HIERA_SETTINGS(X)
#undef X
};
static const Row named_rows[] = {
#define X(field, kind, variable, name, before, value, help) {variable, name, before, value, help},
    HIERA_SETTINGS_NAMED(X)
#undef X
};
enum { N_ROWS = sizeof rows / sizeof rows[0], N_NAMED = sizeof named_rows / sizeof named_rows[0] };

/* Append a row to `text`, which has `n` bytes so far. @return  the new number of bytes */
static size_t add_row(char *text, size_t n, size_t room, const Row *row)
{
    const char *help = row->help;
    n += (size_t)snprintf(text + n, room - n, "%s%-*s %-8s ", row->in ? "  " : "", row->in ? 17 : 19, row->name,
                          row->value);
    for (; *help && n < room - 256; help++) {
        text[n++] = *help;
        if (*help == '\n')
            n += (size_t)snprintf(text + n, room - n, "%-28s ", "");
    }
    text[n++] = '\n';
    return n;
}

/* Print the help in one write, because several processes may print. @param all  also the names in HIERA_MORE etc. */
static void print_help(bool all)
{
    static const Row head = {NULL, "variable", NULL, "default", "meaning"};
    char text[16384];
    size_t n = (size_t)snprintf(text, sizeof text, "Hiera's settings (environment variables)\n");
    n = add_row(text, n, sizeof text, &head);
    for (size_t i = 0; i < N_ROWS; i++) {
        n = add_row(text, n, sizeof text, &rows[i]);
        for (size_t k = 0; k < N_NAMED && all; k++)
            if (strcmp(named_rows[k].in, rows[i].name) == 0)
                n = add_row(text, n, sizeof text, &named_rows[k]);
    }
    hiera_message_write(text, n);
}

void hiera_settings_blame(const char *variable, const char *value, size_t length, const char *what)
{
    size_t i = n_blamed++;
    if (i >= BLAMED_MAX)
        return;
    blamed[i].variable = variable;
    blamed[i].value = value;
    blamed[i].length = length < 200 ? (int)length : 200;
    blamed[i].what = what;
}

/* If *value is none of the comma-separated `words`, note that for the user and set *value to `otherwise`. */
static void check_word(const char *variable, const char **value, const char *words, const char *otherwise,
                       const char *what)
{
    if (hiera_settings_has_word(words, *value))
        return;
    hiera_settings_blame(variable, *value, strlen(*value), what);
    *value = otherwise;
}

/* MUST_BE_kind: for messages, what a value of each kind of setting must be. */
#define MUST_BE_text    "a text"
#define MUST_BE_bytes   "a number of bytes, such as 100, 256k, 4M or 1G"
#define MUST_BE_number  "a number"
#define MUST_BE_members "a number of ranks from 1 on, or node"
#define MUST_BE_time    "a time, such as 0, 500ns, 1us, 2ms or 1s"
#define MUST_BE_rate    "a number of times a second up to 10000, such as 100/s, or 0; 100/s,timer: by timers"
#define MUST_BE_flag    "0 or 1"
#define MUST_BE_search                                                                                                 \
    "0, 1 or common, and perhaps share=20%, executions=5, least=1s, most=10s (at least least), with commas"
#define MUST_BE_mode                                                                                                   \
    "trace, profile, trace,limit=BYTES (such as 1GB), or window,last=TIME,limit=BYTES (one or both, such as 60s and "  \
    "100MB)"

static uint64_t between(uint64_t value, uint64_t least, uint64_t most)
{
    if (value < least)
        return least;
    return value > most ? most : value;
}

/* Refuse HIERA_FOLD=statistics with HIERA_MODE=window, since totals cannot start in the middle of a run. */
static void check_fold(void)
{
    if (!hiera_settings.mode.is_window || strcmp(hiera_settings.fold, "statistics") != 0)
        return;
    hiera_settings_blame("HIERA_FOLD", hiera_settings.fold, strlen(hiera_settings.fold),
                         "it has no effect with HIERA_MODE=window");
    hiera_settings.fold = "none";
}

/* --- names in settings: HIERA_MORE=clock=kernel,arrays=8 --- */

/* A setting's variable and its value, or the NAME=VALUE in this value that is being read; used in messages. */
typedef struct {
    const char *variable, *value;
    size_t length;
} Given;

static void blame(const Given *given, const char *what)
{
    hiera_settings_blame(given->variable, given->value, given->length, what);
}

/* Memory for copies of the single values, each with a NUL at its end. */
static char values[4096];
static size_t n_values;

static const char *copy_value(const Given *given, size_t name)
{
    char *copy = values + n_values;
    size_t n = given->length - name;
    if (n >= sizeof values - n_values) {
        blame(given, "it is too long");
        return NULL;
    }
    memcpy(copy, given->value + name, n);
    copy[n] = '\0';
    n_values += n + 1;
    return copy;
}

/* Go to the next NAME=VALUE of a setting. @param part  the current one; length 0: go to the first */
static bool next_part(Given *part)
{
    const char *at = part->value + part->length;
    part->value = at + (*at == ',');
    part->length = strcspn(part->value, ",");
    return *part->value != '\0';
}

static bool has_name(const Given *part, const char *name)
{
    size_t n = strlen(name);
    return part->length > n && strncmp(part->value, name, n) == 0 && part->value[n] == '=';
}

/* Return the value of `name` in the setting `variable`, else that of the variable `before`; NULL: neither is given. */
static const char *find_named(const char *variable, const char *name, const char *before, Given *given)
{
    const char *text = getenv(variable), *old = getenv(before);
    *given = (Given){variable, text ? text : "", 0};
    while (next_part(given))
        if (has_name(given, name))
            return copy_value(given, strlen(name) + 1);
    *given = (Given){before, old, old ? strlen(old) : 0};
    return old;
}

static bool is_name(const Given *part)
{
    for (size_t i = 0; i < N_NAMED; i++)
        if (strcmp(named_rows[i].in, part->variable) == 0 && has_name(part, named_rows[i].name))
            return true;
    return false;
}

/* Note each NAME=VALUE whose name the setting does not have, for a message to the user. */
static void check_names(void)
{
    for (size_t i = 0; i < N_NAMED; i++) {
        Given part = {named_rows[i].in, getenv(named_rows[i].in), 0};
        bool is_first = i == 0 || strcmp(named_rows[i - 1].in, part.variable) != 0;
        while (is_first && part.value && next_part(&part))
            if (!is_name(&part))
                blame(&part, "there is no such name");
    }
}

static void note_former(void)
{
    for (size_t i = 0; i < N_NAMED; i++) {
        const char *before = named_rows[i].before, *in = named_rows[i].in, *name = named_rows[i].name;
        Given part = {in, getenv(in) ? getenv(in) : "", 0};
        while (next_part(&part) && !has_name(&part, name))
            ;
        if (getenv(before) && *part.value)
            hiera_message("%s: it has no effect beside %.*s of %s", before, (int)part.length, part.value, in);
        else if (getenv(before))
            hiera_message("%s: write %s=%s=… instead; this release still takes it", before, in, name);
    }
}

/* Return the value of HIERA_HELP whose table explains what this variable may have. */
static const char *find_help(const char *variable)
{
    for (size_t i = 0; i < N_NAMED; i++)
        if (strncmp(variable, named_rows[i].in, strlen(named_rows[i].in)) == 0 ||
            strcmp(variable, named_rows[i].before) == 0)
            return "all";
    return "1";
}

bool hiera_settings_is_former(const char *variable, size_t length)
{
    for (size_t i = 0; i < N_NAMED; i++)
        if (strlen(named_rows[i].before) == length && memcmp(named_rows[i].before, variable, length) == 0)
            return true;
    return false;
}

void hiera_settings_read(void)
{
    int saved_errno = errno;
    const char *text;
    Given given;
    const struct {
#define X(field, kind, variable, value, help) const char *field;
        HIERA_SETTINGS(X)
#undef X
#define X(field, kind, variable, name, before, value, help) const char *field;
        HIERA_SETTINGS_NAMED(X)
    } defaults = {
#undef X
#define X(field, kind, variable, value, help) value,
        HIERA_SETTINGS(X)
#undef X
#define X(field, kind, variable, name, before, value, help) value,
            HIERA_SETTINGS_NAMED(X)};
#undef X
#define X(field, kind, variable, value, help)                                                                          \
    text = getenv(variable);                                                                                           \
    if (text && !hiera_setting_parse_##kind(text, &hiera_settings.field)) {                                            \
        hiera_settings_blame(variable, text, strlen(text), "it must be " MUST_BE_##kind "; the default is used");      \
        text = NULL;                                                                                                   \
    }                                                                                                                  \
    if (!text)                                                                                                         \
        hiera_setting_parse_##kind(value, &hiera_settings.field);
    HIERA_SETTINGS(X)
#undef X
#define X(field, kind, variable, name, before, value, help)                                                            \
    text = find_named(variable, name, before, &given);                                                                 \
    if (text && !hiera_setting_parse_##kind(text, &hiera_settings.field)) {                                            \
        blame(&given, "it must be " MUST_BE_##kind "; the default is used");                                           \
        text = NULL;                                                                                                   \
    }                                                                                                                  \
    if (!text)                                                                                                         \
        hiera_setting_parse_##kind(value, &hiera_settings.field);
    HIERA_SETTINGS_NAMED(X)
#undef X
    check_names();
    if (strncmp(hiera_settings.help, "now", 3) == 0)
        print_help(strcmp(hiera_settings.help, "now-all") == 0);
    if (hiera_settings.buffer < 128u << 10)
        hiera_settings.buffer = 128u << 10;
#define X(field, variable, words)                                                                                      \
    check_word(variable, &hiera_settings.field, words, defaults.field,                                                 \
               "it must be one of " words "; the default is used");
    HIERA_SETTINGS_OF_WORDS(X)
#undef X
    check_fold();
    hiera_message_set_quiet(hiera_settings.quiet);
    hiera_settings.probe_timeout_ns = between(hiera_settings.probe_timeout_ns, 1000000, UINT64_C(3600000000000));
    if (hiera_settings.arrays > 1024)
        hiera_settings.arrays = 1024;
    errno = saved_errno;
}

void hiera_settings_note_unknown(const char *variable, size_t length, const char *nearest)
{
    size_t i = n_unknown++;
    if (i >= BLAMED_MAX)
        return;
    unknown[i].variable = variable;
    unknown[i].length = length < 200 ? (int)length : 200;
    unknown[i].nearest = nearest;
}

static void complain_of_unknown(void)
{
    for (size_t i = 0; i < n_unknown && i < BLAMED_MAX; i++)
        hiera_message("%.*s: no such setting%s%s; HIERA_HELP=1 prints what can be set", unknown[i].length,
                      unknown[i].variable, unknown[i].nearest ? "; did you mean " : "",
                      unknown[i].nearest ? unknown[i].nearest : "");
    if (n_unknown > BLAMED_MAX)
        hiera_message("%zu more variables that begin with HIERA_ are no settings", n_unknown - BLAMED_MAX);
}

void hiera_settings_complain(void)
{
    if (strcmp(hiera_settings.help, "1") == 0 || strcmp(hiera_settings.help, "all") == 0)
        print_help(hiera_settings.help[0] == 'a');
    complain_of_unknown();
    note_former();
    for (size_t i = 0; i < n_blamed && i < BLAMED_MAX; i++)
        hiera_message("%s: %.*s: %s; HIERA_HELP=%s prints what can be set", blamed[i].variable, blamed[i].length,
                      blamed[i].value, blamed[i].what, find_help(blamed[i].variable));
    if (n_blamed > BLAMED_MAX)
        hiera_message("%zu more settings or rules are not understood", n_blamed - BLAMED_MAX);
}

bool hiera_settings_has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    while (*list) {
        size_t n = strcspn(list, ",");
        if (n == length && strncmp(list, word, n) == 0)
            return true;
        list += n + (list[n] == ',');
    }
    return false;
}
