#include "read_limits.h"
#include <string.h>

HieraLimits hiera_limits = {
#define X(field, name, value, help) value,
    HIERA_LIMITS(X)
#undef X
};

static gboolean parse_number(const char *text, guint64 *value)
{
    static const char suffixes[] = "kMG";
    gsize digits = strspn(text, "0123456789");
    const char *suffix = text[digits] ? strchr(suffixes, text[digits]) : NULL;
    if (digits == 0 || (text[digits] && (!suffix || text[digits + 1])))
        return FALSE;
    guint shift = suffix ? 10 * (guint)(suffix - suffixes + 1) : 0;
    guint64 number;
    g_autofree char *plain = g_strndup(text, digits);
    if (!g_ascii_string_to_unsigned(plain, 10, 1, G_MAXINT64 >> shift, &number, NULL))
        return FALSE;
    *value = number << shift;
    return TRUE;
}

static gboolean parse_one(const char *text, HieraLimits *limits)
{
    const char *equal = strchr(text, '=');
    gsize length = equal ? (gsize)(equal - text) : 0;
#define X(field, name, number, help)                                                                                   \
    if (length == strlen(name) && memcmp(text, name, length) == 0)                                                     \
        return parse_number(equal + 1, &limits->field);
    HIERA_LIMITS(X)
#undef X
    return FALSE;
}

gboolean hiera_limits_parse(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);
    HieraLimits limits = hiera_limits;
    for (guint i = 0; parts[i]; i++) {
        if (!parse_one(parts[i], &limits))
            return FALSE;
    }
    hiera_limits = limits;
    return parts[0] != NULL;
}
