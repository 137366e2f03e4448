#include "attribute.h"
#include "text/xml_escape.h"

static gboolean is_of_xml(gunichar character)
{
    return character >= 0x20 && character != 0xfffe && character != 0xffff;
}

static void append_character(GString *text, gunichar character)
{
    const char *escape = character < 0x80 ? hiera_xml_escape((char)character) : NULL;
    if (escape) {
        g_string_append(text, escape);
        return;
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
