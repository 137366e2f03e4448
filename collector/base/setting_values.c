#include "setting_values.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool hiera_setting_parse_text(const char *text, const char **value)
{
    *value = text;
    return true;
}

bool hiera_setting_parse_flag(const char *text, bool *value)
{
    *value = text[0] == '1';
    return (text[0] == '0' || text[0] == '1') && text[1] == '\0';
}

bool hiera_setting_parse_bytes(const char *text, size_t *value)
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

bool hiera_setting_parse_number(const char *text, size_t *value)
{
    return isdigit((unsigned char)text[0]) && text[strspn(text, "0123456789")] == '\0' &&
           hiera_setting_parse_bytes(text, value);
}

bool hiera_setting_parse_members(const char *text, size_t *value)
{
    *value = HIERA_ALL_OF_A_NODE;
    if (strcmp(text, "node") == 0 || strcmp(text, "yes") == 0)
        return true;
    return hiera_setting_parse_number(text, value) && *value > 0 && *value <= HIERA_ALL_OF_A_NODE;
}

bool hiera_setting_parse_time(const char *text, uint64_t *value)
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

/* Parse a rate: "100/s" or "100" (times a second), perhaps followed by ",timer". */
bool hiera_setting_parse_rate(const char *text, HieraRate *value)
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

/* If `text` is "NAME=VALUE", copy VALUE up to the next comma. Returns what follows; NULL: other name, or too long. */
static const char *take_value(const char *text, const char *name, char *to, size_t room)
{
    size_t length = strlen(name), n = strcspn(text, ",");
    if (strncmp(text, name, length) != 0 || n - length >= room)
        return NULL;
    memcpy(to, text + length, n - length);
    to[n - length] = '\0';
    return text + n;
}

/* Parse what follows "window" in HIERA_MODE: ",last=60s", ",limit=100MB", or both. */
static bool parse_window(const char *text, HieraMode *value)
{
    char word[32];
    value->is_window = true;
    while (*text == ',') {
        const char *next = take_value(text + 1, "last=", word, sizeof word);
        bool is_time = next != NULL;
        if (!next)
            next = take_value(text + 1, "limit=", word, sizeof word);
        if (!next || !(is_time ? hiera_setting_parse_time(word, &value->window_ns) && value->window_ns > 0
                               : hiera_setting_parse_bytes(word, &value->window_bytes) && value->window_bytes > 0))
            return false;
        text = next;
    }
    if (value->window_ns == 0 && value->window_bytes == 0)
        value->window_ns = UINT64_C(60000000000);
    return *text == '\0';
}

bool hiera_setting_parse_mode(const char *text, HieraMode *value)
{
    static const char begin[] = "trace,limit=", window[] = "window";
    *value = (HieraMode){.is_profile = strcmp(text, "profile") == 0};
    if (strncmp(text, window, sizeof window - 1) == 0)
        return parse_window(text + sizeof window - 1, value);
    if (strncmp(text, begin, sizeof begin - 1) == 0)
        return hiera_setting_parse_bytes(text + sizeof begin - 1, &value->limit) && value->limit > 0;
    return value->is_profile || strcmp(text, "trace") == 0;
}

/* Parse "20%" or "20" as a percentage from 1 to 99. */
static bool parse_percent(const char *text, unsigned *value)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    *value = (unsigned)number;
    return isdigit((unsigned char)text[0]) && number > 0 && number < 100 && strcmp(end, *end == '%' ? "%" : "") == 0;
}

/* Parse one NAME=VALUE of HIERA_SEARCH, such as "share=20%". Returns what follows; NULL: name or value is wrong. */
static const char *parse_search_part(const char *text, HieraSearch *value)
{
    char word[32];
    const char *next = take_value(text, "share=", word, sizeof word);
    if (next)
        return parse_percent(word, &value->share) ? next : NULL;
    next = take_value(text, "executions=", word, sizeof word);
    if (next) {
        size_t n;
        bool good = hiera_setting_parse_number(word, &n) && n <= UINT32_MAX;
        value->executions = good ? (unsigned)n : 0;
        return good ? next : NULL;
    }
    next = take_value(text, "least=", word, sizeof word);
    if (next)
        return hiera_setting_parse_time(word, &value->least_ns) ? next : NULL;
    next = take_value(text, "most=", word, sizeof word);
    return next && hiera_setting_parse_time(word, &value->most_ns) ? next : NULL;
}

/* Parse HIERA_SEARCH: "0", "1" or "common", then perhaps NAME=VALUE after commas. */
bool hiera_setting_parse_search(const char *text, HieraSearch *value)
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
