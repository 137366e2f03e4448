/* Convert the text of environment variables to values. */
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

/* Unknown variables with our prefix, each with the setting that was probably meant, or NULL. */
static struct {
    const char *variable, *nearest;
    int length;
} unknown[BLAMED_MAX];
static size_t n_unknown;

static bool parse_text(const char *text, const char **value)
{
    *value = text;
    return true;
}

static bool parse_flag(const char *text, bool *value)
{
    *value = text[0] == '1';
    return (text[0] == '0' || text[0] == '1') && text[1] == '\0';
}

static bool parse_bytes(const char *text, size_t *value)
{
    static const char suffixes[] = "kMG";
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || errno != 0)
        return false;
    int shift = 0;
    if (*end != '\0') {
        const char *suffix = strchr(suffixes, *end == 'K' ? 'k' : *end);
        if (!suffix || (end[1] != '\0' && strcmp(end + 1, "B") != 0))
            return false;
        shift = 10 * (int)(suffix - suffixes + 1);
    }
    *value = (size_t)(number << shift);
    return number <= (SIZE_MAX >> shift);
}

static bool parse_number(const char *text, size_t *value)
{
    return isdigit((unsigned char)text[0]) && text[strspn(text, "0123456789")] == '\0' && parse_bytes(text, value);
}

static bool parse_members(const char *text, size_t *value)
{
    *value = HIERA_ALL_OF_A_NODE;
    if (strcmp(text, "node") == 0 || strcmp(text, "yes") == 0)
        return true;
    return parse_number(text, value) && *value > 0 && *value <= HIERA_ALL_OF_A_NODE;
}

static bool parse_time(const char *text, uint64_t *value)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || errno != 0)
        return false;
    *value = 0;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(end, units[i].name) == 0 && number <= UINT64_MAX / units[i].ns) {
            *value = number * units[i].ns;
            return true;
        }
    return number == 0 && *end == '\0';
}

/* Parse "100/s" or "100", optionally followed by ",timer". */
static bool parse_rate(const char *text, HieraRate *value)
{
    enum { MOST = 10000, SECOND_NS = 1000000000 };
    static const char timer[] = ",timer";
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || errno != 0 || number > MOST)
        return false;
    end += strncmp(end, "/s", 2) == 0 ? 2 : 0;
    *value = (HieraRate){number > 0 ? SECOND_NS / number : 0, strcmp(end, timer) == 0, false};
    return *end == '\0' || value->by_timer;
}

/* Copy VALUE of "NAME=VALUE", up to the next comma. Returns the text after it; NULL if the name is another one or the
 * value is too long. */
static const char *take_value(const char *text, const char *name, char *to, size_t room)
{
    size_t length = strlen(name), n = strcspn(text, ",");
    if (strncmp(text, name, length) != 0 || n - length >= room)
        return NULL;
    memcpy(to, text + length, n - length);
    to[n - length] = '\0';
    return text + n;
}

/* Parse the part after "window": ",last=60s", ",limit=100MB", or both. */
static bool parse_window(const char *text, HieraMode *value)
{
    char word[32];
    value->is_window = true;
    while (*text == ',') {
        const char *next = take_value(text + 1, "last=", word, sizeof word);
        bool is_time = next != NULL;
        if (!next)
            next = take_value(text + 1, "limit=", word, sizeof word);
        if (!next || !(is_time ? parse_time(word, &value->window_ns) && value->window_ns > 0
                               : parse_bytes(word, &value->window_bytes) && value->window_bytes > 0))
            return false;
        text = next;
    }
    if (value->window_ns == 0 && value->window_bytes == 0)
        value->window_ns = UINT64_C(60000000000);
    return *text == '\0';
}

static bool parse_mode(const char *text, HieraMode *value)
{
    static const char begin[] = "trace,limit=", window[] = "window";
    *value = (HieraMode){.is_profile = strcmp(text, "profile") == 0};
    if (strncmp(text, window, sizeof window - 1) == 0)
        return parse_window(text + sizeof window - 1, value);
    if (strncmp(text, begin, sizeof begin - 1) == 0)
        return parse_bytes(text + sizeof begin - 1, &value->limit) && value->limit > 0;
    return value->is_profile || strcmp(text, "trace") == 0;
}

/* Parse "20%" or "20". */
static bool parse_percent(const char *text, unsigned *value)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    *value = (unsigned)number;
    return isdigit((unsigned char)text[0]) && number > 0 && number < 100 && strcmp(end, *end == '%' ? "%" : "") == 0;
}

/* Parse one part of a search, such as "share=20%". Returns the text after it; NULL if it is invalid. */
static const char *parse_search_part(const char *text, HieraSearch *value)
{
    char word[32];
    const char *next = take_value(text, "share=", word, sizeof word);
    if (next)
        return parse_percent(word, &value->share) ? next : NULL;
    next = take_value(text, "executions=", word, sizeof word);
    if (next) {
        size_t n;
        bool good = parse_number(word, &n) && n <= UINT32_MAX;
        value->executions = good ? (unsigned)n : 0;
        return good ? next : NULL;
    }
    next = take_value(text, "least=", word, sizeof word);
    if (next)
        return parse_time(word, &value->least_ns) ? next : NULL;
    next = take_value(text, "most=", word, sizeof word);
    return next && parse_time(word, &value->most_ns) ? next : NULL;
}

/* Parse "0", "1" or "common", followed by parts. */
static bool parse_search(const char *text, HieraSearch *value)
{
    size_t n = strcspn(text, ",");
    *value = (HieraSearch){.is_common = n == 6 && strncmp(text, "common", n) == 0, .share = 20, .executions = 5};
    value->least_ns = UINT64_C(1000000000);
    value->most_ns = UINT64_C(10000000000);
    value->is_on = value->is_common || (n == 1 && text[0] == '1');
    if (!value->is_on && !(n == 1 && text[0] == '0'))
        return false;
    for (text += n; *text == ',';)
        if (!(text = parse_search_part(text + 1, value)))
            return false;
    return value->least_ns <= value->most_ns;
}

bool hiera_settings_search(const char *text, HieraSearch *search)
{
    return parse_search(text, search);
}

bool hiera_settings_time(const char *text, uint64_t *ns)
{
    return parse_time(text, ns);
}

static void print_help(void)
{
    static const struct {
        const char *variable, *value, *help;
    } rows[] = {
#define X(field, kind, variable, value, help) {variable, value, help},
        HIERA_SETTINGS(X)
#undef X
    };
    char text[8192];
    size_t n = (size_t)snprintf(text, sizeof text, "Hiera's settings (environment variables)\n%-18s %-8s %s\n",
                                "variable", "default", "meaning");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *help = rows[i].help;
        n += (size_t)snprintf(text + n, sizeof text - n, "%-18s %-8s ", rows[i].variable, rows[i].value);
        for (; *help && n < sizeof text - 32; help++) {
            text[n++] = *help;
            if (*help == '\n')
                n += (size_t)snprintf(text + n, sizeof text - n, "%-27s ", "");
        }
        text[n++] = '\n';
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

/* Check a value that must be one of a list of words; otherwise take the default. */
static void check_word(const char *variable, const char **value, const char *words, const char *otherwise,
                       const char *what)
{
    if (hiera_settings_has_word(words, *value))
        return;
    hiera_settings_blame(variable, *value, strlen(*value), what);
    *value = otherwise;
}

/* Description of the values of each kind, for messages. */
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
    return value < least ? least : value > most ? most : value;
}

/* Refuse a combination: sums of loops cannot be continued from the middle of a run, as a window would need. */
static void check_fold(void)
{
    if (!hiera_settings.mode.is_window || strcmp(hiera_settings.fold, "statistics") != 0)
        return;
    hiera_settings_blame("HIERA_FOLD", hiera_settings.fold, strlen(hiera_settings.fold),
                         "it has no effect with HIERA_MODE=window");
    hiera_settings.fold = "none";
}

void hiera_settings_read(void)
{
    int saved_errno = errno;
    const char *text;
    const struct {
#define X(field, kind, variable, value, help) const char *field;
        HIERA_SETTINGS(X)
    } defaults = {
#undef X
#define X(field, kind, variable, value, help) value,
        HIERA_SETTINGS(X)};
#undef X
#define X(field, kind, variable, value, help)                                                                          \
    text = getenv(variable);                                                                                           \
    if (text && !parse_##kind(text, &hiera_settings.field)) {                                                          \
        hiera_settings_blame(variable, text, strlen(text), "it must be " MUST_BE_##kind "; the default is used");      \
        text = NULL;                                                                                                   \
    }                                                                                                                  \
    if (!text)                                                                                                         \
        parse_##kind(value, &hiera_settings.field);
    HIERA_SETTINGS(X)
#undef X
    if (strcmp(hiera_settings.help, "now") == 0)
        print_help();
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
    if (strcmp(hiera_settings.help, "1") == 0)
        print_help();
    complain_of_unknown();
    for (size_t i = 0; i < n_blamed && i < BLAMED_MAX; i++)
        hiera_message("%s: %.*s: %s; HIERA_HELP=1 prints what can be set", blamed[i].variable, blamed[i].length,
                      blamed[i].value, blamed[i].what);
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
