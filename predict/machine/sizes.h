/* --message-size RULE=FACTOR: changes the size of some messages of a run. */
#pragma once

#include "hiera_match.h"

typedef struct Sizes Sizes;

/* Make an empty list of rules. */
Sizes *sizes_new(void);
void sizes_free(Sizes *sizes);
/* Make a list with the rules of another one, to decide where they hold in a part of a run. @param of  must outlive it;
 * records which rules hold somewhere */
Sizes *sizes_fork(Sizes *of);
/* Whether all rules can be decided when the run is read in parts: from a call and the regions around it alone. */
gboolean sizes_are_local(const Sizes *sizes);
/* Add a rule: an expression about MPI calls, and a factor for the size of their messages.
 * @param error  has a caret under the error in the expression */
gboolean sizes_add(Sizes *sizes, const char *text, GError **error);
/* Whether the list has rules. */
gboolean sizes_are_given(const Sizes *sizes);
/* Find the calls of a trace for which the rules hold; results for an earlier trace are dropped. @param is_call  by row
 */
void sizes_decide(Sizes *sizes, const HieraTrace *trace, const HieraMatch *match, const guint8 *is_call);
/* Return the size of a message: a rule applies if it holds for one of the calls that take part in it.
 * @param sizes  NULL: as recorded
 * @param rows   rows of the n calls */
gint64 sizes_of(const Sizes *sizes, gint64 bytes, const guint32 *rows, guint n);
/* Return the text of a rule that held for no MPI call so far; NULL: there is none. Owned by the list. */
const char *sizes_find_useless(const Sizes *sizes);
