/* --message-size RULE=FACTOR: which messages of a run are longer or shorter, and how much. */
#ifndef HIERA_PREDICT_SIZES_H
#define HIERA_PREDICT_SIZES_H

#include "hiera_match.h"

typedef struct Sizes Sizes;

/* Make a list without rules. */
Sizes *sizes_new(void);
void sizes_free(Sizes *sizes);
/* Make a list with the rules of another one, to decide where they hold in a part of a run. @param of  must outlive it;
 * is told which rules hold somewhere */
Sizes *sizes_fork(Sizes *of);
/* Whether all rules can be decided in a part of a run, of which the regions around it are known. */
gboolean sizes_are_local(const Sizes *sizes);
/* Add a rule: an expression about MPI calls, and how many times as long their messages are.
 * @param error  has a caret under what is wrong in the expression */
gboolean sizes_add(Sizes *sizes, const char *text, GError **error);
/* Whether there are rules. */
gboolean sizes_are_given(const Sizes *sizes);
/* Find out for which calls of a trace the rules hold; what was known of another one is forgotten. @param is_call  by
 * row */
void sizes_decide(Sizes *sizes, const HieraTrace *trace, const HieraMatch *match, const guint8 *is_call);
/* Return how long a message is: a rule counts if it holds for one of the calls that take part in it.
 * @param sizes  NULL: as recorded
 * @param rows   of the calls, n of them */
gint64 sizes_of(const Sizes *sizes, gint64 bytes, const guint32 *rows, guint n);
/* Return the text of a rule that holds for no MPI call of any trace, or NULL. Owned by the list. */
const char *sizes_find_useless(const Sizes *sizes);

#endif
