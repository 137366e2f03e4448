#include "scaling_texts.h"
#include "hiera_measure.h"
#include <math.h>

/* Format a value with its unit, with up to four digits. */
static void format_value(char *buffer, gdouble value, PartUnit unit)
{
    gdouble most = CLAMP(value, -1e18, 1e18);
    if (unit == UNIT_NS)
        hiera_time_format(buffer, llround(most));
    else if (unit == UNIT_BYTES)
        hiera_bytes_format(buffer, llround(most));
    else
        g_snprintf(buffer, HIERA_NUMBER_BYTES, "%.4g", value);
}

static void append_factor(GString *text, const Law *law, gdouble factor, PartUnit unit)
{
    static const char *const behind[LAW_N_FORMS] = {"", " / p", " / p^2", " p", " log2 p", " / p", " log2 p", " p"};
    char number[HIERA_NUMBER_BYTES];
    gboolean one = unit == UNIT_NUMBER && fabs(factor - 1) < 1e-6;
    format_value(number, factor, unit);
    if (one && behind[law->form][0] && behind[law->form][1] != '/')
        g_string_append(text, behind[law->form] + 1);
    else
        g_string_append_printf(text, "%s%s", number, behind[law->form]);
}

char *scaling_law_text(const Law *law, PartUnit unit)
{
    g_autoptr(GString) text = g_string_new(NULL);
    char number[HIERA_NUMBER_BYTES];
    if (law_form_count_parameters(law->form) == 1) {
        append_factor(text, law, law->a, unit);
        return g_string_free(g_steal_pointer(&text), FALSE);
    }
    format_value(number, law->a, unit);
    gboolean has_a = fabs(law->a) > 1e-6 * fabs(law->b);
    if (has_a)
        g_string_append_printf(text, "%s %c ", number, law->b < 0 ? '-' : '+');
    append_factor(text, law, has_a ? fabs(law->b) : law->b, unit);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static gboolean is_nothing(const Law *law)
{
    return law->a == 0 && law->b == 0;
}

static void append_messages(GString *text, const Law *number, const Law *bytes, const char *what)
{
    if (is_nothing(number))
        return;
    g_autofree char *many = scaling_law_text(number, UNIT_NUMBER), *size = scaling_law_text(bytes, UNIT_BYTES);
    g_string_append_printf(text, "%s%s: %s, of %s", text->len > 0 ? "; " : "", what, many, size);
}

char *scaling_part_text(const FittedPart *fitted)
{
    const Law *laws[PART_QUANTITIES];
    PartKind kind = fitted->part->kind;
    for (guint i = 0; i < PART_QUANTITIES; i++)
        laws[i] = &fitted->fits[i][OF_SLOWEST].law;
    if (kind != PART_MESSAGES && kind != PART_COLLECTIVES)
        return scaling_law_text(laws[PART_TIME], UNIT_NS);
    g_autoptr(GString) text = g_string_new(NULL);
    if (kind == PART_MESSAGES) {
        append_messages(text, laws[MESSAGES_SENT], laws[MESSAGES_SENT_BYTES], "sent");
        append_messages(text, laws[MESSAGES_RECEIVED], laws[MESSAGES_RECEIVED_BYTES], "received");
    } else {
        g_autofree char *members = scaling_law_text(laws[COLLECTIVES_MEMBERS], UNIT_NUMBER);
        append_messages(text, laws[COLLECTIVES_CALLS], laws[COLLECTIVES_BYTES], "calls");
        g_string_append_printf(text, ", members: %s", members);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

char *scaling_value_text(gdouble value, PartUnit unit)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    return g_strdup(g_ascii_formatd(number, sizeof number, "%.9g", unit == UNIT_NS ? value / 1e9 : value));
}
