/** Selects messages and accesses by a scope: the sending (or accessing) call starts within its
 * times, inside operations of its level and depth, and one of the two sides is one of its ranks. */
#pragma once

#include "hiera_measure.h"

typedef struct HieraMessageScope HieraMessageScope;

/** Go through the trace once. Trace and scope must outlive the result, which is to be freed by
 * hiera_message_scope_free. */
HieraMessageScope *hiera_message_scope_new(const HieraTrace *trace, const HieraScope *scope);
void hiera_message_scope_free(HieraMessageScope *messages);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraMessageScope, hiera_message_scope_free)

/** Whether a message or access is selected.
 *
 * @param row   row that sends or accesses
 * @param rank  world rank of the other side */
gboolean hiera_message_scope_accepts(const HieraMessageScope *messages, guint32 row, guint32 rank);

/** Whether a row is in the scope, judged by the rank of its own call, not by the rank of its partner. */
gboolean hiera_message_scope_accepts_row(const HieraMessageScope *messages, guint32 row);
