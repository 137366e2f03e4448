/* Messages by the rows that sent and received them: a walk asks for those of every row, and they are what igraph finds
 * slowly, among all edges of a vertex. */
#ifndef HIERA_MESSAGE_ENDS_H
#define HIERA_MESSAGE_ENDS_H

#include <glib.h>

/* Lists of messages: by row the first of all that it sent or received, by message the next of the row that sent it and
 * that of the row that received it, each 1 + its number; 0 ends them, and takes no memory where rows have no messages
 * or one. */
typedef struct {
    const GArray *messages;
    guint32 *first;
    guint32 *next_sent, *next_received;
} HieraMessageEnds;

/* @param messages  HieraMessage; must outlive the lists */
void hiera_message_ends_init(HieraMessageEnds *ends, const GArray *messages, guint32 n_rows);
void hiera_message_ends_clear(HieraMessageEnds *ends);
/* Append the rows at the other ends, rising, to a GArray of guint32. */
void hiera_message_ends_find_sources(const HieraMessageEnds *ends, guint32 row, GArray *rows);
void hiera_message_ends_find_targets(const HieraMessageEnds *ends, guint32 row, GArray *rows);

#endif
