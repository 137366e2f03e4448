/* See attribute.h. */
#include "attribute.h"

static gboolean is_of_xml(gunichar character)
{
    return character >= 0x20 && character != 0xfffe && character != 0xffff;
}

static void append_character(GString *text, gunichar character)
{
    static const struct {
        char character;
        const char *escape;
    } escapes[] = {{'<', "&lt;"},  {'>', "&gt;"},   {'&', "&amp;"}, {'"', "&quot;"},
                   {'\t', "&#9;"}, {'\n', "&#10;"}, {'\r', "&#13;"}};
    for (guint i = 0; i < G_N_ELEMENTS(escapes); i++) {
        if (character == (gunichar)escapes[i].character) {
            g_string_append(text, escapes[i].escape);
            return;
        }
    }
    if (is_of_xml(character))
        g_string_append_unichar(text, character);
    for (gint n = is_of_xml(character) ? 0 : g_unichar_to_utf8(character, NULL); n > 0; n--)
        g_string_append_unichar(text, 0xfffd);
}

void hiera_attribute_append_text(GString *text, const char *name, const char *value)
{
    g_autofree char *valid = g_utf8_make_valid(value, -1);
    g_string_append_printf(text, " %s=\"", name);
    for (const char *at = valid; *at; at = g_utf8_next_char(at))
        append_character(text, g_utf8_get_char(at));
    g_string_append_c(text, '"');
}
