#include "safe_text.h"
#include "hiera_measure.h"
#include <string.h>

/* Return TRUE for characters that can make a text look like another one: control characters, which a terminal
 * executes, and the Unicode characters for writing direction, zero width and line ends. */
static gboolean deceives(gunichar character)
{
    switch (g_unichar_type(character)) {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
    case G_UNICODE_SURROGATE:
        return TRUE;
    default:
        break;
    }
    /* Invisible letters and marks: combining grapheme joiner, Hangul fillers, Khmer inherent vowels. */
    static const gunichar unseen[] = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0};
    for (guint i = 0; i < G_N_ELEMENTS(unseen); i++) {
        if (character == unseen[i])
            return TRUE;
    }
    return FALSE;
}

/* Return TRUE if a text is printable ASCII without the characters of `without`: most texts, which need no change. */
static gboolean is_plain(const char *text, const char *without)
{
    for (const char *at = text; *at; at++) {
        if (*at < ' ' || *at > '~' || strchr(without, *at))
            return FALSE;
    }
    return TRUE;
}

static GString *replace_deceptive(const char *text, const char *kept)
{
    GString *printable = g_string_new(NULL);
    for (const char *at = text; *at; at = g_utf8_next_char(at)) {
        gunichar character = g_utf8_get_char(at);
        gboolean good = (character < 0x80 && strchr(kept, (int)character)) || !deceives(character);
        g_string_append_unichar(printable, good ? character : 0xFFFD);
    }
    return printable;
}

char *hiera_text_printable(const char *text)
{
    return is_plain(text, "") ? g_strdup(text) : g_string_free(replace_deceptive(text, ""), FALSE);
}

/* Append \uXXXX; a character above U+FFFF takes two of them (UTF-16 surrogates) in JSON. */
static void append_json_escape(GString *escaped, gunichar character)
{
    if (character > 0xFFFF) {
        g_string_append_printf(escaped, "\\u%04x", 0xD800 + ((character - 0x10000) >> 10));
        character = 0xDC00 + ((character - 0x10000) & 0x3FF);
    }
    g_string_append_printf(escaped, "\\u%04x", character);
}

char *hiera_text_json(const char *text)
{
    if (is_plain(text, "\"\\"))
        return g_strconcat("\"", text, "\"", NULL);
    GString *escaped = g_string_new("\"");
    for (const char *at = text; *at; at = g_utf8_next_char(at)) {
        gunichar character = g_utf8_get_char(at);
        if (character == '"' || character == '\\')
            g_string_append_printf(escaped, "\\%c", (char)character);
        else if (deceives(character))
            append_json_escape(escaped, character);
        else
            g_string_append_unichar(escaped, character);
    }
    g_string_append_c(escaped, '"');
    return g_string_free(escaped, FALSE);
}

/* Return TRUE if a spreadsheet may take a cell that begins with this character for a formula. The last four are the
 * full-width forms of = + - @. */
static gboolean begins_formula(gunichar character)
{
    switch (character) {
    case '=':
    case '+':
    case '-':
    case '@':
    case '\t':
    case '\r':
    case '\n':
    case 0xFF1D:
    case 0xFF0B:
    case 0xFF0D:
    case 0xFF20:
        return TRUE;
    default:
        return FALSE;
    }
}

char *hiera_text_csv(const char *text)
{
    if (is_plain(text, "\",;") && !begins_formula((guchar)*text))
        return g_strdup(text);
    GString *printable = replace_deceptive(text, "\t\r\n"), *cell = g_string_new(NULL);
    gboolean quoted = strpbrk(text, ",\"\r\n") != NULL, begins = TRUE;
    g_string_append(cell, quoted ? "\"" : "");
    for (const char *at = printable->str; *at; at = g_utf8_next_char(at)) {
        gunichar character = g_utf8_get_char(at);
        g_string_append(cell, begins && begins_formula(character) ? "'" : "");
        g_string_append(cell, character == '"' ? "\"" : "");
        g_string_append_unichar(cell, character);
        begins = character == ';' || character == '\t'; /* behind these, some spreadsheets begin a new cell */
    }
    g_string_append(cell, quoted ? "\"" : "");
    g_string_free(printable, TRUE);
    return g_string_free(cell, FALSE);
}

/* Append a step of a path. Put a backslash before each backslash, and before each '>' that could be part of a
 * separator. */
static void append_step(GString *joined, const char *step, const char *end)
{
    for (const char *at = step; at < end; at++) {
        gboolean separates = *at == '>' && (at == step || at[-1] == ' ');
        g_string_append(joined, separates || *at == '\\' ? "\\" : "");
        g_string_append_c(joined, *at);
    }
}

char *hiera_text_path(const char *path)
{
    GString *joined = g_string_new(NULL);
    for (const char *step = path; step;) {
        const char *next = strchr(step, HIERA_PATH_SEPARATOR);
        append_step(joined, step, next ? next : step + strlen(step));
        g_string_append(joined, next ? " > " : "");
        step = next ? next + 1 : NULL;
    }
    return g_string_free(joined, FALSE);
}

static gboolean is_of_xml(gunichar character)
{
    return character >= 0x20 ? character < 0xFFFE || character > 0xFFFF
                             : character == '\t' || character == '\n' || character == '\r';
}

char *hiera_text_of_bytes(const char *bytes)
{
    if (is_plain(bytes, ""))
        return g_strdup(bytes);
    GString *text = g_string_new(NULL);
    g_autofree char *valid = g_utf8_make_valid(bytes, -1);
    for (const char *at = valid; *at; at = g_utf8_next_char(at))
        g_string_append_unichar(text, is_of_xml(g_utf8_get_char(at)) ? g_utf8_get_char(at) : 0xFFFD);
    return g_string_free(text, FALSE);
}
