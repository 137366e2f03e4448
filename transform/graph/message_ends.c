/* See message_ends.h. A message is in two lists: that of the row that sent it, and that of the row that received it. */
#include "message_ends.h"
#include "matching/match.h"

static const HieraMessage *peek_message(const HieraMessageEnds *ends, guint32 number)
{
    return &g_array_index(ends->messages, HieraMessage, number - 1);
}

/* Put a message at the front of a row's list. Most rows have one message: as no 0 is written to `next` for it, most
 * pages of `next` are never touched and take no memory. */
static void link_row(HieraMessageEnds *ends, guint32 row, guint32 number, guint32 *next)
{
    if (ends->first[row] != 0)
        next[number] = ends->first[row];
    ends->first[row] = number;
}

void hiera_message_ends_init(HieraMessageEnds *ends, const GArray *messages, guint32 n_rows)
{
    *ends = (HieraMessageEnds){messages, g_new0(guint32, (gsize)n_rows + 1), g_new0(guint32, (gsize)messages->len + 1),
                               g_new0(guint32, (gsize)messages->len + 1)};
    for (guint32 i = 1; i <= messages->len; i++) {
        const HieraMessage *message = peek_message(ends, i);
        link_row(ends, message->from, i, ends->next_sent);
        if (message->to != message->from)
            link_row(ends, message->to, i, ends->next_received);
    }
}

void hiera_message_ends_clear(HieraMessageEnds *ends)
{
    g_free(ends->first);
    g_free(ends->next_sent);
    g_free(ends->next_received);
}

/* Return the message after a message in a row's list, as its number + 1; 0: there is none. */
static guint32 follow(const HieraMessageEnds *ends, guint32 row, guint32 number)
{
    return peek_message(ends, number)->from == row ? ends->next_sent[number] : ends->next_received[number];
}

static gint compare_rows(gconstpointer a, gconstpointer b)
{
    guint32 left = *(const guint32 *)a, right = *(const guint32 *)b;
    return (left > right) - (left < right);
}

/* Sort the elements of `rows` with index `first` and above. */
static void sort_from(GArray *rows, guint first)
{
    if (rows->len > first + 1)
        qsort(&g_array_index(rows, guint32, first), rows->len - first, sizeof(guint32), compare_rows);
}

void hiera_message_ends_find_sources(const HieraMessageEnds *ends, guint32 row, GArray *rows)
{
    guint before = rows->len;
    for (guint32 i = ends->first[row]; i > 0; i = follow(ends, row, i)) {
        if (peek_message(ends, i)->to == row)
            g_array_append_val(rows, peek_message(ends, i)->from);
    }
    sort_from(rows, before);
}

void hiera_message_ends_find_targets(const HieraMessageEnds *ends, guint32 row, GArray *rows)
{
    guint before = rows->len;
    for (guint32 i = ends->first[row]; i > 0; i = follow(ends, row, i)) {
        if (peek_message(ends, i)->from == row)
            g_array_append_val(rows, peek_message(ends, i)->to);
    }
    sort_from(rows, before);
}
