/* Messages by the rows that sent and received them. Walks need the messages of every row; to find them in igraph, all
 * edges of a vertex would have to be examined. */
#pragma once

#include <glib.h>

/* Linked lists of messages, one for each row. Elements are numbers of messages + 1; 0 ends a list. Pages in which all
 * elements are 0 take no memory. */
typedef struct {
    const GArray *messages;
    guint32 *first;         /* by row: number + 1 of the first message in the list of the row; 0: none */
    guint32 *next_sent;     /* by number of a message + 1: the next message in the list of the row that sent it */
    guint32 *next_received; /* by number of a message + 1: the next message in the list of the row that received it */
} HieraMessageEnds;

/* Build the lists.
 * @param messages  array of HieraMessage; must outlive the lists */
void hiera_message_ends_init(HieraMessageEnds *ends, const GArray *messages, guint32 n_rows);
void hiera_message_ends_clear(HieraMessageEnds *ends);
/* Append to `rows` (guint32), sorted, the rows that sent the messages that `row` received. */
void hiera_message_ends_find_sources(const HieraMessageEnds *ends, guint32 row, GArray *rows);
/* Append to `rows` (guint32), sorted, the rows that received the messages that `row` sent. */
void hiera_message_ends_find_targets(const HieraMessageEnds *ends, guint32 row, GArray *rows);
