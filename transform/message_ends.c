/* Messages by their ends; see message_ends.h. */
#include "message_ends.h"
#include "match.h"

static const HieraMessage *peek_message(const HieraMessageEnds *ends, guint32 number)
{
    return &g_array_index(ends->messages, HieraMessage, number - 1);
}

void hiera_message_ends_init(HieraMessageEnds *ends, const GArray *messages, guint32 n_rows)
{
    *ends = (HieraMessageEnds){messages, g_new0(guint32, (gsize)n_rows + 1), g_new(guint32, (gsize)messages->len + 1),
                               g_new0(guint32, (gsize)n_rows + 1), g_new(guint32, (gsize)messages->len + 1)};
    for (guint32 i = 1; i <= messages->len; i++) {
        const HieraMessage *message = peek_message(ends, i);
        ends->next_sent[i] = ends->first_sent[message->from];
        ends->first_sent[message->from] = i;
        ends->next_received[i] = ends->first_received[message->to];
        ends->first_received[message->to] = i;
    }
}

void hiera_message_ends_clear(HieraMessageEnds *ends)
{
    g_free(ends->first_sent);
    g_free(ends->next_sent);
    g_free(ends->first_received);
    g_free(ends->next_received);
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
    guint32 left = *(const guint32 *)a, right = *(const guint32 *)b;
    return (left > right) - (left < right);
}

static void sort_behind(GArray *rows, guint before)
{
    if (rows->len > before + 1)
        qsort(&g_array_index(rows, guint32, before), rows->len - before, sizeof(guint32), compare_rows);
}

void hiera_message_ends_find_sources(const HieraMessageEnds *ends, guint32 row, GArray *rows)
{
    guint before = rows->len;
    for (guint32 i = ends->first_received[row]; i > 0; i = ends->next_received[i])
        g_array_append_val(rows, peek_message(ends, i)->from);
    sort_behind(rows, before);
}

void hiera_message_ends_find_targets(const HieraMessageEnds *ends, guint32 row, GArray *rows)
{
    guint before = rows->len;
    for (guint32 i = ends->first_sent[row]; i > 0; i = ends->next_sent[i])
        g_array_append_val(rows, peek_message(ends, i)->to);
    sort_behind(rows, before);
}
