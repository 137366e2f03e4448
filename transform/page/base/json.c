/* Writes JSON. Texts get no more escapes than JSON requires, because the page never makes HTML of them. */
#include "json.h"

void hiera_json_text(GString *json, const char *text)
{
    g_string_append_c(json, '"');
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            g_string_append_printf(json, "\\%c", *c);
        else if ((guchar)*c < 0x20)
            g_string_append_printf(json, "\\u%04x", *c);
        else
            g_string_append_c(json, *c);
    }
    g_string_append_c(json, '"');
}

void hiera_json_next(GString *json)
{
    char last = json->len ? json->str[json->len - 1] : '[';
    if (last != '{' && last != '[')
        g_string_append_c(json, ',');
}

void hiera_json_open(GString *json, const char *name, char bracket)
{
    hiera_json_next(json);
    g_string_append_printf(json, "\"%s\":%c", name, bracket);
}

void hiera_json_member_text(GString *json, const char *name, const char *text)
{
    hiera_json_next(json);
    g_string_append_printf(json, "\"%s\":", name);
    hiera_json_text(json, text);
}

void hiera_json_member_large(GString *json, const char *name, gint64 number)
{
    hiera_json_next(json);
    g_string_append_printf(json, "\"%s\":\"%" G_GINT64_FORMAT "\"", name, number);
}

void hiera_json_member(GString *json, const char *name, gint64 number)
{
    hiera_json_next(json);
    g_string_append_printf(json, "\"%s\":%" G_GINT64_FORMAT, name, number);
}
